#!/usr/bin/env bash
# LiveTop in a real browser, from end to end: .ci/web-check.sh [FOLDER FOR PICTURES]
# Concerns: Examples/Web Sources/AsyncKnot Sources/AsyncDiff .ci/web-check.py
source "$(dirname "$0")/common.bash"

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
python3 .ci/web-check.py "$programs/LiveTop" "$@"
