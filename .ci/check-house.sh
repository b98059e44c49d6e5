#!/usr/bin/env bash
# Checks the rules that a compiler does not know: no cycles among folders, a current drawing of them, one catalogue of contracts,
# a topic for each public type, an index of articles and types without broken links, and planted faults that fit the code.
set -euo pipefail
cd "$(dirname "$0")/.."
status=0
for rule in rooms contracts topics articles; do python3 .ci/$rule.py || status=1; done
stale=$(python3 .ci/mutants --list | grep '^no longer fits' || true)
[[ -z $stale ]] || { printf '.ci/mutants.txt:\n%s\n' "$stale"; status=1; }
exit $status
