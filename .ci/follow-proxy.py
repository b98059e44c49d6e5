#!/usr/bin/env python3
"""Stands between a process that shows a list and one that follows it, and is a bad network.

Usage: follow-proxy.py PROGRAM [EDITS [SEED]]

Lines are dropped, repeated, held back, overtaken and cut in the middle, in both directions; nine times the source
is killed and another one takes its place, while what it said last is still under way. All that the follower ever has must be something that was shown, and in the
end it must have what is shown. Chance is drawn from the seed; how the processes take turns is not.
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
    """A process whose lines arrive in the queue; one that was replaced has no say any more."""

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
    """One direction of the connection, with the lines that are under way and how long they are held back."""

    def __init__(self):
        self.held = []

    def send(self, line, deliver):
        """Does with a line what a bad network does; says whether the connection was cut."""
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
    shares = [edits // EPOCHS] * (EPOCHS - 1)
    shares.append(edits - sum(shares))
    source = Process("source", str(seed), str(shares[0]))
    epochs = 1
    to_mirror, to_source = Way(), Way()
    shown, had, done = {EMPTY}, set(), None
    last_patch = ""
    quiet = 0
    while True:
        try:
            sender, line = arrived.get(timeout=0.01)
            quiet = 0
        except queue.Empty:
            # Nobody has anything to say: the follower asks again, as it would after a while.
            quiet += 1
            counts["asked again after silence"] += 1
            assert quiet < 2_000, "nothing happens any more"
            mirror.write("")
            continue
        if line is None:
            assert sender not in (mirror, source), f"a process ended early: {sender.process.args}"
        elif line.startswith("#shown "):
            shown.add(line.split()[1])
        elif line.startswith("#done ") and sender is source:
            done = line.split()[1]
            counts["edits"] += shares[epochs - 1]
            if epochs < len(shares):
                source.end()
                to_mirror.held.append([chance.randint(4, 12), last_patch])
                source = Process("source", str(seed + epochs), str(shares[epochs]))
                epochs, done = epochs + 1, None
        elif line.startswith("#has "):
            _, digest, outcome = line.split()
            had.add(digest)
            counts[outcome] += 1
            if digest == done:
                break
        elif line.startswith("#refused "):
            counts["refused: " + line.split()[1]] += 1
        elif sender is mirror:
            if to_source.send(line, source.write):
                mirror.write("")
        elif sender is source:
            if '"kind":"patch"' in line:
                last_patch = line
            if to_mirror.send(line, mirror.write):
                mirror.write("")
    mirror.end()
    source.end()
    # What was shown last may still be on its way here.
    while not arrived.empty():
        _, line = arrived.get()
        if line and line.startswith("#shown "):
            shown.add(line.split()[1])
    assert had <= shown, f"{len(had - shown)} lists that the follower had were never shown"
    for name in ("replaced", "updated", "repeated", "refused: gap", "refused: epoch", "cut"):
        assert counts[name] > 0, f"never {name}: {dict(counts)}"
    print(f"equal after {counts['edits']} edits in {epochs} epochs; {len(had)} lists were had, all of them shown")
    print(", ".join(f"{name} {count}" for name, count in sorted(counts.items())))


run()
