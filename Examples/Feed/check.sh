#!/usr/bin/env bash
# Plays Examples/Feed in a real pseudo-terminal, and compares its screen with what --script prints
# for the same keys. Usage: Examples/Feed/check.sh [path of the built Feed]
# Concerns: Examples/Feed Examples/TerminalUI Sources/AsyncKnot Sources/AsyncDiff
source "$(dirname "$0")/../TerminalUI/pty.bash" Feed "${1:-}"
sample=$samples/feed.json

# Waits until the screen shows what is expected, because it is drawn some time after the key.
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

# A day is folded and unfolded; rows are dragged within their day, to another day, and onto the banner, which refuses them.
press home down enter
press enter
press home down down shiftdown
press shiftdown shiftdown shiftdown shiftdown
press shiftup
press home down enter down shiftup
press home r shiftdown

# Eight of the keys in one write, faster than they are handled.
tmux send-keys -t pane -l "vvnrvnrv"
keys+=" v v n r v n r v"
press down

tmux send-keys -t pane q
line "q gives the terminal back" "ended 0"

start 80 24 "$sample"
line "every key is on the screen at 80 columns" "q quit  ↑↓ move  Enter select  n news  v vote  ←→ option  r banner  S-↑↓ drag"
suspends "Enter select"
printf '\xef\xbb\xbf' | cat - "$sample" >"$work/bom.json"
"$program" "$work/bom.json" --script "$work/keys" >"$work/actual"
diff "$work/expected" "$work/actual"
echo "ok: a byte order mark is no error"
for term in dumb ""; do
  ! TERM=$term script -qec "'$program' '$sample'" /dev/null >"$work/dumb" </dev/null
  grep -q "needs a terminal to draw in" "$work/dumb" && ! grep -q $'\x1b' "$work/dumb"
done
echo "ok: TERM=dumb draws nothing"
! LC_ALL=C "$program" "$sample" --script "$work/keys" | LC_ALL=C grep -q '[^ -~]'
echo "ok: LC_ALL=C is plain ASCII"
"$program" --help | grep -q '^usage: Feed'
echo "ok: --help"
