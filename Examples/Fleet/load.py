#!/usr/bin/env python3
"""Measures the figures of the README: load.py PROGRAM [--tabs N] [--machines N] [--processes N] [--seconds N] [PART…]

The parts are tabs, publisher, appends, standby, thousands and bytes_a_machine. Without PART, the script measures the first four.
The client uses the same processors as the servers, and implements PROTOCOL.md.

This command measures 2,000 machines at 3 gateways that are killed and restarted: load.py PROGRAM thousands --machines 2000
--processes 28 --every 60 --seconds 600
"""
import argparse
import asyncio
import collections
import contextlib
import os
import pathlib
import random
import re
import resource
import signal
import subprocess
import sys
import time
import zlib

from fleet import Database, Gateway, Publisher
from follower import Tab, digest
from browser import wait_for

parser = argparse.ArgumentParser()
parser.add_argument("program")
parser.add_argument("parts", nargs="*")
parser.add_argument("--tabs", type=int, default=1_000)
parser.add_argument("--machines", type=int, default=10)
parser.add_argument("--processes", type=int, default=300)
parser.add_argument("--seconds", type=float, default=60)
parser.add_argument("--every", type=float, default=60, help="the seconds between two readings of a machine, for thousands and bytes_a_machine")
options = parser.parse_intermixed_args()
tick = os.sysconf("SC_CLK_TCK")


def family(process):
    """Returns the process numbers of a process and its children."""
    children = pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [process, *map(int, children)]


def cpu(processes):
    """Returns the processor time of processes, in seconds."""
    total = 0.0
    for process in processes:
        with contextlib.suppress(OSError):
            fields = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
            total += (int(fields[11]) + int(fields[12])) / tick
    return total


def memory(processes):
    """Returns the memory of processes in MiB. Shared memory is divided among the processes that share it."""
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


def gateway(stack, database, listen=0):
    return stack.enter_context(Gateway(
        options.program, database, "--tabs", options.tabs, "--of-one", 2 * options.tabs, listen=listen))


def heads(database):
    return {name: int(number) for name, number in database.ask("SELECT name, number FROM fleet_log")}


def postmaster(database):
    return int((database.data / "postmaster.pid").read_text().splitlines()[0])


HEAD = [re.compile(pattern) for pattern in (
    rb'"log":"([^"]*)"', rb'"kind":"([^"]*)"', rb'"epoch":(\d+)', rb'"to":(\d+)', rb'"from":(\d+)')]
REVISIONS = {}  # Thousands of tabs share these tuples.


class Light(asyncio.Protocol):
    """A page that accepts compressed events like a browser. If `looks` is true, it records its revision of each list.

    Quotes within texts are escaped, so regular expressions find the keys of a message. The expressions find "to" and "from" only
    before a number, because a moved item has keys with the same names before arrays.
    """

    def __init__(self, port, looks=True, has=None):
        self.port, self.looks, self.bytes, self.plain = port, looks, 0, 0
        self.chunks, self.tail, self.hasHead, self.isOver = b"", b"", False, False
        self.unpack = zlib.decompressobj(31)
        self.has = {} if has is None else has  # from a list to its epoch and number
        self.problems, self.events, self.snapshots = [], 0, 0

    def connection_made(self, transport):
        self.transport = transport
        known = ",".join(f"{name}={epoch}-{number}" for name, (epoch, number) in self.has.items())
        transport.write(
            f"POST /events HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nAccept-Encoding: gzip\r\n"
            f"Content-Length: {len(known)}\r\n\r\n{known}".encode())

    def connection_lost(self, _):
        self.isOver = True

    def data_received(self, data):
        self.bytes += len(data)
        if not self.looks:
            return
        self.chunks += data
        if not self.hasHead:
            head, found, rest = self.chunks.partition(b"\r\n\r\n")
            if not found:
                return
            if not head.startswith(b"HTTP/1.1 200"):
                self.transport.abort()
            self.hasHead, self.chunks = True, rest
        while (end := self.chunks.find(b"\r\n")) >= 0:
            size = int(self.chunks[:end], 16)
            if len(self.chunks) < end + 4 + size:
                return
            self.look(self.unpack.decompress(self.chunks[end + 2 : end + 2 + size]))
            self.chunks = self.chunks[end + 4 + size :]

    def look(self, data):
        self.plain += len(data)
        *events, self.tail = (self.tail + data).split(b"\n\n")
        for event in events:
            if event.startswith(b"event: list"):
                self.take(event)

    def take(self, event):
        """Checks that each patch starts at its list's revision, and that revisions increase."""
        log, kind, epoch, to, start = ((found := pattern.search(event)) and found[1] for pattern in HEAD)
        name = sys.intern(log.decode())
        old, new = self.has.get(name), (int(epoch), int(to))
        self.events += 1
        self.snapshots += kind == b"snapshot"
        if kind == b"patch" and old != (new[0], int(start)):
            self.problems.append(f"{name}: got a patch from {start} to {new}, but has {old}")
        if old and old[0] == new[0] and old[1] >= new[1]:
            self.problems.append(f"{name}: got {new} after {old}")
        self.has[name] = REVISIONS.setdefault(new, new)

    def numbers(self):
        return {name: number for name, (_, number) in self.has.items() if name != "*"}


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
          f"processes, {seconds:.0f} s; ages sampled in {lookers} tabs")
    for age in sorted(ages):
        if ages[age] / total >= 0.0005:
            print(f"  {age} readings old: {100 * ages[age] / total:.1f} %")
    print(f"  at most two readings old: {100 * sum(ages[age] for age in ages if age <= 2) / total:.1f} %")
    print(f"  each tab receives {sent / seconds / len(tabs) / 1024:.0f} KiB per second, or "
          f"{plain / seconds / lookers / 1024:.0f} KiB when decompressed; all tabs together {sent / seconds / 2 ** 20:.0f} MiB")
    after = memory(parts["gateways"])
    print(f"  a gateway takes {before / len(gateways):.0f} MiB without tabs, {after / len(gateways):.0f} MiB with them: "
          f"{(after - before) * 1024 / len(tabs):.0f} KiB per tab")
    for name, processes in parts.items():
        print(f"  {name}: {100 * (cpu(processes) - used[name]) / seconds:.0f} % of a core, {memory(processes):.0f} MiB")
    for tab in tabs:
        tab.transport.abort()


def tabs():
    with Database() as database, contextlib.ExitStack() as stack:
        publishers = machines(stack, database, options.machines)
        gateways = [
            gateway(stack, database) for _ in range(3)]
        wait_for("all machines", lambda: len(gateways[0].json("/lists")) == options.machines, 60)
        time.sleep(5)
        asyncio.run(follow(database, gateways, {
            "gateways": [gateway.process.pid for gateway in gateways],
            "publishers": [publisher.process.pid for publisher in publishers],
            "PostgreSQL": family(postmaster(database)),
            "the client": [os.getpid()]}))


async def restarted(stack, database, gateways, publishers, parts):
    """Runs tabs that connect to another gateway whenever their gateway is killed. Three of them apply every message."""
    loop = asyncio.get_running_loop()
    ends, tabs, whole = time.monotonic() + options.seconds, [], []
    counts, isOver = collections.Counter(), False

    async def tab(number):
        has, problems = {}, []
        tabs.append((has, problems))
        await asyncio.sleep(number * options.seconds / 10 / options.tabs)
        while not isOver:
            port = random.choice(gateways).port
            light = None
            with contextlib.suppress(OSError):
                light = (await loop.create_connection(lambda: Light(port, has=has), "127.0.0.1", port))[1]
                counts["connections"] += 1
                while not light.isOver and not isOver:
                    await asyncio.sleep(0.5)
                light.transport.abort()
            if light:
                counts.update(events=light.events, snapshots=light.snapshots, bytes=light.bytes, plain=light.plain)
                problems += light.problems
            await asyncio.sleep(random.uniform(0.2, 1))

    def usage():
        return {name: cpu([process.process.pid for process in processes]) for name, processes in parts.items()}

    used, spent, kills = usage(), collections.Counter(), 0
    server, own = cpu(family(postmaster(database))), cpu([os.getpid()])
    running = [asyncio.create_task(tab(number)) for number in range(options.tabs)]
    for number in range(3):
        whole.append(await asyncio.to_thread(Tab, gateways[number].port))
    begun = time.monotonic()
    while time.monotonic() < ends:
        await asyncio.sleep(min(30, max(1, options.seconds / 20)))
        for name, seconds in usage().items():
            spent[name] += max(0, seconds - used[name])
        if time.monotonic() < ends - options.seconds / 10:
            place = random.randrange(3)
            port = gateways[place].port
            gateways[place].kill()
            gateways[place] = await asyncio.to_thread(gateway, stack, database, port)
            kills += 1
            if kills == 5:
                publishers[0].kill()
                publishers[0] = many(stack, database, 0)
        used = usage()
    seconds = time.monotonic() - begun
    sizes = {name: memory([process.process.pid for process in processes]) for name, processes in parts.items()}
    sizes["PostgreSQL"], sizes["the client"] = memory(family(postmaster(database))), memory([os.getpid()])
    spent["PostgreSQL"] = cpu(family(postmaster(database))) - server
    spent["the client"] = cpu([os.getpid()]) - own
    for one in publishers:
        one.send(signal.SIGINT)
    for one in publishers:
        await asyncio.to_thread(one.process.wait, 60)
    last = {name: (int(epoch), int(number)) for name, epoch, number in database.ask("SELECT name, epoch, number FROM fleet_log")}
    lacks = None
    for _ in range(120):
        lacks = sum({name: has[name] for name in has if name != "*"} != last for has, _ in tabs)
        if not lacks and all({name: (one.epoch, one.number) for name, one in tab.lists.items()} == last for tab in whole):
            break
        await asyncio.sleep(1)
    isOver = True
    await asyncio.gather(*running)
    lists = await asyncio.to_thread(gateways[0].json, "/lists")
    wrong = sum(digest(one.sections) != digest(lists[name]["sections"]) for tab in whole for name, one in tab.lists.items())
    problems = [problem for _, problems in tabs for problem in problems] + [each for tab in whole for each in tab.problems]
    print(f"{options.tabs} tabs, 3 gateways, {len(last)} machines of {options.processes} processes, one reading every "
          f"{options.every} s, {seconds:.0f} s; {kills} gateways killed and restarted")
    print(f"  {counts['connections']} connections, {counts['events']} messages, {counts['snapshots']} of them full snapshots")
    print(f"  {len(problems)} messages out of order{problems[:3]}; {lacks} tabs that did not end with the lists in the logs; in three "
          f"tabs that apply every message, {wrong} of {sum(len(tab.lists) for tab in whole)} lists differ")
    print(f"  each tab receives {counts['bytes'] / seconds / options.tabs / 1024:.1f} KiB per second, including the first lists, "
          f"or {counts['plain'] / seconds / options.tabs / 1024:.1f} KiB when decompressed")
    for name, size in sizes.items():
        print(f"  {name}: {100 * spent[name] / seconds:.0f} % of a core, {size:.0f} MiB")
    for tab in whole:
        tab.end()
    assert not problems and not lacks and not wrong


def many(stack, database, part):
    """Starts a process that publishes a quarter of the machines."""
    return stack.enter_context(Publisher(
        options.program, database, f"box{part}", "--simulate", 1000 * part, "--processes", options.processes, "--machines",
        options.machines // 4, "--every", options.every, "--lease", 60))


def thousands():
    with Database() as database, contextlib.ExitStack() as stack:
        publishers = [many(stack, database, part) for part in range(4)]
        gateways = [gateway(stack, database) for _ in range(3)]
        count = [[str(options.machines // 4 * 4)]]
        wait_for("all machines", lambda: database.ask("SELECT count(*) FROM fleet_log WHERE number > 0") == count,
                 3 * options.every + 60, pause=1)
        wait_for("all lists at the gateways", lambda: all(
            one.json("/status")["lists"] == int(count[0][0]) for one in gateways), 300, pause=1)
        sizes = [memory([one.process.pid]) for one in gateways]
        print(f"a gateway takes {sum(sizes) / 3:.0f} MiB without tabs")
        asyncio.run(restarted(stack, database, gateways, publishers, {"gateways": gateways, "publishers": publishers}))


def bytes_a_machine():
    """Measures the bytes that a tab gets per machine, at its start and for each reading, with 12, 100 and all machines."""
    for count in (12, 100, options.machines):
        with Database() as database, contextlib.ExitStack() as stack:
            size, options.machines = options.machines, count
            for part in range(4):
                many(stack, database, part)
            options.machines = size
            one = gateway(stack, database)
            wait_for("all machines", lambda: one.json("/status")["lists"] == count, 3 * options.every + 120, pause=1)

            async def follow():
                light = (await asyncio.get_running_loop().create_connection(lambda: Light(one.port), "127.0.0.1", one.port))[1]
                while len(light.numbers()) < count:
                    await asyncio.sleep(0.2)
                first, start = light.bytes, time.monotonic()
                await asyncio.sleep(options.seconds)
                sent = (light.bytes - first) / (time.monotonic() - start)
                print(f"{count} machines of {options.processes} processes, one reading every {options.every} s: the first lists "
                      f"take {first / count:.0f} bytes per machine, and a reading takes {sent / count * options.every:.0f}")
                light.transport.abort()
            asyncio.run(follow())


def publisher():
    """Measures the processor time of a publisher, alternately while 0, 1 and 3 gateways follow it."""
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
        print(f"publisher with {count} gateways: {sum(all) / len(all):.1f} ms of processor time per second "
              f"({min(all):.1f} to {max(all):.1f})")


APPEND = """
  WITH log AS (
    UPDATE fleet_log SET number = number + 1, heartbeat = clock_timestamp()
    WHERE name = 'log' || :client_id AND epoch = 1 RETURNING name, number
  ), written AS (
    INSERT INTO fleet_message SELECT name, 1, number, false, 1, repeat('0123456789abcdef', 640) FROM log RETURNING log
  )
  SELECT log FROM written;
  SELECT pg_notify('fleet', 'log' || :client_id);
"""
PLAIN = "INSERT INTO plain VALUES ('log' || :client_id, 1, :client_id, false, 1, repeat('0123456789abcdef', 640));"


def appends():
    """Measures appends per second and plain inserts per second of the same 10 KiB, alternately."""
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
            print(f"{name}, {clients} at once: {sum(all) / len(all):,.0f} per second ({min(all):,.0f} to {max(all):,.0f})")


def standby():
    """Measures the time from killing a publisher until a tab shows the first row of its standby."""
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
for part in (tabs, publisher, appends, standby, thousands, bytes_a_machine):
    if part.__name__ in (options.parts or ("tabs", "publisher", "appends", "standby")):
        part()
