"""Hostile clients: many from one address, random JSON and random requests. This module needs only the standard library."""
import contextlib
import json
import socket
import time

WHOLE = "GET {} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


def client(port, source, text=b"", patience=10):
    """Opens a connection from an address of the loopback interface, and sends `text`."""
    end = socket.socket()
    end.bind((source, 0))
    end.settimeout(patience)
    with contextlib.suppress(OSError):
        end.connect(("127.0.0.1", port))
        end.sendall(text if isinstance(text, bytes) else text.encode())
    return end


def answer(end):
    """Returns the first line of a response up to the status, or no bytes if the connection was closed."""
    try:
        return end.recv(12)
    except OSError:
        return b""


def crowd(start, page):
    """Checks that one address cannot use all connections, whether with half-open requests or with pages.

    `start(options…)` starts a program that has a `port`. `page(number)` is the path from which a page gets its events.
    Returns the longest time in seconds that another address had to wait, during and after 1,200 half-open requests.
    """
    ok, times = b"HTTP/1.1 200", []

    def ask(port):
        begun = time.monotonic()
        one = client(port, "127.0.0.8", WHOLE.format("/"), 60)
        assert answer(one) == ok, "the server should respond to another address"
        one.close()
        times.append(time.monotonic() - begun)

    with start() as program:
        half = WHOLE.format("/")[:-2]
        ends = [client(program.port, "127.0.0.9", half) for _ in range(1_200)]
        begun = time.monotonic()
        while time.monotonic() - begun < 3:
            ask(program.port)
            time.sleep(0.05)
        for end in ends:
            end.close()
        ask(program.port)
    assert max(times) < 2, f"another address had to wait for {max(times):.1f} s"
    # Behind a proxy, all connections come from one address, so --of-one must allow that address to use all connections.
    for options, expected in (([], 15), (["--of-one", 56], 20)):
        with start("--tabs", 20, *options) as program:
            ends = [client(program.port, "127.0.0.9", WHOLE.format(page(number))) for number in range(40)]
            served = sum(answer(end) == ok for end in ends)
            assert served == expected, f"one address got {served} pages with {options}, not {expected}"
            other = client(program.port, "127.0.0.8", WHOLE.format(page(99)))
            wanted = ok if expected < 20 else b"HTTP/1.1 503"
            assert answer(other) == wanted, f"unexpected response to a page of another address with {options}"
            for end in [*ends, other]:
                end.close()
    return max(times)


NUMBERS = [0, 1, -1, 2, 255, 1 << 31, (1 << 53) - 1, 1 << 53, (1 << 63) - 1, -(1 << 63), 1 << 63, 1 << 64, 1e308, -1e308, 1e-320, 0.5]
TEXTS = ["", "a", "*", "-", "1-2", "1.2", "é", "\u0000", "\x1b[2J", "\u202e", "👩‍🚀", "x" * 5_000, "[" * 300, "\n\n", "data: x", "🏳" * 200,
         "9223372036854775807.-9223372036854775808", "null", "cpu", "snapshot", "NaN"]


class Stranger:
    """Generates random data to send."""

    def __init__(self, chance):
        self.chance = chance

    def number(self):
        return self.chance.choice(NUMBERS) if self.chance.random() < 0.8 else self.chance.randrange(-(1 << 63), 1 << 63)

    def anything(self, depth=0):
        """Returns a random JSON value."""
        kind = self.chance.randrange(7 if depth < 3 else 5)
        if kind == 0:
            return self.number()
        if kind <= 2:
            return self.chance.choice(TEXTS)
        if kind <= 4:
            return self.chance.choice([None, True, False])
        if kind == 5:
            return [self.anything(depth + 1) for _ in range(self.chance.randrange(4))]
        return {self.chance.choice(TEXTS)[:20]: self.anything(depth + 1) for _ in range(self.chance.randrange(4))}

    def damaged(self, value, share=0.05):
        """Returns a copy of the value in which some parts are replaced, dropped or duplicated."""
        if self.chance.random() < share:
            if isinstance(value, bool) or self.chance.random() < 0.2:
                return self.anything()
            if isinstance(value, (int, float)):
                return self.number()
            if isinstance(value, str):
                return self.chance.choice(TEXTS)
        if isinstance(value, list):
            parts = [self.damaged(part, share) for part in value]
            if parts and self.chance.random() < share:
                part = self.chance.choice(parts)
                parts.remove(part) if self.chance.random() < 0.5 else parts.append(part)
            return parts
        if isinstance(value, dict):
            return {key: self.damaged(part, share) for key, part in value.items() if self.chance.random() > share / 4}
        return value

    def json(self, value):
        """Returns a value as JSON, which is sometimes cut off or contains a wrong byte."""
        text = json.dumps(value)
        if self.chance.random() < 0.05:
            return text[:self.chance.randrange(len(text) + 1)]
        if text and self.chance.random() < 0.05:
            at = self.chance.randrange(len(text))
            return text[:at] + chr(self.chance.randrange(1, 128)) + text[at + 1:]
        return text

    def head(self, paths, own):
        """Returns the bytes of a random request."""
        draw = self.chance.choice
        method = draw(["GET"] * 5 + ["POST"] * 4 + ["HEAD", "PUT", "", "G\0T", "x" * 3_000])
        path = draw(paths) if self.chance.random() < 0.8 else draw(
            ["/..", "//", "/%00", "/\xff", "*", "", "/" + "a" * 20_000, "/?" + "&" * 4_000, "/events?" + "tab=%ff&" * 500, "?=", "/%"])
        version = draw(["HTTP/1.1"] * 8 + ["HTTP/1.0", "HTTP/9.9", "HTTP", ""])
        lines = [f"{method} {path} {version}"]
        if self.chance.random() < 0.9:
            lines.append(f"Host: {own}" if self.chance.random() < 0.9 else f"Host: {draw(TEXTS)}")
        for _ in range(self.chance.randrange(4)):
            name = draw(["Content-Length", "Transfer-Encoding", "Origin", "Sec-Fetch-Site", "Last-Event-ID", "Accept-Encoding",
                         "Expect", "Connection", "Upgrade", "Range", "", "\0", "X" * 300])
            value = draw(["0", "-1", "5", "99999999999999999999", "chunked", "gzip", "100-continue", "close", "1-2", *TEXTS,
                          str(self.number()), f"http://{own}"])
            lines.append(f"{name}{draw([':', ': ', ' : ', ''])}{value}")
        end = draw(["\r\n"] * 9 + ["\n", "\r"])
        body = self.json(self.anything()) if self.chance.random() < 0.5 else draw(["", "5\r\nhello\r\n0\r\n\r\n", "ffffffffffffffff\r\n"])
        if self.chance.random() < 0.5:
            lines.append(f"Content-Length: {len(body.encode('utf-8', 'replace'))}")
        data = (end.join(lines) + end + end + body).encode("utf-8", "surrogatepass")
        return data[:self.chance.randrange(len(data))] if self.chance.random() < 0.1 else data
