#!/usr/bin/env python3
"""Compares the contract numbers that tests cite with the catalogues of contracts, the articles Contracts.md of the modules.

A contract in a catalogue is `| S1 | promise | …` or `- **S1** promise`. Every number in the name of a test or a suite must be in
exactly one catalogue, and every contract must be cited by a test.
"""
import collections
import pathlib
import re
import sys

ROW = re.compile(r"^(?:\| *|- \*\*)((?:OR|VR|[SEMFOVDXKA])\d+)\b(.*)", re.M)
NUMBER = re.compile(r"\b(?:OR|VR|[SEMFOVDXKA])\d+\b")
NAME = re.compile(r'@(?:Test|Suite)\(\s*"((?:[^"\\]|\\.)*)"')

root = pathlib.Path(__file__).resolve().parent.parent
catalogued = collections.defaultdict(list)
for article in sorted(root.glob("Sources/*/*.docc/Contracts.md")):
    for number, _ in ROW.findall(article.read_text()):
        catalogued[number].append(article.relative_to(root))

cited = collections.defaultdict(list)
for test in sorted([*root.glob("Tests/**/*.swift"), *root.glob("Examples/*/Tests/**/*.swift")]):
    for name in NAME.findall(test.read_text()):
        for number in NUMBER.findall(name):
            cited[number].append(f"{test.relative_to(root)}: {name}")

problems = []
for number, articles in sorted(catalogued.items()):
    if len(articles) > 1:
        problems.append(f"{number} occurs {len(articles)} times: {', '.join(map(str, articles))}")
    if number not in cited:
        problems.append(f"{number} is promised in {articles[0]}, but no test cites it")
for number, tests in sorted(cited.items()):
    if number not in catalogued:
        problems.append(f"{number} is cited by {tests[0]}, but is in no catalogue")

print("\n".join(problems) or f"{len(catalogued)} contracts, each in one catalogue and cited by a test")
sys.exit(1 if problems else 0)
