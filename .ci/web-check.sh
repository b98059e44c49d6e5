#!/usr/bin/env bash
# LiveTop in a real browser, from end to end: .ci/web-check.sh [FOLDER FOR PICTURES]
set -euo pipefail
cd "$(dirname "$0")/.."

# need PACKAGE COMMAND…: installs a Debian package where a command does not succeed.
need() {
  local package=$1
  shift
  "$@" >/dev/null 2>&1 && return
  local sudo=()
  [[ $(id -u) == 0 ]] || sudo=(sudo -n)
  "${sudo[@]}" apt-get update -q
  DEBIAN_FRONTEND=noninteractive "${sudo[@]}" apt-get install -qy --no-install-recommends "$package"
}

if [[ $(uname) == Linux ]]; then
  need python3 python3 --version
  need pkg-config pkg-config --version
  need libmicrohttpd-dev pkg-config --exists libmicrohttpd
  need chromium command -v chromium
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
