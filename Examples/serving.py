"""Runs programs that serve pages, and simulates a bad network. This module needs only the standard library.

All classes are context managers that leave nothing behind.
"""
import contextlib
import http.client
import json
import re
import signal
import socket
import subprocess
import threading


class Program:
    """A running program. `said` contains the lines of its standard error."""

    def __init__(self, *command, environment=None, quiet=True):
        self.said, self.quiet = [], quiet
        self.process = subprocess.Popen(
            [*map(str, command)], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stderr:
            self.said.append(line.rstrip("\n"))
            if not self.quiet:
                print(line, end="", flush=True)

    def says(self, text):
        return any(text in line for line in self.said)

    def send(self, number):
        self.process.send_signal(number)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def end(self):
        """Interrupts the program like Ctrl-C, and returns its exit status."""
        self.send(signal.SIGINT)
        return self.process.wait(timeout=20)

    def is_running(self):
        return self.process.poll() is None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.is_running():
            self.kill()
        self.process.stdout.close()


class Server(Program):
    """A program whose first line of output contains the address that it serves."""

    def __init__(self, *command, **options):
        super().__init__(*command, **options)
        first = self.process.stdout.readline()
        match = re.search(r"http://([^/]*):(\d+)/", first)
        if not match:
            raise AssertionError(f"{command[0]} printed {first!r} and ended with {self.process.wait()}: {self.said}")
        self.host, self.port = match[1], int(match[2])
        self.address = f"http://{match[1]}:{match[2]}"

    def request(self, method, path, body=None, headers=None):
        """Sends a request, and returns the status, the headers and the bytes of the response."""
        connection = http.client.HTTPConnection(self.host.strip("[]"), self.port, timeout=20)
        with contextlib.closing(connection):
            connection.request(method, path, body, headers or {})
            response = connection.getresponse()
            return response.status, response.headers, response.read()

    def json(self, path):
        status, _, body = self.request("GET", path)
        if status != 200:
            raise AssertionError(f"{path} returned {status}: {body[:200]}")
        return json.loads(body)


class Proxy:
    """Forwards connections to the port that `choose` returns, and closes them on request.

    The proxy calls `asked` and `answered` for each connection. Each returns a function that gets each piece of the bytes from the
    client or from the server. The proxy forwards the function's result, and closes the connection if the function throws.
    """

    def __init__(self, choose, asked=None, answered=None):
        self.choose, self.asked, self.answered = choose, asked, answered
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.sockets = set()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client = self.listener.accept()[0]
            except OSError:
                return
            try:
                server = socket.create_connection(("127.0.0.1", self.choose()))
            except OSError:
                client.close()
                continue
            self.sockets |= {client, server}
            for source, target, make in ((client, server, self.asked), (server, client, self.answered)):
                change = make() if make else None
                threading.Thread(target=self.forward, args=(source, target, change), daemon=True).start()

    def forward(self, source, target, change):
        try:
            while data := source.recv(65536):
                target.sendall(change(data) if change else data)
        except Exception:
            pass
        for end in (source, target):
            self.shut(end)

    def shut(self, end):
        self.sockets.discard(end)
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
        end.close()

    def cut(self):
        for end in list(self.sockets):
            self.shut(end)

    def close(self):
        self.listener.close()
        self.cut()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
