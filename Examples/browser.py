"""Drives a headless Chromium through WebDriver. This module needs only the standard library."""
import base64
import contextlib
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


def wait_for(what, condition, seconds=60, pause=0.05):
    """Calls `condition` repeatedly until the result is true, and returns the result."""
    end = time.monotonic() + seconds
    while True:
        answer = condition()
        if answer:
            return answer
        if time.monotonic() > end:
            raise AssertionError(f"waited {seconds} s for: {what}; the last result was {answer!r}")
        time.sleep(pause)


def check(condition, what):
    if not condition:
        raise AssertionError(what)


begun = time.monotonic()


def ok(text):
    """Prints the result of a check, and the seconds since the start."""
    print(f"ok  {time.monotonic() - begun:4.0f} s  {text}", flush=True)


class Browser:
    """A window of a headless Chromium."""

    def __init__(self, width=1200, height=900, scheme="light", still=False, resolve=None):
        self.folder = tempfile.mkdtemp()
        # On a busy machine, the driver sometimes ends while it starts, so try three times.
        match = next(filter(None, (self.start_driver() for _ in range(3))), None)
        if not match:
            raise AssertionError("chromedriver did not start")
        self.port = int(match[1])
        options = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            "--no-proxy-server", "--hide-scrollbars", "--force-device-scale-factor=1",
            f"--user-data-dir={self.folder}/profile", f"--window-size={width},{height}",
        ]
        if still:
            options.append("--force-prefers-reduced-motion")
        if resolve:
            options.append(f"--host-resolver-rules=MAP {resolve}")
        self.path = ""
        session = self.call("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:loggingPrefs": {"browser": "ALL"},
            "goog:chromeOptions": {"args": options}}}})
        self.path = f"/session/{session['sessionId']}"
        self.media(scheme)

    def start_driver(self):
        """Starts the driver; returns a match with its port, or `None` if the driver has ended."""
        self.driver = subprocess.Popen(
            [shutil.which("chromedriver") or "chromedriver", "--port=0"],
            stdout=subprocess.PIPE, text=True, start_new_session=True,
            env={**os.environ, "HOME": self.folder, "no_proxy": "*", "NO_PROXY": "*"})
        matches = (re.search(r"started successfully on port (\d+)", line) for line in self.driver.stdout)
        return next(filter(None, matches), None)

    def call(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        with contextlib.closing(connection):
            connection.request(
                method, self.path + path, json.dumps(body) if body is not None else None,
                {"Content-Type": "application/json"})
            value = json.loads(connection.getresponse().read())["value"]
        if isinstance(value, dict) and "error" in value:
            raise AssertionError(f"{value['error']}: {value['message'][:500]}")
        return value

    def command(self, name, **parameters):
        """Sends a command of the DevTools protocol."""
        return self.call("POST", "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def media(self, scheme):
        self.command(
            "Emulation.setEmulatedMedia",
            features=[{"name": "prefers-color-scheme", "value": scheme}])

    def resize(self, width, height, mobile=False):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile)
        wait_for("the width", lambda: self.run("return innerWidth") == width)

    def open(self, address):
        self.call("POST", "/url", {"url": address})

    def run(self, script, *arguments):
        """Runs `script` as the body of a function, and returns its value."""
        return self.call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def press(self, *keys):
        """Types keys into the focused element. Key names are those of the WebDriver standard."""
        names = {
            "Down": "\ue015", "Up": "\ue013", "Left": "\ue012", "Right": "\ue014",
            "Enter": "\ue007", "Escape": "\ue00c", "Home": "\ue011", "End": "\ue010",
            "PageDown": "\ue00f", "Tab": "\ue004",
        }
        actions = []
        for key in keys:
            key = names.get(key, key)
            actions += [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        self.call("POST", "/actions", {
            "actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def logs(self):
        return self.call("POST", "/se/log", {"type": "browser"})

    def assert_no_errors(self, is_network_down=False):
        """Fails if the console contains an error or a warning, except for failed requests if the network is down."""
        bad = [entry for entry in self.logs() if entry["level"] in ("SEVERE", "WARNING")
               and not (is_network_down and entry["source"] == "network")]
        check(not bad, f"the console should be empty, but contains {bad}")

    def picture(self, path):
        pathlib.Path(path).write_bytes(base64.b64decode(self.call("GET", "/screenshot")))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            if self.path:
                self.call("DELETE", "")
        finally:
            # The driver and the processes that it has started are in a separate process group.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.driver.pid, signal.SIGKILL)
            self.driver.wait()
            self.driver.stdout.close()
            shutil.rmtree(self.folder, ignore_errors=True)
