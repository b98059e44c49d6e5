#!/usr/bin/env bash
# Runs LogWatch on real logs, from end to end: Examples/LogWatch/check.sh [BINARY]
# Without a binary it builds one for release.
# Concerns: Examples/LogWatch Examples/TerminalUI Sources/AsyncKnot Sources/AsyncDiff
source "$(dirname "$0")/../../.ci/common.bash"

need python3
if (($# == 0)); then
  swift build "${release[@]}" --product LogWatch
  set -- "$(swift build "${release[@]}" --show-bin-path)/LogWatch"
fi
# Not with exec, because the memory of the build's processes would count as memory of the checks.
python3 Examples/LogWatch/check.py "$1"
