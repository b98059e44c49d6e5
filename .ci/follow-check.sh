#!/usr/bin/env bash
# Lists across a wire: two processes with a bad network between them, and PyPI's jsonpatch as a judge of exported
# patches.
source "$(dirname "$0")/common.bash"

need python3
need python3-venv python3 -c 'import ensurepip, venv'
swift build "${benchmarks[@]}" --product Follow
program=$(swift build "${benchmarks[@]}" --show-bin-path)/Follow

venv=.build/venv
[[ -x $venv/bin/python ]] || python3 -m venv "$venv"
"$venv/bin/pip" install -q --disable-pip-version-check jsonpatch==1.33
"$program" export 6902 10000 | "$venv/bin/python" .ci/patch-judge.py

python3 .ci/follow-proxy.py "$program" 100000 21
