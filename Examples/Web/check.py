#!/usr/bin/env python3
"""Opens LiveTop in a browser, and compares the page with the server's snapshot.

Usage: check.py PROGRAM [FOLDER FOR PICTURES]
"""
import decimal
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

from fuzz import fuzz
from livetop import LiveTop
from browser import Browser, check, ok, wait_for
from serving import Proxy
from strangers import crowd

# Scripts that return the rows of the page as plain values, the page's name, and the text of an element.
SHOWN = """
  const text = (node, name) => node.querySelector(name).textContent;
  return [...document.querySelectorAll("#list > .user")].map((user) => [
    text(user, ".label bdi"), text(user, ".tally"), text(user, ".figure .value"),
    user.querySelectorAll(".title .value")[1].textContent,
    [...user.querySelectorAll(".row")].map((row) => [
      row.dataset.id, text(row, ".number"), text(row, ".name"), text(row, ".command"),
      text(row, ".cpu .value"), text(row, ".memory .value")])]);
"""
TAB = """
  return performance.getEntriesByType("resource").map((entry) => entry.name)
    .filter((name) => name.includes("tab=")).map((name) => name.match(/tab=(\\w{32})/)[1])[0];
"""
TEXT = "return document.getElementById(arguments[0]).textContent"


def percent(tenths):
    return f"{tenths // 10}.{tenths % 10}"


def size(tenths):
    if tenths < 10_000:
        return f"{percent(tenths)} MiB"
    gibibytes = decimal.Decimal(tenths) / 10_240
    return f"{gibibytes.quantize(decimal.Decimal('0.01'), decimal.ROUND_HALF_UP)} GiB"


def expected(snapshot):
    """Returns the rows that the page must show for a snapshot of the server."""
    shown = []
    for section in snapshot:
        user = section["content"].get("user")
        if user is None:
            continue
        rows = [
            [item["id"], item["id"].split(".")[0], item["name"], item["command"],
             percent(item["cpu"]), size(item["memory"])]
            for item in section["items"]]
        shown.append([
            user["name"], str(user["count"]), percent(user["cpu"]), size(user["memory"]), rows])
    return shown


def assert_same(top, browser, what):
    """Waits until the page equals the server's snapshot, and returns the number of rows."""
    tab = wait_for("the page's name", lambda: browser.run(TAB))

    def is_same():
        before = top.json(f"/snapshot?tab={tab}")
        shown = browser.run(SHOWN)
        return shown == expected(before) and top.json(f"/snapshot?tab={tab}") == before

    wait_for(f"{what}: the page equals the server's snapshot", is_same)
    return sum(len(user[4]) for user in browser.run(SHOWN))


def thousands_of_changes(program, pictures):
    """Rows are inserted, removed and moved, while focus, filter, selection and scroll position are preserved."""
    with LiveTop(program, "--simulate", 11, "--every", 0.03) as top, Browser() as page:
        def press_pause(state):
            page.press("p")
            wait_for(f"the state {state}", lambda: page.run(TEXT, "state") == state)

        page.open(top.address)
        wait_for("rows", lambda: page.run("return document.querySelectorAll('.row').length > 20"))
        page.run("""
          window.first = new Map([...document.querySelectorAll(".row")].map((row) => [row.id, row]));
          window.places = [...window.first.keys()];
          window.changes = 0;
          window.glides = 0;
          new MutationObserver((records) => {
            window.changes += records.length;
            window.glides = Math.max(window.glides, document.getAnimations().length);
          }).observe(document.getElementById("list"),
            { childList: true, subtree: true, characterData: true });
          document.getElementById("list").focus();
        """)
        page.press("/", *"pipewire", "Enter")
        # `Enter` moves the focus from the filter to the first title.
        wait_for("the filter", lambda: [user[0] for user in page.run(SHOWN)] == ["ben"])
        press_pause("paused")
        page.run("""
          // The pipewire process that was started first never ends.
          const row = [...document.querySelectorAll(".row")]
            .filter((row) => row.querySelector(".name").textContent === "pipewire")
            .sort((a, b) => parseInt(a.dataset.id) - parseInt(b.dataset.id))[0];
          row.click();
          window.chosen = row;
        """)
        wait_for("the selection", lambda: page.run("return !document.getElementById('detail').hidden"))
        held = top.json("/status")["reading"]
        shown = page.run(SHOWN)
        wait_for("readings while paused", lambda: top.json("/status")["reading"] > held + 20)
        check(page.run(SHOWN) == shown, "a paused page should not change")
        press_pause("live")
        page.run("const filter = document.getElementById('filter'); filter.focus();")
        page.run("""
          const filter = document.getElementById("filter");
          filter.value = "";
          filter.dispatchEvent(new Event("input"));
          document.getElementById("list").focus({ preventScroll: true });
        """)
        wait_for("all users", lambda: len(page.run(SHOWN)) == 5)
        page.run("window.scrollTo(0, 300)")
        # The renderer may need a moment to scroll.
        wait_for("the scroll position", lambda: page.run("return scrollY") == 300)
        # A busy machine sends fewer patches, so the check waits for a number of changes and not of readings.
        wait_for("thousands of changes", lambda: page.run("return window.changes > 5_000"), 180)
        press_pause("paused")
        rows = assert_same(top, page, "after thousands of changes")
        account = page.run("""
          const all = [...document.querySelectorAll(".row")];
          const still = all.filter((row) => window.first.has(row.id));
          const old = window.places.filter((id) => document.getElementById(id));
          return {
            changes: window.changes, glides: window.glides, still: still.length,
            moved: still.filter((row, place) => old[place] !== row.id).length,
            focus: document.activeElement.id, scroll: scrollY,
            chosen: window.chosen.isConnected && window.chosen.getAttribute("aria-selected"),
            others: document.querySelectorAll(".row[aria-selected=true]").length,
            at: document.querySelector(".at")?.id === window.chosen.id,
            active: document.getElementById("list").getAttribute("aria-activedescendant"),
          };
        """)
        check(account["glides"] > 0, f"moved rows should glide: {account}")
        check(account["chosen"] == "true" and account["others"] == 1, f"the selection: {account}")
        check(account["at"] and account["active"] == page.run("return window.chosen.id"), f"the cursor: {account}")
        check(account["focus"] == "list" and account["scroll"] == 300, f"focus and scroll: {account}")
        check(account["moved"] > 5, f"rows should have moved: {account}")
        page.assert_no_errors()
        ok(f"{rows} rows equal the snapshot after {account['changes']} changes of the page; "
           "focus, selection, cursor and scroll position are preserved")
        return account


def nodes_stay(program):
    """A row that moves keeps its node, even if it is not animated."""
    with LiveTop(program, "--simulate", 12, "--every", 0.02, "--readings", 400) as top, \
            Browser(still=True) as page:
        page.open(top.address)
        wait_for("rows", lambda: page.run("return document.querySelectorAll('.row').length > 20"))
        page.run("""
          window.known = new Map();
          window.other = 0;
          window.moves = 0;
          window.animated = 0;
          new MutationObserver((records) => {
            window.animated += document.getAnimations().length;
            for (const record of records) for (const node of record.addedNodes) {
              if (!node.classList?.contains("row")) continue;
              const old = window.known.get(node.id);
              if (old && old !== node) window.other += 1;
              if (old === node) window.moves += 1;
              window.known.set(node.id, node);
            }
          }).observe(document.getElementById("list"), { childList: true, subtree: true });
          for (const row of document.querySelectorAll(".row")) window.known.set(row.id, row);
        """)
        wait_for("the last reading", lambda: top.json("/status")["reading"] == 400, 60)
        assert_same(top, page, "after 400 readings")
        for key in ("m", "c"):
            page.press(key)
            wait_for(f"the rank by {key}", lambda: page.run(
                "return document.querySelector('#ranking [aria-pressed=true]').textContent[0].toLowerCase()") == key)
            assert_same(top, page, f"ranked by {key}")
        moves, other, animated = page.run("return [window.moves, window.other, window.animated]")
        check(moves > 50 and other == 0, f"{moves} moves, {other} of which replaced the node")
        check(animated == 0, "nothing should be animated if the user prefers reduced motion")
        page.assert_no_errors()
        ok(f"{moves} moves kept their nodes, and none was animated for a user who prefers reduced motion")


def keyboard(program):
    with LiveTop(program, "--simulate", 13, "--readings", 3, "--every", 0.05) as top, Browser() as page:
        page.open(top.address)
        wait_for("the last reading", lambda: top.json("/status")["reading"] == 3)
        assert_same(top, page, "three readings")
        page.run("document.getElementById('list').focus()")
        check(page.run("return document.querySelector('.at').matches('.title')"), "the cursor should start at the first title")
        user = page.run(SHOWN)[0][0]
        page.press("Left")
        wait_for("a folded user", lambda: page.run(SHOWN)[0][:1] + [page.run(SHOWN)[0][4]] == [user, []])
        assert_same(top, page, "folded")
        page.press("Right")
        wait_for("an unfolded user", lambda: len(page.run(SHOWN)[0][4]) > 0)
        page.press("Down", "Down")
        second = page.run(SHOWN)[0][4][1]
        check(page.run("return document.querySelector('.at').dataset.id") == second[0], "Down should move the cursor down")
        page.press("Enter")
        wait_for("the detail", lambda: page.run(TEXT, "detail-name") == second[2])
        check(second[1] in page.run(TEXT, "detail-facts"), "the detail should have the number")
        page.press("Escape")
        wait_for("no detail", lambda: page.run("return document.getElementById('detail').hidden"))
        # The last row glides to its place while the cursor moves to it.
        page.run("""
          const last = [...document.querySelectorAll(".row")].at(-1);
          last.glide = last.animate([{ transform: "translateY(-90px)" }, { transform: "none" }], 60_000);""")
        page.press("End")
        page.run("for (const animation of document.getAnimations()) animation.finish()")
        last = page.run(SHOWN)[-1][4][-1][0]
        check(page.run("return document.querySelector('.at').dataset.id") == last, "End should move the cursor to the end")
        box = page.run("""
          const box = document.querySelector(".at").getBoundingClientRect();
          return [box.top, innerHeight - box.bottom];""")
        check(min(box) >= 0, f"the cursor should be visible: {box}")
        page.press("/", *"no such process")
        wait_for("an empty list and its explanation",
                 lambda: "no such process" in page.run(TEXT, "empty") and page.run(SHOWN) == [])
        page.press("Escape")
        wait_for("all rows", lambda: len(page.run(SHOWN)) == 5)
        check(page.run("return document.activeElement.id") == "list", "Escape should move the focus to the list")
        assert_same(top, page, "unfiltered")
        page.assert_no_errors()
        ok("the keyboard moves the cursor, folds, selects, filters and returns to the list")


def resume(program):
    """After a lost connection, the page continues with a patch. A new server gets the page's settings."""
    with LiveTop(program, "--simulate", 14, "--every", 0.1) as top, Browser() as page:
        asked, sent, target = bytearray(), bytearray(), [top.port]

        def keep(log):
            def read(data):
                log.extend(data)
                return data
            return lambda: read

        proxy = Proxy(lambda: target[0], keep(asked), keep(sent))
        page.open(f"http://127.0.0.1:{proxy.port}/")
        wait_for("rows", lambda: page.run("return document.querySelectorAll('.row').length > 20"))
        page.press("m")
        wait_for("the rank", lambda: b'"ranking":"memory"' in sent)
        for number in range(3):
            full = sent.count(b'"kind":"snapshot"')
            before = top.json("/status")["reading"]
            proxy.cut()
            wait_for("a lost connection", lambda: "lost" in page.run(TEXT, "line"), 5)
            wait_for("the connection", lambda: "again." in page.run(TEXT, "line"))
            wait_for("later readings", lambda: top.json("/status")["reading"] > before + 10)
            check(sent.count(b'"kind":"snapshot"') == full, "the page should continue with a patch")
            check(asked.count(b"Last-Event-ID") >= number + 1, "the page should send its revision")
        wait_for("the message disappears", lambda: page.run("return document.getElementById('line').hidden"))
        page.assert_no_errors(is_network_down=True)
        ok("a page that was disconnected three times continued with patches")

        # The same page, and another server at the same address.
        folded = page.run("""
          const title = [...document.querySelectorAll(".title")].at(-1);
          title.click();
          return title.querySelector("bdi").textContent;""")
        wait_for("a fold", lambda: [user[4] for user in page.run(SHOWN) if user[0] == folded] == [[]])
        page.press("/", *"s", "Enter")
        wait_for("a filter", lambda: "found" in page.run(TEXT, "matches"))
        proxy.cut()
        check(top.end() == 0, "Ctrl-C should end the program with status 0")
        wait_for("a lost connection", lambda: page.run(
            "return document.getElementById('state').dataset.state") == "lost")
        with LiveTop(program, "--simulate", 15, "--every", 0.02, "--readings", 150) as new:
            target[0] = new.port
            wait_for("the connection", lambda: "again." in page.run(TEXT, "line"), 30)
            wait_for("the last reading", lambda: new.json("/status")["reading"] == 150)
            assert_same(new, page, "after a restart")
            pressed = "return document.querySelector('#ranking [aria-pressed=true]').dataset.by"
            wait_for("the rank", lambda: page.run(pressed) == "memory")
            wait_for("the filter", lambda: "found" in page.run(TEXT, "matches"))
            wait_for("the fold", lambda: [
                user[4] for user in page.run(SHOWN) if user[0] == folded] == [[]])
            assert_same(new, page, "with its earlier settings")
            page.assert_no_errors(is_network_down=True)
            check(new.end() == 0, "Ctrl-C should end the program with status 0 while a page is connected")
        ok("after a restart, the page shows the new server's rows, ranked, filtered and folded as before")


def hostile_names(program):
    """The names and arguments of real processes try to harm the page."""
    names = [
        b"<script>document.title='owned'</script>", b"</script><img src=x onerror=alert(1)>",
        b"\"quotes\" 'and' &amp; <b>more</b>", b"\xe2\x80\xaertl \xd9\x85\xd8\xb1\xd8\xad\xd8\xa8\xd8\xa7",
        b"bell\x07 escape\x1b[31m line\nfeed\r\ttab", b"not UTF-8 \xff\xfe\x80", b"x" * 100_000,
        b"${alert(1)} {{alert(1)}} javascript:alert(1)", b"emoji \xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x9a\x80",
        b"data: id: 5\n\nevent: rows\ndata: {}\n\n", b"separators \xe2\x80\xa8 \xe2\x80\xa9 end",
    ]
    folder = tempfile.mkdtemp()
    strange = os.path.join(folder.encode(), b"<i>)x(\n\x1b<i")
    shutil.copy(shutil.which("sleep"), strange)
    sleepers = [
        subprocess.Popen([name, b"300"], executable=shutil.which("sleep")) for name in names]
    sleepers.append(subprocess.Popen([strange, b"300"]))
    try:
        for options in ([], ["--ps"]):
            with LiveTop(program, "--every", 0.2, "--readings", 4, *options) as top, Browser() as page:
                page.open(top.address)
                wait_for("the last reading", lambda: top.json("/status")["reading"] == 4)
                assert_same(top, page, "hostile names")
                shown = {row[1]: row for user in page.run(SHOWN) for row in user[4]}
                rows = [shown[str(sleeper.pid)] for sleeper in sleepers]
                for row in rows:
                    page.run("document.querySelector(`[data-id='${arguments[0]}']`).click()", row[0])
                    wait_for("the detail", lambda: row[1] in page.run(TEXT, "detail-facts"))
                if not options:
                    commands = [row[3] for row in rows]
                    check(commands[0] == "<script>document.title='owned'</script> 300", commands[0])
                    check("␛[31m line␊feed␍␉tab" in commands[4], commands[4])
                    check("\u202e" not in commands[3] and commands[3].startswith("�rtl"), commands[3])
                    check(len(commands[6]) == 161, "a long command should be cut")
                    check(rows[-1][2] == "<i>)x(␊␛<i", rows[-1][2])
                check(page.run("return document.title") == "LiveTop", "no name should run as a script")
                elements = page.run("""
                  const tags = "script, img, b, i:not(.meter i)";
                  return document.querySelectorAll(`#list :is(${tags}), aside :is(${tags})`).length;""")
                check(elements == 0, "no name should become an element")
                check(page.run("return document.documentElement.scrollWidth <= innerWidth"),
                      "no name should widen the page")
                page.assert_no_errors()
        ok(f"{len(sleepers)} hostile names from /proc and from ps are shown as plain text")
    finally:
        for sleeper in sleepers:
            sleeper.kill()
            sleeper.wait()
        shutil.rmtree(folder)


def strangers(program):
    """Requests are refused if they have another host or origin, ask for files, or are too large, too slow or too many."""
    with LiveTop(program, "--simulate", 1, "--tabs", 2) as top:
        own = f"127.0.0.1:{top.port}"
        tab = "0123456789abcdef" * 2

        def status(path="/", method="GET", body=None, **headers):
            headers = {key.replace("_", "-"): value for key, value in headers.items()}
            return top.request(method, path, body, headers)[0]

        slow = threading.Thread(target=lambda: result.append(drip(top.port)))
        result = []
        slow.start()
        check(status() == 200 and status(Host=own, Origin=f"http://{own}") == 200, "the page should be served")
        check(status(Host=f"localhost:{top.port}") == 200, "the name localhost should be accepted")
        for host in ("evil.test", f"evil.test:{top.port}", "127.0.0.1.evil.test", "0.0.0.0", "", "[::1"):
            check(status(Host=host) == 403, f"Host {host!r} should be refused")
        for origin in ("http://evil.test", "null", f"https://{own}", f"http://127.0.0.1:{top.port + 1}",
                       f"http://localhost:{top.port}", ""):
            for path, method in (("/status", "GET"), (f"/events?tab={tab}", "GET"), ("/command", "POST")):
                check(status(path, method, Origin=origin) == 403, f"Origin {origin!r} should be refused for {path}")
        check(status(Sec_Fetch_Site="cross-site") == 403, "a page of another site should be refused")
        check(status(Sec_Fetch_Site="none") == 200, "an address that the user has typed should be accepted")
        for path in ("/etc/passwd", "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd",
                     "/index.html", "/page.js/..", "/Page/page.js", "/.", "/proc/self/environ"):
            check(status(path) == 404, f"{path} should not be there")
        check(status(method="HEAD") == 200 and top.request("HEAD", "/page.js")[2] == b"", "HEAD")
        check(status(f"/events?tab={tab}", "HEAD") == 405 and top.json("/status")["tabs"] == 0,
              "HEAD should not open a tab")
        for what, line in (("two hosts", f"GET / HTTP/1.1\r\nHost: {own}\r\nHost: evil.test"),
                           ("two lengths", f"POST /command HTTP/1.1\r\nHost: {own}\r\n"
                                           "Content-Length: 2\r\nContent-Length: 3"),
                           ("a NUL", f"GET /\0x HTTP/1.1\r\nHost: {own}")):
            check(raw(top.port, line).startswith(b"HTTP/1.1 400"), f"{what} should be refused")
        check(status("/%00") == 404 and status("/page.js%00.txt") == 404, "an encoded NUL should give 404")
        check(status("/?" + "x" * 12_000) == 200, "a query of 12 KB should be accepted")
        check(status("/?" + "x" * 17_000) == 414, "a query that is too long should be refused")
        check(status(method="PUT") == 405 and status(method="DELETE") == 405, "other methods should be refused")
        check(status("/events") == 400 and status("/events?tab=../../x") == 400, "a tab without a valid name should be refused")
        check(status(f"/command?tab={tab}", "POST", b"{}") == 404, "a command for an unknown tab should give 404")
        check(status("/command", "POST", b"x" * 4_097) == 413, "a body that is too large should be refused")
        check(status("/status", X=("y" * 40_000)) in (400, 413, 414, 431), "a head that is too large should be refused")
        check(flood(top.port) == b"", "a body in chunks that is too large should end the connection")
        streams = [listen(top.port, f"{number:032x}") for number in range(2)]
        check(all(b"200 OK" in stream.recv(1_000) for stream in streams), "two tabs should be accepted")
        check(status(f"/events?tab={tab}") == 503, "a third tab should be refused")
        for body in (b"", b"{}", b"[]", b'{"do":"rank","by":"age"}', b'{"do":"fold"}', b"\xff", b"[" * 4_000,
                     b'{"do":"select","process":"1"}', b'{"do":"select","process":"1.2.3"}'):
            check(status(f"/command?tab={0:032x}", "POST", body) == 400, f"the command {body[:40]} should be refused")
            check(status(f"/drawn?tab={0:032x}", "POST", body) == 400, f"the revision {body[:40]} should be refused")
        check(status(f"/drawn?tab={0:032x}", "POST", b"1-99999999999999999999") == 400,
              "a number that is too large should be refused")
        check(status(f"/drawn?tab={0:032x}", "POST", b"1-9007199254740992") == 400, "the number 2⁵³ should be refused")
        check(status(f"/drawn?tab={0:032x}", "POST", b"1-9007199254740991") == 204, "an unknown revision should be ignored")
        for stream in streams:
            stream.close()
        wait_for("room for tabs", lambda: top.json("/status")["connected"] == 0, 30)
        check(listen(top.port, tab).recv(1_000).startswith(b"HTTP/1.1 200"), "a new tab should be accepted")
        slow.join()
        check(result and 15 < result[0] < 28, f"a request that arrives byte by byte should be ended after 20 s: {result}")
        check(top.end() == 0, "Ctrl-C should end the program with status 0")
        ok("requests from other sites, for files, and requests that are too large, too slow or too many are refused")

    with LiveTop(program, "--simulate", 1) as top, Browser(resolve="evil.test 127.0.0.1") as page:
        page.open(f"http://evil.test:{top.port}/")
        check("refused: the Host header does not name this server" in page.run("return document.body.textContent"),
              "a host name that points to this machine should be refused")
        page.open("data:text/html,<title>elsewhere</title>")
        answer = page.call("POST", "/execute/async", {"args": [top.address], "script": """
          const [address, done] = arguments;
          const events = new EventSource(`${address}/events?tab=${"0".repeat(32)}`);
          events.onerror = () => { events.close(); done("refused"); };
          events.onopen = () => done("open");"""})
        check(answer == "refused", "a page of another origin must not listen")
        check(top.json("/status")["tabs"] == 0, "a page of another origin must not open a tab")
        ok("a host name that points to this machine, and a page of another origin, are also refused in the browser")
    for words in (["--host", "0.0.0.0"], ["--host", "::"], ["--port", "x"], ["--every", "0"], ["--nonsense"]):
        done = subprocess.run([program, *words], capture_output=True, text=True, timeout=20)
        check(done.returncode == 64 and words[0] in done.stderr, f"{words}: {done}")


def raw(port, head):
    with connect(port) as connection:
        connection.sendall(head.encode() + b"\r\n\r\n")
        return connection.recv(1_000)


def half_closed(program):
    """Clients that stop sending within the head of a request make room within seconds, even if there are many."""
    with LiveTop(program, "--simulate", 1, "--tabs", 2, "--of-one", 20) as top:
        ends = []
        for _ in range(300):
            end = connect(top.port)
            end.sendall(f"GET / HTTP/1.1\r\nHost: x\r\nX: {'y' * 5_600}".encode())
            end.shutdown(socket.SHUT_WR)
            ends.append(end)
        start = time.monotonic()
        # 20 connections fit at the same time, and overdue connections are ended four times per second.
        check(top.request("GET", "/")[0] == 200, "the page should be served after 300 half-closed connections")
        seconds = time.monotonic() - start
        check(seconds < 10, f"half-closed connections blocked others for {seconds} s")
        ok(f"300 half-closed connections blocked others for only {seconds:.1f} s")


def crowded(program):
    """A single address cannot use all connections, whether with half-open requests or with pages."""
    longest = crowd(lambda *words: LiveTop(program, "--simulate", 1, *words), lambda number: f"/events?tab={number:032x}")
    ok(f"during 1,200 half-open requests of one address, another address waited at most {1000 * longest:.0f} ms; one address got 15 "
       "of 20 pages, and all of them with --of-one 56")


def fuzzed(program):
    """Random commands and requests. Examples/Web/fuzz.py sends them for ten minutes."""
    ok(f"LiveTop survived random commands and requests: {fuzz(program, 10, 23)}")


def full(program):
    """A page tells the user if the server is full, and connects when another page leaves."""
    with LiveTop(program, "--simulate", 1, "--tabs", 1) as top, Browser() as page:
        other = listen(top.port, "0" * 32)
        check(b"200 OK" in other.recv(1_000), "the first tab")
        page.open(top.address)
        wait_for("the message", lambda: page.run(TEXT, "line").startswith("LiveTop is full: 1 pages"))
        other.close()
        wait_for("rows", lambda: page.run("return document.querySelectorAll('.row').length > 20"), 60)
        ok("a page says that the server is full, and waits until it can connect")


def phones(program, folder):
    """Nothing is cut off, at the width of a phone and of a desktop."""
    with LiveTop(program, "--simulate", 7, "--every", 0.02, "--readings", 50) as top, Browser() as page:
        page.open(top.address)
        wait_for("the last reading", lambda: top.json("/status")["reading"] == 50)
        assert_same(top, page, "50 readings")
        for width, scheme in ((320, "light"), (320, "dark"), (360, "light"), (390, "dark"), (390, "light"), (735, "light"),
                              (1280, "dark"), (1280, "light")):
            page.media(scheme)
            page.resize(width, 800, width < 1000)
            check(page.run("return document.querySelector('#filter-box kbd').checkVisibility()") == (width == 1280),
                  f"only a desktop should show the key /: {width} px")
            cut = page.run("""
              const isCut = (node) => {
                const box = node.getBoundingClientRect();
                return node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).display !== "inline"
                  || box.left < 0 || box.right > innerWidth || box.width === 0;
              };
              const figures = "#list .value, #charts b, #charts figcaption, #list .name, #list .title .label, #tools button";
              return [...document.querySelectorAll(figures)].filter(isCut)
                .map((node) => `${node.className} ${node.textContent}`).slice(0, 5);""")
            check(cut == [], f"cut off at {width} px: {cut}")
            hint = page.run("""
              const filter = document.getElementById("filter");
              const pen = document.createElement("canvas").getContext("2d");
              pen.font = getComputedStyle(filter).font;
              return pen.measureText(filter.placeholder).width <= filter.clientWidth - 40;""")
            check(hint, f"the placeholder of the filter should fit at {width} px")
            check(page.run("return document.documentElement.scrollWidth <= innerWidth"),
                  f"nothing should widen the page at {width} px")
            page.picture(folder / f"livetop-{width}-{scheme}.png")
        page.assert_no_errors()
        ok("figures, names and the filter are not cut off at 320, 360, 390, 735 and 1,280 px, in light and dark")


def connect(port):
    connection = socket.create_connection(("127.0.0.1", port), timeout=30)
    return connection


def listen(port, tab):
    connection = connect(port)
    connection.sendall(
        f"GET /events?tab={tab} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
    return connection


def drip(port):
    """Returns how many seconds a request lasts if its bytes are sent one by one."""
    start = time.monotonic()
    with connect(port) as connection:
        try:
            while time.monotonic() - start < 60:
                connection.sendall(b"G" if time.monotonic() - start < 0.1 else b"x")
                time.sleep(0.5)
        except OSError:
            pass
    return time.monotonic() - start


def flood(port):
    with connect(port) as connection:
        connection.sendall(
            f"POST /command HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nTransfer-Encoding: chunked\r\n\r\n".encode())
        try:
            for _ in range(50):
                connection.sendall(b"400\r\n" + b"x" * 0x400 + b"\r\n")
            return connection.recv(1_000)
        except OSError:
            return b""


def both_schemes(program, folder):
    with LiveTop(program, "--simulate", 7, "--every", 0.02, "--readings", 150) as top, Browser() as page:
        page.open(top.address)
        wait_for("the last reading", lambda: top.json("/status")["reading"] == 150)
        assert_same(top, page, "150 readings")
        grounds = []
        for scheme in ("light", "dark"):
            page.media(scheme)
            page.picture(folder / f"livetop-{scheme}.png")
            grounds.append(page.run("return getComputedStyle(document.body).backgroundColor"))
        light, dark = ([int(part) for part in re.findall(r"\d+", ground)[:3]] for ground in grounds)
        check(min(light) > 200 and max(dark) < 60, f"the backgrounds should be light and dark: {grounds}")
        paths = page.run("return [...document.querySelectorAll('#charts path')].map((path) => path.getTotalLength())")
        check(len(paths) == 6 and min(paths) > 500, f"the charts should be drawn: {paths}")
        page.assert_no_errors()
        ok(f"pictures in both color schemes: {folder}/livetop-*.png")


def main():
    program = os.path.abspath(sys.argv[1])
    folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    checks = [
        lambda: thousands_of_changes(program, folder), lambda: nodes_stay(program),
        lambda: keyboard(program), lambda: resume(program), lambda: hostile_names(program),
        lambda: strangers(program), lambda: half_closed(program), lambda: crowded(program), lambda: fuzzed(program),
        lambda: full(program),
        lambda: phones(program, folder), lambda: both_schemes(program, folder),
    ]
    for one in checks:
        one()


if __name__ == "__main__":
    main()
