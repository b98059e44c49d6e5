#!/usr/bin/env bash
# Runs LogWatch with logs, as a user would: Examples/LogWatch/check.sh [BINARY]
# Without BINARY, it builds LogWatch for release.
# Concerns: Examples/LogWatch Examples/TerminalUI Sources/AsyncKnot Sources/AsyncDiff
source "$(dirname "$0")/../../.ci/common.bash"

need python3
if (($# == 0)); then
  swift build "${release[@]}" --product LogWatch
  set -- "$(swift build "${release[@]}" --show-bin-path)/LogWatch"
fi
# `exec` is not used, because the memory of the build's processes would then count as the memory of the checks.
python3 Examples/LogWatch/check.py "$1"
