"""Limits of CPU time in tests: of its growth with the length of a text, and of one call."""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable, Iterator

import pytest

SIZE_FACTOR = 8
MAX_LINEAR_GROWTH = 3 * SIZE_FACTOR
"""Above linear growth (8) with noise, below quadratic growth (64)."""
CLEARLY_LINEAR_GROWTH = MAX_LINEAR_GROWTH / 2
"""A slower moment of the machine would have to last for all of one measurement, and be five times as slow, to hide
quadratic growth below this."""
MOST_MEASUREMENTS = 5


def cpu_time_growth(work: Callable[[int], object], size: int) -> float:
    """CPU time of `work` for 8 times `size`, divided by that for `size`: about 8 for linear growth.

    Measures the time of this thread, because threads of other tests may still run, and disables the garbage collector,
    because it scans objects of other tests. Returns the least growth of several measurements, each of both sizes: the
    machine can be slower for some of them. It ends at the first growth below MAX_LINEAR_GROWTH. The long text is first:
    what the first call alone does, such as the compilation of patterns, is no cost of the short one, which is measured
    three times unless the growth is clearly linear.
    """

    def cost(length: int) -> float:
        began = time.thread_time()
        work(length)
        return max(time.thread_time() - began, 1e-3)

    collecting = gc.isenabled()
    gc.disable()
    try:
        growth = math.inf
        for _ in range(MOST_MEASUREMENTS):
            long, short = cost(size * SIZE_FACTOR), cost(size)
            if long / short > CLEARLY_LINEAR_GROWTH:
                short = min(short, cost(size), cost(size))
            growth = min(growth, long / short)
            if growth < MAX_LINEAR_GROWTH:
                break
        return growth
    finally:
        if collecting:
            gc.enable()


def attempts_within(cpu_s: float) -> Iterator[int]:
    """Up to three attempts, until one takes less CPU time of the process. Fails the test if none does.

    A virtual machine that is stopped counts the time as CPU time of what it runs, which happens to one attempt only.
    """
    for attempt in range(3):
        began = time.process_time()
        yield attempt
        if time.process_time() - began < cpu_s:
            return
    pytest.fail(f"took more than {cpu_s:g} s of CPU each time")
