#!/usr/bin/env bash
# Plays Examples/Feed in a real pseudo-terminal, and compares its screen with what --script prints
# for the same keys. Usage: .ci/feed-pty.sh [path of the built Feed]
set -euo pipefail
cd "$(dirname "$0")/.."

feed=${1:-}
if [ -z "$feed" ]; then
  swift build --product Feed
  feed=$(swift build --show-bin-path)/Feed
fi
if ! command -v tmux >/dev/null; then
  apt-get update -q && apt-get install -q -y --no-install-recommends tmux
fi

export LANG=C.UTF-8 LC_ALL=C.UTF-8
sample=Examples/Feed/Samples/feed.json
work=$(mktemp -d)
tmux() { command tmux -u -L "feed-pty-$$" -f /dev/null "$@"; }
trap 'tmux kill-server 2>/dev/null || true; rm -rf "$work"' EXIT

screen() { tmux capture-pane -p -t feed; }

# Waits until the screen is what is expected; it is drawn some time after the key.
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

tmux new-session -d -s feed -x 80 -y 24 "sh"
tmux set -g status off
tmux send-keys -t feed "PS1='$ '; clear; '$feed' $sample; echo ended \$?" Enter

keys=
press() {
  local key
  for key in "$@"; do
    keys+=" $key"
    case $key in
      enter) tmux send-keys -t feed Enter ;;
      up | down | left | right | home | end) tmux send-keys -t feed "${key^}" ;;
      shiftup) tmux send-keys -t feed S-Up ;;
      shiftdown) tmux send-keys -t feed S-Down ;;
      *) tmux send-keys -t feed -l "$key" ;;
    esac
  done
  echo "$keys" >"$work/keys"
  "$feed" "$sample" --script "$work/keys" >"$work/expected"
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

# A day is folded and unfolded; rows are dragged within their day, to another one, and refused by the banner.
press home down enter
press enter
press home down down shiftdown
press shiftdown shiftdown shiftdown shiftdown
press shiftup
press home down enter down shiftup
press home r shiftdown

# Eight of the keys in one write, faster than they are handled.
tmux send-keys -t feed -l "vvnrvnrv"
keys+=" v v n r v n r v"
press down

tmux send-keys -t feed q
for _ in $(seq 100); do
  if screen | grep -qx "ended 0"; then
    echo "ok: q gives the terminal back"
    exit 0
  fi
  sleep 0.1
done
echo "not ok: q gives the terminal back"
screen
exit 1
