#!/usr/bin/env bash
# Checks that the compiler refuses each file in .ci/refused with the message on the file's first line. The compiler checks
# `sending` after it has checked types, so the script compiles the files to SIL. The output is not /dev/null, because an
# interrupted compiler deletes its output.
# Concerns: .ci/refused Sources/AsyncKnot Sources/AsyncOptical
set -euo pipefail
cd "$(dirname "$0")/.."
swift build --target AsyncOptical
products=$(swift build --show-bin-path)
options=(-parse-as-library -swift-version 6 -I "$products/Modules")
for map in AsyncKnotThread ExploreSeamThread; do
  options+=(-Xcc "-fmodule-map-file=$products/$map.build/module.modulemap")
done

problems=0 count=0
for file in .ci/refused/*.swift; do
  words=$(sed -n '1s,^// refused: ,,p' "$file")
  [[ -n $words ]] || { echo "$file: the first line must be '// refused: MESSAGE'"; exit 1; }
  count=$((count + 1))
  if said=$(swiftc -emit-sil -o .build/refused.sil "${options[@]}" "$file" 2>&1); then
    echo "$file: the compiler accepts this file, but should refuse it: $words"
    problems=$((problems + 1))
  elif ! grep -F "$words" <<<"$said" | grep -q ' error: '; then
    printf '%s: the compiler refuses this file, but not with this message: %s\n%s\n' "$file" "$words" "$said"
    problems=$((problems + 1))
  fi
done
echo "$count programs that must not compile, $problems problems"
((count > 0 && problems == 0))
