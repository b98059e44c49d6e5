#!/usr/bin/env bash
# Compiles the Swift samples of the documents. Samples that use Apple's frameworks are compiled against stubs.
# Usage: check-samples.sh [PART…]    A part is a folder of Sources, or README.
# Concerns: README.md Sources .ci/samples .ci/samples.py Tests/AppleStubs
source "$(dirname "$0")/common.bash"
swift build
python3 .ci/samples.py "$@"
# Compiles the samples again, with the settings of a new package in Swift 6.4 or of an app.
SAMPLE_OPTIONS="-enable-upcoming-feature NonisolatedNonsendingByDefault -enable-upcoming-feature InferIsolatedConformances \
  -default-isolation MainActor" python3 .ci/samples.py "$@"
