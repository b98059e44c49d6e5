#!/usr/bin/env bash
# Builds the documentation of each library; a broken link or an unknown symbol is an error.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

swift package dump-symbol-graph --emit-extension-block-symbols | tee "$work/dump"
graphs=$(sed -n 's/^Files written to //p' "$work/dump")
docc=$(command -v docc || echo "$(dirname "$(realpath "$(command -v swift)")")/docc")

for catalog in Sources/*/*.docc; do
  module=$(basename "$catalog" .docc)
  mkdir -p "$work/$module"
  cp "$graphs/$module.symbols.json" "$work/$module"
  find "$graphs" -name "$module@*.symbols.json" -exec cp {} "$work/$module" \;
  echo "docc $module"
  "$docc" convert "$catalog" --fallback-display-name "$module" \
    --fallback-bundle-identifier "$module" --additional-symbol-graph-dir "$work/$module" \
    --output-dir "$work/$module.doccarchive" --warnings-as-errors
done

for page in Design/*.md; do
  page=$(basename "$page")
  [[ $page == README.md ]] || grep -qF "($page)" Design/README.md ||
    { echo "Design/README.md does not list $page"; exit 1; }
done
