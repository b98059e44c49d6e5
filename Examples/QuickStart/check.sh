#!/usr/bin/env bash
# QuickStart finds the bug, draws it in lanes, and finds none in the fixed code. `q` ends it.
# Concerns: Examples/QuickStart Examples/TerminalUI Sources/ExploreTesting
source "$(dirname "$0")/../TerminalUI/pty.bash" QuickStart "${1:-}"

text=$("$program")
for words in 'Interleaving 1 sells it twice' '[tickets: 0 -> -1]' 'on MainActor' 'None of 1000 interleavings fails.'; do
  grep -qF -- "$words" <<<"$text" || { echo "QuickStart should print \"$words\"; it prints:"; echo "$text"; exit 1; }
done
"$program" --help | grep -q '^usage: QuickStart' || { echo '--help should explain the program'; exit 1; }
if "$program" --nonsense 2>/dev/null; then echo 'an unknown option should fail'; exit 1; fi

start 100 30
line "the last line comes" "None of 1000 interleavings fails."
line "the lanes are there" "[tickets: 0 -> -1]"
tmux send-keys -t pane -l q
line "q leaves it" "ended 0"
