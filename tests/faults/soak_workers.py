"""Two workers under load, one of which repeatedly receives a signal: the outage that each connection measures."""

from __future__ import annotations

import http.client
import itertools
import os
import signal
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from tests.faults.site import Server

EVERY_S = 10.0
CONNECTIONS = 4
PATIENCE_S = 40.0
SETTLED_S = 1.0
"""Seconds of right answers, on new connections, after which both workers are expected to give them."""
PAGES = ("/ranger/latest/docs/overview", "/query/latest/docs/framework/react/overview", "/store/latest/docs/overview")
TARGETS = (
    *((page, b"</html>") for page in PAGES),
    ("/_server/theme.get", b'"ok"'),
    ("/1/indexes/tanstack?query=overview&hitsPerPage=3", b'"hits"'),
)
"""Each request target, and text that its response must contain."""
HEADERS = {"x-algolia-application-id": "kinfolk", "x-algolia-api-key": "kinfolk-search"}


@dataclass
class Reader:
    """A client that reconnects at once when its connection breaks."""

    server: Server
    first: int
    good: int = 0
    longest_s: float = 0.0
    wrong: list[str] = field(default_factory=list)

    def read(self, until_s: float) -> None:
        """Request all targets in turn until then, and once more: an outage ends with a response."""
        connection = self._connect()
        last_good_s = time.monotonic()
        for target, expected in itertools.islice(itertools.cycle(TARGETS), self.first, None):
            try:
                connection.request("GET", target, headers=HEADERS)
                answer = connection.getresponse()
                body = answer.read()
            except (OSError, http.client.HTTPException):
                connection.close()
                connection = self._connect()
                if time.monotonic() > until_s + PATIENCE_S:
                    break
                continue
            now_s = time.monotonic()
            if answer.status == 200 and expected in body:
                self.longest_s = max(self.longest_s, now_s - last_good_s)
                self.good += 1
                last_good_s = now_s
            else:
                self.wrong.append(f"{target}: {answer.status} {body[:80]!r}")
            if now_s > until_s:
                break
        self.longest_s = max(self.longest_s, time.monotonic() - last_good_s)
        connection.close()

    def _connect(self) -> http.client.HTTPConnection:
        at = urlsplit(self.server.url)
        return http.client.HTTPConnection(at.hostname or "", at.port, timeout=PATIENCE_S)


@dataclass(frozen=True)
class Result:
    """`longest_s` is the longest time between two valid responses of one connection."""

    signals: int
    good: int
    longest_s: float
    wrong: Sequence[str]

    def __str__(self) -> str:
        example = f", such as {self.wrong[0]}" if self.wrong else ""
        return (
            f"{self.signals} signals, longest outage of a connection {self.longest_s:.2f} s, "
            f"{self.good} answers, {len(self.wrong)} wrong{example}"
        )


def soak(server: Server, number: int, *, seconds: float) -> Result:
    """Send this signal to one worker every EVERY_S seconds, in turn, while clients read."""
    _warm_up(server)
    until_s = time.monotonic() + seconds
    readers = [Reader(server, first) for first in range(CONNECTIONS)]
    threads = [threading.Thread(target=reader.read, args=[until_s]) for reader in readers]
    for thread in threads:
        thread.start()
    signals = 0
    while time.monotonic() < until_s - EVERY_S / 2:
        time.sleep(EVERY_S / 2 if signals == 0 else EVERY_S)
        workers = server.workers()
        os.kill(workers[signals % len(workers)], number)
        signals += 1
    for thread in threads:
        thread.join()
    wrong = [one for reader in readers for one in reader.wrong]
    return Result(signals, sum(reader.good for reader in readers), max(reader.longest_s for reader in readers), wrong)


def _warm_up(server: Server) -> None:
    """Wait until no worker gives a wrong answer any more: pages are rendered, and each worker has opened the index."""
    until_s = time.monotonic() + 90
    for target, expected in TARGETS:
        wrong_s = time.monotonic()
        while time.monotonic() < min(until_s, wrong_s + SETTLED_S):
            at = urlsplit(server.url)
            connection = http.client.HTTPConnection(at.hostname or "", at.port, timeout=PATIENCE_S)
            try:
                connection.request("GET", target, headers=HEADERS)
                is_right = expected in connection.getresponse().read()
            except (OSError, http.client.HTTPException):
                is_right = False
            finally:
                connection.close()
            if not is_right:
                wrong_s = time.monotonic()
                time.sleep(0.2)


KILLED, STOPPED = signal.SIGKILL, signal.SIGSTOP
