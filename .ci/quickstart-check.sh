#!/usr/bin/env bash
# QuickStart counts as the original's quick example does, and ends by itself.
set -euo pipefail
cd "$(dirname "$0")/.."

swift build --product QuickStart
last=$("$(swift build --show-bin-path)/QuickStart" --ticks 21 | tail -n 1)
[[ $last == $'20\t99' ]] || { echo "title and subtitle should end at 20 and 99; got: $last"; exit 1; }
