#!/usr/bin/env bash
# Builds the benchmarks without warnings, checks the memory of an idle observer, and checks lists that are sent between processes:
# a script applies exported patches, and a follower must survive a bad network.
# Concerns: Package.swift Sources Benchmarks
source "$(dirname "$0")/../.ci/common.bash"

need python3
benchmarks=("${release[@]}" --package-path Benchmarks --disable-build-manifest-caching)
build "${benchmarks[@]}"
programs=$(swift build "${benchmarks[@]}" --show-bin-path)

# An idle observer may add at most 250 bytes to its task. If the task needs a second chunk of memory for its stack, the observer
# adds a kilobyte.
"$programs/StateBenchmarks" memory | tee /dev/stderr |
  awk -F'|' '$2 ~ /^ states/ {gsub(",", "", $4); bytes = $4 + 0} END {exit !(bytes > 0 && bytes <= 250)}'

"$programs/Follow" export 6902 10000 | python3 Benchmarks/Follow/judge.py
python3 Benchmarks/Follow/proxy.py "$programs/Follow" 100000 21
