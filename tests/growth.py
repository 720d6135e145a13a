"""How the cost of a text grows with its length: a ratio within one run, so a slow machine changes nothing."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

TIMES = 8
LINEAR = 3 * TIMES
"""More than growing with the length can come to with all noise, less than growing with its square (64)."""


def growth(work: Callable[[int], object], size: int) -> float:
    """CPU time of `work` for 8 times `size`, over that for `size`: about 8 where each character costs the same.

    This thread's time, not the process's: what other tests left running would count as the text's. And without the
    collector, which goes through all that other tests left in memory.
    """

    def cost(length: int) -> float:
        began = time.thread_time()
        work(length)
        return max(time.thread_time() - began, 1e-3)

    collecting = gc.isenabled()
    gc.disable()
    try:
        return min(cost(size * TIMES) for _ in range(3)) / min(cost(size) for _ in range(3))
    finally:
        if collecting:
            gc.enable()
