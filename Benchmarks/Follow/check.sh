#!/usr/bin/env bash
# Checks lists that are sent between processes: a script applies exported patches, and a follower must survive a bad network.
# Concerns: Benchmarks/Sources/Follow Sources/AsyncKnot Sources/AsyncDiff Benchmarks/Follow
source "$(dirname "$0")/../../.ci/common.bash"

need python3
swift build "${benchmarks[@]}" --product Follow
program=$(swift build "${benchmarks[@]}" --show-bin-path)/Follow

"$program" export 6902 10000 | python3 Benchmarks/Follow/judge.py

python3 Benchmarks/Follow/proxy.py "$program" 100000 21
