"""Fetches the docs of a release while its first readers wait.

It is the only request that waits for another server: the docs of all releases of a family would be gigabytes. Only
known releases are fetched, few at a time, and a client can cause a few fetches per minute.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

import structlog

from kinfolk.config.docs_address import Ref
from kinfolk.content.docs.snapshots.release_docs import ReleaseDocs
from kinfolk.runtime.errors import Unavailable
from kinfolk.web.protocol.fair_queue import TooManyWaiting
from kinfolk.web.protocol.token_buckets import TokenBuckets

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

MOST_AT_ONCE = 2
MOST_WAITING = 20
"""Releases that are being fetched or wait for it."""
WAIT_S = 8.0
"""Seconds that a reader waits. The fetch goes on, so that the next attempt succeeds."""
CLIENT_SHARE = 0.2
"""Share of all fetches that one client may cause: a reader opens a release and then reads it."""
_SITE = "site"


class ReleaseFetcher:
    """For one event loop. `per_minute` is the number of fetches that all clients together may cause."""

    def __init__(self, releases: ReleaseDocs, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._releases = releases
        self._slots = asyncio.Semaphore(MOST_AT_ONCE)
        self._fetches: dict[Ref, asyncio.Task[None]] = {}
        self._clients = TokenBuckets(CLIENT_SHARE * per_minute / 60, clock)
        self._site = TokenBuckets(per_minute / 60, clock)

    async def ensure(self, ref: Ref, client: str, *, wait_s: float = WAIT_S) -> None:
        """Return once the docs of a release are here.

        Raises TooManyWaiting for a client that causes too many fetches, and Unavailable where the fetch fails or takes
        longer than `wait_s`.
        """
        task = self._fetches.get(ref)
        if task is None:
            if await asyncio.to_thread(self._releases.is_fetched, ref):
                return
            task = self._fetches.get(ref) or self._start(ref, client)
        try:
            await asyncio.wait_for(asyncio.shield(task), wait_s)
        except TimeoutError:
            raise Unavailable(f"The docs of {ref.branch} are being fetched. Try again in a few seconds.") from None

    async def stop(self) -> None:
        """Abort all fetches."""
        self._releases.stop()
        await asyncio.gather(*self._fetches.values(), return_exceptions=True)

    def _start(self, ref: Ref, client: str) -> asyncio.Task[None]:
        # The client first: one that is refused leaves the fetches of the site to others.
        if self._clients.take(client, 1):
            raise TooManyWaiting("You have opened many releases in a short time. Try again in a few seconds.")
        if len(self._fetches) >= MOST_WAITING or self._site.take(_SITE, 1):
            raise Unavailable("Too many releases are being fetched at the moment. Try again in a minute.")
        task = self._fetches[ref] = asyncio.create_task(self._fetch(ref))
        task.add_done_callback(lambda done: self._end(ref, done))
        return task

    def _end(self, ref: Ref, task: asyncio.Task[None]) -> None:
        del self._fetches[ref]
        failure = None if task.cancelled() else task.exception()
        if failure is not None:
            log.warning("release not fetched", ref=str(ref), reason=str(failure))

    async def _fetch(self, ref: Ref) -> None:
        async with self._slots:
            await asyncio.to_thread(self._releases.fetch, ref)
