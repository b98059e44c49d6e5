#!/usr/bin/env bash
# Takes the screenshots for LiveTop's README, with a simulated machine.
# Usage: Examples/Web/picture.sh    It needs chromium and chromedriver.
set -euo pipefail
cd "$(dirname "$0")"
swift build --product LiveTop
python3 picture.py "$(swift build --show-bin-path)/LiveTop" Samples
