#!/usr/bin/env python3
"""A history service that fails in every way that a client must handle.

Usage: faulty-server.py FOLDER    The program prints its port, and serves until it is killed.

GET /MODE/history.json, where MODE is one of
  ok       the sample in FOLDER          missing  404
  broken   500                           garbage  a response that is not JSON
  slow     the sample after ten seconds  cut      the first half of the sample
  flaky    500 for the first request, and then the sample
PUT /MODE/entries/N.json answers 204 if MODE is ok, and 500 otherwise.
"""
import http.server
import pathlib
import sys
import threading

folder = pathlib.Path(sys.argv[1])
stop = threading.Event()
seen = set()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        _, mode, name = self.path.split("/", 2)
        body = (folder / pathlib.Path(name).name).read_bytes()
        if mode == "missing":
            self.reply(404, b"no such page")
        elif mode == "broken" or (mode == "flaky" and self.path not in seen):
            seen.add(self.path)
            self.reply(500, b"it broke")
        elif mode == "garbage":
            self.reply(200, b"<html>this is not a history</html>")
        elif mode == "cut":
            self.reply(200, body[: len(body) // 2])
        else:
            if mode == "slow":
                stop.wait(10)
            self.reply(200, body)

    def do_PUT(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.reply(204 if self.path.startswith("/ok/") else 500, b"")

    def reply(self, status, body):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        try:
            self.wfile.write(body)
        except BrokenPipeError:
            pass

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True


server = Server(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
