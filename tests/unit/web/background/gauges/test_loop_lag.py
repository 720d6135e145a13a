"""The metric of the event loop's delays."""

from __future__ import annotations

import pytest
from prometheus_client import REGISTRY

from kinfolk.web.background.gauges.loop_lag import WINDOW_S, LongestDelay, measure_loop_lag

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Ended(Exception):
    """The clock was read often enough."""


class BlockedClock:
    """A clock of a loop that one callback blocks for half a second, between many short rounds."""

    def __init__(self) -> None:
        self.now_s = 1000.0
        self.reads = 0

    def __call__(self) -> float:
        self.reads += 1
        if self.reads > 100:
            raise Ended
        self.now_s += 0.5 if self.reads == 4 else 0.001
        return self.now_s


async def test_short_stall_is_in_the_metric_after_many_rounds_without_delay() -> None:
    with pytest.raises(Ended):
        await measure_loop_lag(every_s=0, clock=BlockedClock())
    assert REGISTRY.get_sample_value("kinfolk_event_loop_lag_seconds") == pytest.approx(0.5)


def test_delay_is_shown_for_the_length_of_the_window_at_least() -> None:
    longest = LongestDelay()
    assert longest.add(0.0, 100.0) == 0.0
    assert longest.add(0.5, 100.0 + WINDOW_S - 1) == 0.5
    assert longest.add(0.1, 100.0 + WINDOW_S) == 0.5
    assert longest.add(0.0, 100.0 + 2 * WINDOW_S - 1) == 0.5
    assert longest.add(0.0, 100.0 + 2 * WINDOW_S) == 0.1


def test_delay_before_a_long_pause_is_not_shown() -> None:
    longest = LongestDelay()
    longest.add(0.5, 100.0)
    assert longest.add(0.0, 100.0 + 3 * WINDOW_S) == 0.0
