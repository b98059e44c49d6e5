#!/usr/bin/env bash
# Compiles AsyncDiffUIKit and its tests against stubs of UIKit, and runs the tests. The stubs perform batches by UIKit's rules.
# Concerns: Sources/AsyncDiffUIKit Sources/AsyncDiff Tests/AsyncDiffUIKitTests Tests/AppleStubs
source "$(dirname "$0")/common.bash"
[[ $(uname) == Linux ]] || { echo "skipped: the tests on stubs run only on Linux"; exit 0; }
swift build --build-tests
mapfile -t options < <(Tests/AppleStubs/build)
build=$(swift build --show-bin-path)
objects=(.build/on-stubs/{UIKit,AsyncDiffUIKit}.o)
for module in AsyncKnotThread ExploreSeamThread ExploreSeam AsyncKnot AsyncOptical AsyncDiff ExploreTestingRuntime \
  ExploreTesting AsyncKnotTesting AsyncDiffTesting TestSupport; do
  mapfile -t -O ${#objects[@]} objects < <(find "$build/$module.build" -name '*.o')
done
for feature in ExistentialAny InternalImportsByDefault MemberImportVisibility; do
  options+=(-enable-upcoming-feature "$feature")
done
main=$(mktemp -d)/main.swift
echo 'import Testing; await Testing.__swiftPMEntryPoint() as Never' >"$main"
# Cross-import overlays are disabled, because Linux does not have Testing's overlay for UIKit.
swiftc -o .build/on-stubs/tests -module-name AsyncDiffUIKitTests -DAPPLE_STUBS -warnings-as-errors \
  -Xfrontend -disable-cross-import-overlays -package-name "$(<.build/on-stubs/package-name)" "${options[@]}" \
  Tests/AsyncDiffUIKitTests/*.swift "$main" "${objects[@]}"
.ci/watched .build/on-stubs/tests --testing-library swift-testing
