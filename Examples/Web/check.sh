#!/usr/bin/env bash
# Runs LiveTop's tests, and checks LiveTop in a browser: Examples/Web/check.sh [FOLDER FOR PICTURES]
# Concerns: Examples/Web Examples/browser.py Sources/AsyncKnot Sources/AsyncDiff
source "$(dirname "$0")/../../.ci/common.bash"

if [[ $(uname) == Linux ]]; then
  need python3
  need pkg-config
  need libmicrohttpd-dev pkg-config --exists libmicrohttpd
  need chromium
  need chromium-driver command -v chromedriver
  need fonts-dejavu-core test -e /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf
  need procps command -v ps
fi

beside Examples/Web
python3 Examples/Web/check.py "$programs/LiveTop" "$@"
