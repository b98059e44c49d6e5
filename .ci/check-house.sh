#!/usr/bin/env bash
# Checks rules that the compiler does not know: no dependency cycles between folders, an up-to-date drawing of the folders, each
# contract in one catalogue, a topic for each public type, an index of articles and types without broken links, and planted faults
# that still fit the code.
set -euo pipefail
cd "$(dirname "$0")/.."
status=0
for rule in rooms contracts topics articles; do python3 .ci/$rule.py || status=1; done
stale=$(python3 .ci/mutants --list | grep '^no longer fits' || true)
[[ -z $stale ]] || { printf '.ci/mutants.txt:\n%s\n' "$stale"; status=1; }
exit $status
