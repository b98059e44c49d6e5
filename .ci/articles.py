#!/usr/bin/env python3
"""Keeps Documentation.md, which leads to every article where a code host shows them, and the links in the articles.
A figure in the table of the README must stand in Benchmarks/README.md, which says how to measure it again.
A drawing must fit a phone.

Usage: articles.py [write]    Without `write` it says what is not as it would be written.

DocC knows links to articles as `doc:Name`, and a code host does not. So a sentence names the title, as in
`[Read a failure](doc:ReadingAFailure)`, which reads well in both; lists of topics have `<doc:Name>`, as DocC wants. An article
of another module is `[Your first list](doc:/documentation/AsyncDiff/FirstList)`. Each module links to others.
"""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent
INLINE = re.compile(r"^(?!- <doc:\w+>$)(?:.*[^`\n])?<doc:(?P<bare>[\w/]+)>|\[(?P<words>[^\]]+)\]\(doc:(?P<named>[\w/]+)\)", re.M)
MODULES = ["AsyncKnot", "AsyncOptical", "AsyncDiff", "AsyncDiffUIKit", "ExploreSeam", "ExploreTesting", "ExploreWorld", "AsyncKnotTesting", "AsyncDiffTesting"]


def head(article):
    """The title of an article, and its abstract."""
    title, _, rest = article.read_text().partition("\n")
    abstract = rest.strip().split("\n\n")[0].replace("\n", " ")
    return title.removeprefix("# ").strip("`"), re.sub(r"``([^`]+)``", r"`\1`", abstract)


def row(article):
    title, abstract = head(article)
    return f"| [{title}]({article.relative_to(root)}) | {abstract} |"


def file(catalog, name):
    """The file of an article that a `doc:` link in a catalog names."""
    if not name.startswith("/"):
        return catalog / f"{name}.md"
    module, article = f"{name}/".removeprefix("/documentation/").split("/")[:2]
    return root / f"Sources/{module}/{module}.docc/{article or module}.md"


def questions():
    """The article of the questions, with links that a code host follows."""
    article = root / "Sources/AsyncKnot/AsyncKnot.docc/Questions.md"
    text = re.sub(r"^(#.*)", r"#\1", article.read_text().rstrip(), flags=re.M)
    link = lambda match: f"]({file(article.parent, match[1]).relative_to(root)})"
    return [*re.sub(r"\]\(doc:([\w/]+)\)", link, text).split("\n"), ""]


def main():
    problems = []
    lines = [
        "# Documentation", "",
        "The questions with the articles that answer them, then every article, to be read on a code host. Whole programs, a file each:",
        "[case studies](Examples/CaseStudies/README.md). Links within an article, the reference and the tutorial are on the site, which",
        "`Scripts/docs` builds.", "", *questions()]
    for module in MODULES:
        catalog = root / "Sources" / module / f"{module}.docc"
        page = catalog / f"{module}.md"
        lines += [f"## {module}", "", "| | |", "| --- | --- |", row(page)]
        for name in re.findall(r"^- <doc:(\w+)>", page.read_text(), re.M):
            lines.append(row(catalog / f"{name}.md"))
        lines.append("")
        elsewhere = 0
        for article in sorted(catalog.glob("*.md")):
            for match in INLINE.finditer(article.read_text()):
                name = match["bare"] or match["named"]
                target = file(catalog, name)
                elsewhere += name.startswith("/")
                title = head(target)[0] if target.exists() else "?"
                if " ".join((match["words"] or "").split()) != title:
                    problems.append(f"{article.relative_to(root)}: write [{title}](doc:{name})")
            for number, line in enumerate(article.read_text().split("\n"), 1):
                if re.search("[│├└┌▶]", line) and len(line) > 37:
                    problems.append(f"{article.relative_to(root)}:{number}: a phone shows 37 columns of a drawing; it has {len(line)}")
        if not elsewhere:
            problems.append(f"{catalog.relative_to(root)}: no article leads to another module")
    lines += [
        "## Tutorial", "",
        "[A search screen](Tutorials/Tutorials.docc/Tutorials/SearchScreen.tutorial), from an empty folder to tests that explore it. It",
        "is made for the site; its [steps](Tutorials/Tutorials.docc/Steps) can be read as files.", ""]
    measured = (root / "Benchmarks/README.md").read_text()
    for row_text in re.findall(r"^\|.* (?:ns|ms)\b.*\|$", (root / "README.md").read_text(), re.M):
        for figure in re.findall(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?= (?:ns|ms|moves?)\b|,? an actor|$| \|)", row_text):
            if not re.search(rf"(?<![\d.,]){re.escape(figure)}(?![\d]|[.,]\d)", measured):
                problems.append(f"README.md: {figure} is not in Benchmarks/README.md")
    index = root / "Documentation.md"
    text = "\n".join(lines)
    if "write" in sys.argv[1:]:
        index.write_text(text)
    elif not index.exists() or index.read_text() != text:
        problems.append("Documentation.md is older than the articles: run .ci/articles.py write")
    print("\n".join(problems) or "Documentation.md leads to every article")
    sys.exit(1 if problems else 0)


main()
