#!/usr/bin/env python3
"""Each Swift sample of the documents must stand in a test or an example, so that it cannot rot.

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
    *sorted(root.glob("Sources/AsyncKnot/*.docc/*.md")),
    *sorted(root.glob("Sources/AsyncOptical/*.docc/*.md")),
]
code = {
    path: path.read_text().splitlines()
    for folder in ("Tests", "Examples", ".ci/apple-stubs/Sources/Samples")
    for path in sorted((root / folder).rglob("*.swift"))
}


def samples(text):
    """Yields the line number and the text of each Swift block."""
    pattern = r"(<!-- not compiled: [^\n]* -->\n)?^([ \t]*)```swift\n(.*?)^[ \t]*```$"
    for match in re.finditer(pattern, text, re.M | re.S):
        if not match[1]:
            yield text.count("\n", 0, match.start(2)) + 1, match[3]


def is_compiled(paragraph):
    lines = textwrap.dedent(paragraph).splitlines()
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
    for line, sample in samples(document.read_text()):
        count += 1
        for paragraph in re.split(r"\n\s*\n", sample.strip("\n")):
            if not is_compiled(paragraph):
                where = f"{document.relative_to(root)}:{line}"
                failures.append(f"{where}: in no test and no example:\n{paragraph}\n")
print("\n".join(failures), end="")
print(f"{count} samples, {len(failures)} paragraphs that are not compiled")
sys.exit(1 if failures or not count else 0)
