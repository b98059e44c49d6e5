#!/usr/bin/env bash
# Checks that QuickStart finds the bug, draws its lanes, finds no bug in the fixed code, and ends when the user types `q`.
# Concerns: Examples/QuickStart Examples/TerminalUI Sources/ExploreTesting
source "$(dirname "$0")/../TerminalUI/pty.bash" QuickStart "${1:-}"

text=$("$program")
for words in 'Run 1 sells the ticket twice' '[left: 0 -> -1]' 'on MainActor' 'None of 1000 runs fails.'; do
  grep -qF -- "$words" <<<"$text" || { echo "QuickStart should print \"$words\", but it prints:"; echo "$text"; exit 1; }
done
"$program" --help | grep -q '^usage: QuickStart' || { echo '--help should print the usage'; exit 1; }
if "$program" --nonsense 2>/dev/null; then echo 'an unknown option should fail'; exit 1; fi

start 80 24
line "the first line is shown" "A shop has one ticket left"
line "the last line is shown" "None of 1000 runs fails."
line "the lanes are shown" "[left: 0 -> -1]"
tmux send-keys -t pane -l q
line "q ends the program" "ended 0"
