#!/usr/bin/env bash
# Lists across a wire: two processes with a bad network between them, and exported patches judged by a script.
# Concerns: Benchmarks/Sources/Follow Sources/AsyncKnot Sources/AsyncDiff Benchmarks/Follow
source "$(dirname "$0")/../../.ci/common.bash"

need python3
swift build "${benchmarks[@]}" --product Follow
program=$(swift build "${benchmarks[@]}" --show-bin-path)/Follow

"$program" export 6902 10000 | python3 Benchmarks/Follow/judge.py

python3 Benchmarks/Follow/proxy.py "$program" 100000 21
