#!/usr/bin/env bash
# Lists across a wire: two processes with a bad network between them, and PyPI's jsonpatch as a judge of exported
# patches.
set -euo pipefail
cd "$(dirname "$0")/.."

command -v python3 >/dev/null || { apt-get update -qq && apt-get install -qqy python3 >/dev/null; }
python3 -c 'import ensurepip, venv' 2>/dev/null || {
  apt-get update -qq && apt-get install -qqy python3-venv >/dev/null
}
swift build -c release --package-path Tests/Follow
program=$(swift build -c release --package-path Tests/Follow --show-bin-path)/Follow

venv=Tests/Follow/.build/venv
[[ -x $venv/bin/python ]] || python3 -m venv "$venv"
"$venv/bin/pip" install -q --disable-pip-version-check jsonpatch==1.33
"$program" export 6902 10000 | "$venv/bin/python" .ci/patch-judge.py

python3 .ci/follow-proxy.py "$program" 100000 21
