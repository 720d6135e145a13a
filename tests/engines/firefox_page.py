"""A page in Firefox, driven over WebDriver BiDi: Firefox serves the protocol itself, without a driver.

https://www.w3.org/TR/webdriver-bidi/
"""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.engines.page import WAIT_S
from tests.engines.scripted_page import Action, ScriptedPage
from websockets.sync.client import ClientConnection, connect

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
MISSING = "" if FIREFOX else "Firefox is not installed: `make engines` installs it as root"
START_S = 60.0
PREFERENCES = {
    "ui.prefersReducedMotion": 1,
    # A mouse, which hovers and points exactly: there is none without a desktop.
    "ui.primaryPointerCapabilities": 6,
    "ui.allPointerCapabilities": 6,
    # Scroll bars over the page, as in the other engines.
    "ui.useOverlayScrollbars": 1,
    "widget.gtk.overlay-scrollbars.enabled": True,
    # Without requests at the start. Firefox sets other preferences for tests itself: `remote.prefs.recommended`.
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,#remote-settings-dummy/v1",
    "datareporting.policy.dataSubmissionEnabled": False,
    "browser.download.folderList": 2,
    # The panel would take the focus from the page.
    "browser.download.alwaysOpenPanel": False,
}
EVENTS = (
    "log.entryAdded",
    "network.fetchError",
    "network.responseCompleted",
    "browsingContext.downloadWillBegin",
)
ABORTED = "NS_BINDING_ABORTED"
"""Navigations end requests."""
ABORTED_FONT = f"download failed .* status={0x804B0002} "
"""The same, as the console writes it for a font."""


class FirefoxPage(ScriptedPage):
    engine = "firefox"

    def __init__(self, connection: ClientConnection, origin: str) -> None:
        super().__init__(origin)
        self._connection = connection
        self._last_id = 0
        self._send("session.new", capabilities={})
        self._send("session.subscribe", events=list(EVENTS))
        # In the first tab, the address bar has the focus.
        self._tab = self._send("browsingContext.create", type="tab")["context"]

    def load(self, url: str) -> None:
        self._send("browsingContext.navigate", context=self._tab, url=url, wait="complete")

    def back(self) -> None:
        self._send("browsingContext.traverseHistory", context=self._tab, delta=-1)

    def evaluate(self, function: str, *arguments: object) -> object:
        """The arguments and the result are JSON: BiDi's own serialization of objects is verbose."""
        answer = self._send(
            "script.callFunction",
            functionDeclaration=f"async (given) => JSON.stringify(await ({function})(...JSON.parse(given)) ?? null)",
            arguments=[{"type": "string", "value": json.dumps(arguments)}],
            target={"context": self._tab},
            awaitPromise=True,
        )
        if answer["type"] != "success":
            raise RuntimeError(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"]["value"])

    def resize(self, width: int, height: int) -> None:
        self._send("browsingContext.setViewport", context=self._tab, viewport={"width": width, "height": height})
        self.wait_until(lambda: self.evaluate("() => innerWidth") == width, "the page has its new width")

    def perform(self, source: Action) -> None:
        self._send("input.performActions", context=self._tab, actions=[source])

    def collect(self) -> None:
        """Events precede the result of a later command."""
        self._send("session.status")

    def _send(self, method: str, **parameters: object) -> dict[str, Any]:
        self._last_id += 1
        self._connection.send(json.dumps({"id": self._last_id, "method": method, "params": parameters}))
        deadline = time.monotonic() + 2 * WAIT_S
        while True:
            message = json.loads(self._connection.recv(timeout=max(0.1, deadline - time.monotonic())))
            if message["type"] == "event":
                self._record(message["method"], message["params"])
            elif message.get("id") == self._last_id:
                if message["type"] == "error":
                    raise RuntimeError(f"{method}: {message['error']}: {message['message']}")
                return dict(message["result"])

    def _record(self, event: str, about: dict[str, Any]) -> None:
        match event:
            case "log.entryAdded" if about["level"] in ("error", "warn"):
                if not re.search(ABORTED_FONT, str(about["text"])):
                    self.faults.append(str(about["text"]))
            case "network.fetchError" if about["errorText"] != ABORTED:
                self.faults.append(f"{about['errorText']} {about['request']['url']}")
            case "network.responseCompleted" if about["response"]["status"] >= 400:
                self.faults.append(f"{about['response']['status']} {about['request']['url']}")
            case "browsingContext.downloadWillBegin":
                self.downloads.append(about["suggestedFilename"])


@contextlib.contextmanager
def firefox_page(origin: str) -> Iterator[FirefoxPage]:
    """A page in a Firefox with a profile of its own, until the block ends."""
    assert FIREFOX is not None
    with tempfile.TemporaryDirectory(prefix="kinfolk-firefox-", ignore_cleanup_errors=True) as folder:
        preferences = PREFERENCES | {"browser.download.dir": folder}
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in preferences.items()]
        (Path(folder) / "user.js").write_text("\n".join(lines), encoding="utf-8")
        log = Path(folder) / "log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                [FIREFOX, "--headless", "--no-remote", "--profile", folder, "--remote-debugging-port", "0"],
                stdout=output,
                stderr=output,
                env={"HOME": folder, "PATH": "/usr/bin:/bin", "MOZ_CRASHREPORTER_DISABLE": "1"},
            )
        try:
            with connect(f"{_address(process, log)}/session", max_size=None, ping_interval=None) as connection:
                page = FirefoxPage(connection, origin)
                yield page
        finally:
            process.terminate()
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _address(process: subprocess.Popen[bytes], log: Path) -> str:
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline and process.poll() is None:
        if found := re.search(r"WebDriver BiDi listening on (ws://\S+)", log.read_text(errors="replace")):
            return found[1]
        time.sleep(0.05)
    raise RuntimeError(f"Firefox did not start: {log.read_text(errors='replace')[-2000:]}")
