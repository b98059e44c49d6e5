#!/usr/bin/env python3
"""Writes Documentation.md, an index of all articles, types and functions for readers on a code host, and checks the links of all documents.

Usage: articles.py [write]    Without `write`, it only prints what is out of date or broken.

DocC resolves `doc:Name` and ``Symbol``, but a code host does not. So the text of a link to an article is the article's title, as in
`[Read a failure](doc:ReadingAFailure)`. A link to a heading can have any text, because its readers use the site or
Documentation.md, which contains the questions. Documentation.md lists each article with the articles that it links to, and each
type, function or method with the file that declares it. Lists of topics use `<doc:Name>`, because DocC requires it. A link to an article in
another module looks like `[Your first list](doc:/documentation/AsyncDiff/FirstList)`. Each module must link to another module.

Documents that DocC does not read link to files. Each file and each heading that a link names must exist. A figure in the README's
table must also be in Benchmarks/README.md, which says how to measure it. A drawing must fit on a phone.
"""
import re
import subprocess
import sys

from topics import declarations, methods, root

INLINE = re.compile(r"^(?!- <doc:\w+>$)(?:.*[^`\n])?<doc:(?P<bare>[\w/]+)>|\[(?P<words>[^\]]+)\]\(doc:(?P<named>[\w/]+)(?:#(?P<heading>[\w-]+))?\)", re.M)
MODULES = ["AsyncKnot", "AsyncOptical", "AsyncKnotRecorder", "AsyncDiff", "AsyncDiffUIKit", "ExploreSeam", "ExploreTesting", "ExploreWorld", "AsyncKnotTesting", "AsyncDiffTesting"]


def head(article):
    """The title of an article, and its abstract."""
    title, _, rest = article.read_text().partition("\n")
    abstract = rest.strip().split("\n\n")[0].replace("\n", " ")
    return title.removeprefix("# ").strip("`"), re.sub(r"``([^`]+)``", r"`\1`", abstract)


def link(article):
    return f"[{head(article)[0]}]({article.relative_to(root)})"


def row(article):
    """The index row of an article, with the articles that it links to."""
    found = {file(article.parent, name): None for name in re.findall(r"doc:([\w/]+)", article.read_text())}
    others = ", ".join(link(other) for other in found if other.exists() and other != article)
    # A module's page and the page of questions link to so many articles that the index would repeat itself.
    return f"| {link(article)} | {head(article)[1]} | {others if article.stem not in (article.parent.stem, 'Questions') else ''} |"


def file(catalog, name):
    """The file of an article that a `doc:` link in a catalog names."""
    if not name.startswith("/"):
        return catalog / f"{name}.md"
    module, article = f"{name}/".removeprefix("/documentation/").split("/")[:2]
    return root / f"Sources/{module}/{module}.docc/{article or module}.md"


def questions():
    """The lines of the article with common questions, with links that work on a code host."""
    article = root / "Sources/AsyncKnot/AsyncKnot.docc/Questions.md"
    text = re.sub(r"^(#.*)", r"#\1", article.read_text().rstrip(), flags=re.M)
    to_file = lambda match: f"]({file(article.parent, match[1]).relative_to(root)}{match[2].lower()})"
    text = re.sub(r"\]\(doc:([\w/]+)([\w#-]*)\)", to_file, text)
    # DocC cannot link to a heading of another module's article, but a code host can.
    to_heading = lambda match: f"[{match[1]}: {match[3]}]({match[2]}#{anchor(' '.join(match[3].split()))})"
    return [*re.sub(r"\[([^\]]+)\]\(([^)#]+)\),\s+\*([^*]+)\*", to_heading, text).split("\n"), ""]


def headings(document):
    """The anchors that a code host creates for the headings of a document."""
    lines = re.findall(r"^#+ (.*)", re.sub(r"^```.*?^```", "", document.read_text(), flags=re.M | re.S), re.M)
    return {anchor(line) for line in lines}


def anchor(heading):
    """The anchor that a code host creates for a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def broken():
    """The links in documents to files and headings that do not exist."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.md"],
        cwd=root, capture_output=True, text=True, check=True).stdout.split("\0")
    for name in filter(None, listed):
        document = root / name
        if not document.exists():
            continue
        text = re.sub(r"^ *```.*?^ *```|`[^`\n]*`", "", document.read_text(), flags=re.M | re.S)
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            if re.match(r"https?:|mailto:|doc:", target):
                continue
            if name.startswith("Sources/"):
                yield f"{name}: the link to {target} does not work on the site; link to the article with doc:"
                continue
            path, _, heading = target.partition("#")
            there = document.parent / path if path else document
            if not there.exists():
                yield f"{name}: links to {target}, which does not exist"
            elif heading and there.suffix == ".md" and heading not in headings(there):
                yield f"{name}: links to the heading {heading}, which {path or name} does not have"


def main():
    problems = [*broken()]
    known = {name for module in MODULES for name, _ in declarations(root / "Sources" / module)} | {*MODULES}
    lines = [
        "# Documentation", "",
        "On a code host, links from one article to another do not work. Find the article by its title in the tables below.",
        "`Scripts/docs serve` builds the site and serves it. Complete programs, one file each: [case studies](Examples/CaseStudies/README.md).",
        "", *questions()]
    for module in MODULES:
        catalog = root / "Sources" / module / f"{module}.docc"
        page = catalog / f"{module}.md"
        lines += [f"## {module}", "", "| | | leads to |", "| --- | --- | --- |", row(page)]
        for name in re.findall(r"^- <doc:(\w+)>", page.read_text(), re.M):
            lines.append(row(catalog / f"{name}.md"))
        declared = dict(declarations(catalog.parent))
        lines += ["", "<details><summary>Types, functions and methods, each in the file that declares and documents it</summary>", "", *(
            f"- [`{name}`]({source.relative_to(root)})" for name, source in sorted(declared.items())), ""]
        for owner, found in methods(catalog.parent).items():
            links = ", ".join(f"[`{name}`]({source.relative_to(root)})" for name, source in found.items())
            lines.append(f"- Methods of `{owner}`: {links}")
        lines += ["", "</details>", ""]
        elsewhere = 0
        for article in sorted(catalog.glob("*.md")):
            for match in INLINE.finditer(article.read_text()):
                name = match["bare"] or match["named"]
                target = file(catalog, name)
                elsewhere += name.startswith("/")
                title = head(target)[0] if target.exists() else "?"
                if match["heading"]:
                    if match["heading"].lower() not in headings(target):
                        problems.append(f"{article.relative_to(root)}: {title} has no heading {match['heading']}")
                elif " ".join((match["words"] or "").split()) != title:
                    problems.append(f"{article.relative_to(root)}: write the link as [{title}](doc:{name})")
            for name in sorted({*re.findall(r"``([A-Z]\w*)", article.read_text())} - known):
                problems.append(f"{article.relative_to(root)}: ``{name}`` is not a type in Documentation.md")
            for number, line in enumerate(article.read_text().split("\n"), 1):
                if re.search("[│├└┌▶]", line) and len(line) > 37:
                    problems.append(f"{article.relative_to(root)}:{number}: a drawing can have 37 columns, because a phone shows no more; this line has {len(line)}")
        if not elsewhere:
            problems.append(f"{catalog.relative_to(root)}: no article links to another module")
    lines += [
        "## Tutorial", "",
        "[A search screen](Tutorials/Tutorials.docc/Tutorials/SearchScreen.tutorial), from an empty folder to tests that explore it. It",
        "is made for the site; its [steps](Tutorials/Tutorials.docc/Steps) can be read as files.", ""]
    measured = (root / "Benchmarks/README.md").read_text()
    for row_text in re.findall(r"^\|.* (?:ns|ms)\b.*\|$", (root / "README.md").read_text(), re.M):
        for figure in re.findall(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?= (?:ns|ms|moves?)\b|,? an actor|$| \|)", row_text):
            if not re.search(rf"(?<![\d.,]){re.escape(figure)}(?![\d]|[.,]\d)", measured):
                problems.append(f"README.md: the figure {figure} is not in Benchmarks/README.md")
    index = root / "Documentation.md"
    text = "\n".join(lines)
    if "write" in sys.argv[1:]:
        index.write_text(text)
    elif not index.exists() or index.read_text() != text:
        problems.append("Documentation.md is out of date: run .ci/articles.py write")
    print("\n".join(problems) or "Documentation.md lists every article and type; no link is broken")
    sys.exit(1 if problems else 0)


main()
