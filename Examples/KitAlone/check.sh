#!/usr/bin/env bash
# Checks that the explorations pass, and that a package with only the product ExploreTesting compiles none of the state libraries.
# Concerns: Examples/KitAlone Package.swift Sources/ExploreSeam Sources/ExploreTesting*
source "$(dirname "$0")/../../.ci/common.bash"
beside Examples/KitAlone
swift package describe --type json | python3 -c '
import json, sys
package = json.load(sys.stdin)
needs = {target["name"]: target.get("target_dependencies", []) for target in package["targets"]}
found, left = set(), next(product["targets"] for product in package["products"] if product["name"] == "ExploreTesting")
while left:
    found.add(name := left.pop())
    left += set(needs[name]) - found
wanted = {"ExploreSeam", "ExploreSeamThread", "ExploreTesting", "ExploreTestingRuntime"}
sys.exit(found != wanted and f"the product ExploreTesting compiles {sorted(found)}, not {sorted(wanted)}")'
