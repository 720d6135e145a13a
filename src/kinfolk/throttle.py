"""Rests for background threads: Python code in one thread holds up every other, and readers come first.

pace = Pace()
for part in parts:
work(part)
pace.rest()
"""

from __future__ import annotations

import time
from collections.abc import Callable

RESTS = 3
"""How many times as long as it worked a background thread rests."""


class Pace:
    """Rests after each step of work. For one thread.

    `wait` blocks for so many seconds; an event's `wait` ends a rest when the event is set.
    """

    def __init__(
        self, wait: Callable[[float], object] = time.sleep, *, clock: Callable[[], float] = time.perf_counter
    ) -> None:
        self._wait = wait
        self._clock = clock
        self._resumed_s = clock()

    def rest(self) -> None:
        """Blocks for RESTS times the seconds since the rest before."""
        self._wait(RESTS * (self._clock() - self._resumed_s))
        self._resumed_s = self._clock()


def no_rest() -> None:
    """For work that is waited for."""
