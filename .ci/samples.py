#!/usr/bin/env python3
"""Each Swift sample of the documents and of the documentation comments must stand in a test or an example,
so that it cannot rot.

Samples that import SwiftUI or UIKit stand in .ci/apple-stubs. A sample is checked paragraph by paragraph,
whatever its indentation. Code of the libraries that this package rebuilds is shown, not compiled, and says
so in a comment before it: <!-- not compiled: Knot -->
"""
import pathlib
import re
import sys
import textwrap

root = pathlib.Path(__file__).resolve().parent.parent
documents = [
    root / "README.md",
    *sorted(root.glob("Sources/*/*.docc/*.md")),
    *sorted(root.glob("Sources/*/**/*.swift")),
]
COMMENT = re.compile(r"(?<=\S) +//")  # samples line up the comments behind their code
code = {
    path: COMMENT.sub("  //", path.read_text()).splitlines()
    for folder in ("Tests", "Examples", ".ci/apple-stubs/Sources/Samples")
    for path in sorted((root / folder).rglob("*.swift"))
}


def comments(source):
    """The documentation comments of a source file as text, on the same lines."""
    marks = (re.match(r"\s*/// ?(.*)", line) for line in source.splitlines())
    return "\n".join(mark[1] if mark else "" for mark in marks)


def samples(text):
    """Yields the line number and the text of each Swift block."""
    pattern = r"(<!-- not compiled: [^\n]* -->\n)?^([ \t]*)```swift\n(.*?)^[ \t]*```$"
    for match in re.finditer(pattern, text, re.M | re.S):
        if not match[1]:
            yield text.count("\n", 0, match.start(2)) + 1, match[3]


def is_compiled(paragraph):
    lines = textwrap.dedent(COMMENT.sub("  //", paragraph)).splitlines()
    first = lines[0].strip()
    for source in code.values():
        for index, line in enumerate(source):
            if line.strip() == first:
                window = "\n".join(source[index : index + len(lines)])
                if textwrap.dedent(window).splitlines() == lines:
                    return True
    return False


count = 0
failures = []
for document in documents:
    text = document.read_text()
    for number, line in enumerate(text.splitlines(), 1):
        if document.suffix == ".md" and "```" in line and not line.lstrip().startswith("```"):
            failures.append(f"{document.relative_to(root)}:{number}: a fence begins its line\n")
    for line, sample in samples(comments(text) if document.suffix == ".swift" else text):
        count += 1
        for paragraph in re.split(r"\n\s*\n", sample.strip("\n")):
            if not is_compiled(paragraph):
                where = f"{document.relative_to(root)}:{line}"
                failures.append(f"{where}: in no test and no example:\n{paragraph}\n")
print("\n".join(failures), end="")
print(f"{count} samples, {len(failures)} failures")
sys.exit(1 if failures or not count else 0)
