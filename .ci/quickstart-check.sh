#!/usr/bin/env bash
# QuickStart counts as the original's quick example does, ends by itself, and says what it shows.
# Concerns: Examples/QuickStart Examples/TerminalUI Sources/AsyncKnot
set -euo pipefail
cd "$(dirname "$0")/.."

swift build --product QuickStart
program=$(swift build --show-bin-path)/QuickStart
last=$("$program" --ticks 21 | tail -n 1)
[[ $last == $'20\t99' ]] || { echo "title and subtitle should end at 20 and 99; got: $last"; exit 1; }
[[ $(timeout 20 "$program" | wc -l) -gt 50 ]] || { echo 'in a pipe it should end by itself'; exit 1; }
"$program" --help | grep -q '^usage: QuickStart' || { echo '--help should explain the program'; exit 1; }
if "$program" --nonsense 2>/dev/null; then echo 'an unknown option should fail'; exit 1; fi
