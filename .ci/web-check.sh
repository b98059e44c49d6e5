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
web=(--package-path Examples/Web -Xswiftc -gnone)
swift build "${web[@]}" --build-tests 2>&1 | tee "$log"
if grep -E 'warning:' "$log"; then exit 1; fi
swift test "${web[@]}" --skip-build
python3 .ci/web-check.py "$(swift build "${web[@]}" --show-bin-path)/LiveTop" "$@"
