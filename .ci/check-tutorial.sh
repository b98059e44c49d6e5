#!/usr/bin/env bash
# Builds what a newcomer would write: the package of the article "Your first node", and the package of the tutorial after each
# step. Both depend on this checkout and use its build folder.
# Concerns: Tutorials Sources/AsyncKnot Sources/AsyncOptical Sources/*Testing .ci/tutorial.py Tests/AppleStubs
source "$(dirname "$0")/common.bash"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# newcomer FOLDER: makes the package in FOLDER depend on this checkout, regardless of the name of the checkout's folder.
newcomer() { sed -i.bak "s|\"../AsyncKnot\"|\"$PWD\"|" "$1/Package.swift"; }

article=Sources/AsyncKnot/AsyncKnot.docc/FirstNode.md
mkdir -p "$work/First/Sources/First"
# fence OPENING: prints the article's first code block that starts with the line OPENING.
fence() { awk -v opening="$1" '$0 == opening && !copying {copying = 1; next} /^```/ && copying {exit} copying' "$article"; }
fence '```' >"$work/First/Package.swift"
fence '```swift' >"$work/First/Sources/First/main.swift"
newcomer "$work/First"
swift run --package-path "$work/First" "${shared[@]}" First | tee "$work/output"
diff <(tail -n 6 "$work/output") - <<'EXPECTED'
count: 0
count: 1
count: 3
count: 6
count: 10
done at 10
EXPECTED

swift build
python3 .ci/tutorial.py "$work"

# follow PACKAGE: runs the tests of the tutorial as they are after one of its steps.
follow() {
  newcomer "$work/$1"
  # SwiftPM identifies a package by the name of its folder.
  ln -sfn "$work/$1" "$work/SearchScreen"
  swift test --package-path "$work/SearchScreen" "${shared[@]}" >"$work/$1.log" 2>&1
}
if follow before; then echo 'the test of the naive search passed, but it must fail'; exit 1; fi
report=Tutorials/Tutorials.docc/Steps/02-report.txt
missing=$(sed 's/^ *//' "$report" | grep -vxFf <(sed 's/^ *//' "$work/before.log") || true)
[[ -z $missing ]] || { printf '%s\nis in %s, but not in this output:\n' "$missing" "$report"; cat "$work/before.log"; exit 1; }
if follow undecided; then echo 'the test of the search without a policy passed, but it must fail'; exit 1; fi
grep -q 'explore: seed' "$work/undecided.log"
follow late || { cat "$work/late.log"; exit 1; }
follow after || { cat "$work/after.log"; exit 1; }
grep 'Test run with' "$work/after.log"
