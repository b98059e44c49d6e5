#!/usr/bin/env bash
# Checks the page of a recorded run in a browser: Examples/Tracker/check.sh [FOLDER FOR PICTURES]
# Concerns: Sources/AsyncKnotRecorder Examples/Tracker Examples/browser.py Sources/AsyncOptical
source "$(dirname "$0")/../../.ci/common.bash"

if [[ $(uname) == Linux ]]; then
  need python3
  need chromium
  need chromium-driver command -v chromedriver
  need fonts-dejavu-core test -e /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf
fi

build --product Tracker
python3 Examples/Tracker/check.py "$(swift build --show-bin-path)/Tracker" "$@"
