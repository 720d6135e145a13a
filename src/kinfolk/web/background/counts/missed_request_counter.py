"""Counts requests for missing pages and old addresses in memory, and writes them to the database every 10 seconds."""

from __future__ import annotations

import asyncio
from collections import Counter
from http import HTTPStatus
from urllib.parse import urlsplit

from kinfolk.maintenance.missed_requests import (
    LONGEST_PATH,
    OTHER,
    MissedRequest,
    MissedRequestLog,
    MissKind,
    referrer_of,
)

FLUSH_S = 10.0
MOST_WAITING = 2000
"""Different requests between two writes. Further ones are counted as OTHER."""


class MissedRequestCounter:
    """For one event loop."""

    def __init__(self, log: MissedRequestLog, origin: str) -> None:
        self._log = log
        self._own_hosts = frozenset({(urlsplit(origin).hostname or "").lower()})
        self._waiting: Counter[MissedRequest] = Counter()

    def count(self, status: int, *, is_old_address: bool, path: str, referrer: str) -> None:
        """Count the response to a request. `path` is as the client sent it, `referrer` its header."""
        if status == HTTPStatus.NOT_FOUND:
            self._add("missing", path, referrer)
        elif is_old_address:
            self._add("redirect", path, referrer)

    async def run(self) -> None:
        """The service. Counts of a failed write are written with the next one."""
        while True:
            await asyncio.sleep(FLUSH_S)
            await self.flush()

    async def flush(self) -> None:
        """Write what has been counted. Raises Unavailable."""
        counts, self._waiting = self._waiting, Counter()
        if not counts:
            return
        try:
            await asyncio.to_thread(self._log.add, counts)
        except BaseException:
            for each, count in counts.items():
                self._put(each, count)
            raise

    def _add(self, kind: MissKind, path: str, referrer: str) -> None:
        # A path of a request is percent-encoded: other characters come from programs that test the site.
        is_stored = len(path) <= LONGEST_PATH and path.isascii() and path.isprintable()
        source = referrer_of(referrer[:1024], self._own_hosts) if is_stored else ""
        self._put(MissedRequest(kind, path if is_stored else OTHER, source), 1)

    def _put(self, request: MissedRequest, count: int) -> None:
        if request not in self._waiting and len(self._waiting) >= MOST_WAITING:
            request = MissedRequest(request.kind, OTHER, "")
        self._waiting[request] += count
