#!/usr/bin/env bash
# Compiles the Swift samples of the documents, against stubs of Apple's frameworks where they need those.
# Usage: check-samples.sh [PART…]    A part is a folder of Sources, or README. It builds the libraries first.
# Concerns: README.md Sources .ci/samples .ci/samples.py .ci/apple-stubs
set -euo pipefail
cd "$(dirname "$0")/.."
for module in Sources/*/; do swift build --target "$(basename "$module")"; done
python3 .ci/samples.py "$(swift build --show-bin-path)" "$@"
