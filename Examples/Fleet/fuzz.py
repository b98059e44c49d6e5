#!/usr/bin/env python3
"""Writes random data to the tables of Fleet, and sends random requests to its gateways.

usage: fuzz.py PROGRAM [--seconds 600] [--seed N]

No row and no request may end a gateway, or stop any log other than its own. At the end, the tabs must have the lists that the
gateways show. If a check fails, the script prints the seed, and saves the last statements and the last request in a file.
"""
import argparse
import contextlib
import random
import tempfile
import time

from fleet import Database, Gateway, Publisher
from follower import Tab, digest
from browser import wait_for
from strangers import NUMBERS, TEXTS, Stranger, client

NAMES = [f"m{number}" for number in range(12)] + ["*", "", "a=b", "a,b", "é", "x" * 64, "y" * 65]
LEASES = ["0", "1 s", "1 hour", "1 day", "-1 s", "1 day 1 s", "200000 years", "1000000 years -360000000 days", "-178000000 years",
          "1 mon -29 days", "0.000001 s"]
HEARTBEATS = ["clock_timestamp()"] * 6 + [f"'{text}'" for text in (
    "infinity", "-infinity", "294276-12-31", "4713-01-01 BC", "1999-12-31", "2000-01-01", "tomorrow", "yesterday")]
WHOLE = [number for number in NUMBERS if isinstance(number, int) and -(1 << 63) <= number < 1 << 63]


class Log:
    """The state of a log that this script has written."""

    def __init__(self, chance):
        self.epoch = chance.randrange(1, 1 << 53)
        self.number = 0
        self.rows = 0


class Fuzzer:
    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.stranger = Stranger(self.chance)
        self.logs = {}
        self.rows = self.requests = 0

    def whole(self):
        """Returns a number that fits in a column of type bigint."""
        return self.chance.choice(WHOLE)

    def item(self):
        number = self.whole() if self.chance.random() < 0.2 else self.chance.randrange(20)
        return {"id": f"{number}.1", "name": self.chance.choice(TEXTS), "user": "ada", "command": "a",
                "cpu": self.whole(), "memory": self.whole()}

    def section(self, count):
        content = {key: self.whole() for key in ("reading", "processes", "cores", "memoryUsed", "memoryTotal", "load")}
        return {"diffIdentifier": "machine", "content": {**content, "cpu": [self.whole() for _ in range(self.chance.randrange(3))]},
                "items": [self.item() for _ in range(count)]}

    def stage(self, log):
        at = lambda: [0, self.chance.randrange(-1, log.rows + 2)]  # noqa: E731
        some = lambda make: [make() for _ in range(self.chance.randrange(3))]  # noqa: E731
        return {
            "itemDeletes": some(at), "itemInserts": some(lambda: {"at": at(), "value": self.item()}),
            "itemMoves": some(lambda: {"from": at(), "to": at()}),
            "itemUpdates": some(lambda: {"at": at(), "value": self.item()}),
            "sectionUpdates": some(lambda: {"at": 0, "value": self.section(0)["content"]}),
            **({"sectionMoves": [{"from": 0, "to": self.chance.randrange(-1, 2)}]} if self.chance.random() < 0.1 else {})}

    def message(self, name, log):
        """Returns the statement that appends a message."""
        log.number += 1
        is_full = log.number == 1 or self.chance.random() < 0.4
        log.rows = self.chance.randrange(30) if is_full else log.rows
        value = {"epoch": log.epoch, "to": log.number, **(
            {"kind": "snapshot", "sections": [self.section(log.rows) for _ in range(self.chance.choice([1] * 9 + [0, 2]))]}
            if is_full else {"kind": "patch", "from": log.number - 1, "stages": [self.stage(log)]})}
        if self.chance.random() < 0.4:
            value = self.stranger.damaged(value)
        number = log.number if self.chance.random() < 0.95 else self.whole()
        form = 1 if self.chance.random() < 0.97 else self.chance.choice([0, -1, 2, (1 << 31) - 1])
        return (f"INSERT INTO fleet_message VALUES ('{name}', {log.epoch}, {number}, {is_full}, {form}, "
                f"$fuzz${self.stranger.json(value)}$fuzz$) ON CONFLICT DO NOTHING;")

    def statements(self):
        """Yields statements that change several logs. They are run in one step."""
        for _ in range(self.chance.randrange(1, 9)):
            name = self.chance.choice(NAMES)
            kind = self.chance.random()
            if name not in self.logs or kind < 0.1:
                self.logs[name] = Log(self.chance)
            log = self.logs[name]
            if kind < 0.05:
                yield f"DELETE FROM fleet_log WHERE name = '{name}';"
                continue
            for _ in range(self.chance.randrange(4)):
                yield self.message(name, log)
            epoch, number = log.epoch, log.number
            if self.chance.random() < 0.1:
                epoch, number = self.chance.choice([(self.whole(), number), (epoch, self.whole())])
            lease = "1 hour" if self.chance.random() < 0.8 else self.chance.choice(LEASES)
            trouble = "NULL" if self.chance.random() < 0.9 else f"$fuzz${self.chance.choice(TEXTS[:7] + TEXTS[8:])}$fuzz$"
            yield (f"INSERT INTO fleet_log VALUES ('{name}', {epoch}, {number}, '{lease}', {self.chance.choice(HEARTBEATS)}, "
                   f"{trouble}) ON CONFLICT (name) DO UPDATE SET epoch = excluded.epoch, number = excluded.number, "
                   "lease = excluded.lease, heartbeat = excluded.heartbeat, trouble = excluded.trouble;")

    def write(self, database):
        statements = [text.replace("\0", "") for text in self.statements()]
        self.rows += len(statements)
        self.last = "\n".join([*statements, "NOTIFY fleet;"])
        database.ask(self.last)

    def ask(self, port):
        known = ",".join(f"{name}={self.whole()}-{self.whole()}" for name in self.chance.sample(NAMES, 3))
        paths = ["/", "/status", "/lists", "/page.js", "/events", "/events?order=load&first=m1,m2", "/events?order=" + known,
                 "/events?first=" + "m1," * 2_000]
        if self.chance.random() < 0.2:
            data = f"POST /events?order=load HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(known.encode())}\r\n\r\n{known}".encode()
        else:
            data = self.stranger.head(paths, f"127.0.0.1:{port}")
        self.request = data
        self.requests += 1
        end = client(port, "127.0.0.9", data, 1)
        with contextlib.suppress(OSError):
            end.settimeout(0.05)
            end.recv(4_096)
        end.close()


def fuzz(program, database, seconds, seed):
    """Writes random rows and sends random requests for `seconds`, and returns a summary."""
    fuzzer, begun = Fuzzer(seed), time.monotonic()
    with contextlib.ExitStack() as stack:
        good = stack.enter_context(Publisher(
            program, database, "good", "--simulate", 1, "--processes", 28, "--every", 0.1, "--lease", 60))
        gateways = [stack.enter_context(Gateway(program, database)) for _ in range(2)]
        tabs = [Tab(gateway.port, keeps_history=False, query=query)
                for gateway in gateways for query in ("", "?order=load")]
        rounds = 0

        def number(tab):
            mirror = tab.lists.get("good")
            return mirror.number if mirror else 0
        try:
            while time.monotonic() - begun < seconds:
                before = [number(tab) for tab in tabs]
                fuzzer.write(database)
                for _ in range(8):
                    fuzzer.ask(fuzzer.chance.choice(gateways).port)
                rounds += 1

                def goes_on():
                    for gateway in gateways:
                        assert gateway.is_running(), f"a gateway has ended: {gateway.said[-5:]}"
                    for tab in tabs:
                        assert tab.thread.is_alive() and not tab.problems, f"a tab has problems: {tab.problems[:3]}"
                    return all(number(tab) > old for tab, old in zip(tabs, before))
                wait_for("the log that is not fuzzed continues at each gateway", goes_on, 60)
            assert good.is_running() and not good.says("taken over"), f"{good.said}"
            good.end()

            # A tab's thread removes lists at any time, so each list is read once.
            def are_equal():
                shown = [gateway.json("/lists") for gateway in gateways]
                return all(
                    (mirror := tab.lists.get(name))
                    and (mirror.epoch, digest(mirror.sections)) == (one["epoch"], digest(one["sections"]))
                    for tab, lists in zip(tabs, (lists for lists in shown for _ in range(2)))
                    for name, one in lists.items())
            wait_for("each tab has the lists of its gateway", are_equal, 60, 0.5)
        except BaseException:
            with tempfile.NamedTemporaryFile("wb", prefix="fuzz-", delete=False) as file:
                file.write(fuzzer.last.encode("utf-8", "replace") + b"\n\n" + fuzzer.request)
            print(f"seed {seed}, round {rounds}: the last statements and the last request are in {file.name}")
            raise
        finally:
            for tab in tabs:
                tab.end()
    return f"{fuzzer.rows:,} statements and {fuzzer.requests:,} requests in {rounds} rounds, seed {seed}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    options = parser.parse_args()
    with Database() as server:
        with Publisher(options.program, server, "first", "--simulate", 1) as first:
            wait_for("tables", lambda: first.says("writing"))
            first.end()
        print("ok ", fuzz(options.program, server, options.seconds, options.seed))
