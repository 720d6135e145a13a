"""The open connections of a worker: their limits and deadlines.

Connections have no timers of their own: once a second `Connections` checks the deadlines of all, at no cost for
requests.
"""

from __future__ import annotations

import contextlib
import heapq
import resource
from asyncio import AbstractEventLoop, TimerHandle
from collections.abc import Callable
from enum import Enum
from typing import Protocol

import structlog

from kinfolk.config.settings import Settings
from kinfolk.runtime import metrics
from kinfolk.web.protocol.client_address import client_address, is_trusted
from kinfolk.web.refusal_log import log_refusal

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

HEALTH_RESERVE = 32
"""Connections above the limit that may only request health checks."""
RESERVED_DESCRIPTORS = 192
"""File descriptors for everything else in a worker. With search and highlighting it has about 40; a mirror has one or
two files open for each repository, and a sync the pipes of its git processes."""
CHECK_EVERY_S = 1.0
STOPPING_CHECK_EVERY_S = 0.1
"""Seconds between two checks of all deadlines, in service and while the server stops."""
EVICTED_SHARE = 16
"""An eviction closes a sixteenth of all connections."""
EVICTION_PAUSE_S = 0.1
"""Seconds until the next eviction after one without candidates: it scans all connections."""
MAX_UNSENT_BYTES = 64 << 20
"""Bytes of responses that all connections together may buffer for clients that do not read."""


class Admission(Enum):
    """What a new connection is allowed to do."""

    OPEN = "open"
    HEALTH_ONLY = "health_only"
    REFUSED = "refused"
    """Too many connections from the address: send a response and close."""
    DROPPED = "dropped"
    """Too many connections: close immediately."""


class TrackedConnection(Protocol):
    """A connection as `Connections` sees it."""

    unsent_bytes: int
    """Bytes that the client had not read at the last check."""
    stalled: bool
    """Whether the client read none of them since the previous check."""

    def waits_since_s(self) -> float | None:
        """The time since when the client must act; None during a response."""

    def check(self, now_s: float) -> None:
        """Close the connection if it has exceeded a deadline."""

    def drop(self, reason: str) -> None:
        """Close immediately and discard unsent data."""


class Connections:
    """All connections of this process."""

    def __init__(
        self, settings: Settings, *, descriptors: int | None = None, unsent_bytes: int = MAX_UNSENT_BYTES
    ) -> None:
        """`descriptors` is the number of files that the process may open; by default its limit (RLIMIT_NOFILE)."""
        open_files = resource.getrlimit(resource.RLIMIT_NOFILE)[0] if descriptors is None else descriptors
        possible = open_files - RESERVED_DESCRIPTORS - HEALTH_RESERVE
        self.limit = settings.connections
        if open_files != resource.RLIM_INFINITY and possible < settings.connections:
            self.limit = max(HEALTH_RESERVE, possible)
            log.warning(
                "fewer connections than set", set=settings.connections, possible=self.limit, descriptors=open_files
            )
        self.stopping = False
        self.closes_idle = True
        """Whether idle connections are closed soon while the server stops."""
        self._max_unsent_bytes = unsent_bytes
        self._per_address = settings.connections_per_address
        self._trusted = settings.trusted_proxies
        self._open: dict[TrackedConnection, str | None] = {}
        self._by_address: dict[str, int] = {}
        self._next_check: TimerHandle | None = None
        self._stop_listeners: list[Callable[[], None]] = []
        self._evict_again_s = 0.0

    def __len__(self) -> int:
        return len(self._open)

    def admit(self, connection: TrackedConnection, peer: str | None, loop: AbstractEventLoop) -> Admission:
        """Register a new connection from this address, within the limits.

        Connections of trusted proxies carry requests of many clients, and are not limited by address. At the limit of
        all connections, those that have waited longest for their clients are closed.
        """
        key = None if peer is None or is_trusted(peer, self._trusted) else client_address(peer, "", ())
        if key is not None and self._by_address.get(key, 0) >= self._per_address:
            log_refusal("connection", "address_limit", address=key)
            return Admission.REFUSED
        if len(self._open) >= self.limit:
            self._evict(loop.time())
        if len(self._open) >= self.limit + HEALTH_RESERVE:
            log_refusal("connection", "limit", address=key)
            return Admission.DROPPED
        admission = Admission.HEALTH_ONLY if len(self._open) >= self.limit else Admission.OPEN
        self._open[connection] = key
        if key is not None:
            self._by_address[key] = self._by_address.get(key, 0) + 1
        if self._next_check is None:
            self._next_check = loop.call_later(CHECK_EVERY_S, self._check_all, loop)
        return admission

    def has_room(self, now_s: float) -> bool:
        """Whether a connection that was admitted for health checks may now send any request."""
        if len(self._open) > self.limit:
            self._evict(now_s)
        return len(self._open) <= self.limit

    def release(self, connection: TrackedConnection) -> None:
        """Unregister a connection. Does nothing if it is not registered."""
        key = self._open.pop(connection, None)
        if key is None:
            return
        left = self._by_address[key] - 1
        if left:
            self._by_address[key] = left
        else:
            del self._by_address[key]

    def on_stop(self, listener: Callable[[], None]) -> None:
        """Call `listener` when the server begins to stop, before it waits for responses to end."""
        self._stop_listeners.append(listener)

    def stop(self, loop: AbstractEventLoop) -> None:
        """Check more often from now on, so that idle connections close soon."""
        if not self.stopping:
            self.stopping = True
            for listener in self._stop_listeners:
                listener()
            if self._next_check is not None:
                self._next_check.cancel()
            self._next_check = loop.call_later(STOPPING_CHECK_EVERY_S, self._check_all, loop)

    def _check_all(self, loop: AbstractEventLoop) -> None:
        now_s = loop.time()
        try:
            for connection in list(self._open):
                self._check(connection, now_s)
            self._limit_unsent()
            metrics.CONNECTIONS.set(len(self._open))
        finally:
            # Schedule the next check also after an error: without it connections have no deadlines.
            pause_s = STOPPING_CHECK_EVERY_S if self.stopping else CHECK_EVERY_S
            self._next_check = loop.call_later(pause_s, self._check_all, loop) if self._open else None

    def _check(self, connection: TrackedConnection, now_s: float) -> None:
        try:
            connection.check(now_s)
        except Exception:
            # Remove the connection, so that it does not block the others or count any longer.
            log.exception("connection could not be checked")
            self.release(connection)

    def _limit_unsent(self) -> None:
        """Drop stalled connections, those with the most unsent bytes first, until the rest is within the limit."""
        unsent = sum(connection.unsent_bytes for connection in self._open)
        if unsent <= self._max_unsent_bytes:
            return
        stalled = [connection for connection in self._open if connection.stalled]
        for connection in sorted(stalled, key=lambda one: one.unsent_bytes, reverse=True):
            unsent -= connection.unsent_bytes
            connection.drop("unsent_bytes")
            self.release(connection)
            if unsent <= self._max_unsent_bytes:
                return

    def _evict(self, now_s: float) -> None:
        """Close the connections that have waited longest for their clients.

        New connections take precedence: a browser needs its connection briefly, and during an attack would wait behind
        all idle ones.
        """
        if now_s < self._evict_again_s:
            return
        waiting = (
            (since_s, at, connection)
            for at, connection in enumerate(self._open)
            if (since_s := connection.waits_since_s()) is not None
        )
        longest = heapq.nsmallest(1 + self.limit // EVICTED_SHARE, waiting)
        for _, _, connection in longest:
            connection.drop("evicted")
            self.release(connection)
        if not longest:
            self._evict_again_s = now_s + EVICTION_PAUSE_S


def raise_descriptor_limit() -> None:
    """Raise the limit of open files of this process and its children to the maximum that the system allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        # macOS reports a hard limit that it does not grant.
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
