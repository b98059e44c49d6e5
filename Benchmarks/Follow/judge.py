#!/usr/bin/env python3
"""Checks exported changes by the rules for messages in Design/patches.md.

Usage: Follow export SEED CHANGES | judge.py
"""
import collections
import json
import sys


def apply_stage(sections, stage):
    """Applies a stage by the rules in Design/patches.md."""
    old = list(sections)
    leaving = [(path, None) for path in stage.get("itemDeletes", [])]
    leaving += [(move["from"], move["to"]) for move in stage.get("itemMoves", [])]
    arriving = [(insert["at"], insert["value"]) for insert in stage.get("itemInserts", [])]
    for (section, item), target in sorted(leaving, key=lambda each: each[0], reverse=True):
        value = old[section]["items"].pop(item)
        if target is not None:
            arriving.append((target, value))
    coming = [(insert["at"], insert["value"]) for insert in stage.get("sectionInserts", [])]
    coming += [(move["to"], old[move["from"]]) for move in stage.get("sectionMoves", [])]
    gone = stage.get("sectionDeletes", []) + [move["from"] for move in stage.get("sectionMoves", [])]
    sections[:] = [section for offset, section in enumerate(old) if offset not in set(gone)]
    for place, section in sorted(coming, key=lambda each: each[0]):
        sections.insert(place, section)
    for (section, item), value in sorted(arriving, key=lambda each: each[0]):
        sections[section]["items"].insert(item, value)
    for update in stage.get("itemUpdates", []):
        section, item = update["at"]
        sections[section]["items"][item] = update["value"]
    for update in stage.get("sectionUpdates", []):
        sections[update["at"]]["content"] = update["value"]


shown = None
number = 0
operations = collections.Counter()
stages = collections.Counter()
for line in sys.stdin:
    change = json.loads(line)
    message = change["message"]
    if message["kind"] == "snapshot":
        shown = message["sections"]
        continue
    number += 1
    assert message["from"] == number - 1 and message["to"] == number
    for stage in message["stages"]:
        apply_stage(shown, stage)
        operations.update({kind: len(each) for kind, each in stage.items()})
    assert shown == change["after"], f"change {number}: the message leads to a different list"
    stages[len(message["stages"])] += 1
kinds = {f"{what}{how}" for what in ("section", "item") for how in ("Deletes", "Inserts", "Moves", "Updates")}
assert set(operations) == kinds, f"there were only these operations: {set(operations)}"
assert max(stages) > 1, "no change had several stages"
print(f"{number} changes, {sum(operations.values())} operations: all lead to the expected snapshots")
