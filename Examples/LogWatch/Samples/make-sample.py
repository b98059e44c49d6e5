#!/usr/bin/env python3
"""Writes an invented access log in the combined format: python3 make-sample.py [LINES] > access.log

The same number of lines always gives the same log. All names are invented, and the addresses are from the blocks that RFC 5737 and
RFC 3849 reserve for documentation.
"""
import math
import random
import sys
from datetime import datetime, timedelta, timezone

LINES = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
rng = random.Random(20240613)

PATHS = [
    ("/", 180), ("/assets/app.css", 120), ("/assets/app.js", 115), ("/favicon.ico", 70),
    ("/articles/actors-in-practice", 90), ("/articles/what-a-log-tells", 64), ("/articles", 58),
    ("/search", 85), ("/api/v1/sessions", 60), ("/api/v1/cart", 48), ("/login", 40),
    ("/articles/backpressure-explained", 37), ("/api/v1/orders", 30), ("/about", 22),
    ("/robots.txt", 20), ("/feed.xml", 34), ("/images/harbour.jpg", 28), ("/contact", 12),
    ("/artikel/größe-zählt", 6), ("/downloads/report.pdf", 9),
]
PROBES = ["/wp-login.php", "/.env", "/admin/config.php", "/cgi-bin/test", "/old/index.html"]
AGENTS = [
    "Mozilla/5.0 (X11; Linux x86_64; rv:126.0) Gecko/20100101 Firefox/126.0",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/125.0.0.0 Safari/537.36",
    "ExampleBot/2.1 (+https://bot.example/about)", "curl/8.7.1",
]
REFERRERS = ["-", "-", "-", "https://example.org/", "https://search.example/?q=swift+actors",
             "https://news.example/item?id=4021"]
WORDS = ["actors", "logs", "harbour", "back+pressure", "sendable"]


def address():
    if rng.random() < 0.08:
        return f"2001:db8::{rng.randrange(1, 400):x}"
    return f"{rng.choice(['192.0.2', '198.51.100', '203.0.113'])}.{int(rng.paretovariate(1.1)) % 250 + 1}"


def line(time):
    if rng.random() < 0.035:
        path, status = rng.choice(PROBES), 404
    else:
        path = rng.choices([p for p, _ in PATHS], [w for _, w in PATHS])[0]
        roll = rng.random()
        status = 200 if roll < 0.86 else 304 if roll < 0.955 else 301 if roll < 0.97 else 403 if roll < 0.98 else 206
    method = "POST" if path in ("/api/v1/cart", "/api/v1/orders", "/login") and status == 200 else "GET"
    # The orders service is down for a quarter of an hour.
    if path.startswith("/api/") and 13.0 <= time.hour + time.minute / 60 < 13.25 and rng.random() < 0.9:
        status = 502 if path == "/api/v1/orders" else 503
    elif rng.random() < 0.004:
        status = 500
    if path == "/search":
        path += "?q=" + rng.choice(WORDS)
    size = 0 if status == 304 else int(rng.lognormvariate(8, 1.2)) + 120
    user = "mira" if path.startswith("/api/") and rng.random() < 0.1 else "-"
    stamp = time.strftime("%d/%b/%Y:%H:%M:%S +0200")
    return (f'{address()} - {user} [{stamp}] "{method} {path} HTTP/1.1" {status} {size or "-"} '
            f'"{rng.choice(REFERRERS)}" "{rng.choice(AGENTS)}"')


def spoiled(index, whole):
    """A broken line, as in real logs: cut off by a crash, from another program, or with bytes that are not text."""
    return [
        whole[: len(whole) // 3].encode(),
        b"nginx: [warn] 1024 worker_connections are not enough",
        whole.encode("latin-1", "replace").replace(b"HTTP", b"\xff\xfe HTTP"),
    ][index % 3]


def main():
    out = sys.stdout.buffer
    start = datetime(2024, 6, 13, 6, 0, tzinfo=timezone(timedelta(hours=2)))
    # The log of a working day, which is quiet in the morning, and busiest around noon and in the evening.
    weights = [0.25 + math.exp(-((m - 390) / 130) ** 2) + 0.7 * math.exp(-((m - 800) / 90) ** 2)
               for m in range(1020)]
    minutes = sorted(rng.choices(range(1020), weights, k=LINES))
    for index, minute in enumerate(minutes):
        time = start + timedelta(minutes=minute, seconds=(index * 7) % 60)
        text = line(time)
        broken = index % 250 == 117
        out.write((spoiled(index // 250, text) if broken else text.encode()) + b"\n")


main()
