#!/usr/bin/env python3
"""Measures LiveTop with many tabs: load.py PROGRAM [--tabs N] [--stalled N] [--seconds N]

Half of the stalled tabs never read, and the other half read but never confirm that they have drawn anything. Of the healthy tabs, a
quarter rank by memory, and a quarter have their own filter. The script prints the memory and processor time of the server, and how
many readings a healthy tab is behind. It fails if a message is lost or a tab is too far behind.
"""
import argparse
import asyncio
import collections
import json
import os
import resource
import sys
import time

from livetop import LiveTop


begin = time.monotonic()


class Poster(asyncio.Protocol):
    """A connection for the commands of a tab, which is reopened if the server has closed it."""

    def __init__(self, port, name):
        self.port, self.name, self.transport, self.answers = port, name, None, 0

    async def open(self):
        await asyncio.get_running_loop().create_connection(lambda: self, "127.0.0.1", self.port)

    async def post(self, path, body):
        if self.transport.is_closing():
            await self.open()
        self.send(path, body)

    def send(self, path, body):
        self.transport.write(
            f"POST {path}?tab={self.name} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
            f"Content-Length: {len(body)}\r\n\r\n{body}".encode())

    def connection_made(self, transport):
        self.transport = transport

    def data_received(self, data):
        if not data.startswith(b"HTTP/1.1 204"):
            raise AssertionError(data[:200])
        self.answers += 1


class Tab(asyncio.Protocol):
    """A page without a browser, which follows the patches and confirms them."""

    def __init__(self, top, number, is_stalled, reads=True):
        self.top, self.number, self.is_stalled, self.reads = top, number, is_stalled, reads
        self.name = f"{number:032x}"
        self.reading = self.messages = self.bytes = self.gaps = 0
        self.epoch = self.revision = self.transport = None
        self.text, self.chunks, self.has_head = bytearray(), bytearray(), False
        self.poster = Poster(top.port, self.name)

    async def start(self):
        await self.poster.open()
        await asyncio.get_running_loop().create_connection(lambda: self, "127.0.0.1", self.top.port)
        if not self.reads:
            self.transport.pause_reading()
        self.transport.write(
            f"GET /events?tab={self.name} HTTP/1.1\r\nHost: 127.0.0.1:{self.top.port}\r\n\r\n".encode())

    async def wish(self):
        # The server knows the tab only after the first message, so a tab sends its settings after that.
        while self.reads and not self.messages:
            await asyncio.sleep(0.05)
        if self.number % 4 == 1:
            await self.poster.post("/command", '{"do":"rank","by":"memory"}')
        elif self.number % 4 == 2:
            text = f"{self.number % 250:x}"[-1:]
            await self.poster.post("/command", json.dumps({"do": "filter", "text": text}))

    def connection_made(self, transport):
        self.transport = transport

    def data_received(self, data):
        """Splits the response into chunks, and the chunks into events."""
        self.chunks += data
        if not self.has_head:
            head, found, rest = self.chunks.partition(b"\r\n\r\n")
            if not found:
                return
            self.has_head, self.chunks = True, rest
        while (end := self.chunks.find(b"\r\n")) >= 0:
            size = int(self.chunks[:end], 16)
            if len(self.chunks) < end + 4 + size:
                return
            self.text += self.chunks[end + 2 : end + 2 + size]
            del self.chunks[: end + 4 + size]
            self.bytes += size
            while (end := self.text.find(b"\n\n")) >= 0:
                event = bytes(self.text[:end])
                del self.text[: end + 2]
                if b"event: rows" in event:
                    self.draw(json.loads(event[event.index(b"data: ") + 6 :]))

    def draw(self, message):
        if message["kind"] == "patch" and message["from"] != self.revision:
            self.gaps += 1
        self.epoch, self.revision = message["epoch"], message["to"]
        self.messages += 1
        contents = [
            update["value"] for stage in message.get("stages", ())
            for update in stage.get("sectionUpdates", ())]
        contents += [section["content"] for section in message.get("sections", ())]
        for content in contents:
            if "machine" in content:
                self.reading = content["machine"]["reading"]
        if not self.is_stalled:
            self.answer()

    def answer(self):
        self.poster.send("/drawn", f"{self.epoch}-{self.revision}")

    def leave(self):
        self.transport.abort()
        self.poster.transport.abort()


class Account:
    """The server's memory, processor time, files and threads."""

    def __init__(self, process):
        self.folder = f"/proc/{process}"

    def memory(self):
        with open(f"{self.folder}/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))

    def cpu(self):
        with open(f"{self.folder}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def files(self):
        return len(os.listdir(f"{self.folder}/fd"))

    def threads(self):
        return len(os.listdir(f"{self.folder}/task"))


def note(text):
    """Prints the progress to standard error."""
    print(f"{time.monotonic() - begin:4.0f} s: {text}", file=sys.stderr, flush=True)


async def newest(top):
    return (await asyncio.to_thread(top.json, "/status"))["reading"]


async def load(top, options):
    account = Account(top.process.pid)
    await asyncio.sleep(3)
    before, files = account.memory(), account.files()
    tabs = [
        Tab(top, number, number < options.stalled, reads=number >= options.stalled // 2)
        for number in range(options.tabs)]
    for first in range(0, len(tabs), 50):
        await asyncio.gather(*(tab.start() for tab in tabs[first : first + 50]))
        await asyncio.gather(*(tab.wish() for tab in tabs[first : first + 50]))
    healthy = [tab for tab in tabs if not tab.is_stalled]
    note(f"{len(tabs)} tabs are connected")
    await asyncio.sleep(3)

    ages, start, cpu, most = collections.Counter(), time.monotonic(), account.cpu(), 0
    sent = sum(tab.messages for tab in healthy), sum(tab.bytes for tab in healthy)
    first = await newest(top)
    while time.monotonic() - start < options.seconds:
        reading = await newest(top)
        ages.update(reading - tab.reading for tab in healthy)
        most = max(most, account.memory())
        await asyncio.sleep(0.1)
    seconds = time.monotonic() - start
    cpu = account.cpu() - cpu
    messages = sum(tab.messages for tab in healthy) - sent[0]
    size = sum(tab.bytes for tab in healthy) - sent[1]
    stalled = max((tab.messages for tab in tabs if tab.is_stalled), default=0)
    threads = account.threads()

    # The stalled tabs confirm now, and one patch must update each of them to the newest reading.
    late = [tab for tab in tabs if tab.is_stalled and tab.reads]
    for tab in late:
        tab.is_stalled = False
    await asyncio.gather(*(tab.poster.post("/drawn", f"{tab.epoch}-{tab.revision}") for tab in late))
    await asyncio.sleep(3)
    reading = await newest(top)
    woken = max((reading - tab.reading for tab in late), default=0)

    for tab in tabs:
        tab.leave()
    left = time.monotonic()
    note("all tabs have left")
    while (status := await asyncio.to_thread(top.json, "/status"))["tabs"] and time.monotonic() - left < 100:
        await asyncio.sleep(0.5)
    await asyncio.sleep(2)

    note(f"the server has removed all tabs after {time.monotonic() - left:.0f} s")
    total = sum(ages.values())
    print(f"tabs                    {options.tabs}, {options.stalled} of them stalled, for {seconds:.0f} s")
    print(f"readings                {reading - first}, one every {options.every} s, {messages} patches to healthy tabs, "
          f"{size / max(messages, 1) / 1024:.1f} KiB each")
    print(f"memory                  {before / 1024:.1f} MiB without tabs, {most / 1024:.1f} MiB at most: "
          f"{(most - before) / options.tabs:.0f} KiB per tab")
    print(f"processor               {100 * cpu / seconds:.0f} % of one core, {threads} threads")
    print("age of healthy tabs     " + ", ".join(
        f"{age} readings: {100 * count / total:.2f} %" for age, count in sorted(ages.items())))
    print(f"stalled tabs            {stalled} messages at most; {woken} readings behind 3 s after their confirmation")
    print(f"after all have left     {status['tabs']} tabs, {account.files() - files} files, "
          f"{account.memory() / 1024:.1f} MiB")
    gaps = sum(tab.gaps for tab in tabs)
    assert gaps == 0, f"{gaps} patches did not fit the revision of their tab"
    assert max(ages) <= 2, f"a healthy tab was {max(ages)} readings behind"
    assert (most - before) / options.tabs <= 200, "the server needs more than 200 KiB per tab"
    assert stalled <= 2, f"a stalled tab got {stalled} messages"
    assert status["tabs"] == 0 and account.files() <= files, "the server still has tabs or files of tabs that have left"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--tabs", type=int, default=1_000)
    parser.add_argument("--stalled", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--every", type=float, default=1)
    options = parser.parse_args()
    files = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(
        resource.RLIMIT_NOFILE, (min(max(files[0], 4 * options.tabs), files[1]), files[1]))
    with LiveTop(options.program, "--simulate", 1, "--every", options.every, "--tabs", options.tabs,
                 "--of-one", 2 * options.tabs) as top:
        asyncio.run(load(top, options))
        assert top.end() == 0, "Ctrl-C should end the program with status 0"


if __name__ == "__main__":
    main()
