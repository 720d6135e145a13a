"""Pages that show the day are purged when it changes, also when the clock is set."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest

from kinfolk.content.dependencies import DAY, Dependency
from kinfolk.web.background.daily_purge import purge_daily

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("times", "purges"),
    [
        ([NOON, NOON.replace(hour=13), NOON.replace(hour=14)], 0),
        ([NOON, NOON.replace(day=22), NOON.replace(day=22)], 1),
        ([NOON, NOON.replace(day=22), NOON, NOON], 2),
    ],
    ids=["same day", "set forward", "set forward and back"],
)
def test_day_of_pages_follows_the_clock(times: list[datetime], purges: int) -> None:
    purged: list[frozenset[Dependency]] = []
    left = list(times)

    async def sleep(seconds: float) -> None:
        assert seconds <= 60
        left.pop(0)

    with pytest.raises(IndexError):
        asyncio.run(purge_daily(purged.append, now=lambda: left[0], sleep=sleep))
    assert purged == [frozenset({DAY})] * purges
