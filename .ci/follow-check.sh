#!/usr/bin/env bash
# Lists across a wire: two processes with a bad network between them, and exported patches judged by a script.
# Concerns: Benchmarks/Sources/Follow Sources/AsyncKnot Sources/AsyncDiff .ci/follow-proxy.py .ci/patch-judge.py
source "$(dirname "$0")/common.bash"

need python3
swift build "${benchmarks[@]}" --product Follow
program=$(swift build "${benchmarks[@]}" --show-bin-path)/Follow

"$program" export 6902 10000 | python3 .ci/patch-judge.py

python3 .ci/follow-proxy.py "$program" 100000 21
