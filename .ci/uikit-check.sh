#!/usr/bin/env bash
# Compiles the lists of UIKit against stubs, and runs them there: the stubs carry batches out by UIKit's rules.
source "$(dirname "$0")/common.bash"
export APPLE_STUBS=1 ONLY_TESTS=AsyncDiffUIKitTests
# Where UIKit's stub is found, other builds must not look.
options=(--scratch-path .build/apple-stubs)
swift build --build-tests "${options[@]}" 2>&1 | tee .build/apple-stubs.log
! grep -E 'Sources/.*warning:' .build/apple-stubs.log
.ci/watched swift test --skip-build "${options[@]}" --filter UIKit
