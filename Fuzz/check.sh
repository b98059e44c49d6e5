#!/usr/bin/env bash
# Builds the fuzzer of AsyncDiff, runs it with the inputs of corpus.hex and new inputs for 10 seconds, and then with 2,000 random
# inputs of each kind and 2,000 states of derived lists.
# Concerns: Fuzz Sources/AsyncDiff Sources/AsyncDiffTesting Tests/AsyncDiffTests
set -euo pipefail
cd "$(dirname "$0")/.."

if [[ $(uname) == Linux ]]; then
  Fuzz/run.sh 10 discard
  Fuzz/.build/release/DiffFuzz --random 2000
else
  echo "skipped: only the toolchain for Linux contains libFuzzer"
fi
