"""Services that look for newer docs, histories, posts and sponsors: now and then, and when a push is announced."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Collection
from pathlib import Path

from kinfolk.site import Editions, Site
from kinfolk.sources.snapshot import Ref

DAY_S = 24 * 3600
FOLLOW_S = 2.0
"""Seconds between two looks at what other processes have published: one call for the time of a file."""
SPONSORS_EVERY_S = 3600.0


class RefreshQueue:
    """Branches that a service is asked to refresh, from any thread; None means all. Only `wait` blocks.

    A request for no branch is one too: the service then reads what other processes have written.
    """

    def __init__(self) -> None:
        self._changed = threading.Event()
        self._lock = threading.Lock()
        self._refs: set[Ref] = set()
        self._all = False
        self._stopped = False

    def add(self, refs: Collection[Ref] | None) -> None:
        """Request a refresh of these branches."""
        with self._lock:
            self._refs |= set(refs or ())
            self._all |= refs is None
            self._changed.set()

    def stop(self) -> None:
        """Let `wait` return False from now on."""
        self._stopped = True
        self._changed.set()

    def wait(self, timeout_s: float | None = None) -> bool:
        """Block until there is a request, or for `timeout_s`. False once stopped."""
        if not self._stopped:  # `take` may have cleared what `stop` set
            self._changed.wait(timeout_s)
        return not self._stopped

    def take(self) -> tuple[bool, Collection[Ref] | None]:
        """Whether there was a request since the last call, and for which branches."""
        with self._lock:
            requested, refs = self._changed.is_set(), None if self._all else frozenset(self._refs)
            self._changed.clear()
            self._refs.clear()
            self._all = False
        return requested, refs


class Refresher:
    """A service that calls `editions.refresh_content`. `every_s` 0 means only when woken.

    Once a day, after a look that found nothing new, the source may tidy up: older trees are not read then. `published`
    is the file that says what the processes of this site show: a push is announced to one of them, the others see it
    there. `after` is called before and after each look with the branches it was for: services that look at the rest
    are woken by it.

    A failure costs freshness only: `run` raises it, and looks at the same branches when it is called again.
    """

    def __init__(
        self,
        editions: Editions,
        every_s: float,
        *,
        published: Path | None = None,
        before: Callable[[], None] = lambda: None,
        after: Callable[[Collection[Ref] | None], None] = lambda _: None,
    ) -> None:
        self._editions = editions
        self._every_s = every_s
        self._published = published
        self._before = before
        self._after = after
        self._queue = RefreshQueue()
        # Other processes may have published since this one opened its docs, so the first look is taken in any case.
        self._seen: int | None = None
        self._full_round_s = time.monotonic() + every_s
        self._tidied_s = time.monotonic()
        self.refreshed_at_s: float | None = None
        """When a look last succeeded, by `time.monotonic`."""

    def wake(self, refs: Collection[Ref]) -> None:
        """Look at these branches soon, without waiting for the next round. From any thread; does not block."""
        self._queue.add(refs)

    def stop(self) -> None:
        """Let `run` end, breaking off a fetch. Does not block."""
        self._queue.stop()
        self._editions.source.stop()

    def run(self) -> None:
        """The service, until `stop`."""
        while self._queue.wait(self._rest_s()):
            requested, refs = self._queue.take()
            wanted: Collection[Ref] | None
            if self._every_s and time.monotonic() >= self._full_round_s:
                # However often pushes are announced, everything is looked at in its turn.
                wanted = None
            elif requested:
                wanted = refs
            elif self._published_at() != self._seen:
                wanted = ()
            else:
                continue
            seen = self._published_at()
            try:
                self._look(wanted)
            except BaseException:
                if requested:
                    self._queue.add(refs)
                raise
            self._seen = seen
            if wanted is None:
                # From its end: however long it takes, between two of them another process has a chance to sync.
                self._full_round_s = time.monotonic() + self._every_s

    def _look(self, refs: Collection[Ref] | None) -> None:
        self._before()
        stale = self._editions.refresh_content(refs)
        self.refreshed_at_s = time.monotonic()
        self._after(refs)
        if not stale and time.monotonic() - self._tidied_s > DAY_S:
            self._tidied_s = time.monotonic()
            self._editions.source.tidy()

    def _rest_s(self) -> float | None:
        """How long nothing needs to be done unless `wake` is called; None for ever."""
        until_round = [max(0.0, self._full_round_s - time.monotonic())] if self._every_s else []
        until_others = [FOLLOW_S] if self._published is not None else []
        return min(until_round + until_others, default=None)

    def _published_at(self) -> int | None:
        try:
            return self._published.stat().st_mtime_ns if self._published is not None else None
        except OSError:
            return None


class HistoryRefresher:
    """A service that calls `editions.fetch_histories` for the branches that it is woken for."""

    def __init__(self, editions: Editions) -> None:
        self._editions = editions
        self._queue = RefreshQueue()

    def wake(self, refs: Collection[Ref] | None) -> None:
        """Look at these branches, or at all. From any thread; does not block."""
        self._queue.add(refs)

    def stop(self) -> None:
        """Let `run` end, breaking off a fetch. Does not block."""
        self._queue.stop()
        self._editions.source.stop()

    def run(self) -> None:
        """The service, until `stop`. What raises is done again when it is called again."""
        while self._queue.wait():
            _, refs = self._queue.take()
            try:
                self._editions.fetch_histories(refs)
            except BaseException:
                self._queue.add(refs)
                raise


async def refresh_sponsors(site: Site) -> None:
    """Ask GitHub who sponsors, every hour and where there is a token to ask with; purge the pages that show the pack.

    Raises what fails; the sponsors are as they were then.
    """
    while site.sponsors.github is not None:
        if await site.sponsors.refresh():
            site.editions.purge(frozenset({"sponsors"}))
        await asyncio.sleep(SPONSORS_EVERY_S)
