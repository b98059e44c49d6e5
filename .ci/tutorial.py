#!/usr/bin/env python3
"""Follows the tutorial step by step, as a reader does, and compiles the package after each one.

Usage: tutorial.py FOLDER    It writes four packages to FOLDER: `before`, with the bug; `undecided`, where requests have no policy
yet; `late`, where a response does not contain its query; and `after`, the result. Run `swift build` first, to compile the libraries.
"""
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent
catalog = root / "Tutorials/Tutorials.docc"
folder = pathlib.Path(sys.argv[1])
PACKAGES = {
    "02-SearchTests-3.swift": "before", "03-SearchTests-1.swift": "undecided", "03-SearchTests-2.swift": "late",
    "04-SearchTests.swift": "after"}
# A `@Comment` before a step marks a step that compiles only together with a later one.
STEP = re.compile(r'(@Comment \{ compiles with a later step \}\s+)?@Code\(name: "([^"]+)", file: "([^"]+)"\)')
# FOLDER comes first, because the build folder may contain the modules of an earlier step.
MODULES = ["-I", folder, *subprocess.run(
    [root / "Tests/AppleStubs/build"], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()]


def place(name):
    """The path at which the reader saves a file; None if the file is not part of the package."""
    if name == "Package.swift":
        return name
    if name.endswith("Tests.swift"):
        return f"Tests/SearchScreenTests/{name}"
    return f"Sources/SearchScreen/{name}" if name.endswith(".swift") else None


def write(package, files):
    for path, source in files.items():
        (package / path).parent.mkdir(parents=True, exist_ok=True)
        (package / path).write_text(source.read_text())


def compiled(files, module, options):
    if not files:
        return ""
    command = [
        "swiftc", "-wmo", "-parse-as-library", "-module-name", module,
        "-emit-sil", "-o", ".build/tutorial.sil", *options, *MODULES, *files]
    run = subprocess.run(command, capture_output=True, text=True)
    return run.stdout + run.stderr


def main():
    contents = (catalog / "Tutorials/SearchScreen.tutorial").read_text()
    tutorials = re.findall(r'tutorial: "doc:(\w+)"', contents)
    files, count, used, problems = {}, 0, set(), 0
    for tutorial in tutorials:
        text = (catalog / f"Tutorials/{tutorial}.tutorial").read_text()
        for waits, name, step in STEP.findall(text):
            used.add(step)
            path = place(name)
            if path is None:
                continue
            files[path] = catalog / "Steps" / step
            if waits or path == "Package.swift":
                continue
            count += 1
            sources = [file for path, file in files.items() if path.startswith("Sources")]
            tests = [file for path, file in files.items() if path.startswith("Tests")]
            module = folder / "SearchScreen.swiftmodule"
            said = compiled(sources, "SearchScreen", ["-enable-testing", "-emit-module-path", module])
            said += compiled(tests, "SearchScreenTests", [])
            if said:
                problems += 1
                print(f"{tutorial}, after {step}:\n{said}")
            if step in PACKAGES:
                write(folder / PACKAGES[step], files)
    for step in sorted(catalog.glob("Steps/*")):
        if step.name not in used:
            problems += 1
            print(f"{step.relative_to(root)}: no step of the tutorial shows this file")
    print(f"{count} steps of {len(tutorials)} tutorials, {problems} problems")
    sys.exit(1 if problems or not count else 0)


main()
