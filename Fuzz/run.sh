#!/bin/sh
# Builds the fuzzer with the address sanitizer and lets it run: Fuzz/run.sh [seconds]
# What it finds new goes to the corpus; a failure leaves the input that shows it.
set -e
cd "$(dirname "$0")"
swift build -Xswiftc -sanitize=fuzzer,address -Xswiftc -O -Xswiftc -use-ld=lld
exec .build/debug/DiffFuzz -max_len=96 -max_total_time="${1:-600}" -print_final_stats=1 Corpus
