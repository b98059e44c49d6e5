"""Runs a PostgreSQL in a temporary directory, publishers and gateways: nothing but the standard library.

All are context managers that leave nothing behind.
"""
import contextlib
import glob
import http.client
import json
import os
import pathlib
import pwd
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "Web"))
from browser import wait_for  # noqa: E402


# Who ends a script ends what it has started, too.
signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


class Database:
    """A PostgreSQL of its own, on the loopback interface, as a user that is not root.

    Its password stands in a file, which `environment` names to libpq.
    """

    def __init__(self, *settings):
        found = glob.glob("/usr/lib/postgresql/*/bin") or [os.path.dirname(shutil.which("initdb") or "")]
        self.programs = pathlib.Path(sorted(found)[-1])
        if not (self.programs / "initdb").exists():
            raise SystemExit("PostgreSQL is missing: apt-get install postgresql")
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="fleet-"))
        self.data = self.folder / "data"
        self.user = {}
        if os.geteuid() == 0:
            names = {entry.pw_name for entry in pwd.getpwall()}
            name = "postgres" if "postgres" in names else "nobody"
            self.user = {"user": name, "group": pwd.getpwnam(name).pw_gid, "extra_groups": []}
            shutil.chown(self.folder, name)
        password = secrets.token_hex(16)
        secret = self.folder / "secret"
        self.write(secret, password)
        self.port = free_port()
        self.passfile = tempfile.NamedTemporaryFile("w", prefix="fleet-pass-")
        self.passfile.write(f"127.0.0.1:*:*:fleet:{password}\n")
        self.passfile.flush()
        self.environment = {**os.environ, "PGPASSFILE": self.passfile.name}
        self.call("initdb", "-D", self.data, "-U", "fleet", "--auth=scram-sha-256", f"--pwfile={secret}",
                  "-E", "UTF8", "--locale=C", "--no-sync")
        secret.unlink()
        with open(self.data / "postgresql.conf", "a") as file:
            file.write("\n".join([
                "listen_addresses = '127.0.0.1'", f"port = {self.port}", "unix_socket_directories = ''",
                "max_connections = 60", "log_min_messages = fatal", *settings, ""]))
        self.copies = 0
        try:
            self.start()
        except BaseException:
            self.close()
            raise

    @property
    def options(self):
        return self.through(self.port)

    def through(self, port):
        """What a program is given, so that it comes through a port."""
        return f"postgresql://fleet@127.0.0.1:{port}/postgres"

    def write(self, path, text):
        path.touch(mode=0o600)
        path.write_text(text)
        if self.user:
            shutil.chown(path, self.user["user"])

    def call(self, program, *arguments):
        subprocess.run(
            [self.programs / program, *map(str, arguments)], check=True, cwd="/", stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, **self.user)

    def start(self):
        self.call("pg_ctl", "-D", self.data, "-l", self.folder / "log", "-w", "-t", "30", "start")

    def stop(self, mode="immediate"):
        self.call("pg_ctl", "-D", self.data, "-w", "-t", "30", "-m", mode, "stop")

    def copy(self):
        """A copy of the stopped or running server's data, to be restored later."""
        self.copies += 1
        copy = self.folder / f"copy{self.copies}"
        self.stop("fast")
        subprocess.run(["cp", "-a", self.data, copy], check=True)
        self.start()
        return copy

    def restore(self, copy):
        self.stop()
        shutil.rmtree(self.data)
        subprocess.run(["cp", "-a", copy, self.data], check=True)
        self.start()

    def ask(self, statement, separator="\t"):
        """The rows that psql prints, as lists of texts."""
        output = subprocess.run(
            ["psql", "-XqAt", "-F", separator, "-v", "ON_ERROR_STOP=1", "-d", self.options, "-f", "-"],
            input=statement, env=self.environment, check=True, capture_output=True, text=True).stdout
        return [line.split(separator) for line in output.splitlines()]

    def close(self):
        with contextlib.suppress(subprocess.CalledProcessError):
            self.stop()
        self.passfile.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Process:
    """A program of the fleet; what it says is in `said`."""

    def __init__(self, program, database, *arguments, port=None, quiet=True):
        self.said, self.quiet = [], quiet
        self.process = subprocess.Popen(
            [program, *map(str, arguments), "--log", database.through(port or database.port)],
            env=database.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
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
        """What Ctrl-C does; gives the exit status."""
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


class Publisher(Process):
    def __init__(self, program, database, name, *arguments, **options):
        super().__init__(program, database, "publish", "--name", name, *arguments, **options)
        self.name = name


class Gateway(Process):
    def __init__(self, program, database, *arguments, listen=0, **options):
        super().__init__(program, database, "show", "--port", listen, *arguments, **options)
        first = self.process.stdout.readline()
        match = re.search(r"http://([^/]*):(\d+)/", first)
        if not match:
            raise AssertionError(f"the gateway has printed {first!r} and ended with {self.process.wait()}: {self.said}")
        self.port = int(match[2])
        self.address = f"http://127.0.0.1:{self.port}"

    def json(self, path):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        with contextlib.closing(connection):
            connection.request("GET", path)
            answer = connection.getresponse()
            body = answer.read()
        if answer.status != 200:
            raise AssertionError(f"{path} is answered with {answer.status}: {body[:200]}")
        return json.loads(body)


class Proxy:
    """Passes connections on to a port, and is as bad a network as it is told to be.

    `asked` and `answered` make, for each connection, what is called with what the client and the server have said;
    what that gives is passed on, and an exception cuts the connection.
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
                threading.Thread(target=self.pass_on, args=(source, target, change), daemon=True).start()

    def pass_on(self, source, target, change):
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
