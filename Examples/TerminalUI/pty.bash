# Functions for scripts that run a program in a pseudo-terminal. Source this file with the program's name and, if the program is
# already built, its path.
source "$(dirname "${BASH_SOURCE[0]}")/../../.ci/common.bash"

name=$1
program=${2:-}
if [ -z "$program" ]; then
  swift build --product "$name"
  program=$(swift build --show-bin-path)/$name
fi
need tmux

export LANG=C.UTF-8 LC_ALL=C.UTF-8
samples=Examples/$name/Samples
work=$(mktemp -d)
servers=()
tmux() { command tmux -u -L "$name-pty-$$" -f /dev/null "$@"; }
finish() {
  tmux kill-server 2>/dev/null || true
  for server in "${servers[@]}"; do kill "$server" 2>/dev/null || true; done
  rm -rf "$work"
}
trap finish EXIT

# start COLUMNS ROWS ARGUMENT...: runs the program in a new shell, which prints the program's exit status.
start() {
  local columns=$1 rows=$2
  shift 2
  if tmux has-session -t pane 2>/dev/null; then
    tmux respawn-pane -k -t pane "bash --norc"
  else
    tmux new-session -d -s pane -x "$columns" -y "$rows" "bash --norc"
    tmux set -g status off
  fi
  tmux send-keys -t pane "PS1='$ '; clear; '$program' $*; echo ended \$?" Enter
}

screen() { tmux capture-pane -p -t pane; }

# line NAME TEXT: waits until a line on the screen contains TEXT, and reports NAME.
line() {
  for _ in $(seq 150); do
    if screen | grep -qF -- "$2"; then
      echo "ok: $1"
      return
    fi
    sleep 0.1
  done
  echo "not ok: $1; no line contains: $2"
  screen
  exit 1
}

# suspends TEXT: checks that ^Z returns the terminal to the shell, fg shows TEXT again, and q ends the program.
suspends() {
  line "the program runs" "$1"
  tmux send-keys -t pane C-z
  line "^Z returns the terminal to the shell" "Stopped"
  tmux send-keys -t pane "clear; fg; echo back \$?" Enter
  line "fg shows the program again" "$1"
  tmux send-keys -t pane -l q
  line "q ends the program after fg" "back 0"
}
