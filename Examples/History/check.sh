#!/usr/bin/env bash
# Runs History in a pseudo-terminal with python3 -m http.server, with a faulty server, and without a server. Usage:
# Examples/History/check.sh [PATH OF THE BUILT HISTORY]
# Concerns: Examples/History Examples/TerminalUI Sources/AsyncKnot Sources/AsyncOptical
source "$(dirname "$0")/../TerminalUI/pty.bash" History "${1:-}"

# expect NAME: waits until the screen equals the standard input, apart from empty lines at the end.
expect() {
  cat >"$work/expected"
  for _ in $(seq 150); do
    screen | sed -e :a -e '/^\n*$/{$d;N;ba' -e '}' >"$work/actual"
    if diff -q "$work/expected" "$work/actual" >/dev/null; then
      echo "ok: $1"
      return
    fi
    sleep 0.1
  done
  echo "not ok: $1"
  diff "$work/expected" "$work/actual" || true
  exit 1
}

type() { tmux send-keys -t pane -l "$1"; }
key() { tmux send-keys -t pane "$@"; }
quit() {
  type q
  line "$1" "ended 0"
}

python3 -u -m http.server 0 --bind 127.0.0.1 --directory "$samples" >"$work/http" 2>&1 &
servers+=($!)
python3 Examples/History/faulty-server.py "$samples" >"$work/faulty" &
servers+=($!)
for _ in $(seq 100); do
  [ -s "$work/http" ] && [ -s "$work/faulty" ] && break
  sleep 0.1
done
web=http://127.0.0.1:$(sed -n 's/.* port \([0-9]*\).*/\1/p' "$work/http")/
faulty=http://127.0.0.1:$(cat "$work/faulty")

start 70 16 --state "$work/state" "$web"
expect "the list is loaded over HTTP" <<'SCREEN'
 History                                                   0 followed

 >   Fortran                                                     1957
     Lisp                                                        1958
     COBOL                                                       1959
     Simula                                                      1962
     Smalltalk                                                   1972
     C                                                           1972
     ML                                                          1973
     Ada                                                         1980




 8 entries; m loads more.
 ↑↓ select  enter open  f follow  m more  r reload  c cancel  q quit
SCREEN
type m
line "m loads more" "16 entries in total."
key Down
type f
line "f follows" "> * Lisp"
key Enter
expect "enter opens an entry, which is shown as followed" <<'SCREEN'
 Entry 2

 Title   Lisp
 Author  John McCarthy
 Year    1958
 * followed









 e edit the title  f follow  esc back  q quit
SCREEN
type e
line "e edits the title" "enter save"
for _ in 1 2 3 4; do key BSpace; done
line "an empty title is refused" "A title cannot be blank."
key Enter
type "$(printf 'x%.0s' $(seq 43))"
line "a long title is refused" "A title has at most 40 characters; got 43."
for _ in $(seq 43); do key BSpace; done
type "LISP"
key C-z C-z
line "^Z undoes typing" "Title   LI_"
key C-y C-y
line "^Y redoes it" "Title   LISP_"
key Enter
line "the screen says that the service does not accept edits" \
  "Not saved. The service failed at entries/2.json (501)."
line "the draft is still there" "Title   LISP_"
key Escape
line "esc abandons the draft" "Title   Lisp"
quit "q restores the terminal"

start 70 16 --state "$work/state" "$web"
line "the next run shows the followed entries" "* Lisp"
quit "q ends the second run"
printf 'AsyncKnot state 1\n[1, 2]' >"$work/state"
start 70 16 --state "$work/state" "$web"
line "the file of an older version is migrated" "2 followed"
quit "q ends the third run"
echo nonsense >"$work/state"
start 70 16 --state "$work/state" "$web"
line "a damaged file is reported" "The followed entries cannot be read; renamed to state.damaged-1."
quit "q ends the fourth run"
[ "$(cat "$work/state.damaged-1")" = nonsense ] && echo "ok: the damaged file is kept"

start 70 16 "$faulty/ok/"
line "an entry can be opened" "> "
key Enter
line "the entry is open" "Title   Fortran"
type e
line "e edits the title again" "enter save"
type " 77"
line "a title is typed" "Fortran 77"
key Enter
line "a title is saved" "e edit the title"
key Escape
line "esc goes back to the list" "8 entries; m loads more."
line "the list shows the title that the other screen has saved" "Fortran 77"
quit "q ends it"

start 70 16 "$faulty/missing/"
line "404" "There is no history.json (404). Press r to try again."
quit "q ends it after a 404"
start 70 16 "$faulty/broken/"
line "500" "The service failed at history.json (500). Press r to try again."
quit "q ends it after a 500"
start 70 16 "$faulty/flaky/"
line "a temporary failure is retried" "8 entries; m loads more."
quit "q ends it"
start 70 16 "$faulty/garbage/"
line "malformed JSON" "history.json is not a valid history page. Press r to try again."
quit "q ends it after malformed JSON"
start 70 16 "$faulty/cut/"
line "an incomplete response" "history.json is not a valid history page. Press r to try again."
quit "q ends it after an incomplete response"
start 70 16 --timeout 1 "$faulty/slow/"
line "the program waits for a slow response" "Loading…"
line "a slow response times out" "no response within 1.0 seconds"
quit "q ends it after a timeout"
start 70 16 "$faulty/slow/"
line "a slow request can be cancelled" "Loading…"
type c
line "the screen says that the request was cancelled" "Cancelled. Press r to try again."
type r
line "a cancelled request can be repeated" "Loading…"
quit "q ends it while a request is in flight"
start 70 16 http://127.0.0.1:9/
line "a refused connection" "No connection to http://127.0.0.1:9/. Press r to try again."
quit "q ends it after a refused connection"
start 70 16
line "without an address, the history that comes with the program is shown" "8 entries; m loads more."
quit "q ends it"
start 70 16 nowhere
line "an invalid argument is explained" "ADDRESS: needs an http or https address; got nowhere"
line "an invalid argument ends the program" "ended 2"
start 70 16
suspends "q quit"
"$program" --help | grep -q '^usage: History'
echo "ok: --help prints the usage"
! TERM=dumb script -qec "'$program'" /dev/null >"$work/dumb" </dev/null
grep -q "needs a terminal to draw in" "$work/dumb" && ! grep -q $'\x1b' "$work/dumb"
echo "ok: with TERM=dumb, nothing is drawn"
echo "all screens are as expected"
