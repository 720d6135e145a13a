"""Looks for newer docs now and then, and at once when a push is announced."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Collection
from pathlib import Path

import structlog

from kinfolk.errors import SiteError
from kinfolk.site import Editions, Site
from kinfolk.sources.snapshot import Ref

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

DAY_S = 24 * 3600
FOLLOW_S = 2.0
"""Seconds between two looks at what other processes have published: one call for the time of a file."""
SPONSORS_EVERY_S = 3600.0
SPONSORS_AGAIN_S = 300.0
"""After a failure; until then the last good answer is shown."""


class Refresher:
    """Runs `editions.refresh` off the event loop, one at a time. `every_s` 0 means only when woken.

    Once a day, after a look that found nothing new, the source may tidy up: nobody reads older trees then. `published`
    is the file that says what the processes of this site show: a push is announced to one of them, the others see it
    there.
    """

    def __init__(self, editions: Editions, every_s: float, *, published: Path | None = None) -> None:
        self._editions = editions
        self._every_s = every_s
        self._published = published
        self._woken = asyncio.Event()
        self._wanted: set[Ref] = set()
        self._tidied = time.monotonic()

    def wake(self, refs: Collection[Ref]) -> None:
        """Look at these branches soon, without waiting for the next round."""
        self._wanted |= set(refs)
        self._woken.set()

    async def run(self) -> None:
        """For ever, until cancelled. A failure costs freshness only: it is logged and the next round tries again."""
        full_round = time.monotonic() + self._every_s
        # Others may have published since this process opened its docs, so the first look is taken in any case.
        seen: int | None = None
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._woken.wait(), self._rest_s(full_round))
            wanted: Collection[Ref] | None
            if self._every_s and time.monotonic() >= full_round:
                # However often pushes are announced, everything is looked at in its turn.
                wanted = None
            elif self._woken.is_set():
                wanted = self._wanted or None
            elif self._published_at() != seen:
                wanted = ()
            else:
                continue
            self._woken.clear()
            self._wanted = set()
            seen = self._published_at()
            await self._look(wanted)
            if wanted is None:
                # From its end: however long it takes, between two of them another process has a chance to sync.
                full_round = time.monotonic() + self._every_s

    async def _look(self, refs: Collection[Ref] | None) -> None:
        try:
            stale = await asyncio.to_thread(self._editions.refresh, refs)
            if not stale and time.monotonic() - self._tidied > DAY_S:
                self._tidied = time.monotonic()
                await asyncio.to_thread(self._editions.source.tidy)
        except SiteError as failure:
            log.warning("refresh failed", reason=failure.message)
        except Exception:
            log.exception("refresh crashed")

    def _rest_s(self, full_round: float) -> float | None:
        """How long nothing needs to be done, unless somebody wakes us; None for ever."""
        until_round = [max(0.0, full_round - time.monotonic())] if self._every_s else []
        until_others = [FOLLOW_S] if self._published is not None else []
        return min(until_round + until_others, default=None)

    def _published_at(self) -> int | None:
        try:
            return self._published.stat().st_mtime_ns if self._published is not None else None
        except OSError:
            return None


async def refresh_sponsors(site: Site) -> None:
    """For ever: ask GitHub who sponsors, where there is a token to ask with, and purge the pages that show the pack."""
    while site.sponsors.github is not None:
        rest_s = SPONSORS_AGAIN_S
        try:
            if await site.sponsors.refresh():
                site.editions.purge(frozenset({"sponsors"}))
            rest_s = SPONSORS_EVERY_S
        except SiteError as failure:
            log.warning("sponsors are as they were", reason=failure.message)
        except Exception:
            log.exception("refreshing sponsors crashed")
        await asyncio.sleep(rest_s)
