"""Counts and times requests, logs slow and failed ones, records their spans, and samples gauges."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from typing import Literal

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kinfolk.runtime import metrics
from kinfolk.runtime.cache import CacheBudget
from kinfolk.runtime.telemetry.request_identity import current_request
from kinfolk.runtime.telemetry.spans import Attributes, request_span
from kinfolk.web.endpoints.health import Health
from kinfolk.web.endpoints.pages.page_responses import PageResponder

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

SAMPLE_EVERY_S = 1.0
MEMORY_EVERY_SAMPLES = 5
"""Memory and cache sizes are sampled in every fifth round."""
MAX_LOGGED_PER_S = 10
"""Slow and failed requests that are logged in a second: on an overloaded server all requests are slow."""
MAX_LOGGED_PATH = 200
"""Characters of a path that are logged."""
MAX_LOGGED_METHOD = 16
CLIENT_CLOSED = 499
"""The status in metrics of a request whose client disconnected before the response. As in nginx; never sent."""

Kind = Literal["page", "markdown", "function", "search", "mcp", "file", "health", "other"]


class RequestMetrics:
    """Measures requests to ASGI applications. `slow_s` 0 turns off the log of slow requests."""

    def __init__(self, slow_s: float, *, clock: Callable[[], float] = time.perf_counter) -> None:
        self._slow_s = slow_s
        self._clock = clock
        self._second = 0
        self._logged = 0
        self._suppressed = 0

    async def answer(self, app: ASGIApp, kind: Kind, scope: Scope, receive: Receive, send: Send) -> None:
        """Measure a request that `app` answers. The time within `send` depends on the client, and is not counted."""
        began_s, sending_s, status = self._clock(), 0.0, CLIENT_CLOSED

        async def measured(message: Message) -> None:
            nonlocal sending_s, status
            if message["type"] == "http.response.start":
                status = message["status"]
            before_s = self._clock()
            await send(message)
            sending_s += self._clock() - before_s

        try:
            with request_span(f"{kind} request", None if kind == "health" else current_request.get()) as recorded:
                try:
                    await app(scope, receive, measured)
                except Exception:
                    status = 500
                    raise
                finally:
                    recorded.set(_attributes(scope, kind, status), failed=status >= HTTPStatus.INTERNAL_SERVER_ERROR)
        finally:
            seconds = self._clock() - began_s - sending_s
            metrics.REQUESTS.labels(kind, str(status)).inc()
            metrics.REQUEST_SECONDS.labels(kind).observe(seconds)
            if status >= HTTPStatus.INTERNAL_SERVER_ERROR and kind != "health":
                self._log("request failed", scope, kind, status, seconds)
            elif self._slow_s and seconds >= self._slow_s:
                self._log("slow request", scope, kind, status, seconds)

    def _log(self, event: str, scope: Scope, kind: Kind, status: int, seconds: float) -> None:
        second = int(self._clock())
        if second != self._second:
            self._second, self._logged = second, 0
        if self._logged >= MAX_LOGGED_PER_S:
            self._suppressed += 1
            return
        self._logged += 1
        suppressed, self._suppressed = self._suppressed, 0
        log.warning(
            event,
            method=scope["method"],
            path=scope["path"][:MAX_LOGGED_PATH],
            status=status,
            seconds=round(seconds, 3),
            kind=kind,
            suppressed=suppressed,
        )


def _attributes(scope: Scope, kind: Kind, status: int) -> Attributes:
    """The attributes of a request's span, in the names of OpenTelemetry. Without the query string."""
    return {
        "http.request.method": scope["method"][:MAX_LOGGED_METHOD],
        "url.path": scope["path"][:MAX_LOGGED_PATH],
        "http.response.status_code": status,
        "kinfolk.kind": kind,
    }


async def sample_metrics(pages: PageResponder, health: Health, caches: CacheBudget) -> None:
    """A background task: record cache hits, and sample ages, memory and cache sizes."""
    at, began_s = 0, time.monotonic()
    while True:
        record_cache_hits(pages)
        for age_s, gauge in ((health.sync_age_s(), metrics.SYNC_AGE), (health.index_age_s(), metrics.INDEX_AGE)):
            gauge.set(time.monotonic() - began_s if age_s is None else age_s)
        if at % MEMORY_EVERY_SAMPLES == 0:
            for name, size in caches.sizes().items():
                metrics.CACHE_BYTES.labels(name).set(size)
            with contextlib.suppress(OSError):  # there is no /proc
                metrics.MEMORY_BYTES.labels(metrics.worker_slot()).set(resident_bytes())
        at += 1
        await asyncio.sleep(SAMPLE_EVERY_S)


def record_cache_hits(pages: PageResponder) -> None:
    """Add the hits of the page cache to the metrics. They are integers before: a metric costs as much as a hit."""
    for status, number in pages.take_cache_hits().items():
        metrics.REQUESTS.labels("page", str(status)).inc(number)
        metrics.PAGE_CACHE.labels("hit").inc(number)


def resident_bytes() -> int:
    """Memory of this process. Raises OSError where there is no /proc."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
