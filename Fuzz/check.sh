#!/usr/bin/env bash
# Builds the fuzzer of the diff, plays what it has found so far, and new inputs for 20 seconds; then 5,000
# random inputs of each kind.
# Concerns: Fuzz Sources/AsyncDiff Sources/AsyncDiffTesting Tests/AsyncDiffTests
set -euo pipefail
cd "$(dirname "$0")/.."

if [[ $(uname) == Linux ]]; then
  Fuzz/run.sh 20 discard
  Fuzz/.build/release/DiffFuzz --random 5000
else
  echo "skipped: libFuzzer comes with the toolchain for Linux"
fi
