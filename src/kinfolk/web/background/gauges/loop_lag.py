"""Measures how late the event loop runs, and keeps the longest delay of the last minute for the next scrape."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from kinfolk.runtime import metrics

SAMPLE_EVERY_S = 0.05
"""A delay of the loop is measured less at most this time. Twenty samples a second take 0.2 % of a core."""
WINDOW_S = 60.0
"""Prometheus scrapes every 15 to 60 s, so each delay is in at least one scrape."""


class LongestDelay:
    """The longest delay of the last WINDOW_S to twice that."""

    def __init__(self) -> None:
        self._window_ends_s = 0.0
        self._current_s = 0.0
        self._previous_s = 0.0

    def add(self, delay_s: float, now_s: float) -> float:
        """The longest delay, with this one."""
        if now_s >= self._window_ends_s:
            is_next = now_s < self._window_ends_s + WINDOW_S
            self._previous_s = self._current_s if is_next else 0.0
            self._current_s, self._window_ends_s = 0.0, now_s + WINDOW_S
        self._current_s = max(self._current_s, delay_s)
        return max(self._current_s, self._previous_s)


async def measure_loop_lag(*, every_s: float = SAMPLE_EVERY_S, clock: Callable[[], float] = time.monotonic) -> None:
    """A background task. Not by the clock of the loop, which stands still while a callback runs."""
    longest, shown_s = LongestDelay(), -1.0
    while True:
        began_s = clock()
        await asyncio.sleep(every_s)
        now_s = clock()
        delay_s = longest.add(max(0.0, now_s - began_s - every_s), now_s)
        if delay_s != shown_s:
            metrics.LOOP_LAG.set(delay_s)
            shown_s = delay_s
