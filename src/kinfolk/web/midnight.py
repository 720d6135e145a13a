"""What is true for a day: tells when the day is over."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from kinfolk.rpc import DAY


async def each_midnight(purge: Callable[[frozenset[str]], None]) -> None:
    """For ever: purge at every midnight, in UTC, what was true for the day."""
    while True:
        await asyncio.sleep(until_midnight_s(datetime.now(UTC)))
        purge(frozenset({DAY}))


def until_midnight_s(now: datetime) -> float:
    """Seconds to the next midnight, a little more than fewer: a clock may run ahead of the timers."""
    midnight = (now + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
    return (midnight - now).total_seconds() + 1
