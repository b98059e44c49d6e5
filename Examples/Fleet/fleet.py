"""Runs PostgreSQL in a temporary directory, publishers and gateways. This module needs only the standard library.

All classes are context managers that leave nothing behind.
"""
import contextlib
import glob
import os
import pathlib
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from serving import Program, Server  # noqa: E402


# A script that is terminated also ends the programs that it has started.
signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


class Database:
    """A separate PostgreSQL server on the loopback interface, which does not run as root.

    Its password is in a file. `environment` tells libpq the name of the file.
    """

    def __init__(self, *settings):
        found = glob.glob("/usr/lib/postgresql/*/bin") or [os.path.dirname(shutil.which("initdb") or "")]
        self.programs = pathlib.Path(sorted(found)[-1])
        if not (self.programs / "initdb").exists():
            raise SystemExit("PostgreSQL is missing; run: apt-get install postgresql")
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
        """Returns the connection options for a program that connects through `port`."""
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
        """Copies the data of the server, and returns the copy's folder for `restore`."""
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
        """Runs a statement, and returns the rows that psql prints, as lists of texts."""
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


class Publisher(Program):
    def __init__(self, program, database, name, *arguments, port=None, quiet=True):
        super().__init__(
            program, "publish", "--name", name, *arguments, "--log", database.through(port or database.port),
            environment=database.environment, quiet=quiet)
        self.name = name


class Gateway(Server):
    def __init__(self, program, database, *arguments, listen=0, port=None, quiet=True):
        super().__init__(
            program, "show", "--port", listen, *arguments, "--log", database.through(port or database.port),
            environment=database.environment, quiet=quiet)
