#!/bin/sh
# Runs LogWatch on real logs, from end to end: .ci/logwatch-check.sh [BINARY]
# Without a binary it builds one for release.
set -eu
cd "$(dirname "$0")/.."

if ! command -v python3 >/dev/null; then
  apt-get update -qq && apt-get install -y -qq python3 >/dev/null
fi
if [ $# -eq 0 ]; then
  swift build -c release --product LogWatch
  set -- "$(swift build -c release --show-bin-path)/LogWatch"
fi
# Not by exec: what the build's processes took would count as memory of the checks.
python3 .ci/logwatch-check.py "$1"
