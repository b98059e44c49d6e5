#!/usr/bin/env bash
# Libraries import only the standard library, files and lines are short, and there are no notes of unfinished work.
set -euo pipefail
cd "$(dirname "$0")/.."

bad=$(grep -rhE '^ *(@[A-Za-z()_]+ +)*((public|package|internal|private|fileprivate) +)?import ' Sources \
  --include='*.swift' | sed -E 's/.*import +((struct|class|enum|protocol|func|var|let) +)?//; s/[. ].*//' |
  sort -u |
  grep -vxE 'Swift|Synchronization|Observation|Testing|_Concurrency|AsyncKnot|AsyncOptical|AsyncKnotRecorder|AsyncDiff|AsyncDiffTesting|AsyncKnotTesting|ExploreSeam|ExploreSeamThread|ExploreTesting|ExploreTestingRuntime|AsyncKnotThread|UIKit' || true)
[[ -z $bad ]] || { echo "libraries must not import: $bad"; exit 1; }

bad=$(grep -rlE '^ *((public|internal) +)?import +UIKit' Sources --include='*.swift' | grep -v '^Sources/AsyncDiffUIKit/' || true)
[[ -z $bad ]] || { echo "only AsyncDiffUIKit imports UIKit: $bad"; exit 1; }

bad=$(grep -rlE '^ *(@[A-Za-z()_]+ +)*((public|package|internal) +)?import +Testing' \
  Sources/AsyncKnot Sources/AsyncOptical Sources/AsyncDiff || true)
[[ -z $bad ]] || { echo "only AsyncKnotTesting and AsyncDiffTesting import Testing: $bad"; exit 1; }

git ls-files -z --cached --others --exclude-standard '*.swift' |
  xargs -0 wc -l | awk '$2 != "total" && $1 > 400 {print "over 400 lines:", $0; bad = 1} END {exit bad}'

if git grep -nE --untracked 'TODO|FIXME' -- ':!.ci' ':!Examples/*/Samples'; then
  echo 'left to be done'
  exit 1
fi
if git grep -nE --untracked 'fatalError\(\)|@unchecked Sendable' -- Sources; then exit 1; fi

if git ls-files -z --cached --others --exclude-standard '*.md' ':!Documentation.md' | LC_ALL=C.UTF-8 xargs -0 grep -nE '^.{131}' |
  grep -vE '^[^:]+:[0-9]+: *\|'; then
  echo 'lines of documents that are longer than 130 characters; tables may be'
  exit 1
fi
