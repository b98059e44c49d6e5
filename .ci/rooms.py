#!/usr/bin/env python3
"""Fails if the folders of a module depend on each other in a cycle, or if the drawing in Design/rooms.md is out of date.

Usage: rooms.py [write]      With `write`, it updates the drawing.

A folder depends on another folder if its files use a type or a free function that the other folder declares, or a member that
only an extension in the other folder declares. Names in comments and strings do not count.
"""
import collections
import difflib
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent

DECLARATION = re.compile(
    r"^(\s*)(?:@\w+(?:\([^)]*\))?\s+|(?:public|package|internal|private|fileprivate|final|indirect"
    r"|nonisolated|static|mutating|unsafe|convenience)\s+)*"
    r"(class|struct|enum|protocol|actor|typealias|func|extension|var)\s+`?([\w.]+)", re.M)


def code(path):
    text = path.read_text()
    text = re.sub(r'"""(?:.|\n)*?"""', '""', text)
    # The interpolations of a string are code.
    text = re.sub(r'"(?:\\.|[^"\\\n])*"', lambda it: " ".join(re.findall(r"\\\((.*?)\)", it.group(0))) + '""', text)
    text = re.sub(r"/\*(?:.|\n)*?\*/", "", text)
    return re.sub(r"//.*", "", text)


def declared(text):
    """The names that a file declares: types and free functions, members of extensions, and all members."""
    types, of_extensions, members = set(), set(), set()
    in_extension = False
    for match in DECLARATION.finditer(text):
        indent, kind, name = match.groups()
        depth = len(indent.replace("\n", "")) // 2
        if kind in ("func", "var") and depth > 0:
            members.add(name)
            if depth == 1 and in_extension and "private" not in match.group(0):
                of_extensions.add(name)
        elif depth == 0:
            in_extension = kind == "extension"
            if kind != "extension" and "private" not in match.group(0):
                types.add(name)
    return types, of_extensions, members


def rooms(module):
    files = {}
    for path in sorted(module.rglob("*.swift")):
        room = path.relative_to(module).parts[0] if path.parent != module else "(root)"
        files[path] = (room, code(path))
    types, extensions = collections.defaultdict(set), collections.defaultdict(set)
    members = collections.defaultdict(set)
    for room, text in files.values():
        for homes, names in zip((types, extensions, members), declared(text)):
            for name in names:
                homes[name].add(room)
    # A member counts only if no other folder has a member with the same name.
    known = {
        name: where for name, where in types.items()
        if name[0].isupper() or members[name] <= where}
    for name, where in extensions.items():
        if len(members[name] | types.get(name, set())) == 1:
            known["." + name] = where
    arrows = collections.defaultdict(dict)
    for path, (room, text) in files.items():
        names = set(re.findall(r"(?<![\w.])[A-Z]\w+|(?<![\w.])[a-z]\w+(?=\()", text))
        names |= {"." + name for name in re.findall(r"\.(\w+)\b", text)}
        for name in names:
            where = known.get(name, set())
            if len(where) == 1 and room not in where:
                (home,) = where
                arrows[room].setdefault(home, f"{path.name}: {name.lstrip('.')}")
    return arrows


def circle(arrows):
    done, way = set(), []

    def visit(room):
        if room in way:
            return way[way.index(room):] + [room]
        if room in done:
            return None
        way.append(room)
        for other in sorted(arrows.get(room, {})):
            found = visit(other)
            if found:
                return found
        done.add(way.pop())
        return None

    for room in sorted(arrows):
        found = visit(room)
        if found:
            return found
    return None


def below(room, arrows):
    """All folders that a folder depends on, directly or indirectly."""
    found, way = set(), [room]
    while way:
        for other in arrows.get(way.pop(), {}):
            if other not in found:
                found.add(other)
                way.append(other)
    return found


def drawn(module, arrows):
    """Yields a line for each folder, above the folders that it depends on. A dependency that follows from others is left out."""
    names = set(arrows) | {other for others in arrows.values() for other in others}
    width = max(map(len, names))
    yield module.name
    for room in sorted(names, key=lambda name: (-len(below(name, arrows)), name)):
        others = arrows.get(room, {})
        direct = [
            other for other in others
            if not any(other in below(between, arrows) for between in others)]
        yield f"  {room:<{width}} → {', '.join(sorted(direct))}" if direct else f"  {room}"


def main():
    if sys.argv[1:] not in ([], ["write"]):
        sys.exit(__doc__)
    failed, lines = False, []
    for module in sorted(path for path in (root / "Sources").iterdir() if path.is_dir()):
        arrows = rooms(module)
        if not arrows:
            continue
        found = circle(arrows)
        if found:
            failed = True
            print(f"{module.name}: the folders depend on each other in a cycle: {' → '.join(found)}")
            for here, there in zip(found, found[1:]):
                print(f"  {here} → {there}  because of {arrows[here][there]}")
        else:
            lines += drawn(module, arrows)
    page = root / "Design/rooms.md"
    old = page.read_text()
    new, count = re.subn(
        r"(?<=<!-- drawn -->\n```\n)[^`]*(?=```)", lambda _: "".join(line + "\n" for line in lines), old)
    if count != 1:
        sys.exit(f"Design/rooms.md: needs exactly one code block after <!-- drawn -->, but has {count}")
    if not failed and new != old:
        if sys.argv[1:]:
            page.write_text(new)
        else:
            failed = True
            changes = difflib.unified_diff(
                old.splitlines(), new.splitlines(), "Design/rooms.md", "Sources", "", "", 0, "")
            print("Design/rooms.md is out of date; run `.ci/rooms.py write`:", *changes, sep="\n")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
