"""Clients that nobody wants: many from one address, and any bytes as a request. Nothing but the standard library."""
import contextlib
import socket
import time

WHOLE = "GET {} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


def client(port, source, text=b"", patience=10):
    """A connection from an address of the loopback interface, which has sent something."""
    end = socket.socket()
    end.bind((source, 0))
    end.settimeout(patience)
    with contextlib.suppress(OSError):
        end.connect(("127.0.0.1", port))
        end.sendall(text if isinstance(text, bytes) else text.encode())
    return end


def answer(end):
    """The first line of an answer as far as the status; nothing where the connection was closed."""
    try:
        return end.recv(12)
    except OSError:
        return b""


def crowd(start, page):
    """One address cannot take all places: not by half-open requests, and not by pages.

    `start(options…)` starts a program that has a `port`, `page(number)` is the path that a page listens to.
    Gives how long another address has waited, in seconds, while 1,200 half-open requests were there and after them.
    """
    ok, times = b"HTTP/1.1 200", []

    def ask(port):
        begun = time.monotonic()
        one = client(port, "127.0.0.8", WHOLE.format("/"), 60)
        assert answer(one) == ok, "another address is answered"
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
    assert max(times) < 2, f"another address waits for {max(times):.1f} s"
    # All through one proxy: then that has all places.
    for options, expected in (([], 15), (["--of-one", 56], 20)):
        with start("--tabs", 20, *options) as program:
            ends = [client(program.port, "127.0.0.9", WHOLE.format(page(number))) for number in range(40)]
            served = sum(answer(end) == ok for end in ends)
            assert served == expected, f"{served} pages of one address with {options}, not {expected}"
            other = client(program.port, "127.0.0.8", WHOLE.format(page(99)))
            wanted = ok if expected < 20 else b"HTTP/1.1 503"
            assert answer(other) == wanted, f"a page of another address with {options}"
            for end in [*ends, other]:
                end.close()
    return max(times)
