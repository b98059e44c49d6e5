#!/usr/bin/env bash
# Runs tests of concurrent code with optimized libraries and ThreadSanitizer. It skips tests of plain values, and explorations,
# because an exploration runs one job at a time. The fuzzer tests the unsafe code of the lists with AddressSanitizer.
# Usage: .ci/thread-check.sh [TEST TARGET…]    Without a target, it runs AsyncKnotTests, AsyncOpticalTests and AsyncDiffTests.
# Concerns: Package.swift Sources/Async* Tests/Async* .ci/tsan-*
source "$(dirname "$0")/common.bash"
(($#)) || set -- AsyncKnotTests AsyncOpticalTests AsyncDiffTests
export ONLY_TESTS=$(IFS=,; echo "$*")
shim='' options=(-c release --sanitize thread --scratch-path .build/thread -Xswiftc -enable-testing -Xswiftc -gline-tables-only)
if [[ $(uname) == Linux ]]; then
  shim=$PWD/.build/tsan-mutex.so
  mkdir -p .build
  "$(dirname "$(realpath "$(command -v swift)")")/clang" -shared -fPIC -O2 -o "$shim" .ci/tsan-mutex.c -ldl
fi
# The product has only these test targets and the libraries that they use.
build --product AsyncKnotPackageTests "${options[@]}"
timeout 900 env TSAN_OPTIONS="suppressions=$PWD/.ci/tsan-suppressions.txt" LD_PRELOAD="$shim" \
  swift test --skip-build "${options[@]}" --no-parallel --filter '^(AsyncKnot|AsyncOptical)Tests' \
  --filter '^AsyncDiffTests.*(Apply|Patch|Mirror)' --skip Explored --skip LateCommit --skip Interleaving \
  --skip 'PendingStormTests.(storm|abandoned)' --skip PendingTests.withdrawnTogether \
  --skip 'Lanes|SlotTable|ChangeLog|Deadlines|PatchCost|SnapshotMirror|MalformedPatch|ObservedOracle' \
  --skip 'Pairs|DeadlockTests.storm|OnDisk|OutboxWorld|EndsAsTheServerTests.(endsAsTheServer|requestsAsValues|everyOrder)'
