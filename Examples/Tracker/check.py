"""Records a run of Tracker, and steps through its page in Chromium, at the sizes of a desktop and a phone, in light and dark.

Usage: check.py TRACKER [FOLDER FOR PICTURES]
"""
import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from browser import Browser, check, ok, wait_for

tracker = sys.argv[1]
pictures = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None


def record(page):
    """Records a run with a search, an edit, a payment, an undo and a failing save."""
    program = subprocess.Popen(
        [tracker, "--record", page], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
    for line, answer in [
        ("", "loading"), ("/ tea\n", None), ("a 2024-05 <script>alert(1)</script> 12 EUR\n", "saved"),
        ("p 1\n", None), ("u\n", None), ("f\n", None), ("a 2024-05 Cake 3 EUR\n", "! "),
    ]:
        program.stdin.write(line)
        while answer and answer not in (heard := program.stdout.readline()):
            check(heard, f"Tracker should print {answer!r} after {line!r}")
    program.communicate("f\nq\n", timeout=60)
    check(program.returncode == 0, f"Tracker should exit with 0, not with {program.returncode}")
    ok("Tracker has written its page")


def walk(browser, name):
    def text(id):
        return browser.run("return document.getElementById(arguments[0]).textContent", id)

    def shown():
        return browser.run("return document.querySelectorAll('#events li').length")

    def place():
        return int(browser.run("return document.getElementById('moment').value"))

    wait_for(f"{name}: the page lists its events", lambda: shown() > 20)
    count = shown()
    check(f"{count} events" in text("summary"), f"{name}: the summary counts the events")
    check(place() == count - 1, f"{name}: the page opens at the last event")
    browser.press("Left")
    check(place() == count - 2 and f"Event {count - 1} of {count}" in text("where"), f"{name}: the left arrow steps back")
    browser.press("Right", "Right")
    check(place() == count - 1, f"{name}: the right arrow stops at the last event")
    browser.run("document.getElementById('changeBack').click()")
    check("change" in browser.run("return document.getElementById('now').className"), f"{name}: the button goes to a change")
    check(browser.run("return document.querySelectorAll('#states .changed li').length") > 0,
          f"{name}: the change shows the old and the new value")
    while browser.run("return !document.getElementById('changeBack').disabled"):
        browser.run("document.getElementById('changeBack').click()")
    check(place() < count / 2, f"{name}: the button reaches the first change")
    browser.run("document.querySelector('#events li:nth-child(3) button').click()")
    check(place() == 2, f"{name}: clicking an event in the list goes to it")
    browser.run("document.querySelector('.bar').click()")
    check(place() != 2, f"{name}: clicking a request in the lanes goes to it")
    for box in range(1, 3):
        browser.run("document.querySelectorAll('#holders input')[arguments[0]].click()", box)
    check(0 < shown() < count, f"{name}: the filter shows only the events of one holder")
    browser.run("document.querySelectorAll('#holders input')[0].click()")
    check("No holder" in text("where"), f"{name}: if no holder is selected, the page says so")
    for box in range(3):
        browser.run("document.querySelectorAll('#holders input')[arguments[0]].click()", box)
    check(shown() == count, f"{name}: selecting all holders shows all events")
    check(browser.run("return document.querySelectorAll('body script').length") == 2
          and "<script>alert(1)</script>" in browser.run("return document.body.textContent"),
          f"{name}: the user's input is shown as text")
    check(browser.run("return document.documentElement.scrollWidth <= innerWidth"), f"{name}: the page is not wider than the window")
    check(browser.run("""return [...document.querySelectorAll('button, label:has(input), input[type=range], summary')]
        .map((node) => node.getBoundingClientRect()).every((box) => !box.width || box.height >= 24)"""), f"{name}: controls are large enough for touch")
    browser.assert_no_errors()
    ok(f"{name}: the page shows {count} events")


def watched_twice(page):
    """Adds a copy of the first holder and its events to a page; returns the number of the holder's requests."""
    html = pathlib.Path(page).read_text()
    start = html.index('type="application/json">') + len('type="application/json">')
    end = html.index("</script>", start)
    run = json.loads(html[start:end])
    copy = len(run["holders"])
    run["holders"].append({**run["holders"][0], "name": "Copy"})
    run["events"] = [one for event in run["events"]
                     for one in ([event] if event["holder"] else [event, {**event, "holder": copy}])]
    pathlib.Path(page + ".twice.html").write_text(html[:start] + json.dumps(run).replace("<", "\\u003c") + html[end:])
    return len({event["message"] for event in run["events"] if event["holder"] == copy and event.get("message")})


with tempfile.TemporaryDirectory() as folder:
    page = f"{folder}/run.html"
    record(page)
    requests = watched_twice(page)
    with Browser(1280, 900) as browser:
        def bars(page):
            browser.open(f"file://{page}")
            return browser.run("return document.querySelectorAll('.bar').length")
        once = bars(page)
        check(0 < requests == bars(page + ".twice.html") - once, "a holder that is watched twice has its requests twice")
    for width, height in ((1280, 900), (390, 844)):
        with Browser(width, height) as browser:
            for scheme in ("light", "dark"):
                browser.media(scheme)
                browser.open(f"file://{page}")
                browser.resize(width, height, mobile=width < 600)
                walk(browser, f"{width} px, {scheme}")
                if pictures:
                    pictures.mkdir(exist_ok=True)
                    browser.run("document.getElementById('changeBack').click()")
                    browser.picture(pictures / f"recorder-{width}-{scheme}.png")
