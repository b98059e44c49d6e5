#!/usr/bin/env bash
# Compiles the Swift samples of the documents, against stubs of Apple's frameworks where they need those.
# Usage: check-samples.sh [PART…]    A part is a folder of Sources, or README.
# Concerns: README.md Sources .ci/samples .ci/samples.py Tests/AppleStubs
source "$(dirname "$0")/common.bash"
swift build
python3 .ci/samples.py "$@"
# Compiles them again with the settings of a new package of Swift 6.4, or of an app.
SAMPLE_OPTIONS="-enable-upcoming-feature NonisolatedNonsendingByDefault -enable-upcoming-feature InferIsolatedConformances \
  -default-isolation MainActor" python3 .ci/samples.py "$@"
