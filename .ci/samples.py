#!/usr/bin/env python3
"""Extracts the Swift samples from the documents and compiles them, with their line numbers in the documents.

Usage: samples.py [PART…]    A part is a folder of Sources, or README for the documents outside Sources.

Without a part, it compiles all samples. Run `swift build` first, to compile the libraries. The section "Samples" of CONTRIBUTING.md
explains how to give a sample code that its reader does not see.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parent.parent
SAMPLE = re.compile(
    r"(?P<out><!-- not compiled: [^\n]*-->\s*)?^[ \t]*```swift\n(?P<shown>.*?)^[ \t]*```$"
    r"|<!-- sample:(?P<hidden>.*?)-->",
    re.M | re.S,
)
ATTRIBUTE = r"@\w+(?:\.\w+)*(?:\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))?\s+"
MODIFIER = r"(?:public|private|fileprivate|package|final|nonisolated|indirect|static)\s+"
DECLARATION = re.compile(rf"((?:{ATTRIBUTE}|{MODIFIER})*)(\w+)\s+([\w.]+)?")
TYPES = {"actor", "class", "struct", "enum", "protocol", "typealias"}
HARMLESS = re.compile(r".*warning: (.*#no-usage|will never be executed)")


def items(text):
    """Yields the declarations and statements at the outermost level, each with the number of its first line."""
    lines = text.split("\n")
    margin = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    start, code = 0, ""
    for number, line in enumerate(lines):
        head = line[margin:]
        if code and re.match(r"[^\s})\].#]", head) and not re.match(r"(else|catch|where)\b", head):
            if not re.fullmatch(rf"(?:{ATTRIBUTE})+", code):
                yield start, "\n".join(lines[start:number])
                start, code = number, ""
        code += re.sub(r"^\s*//.*", "", line) + ("\n" if line.strip() else "")
    if code.strip():
        yield start, "\n".join(lines[start:])


class Program:
    """The samples of one document, in order. A sample can use the declarations of earlier samples, and can redeclare a name."""

    def __init__(self, name):
        self.scopes = [(name, set(), [], [])]
        self.imports, self.extensions = [], []

    def add(self, code, where, inner=""):
        statements = []
        for line, text in items(code):
            if inner:
                text = text.replace("…", f"\n{inner}\n{where(line)}\n")
            item = f"{where(line)}\n{text}\n#sourceLocation()"
            found = DECLARATION.match(re.sub(r"^\s*(//.*)?\n", "", text, flags=re.M).lstrip())
            modifiers, keyword, name = found.groups() if found else ("", "", "")
            path, names, declarations, _ = self.scopes[-1]
            if keyword == "import":
                self.imports.append(item)
            elif keyword == "extension":
                self.extensions.append((name, item))
            elif keyword in TYPES:
                if name in names:
                    self.scopes.append((f"{path}.Again", {name}, [item], []))
                else:
                    names.add(name)
                    declarations.append(item)
            elif keyword == "func" and re.search(r"@Test|private|static", modifiers):
                declarations.append(item)
            else:
                statements.append(item)
        if statements:
            self.scopes[-1][3].append("\n".join(statements))

    def text(self, imports, known=""):
        """The text of the program. An actor that `known` declares keeps its name in `extension Work<…>`."""
        lines = [*imports, *self.imports]
        for name, item in self.extensions:
            home = lambda name: next(
                (f"{path}.{name}" for path, names, _, _ in reversed(self.scopes) if name.split(".")[0] in names), name)
            item = re.sub(
                r"(?<=extension Work<)\w+",
                lambda match: match[0] if f"actor {match[0]}:" in known else home(match[0]), item, count=1)
            item = re.sub(r"(?<=: )\w+(?= \{\})", lambda match: home(match[0]), item, count=1)
            lines.append(item.replace(name, home(name), 1))
        for path, _, declarations, statements in self.scopes:
            lines += [f"struct {path.rpartition('.')[2]} {{", *declarations]
            if statements:
                lines += ["@MainActor func program() async throws {", "\ndo {\n".join(statements)]
                lines.append("}" * len(statements))
        return "\n".join(lines + ["}" * len(self.scopes), ""])


def program(document):
    """The program with the samples of a document, and the number of samples."""
    short = document.relative_to(root)
    text = document.read_text()
    if document.suffix == ".swift":
        text = re.sub(
            r"^(\s*)(///)?(.*)$", lambda m: f"{m[1]}   {m[3]}" if m[2] else "", text, flags=re.M)
    result = Program("In_" + re.sub(r"\W", "_", str(short)))
    count, around, seen = 0, None, ""
    for match in SAMPLE.finditer(text):
        kind = "hidden" if match["shown"] is None else "shown"
        code, line = match[kind], text.count("\n", 0, match.start(kind)) + 1
        where = lambda offset, line=line: f'#sourceLocation(file: "{short}", line: {line + offset})'
        if match["out"]:
            continue
        if kind == "hidden":
            if "…" in code:
                around = code, where
            else:
                result.add(code, where)
            continue
        count += 1
        plain = "\n" + "\n".join(line.strip() for line in code.strip().split("\n")) + "\n"
        if around:
            result.add(*around, inner=f"{where(0)}\n{code}")
        elif plain not in seen:  # Otherwise the sample repeats a part of an earlier one.
            result.add(code, where)
        seen += plain
        around = None
    return result, count


def parts():
    """Yields each part's name and documents."""
    outside = [root / "README.md", *root.glob("Examples/**/README.md"), *root.glob("Design/*.md")]
    yield "README", sorted(outside)
    for folder in sorted(root.glob("Sources/*")):
        yield folder.name, sorted([*folder.glob("*.docc/**/*.md"), *folder.rglob("*.swift")])


def compile(part, documents, options, work):
    """The number of samples in a part, and the compiler's errors and warnings."""
    shared = root / ".ci/samples" / f"{part}.swift"
    imports = [f"import {part}"]
    files, count, known = [], 0, ""
    if shared.exists():
        known = shared.read_text()
        imports = re.findall(r"^(?:@\w+ )*import .*$", known, re.M)
        files = [shared]
    for document in documents:
        result, found = program(document)
        count += found
        if found:
            files.append(work / f"{part}-{len(files)}.swift")
            files[-1].write_text(result.text(imports, known))
    if not count:
        return 0, ""
    command = ["swiftc", "-emit-sil", "-o", os.devnull, "-wmo", "-parse-as-library", "-diagnostic-style", "llvm"]
    run = subprocess.run(
        [*command, *os.environ.get("SAMPLE_OPTIONS", "").split(), "-module-name", "Samples", *options, *files], cwd=root, capture_output=True, text=True)
    blocks = re.split(r"^(?=\S+:\d+:\d+: (?:error|warning))", run.stderr + run.stdout, flags=re.M)
    return count, "".join(block for block in blocks if not HARMLESS.match(block))


def main():
    wanted = sys.argv[1:]
    options = subprocess.run(
        [root / "Tests/AppleStubs/build"], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        jobs = [
            pool.submit(compile, part, documents, options, pathlib.Path(folder))
            for part, documents in parts() if not wanted or part in wanted
        ]
        results = [job.result() for job in jobs]
    count, said = sum(count for count, _ in results), "".join(said for _, said in results)
    print(said, end="")
    print(f"{count} samples, {said.count(' error: ')} errors")
    sys.exit(1 if said or not count else 0)


if __name__ == "__main__":
    main()
