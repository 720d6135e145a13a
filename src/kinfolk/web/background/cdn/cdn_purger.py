"""The service that purges the CDN after each change of content, in every worker process.

A process stores what is stale in the shared queue once it serves the new content. One of them at a time, which holds a
lock, sends the queue: at once, again when another process has switched to the new content, and once more a few seconds
later, because a response that was made before the change may reach the CDN after the first purge.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from http import HTTPStatus
from operator import or_

import structlog

from kinfolk.content.dependencies import PENDING_CODE, few_purge_tags
from kinfolk.content.docs.snapshots.docs_snapshot import DocsSnapshot
from kinfolk.runtime.errors import SiteError
from kinfolk.runtime.metrics import CDN_PENDING, CDN_PURGES
from kinfolk.runtime.services.supervisor import FailureLog, Supervisor
from kinfolk.runtime.upstream.upstream_client import RequestsRefused, UnexpectedStatus
from kinfolk.site.site import Site
from kinfolk.web.background.cdn.cdn_apis import CdnClient, cdn_of
from kinfolk.web.background.cdn.purge_queue import PurgeBatch, PurgeQueue, QueuedBatch
from kinfolk.web.background.cdn.served_content import SITE, revisions_of, site_digest, stale_at_start

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

FOLDER = "cdn"
"""Of the queue, in the folder `var`."""
_BAD_REQUESTS = (
    HTTPStatus.BAD_REQUEST,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    HTTPStatus.REQUEST_URI_TOO_LONG,
    HTTPStatus.UNPROCESSABLE_ENTITY,
)


@dataclass(frozen=True)
class PurgeTiming:
    """Seconds of the service."""

    coalesce_s: float = 0.05
    """Stale tags of this time are one purge."""
    echo_s: float = 1.0
    """Between two purges of the same tags: worker processes switch to a push within two seconds of each other."""
    repeat_s: float = 6.0
    """Until a purge is repeated: a render takes at most five."""
    poll_s: float = 0.5
    """Between two attempts to become the process that sends, while the queue is not empty."""
    first_retry_s: float = 1.0
    longest_retry_s: float = 60.0
    """Pauses after failures, which double. A `Retry-After` of the CDN replaces them."""


class CdnPurger:
    """A background task. `on_purge` and `on_snapshot` are thread-safe and do not block.

    `digest` stands for what all pages depend on, and `revisions` are those of the branches that are served.
    """

    def __init__(
        self,
        client: CdnClient,
        queue: PurgeQueue,
        *,
        revisions: Callable[[], Mapping[str, str]],
        digest: Callable[[], str],
        timing: PurgeTiming | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`clock` is that of the system: batches outlast the process, and the machine."""
        self._client = client
        self._queue = queue
        self._revisions = revisions
        self._digest = digest
        self._timing = timing or PurgeTiming()
        self._clock = clock
        self._lock = threading.Lock()
        self._stale = PurgeBatch()
        self._served: Mapping[str, str] | None = None
        self._site = ""
        self._woken = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._not_stored = FailureLog("cdn purge not stored")
        self._not_purged = FailureLog("cdn not purged")

    def on_purge(self, tags: Collection[str]) -> None:
        """Purge the responses with these tags. Call it when the new content is served."""
        # A CDN keeps pages with plain code for a second.
        stale = PurgeBatch(frozenset(tag for tag in tags if not tag.startswith(PENDING_CODE)))
        if stale:
            with self._lock:
                self._stale |= stale
            self._wake()

    def on_snapshot(self, docs: DocsSnapshot) -> None:
        """Note what is served, after the purge of it."""
        with self._lock:
            self._served = revisions_of(docs.snapshot)
        self._wake()

    async def run(self) -> None:
        """Send what is stale until the task is cancelled."""
        self._loop = asyncio.get_running_loop()
        if not self._site:
            await self._check_start()
        while True:
            self._woken.clear()
            is_stored = await self._store_stale()
            waits = await self._send_queue()
            await self._wait(None if is_stored and not waits else self._timing.poll_s)

    async def _check_start(self) -> None:
        """Purge what has changed since the last process stored what it served."""
        self._site = await asyncio.to_thread(self._digest)
        revisions = self._revisions()
        try:
            known = await asyncio.to_thread(self._queue.read_served)
        except OSError as failure:
            self._not_stored.failed(failure)
            known = None
        with self._lock:
            self._stale |= stale_at_start(known, {SITE: self._site, **revisions})
            self._served = self._served or revisions

    async def _store_stale(self) -> bool:
        """Store what is stale. If that fails, purge it directly. False if neither was possible."""
        with self._lock:
            stale, served = self._stale, self._served
            self._stale, self._served = PurgeBatch(), None
        if not stale and served is None:
            return True
        try:
            await asyncio.to_thread(self._store, stale, served)
        except OSError as failure:
            self._not_stored.failed(failure)
        else:
            self._not_stored.succeeded()
            return True
        try:
            if stale:
                await self._send(stale, waited_s=0.0)
        except SiteError as failure:
            self._count_failure(failure)
            stale_again = stale
        else:
            stale_again = PurgeBatch()
        with self._lock:
            self._stale |= stale_again
            self._served = self._served or served
        return False

    def _store(self, stale: PurgeBatch, served: Mapping[str, str] | None) -> None:
        if stale:
            self._queue.add(stale, due_s=self._clock())
        if served is not None:
            self._queue.write_served({SITE: self._site, **served})

    async def _send_queue(self) -> bool:
        """Send the queue unless another process does. Whether batches are left."""
        try:
            with self._queue.leading() as leads:
                if leads:
                    await self._lead()
            return bool(await asyncio.to_thread(self._queue.batches))
        except OSError as failure:
            self._not_stored.failed(failure)
            return True

    async def _lead(self) -> None:
        """Send until the queue is empty. Raises OSError."""
        failures = 0
        while True:
            self._woken.clear()
            await self._store_stale()
            batches = await asyncio.to_thread(self._queue.batches)
            CDN_PENDING.set(_count(batches))
            if not batches:
                return
            due, wait_s = self._due(batches)
            if not due:
                await self._wait(wait_s)
                continue
            try:
                await self._send_due(due, batches)
                failures = 0
            except SiteError as failure:
                failures += 1
                await self._handle_failure(failure, due, failures)

    def _due(self, batches: Sequence[QueuedBatch]) -> tuple[list[QueuedBatch], float]:
        """The batches to send now, and the seconds until the next one is due."""
        now_s = self._clock()
        due, wait_s = [], self._timing.longest_retry_s
        for each in batches:
            at_s = each.due_s if each.repeats else self._due_s(each, batches)
            if each.is_due(now_s) and not now_s < at_s <= now_s + self._timing.longest_retry_s:
                due.append(each)
            else:
                wait_s = min(wait_s, max(0.0, at_s - now_s))
        return due, wait_s

    def _due_s(self, batch: QueuedBatch, batches: Iterable[QueuedBatch]) -> float:
        """When a new batch is due: later if the same was sent just now, which its repetition in the queue shows."""
        sent_s = [
            each.due_s - self._timing.repeat_s for each in batches if each.repeats and each.batch.has(batch.batch)
        ]
        return max([batch.due_s + self._timing.coalesce_s, *(at_s + self._timing.echo_s for at_s in sent_s)])

    async def _send_due(self, due: Sequence[QueuedBatch], batches: Sequence[QueuedBatch]) -> None:
        """Send these batches as one, and put a repetition of the new ones into the queue."""
        stale, fresh = PurgeBatch(), PurgeBatch()
        for each in due:
            stale |= each.batch
            fresh |= PurgeBatch() if each.repeats else each.batch
        now_s = self._clock()
        if stale:
            await self._send(stale, waited_s=max(0.0, now_s - min(each.due_s for each in due)))
        done = [*due]
        if fresh:
            await asyncio.to_thread(self._queue.add, fresh, due_s=self._clock() + self._timing.repeat_s, repeats=True)
            done += [each for each in batches if each.repeats and fresh.has(each.batch)]
        await asyncio.to_thread(self._queue.remove, done)

    async def _send(self, stale: PurgeBatch, *, waited_s: float) -> None:
        """Purge once. Raises SiteError."""
        tags = self._tags_of(stale)
        requests = await self._client.purge(tags)
        CDN_PURGES.labels("sent").inc()
        self._not_purged.succeeded()
        log.info(
            "cdn purged", tags="all" if tags is None else len(tags), requests=requests, waited_s=round(waited_s, 3)
        )

    async def _handle_failure(self, failure: SiteError, due: Sequence[QueuedBatch], failures: int) -> None:
        """Pause. Tags that the CDN does not accept become a purge of everything.

        So do tags that take several requests where the number of requests is limited: repeated from the first one, they
        might never be sent completely.
        """
        self._count_failure(failure)
        pause_s = min(self._timing.first_retry_s * 2 ** min(failures - 1, 16), self._timing.longest_retry_s)
        if isinstance(failure, RequestsRefused):
            pause_s = failure.retry_after_s
            is_hopeless = self._takes_several_requests(due)
        else:
            is_hopeless = isinstance(failure, UnexpectedStatus) and failure.status in _BAD_REQUESTS
        if is_hopeless:
            await asyncio.to_thread(self._queue.add, PurgeBatch(everything=True), due_s=self._clock())
            await asyncio.to_thread(self._queue.remove, due)
        until_s = time.monotonic() + pause_s
        while (left_s := until_s - time.monotonic()) > 0:
            # What becomes stale meanwhile is stored, and sent after the pause.
            self._woken.clear()
            await self._store_stale()
            await self._wait(left_s)

    def _takes_several_requests(self, due: Sequence[QueuedBatch]) -> bool:
        stale = reduce(or_, (each.batch for each in due))
        tags = self._tags_of(stale)
        return tags is not None and len(list(self._client.cdn.requests(tags))) > 1

    def _tags_of(self, stale: PurgeBatch) -> Collection[str] | None:
        return None if stale.everything else few_purge_tags(stale.names, most=self._client.cdn.most_tags)

    def _count_failure(self, failure: SiteError) -> None:
        CDN_PURGES.labels("refused" if isinstance(failure, RequestsRefused) else "failed").inc()
        self._not_purged.failed(failure, cdn=self._client.cdn.name)

    async def _wait(self, timeout_s: float | None) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                await self._woken.wait()

    def _wake(self) -> None:
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # the event loop has ended
                self._loop.call_soon_threadsafe(self._woken.set)


def start_cdn_purges(site: Site, supervisor: Supervisor) -> None:
    """Start the service if the settings name a CDN. Call it after other listeners of purges were added.

    Raises Invalid for a setting that the CDN lacks.
    """
    cdn = cdn_of(site.settings)
    if cdn is None or site.is_static:
        return
    publisher = site.content.publisher
    purger = CdnPurger(
        CdnClient(cdn),
        PurgeQueue(site.settings.var / FOLDER),
        revisions=lambda: revisions_of(publisher.docs.snapshot),
        digest=lambda: site_digest(site.settings),
    )
    publisher.on_purge(purger.on_purge)
    publisher.on_snapshot(purger.on_snapshot)
    supervisor.start_task("cdn purge", purger.run)


def _count(batches: Iterable[QueuedBatch]) -> int:
    stale = PurgeBatch()
    for each in batches:
        stale |= PurgeBatch() if each.repeats else each.batch
    return 1 if stale.everything else len(stale.names)
