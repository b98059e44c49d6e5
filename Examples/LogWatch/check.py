"""The end-to-end tests of LogWatch, which check.sh runs."""
import fcntl
import json
import os
import pty
import re
import resource
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path

BINARY = sys.argv[1]
SAMPLES = Path("Examples/LogWatch/Samples")
failures = []

# A shell starts background jobs with SIGINT ignored, which the tested programs would inherit.
signal.signal(signal.SIGINT, signal.default_int_handler)


def check(name, isRight, seen=""):
    print(f"{'ok  ' if isRight else 'FAIL'} {name}" + (f": {seen}" if seen != "" else ""))
    if not isRight:
        failures.append(name)


def run(*arguments, **options):
    return subprocess.run([BINARY, *map(str, arguments)], capture_output=True, timeout=120, **options)


def report(*arguments, **options):
    return json.loads(run("--json", *arguments, **options).stdout)


def lines(path):
    return Path(path).read_bytes().count(b"\n")


def wait(until, seconds=20):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if until():
            return True
        time.sleep(0.02)
    return False


def real_logs(place):
    sample = SAMPLES / "access.log"
    made = subprocess.run(["python3", SAMPLES / "make-sample.py"], capture_output=True).stdout
    check("the sample equals the output of its script", made == sample.read_bytes())
    result = run(sample)
    check("the sample prints a summary", result.returncode == 0 and b"Busiest" in result.stdout)
    check("a summary for a pipe has no escape sequences", b"\x1b" not in result.stdout)
    summary = result.stdout.decode()
    check("no figure is cut off at 80 columns",
          re.search(r"sent +total [\d.]+ \wiB  p50 .* max [\d.]+ [KM]iB\n", summary)
          and re.search(r"Over time .*, peak \d+ in \d+ (s|min|h)\n", summary))
    ascii = run(sample, env={**os.environ, "LC_ALL": "C"})
    check("with LC_ALL=C, the output is plain ASCII", ascii.stdout.isascii() and b"###" in ascii.stdout)
    counted = report(sample)
    check("every line of the sample is counted", counted["lines"] == lines(sample), counted["formats"])

    million = place / "million.log"
    with million.open("wb") as file:
        subprocess.run(["python3", SAMPLES / "make-sample.py", "1000000"], stdout=file, check=True)
    started = time.monotonic()
    counted = report(million)
    seconds = time.monotonic() - started
    check("1,000,000 lines are counted", counted["lines"] == 1_000_000, f"{seconds:.2f} s")
    check("1,000,000 lines take less than ten seconds", seconds < 10)
    check("the counts of the formats add up", sum(counted["formats"].values()) == 1_000_000)
    with million.open("rb") as file:
        check("standard input produces the same counts", report("-", stdin=file) == counted)
    million.unlink()


def formats_and_filters(place):
    flat = place / "flat.log"
    flat.write_text("".join(
        f'192.0.2.1 - - [13/Jun/2024:10:{second // 60:02}:{second % 60:02} +0000] "GET / HTTP/1.1" 200 1\n'
        for second in range(3000)))
    chart = [line for line in run(flat).stdout.decode().splitlines() if set(line.strip()) == {"█"}]
    check("the chart of a log with one line per second is flat", len(chart) == 3 and len({len(c) for c in chart}) == 1, len(chart))
    spans = report(flat)["spans"]
    check("--json contains the spans", sum(span["lines"] for span in spans) == 3000
          and spans[0]["from"] == "2024-06-13T10:00:00", len(spans))

    sample = (SAMPLES / "access.log").read_bytes()
    (place / "bom.log").write_bytes(b"\xef\xbb\xbf" + sample)
    counted = report(place / "bom.log")
    check("a byte order mark does not belong to a line", counted["formats"] == report(SAMPLES / "access.log")["formats"])

    whole = report(SAMPLES / "access.log")
    counted = report("--filter", "5xx", SAMPLES / "access.log")
    check("--filter counts a status class", counted["lines"] == whole["categories"]["5xx"], counted["lines"])
    wanted = sum(b"/api/" in line and b":13:" in line for line in sample.splitlines() if b"\xff" not in line)
    counted = report("--filter", "/api/ 13:00-13:59", SAMPLES / "access.log")
    check("--filter counts text in a time range", 0 < counted["lines"] <= wanted, f"{counted['lines']} of at most {wanted}")
    check("--filter refuses an invalid time", run("--filter", "from:x", SAMPLES / "access.log").returncode == 64)


def odd_input(place):
    (place / "empty.log").touch()
    result = run(place / "empty.log")
    check("an empty log has 0 lines", result.returncode == 0 and b"0 lines" in result.stdout)

    with (place / "huge.log").open("wb") as file:
        for _ in range(100):
            file.write(b"x" * 1_000_000)
        file.write(b"\nshort\n")
    counted = report(place / "huge.log")
    check("a line of 100 MB counts as malformed", counted["lines"] == 2 and counted["formats"] == {"other": 1, "malformed": 1})
    (place / "huge.log").unlink()

    (place / "bytes.log").write_bytes(b"good\n\xff\xfe bad\r\n\xc3\n" + os.urandom(200_000) + b"\nend")
    counted = report(place / "bytes.log")
    check("lines that are not text are counted", counted["lines"] == lines(place / "bytes.log") + 1
          and counted["lines"] == sum(counted["formats"].values()), counted["formats"])
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    check("memory stays bounded", peak < 150, f"at most {peak} MB so far, including Python")

    for arguments, code, words in [
        (["/nowhere/x.log"], 66, b"/nowhere/x.log: no such file"),
        ([str(place)], 66, b"is a directory"),
        (["--follow", str(place)], 66, b"is a directory"),
        (["--color", "x"], 64, b"unknown option --color"),
        ([], 64, b"needs a log file"),
        (["--help"], 0, b""),
    ]:
        result = run(*arguments)
        check(f"LogWatch {' '.join(arguments)}", result.returncode == code and words in result.stderr,
              result.returncode)
    result = run("/nowhere/x.log", SAMPLES / "access.log")
    check("if one of two logs is missing, the other is counted", result.returncode == 66 and b"2,000 lines" in result.stdout)
    (place / "secret.log").write_text("x\n")
    (place / "secret.log").chmod(0)
    # Root can read every file, so the program runs as another user if this script runs as root.
    try:
        result = run(place / "secret.log", **({"user": 65534} if os.getuid() == 0 else {}))
        check("an unreadable log is refused", result.returncode == 66 and b"not permitted to read it" in result.stderr)
    except PermissionError:
        print("skipped: an unreadable log, because no other user can run the program in its folder")
    with open("/dev/full", "wb") as full:
        code = subprocess.run([BINARY, SAMPLES / "access.log"], stdout=full, stderr=full).returncode
        check("a full disk results in exit code 74", code == 74, code)
    reader, writer = os.pipe()
    os.close(reader)
    code = subprocess.run([BINARY, SAMPLES / "access.log"], stdout=writer).returncode
    os.close(writer)
    check("a closed pipe results in exit code 0", code == 0, code)


WRITER = """
import os, sys, time
path, rounds = sys.argv[1], int(sys.argv[2])
written = 0
def put(count, pause=0):
    global written
    with open(path, 'ab', buffering=0) as file:
        for _ in range(count):
            line = b'line %d' % written
            file.write(line[:4]); file.write(line[4:] + b'\\n')
            written += 1
            if pause: time.sleep(pause)
for round in range(rounds):
    put(500)
    put(20, 0.01)
    if round % 3 == 1:
        os.rename(path, path + '.1')
    elif round % 3 == 2:
        # As with logrotate's copytruncate, lines are lost unless the reader reads them before the file is truncated.
        time.sleep(2)
        os.truncate(path, 0)
        time.sleep(2)
print(written)
"""


def following(place):
    path = place / "follow.log"
    watcher = subprocess.Popen([BINARY, "--follow", "--json", path], stdout=subprocess.PIPE)
    writer = subprocess.run([sys.executable, "-c", WRITER, path, "8"], capture_output=True, check=True)
    written = int(writer.stdout)
    watcher.send_signal(signal.SIGINT)
    counted = json.loads(watcher.communicate(timeout=20)[0])
    check("every line is counted although another process appends to, rotates and truncates the log",
          counted["lines"] == written, f"{counted['lines']} of {written}")
    check("each of these lines is counted as a whole", counted["keys"][0] == {"key": "line", "count": written, "excess": 0})


def following_without_a_window(place):
    path = place / "pipe.log"
    path.write_text("first\n" * 3)
    watcher = subprocess.Popen([BINARY, "--follow", path], stdout=subprocess.PIPE)
    check("a pipe immediately gets the counts of the existing lines", watcher.stdout.readline() == b"3 lines +3  other +3\n")
    with path.open("a") as file:
        file.write("more\n" * 2)
    check("a pipe gets the counts of new lines", watcher.stdout.readline() == b"5 lines +2  other +2\n")
    watcher.send_signal(signal.SIGINT)
    check("a pipe gets the summary at the end", b"Busiest" in watcher.communicate(timeout=20)[0])


class Window:
    """A program in a pseudo-terminal."""

    def __init__(self, *arguments, columns=80, rows=24, program=None, **environment):
        program = program or BINARY
        self.output = b""
        self.code = None
        self.process, self.master = pty.fork()
        if self.process == 0:
            os.environ.update({"TERM": "xterm", "NO_COLOR": "", **environment})
            # Wait until the parent has read the terminal settings that the program must restore.
            time.sleep(0.3)
            os.execvp(program, [program, *map(str, arguments)])
        self.resize(columns, rows)
        self.before = termios.tcgetattr(self.master)

    def resize(self, columns, rows):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def shows(self, pattern, seconds=15):
        def found():
            self.read()
            return re.search(pattern, self.output)
        return wait(found, seconds)

    def read(self):
        while select.select([self.master], [], [], 0)[0]:
            try:
                data = os.read(self.master, 65536)
            except OSError:
                return
            if not data:
                return
            self.output += data

    def has_ended(self):
        if self.code is None:
            self.read()
            process, status = os.waitpid(self.process, os.WNOHANG)
            if process:
                self.read()
                self.code = os.waitstatus_to_exitcode(status)
        return self.code is not None

    def ends(self, name, code):
        isOver = wait(self.has_ended)
        check(f"{name}: the program ends", isOver and self.code == code, self.code)
        check(f"{name}: the terminal settings are restored", termios.tcgetattr(self.master) == self.before)
        shown = self.output.count(b"\x1b[?1049h")
        check(f"{name}: the screen is restored", shown == self.output.count(b"\x1b[?1049l")
              and self.output.count(b"\x1b[?25l") == self.output.count(b"\x1b[?25h"))
        os.close(self.master)


def windows(place):
    path = place / "window.log"
    path.write_bytes((SAMPLES / "access.log").read_bytes()[:50_000])
    window = Window("--follow", path)
    check("a window shows the dashboard", window.shows(rb"Last lines"))
    raw = termios.tcgetattr(window.master)
    check("the terminal is in raw mode", not raw[3] & (termios.ICANON | termios.ECHO))
    window.output = b""
    with path.open("ab") as file:
        file.write(b"freshly written\n" * 7)
    check("appended lines appear", window.shows(rb"freshly written"))
    window.output = b""
    window.resize(120, 40)
    check("a larger window is redrawn", window.shows(rb"\x1b\[2J") and window.shows(rb"\x1b\[3\d;"))
    window.output = b""
    window.resize(30, 8)
    check("a small window is redrawn", window.shows(rb"\x1b\[2J"))
    window.output = b""
    window.resize(80, 24)
    check("a window of the old size is redrawn", window.shows(rb"\x1b\[2J"))
    window.output = b""
    os.write(window.master, b" ")
    check("space pauses", window.shows(rb"\(paused"))
    window.output = b""
    os.write(window.master, b"\x1b[B\x1b[B")
    check("scrolling works while paused", window.shows(rb"\x1b\[\d+;4H(\x1b\[[\d;]*m)?3"))
    window.output = b""
    os.write(window.master, b"\t")
    check("tab shows the clients while paused", window.shows(rb"Clients"))
    os.write(window.master, b" ")
    window.output = b""
    os.write(window.master, b"/5xx\r")
    check("/ counts the lines again, with a filter", window.shows(rb"only 5xx"))
    os.write(window.master, b"\x03")
    window.output = b"\x1b[?1049h\x1b[?25l"
    window.ends("Ctrl-C", 0)
    check("Ctrl-C: the summary remains on the screen", b"Busiest" in window.output.split(b"\x1b[?1049l")[-1])

    for name, number in [("SIGTERM", signal.SIGTERM), ("SIGINT", signal.SIGINT), ("SIGSEGV", signal.SIGSEGV)]:
        window = Window("--follow", path)
        window.shows(rb"Last lines")
        os.kill(window.process, number)
        window.ends(name, -number)

    shell = Window("--norc", "-i", program="bash", PS1="$ ")
    shell.shows(rb"\$ ")
    os.write(shell.master, f"{BINARY} --follow {path}; echo ended $?\n".encode())
    check("^Z: the program runs in a shell", shell.shows(rb"q quit"))
    shell.output = b""
    os.write(shell.master, b"\x1a")
    check("^Z: the shell gets the terminal", shell.shows(rb"1049l(?s:.*)Stopped"))
    shell.output = b""
    os.write(shell.master, b"echo between; fg\n")
    check("fg: the dashboard is redrawn", shell.shows(rb"between\r?\n(?s:.*)1049h(?s:.*)q quit"))
    shell.output = b""
    os.write(shell.master, b"q")
    check("fg: q ends it", shell.shows(rb"1049l"))
    os.write(shell.master, b"exit 0\n")
    wait(shell.has_ended)
    os.close(shell.master)

    window = Window(SAMPLES / "access.log")
    window.ends("a finite log", 0)
    check("a finite log: the summary remains on the screen, in color",
          b"Busiest" in window.output and b"\x1b[0;32m" in window.output)
    window = Window(SAMPLES / "access.log", NO_COLOR="1")
    window.ends("NO_COLOR", 0)
    for arguments in [[SAMPLES / "access.log"], ["--follow", SAMPLES / "access.log"]]:
        window = Window(*arguments, TERM="dumb")
        if len(arguments) > 1:
            check("TERM=dumb: a followed log prints lines", window.shows(rb"2,000 lines \+2,000"))
            os.write(window.master, b"q\n")
        wait(window.has_ended)
        check(f"TERM=dumb: no escape sequences{' with --follow' if len(arguments) > 1 else ''}",
              b"Busiest" in window.output and b"\x1b" not in window.output)
        os.close(window.master)
    check("NO_COLOR: no colors", not re.search(rb"\x1b\[[0-9;]*\b(3|4|9|10)[0-7]m", window.output))


with tempfile.TemporaryDirectory() as directory:
    place = Path(directory)
    real_logs(place)
    formats_and_filters(place)
    odd_input(place)
    following(place)
    following_without_a_window(place)
    windows(place)
print(f"{len(failures)} failed" if failures else "all passed")
sys.exit(1 if failures else 0)
