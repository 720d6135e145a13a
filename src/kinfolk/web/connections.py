"""The open connections of a worker: how many there may be, and which have waited too long for their client.

A connection has no timer of its own. Once a second `Connections` lets each one check its deadlines, which costs a
request nothing.
"""

from __future__ import annotations

import contextlib
import heapq
import resource
from asyncio import AbstractEventLoop, TimerHandle
from enum import Enum
from typing import Protocol

import structlog

from kinfolk import metrics
from kinfolk.settings import Settings
from kinfolk.web.client_address import client_address, is_trusted
from kinfolk.web.refusals import refuse_log

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

SPARE = 32
"""Connections above the limit on which health checks are answered, and nothing else."""
RESERVED_DESCRIPTORS = 192
"""File descriptors that connections leave to everything else in a worker. With search and highlighting it has some 40;
a mirror has a file or two open for each repository, and a sync the pipes of its git processes."""
SWEEP_S = 1.0
STOPPING_SWEEP_S = 0.1
"""Seconds between two checks of all deadlines, in service and while the server stops."""
EVICTED_SHARE = 16
"""One search for connections to close makes room for a sixteenth of all of them."""
EVICTION_PAUSE_S = 0.1
"""Seconds until the next search after one that found nothing: a search looks at every connection."""
UNSENT_BYTES = 64 << 20
"""What all connections together may hold for clients that do not read their answers."""


class Admission(Enum):
    """What a new connection may do."""

    OPEN = "open"
    HEALTH_ONLY = "health_only"
    REFUSED = "refused"
    """The address has too many: answer that and close."""
    DROPPED = "dropped"
    """No room for anything: close at once."""


class Connection(Protocol):
    """What the deadlines and limits need to know of a connection."""

    unsent_bytes: int
    """Bytes that the client had not taken at the last check."""
    stalled: bool
    """Whether the client took none of them since the check before."""

    def waits_since_s(self) -> float | None:
        """The time since when only the client can go on; None while an answer is under way."""

    def check(self, now_s: float) -> None:
        """Close the connection if one of its deadlines is over."""

    def drop(self, reason: str) -> None:
        """Close at once, whatever has not been sent."""


class Connections:
    """All connections of this process, with its limits."""

    def __init__(self, settings: Settings, *, descriptors: int | None = None, unsent_bytes: int = UNSENT_BYTES) -> None:
        """`descriptors` is how many files the process may have open; by default its limit (RLIMIT_NOFILE)."""
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[0] if descriptors is None else descriptors
        fitting = most - RESERVED_DESCRIPTORS - SPARE
        self.limit = settings.connections
        if most != resource.RLIM_INFINITY and fitting < settings.connections:
            self.limit = max(SPARE, fitting)
            log.warning("fewer connections than set", set=settings.connections, possible=self.limit, descriptors=most)
        self.stopping = False
        self._most_unsent = unsent_bytes
        self._per_address = settings.connections_per_address
        self._trusted = settings.trusted_proxies
        self._open: dict[Connection, str | None] = {}
        self._by_address: dict[str, int] = {}
        self._sweep: TimerHandle | None = None
        self._evict_again_s = 0.0

    def __len__(self) -> int:
        return len(self._open)

    def admit(self, connection: Connection, peer: str | None, loop: AbstractEventLoop) -> Admission:
        """Register a new connection from this address, if there is room for it.

        Connections of trusted proxies carry the requests of many clients, and are not counted by address. When the
        limit of all connections is reached, those that have waited longest for their clients are closed first.
        """
        key = None if peer is None or is_trusted(peer, self._trusted) else client_address(peer, "", ())
        if key is not None and self._by_address.get(key, 0) >= self._per_address:
            refuse_log("connection", "address_limit", address=key)
            return Admission.REFUSED
        if len(self._open) >= self.limit:
            self._evict(loop.time())
        if len(self._open) >= self.limit + SPARE:
            refuse_log("connection", "limit", address=key)
            return Admission.DROPPED
        admission = Admission.HEALTH_ONLY if len(self._open) >= self.limit else Admission.OPEN
        self._open[connection] = key
        if key is not None:
            self._by_address[key] = self._by_address.get(key, 0) + 1
        if self._sweep is None:
            self._sweep = loop.call_later(SWEEP_S, self._check_all, loop)
        return admission

    def has_room(self, now_s: float) -> bool:
        """Whether a connection that was admitted for health checks may make any request after all."""
        if len(self._open) > self.limit:
            self._evict(now_s)
        return len(self._open) <= self.limit

    def release(self, connection: Connection) -> None:
        """Forget a connection. Does nothing if it is not registered."""
        key = self._open.pop(connection, None)
        if key is None:
            return
        left = self._by_address[key] - 1
        if left:
            self._by_address[key] = left
        else:
            del self._by_address[key]

    def stop(self, loop: AbstractEventLoop) -> None:
        """Check more often from now on: connections close as soon as they are idle for a moment."""
        if not self.stopping:
            self.stopping = True
            if self._sweep is not None:
                self._sweep.cancel()
            self._sweep = loop.call_later(STOPPING_SWEEP_S, self._check_all, loop)

    def _check_all(self, loop: AbstractEventLoop) -> None:
        now_s = loop.time()
        try:
            for connection in list(self._open):
                self._check(connection, now_s)
            self._shed_unsent()
            metrics.CONNECTIONS.set(len(self._open))
        finally:
            # Without the next sweep no connection would have a deadline any more.
            pause_s = STOPPING_SWEEP_S if self.stopping else SWEEP_S
            self._sweep = loop.call_later(pause_s, self._check_all, loop) if self._open else None

    def _check(self, connection: Connection, now_s: float) -> None:
        try:
            connection.check(now_s)
        except Exception:
            # One that cannot be checked must not keep the others from it, or its place.
            log.exception("connection could not be checked")
            self.release(connection)

    def _shed_unsent(self) -> None:
        """Drop those that hold the most for clients that take nothing, until the rest fits into memory."""
        unsent = sum(connection.unsent_bytes for connection in self._open)
        if unsent <= self._most_unsent:
            return
        stalled = [connection for connection in self._open if connection.stalled]
        for connection in sorted(stalled, key=lambda one: one.unsent_bytes, reverse=True):
            unsent -= connection.unsent_bytes
            connection.drop("unsent_bytes")
            self.release(connection)
            if unsent <= self._most_unsent:
                return

    def _evict(self, now_s: float) -> None:
        """Close the connections that have waited longest for their clients.

        New ones are preferred however short the others have waited: a reader needs its connection for a moment only,
        and would have to wait behind all those that an attack opens at once.
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
    """Let this process, and those it starts, open as many files as the system allows it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        # macOS names a hard limit that it does not grant.
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
