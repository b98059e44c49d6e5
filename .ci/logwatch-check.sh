#!/usr/bin/env bash
# Runs LogWatch on real logs, from end to end: .ci/logwatch-check.sh [BINARY]
# Without a binary it builds one for release.
# Concerns: Examples/LogWatch Examples/TerminalUI Sources/AsyncKnot Sources/AsyncDiff .ci/logwatch-check.py
source "$(dirname "$0")/common.bash"

need python3
if (($# == 0)); then
  swift build "${release[@]}" --product LogWatch
  set -- "$(swift build "${release[@]}" --show-bin-path)/LogWatch"
fi
# Not by exec: what the build's processes took would count as memory of the checks.
python3 .ci/logwatch-check.py "$1"
