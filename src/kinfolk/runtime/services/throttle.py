"""Throttling of background threads, so that requests are served between their steps (threads share the GIL).

throttle = Throttle()
for part in parts:
work(part)
throttle.sleep()
"""

from __future__ import annotations

import time
from collections.abc import Callable

SLEEP_RATIO = 3
"""Sleep-to-work ratio of a background thread. Measured in docs/faults.md, Soak."""


class Throttle:
    """Sleeps after each step of work in proportion to its duration. For one thread.

    `wait` blocks for that many seconds; pass an event's `wait` to end a sleep when the event is set.
    """

    def __init__(
        self, wait: Callable[[float], object] = time.sleep, *, clock: Callable[[], float] = time.perf_counter
    ) -> None:
        self._wait = wait
        self._clock = clock
        self._resumed_s = clock()

    def sleep(self) -> None:
        """Block for SLEEP_RATIO times the seconds since the end of the previous sleep."""
        self._wait(SLEEP_RATIO * (self._clock() - self._resumed_s))
        self._resumed_s = self._clock()


def unthrottled() -> None:
    """Does not sleep: for work that a caller waits for."""
