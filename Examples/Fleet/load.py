#!/usr/bin/env python3
"""The figures of the README: load.py PROGRAM [--tabs N] [--machines N] [--processes N] [--seconds N] [PART…]

The parts are tabs, publisher, appends and standby; without one, all are measured. The client takes a share of the
same processors.
"""
import argparse
import asyncio
import collections
import contextlib
import os
import pathlib
import re
import resource
import subprocess
import sys
import time
import zlib

from fleet import Database, Gateway, Publisher, wait_for
from follower import Tab

parser = argparse.ArgumentParser()
parser.add_argument("program")
parser.add_argument("parts", nargs="*")
parser.add_argument("--tabs", type=int, default=1_000)
parser.add_argument("--machines", type=int, default=10)
parser.add_argument("--processes", type=int, default=300)
parser.add_argument("--seconds", type=float, default=60)
options = parser.parse_intermixed_args()
tick = os.sysconf("SC_CLK_TCK")


def family(process):
    """A process and its children."""
    children = pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [process, *map(int, children)]


def cpu(processes):
    """The seconds that processes have worked."""
    total = 0.0
    for process in processes:
        with contextlib.suppress(OSError):
            fields = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
            total += (int(fields[11]) + int(fields[12])) / tick
    return total


def memory(processes):
    """Their memory in MiB, with what they share counted in parts."""
    total = 0
    for process in processes:
        with contextlib.suppress(OSError):
            text = pathlib.Path(f"/proc/{process}/smaps_rollup").read_text()
            total += int(re.search(r"^Pss: *(\d+)", text, re.M)[1])
    return total / 1024


def machines(stack, database, count, lease=5):
    return [
        stack.enter_context(Publisher(
            options.program, database, f"m{number}", "--simulate", number, "--processes", options.processes,
            "--lease", lease))
        for number in range(count)]


def heads(database):
    return {name: int(number) for name, number in database.ask("SELECT name, number FROM fleet_log")}


def postmaster(database):
    return int((database.data / "postmaster.pid").read_text().splitlines()[0])


class Light(asyncio.Protocol):
    """A page that takes packed events as browsers do; one that looks notes which revisions it has."""

    def __init__(self, port, looks):
        self.port, self.looks, self.bytes, self.plain = port, looks, 0, 0
        self.chunks, self.tail, self.id, self.hasHead = b"", b"", b"", False
        self.unpack = zlib.decompressobj(31)

    def connection_made(self, transport):
        self.transport = transport
        transport.write(
            b"GET /events HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAccept-Encoding: gzip\r\n\r\n" % self.port)

    def data_received(self, data):
        self.bytes += len(data)
        if not self.looks:
            return
        self.chunks += data
        if not self.hasHead:
            head, found, rest = self.chunks.partition(b"\r\n\r\n")
            if not found:
                return
            self.hasHead, self.chunks = True, rest
        while (end := self.chunks.find(b"\r\n")) >= 0:
            size = int(self.chunks[:end], 16)
            if len(self.chunks) < end + 4 + size:
                return
            self.look(self.unpack.decompress(self.chunks[end + 2 : end + 2 + size]))
            self.chunks = self.chunks[end + 4 + size :]

    def look(self, data):
        self.plain += len(data)
        # An event is there when its end is; the newest that is whole counts.
        data = self.tail + data
        end = data.rfind(b"\n\n")
        if end >= 0:
            start = data.rfind(b"\nid: ", 0, end)
            if start >= 0:
                self.id = data[start + 5 : data.find(b"\n", start + 5)]
            self.tail = data[end + 1 :]
        else:
            self.tail = data
        if len(self.tail) > 4_096:
            start = self.tail.find(b"\nid: ")
            self.tail = self.tail[max(start, 0) :][:4_096] if start >= 0 else self.tail[-64:]

    def numbers(self):
        return {
            name: int(revision.split("-")[1])
            for name, revision in (part.split("=") for part in self.id.decode().split(",") if part)}


async def follow(database, gateways, parts):
    loop = asyncio.get_running_loop()
    before = memory(parts["gateways"])
    tabs = []
    for number in range(options.tabs):
        port = gateways[number % len(gateways)].port
        tabs.append((await loop.create_connection(lambda port=port, looks=number % 10 == 0: Light(port, looks), "127.0.0.1", port))[1])
        if number % 50 == 49:
            await asyncio.sleep(0.2)
    await asyncio.sleep(5)
    ages, start = collections.Counter(), time.monotonic()
    used = {name: cpu(processes) for name, processes in parts.items()}
    sent, plain = sum(tab.bytes for tab in tabs), sum(tab.plain for tab in tabs)
    while time.monotonic() - start < options.seconds:
        newest = await asyncio.to_thread(heads, database)
        for tab in tabs:
            if tab.looks:
                for name, number in tab.numbers().items():
                    ages[max(0, newest[name] - number)] += 1
        await asyncio.sleep(0.7)
    seconds = time.monotonic() - start
    sent, plain = sum(tab.bytes for tab in tabs) - sent, sum(tab.plain for tab in tabs) - plain
    lookers = sum(tab.looks for tab in tabs)
    total = sum(ages.values())
    print(f"{options.tabs} tabs at {len(gateways)} gateways, {options.machines} machines of {options.processes} "
          f"processes, {seconds:.0f} s; ages asked of {lookers} tabs")
    for age in sorted(ages):
        if ages[age] / total >= 0.0005:
            print(f"  {age} readings old: {100 * ages[age] / total:.1f} %")
    print(f"  at most two readings old: {100 * sum(ages[age] for age in ages if age <= 2) / total:.1f} %")
    print(f"  each tab is sent {sent / seconds / len(tabs) / 1024:.0f} KiB a second, which are "
          f"{plain / seconds / lookers / 1024:.0f} KiB unpacked; all tabs {sent / seconds / 2 ** 20:.0f} MiB")
    after = memory(parts["gateways"])
    print(f"  a gateway takes {before / len(gateways):.0f} MiB without tabs, {after / len(gateways):.0f} MiB with them: "
          f"{(after - before) * 1024 / len(tabs):.0f} KiB a tab")
    for name, processes in parts.items():
        print(f"  {name}: {100 * (cpu(processes) - used[name]) / seconds:.0f} % of a core, {memory(processes):.0f} MiB")
    for tab in tabs:
        tab.transport.abort()


def tabs():
    with Database() as database, contextlib.ExitStack() as stack:
        publishers = machines(stack, database, options.machines)
        gateways = [
            stack.enter_context(Gateway(options.program, database, "--tabs", options.tabs)) for _ in range(3)]
        wait_for("all machines", lambda: len(gateways[0].json("/lists")) == options.machines, 60)
        time.sleep(5)
        asyncio.run(follow(database, gateways, {
            "gateways": [gateway.process.pid for gateway in gateways],
            "publishers": [publisher.process.pid for publisher in publishers],
            "PostgreSQL": family(postmaster(database)),
            "the client": [os.getpid()]}))


def publisher():
    """What a publisher costs while 0, 1 and 3 gateways follow, by turns."""
    costs = collections.defaultdict(list)
    with Database() as database, contextlib.ExitStack() as stack:
        one = machines(stack, database, 1)[0]
        wait_for("a writer", lambda: one.says("writing"))
        for _ in range(4):
            for count in (0, 1, 3):
                with contextlib.ExitStack() as inner:
                    for _ in range(count):
                        inner.enter_context(Gateway(options.program, database))
                    time.sleep(1.5)
                    start, used = time.monotonic(), cpu([one.process.pid])
                    time.sleep(12)
                    costs[count].append(1000 * (cpu([one.process.pid]) - used) / (time.monotonic() - start))
    for count, all in costs.items():
        print(f"publisher at {count} gateways: {sum(all) / len(all):.1f} ms of a core in a second "
              f"({min(all):.1f} to {max(all):.1f})")


APPEND = """
  WITH log AS (
    UPDATE fleet_log SET number = number + 1, sign = clock_timestamp()
    WHERE name = 'log' || :client_id AND epoch = 1 RETURNING name, number
  ), written AS (
    INSERT INTO fleet_message SELECT name, 1, number, false, 1, repeat('0123456789abcdef', 640) FROM log RETURNING log
  )
  SELECT log FROM written;
  SELECT pg_notify('fleet', 'log' || :client_id);
"""
PLAIN = "INSERT INTO plain VALUES ('log' || :client_id, 1, :client_id, false, 1, repeat('0123456789abcdef', 640));"


def appends():
    """Appends a second beside plain inserts of the same 10 KiB, by turns."""
    with Database() as database:
        with Publisher(options.program, database, "first", "--simulate", 1) as first:
            wait_for("tables", lambda: first.says("writing"))
        database.ask("""
          CREATE TABLE plain AS SELECT * FROM fleet_message LIMIT 0;
          INSERT INTO fleet_log SELECT 'log' || number, 1, 0, '1 day', now() FROM generate_series(0, 63) AS number""")
        rates = collections.defaultdict(list)
        with contextlib.ExitStack() as stack:
            for _ in range(3):
                for clients in (1, 10):
                    for name, text in (("append", APPEND), ("INSERT", PLAIN)):
                        script = stack.enter_context(open(f"/tmp/fleet-{os.getpid()}-{name}.sql", "w"))
                        script.write(" ".join(text.split()))
                        script.flush()
                        output = subprocess.run(
                            [database.programs / "pgbench", "-n", "-M", "extended", "-c", str(clients), "-j", "2", "-T", "4",
                             "-f", script.name, database.options], env=database.environment, check=True,
                            capture_output=True, text=True).stdout
                        rates[clients, name].append(float(re.search(r"tps = ([\d.]+)", output)[1]))
                        os.unlink(script.name)
        for (clients, name), all in rates.items():
            print(f"{name}, {clients} at once: {sum(all) / len(all):,.0f} a second ({min(all):,.0f} to {max(all):,.0f})")


def standby():
    """The time from a killed publisher to the first row of its standby, in a tab."""
    lease, times = 2.0, []
    with Database() as database, contextlib.ExitStack() as stack:
        gateway = stack.enter_context(Gateway(options.program, database))
        tab = Tab(gateway.port, keeps_history=False)
        writer = machines(stack, database, 1, lease)[0]
        wait_for("a row", lambda: "m0" in tab.lists)
        for _ in range(6):
            other = machines(stack, database, 1, lease)[0]
            wait_for("a standby", lambda: other.says("waiting"))
            time.sleep(1)
            epoch, start = tab.lists["m0"].epoch, time.monotonic()
            writer.kill()
            wait_for("its first row", lambda: tab.lists["m0"].epoch != epoch, pause=0.005)
            times.append(time.monotonic() - start)
            writer = other
        tab.end()
    print(f"standby: {min(times):.2f} to {max(times):.2f} s after the kill, with a lease of {lease} s")


files = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (min(max(files[0], 4 * options.tabs), files[1]), files[1]))
for part in (tabs, publisher, appends, standby):
    if not options.parts or part.__name__ in options.parts:
        part()
