"""Counts that the database could not store yet: they wait in memory, within a bound, until it is back."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

import structlog
from sqlalchemy import Connection

from kinfolk.runtime.errors import Unavailable

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

MOST_WAITING = 5_000
"""Searches and events of one process that wait: some megabytes. Further ones are not counted."""
LONGEST_WAIT_S = 3600.0
"""Seconds after which counts are given up: the database may refuse them for good."""
MOST_FAILURES = 3
"""Failures after which the rest is left for later: the database is away."""

Store = Callable[[Connection, date], None]
"""Adds counts to those of a day."""


@dataclass(frozen=True)
class _Waiting:
    day: date
    size: int
    store: Store
    since_s: float


class WaitingCounts:
    """For any number of threads. `write` runs in one transaction what it gets, or raises Unavailable."""

    def __init__(self, write: Callable[[Store, date], None], *, clock: Callable[[], float] = time.monotonic) -> None:
        self._write = write
        self._clock = clock
        self._lock = threading.Lock()
        self._waiting: deque[_Waiting] = deque()
        self._size = 0

    def __bool__(self) -> bool:
        """Whether anything waits."""
        return bool(self._waiting)

    def add(self, day: date, size: int, store: Store) -> None:
        """Store counts of `size` searches or events, after all that wait. Blocks. A failure is logged."""
        if self._put(_Waiting(day, size, store, self._clock())):
            self.store()

    def store(self) -> None:
        """Store what waits. Blocks. A failure is logged."""
        failures = 0
        with self._lock:
            rounds = len(self._waiting)
        for _ in range(rounds):
            with self._lock:
                if not self._waiting:
                    return
                each = self._waiting.popleft()
                self._size -= each.size
            try:
                self._write(each.store, each.day)
            except Unavailable as failure:
                failures += 1
                is_late = self._clock() - each.since_s > LONGEST_WAIT_S
                is_waiting = not is_late and self._put(each)
                log.warning("searches not counted", reason=failure.message, waiting=self._size, given_up=not is_waiting)
                if failures == MOST_FAILURES:
                    return

    def _put(self, each: _Waiting) -> bool:
        with self._lock:
            if self._waiting and self._size + each.size > MOST_WAITING:
                return False
            self._waiting.append(each)
            self._size += each.size
            return True
