#!/usr/bin/env python3
"""Kills Courier at random moments, and checks which texts the server receives.

Usage: check.py PROGRAM [LIVES] [SEED]

The server recognizes identifiers, loses one request in ten and one response in ten, and refuses every seventh text. It must receive
every stored text, including the texts that it refuses, in the order in which they were written, and must accept each only once.
"""
import http.server
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time

program = sys.argv[1]
lives, seed = (int(number) for number in (sys.argv[2:] + ["200", "1"][len(sys.argv) - 2:])[:2])
chance = random.Random(seed)
taken, asked, refused, arrived, lock = {}, [], {}, [], threading.Lock()


class Server(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        length = int(self.headers["Content-Length"])
        text = self.rfile.read(length).decode()
        if len(text) < length:  # The program was killed while it sent this request.
            self.close_connection = True
            return
        with lock:
            fate = chance.randrange(10)
            if fate == 0:
                self.close_connection = True
                return
            identifier = self.path.split("/")[-1]
            if identifier not in asked:
                arrived.append(text)
            asked.append(identifier)
            is_refused = int(text.split()[-1]) % 7 == 0
            if is_refused:
                refused[identifier] = text
            else:
                taken.setdefault(identifier, text)
            if fate == 1:
                self.close_connection = True
                return
        self.send_response(422 if is_refused else 200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
folder = tempfile.mkdtemp()
command = [program, os.path.join(folder, "outbox.json"), f"http://127.0.0.1:{server.server_port}/notes"]
stored, number, most = [], 0, 0


def hear(line):
    global most
    if line.startswith("stored "):
        stored.append(line[len("stored "):].strip())
    elif "left by" in line:
        most = max(most, int(line.split()[0]))


for life in range(lives):
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    lines = [f"note {number + index}" for index in range(1, 6)]
    number += 5
    process.stdin.write("".join(f"{line}\n" for line in lines))
    process.stdin.flush()
    time.sleep(chance.uniform(0, 0.12))
    process.send_signal(signal.SIGKILL)
    for line in process.stdout:
        hear(line)
    process.wait()

last = subprocess.run(command, input="", stdout=subprocess.PIPE, text=True, timeout=20)
texts = list(taken.values())
repeated = len(asked) - len(set(asked))
problems = []
if "all sent" not in last.stdout:
    problems.append(f"the last run printed {last.stdout!r}, not 'all sent'")
answered = {*texts, *refused.values()}
missing = [text for text in stored if text not in answered]
if missing:
    problems.append(f"the server never received these texts: {missing[:5]}")
if len(set(texts)) != len(texts):
    problems.append("the server accepted the same text twice")
numbers = [int(text.split()[-1]) for text in arrived]
if numbers != sorted(numbers):
    problems.append("the texts arrived in a different order")
print(f"killed {lives} times: {len(stored)} texts stored, {len(texts)} accepted, {len(refused)} refused, {repeated} requests repeated, "
      f"at most {most} items left by a run")
if problems or not stored or not repeated:
    sys.exit("; ".join(problems) or "no text was stored, or no request was repeated, so the check proves nothing")
