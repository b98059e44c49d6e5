#!/usr/bin/env python3
"""Writes the start page of the site, redirects `/` to it, and adds a navigation bar to each page.

Usage: landing.py SITE BASE    SITE is the folder that `docc merge` has created. BASE is the path at which the site is hosted.

DocC only lists the modules. This page says what to read first, and groups the other articles by purpose.
"""
import json
import pathlib
import sys

site, base = pathlib.Path(sys.argv[1]), sys.argv[2].rstrip("/")

TEXT = (
    "Hold the state of an app or a server in actors, and test any concurrent Swift code in thousands of interleavings. Use the whole "
    "package, or only the test kit. The package is before version 1.0, and is built and tested on Linux.")
GROUPS = [
    ("Start here", "Common questions, the parts of the package, and its vocabulary.", [
        "asyncknot/questions", "asyncknot/whichone", "asyncknot/words", "asyncknot/isitready", "tutorials/searchscreen"]),
    ("Test", "Find the interleaving that breaks your code, with or without the rest of the package.", [
        "exploretesting", "exploretesting/testyourownactor", "exploretesting/readingafailure", "exploretesting/atestthathangs", "exploreworld",
        "exploreworld/aserverthatsurvives"]),
    ("State", "Hold a state, observe it, and run requests that overlap, fail or are undone.", [
        "asyncknot", "asyncknot/firstnode", "asyncoptical", "asyncoptical/firstopticle", "asyncoptical/tworequestsrace",
        "asyncoptical/loadinganderrors", "asyncoptical/pendingchanges", "asyncknotrecorder", "asyncknottesting"]),
    ("Lists", "Show the changes of a list, with the fewest moves.", [
        "asyncdiff", "asyncdiff/firstlist", "asyncdiff/longlists", "asyncdiffuikit", "asyncdiff/swiftuilists", "asyncdifftesting"]),
]


def page(path):
    """The data of a page, and the address of the page."""
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
                "abstract": data.get("abstract") or text("Build a search screen from an empty folder, and explore it in tests."),
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
