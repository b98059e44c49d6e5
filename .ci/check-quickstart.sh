#!/usr/bin/env bash
# QuickStart draws its default state first, counts, and ends by itself.
set -euo pipefail
cd "$(dirname "$0")/.."
lines=$(swift run -q -c release QuickStart --ticks 3)
echo "$lines"
[[ $(head -n 1 <<<"$lines") == $'-\t-' ]]
[[ $(tail -n 1 <<<"$lines") == 2$'\t'* ]]
