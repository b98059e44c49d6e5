#!/usr/bin/env python3
"""Takes screenshots of LiveTop: picture.py PROGRAM FOLDER"""
import pathlib
import sys

from livetop import LiveTop
from browser import Browser, wait_for

READINGS = 130
program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
folder.mkdir(exist_ok=True)
with LiveTop(program, "--simulate", 4, "--every", 0.03, "--readings", READINGS) as top, \
        Browser(1200, 1000, still=True) as page:
    page.resize(1120, 840)
    page.open(top.address)
    wait_for("the last reading", lambda: top.json("/status")["reading"] == READINGS)
    wait_for("the charts", lambda: page.run(
        "return document.querySelector('.cpu .stroke').getAttribute('d').split('l').length") == 121)
    page.run("""
      document.querySelector(".title").click();
    """)
    wait_for("a folded user", lambda: page.run(
        "return document.querySelector('.title').getAttribute('aria-expanded')") == "false")
    page.run("""
      [...document.querySelectorAll(".row")][3].click();
      window.scrollTo(0, 0);
    """)
    wait_for("the detail", lambda: page.run("return !document.getElementById('detail').hidden"))
    for scheme in ("light", "dark"):
        page.media(scheme)
        page.run("return new Promise((done) => setTimeout(done, 400))")
        page.picture(folder / f"livetop-{scheme}.png")
    assert top.end() == 0
