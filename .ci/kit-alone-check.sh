#!/usr/bin/env bash
# A package that takes the product ExploreTesting alone compiles none of the state libraries, and its explorations pass.
# Concerns: Examples/KitAlone Package.swift Sources/ExploreSeam Sources/ExploreTesting*
source "$(dirname "$0")/common.bash"
build=(--package-path Examples/KitAlone --scratch-path .build/kit-alone)
swift test "${build[@]}"
bin=$(swift build "${build[@]}" --show-bin-path)
# The folders of other targets are there, and empty.
compiled=$(cd "$bin" && find . -path './*.build/*.o' | cut -d / -f 2 | sort -u | grep -v ^KitAlone)
wanted=$(printf '%s.build\n' ExploreSeam ExploreSeamThread ExploreTesting ExploreTestingRuntime Shop ShopTests)
[[ $compiled == "$wanted" ]] || { printf 'the kit alone compiles:\n%s\nand should:\n%s\n' "$compiled" "$wanted"; exit 1; }
