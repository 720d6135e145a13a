"""Counts and times requests, logs slow ones, and keeps the metrics that are looked up rather than counted."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kinfolk import metrics
from kinfolk.cache import CacheBudget
from kinfolk.web.health import Health
from kinfolk.web.pages import Pages

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

EVERY_S = 1.0
MEMORY_EVERY = 5
"""Memory and the sizes of caches are looked up in every fifth round."""
LOGGED_PER_S = 10
"""Slow requests that are logged in a second: an overloaded server has no others."""
LONGEST_PATH = 200
"""Characters of a path that are logged."""
GONE = 499
"""The status of a request whose client left before there was an answer. As in nginx; it is never sent."""

Kind = Literal["page", "markdown", "function", "search", "file", "health", "other"]


class Requests:
    """Measures requests that reach an ASGI application. `slow_s` 0 logs none."""

    def __init__(self, slow_s: float, *, clock: Callable[[], float] = time.perf_counter) -> None:
        self._slow_s = slow_s
        self._clock = clock
        self._second = 0
        self._logged = 0
        self._suppressed = 0

    async def answer(self, app: ASGIApp, kind: Kind, scope: Scope, receive: Receive, send: Send) -> None:
        """Let `app` answer. The time that `send` takes is the client's, and is not counted."""
        began_s, sending_s, status = self._clock(), 0.0, GONE

        async def measured(message: Message) -> None:
            nonlocal sending_s, status
            if message["type"] == "http.response.start":
                status = message["status"]
            before_s = self._clock()
            await send(message)
            sending_s += self._clock() - before_s

        try:
            await app(scope, receive, measured)
        except Exception:
            status = 500
            raise
        finally:
            seconds = self._clock() - began_s - sending_s
            metrics.REQUESTS.labels(kind, str(status)).inc()
            metrics.REQUEST_SECONDS.labels(kind).observe(seconds)
            if self._slow_s and seconds >= self._slow_s:
                self._log_slow(scope, kind, status, seconds)

    def _log_slow(self, scope: Scope, kind: Kind, status: int, seconds: float) -> None:
        second = int(self._clock())
        if second != self._second:
            self._second, self._logged = second, 0
        if self._logged >= LOGGED_PER_S:
            self._suppressed += 1
            return
        self._logged += 1
        suppressed, self._suppressed = self._suppressed, 0
        log.warning(
            "slow request",
            method=scope["method"],
            path=scope["path"][:LONGEST_PATH],
            status=status,
            seconds=round(seconds, 3),
            kind=kind,
            suppressed=suppressed,
        )


async def measure(pages: Pages, health: Health, caches: CacheBudget) -> None:
    """For ever: pass on what cached pages were counted in, and look up ages, memory and the sizes of caches."""
    at, began_s = 0, time.monotonic()
    while True:
        pass_on_kept(pages)
        for age_s, gauge in ((health.sync_age_s(), metrics.SYNC_AGE), (health.index_age_s(), metrics.INDEX_AGE)):
            gauge.set(time.monotonic() - began_s if age_s is None else age_s)
        if at % MEMORY_EVERY == 0:
            for name, size in caches.sizes().items():
                metrics.CACHE_BYTES.labels(name).set(size)
            with contextlib.suppress(OSError):  # there is no /proc
                metrics.MEMORY_BYTES.labels(metrics.writer()).set(resident_bytes())
        at += 1
        await asyncio.sleep(EVERY_S)


def pass_on_kept(pages: Pages) -> None:
    """Cached pages are counted in plain numbers: a metric would cost as much as answering."""
    for status, number in pages.take_kept_counts().items():
        metrics.REQUESTS.labels("page", str(status)).inc(number)
        metrics.PAGE_CACHE.labels("hit").inc(number)


def resident_bytes() -> int:
    """Memory of this process. Raises OSError where there is no /proc."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
