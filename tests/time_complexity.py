"""Measures how CPU time grows with the length of a text, as a ratio: it does not depend on the machine."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

SIZE_FACTOR = 8
MAX_LINEAR_GROWTH = 3 * SIZE_FACTOR
"""Above linear growth (8) with noise, below quadratic growth (64)."""


def cpu_time_growth(work: Callable[[int], object], size: int) -> float:
    """CPU time of `work` for 8 times `size`, divided by that for `size`: about 8 for linear growth.

    Measures the time of this thread, because threads of other tests may still run, and disables the garbage collector,
    because it scans objects of other tests.
    """

    def cost(length: int) -> float:
        began = time.thread_time()
        work(length)
        return max(time.thread_time() - began, 1e-3)

    collecting = gc.isenabled()
    gc.disable()
    try:
        return min(cost(size * SIZE_FACTOR) for _ in range(3)) / min(cost(size) for _ in range(3))
    finally:
        if collecting:
            gc.enable()
