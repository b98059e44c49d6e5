#!/usr/bin/env bash
# A newcomer's package: manifest and program of the article "Your first node", built against this checkout and run.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir -p "$work/First/Sources/First"
ln -s "$PWD" "$work/AsyncKnot"
awk '/^```$/ && !copying {copying = 1; next}
  /^```/ {exit}
  copying' Sources/AsyncKnot/AsyncKnot.docc/FirstNode.md >"$work/First/Package.swift"
awk '/^```swift/ && !copying && !done {copying = done = 1; next}
  copying && /^```/{exit}
  copying' Sources/AsyncKnot/AsyncKnot.docc/FirstNode.md >"$work/First/Sources/First/main.swift"

swift run -q --package-path "$work/First" First | tee "$work/output"
diff "$work/output" - <<'EXPECTED'
count: 0
count: 1
count: 3
count: 6
count: 10
done at 10
EXPECTED
