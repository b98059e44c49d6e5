#!/usr/bin/env python3
"""Takes an SVG picture of a program in a terminal.

usage: Examples/picture.py [--size 100x34] [--until TEXT] [--keys KEY,KEY] OUT.svg COMMAND...

It needs tmux. It starts COMMAND in a pseudo-terminal, waits for TEXT on its screen, types the keys (with the names that tmux
uses), waits until the screen stops changing, and writes the picture. These commands create the picture of LogWatch:

    swift build -c release
    Examples/picture.py --until 'Last lines' Examples/LogWatch/Samples/logwatch.svg \\
      .build/release/LogWatch --follow Examples/LogWatch/Samples/access.log
"""
import argparse
import os
import re
import shlex
import subprocess
import sys
import time
import unicodedata
from html import escape

WIDTH, HEIGHT, MARGIN = 8.4, 18, 14
COLORS = ["#3b4252", "#e06c75", "#7fb57a", "#d9a857", "#6aa2e0", "#b98bd9", "#5cb8c4", "#c8ccd4",
           "#7d8594", "#ff8590", "#98d48f", "#f0c674", "#86bbff", "#d3a6f2", "#7fd8e3", "#ffffff"]
BACKGROUND, FOREGROUND = "#1b1f27", "#c8ccd4"


def capture(arguments):
    server = ["tmux", "-u", "-L", f"picture-{os.getpid()}", "-f", "/dev/null"]

    def tmux(*words):
        return subprocess.run([*server, *words], capture_output=True, text=True, check=True).stdout

    columns, rows = arguments.size.split("x")
    environment = {**os.environ, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "NO_COLOR": ""}
    command = shlex.join(arguments.command)
    subprocess.run([*server, "new-session", "-d", "-s", "picture", "-x", columns, "-y", rows, command],
                   env=environment, check=True)
    try:
        tmux("set", "-g", "status", "off")
        wait(lambda: arguments.until in tmux("capture-pane", "-p", "-t", "picture"), arguments.until)
        for key in filter(None, arguments.keys.split(",")):
            tmux("send-keys", "-t", "picture", key)
        pictures = []

        def stands_still():
            pictures.append(tmux("capture-pane", "-e", "-p", "-t", "picture"))
            return len(pictures) > 5 and len(set(pictures[-5:])) == 1

        wait(stands_still, "a screen that stops changing")
        return pictures[-1].splitlines(), int(columns), int(rows)
    finally:
        subprocess.run([*server, "kill-server"], capture_output=True)


def wait(condition, what, seconds=30):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            sys.exit(f"picture.py: timed out while waiting for {what!r}")
        time.sleep(0.2)


class Style:
    def __init__(self):
        self.reset()

    def reset(self):
        self.color, self.ground, self.bold, self.dim = FOREGROUND, None, False, False

    def apply(self, codes):
        for code in map(int, filter(None, codes.split(";"))) if codes else [0]:
            if code == 0:
                self.reset()
            elif code == 1:
                self.bold = True
            elif code == 2:
                self.dim = True
            elif code == 7:
                self.color, self.ground = self.ground or BACKGROUND, self.color
            elif code == 39:
                self.color = FOREGROUND
            elif code == 49:
                self.ground = None
            elif 30 <= code <= 37 or 90 <= code <= 97:
                self.color = COLORS[code - 30 if code < 90 else code - 82]
            elif 40 <= code <= 47 or 100 <= code <= 107:
                self.ground = COLORS[code - 40 if code < 100 else code - 92]


def block(character):
    """Returns the left, top, width and height of the part of a cell that a block character fills; None for other characters."""
    code = ord(character)
    if 0x2581 <= code <= 0x2588:
        part = (code - 0x2580) / 8
        return 0, 1 - part, 1, part
    if 0x2589 <= code <= 0x258F:
        return 0, 0, (0x2590 - code) / 8, 1
    return None


def draw(lines, columns, rows):
    width, height = columns * WIDTH + 2 * MARGIN, rows * HEIGHT + 2 * MARGIN
    yield (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
           f'width="{width:g}" height="{height:g}" font-size="14" shape-rendering="crispEdges" '
           'font-family="ui-monospace, SFMono-Regular, Menlo, DejaVu Sans Mono, monospace">')
    yield f'<rect width="100%" height="100%" rx="8" fill="{BACKGROUND}"/>'
    style = Style()
    for row, line in enumerate(lines[:rows]):
        top, column = MARGIN + row * HEIGHT, 0
        for codes, text in re.findall(r"\x1b\[([\d;]*)m|([^\x1b]+)", line):
            if not text:
                style.apply(codes)
                continue
            for run in re.findall(r"\u2588+|[\u2581-\u258f]|[^\u2581-\u258f]+", text):
                cells = sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in run)
                left = MARGIN + column * WIDTH
                column += cells
                look = f'fill="{style.color}"' + (' opacity="0.65"' if style.dim else "")
                if style.ground:
                    yield (f'<rect x="{left:g}" y="{top}" width="{cells * WIDTH:g}" height="{HEIGHT}" '
                           f'fill="{style.ground}"/>')
                part = block(run[0])
                if part:
                    x, y, w, h = part
                    yield (f'<rect x="{left + x * WIDTH:g}" y="{top + y * HEIGHT:g}" '
                           f'width="{w * cells * WIDTH:g}" height="{h * HEIGHT:g}" {look}/>')
                elif run.strip():
                    weight = ' font-weight="bold"' if style.bold else ""
                    yield (f'<text xml:space="preserve" x="{left:g}" y="{top + 13.5:g}" '
                           f'textLength="{cells * WIDTH:g}" {look}{weight}>{escape(run)}</text>')
    yield "</svg>"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", default="100x34")
    parser.add_argument("--until", default="")
    parser.add_argument("--keys", default="")
    parser.add_argument("out")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    with open(arguments.out, "w", encoding="utf-8") as file:
        file.write("\n".join(draw(*capture(arguments))) + "\n")


main()
