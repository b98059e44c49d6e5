#!/usr/bin/env bash
# LiveTop in a real browser, from end to end: .ci/web-check.sh [FOLDER FOR PICTURES]
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

log=$(mktemp)
trap 'rm -f "$log"' EXIT
swift build --package-path Examples/Web --build-tests 2>&1 | tee "$log"
if grep -E 'warning:' "$log"; then exit 1; fi
swift test --package-path Examples/Web --skip-build
python3 .ci/web-check.py "$(swift build --package-path Examples/Web --show-bin-path)/LiveTop" "$@"
