#!/usr/bin/env bash
# Kills a program with an outbox two hundred times. Nothing may be lost, duplicated or reordered.
# Concerns: Examples/Courier Sources/AsyncOptical
source "$(dirname "$0")/../../.ci/common.bash"

need python3
swift build --product Courier
timeout 120 python3 Examples/Courier/check.py "$(swift build --show-bin-path)/Courier" 200
