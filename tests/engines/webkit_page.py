"""A page in WebKitGTK, driven by WebKitWebDriver: https://www.w3.org/TR/webdriver2/."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
from tests.engines.page import WAIT_S
from tests.engines.scripted_page import Action, ScriptedPage
from tests.servers.serving import free_port

DRIVER = shutil.which("WebKitWebDriver")
DISPLAY_SERVER = shutil.which("Xvfb")
BINDINGS = next(Path("/usr/lib").glob("*/girepository-1.0/WebKit2-4.1.typelib"), None)
"""Of WebKitGTK for Debian's Python."""
MISSING = (
    "" if DRIVER and DISPLAY_SERVER and BINDINGS else "WebKitGTK is not installed: `make engines` installs it as root"
)
HOST = Path(__file__).with_name("webkit_host.py")
MESSAGE = re.compile(r"CONSOLE (?:\w+ )?(?:ERROR|WARN)\b.*")
ABORTED = "CONSOLE JS ERROR Fetch API cannot load {origin}/"
"""Navigations end requests. Within an origin, there is nothing else that refuses one."""
RUN = """const done = arguments[1], given = JSON.parse(arguments[0])
Promise.resolve().then(() => (%s)(...given)).then((value) => done(JSON.stringify(value ?? null)),
  (error) => done(JSON.stringify({ thrown: String(error) })))"""


class WebKitPage(ScriptedPage):
    engine = "webkit"

    def __init__(self, driver: httpx.Client, session: str, log: Path, origin: str) -> None:
        super().__init__(origin)
        self._driver = driver
        self._session = session
        self._log = log
        self._read_bytes = 0

    def load(self, url: str) -> None:
        self._send("url", url=url)

    def back(self) -> None:
        self._send("back")

    def evaluate(self, function: str, *arguments: object) -> object:
        answer = self._send("execute/async", script=RUN % function, args=[json.dumps(arguments)])
        found = json.loads(str(answer))
        if isinstance(found, dict) and "thrown" in found:
            raise RuntimeError(found["thrown"])
        return found

    def resize(self, width: int, height: int) -> None:
        """The window has no frame: it is as large as the viewport."""
        self._send("window/rect", width=width, height=height)
        self.wait_until(lambda: self.evaluate("() => innerWidth") == width, "the page has its new width")

    def perform(self, source: Action) -> None:
        self._send("actions", actions=[source])

    def collect(self) -> None:
        with self._log.open("rb") as log:
            log.seek(self._read_bytes)
            added = log.read()
        complete = added[: added.rfind(b"\n") + 1]
        self._read_bytes += len(complete)
        for line in complete.decode(errors="replace").splitlines():
            self._record(line)

    def _record(self, line: str) -> None:
        if line.startswith('{"fault"'):
            self.faults.append(json.loads(line)["fault"])
        elif line.startswith('{"download"'):
            self.downloads.append(json.loads(line)["download"])
        elif ABORTED.format(origin=self.origin) in line and "access control checks" in line:
            return
        elif found := MESSAGE.search(line):
            self.faults.append(line if len(line) < 400 else found[0])

    def _send(self, command: str, **body: object) -> Any:
        answer = self._driver.post(f"/session/{self._session}/{command}", json=body)
        value = answer.json()["value"]
        if answer.status_code != 200:
            raise RuntimeError(f"{command}: {value['error']}: {value['message']}")
        return value


@contextlib.contextmanager
def webkit_page(origin: str) -> Iterator[WebKitPage]:
    """A page in a WebKitGTK window on a display of its own, until the block ends."""
    assert DRIVER is not None
    assert DISPLAY_SERVER is not None
    with (
        tempfile.TemporaryDirectory(prefix="kinfolk-webkit-", ignore_cleanup_errors=True) as folder,
        contextlib.ExitStack() as stack,
    ):
        environment = {
            "PATH": "/usr/bin:/bin",
            "HOME": folder,
            "LANG": "C.UTF-8",
            "GDK_BACKEND": "x11",
            "DISPLAY": stack.enter_context(_display()),
            # Its sandbox needs user namespaces, which containers often forbid.
            "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",
            # There is no desktop.
            "NO_AT_BRIDGE": "1",
            "GSETTINGS_BACKEND": "memory",
        }
        log = Path(folder) / "log"
        host = Path(folder) / "host"
        # WebKit's buffer of the output is flushed for each line.
        host.write_text(f"#!/bin/sh\nexec stdbuf -oL /usr/bin/python3 '{HOST}' >'{log}' 2>&1\n", encoding="utf-8")
        host.chmod(0o700)
        log.touch()
        port = free_port()
        process = subprocess.Popen([DRIVER, f"--port={port}"], env=environment, stderr=subprocess.DEVNULL)
        stack.callback(_end, process)
        driver = stack.enter_context(httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=2 * WAIT_S))
        session = _new_session(driver, host)
        stack.callback(driver.delete, f"/session/{session}")
        yield WebKitPage(driver, session, log, origin)


def _new_session(driver: httpx.Client, host: Path) -> str:
    wanted = {"webkitgtk:browserOptions": {"binary": str(host), "args": []}}
    deadline = time.monotonic() + WAIT_S
    while True:
        try:
            answer = driver.post("/session", json={"capabilities": {"alwaysMatch": wanted}})
        except httpx.ConnectError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)
        else:
            return str(answer.json()["value"]["sessionId"])


@contextlib.contextmanager
def _display() -> Iterator[str]:
    """A display in memory that is free: Xvfb chooses its number."""
    assert DISPLAY_SERVER is not None
    reader, writer = os.pipe()
    process = subprocess.Popen(
        [DISPLAY_SERVER, "-displayfd", str(writer), "-screen", "0", "1600x1200x24", "-nolisten", "tcp"],
        pass_fds=[writer],
        stderr=subprocess.DEVNULL,
    )
    os.close(writer)
    try:
        with os.fdopen(reader) as number:
            yield f":{number.readline().strip()}"
    finally:
        _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(15)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
