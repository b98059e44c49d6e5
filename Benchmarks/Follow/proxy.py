#!/usr/bin/env python3
"""Simulates a bad network between a process that owns a list, two relays that forward it, and a follower.

Usage: proxy.py PROGRAM [EDITS [SEED]]

Lines are dropped, repeated, held back, overtaken and cut in the middle, in all directions. Nine times, the source is killed and
replaced while its last message is still in flight. The follower sends its requests to the source or to either relay, and switches
between them. Every list that a follower or a relay ever has must be a list that the source has shown. Within an epoch, the
follower never goes back, and in the end it must have the shown list. The seed decides the network's faults, but not the
interleaving of the processes.
"""
import collections
import queue
import random
import subprocess
import sys
import threading

EPOCHS = 10
EMPTY = str(0xCBF29CE484222325)  # the digest of a list without sections

program = sys.argv[1]
edits = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
seed = int(sys.argv[3]) if len(sys.argv) > 3 else 21
chance = random.Random(seed)
arrived = queue.Queue()
counts = collections.Counter()


class Process:
    """A process whose lines arrive in the queue, each with the process, so that a replaced process can be recognized."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen(
            [program, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            arrived.put((self, line.rstrip("\n")))
        arrived.put((self, None))

    def write(self, line):
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass

    def end(self):
        self.process.kill()
        self.process.wait()


class Way:
    """One direction of a connection, with the lines that are held back, each with the number of lines that overtake it."""

    def __init__(self):
        self.held = []

    def send(self, line, deliver):
        """Delivers, drops, repeats, delays or cuts a line. Returns whether the connection was cut."""
        dice = chance.random()
        if dice < 0.04:
            counts["dropped"] += 1
        elif dice < 0.08:
            counts["repeated by the network"] += 1
            deliver(line)
            self.held.append([chance.randint(0, 8), line])
        elif dice < 0.18:
            counts["held back"] += 1
            self.held.append([chance.randint(1, 12), line])
        elif dice < 0.19:
            counts["cut"] += 1
            self.held = []
            deliver(line[:chance.randint(0, len(line))].strip() or "?")
            return True
        else:
            deliver(line)
        for held in self.held:
            held[0] -= 1
        due = [line for left, line in self.held if left < 0]
        self.held = [held for held in self.held if held[0] >= 0]
        chance.shuffle(due)
        for line in due:
            deliver(line)
        return False


def run():
    mirror = Process("mirror")
    relays = {"A": Process("relay"), "B": Process("relay")}
    shares = [edits // EPOCHS] * (EPOCHS - 1)
    shares.append(edits - sum(shares))
    source = Process("source", str(seed), str(shares[0]))
    epochs = 1
    ways = collections.defaultdict(Way)
    shown, had, done = {EMPTY}, set(), None
    last_patch = ""
    asked, has_changed, revision = "source", False, None
    quiet = 0

    def nudge(name):
        """Makes a follower repeat its request."""
        if name == "mirror":
            mirror.write("")
        else:
            relays[name].write("up")

    def carry(sender, receiver, line, deliver, follower):
        if ways[sender, receiver].send(line, deliver):
            nudge(follower)

    while True:
        try:
            sender, line = arrived.get(timeout=0.01)
            quiet = 0
        except queue.Empty:
            # No process has written anything, so the followers repeat their requests, as they would after a timeout.
            quiet += 1
            counts["requests repeated after silence"] += 1
            assert quiet < 2_000, "no process has written for 2,000 rounds"
            for name in ("mirror", *relays):
                nudge(name)
            continue
        name = next((name for name, relay in relays.items() if relay is sender), "")
        if line is None:
            assert sender not in (mirror, source, *relays.values()), f"a process ended early: {sender.process.args}"
        elif line.startswith("#shown "):
            shown.add(line.split()[1])
        elif line.startswith("#done ") and sender is source:
            done = line.split()[1]
            counts["edits"] += shares[epochs - 1]
            if epochs < len(shares):
                source.end()
                ways["source", "mirror"].held.append([chance.randint(4, 12), last_patch])
                source = Process("source", str(seed + epochs), str(shares[epochs]))
                epochs, done = epochs + 1, None
        elif line.startswith("#has "):
            _, digest, outcome = line.split()
            had.add(digest)
            counts[outcome] += 1
            if has_changed and outcome != "repeated":
                counts[f"after switching to another process: {outcome}"] += 1
                has_changed = False
            if digest == done:
                break
        elif line.startswith("#took "):
            had.add(line.split()[1])
            counts["relays: " + line.split()[2]] += 1
        elif line.startswith("#refused "):
            counts["refused: " + line.split()[1]] += 1
        elif sender is mirror:
            now = tuple(map(int, line.split("-"))) if line != "-" else None
            if now and revision and now[0] == revision[0]:
                assert now >= revision, f"the follower went back from {revision} to {now}"
            revision = now or revision
            if chance.random() < 0.05:
                asked, has_changed = chance.choice(["source", *relays]), True
            asks = source if asked == "source" else relays[asked]
            carry("mirror", asked, "mirror " + line, asks.write, "mirror")
        elif name and line.startswith("up "):
            carry(name, "source", name + line[2:], source.write, name)
        else:
            # A response consists of the name of the follower and the message.
            receiver, _, message = line.partition(" ")
            if receiver == "mirror":
                carry(name or "source", "mirror", message, mirror.write, "mirror")
            elif sender is source and receiver in relays:  # Otherwise the name in the request was cut.
                carry("source", receiver, "up " + message, relays[receiver].write, receiver)
            if sender is source and '"kind":"patch"' in message:
                last_patch = message
    for process in (mirror, source, *relays.values()):
        process.end()
    # The report of the last shown list may still be in the queue.
    while not arrived.empty():
        _, line = arrived.get()
        if line and line.startswith("#shown "):
            shown.add(line.split()[1])
    assert had <= shown, f"{len(had - shown)} lists that a follower or a relay had were never shown"
    for name in ("replaced", "updated", "repeated", "refused: gap", "refused: epoch", "cut", "relays: updated",
                 "relays: replaced", "after switching to another process: updated"):
        assert counts[name] > 0, f"this never happened: {name}: {dict(counts)}"
    print(f"equal after {counts['edits']} edits in {epochs} epochs; the followers had {len(had)} different lists, all of which were shown")
    print(", ".join(f"{name} {count}" for name, count in sorted(counts.items())))


run()
