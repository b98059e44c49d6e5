#!/usr/bin/env python3
"""Takes screenshots of the page at the sizes of a desktop and a phone: picture.py PROGRAM FOLDER"""
import contextlib
import pathlib
import sys

from fleet import Database, Gateway, Publisher
from browser import Browser, wait_for

program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
folder.mkdir(exist_ok=True)
names = ["athens", "berlin", "cairo", "dublin", "erfurt"]
with contextlib.ExitStack() as stack:
    database = stack.enter_context(Database())
    machines = [
        stack.enter_context(Publisher(
            program, database, name, "--simulate", seed, "--every", 0.1, "--lease", 1, "--processes", 90 + 40 * seed))
        for seed, name in enumerate(names)]
    gateway = stack.enter_context(Gateway(program, database))
    wait_for("a minute of readings", lambda: all(
        gateway.json("/lists").get(name, {"sections": [{"content": {"reading": 0}}]})
        ["sections"][0]["content"]["reading"] > 70 for name in names), 60)
    machines[2].kill()
    wait_for("the gone machine", lambda: any("gone" in machine for machine in gateway.json("/status")["machines"]))
    page = stack.enter_context(Browser(1240, 1000, still=True))
    page.open(gateway.address)
    for name, width, height, is_mobile in (("desktop", 1240, 860, False), ("phone", 400, 860, True)):
        page.resize(width, height, is_mobile)
        for scheme in ("light", "dark"):
            page.media(scheme)
            wait_for("all machines", lambda: page.run(
                "return document.querySelectorAll('.slot').length === 5 && document.querySelectorAll('.gone').length === 1"))
            page.run("return new Promise((done) => setTimeout(done, 500))")
            page.picture(folder / f"fleet-{name}-{scheme}.png")
    page.assert_no_errors()
