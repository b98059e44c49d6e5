#!/usr/bin/env python3
"""Sends random commands of tabs and random requests to LiveTop.

usage: fuzz.py PROGRAM [--seconds 600] [--seed N]

No request may end LiveTop, or stop a tab that confirms its messages. If a check fails, the script prints the seed and saves the last
request.
"""
import argparse
import contextlib
import random
import re
import tempfile
import threading
import time

from livetop import LiveTop
from browser import wait_for
from strangers import Stranger, client

COMMANDS = [
    {"do": "rank", "by": "memory"}, {"do": "rank", "by": "cpu"}, {"do": "filter", "text": "s"}, {"do": "filter", "text": ""},
    {"do": "fold", "user": "root", "on": True}, {"do": "fold", "user": "ada", "on": False}, {"do": "pause", "on": True},
    {"do": "pause", "on": False}, {"do": "select", "process": "301.0"}, {"do": "select", "process": None},
    {"do": "restore", "options": {"ranking": "cpu", "filter": "", "folded": ["root"]}}]


class Page:
    """A page that runs on its own thread and confirms every message."""

    def __init__(self, top, tab):
        self.top, self.tab, self.events = top, tab, 0
        self.end = client(top.port, "127.0.0.1", f"GET /events?tab={tab} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 60)
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        with contextlib.suppress(OSError):
            for line in self.end.makefile("rb"):
                if found := re.search(rb"^id: (\d+-\d+)$", line.strip()):
                    self.events += 1
                    self.top.request("POST", f"/drawn?tab={self.tab}", found[1])


def fuzz(program, seconds, seed):
    """Sends random requests for `seconds`, and returns a summary."""
    chance = random.Random(seed)
    stranger = Stranger(chance)
    commands = requests = 0
    last = b""
    with LiveTop(program, "--simulate", 1, "--every", 0.05) as top:
        good, other = Page(top, "0" * 32), Page(top, "1" * 32)
        wait_for("two tabs", lambda: good.events and other.events)
        begun = time.monotonic()
        paths = ["/", "/status", "/page.js", "/drawn", f"/drawn?tab={other.tab}", f"/command?tab={other.tab}", "/events",
                 f"/snapshot?tab={other.tab}", "/events?tab=" + "f" * 32, f"/events?tab={'e' * 32}&since=1-2"]
        try:
            while time.monotonic() - begun < seconds:
                before = good.events
                for _ in range(8):
                    last = stranger.json(stranger.damaged(chance.choice(COMMANDS), 0.3)).encode("utf-8", "replace")
                    path = f"/{chance.choice(['command', 'command', 'drawn'])}?tab={other.tab}"
                    top.request("POST", path, last)
                    commands += 1
                for _ in range(8):
                    last = stranger.head(paths, f"127.0.0.1:{top.port}")
                    end = client(top.port, "127.0.0.9", last, 1)
                    with contextlib.suppress(OSError):
                        end.settimeout(0.05)
                        end.recv(4_096)
                    end.close()
                    requests += 1
                assert top.is_running(), f"LiveTop has ended with status {top.process.returncode}"
                wait_for("the tab that is not fuzzed continues", lambda: good.events > before)
        except BaseException:
            with tempfile.NamedTemporaryFile("wb", prefix="fuzz-", delete=False) as file:
                file.write(last)
            print(f"seed {seed}: the last request is in {file.name}")
            raise
        for page in (good, other):
            page.end.close()
        assert top.end() == 0, "Ctrl-C should end LiveTop with status 0"
    return f"{commands:,} commands and {requests:,} requests, seed {seed}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    options = parser.parse_args()
    print("ok ", fuzz(options.program, options.seconds, options.seed))
