"""Purges pages of npm statistics when counts change: one process of a site imports, all of them serve."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from kinfolk.dependencies import NPM, Dependency
from kinfolk.npm.statistics import NpmStatistics

CHECK_S = 5.0
"""Seconds between two checks: two short queries."""


class StatisticsPurge:
    """A background task. Changes during a failure of the database are purged after it."""

    def __init__(self, npm: NpmStatistics, purge: Callable[[frozenset[Dependency]], None]) -> None:
        self._npm = npm
        self._purge = purge
        self._revision = 0
        self._sampled: bool | None = None

    async def run(self) -> None:
        """Check forever. Raises Unavailable when the database fails."""
        while True:
            await asyncio.sleep(CHECK_S)
            await self.check()

    async def check(self) -> None:
        """Purge what changed since the last check."""
        revision, tags = await asyncio.to_thread(self._npm.stale_since, self._revision)
        sampled = await asyncio.to_thread(self._npm.uses_samples)
        if self._sampled is not None and sampled != self._sampled:
            tags |= {NPM}
        self._revision, self._sampled = revision, sampled
        if tags:
            self._purge(tags)
