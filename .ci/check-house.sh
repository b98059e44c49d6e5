#!/usr/bin/env bash
# The house rules that a compiler does not know: rooms with one-way doors, one catalogue of contracts,
# a topic for each public type.
set -euo pipefail
cd "$(dirname "$0")/.."
python3 .ci/rooms.py Sources/AsyncKnot Sources/AsyncOptical Sources/AsyncDiff Sources/AsyncDiffUIKit Sources/ExploreTesting \
  Sources/AsyncKnotTesting
python3 .ci/contracts.py
python3 .ci/topics.py
