# SPDX-License-Identifier: GPL-2.0-or-later
"""Chromium without a window, spoken to over a pair of pipes in the DevTools protocol
(https://chromedevtools.github.io/devtools-protocol/): JSON, a NUL byte behind each message."""
import base64
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time

PATIENCE = 60  # seconds for an answer

# The sandbox wants what containers and root do not have; the pages are our own.
FLAGS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
         "--no-first-run", "--disable-lcd-text", "--remote-debugging-pipe")


class Chromium:
    """A browser; `with Chromium() as browser`."""

    def __init__(self):
        self.home = tempfile.mkdtemp(prefix="layoutcheck-browser.")
        ours_read, its_write = os.pipe()
        its_read, ours_write = os.pipe()

        def arrange():  # commands come on 3, answers go out on 4
            its = os.dup(its_read), os.dup(its_write)
            os.dup2(its[0], 3)
            os.dup2(its[1], 4)

        self.process = subprocess.Popen(
            ["chromium", *FLAGS, "--user-data-dir=" + self.home], preexec_fn=arrange,
            close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True)
        os.close(its_read)
        os.close(its_write)
        os.set_blocking(ours_read, False)
        self.read, self.write, self.unread = ours_read, ours_write, b""
        self.last, self.events = 0, []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        shutil.rmtree(self.home, ignore_errors=True)

    def message(self):
        """The next one, an answer or an event."""
        until = time.monotonic() + PATIENCE
        while b"\0" not in self.unread:
            if time.monotonic() > until or self.process.poll() is not None:
                raise RuntimeError("chromium does not answer")
            try:
                self.unread += os.read(self.read, 1 << 20)
            except BlockingIOError:
                time.sleep(0.01)
        text, self.unread = self.unread.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, session=None, **params):
        """The result of a command; events that come meanwhile are kept."""
        self.last += 1
        command = {"id": self.last, "method": method, "params": params}
        if session:
            command["sessionId"] = session
        text = json.dumps(command).encode() + b"\0"
        while text:
            text = text[os.write(self.write, text):]
        while True:
            message = self.message()
            if message.get("id") == self.last:
                if "error" in message:
                    raise RuntimeError("%s: %s" % (method, message["error"]["message"]))
                return message["result"]
            self.events.append(message)

    def page(self, url, width=1280, dark=False, media=""):
        return Page(self, url, width, dark, media)


class Page:
    """A page that has been opened. `complaints` is all that the console and the log said."""

    def __init__(self, browser, url, width, dark, media):
        self.browser, self.width = browser, width
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=target,
                                    flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900,
                  deviceScaleFactor=1, mobile=width < 500)
        self.call("Emulation.setEmulatedMedia", media=media, features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        browser.events.clear()
        self.call("Page.navigate", url=url)
        self.wait("Page.loadEventFired")

    def call(self, method, **params):
        return self.browser.call(method, self.session, **params)

    def wait(self, method):
        while not any(event.get("method") == method for event in self.browser.events):
            self.browser.events.append(self.browser.message())

    def value(self, expression):
        """What JavaScript says to it, which the policy of the page does not hold back."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"]["exception"]["description"])
        return result["result"].get("value")

    def told(self, *methods):
        return [event["params"] for event in self.browser.events if event["method"] in methods]

    def picture(self, height=None):
        """PNG of all of it, or from the top to the height."""
        # What is not in the window yet is not drawn yet.
        self.value("document.querySelectorAll('section').forEach("
                   "e => { e.style.contentVisibility = 'visible'; })")
        clip = {"x": 0, "y": 0, "scale": 1, "width": self.width, "height": height or self.value(
            "document.documentElement.scrollHeight")}
        shot = self.call("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)
        return base64.b64decode(shot["data"])

    def complaints(self):
        """What the console and the log were told so far."""
        self.value("0")
        return [json.dumps(params) for params in self.told(
            "Log.entryAdded", "Runtime.consoleAPICalled", "Runtime.exceptionThrown")]

    def requests(self):
        return [params["request"]["url"] for params in self.told("Network.requestWillBeSent")]
