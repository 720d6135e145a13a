"""Purges pages that depend on the current day at midnight, in UTC."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

from kinfolk.content.dependencies import DAY, Dependency

CHECK_S = 60.0
"""Longest sleep: the clock may be set meanwhile."""


async def purge_daily(
    purge: Callable[[frozenset[Dependency]], None],
    *,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> None:
    """A background task: purge the tag DAY when another day has begun, at midnight or because the clock was set."""
    day = now().date()
    while True:
        await sleep(min(seconds_until_midnight(now()), CHECK_S))
        if day != now().date():
            day = now().date()
            purge(frozenset({DAY}))


def seconds_until_midnight(now: datetime) -> float:
    """Seconds until the next midnight, plus one: the clock may be ahead of the timers."""
    midnight = (now + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
    return (midnight - now).total_seconds() + 1
