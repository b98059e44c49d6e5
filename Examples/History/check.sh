#!/usr/bin/env bash
# Drives Examples/History in a real pseudo-terminal: against python3 -m http.server, against a server
# that fails in every way, and against a port without a server. Usage: Examples/History/check.sh [path of the built History]
# Concerns: Examples/History Examples/TerminalUI Sources/AsyncKnot Sources/AsyncOptical
source "$(dirname "$0")/../TerminalUI/pty.bash" History "${1:-}"

# Waits until the screen equals the text on standard input; trailing empty lines do not count.
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
line "m loads more" "16 entries, that is all."
key Down
type f
line "f follows" "> * Lisp"
key Enter
expect "enter opens an entry, which knows that it is followed" <<'SCREEN'
 Entry 2

 Title   Lisp
 Author  John McCarthy
 Year    1958
 * followed









 e edit the title  f follow  esc back  q quit
SCREEN
type e
for _ in 1 2 3 4; do key BSpace; done
line "an empty title is refused" "A title needs at least one letter."
key Enter
type "$(printf 'x%.0s' $(seq 43))"
line "a long title is refused" "3 characters too many (at most 40)."
for _ in $(seq 43); do key BSpace; done
type "LISP"
key C-z C-z
line "^Z takes what was typed back" "Title   LI_"
key C-y C-y
line "^Y brings it back" "Title   LISP_"
key Enter
line "a service that takes no edits says so, and the draft stays" \
  "Not saved. The service failed at entries/2.json (501)."
line "the draft is still there" "Title   LISP_"
key Escape
line "esc abandons" "Title   Lisp"
quit "q gives the terminal back"

start 70 16 --state "$work/state" "$web"
line "what is followed is there in the next run" "* Lisp"
quit "q ends the second run"
printf 'AsyncKnot state 1\n[1, 2]' >"$work/state"
start 70 16 --state "$work/state" "$web"
line "the file of an older version is migrated" "2 followed"
quit "q ends the third run"
echo nonsense >"$work/state"
start 70 16 --state "$work/state" "$web"
line "a damaged file is reported" "Followed entries cannot be read; kept as state.damaged-1."
quit "q ends the fourth run"
[ "$(cat "$work/state.damaged-1")" = nonsense ] && echo "ok: the damaged file is kept"

start 70 16 "$faulty/ok/"
line "an entry can be opened" "> "
key Enter
line "the entry is open" "Title   Fortran"
type e
type " 77"
line "a title is typed" "Fortran 77"
key Enter
line "a title is saved" "e edit the title"
key Escape
line "esc goes back to the list" "8 entries; m loads more."
line "the list shows what the other screen has saved" "Fortran 77"
quit "q ends it"

start 70 16 "$faulty/missing/"
line "404" "There is no history.json (404). r tries again."
quit "q ends it after a 404"
start 70 16 "$faulty/broken/"
line "500" "The service failed at history.json (500). r tries again."
quit "q ends it after a 500"
start 70 16 "$faulty/flaky/"
line "a failure that passes is tried again" "8 entries; m loads more."
quit "q ends it"
start 70 16 "$faulty/garbage/"
line "malformed JSON" "history.json is not a page of a history. r tries again."
quit "q ends it after malformed JSON"
start 70 16 "$faulty/cut/"
line "half an answer" "history.json is not a page of a history. r tries again."
quit "q ends it after half an answer"
start 70 16 --timeout 1 "$faulty/slow/"
line "a slow answer is waited for" "Loading…"
line "a slow answer times out" "no answer within 1.0 seconds"
quit "q ends it after a timeout"
start 70 16 "$faulty/slow/"
line "a slow answer can be cancelled" "Loading…"
type c
line "a cancelled request says so" "Cancelled. r tries again."
type r
line "and can be made again" "Loading…"
quit "q ends it while a request is in flight"
start 70 16 http://127.0.0.1:9/
line "a refused connection" "Nobody answers at http://127.0.0.1:9/. r tries again."
quit "q ends it after a refused connection"
start 70 16
line "without an address it shows what it came with" "8 entries; m loads more."
quit "q ends it"
start 70 16 nowhere
line "a bad argument is explained" "nowhere is not the address of a service"
line "and ends the program" "ended 2"
start 70 16
suspends "q quit"
"$program" --help | grep -q '^usage: History'
echo "ok: --help"
! TERM=dumb script -qec "'$program'" /dev/null >"$work/dumb" </dev/null
grep -q "needs a terminal to draw in" "$work/dumb" && ! grep -q $'\x1b' "$work/dumb"
echo "ok: TERM=dumb draws nothing"
echo "all screens are as expected"
