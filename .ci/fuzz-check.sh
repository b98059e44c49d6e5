#!/usr/bin/env bash
# Builds the fuzzer of the diff, and plays what it has found so far, and new inputs for 20 seconds.
set -euo pipefail
cd "$(dirname "$0")/.."

if [[ $(uname) == Linux ]]; then
  Fuzz/run.sh 20 discard
else
  echo "skipped: libFuzzer comes with the toolchain for Linux"
fi
