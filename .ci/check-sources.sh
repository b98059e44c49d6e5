#!/usr/bin/env bash
# Checks which modules each library imports, that Swift files and the lines of documents are short, that there is no TODO, and
# that Sources contains no `fatalError()` without a message and no `@unchecked Sendable`.
set -euo pipefail
cd "$(dirname "$0")/.."

bad=$(grep -rhE '^ *(@[A-Za-z()_]+ +)*((public|package|internal|private|fileprivate) +)?import ' Sources \
  --include='*.swift' | sed -E 's/.*import +((struct|class|enum|protocol|func|var|let) +)?//; s/[. ].*//' |
  sort -u |
  grep -vxE 'Swift|Synchronization|Observation|Testing|_Concurrency|AsyncKnot|AsyncOptical|AsyncKnotRecorder|AsyncDiff|AsyncDiffTesting|AsyncKnotTesting|ExploreSeam|ExploreSeamThread|ExploreTesting|ExploreTestingRuntime|AsyncKnotThread|UIKit' || true)
[[ -z $bad ]] || { echo "libraries must not import these modules: $bad"; exit 1; }

bad=$(grep -rlE '^ *((public|internal) +)?import +UIKit' Sources --include='*.swift' | grep -v '^Sources/AsyncDiffUIKit/' || true)
[[ -z $bad ]] || { echo "only AsyncDiffUIKit may import UIKit, but these files import it: $bad"; exit 1; }

bad=$(grep -rlE '^ *(@[A-Za-z()_]+ +)*((public|package|internal) +)?import +Testing' \
  Sources/AsyncKnot Sources/AsyncOptical Sources/AsyncDiff || true)
[[ -z $bad ]] || { echo "only testing libraries may import Testing, but these files import it: $bad"; exit 1; }

git ls-files -z --cached --others --exclude-standard '*.swift' |
  xargs -0 wc -l | awk '$2 != "total" && $1 > 400 {print "this file has more than 400 lines:", $0; bad = 1} END {exit bad}'

if git grep -nE --untracked 'TODO|FIXME' -- ':!.ci' ':!Examples/*/Samples'; then
  echo 'the lines above contain a TODO or a FIXME'
  exit 1
fi
if git grep -nE --untracked 'fatalError\(\)|@unchecked Sendable' -- Sources; then
  echo 'the lines above contain a fatalError without a message, or an @unchecked Sendable'
  exit 1
fi

if git ls-files -z --cached --others --exclude-standard '*.md' ':!Documentation.md' | LC_ALL=C.UTF-8 xargs -0 grep -nE '^.{131}' |
  grep -vE '^[^:]+:[0-9]+: *\|'; then
  echo 'the lines above have more than 130 characters, which only tables may have'
  exit 1
fi
