#!/usr/bin/env bash
# The Swift samples of the documents are compiled: by the tests, and against stubs of Apple's frameworks.
set -euo pipefail
cd "$(dirname "$0")"
python3 samples.py
if [[ $(uname) == Linux ]]; then
  swift build --package-path apple-stubs 2>&1 | tee "${CI_LOGS:-/tmp}/samples"
  ! grep -E 'warning:' "${CI_LOGS:-/tmp}/samples"
fi
