"""Clocks that jump by a day, forward and back, while the server runs.

`libfaketime` (Debian: `libfaketime`) sets the clock of all processes of the server by a file. Durations are measured
with the monotonic clock, which does not jump. `time.sleep` of Python ends at an absolute time of that clock, which
libfaketime computes wrongly, so a module that Python imports at its start replaces it.
"""

from __future__ import annotations

import contextlib
import email
import re
import socket
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import httpx
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from tests.faults.outages.family_site import FamilySite, family_site
from tests.faults.outages.readers import reading, seconds, send_feedback, status_of, until
from tests.faults.site import DefectPresent, Server, Site, expect, fault
from tests.servers.npm_api import NpmApi

LIBRARIES = Path("/usr/lib")
READ_EVERY_S = 1
"""Seconds between two looks of libfaketime at the file. To look at each call takes most of the CPU time."""
SLEEP = """
import threading, time
time.sleep = lambda seconds: threading.Event().wait(seconds) if seconds > 0 else None
"""


class JumpingClock:
    """The offset of the clock of processes that are started in `environment`."""

    def __init__(self, folder: Path) -> None:
        found = sorted(LIBRARIES.glob("*/faketime/libfaketime.so.1"))
        if not found:
            raise DefectPresent("libfaketime is not installed: apt-get install libfaketime")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "sitecustomize.py").write_text(SLEEP)
        self._file = folder / "offset"
        self.set_hours(0)
        self._library, self._folder = found[0], folder

    def environment(self, import_path: str) -> dict[str, str]:
        return {
            "LD_PRELOAD": str(self._library),
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            "FAKETIME_CACHE_DURATION": str(READ_EVERY_S),
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "NO_FAKE_STAT": "1",
            "PYTHONPATH": f"{self._folder}:{import_path}",
        }

    def set_hours(self, hours: int) -> None:
        fresh = self._file.with_name("offset.new")
        fresh.write_text(f"{hours:+}h\n")
        fresh.replace(self._file)
        time.sleep(READ_EVERY_S)


class Inbox:
    """A mail server that keeps the codes of its mail."""

    def __init__(self) -> None:
        self.codes: list[str] = []

    async def handle_DATA(self, _: SMTP, __: Session, envelope: Envelope) -> str:  # noqa: N802
        content = envelope.content
        text = str(email.message_from_bytes(content if isinstance(content, bytes) else b"").get_payload())
        self.codes += re.findall(r"\b(\d{4} \d{4})\b", text)[:1]
        return "250 OK"


@contextlib.contextmanager
def mail_server() -> Iterator[tuple[Inbox, str]]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    inbox = Inbox()
    controller = Controller(inbox, hostname="127.0.0.1", port=port)
    controller.start()
    try:
        yield inbox, f"smtp://127.0.0.1:{port}"
    finally:
        controller.stop()


class Browser:
    """A reader who signs in by mail."""

    def __init__(self, server: Server, inbox: Inbox) -> None:
        self._client = httpx.Client(base_url=server.url, headers={"origin": server.url}, timeout=20)
        self._inbox = inbox

    def request_code(self, address: str) -> bool:
        answer = self._client.post("/auth/email", data={"email": address})
        return str(answer.headers.get("location")).endswith("/login/code")

    def enter(self, code: str) -> bool:
        answer = self._client.post("/auth/code", data={"code": code})
        return "error" not in str(answer.headers.get("location", "error"))

    def sign_in(self, address: str) -> float | None:
        """Seconds until the mail was there and its code accepted; None if not."""
        known = len(self._inbox.codes)
        if not self.request_code(address):
            return None
        waited_s = until(lambda: len(self._inbox.codes) > known, within_s=30)
        return waited_s if waited_s is not None and self.enter(self._inbox.codes[-1]) else None

    @property
    def is_signed_in(self) -> bool:
        answer: dict[str, dict[str, object]] = self._client.get("/_server/dashboard.load").json()
        return bool(answer["data"]["account"])

    def close(self) -> None:
        self._client.close()


@fault("F4", "The clock jumps forward by a day, then back, while the server runs")
def jumping_clock(site: Site) -> str:
    clock, today = JumpingClock(site.folder / "clock"), datetime.now(UTC).date()
    with contextlib.ExitStack() as stack:
        npm = stack.enter_context(NpmApi(today=today))
        inbox, address = stack.enter_context(mail_server())
        environment = {
            **clock.environment(site.environment()["PYTHONPATH"]),
            "KINFOLK_SECRET": "0123456789abcdef0123456789abcdef",
            "KINFOLK_SMTP": address,
            "KINFOLK_MAIL_FROM": "login@example.com",
            "KINFOLK_NPM_IMPORT": "on",
            "KINFOLK_NPM_DOWNLOADS_API": npm.url,
            "KINFOLK_NPM_INTERVAL_S": "2",
        }
        running = stack.enter_context(family_site(site, environment))
        server = running.server
        ada, grace, eve = (stack.enter_context(closing(Browser(server, inbox))) for _ in range(3))
        requested = stack.enter_context(reading(server))
        phases = [_phase(running, npm, ada, 2, "before@example.com")]
        clock.set_hours(24)
        ahead = _phase(running, npm, grace, 3, "ahead@example.com")
        stayed = ada.is_signed_in
        known = len(inbox.codes)
        eve.request_code("eve@example.com")
        until(lambda: len(inbox.codes) > known, within_s=30)
        clock.set_hours(0)
        late = eve.enter(inbox.codes[-1])
        with closing(Browser(server, inbox)) as after:
            back = _phase(running, npm, after, 4, "after@example.com")
        stayed = stayed and ada.is_signed_in and grace.is_signed_in
        phases += [ahead, back]
        counted = until(lambda: _misses(running) == len(phases))
        replaced = server.log.count("worker is replaced")
        notes = len(running.notes())
    figure = (
        f"{requested}; before, ahead, back: sign-in by mail {', '.join(each.sign_in for each in phases)}; a push is"
        f" shown {', '.join(each.shown for each in phases)}; next request to npm"
        f" {', '.join(each.npm for each in phases)};"
        f" sessions {'stay' if stayed else 'are lost'}, a code of the clock that was ahead"
        f" {'is' if late else 'is not'} accepted; {notes} of 3 answers stored; {len(phases)} counts stored"
        f" {seconds(counted)};"
        f" workers lost {replaced}"
    )
    fine = requested.failed == 0 and requested.unanswered == 0 and all(each.is_fine for each in phases)
    return expect(fine and stayed and late and notes == 3 and counted is not None and replaced == 0, figure)


@dataclass(frozen=True)
class Phase:
    """How the server works with one clock."""

    sign_in: str
    shown: str
    npm: str
    answer: int

    @property
    def is_fine(self) -> bool:
        return "never" not in (self.sign_in, self.shown, self.npm) and self.answer == 200


def _phase(running: FamilySite, npm: NpmApi, browser: Browser, revision: int, address: str) -> Phase:
    arrived_s = time.monotonic()
    running.push(revision)
    shown = running.shown(revision, within_s=30)
    status_of(running.server, f"/nowhere/{revision}")
    answer = send_feedback(running.server, address, revision)
    signed_in = seconds(browser.sign_in(address))
    fetched = seconds(until(lambda: npm.arrivals and npm.arrivals[-1] > arrived_s, within_s=30))
    return Phase(signed_in, shown, fetched, answer)


def _misses(running: FamilySite) -> int:
    """The stored counts of pages that do not exist."""
    with closing(sqlite3.connect(f"file:{running.database}?mode=ro", uri=True, timeout=5)) as database:
        return int(database.execute("SELECT coalesce(sum(count), 0) FROM missed_requests").fetchone()[0])
