#!/usr/bin/env python3
"""Checks that each public type and function at the top level of a file is in a Topics list on its module's page.

DocC lists all others in alphabetical order at the end of the page, where readers do not find them.
"""
import pathlib
import re
import sys

DECLARATION = re.compile(
    r"^(?:@\w+(?:\([^)]*\))? +)*public (?:(?:final|nonisolated|indirect) )*"
    r"(?:class|struct|enum|protocol|actor|typealias|func) (\w+)",
    re.M,
)
MEMBER = re.compile(
    r"^ +(?:@\w+(?:\([^)]*\))? +)*(?:nonisolated(?:\(nonsending\))? )*public "
    r"(?:(?:static|nonisolated(?:\(nonsending\))?|mutating|isolated|final) )*func (\w+)"
)
OWNER = re.compile(r"^(?:@\w+(?:\([^)]*\))? +)*(?:(?:public|package|nonisolated|final|indirect) )*(?:extension|class|struct|enum|protocol|actor) (\w+)")
WITNESSES = {"encode", "hash", "makeAsyncIterator", "makeIterator", "next", "provideScope"}
TOPIC = re.compile(r"^- ``(\w+)", re.M)

root = pathlib.Path(__file__).resolve().parent.parent


def code(source):
    """The text of a file. If a condition encloses the whole file, without the indentation that it causes."""
    text = source.read_text()
    return re.sub("^  ", "", text, flags=re.M) if text.startswith("#if") else text


def declarations(module):
    """Yields the public names at the top level of a module's files, each with its file."""
    for source in sorted(module.rglob("*.swift")):
        for name in DECLARATION.findall(code(source)):
            yield name, source


def methods(module):
    """The public methods of a module by type, each with its file, without those that the standard library's protocols require."""
    found = {}
    for source in sorted(module.rglob("*.swift")):
        owner = ""
        for line in code(source).split("\n"):
            if match := OWNER.match(line):
                owner = match[1]
            elif owner and (match := MEMBER.match(line)) and match[1] not in WITNESSES:
                found.setdefault(owner, {}).setdefault(match[1], source)
    return {owner: dict(sorted(found[owner].items())) for owner in sorted(found)}


def main():
    count, missing = 0, []
    for page in sorted(root.glob("Sources/*/*.docc")):
        page /= f"{page.stem}.md"
        topics = set(TOPIC.findall(page.read_text().partition("\n## Topics\n")[2]))
        for name, source in declarations(page.parent.parent):
            count += 1
            if name not in topics:
                missing.append(f"{page.relative_to(root)}: no topic names {name} ({source.name})")
    print("\n".join(missing) or f"{count} public declarations, each in a topic")
    sys.exit(1 if missing or not count else 0)


if __name__ == "__main__":
    main()
