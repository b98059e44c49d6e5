#!/usr/bin/env bash
# Builds the documentation; a broken link or an unknown symbol is an error. Also checks that Design/README.md lists each page of
# Design.
# Concerns: Sources Design Tutorials Scripts
source "$(dirname "$0")/common.bash"
Scripts/docs
for page in .build/docs/documentation/{asyncknot,asyncoptical,asyncdiff,asyncdiffuikit,exploreseam,exploretesting,exploreworld,asyncknottesting,asyncdifftesting}/index.html \
  .build/docs/tutorials/searchscreen/index.html; do
  [[ -f $page ]] || { echo "$page is missing"; exit 1; }
done

for page in Design/*.md; do
  page=$(basename "$page")
  [[ $page == README.md ]] || grep -qF "($page)" Design/README.md ||
    { echo "Design/README.md does not list $page"; exit 1; }
done
