#!/usr/bin/env bash
# Kills Courier two hundred times, and checks that its outbox does not lose, duplicate or reorder any item.
# Concerns: Examples/Courier Sources/AsyncOptical
source "$(dirname "$0")/../../.ci/common.bash"

need python3
swift build --product Courier
timeout 120 python3 Examples/Courier/check.py "$(swift build --show-bin-path)/Courier" 200
