"""Background threads rest in proportion to their work."""

from __future__ import annotations

import pytest

from kinfolk.pace import RESTS, Pace


class Clock:
    """A clock that moves by hand, and by waiting."""

    def __init__(self) -> None:
        self.now_s = 100.0
        self.rests_s: list[float] = []

    def __call__(self) -> float:
        return self.now_s

    def wait(self, seconds: float) -> None:
        self.rests_s.append(seconds)
        self.now_s += seconds


def test_a_rest_is_in_proportion_to_the_work_since_the_rest_before() -> None:
    clock = Clock()
    pace = Pace(clock.wait, clock=clock)
    for worked_s in (0.01, 0.5, 0.0):
        clock.now_s += worked_s
        pace.rest()
    assert clock.rests_s == pytest.approx([0.01 * RESTS, 0.5 * RESTS, 0.0])
