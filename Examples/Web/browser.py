"""Runs LiveTop, and drives a headless Chromium through its WebDriver: nothing but the standard library.

Both are context managers that leave nothing behind.
"""
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
    """Asks again and again until the answer is true, and gives it."""
    end = time.monotonic() + seconds
    while True:
        answer = condition()
        if answer:
            return answer
        if time.monotonic() > end:
            raise AssertionError(f"waited {seconds} s for: {what}; last answer: {answer!r}")
        time.sleep(pause)


class LiveTop:
    """A server that runs."""

    def __init__(self, program, *arguments, port=0):
        self.process = subprocess.Popen(
            [program, "--port", str(port), *map(str, arguments)], stdout=subprocess.PIPE, text=True)
        first = self.process.stdout.readline()
        match = re.search(r"http://([^/]*):(\d+)/", first)
        if not match:
            raise AssertionError(f"LiveTop has printed {first!r} and ended with {self.process.wait()}")
        self.host, self.port = match[1], int(match[2])
        self.address = f"http://{match[1]}:{match[2]}"

    def request(self, method, path, body=None, headers=None):
        """A request, and the status, the headers and the bytes of its answer."""
        connection = http.client.HTTPConnection(self.host.strip("[]"), self.port, timeout=20)
        with contextlib.closing(connection):
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()

    def json(self, path):
        status, _, body = self.request("GET", path)
        if status != 200:
            raise AssertionError(f"{path} is answered with {status}: {body[:200]}")
        return json.loads(body)

    def interrupt(self):
        """What Ctrl-C does; gives the exit status."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(timeout=20)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stdout.close()


class Browser:
    """A window of a headless Chromium."""

    def __init__(self, width=1200, height=900, scheme="light", still=False, resolve=None):
        self.folder = tempfile.mkdtemp()
        self.driver = subprocess.Popen(
            [shutil.which("chromedriver") or "chromedriver", "--port=0"],
            stdout=subprocess.PIPE, text=True, start_new_session=True,
            env={**os.environ, "HOME": self.folder, "no_proxy": "*", "NO_PROXY": "*"})
        for line in self.driver.stdout:
            match = re.search(r"started successfully on port (\d+)", line)
            if match:
                break
        else:
            raise AssertionError("chromedriver has not started")
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
        """A command of the DevTools protocol."""
        return self.call("POST", "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def media(self, scheme):
        self.command(
            "Emulation.setEmulatedMedia",
            features=[{"name": "prefers-color-scheme", "value": scheme}])

    def open(self, address):
        self.call("POST", "/url", {"url": address})

    def run(self, script, *arguments):
        """The value of a function's body."""
        return self.call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def press(self, *keys):
        """Types keys to whatever has the focus; names as in the WebDriver standard."""
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

    def picture(self, path):
        pathlib.Path(path).write_bytes(base64.b64decode(self.call("GET", "/screenshot")))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            if self.path:
                self.call("DELETE", "")
        finally:
            # Its own group: the driver, and what it has started.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.driver.pid, signal.SIGKILL)
            self.driver.wait()
            self.driver.stdout.close()
            shutil.rmtree(self.folder, ignore_errors=True)
