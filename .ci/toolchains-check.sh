#!/usr/bin/env bash
# Checks that the kit finds the bugs of `.ci/toolchains`, and passes the correct code there, however the tests are built: with a
# sanitizer, with Swift Build, optimized, or with the code under test in a dynamic library. With Swift Build and in the optimized
# build, the kit need not find the lost count. Two copies of the kit in one process must both find the bug of the shop. If the
# program has its own clocks, which the kit cannot replace, the kit must say so.
# Concerns: Package.swift Sources/ExploreSeam* Sources/ExploreTesting*
source "$(dirname "$0")/common.bash"

# look NAME OPTION…: builds and runs the tests, and checks that the output contains each line of the standard input.
look() {
  local name=$1 log
  shift
  log=$(mktemp)
  echo "==> $name"
  SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0 \
    swift test --package-path .ci/toolchains --scratch-path ".build/toolchains-$name" "$@" >"$log" 2>&1 || true
  local line
  while read -r line; do
    grep -qF -- "$line" "$log" || { tail -n 100 "$log"; echo "not ok: $name does not print: $line"; exit 1; }
  done
  if grep -E 'Sanitizer: (data race|heap)|\.swift:[0-9:]+ warning: ' "$log"; then exit 1; fi
  rm -f "$log"
}

bugs='Test ticketIsSoldTwice() recorded an issue
Test countIsLost() recorded an issue
Test entryIsGoneAfterElevenSeconds() recorded an issue
it is 11.0 s
in the middle of
Test entryIsThereAfterNineSeconds() passed
Test seedsDrawTheSameNumbers() passed'
sold='Test ticketIsSoldTwice() recorded an issue
Test entryIsGoneAfterElevenSeconds() recorded an issue
Test entryIsThereAfterNineSeconds() passed
Test seedsDrawTheSameNumbers() passed'

look thread --sanitize thread <<<"$bugs"
look address --sanitize address <<<"$bugs"
look release -c release -Xswiftc -enable-testing <<<"$sold"
DYNAMIC=1 look dynamic <<<"$bugs"
look swiftbuild --build-system swiftbuild <<<"$sold"
TWO_KITS=1 look two-kits <<<'Test bothFindTheBug() passed'
REAL_CLOCKS=1 look clocks <<<'Test entryIsGoneAfterElevenSeconds() recorded an issue
no run failed, but that proves nothing
ContinuousClock and SuspendingClock show real time'
