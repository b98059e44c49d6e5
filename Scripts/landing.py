#!/usr/bin/env python3
"""Writes the first page of the site, leads `/` to it, and each page's head back.

Usage: landing.py SITE BASE    SITE is what `docc merge` has made; BASE is the path at which it is hosted.

DocC lists the modules. A newcomer needs an order: what to read first, then by purpose.
"""
import json
import pathlib
import sys

site, base = pathlib.Path(sys.argv[1]), sys.argv[2].rstrip("/")

TEXT = (
    "Hold the state of an app or a server in actors, and test any concurrent Swift code in thousands of interleavings. Use all of it, or "
    "the test kit alone. Before 1.0; built and tested on Linux.")
GROUPS = [
    ("Start here", "Questions, the parts of the package, and its words.", [
        "asyncknot/questions", "asyncknot/whichone", "asyncknot/words", "asyncknot/isitready", "tutorials/searchscreen"]),
    ("Test", "Find the interleaving that breaks your code, whatever it is built on.", [
        "exploretesting", "exploretesting/testyourownactor", "exploretesting/readingafailure", "exploretesting/atestthathangs", "exploreworld",
        "exploreworld/aserverthatsurvives"]),
    ("State", "Hold a state, observe it, and run requests that overlap, fail or are undone.", [
        "asyncknot", "asyncknot/firstnode", "asyncoptical", "asyncoptical/firstopticle", "asyncoptical/tworequestsrace",
        "asyncoptical/loadinganderrors", "asyncoptical/pendingchanges", "asyncknotrecorder", "asyncknottesting"]),
    ("Lists", "Show what changed, in the fewest moves.", [
        "asyncdiff", "asyncdiff/firstlist", "asyncdiff/longlists", "asyncdiffuikit", "asyncdiff/swiftuilists", "asyncdifftesting"]),
]


def page(path):
    """The data of a page, and its address."""
    address = f"/{path}" if path.startswith("tutorials/") else f"/documentation/{path}"
    return json.loads((site / f"data{address}.json").read_text()), address


def text(words):
    return [{"type": "text", "text": words}]


def main():
    file = site / "data/documentation.json"
    landing = json.loads(file.read_text())
    landing["abstract"] = text(TEXT)
    sections = []
    for title, words, paths in GROUPS:
        identifiers = []
        for path in paths:
            data, address = page(path)
            name = data["metadata"].get("title") or data["sections"][0]["title"]
            identifier = data["identifier"]["url"]
            identifiers.append(identifier)
            landing["references"][identifier] = {
                "type": "topic", "kind": "article", "role": "article", "title": name, "url": address, "identifier": identifier,
                "abstract": data.get("abstract") or text("From an empty folder to tests that explore it."),
            }
        sections.append({"title": title, "abstract": text(words), "identifiers": identifiers})
    landing["topicSections"] = sections
    landing["topicSectionsStyle"] = "list"
    file.write_text(json.dumps(landing))

    links = " · ".join(f'<a href="{base}{address}">{name}</a>' for name, address in [
        ("AsyncKnot", "/documentation/"), ("Questions", "/documentation/asyncknot/questions/"),
        ("Test", "/documentation/exploretesting/"), ("State", "/documentation/asyncoptical/"),
        ("Lists", "/documentation/asyncdiff/")])
    style = "font:15px system-ui,sans-serif;padding:.6em 1em;border-bottom:1px solid #8884;background:Canvas;color:CanvasText"
    head = f'<template id="custom-header"><nav style="{style}">{links}</nav></template>'
    for index in [*site.glob("documentation/**/index.html"), *site.glob("tutorials/**/index.html")]:
        html = index.read_text()
        index.write_text(html.replace("</body>", f"{head}</body>", 1))
    (site / "index.html").write_text(
        f'<!doctype html><meta charset="utf-8"><title>AsyncKnot</title>'
        f'<meta http-equiv="refresh" content="0; url={base}/documentation/">'
        f'<a href="{base}/documentation/">Documentation</a>\n')


main()
