#!/usr/bin/env bash
# Takes the pictures of LiveTop for the README: of a machine that does not exist.
# Usage: Examples/Web/picture.sh        It needs chromium and chromedriver.
set -euo pipefail
cd "$(dirname "$0")"
swift build --product LiveTop
python3 picture.py "$(swift build --show-bin-path)/LiveTop" Samples
