"""Tests of the throttle of background threads."""

from __future__ import annotations

import pytest

from kinfolk.runtime.services.throttle import SLEEP_RATIO, Throttle


class Clock:
    """A clock that advances when a test sets it, and by waiting."""

    def __init__(self) -> None:
        self.now_s = 100.0
        self.sleeps_s: list[float] = []

    def __call__(self) -> float:
        return self.now_s

    def wait(self, seconds: float) -> None:
        self.sleeps_s.append(seconds)
        self.now_s += seconds


def test_sleep_is_proportional_to_the_work_since_the_previous_sleep() -> None:
    clock = Clock()
    throttle = Throttle(clock.wait, clock=clock)
    for worked_s in (0.01, 0.5, 0.0):
        clock.now_s += worked_s
        throttle.sleep()
    assert clock.sleeps_s == pytest.approx([0.01 * SLEEP_RATIO, 0.5 * SLEEP_RATIO, 0.0])
