"""Purges pages that depend on the current day at midnight, in UTC."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from kinfolk.content.dependencies import DAY, Dependency


async def purge_daily(purge: Callable[[frozenset[Dependency]], None]) -> None:
    """A background task: purge the tag DAY at every midnight."""
    while True:
        await asyncio.sleep(seconds_until_midnight(datetime.now(UTC)))
        purge(frozenset({DAY}))


def seconds_until_midnight(now: datetime) -> float:
    """Seconds until the next midnight, plus one: the clock may be ahead of the timers."""
    midnight = (now + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
    return (midnight - now).total_seconds() + 1
