#!/bin/sh
# Builds the fuzzer with the address sanitizer, and runs it for 600 seconds: Fuzz/run.sh [seconds] [discard]
# It starts with the inputs in corpus.hex, one per line. At the end, it replaces these inputs with a small set of inputs that
# reach the same code, unless the second argument is `discard`. A failure ends the fuzzer, which saves the input.
set -e
cd "$(dirname "$0")"
swift build -c release -Xswiftc -sanitize=fuzzer,address -Xswiftc -use-ld=lld
fuzzer=.build/release/DiffFuzz
rm -rf .build/corpus .build/fewest
mkdir -p .build/corpus .build/fewest
number=0
while read -r line; do
  number=$((number + 1))
  printf '%s' "$line" | xxd -r -p > ".build/corpus/$number"
done < corpus.hex
$fuzzer -max_len=96 -max_total_time="${1:-600}" -print_final_stats=1 .build/corpus
[ "${2:-}" != discard ] || exit 0
$fuzzer -set_cover_merge=1 .build/fewest .build/corpus
for input in .build/fewest/*; do xxd -p "$input" | tr -d '\n'; echo; done | sort > corpus.hex
