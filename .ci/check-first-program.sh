#!/usr/bin/env bash
# A newcomer's package: the README's first program, built against this checkout and run.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir -p "$work/Sources/First"
ln -s "$PWD" "$work/AsyncKnot"
cat >"$work/Package.swift" <<'SWIFT'
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "First",
  platforms: [.macOS(.v15)],
  dependencies: [.package(path: "AsyncKnot")],
  targets: [
    .executableTarget(
      name: "First", dependencies: [.product(name: "AsyncKnot", package: "AsyncKnot")])
  ]
)
SWIFT
awk '/^## /{found = ($0 == "## A first program")}
  found && /^```swift/{copying = 1; next}
  copying && /^```/{exit}
  copying' README.md >"$work/Sources/First/main.swift"

swift run -q --package-path "$work" First | tee "$work/output"
diff "$work/output" - <<'EXPECTED'
count: 0
count: 1
count: 3
count: 6
count: 10
done at 10
EXPECTED
