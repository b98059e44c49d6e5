"""Follows a gateway like a page, and compares the received lists with a record of the log.

This module needs only the standard library.
"""
import hashlib
import json
import random
import re
import socket
import threading
import time


def carry_out(stage, sections):
    """Applies a stage. Deletes and `from` are positions before the stage, and `at` and `to` are positions after it."""
    old = list(sections)
    items = [(insert["at"], insert["value"]) for insert in stage.get("itemInserts", ())]
    leaving = [(path, None) for path in stage.get("itemDeletes", ())]
    leaving += [(move["from"], move["to"]) for move in stage.get("itemMoves", ())]
    for path, to in sorted(leaving, key=lambda each: each[0], reverse=True):
        item = old[path[0]]["items"].pop(path[1])
        if to:
            items.append((to, item))
    coming = [(insert["at"], insert["value"]) for insert in stage.get("sectionInserts", ())]
    going = [(offset, None) for offset in stage.get("sectionDeletes", ())]
    going += [(move["from"], move["to"]) for move in stage.get("sectionMoves", ())]
    for offset, to in sorted(going, key=lambda each: each[0], reverse=True):
        section = sections.pop(offset)
        if to is not None:
            coming.append((to, section))
    for at, section in sorted(coming, key=lambda each: each[0]):
        sections.insert(at, section)
    for at, item in sorted(items, key=lambda each: each[0]):
        sections[at[0]]["items"].insert(at[1], item)
    for update in stage.get("itemUpdates", ()):
        section, item = update["at"]
        sections[section]["items"][item] = update["value"]
    for update in stage.get("sectionUpdates", ()):
        sections[update["at"]]["content"] = update["value"]


def digest(sections):
    return hashlib.blake2b(json.dumps(sections, sort_keys=True).encode(), digest_size=12).hexdigest()


class Mirror:
    """A copy of a list, which is updated by messages."""

    def __init__(self):
        self.epoch = self.number = None
        self.sections = []

    def take(self, message):
        """Applies a message, and returns whether it fits."""
        if message["kind"] == "snapshot":
            self.sections = json.loads(json.dumps(message["sections"]))
        else:
            if (self.epoch, self.number) != (message["epoch"], message["from"]):
                return False
            for stage in json.loads(json.dumps(message["stages"])):
                carry_out(stage, self.sections)
        self.epoch, self.number = message["epoch"], message["to"]
        return True


class Tab:
    """A page without a browser, which runs on its own thread and reconnects whenever its connection ends."""

    def __init__(self, port, keeps_history=True, query=""):
        self.port, self.keeps_history, self.query = port, keeps_history, query
        self.lists, self.fleet = {}, Mirror()
        self.history = []  # (log, epoch, number, digest)
        self.problems = []
        self.connections = self.patches = self.snapshots = self.resumed = 0
        self.isEnded = False
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        while not self.isEnded:
            try:
                with socket.create_connection(("127.0.0.1", self.port), timeout=5) as self.connection:
                    self.connection.settimeout(5)
                    self.follow()
            except (OSError, ValueError):
                pass
            time.sleep(random.uniform(0.01, 0.05))

    def follow(self):
        self.connections += 1
        known = ",".join(f"{name}={mirror.epoch}-{mirror.number}" for name, mirror in self.all().items())
        self.connection.sendall(
            f"POST /events{self.query} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nContent-Length: {len(known)}\r\n\r\n{known}".encode())
        file = self.connection.makefile("rb")
        if b" 200 " not in file.readline():
            return
        while file.readline().strip():
            pass
        text, self.isNew = b"", set(self.lists)
        while size := int(file.readline() or b"0", 16):
            chunk = file.read(size)
            if len(chunk) < size:
                return
            text += chunk
            file.readline()
            while b"\n\n" in text:
                event, text = text.split(b"\n\n", 1)
                if b"event: list" in event:
                    self.take(json.loads(re.search(rb"^data: (.*)$", event, re.M)[1]))

    def all(self):
        """Returns all lists of the page, including the list of machines."""
        return {**self.lists, **({"*": self.fleet} if self.fleet.epoch else {})}

    def take(self, event):
        log, message = event["log"], event["message"]
        mirror = self.fleet if log == "*" else self.lists.get(log) or Mirror()
        before = (mirror.epoch, mirror.number)
        if not mirror.take(message):
            self.problems.append(f"{log}: got a patch from {message['from']}, but has {before}")
            return
        if mirror.epoch == before[0] and mirror.number <= before[1]:
            self.problems.append(f"{log}: went back from {before} to {mirror.number}")
        if log == "*":
            about, machines = mirror.sections[0]["content"], mirror.sections[0]["items"]
            if machines or "trouble" not in about:
                names = {machine["name"] for machine in machines}
                self.lists = {log: mirror for log, mirror in self.lists.items() if log in names}
            return
        self.lists[log] = mirror
        self.patches += message["kind"] == "patch"
        self.snapshots += message["kind"] == "snapshot"
        self.resumed += log in self.isNew and message["kind"] == "patch"
        self.isNew.discard(log)
        if self.keeps_history:
            self.history.append((log, mirror.epoch, mirror.number, digest(mirror.sections)))

    def end(self):
        self.isEnded = True
        try:
            self.connection.shutdown(socket.SHUT_RDWR)
        except (OSError, AttributeError):
            pass
        self.thread.join(10)


class Recorder:
    """Records the messages that publishers send to PostgreSQL, and reports a revision with two different messages."""

    def __init__(self):
        self.lock = threading.Lock()
        self.sent = {}  # (log, epoch, number) -> body
        self.problems = []

    def reader(self):
        """Returns a function that reads the bytes of one connection and forwards them."""
        waiting = bytearray()
        state = {"isStarted": False}

        def read(data):
            waiting.extend(data)
            while True:
                head = 5 if state["isStarted"] else 4
                if len(waiting) < head:
                    return data
                size = int.from_bytes(waiting[head - 4:head], "big") + head - 4
                if len(waiting) < size:
                    return data
                if head == 4:
                    # A client may request TLS before it sends its start message.
                    state["isStarted"] = waiting[4:8] == b"\x00\x03\x00\x00"
                elif waiting[:1] == b"B":
                    self.bind(bytes(waiting[5:size]))
                del waiting[:size]
        return read

    def bind(self, data):
        data = data.split(b"\0", 2)[2]
        formats = int.from_bytes(data[:2], "big")
        at = 2 + 2 * formats
        count, at = int.from_bytes(data[at:at + 2], "big"), at + 2
        values = []
        for _ in range(count):
            size, at = int.from_bytes(data[at:at + 4], "big", signed=True), at + 4
            values.append(None if size < 0 else data[at:at + size])
            at += max(size, 0)
        if count != 7:
            return
        key = (values[0].decode(), int(values[1]), int(values[2]))
        with self.lock:
            if self.sent.setdefault(key, values[5]) != values[5]:
                self.problems.append(f"{key} has two different messages")

    def states(self):
        """Returns the digest of each list at each revision."""
        states, mirrors = {}, {}
        for key in sorted(self.sent):
            mirror = mirrors.setdefault(key[:2], Mirror())
            if mirror.take(json.loads(self.sent[key])):
                states[key] = digest(mirror.sections)
        return states

    def judge(self, tab):
        """Returns the problems of a tab. Each state that the tab showed must be in the log, and in the log's order."""
        states = self.states()
        problems = self.problems + tab.problems
        last = {}
        for log, epoch, number, shown in tab.history:
            if states.get((log, epoch, number)) != shown:
                problems.append(f"the tab showed a state that was never in the log: {(log, epoch, number)}")
            if last.get(log, (None,))[0] == epoch and last[log][1] >= number:
                problems.append(f"{log}: the tab showed {number} after {last[log]}")
            last[log] = (epoch, number)
        return problems
