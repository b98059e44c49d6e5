#!/usr/bin/env bash
# Runs tests with optimized libraries, because the optimizer has broken code that was correct in debug builds.
# Usage: .ci/release-check.sh [TEST TARGET…]    Without a target, it runs all tests of the libraries.
# Concerns: Package.swift Sources Tests
source "$(dirname "$0")/common.bash"
(($#)) || set -- AsyncDiffTests AsyncDiffUIKitTests AsyncKnotTests AsyncKnotMainActorTests AsyncKnotTestingTests \
  AsyncKnotRecorderTests AsyncOpticalTests ExploreTestingTests ExploreWorldTests ZooTests
export ONLY_TESTS=$(IFS=,; echo "$*")
build "${release[@]}" --build-tests
watched swift test --skip-build "${release[@]}"
