#!/usr/bin/env bash
# Runs Feed in a pseudo-terminal, and compares its screen with the output of --script for the same keys. Usage:
# Examples/Feed/check.sh [PATH OF THE BUILT FEED]
# Concerns: Examples/Feed Examples/TerminalUI Sources/AsyncKnot Sources/AsyncDiff
source "$(dirname "$0")/../TerminalUI/pty.bash" Feed "${1:-}"
sample=$samples/feed.json

# expect NAME: waits until the screen equals the expected screen, because the program draws some time after a key.
expect() {
  for _ in $(seq 100); do
    screen >"$work/actual"
    if diff -q "$work/expected" "$work/actual" >/dev/null; then
      echo "ok: $1"
      return
    fi
    sleep 0.1
  done
  echo "not ok: $1"
  diff "$work/expected" "$work/actual"
  exit 1
}

start 80 24 "$sample"

keys=
press() {
  local key
  for key in "$@"; do
    keys+=" $key"
    case $key in
      enter) tmux send-keys -t pane Enter ;;
      up | down | left | right | home | end) tmux send-keys -t pane "${key^}" ;;
      shiftup) tmux send-keys -t pane S-Up ;;
      shiftdown) tmux send-keys -t pane S-Down ;;
      *) tmux send-keys -t pane -l "$key" ;;
    esac
  done
  echo "$keys" >"$work/keys"
  "$program" "$sample" --script "$work/keys" >"$work/expected"
  expect "$keys"
}

press
press enter
press down down enter
press n
press r
press up right right v
press end
press home n n enter

# Folds and unfolds a day, and drags rows within their day, to another day, and onto the banner, which refuses them.
press home down enter
press enter
press home down down shiftdown
press shiftdown shiftdown shiftdown shiftdown
press shiftup
press home down enter down shiftup
press home r shiftdown

# Sends eight keys in one write, faster than the program handles them.
tmux send-keys -t pane -l "vvnrvnrv"
keys+=" v v n r v n r v"
press down

tmux send-keys -t pane q
line "q restores the terminal" "ended 0"

start 80 24 "$sample"
line "80 columns show the help for all keys" "q quit  ↑↓ move  Enter select  n news  v vote  ←→ option  r banner  S-↑↓ drag"
suspends "Enter select"
printf '\xef\xbb\xbf' | cat - "$sample" >"$work/bom.json"
"$program" "$work/bom.json" --script "$work/keys" >"$work/actual"
diff "$work/expected" "$work/actual"
echo "ok: a byte order mark is ignored"
for term in dumb ""; do
  ! TERM=$term script -qec "'$program' '$sample'" /dev/null >"$work/dumb" </dev/null
  grep -q "needs a terminal to draw in" "$work/dumb" && ! grep -q $'\x1b' "$work/dumb"
done
echo "ok: with TERM=dumb, nothing is drawn"
! LC_ALL=C "$program" "$sample" --script "$work/keys" | LC_ALL=C grep -q '[^ -~]'
echo "ok: with LC_ALL=C, the output is plain ASCII"
"$program" --help | grep -q '^usage: Feed'
echo "ok: --help prints the usage"
