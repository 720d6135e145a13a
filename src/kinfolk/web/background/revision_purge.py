"""Purges pages when rows of the database change: one process of a site changes them, all of them serve."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from kinfolk.content.dependencies import Dependency

CHECK_S = 5.0
"""Seconds between two checks: one or two short queries."""

StaleSince = Callable[[int], tuple[int, frozenset[Dependency]]]
"""Returns the number of the last change, and what became stale after the given one. Blocks. Raises Unavailable."""


class RevisionPurge:
    """A background task. Changes during a failure of the database are purged after it."""

    def __init__(
        self, stale_since: StaleSince, purge: Callable[[frozenset[Dependency]], None], *, check_s: float = CHECK_S
    ) -> None:
        self._stale_since = stale_since
        self._purge = purge
        self._check_s = check_s
        self._revision = 0

    async def run(self) -> None:
        """Check forever. Raises Unavailable when the database fails."""
        while True:
            await self.check()
            await asyncio.sleep(self._check_s)

    async def check(self) -> None:
        """Purge what changed since the last check."""
        self._revision, stale = await asyncio.to_thread(self._stale_since, self._revision)
        if stale:
            self._purge(stale)
