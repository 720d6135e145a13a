"""Readers who request pages and searches while something around the server fails, and what they got."""

from __future__ import annotations

import contextlib
import itertools
import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx
from tests.faults.site import KEYS, Server

PAGES = (
    "/",
    "/query/latest",
    "/query/latest/docs/framework/react/overview",
    "/table/latest/docs/introduction",
    "/ranger/latest/docs/overview",
    "/api/md/query/latest/docs/framework/react/overview",
    "/query/latest/llms.txt",
)
ANSWERED = (*PAGES[2:5], "/store/latest/docs/overview", "/ranger/latest/docs/concepts")
"""Pages for feedback: a second answer of a reader about a page replaces the first."""
RATE = 20.0
"""Requests a second."""
STEP_S = 0.1


@dataclass
class Requested:
    """Responses of the readers by kind and status; 0 is a connection without response."""

    pages: Counter[int] = field(default_factory=Counter)
    searches: Counter[int] = field(default_factory=Counter)
    longest_s: float = 0.0
    taken_s: list[float] = field(default_factory=list)
    """Seconds of each request."""

    @property
    def p99_s(self) -> float:
        return sorted(self.taken_s)[len(self.taken_s) * 99 // 100] if self.taken_s else 0.0

    @property
    def failed(self) -> int:
        """Requests of pages without status 200."""
        return self.pages.total() - self.pages[200]

    @property
    def wrong(self) -> int:
        """Responses to requests of pages with another status than 200: those of a killed process have no response."""
        return self.pages.total() - self.pages[200] - self.pages[0]

    @property
    def unanswered(self) -> int:
        """Searches without status 200."""
        return self.searches.total() - self.searches[200]

    def __str__(self) -> str:
        return (
            f"{self.failed} of {self.pages.total()} pages and {self.unanswered} of {self.searches.total()} searches"
            f" failed, longest {self.longest_s:.1f} s"
        )


@contextlib.contextmanager
def reading(server: Server, *, searches: bool = True, rate: float = RATE) -> Iterator[Requested]:
    """Request pages, and searches, at a constant rate until the block ends."""
    requested, stopping = Requested(), threading.Event()

    def run(client: httpx.Client, worker: int) -> None:
        for number in itertools.count(worker):
            if stopping.wait(2 / rate):
                return
            began_s = time.monotonic()
            if searches and number % 4 == 0:
                requested.searches[search_status(server, f"overview {number % 7}", client=client)] += 1
            else:
                # Every third address is new: it is rendered, the others are cached.
                fresh = f"?reader={number}" if number % 3 == 0 else ""
                requested.pages[status_of(server, PAGES[number % len(PAGES)] + fresh, client=client)] += 1
            requested.taken_s.append(time.monotonic() - began_s)
            requested.longest_s = max(requested.longest_s, requested.taken_s[-1])

    with contextlib.ExitStack() as stack:
        clients = [stack.enter_context(httpx.Client(timeout=20)) for _ in range(2)]
        threads = [threading.Thread(target=run, args=(client, at)) for at, client in enumerate(clients)]
        for thread in threads:
            thread.start()
        try:
            yield requested
        finally:
            stopping.set()
            for thread in threads:
                thread.join()


def status_of(server: Server, path: str, *, client: httpx.Client | None = None) -> int:
    """The status of a page; 0 without a response."""
    try:
        return (client or httpx).get(server.url + path, timeout=20).status_code
    except httpx.HTTPError:
        return 0


def search_status(server: Server, query: str = "overview", *, client: httpx.Client | None = None) -> int:
    """The status of a search; 0 without a response."""
    try:
        url = f"{server.url}/1/indexes/tanstack/query"
        return (client or httpx).post(url, json={"query": query}, headers=KEYS, timeout=20).status_code
    except httpx.HTTPError:
        return 0


def send_feedback(server: Server, note: str, page: int = 0) -> int:
    """The status of the form below a page of ANSWERED; 0 without a response."""
    form = {"page": ANSWERED[page], "helpful": "yes", "note": note}
    headers = {"origin": server.url, "accept": "application/json"}
    try:
        return httpx.post(f"{server.url}/feedback", data=form, headers=headers, timeout=20).status_code
    except httpx.HTTPError:
        return 0


def until(probe: Callable[[], object], *, within_s: float = 60.0) -> float | None:
    """Seconds until `probe` is true; None if it is not within the time."""
    began_s = time.monotonic()
    while time.monotonic() - began_s < within_s:
        if probe():
            return time.monotonic() - began_s
        time.sleep(STEP_S)
    return None


def entries(server: Server) -> list[dict[str, Any]]:
    """The entries of the log."""
    return [json.loads(line) for line in server.log.splitlines() if line.startswith("{") and line.endswith("}")]


def named(server: Server, *words: str) -> bool:
    """Whether one line of the log has all these words."""
    return any(all(word in line for word in words) for line in server.log.splitlines())


def seconds(waited: float | None) -> str:
    """A time of `until` in words."""
    return "never" if waited is None else f"after {waited:.1f} s"
