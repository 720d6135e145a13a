"""Services that refresh docs, file histories, posts and sponsors: periodically, and after a push."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Collection
from pathlib import Path

from kinfolk.config.docs_address import Ref
from kinfolk.content.dependencies import SPONSORS
from kinfolk.content.docs.docs_source import damaged_refs
from kinfolk.content.docs.snapshots.publisher import DocsPublisher
from kinfolk.content.sources.git.published_commits import PUBLISHED_FILE
from kinfolk.content.sponsors.current_sponsors import REFRESH_S
from kinfolk.db.lease import Lease
from kinfolk.runtime.services.supervisor import OnDemand, Supervisor
from kinfolk.site.site import Site
from kinfolk.web.background.commit_follower import CommitFollower

DAY_S = 24 * 3600
REPAIR_EVERY_S = 30.0
"""Seconds between two refreshes of damaged branches: without its upstream, a branch stays damaged."""
CHECK_PUBLISHED_EVERY_S = 2.0
"""Seconds between two checks for content that other processes published: one stat call."""


class RefreshQueue:
    """Branches to refresh; None means all. Thread-safe; only `wait` blocks.

    A request without branches makes the service read what other processes have published.
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
        """Make `wait` return False from now on."""
        self._stopped = True
        self._changed.set()

    def wait(self, timeout_s: float | None = None) -> bool:
        """Block until there is a request, or for `timeout_s`. False once stopped."""
        if not self._stopped:  # `take` may have cleared the event that `stop` set
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
    """A service that calls `publisher.refresh_content`. `every_s` 0 means only when woken.

    Once a day, after a refresh without changes, the source may tidy up: no request reads older trees then. `published`
    is the file with the commits that the processes of this site show: one of them receives a push, the others read the
    file. Branches that cannot be read are refreshed at once. `before` is called before each refresh, `after` with its
    branches afterwards: they wake other services. `leads` says whether this process looks for new commits every
    `every_s`; another one of the site does otherwise.

    A failure only delays content: `run` raises it, and refreshes the same branches when it is called again.
    """

    def __init__(
        self,
        publisher: DocsPublisher,
        every_s: float,
        *,
        published: Path | None = None,
        before: Callable[[], None] = lambda: None,
        after: Callable[[Collection[Ref] | None], None] = lambda _: None,
        leads: Callable[[], bool] = lambda: True,
    ) -> None:
        self._publisher = publisher
        self._every_s = every_s
        self._leads = leads
        self._published = published
        self._repaired_s: float | None = None
        self._before = before
        self._after = after
        self._queue = RefreshQueue()
        # None differs from every time, so the first check refreshes: other processes may have published since the
        # start.
        self._published_at_ns: int | None = None
        self._full_round_s = time.monotonic() + every_s
        self._tidied_s = time.monotonic()
        self.followed_s: float | None = None
        """When another process was last known to look for new commits, by `time.monotonic`."""

    def wake(self, refs: Collection[Ref]) -> None:
        """Refresh these branches as soon as possible. Thread-safe; does not block."""
        self._queue.add(refs)

    def stop(self) -> None:
        """Stop `run`, and abort a running fetch. Does not block."""
        self._queue.stop()
        self._publisher.source.stop()

    def run(self) -> None:
        """The service."""
        while self._queue.wait(self._wait_s()):
            requested, refs = self._queue.take()
            branches: Collection[Ref] | None
            # Due also when pushes are frequent.
            is_due = self._every_s > 0 and time.monotonic() >= self._full_round_s
            if is_due and self._leads():
                branches = None
            elif is_due:
                branches = refs if requested else ()
                self.followed_s = time.monotonic()
            elif requested:
                branches = refs
            elif self._read_published_at_ns() != self._published_at_ns:
                branches = ()
            elif self._every_s and (damaged := damaged_refs(self._publisher.source)) and self._may_repair():
                branches = damaged
            else:
                continue
            published_at_ns = self._read_published_at_ns()
            try:
                self._refresh(branches)
            except BaseException:
                if requested:
                    self._queue.add(refs)
                raise
            self._published_at_ns = published_at_ns
            if branches is None or is_due:
                # Measured from the end of the refresh, so that other processes can sync between two of them.
                self._full_round_s = time.monotonic() + self._every_s

    def _refresh(self, refs: Collection[Ref] | None) -> None:
        self._before()
        stale = self._publisher.refresh_content(refs)
        self._after(refs)
        if not stale and time.monotonic() - self._tidied_s > DAY_S:
            self._tidied_s = time.monotonic()
            self._publisher.source.tidy()

    def _may_repair(self) -> bool:
        now_s = time.monotonic()
        if self._repaired_s is not None and now_s - self._repaired_s < REPAIR_EVERY_S:
            return False
        self._repaired_s = now_s
        return True

    def _wait_s(self) -> float | None:
        """Seconds until the next check or refresh; None if only `wake` causes one."""
        until_round = [max(0.0, self._full_round_s - time.monotonic())] if self._every_s else []
        until_others = [CHECK_PUBLISHED_EVERY_S] if self._published is not None else []
        return min(until_round + until_others, default=None)

    def _read_published_at_ns(self) -> int | None:
        try:
            return self._published.stat().st_mtime_ns if self._published is not None else None
        except OSError:
            return None


class HistoryRefresher:
    """A service that calls `publisher.fetch_histories` for the branches that it is woken for."""

    def __init__(self, publisher: DocsPublisher) -> None:
        self._publisher = publisher
        self._queue = RefreshQueue()

    def wake(self, refs: Collection[Ref] | None) -> None:
        """Fetch the histories of these branches, or of all. Thread-safe; does not block."""
        self._queue.add(refs)

    def stop(self) -> None:
        """Stop `run`, and abort a running fetch. Does not block."""
        self._queue.stop()
        self._publisher.source.stop()

    def run(self) -> None:
        """The service. Branches that failed are fetched again by the next call."""
        while self._queue.wait():
            _, refs = self._queue.take()
            try:
                self._publisher.fetch_histories(refs)
            except BaseException:
                self._queue.add(refs)
                raise


def start_refreshing(site: Site, supervisor: Supervisor, follower: CommitFollower) -> Refresher:
    """Start the services that fetch docs and their histories, follow other processes, and read other content."""
    settings, publisher, pushes = site.settings, site.content.publisher, site.maintenance.pushes
    history = HistoryRefresher(publisher)
    other_sources = OnDemand(_ignoring_result(publisher.refresh_other_sources), every_s=settings.refresh_s or None)
    follower.on_fetched = history.wake

    def before() -> None:
        other_sources.wake()
        follower.fetch_begins()
        pushes.sync_begins()

    def after(refs: Collection[Ref] | None) -> None:
        pushes.sync_ended(refs)
        history.wake(refs)

    lease = Lease(site.database, "content sync") if site.database.is_postgresql else None
    refresher = Refresher(
        publisher,
        settings.refresh_s,
        published=settings.mirror / PUBLISHED_FILE if settings.mirror is not None else None,
        before=before,
        after=after,
        leads=lease.hold_or_alone if lease is not None else lambda: True,
    )
    publisher.on_refresh_request(refresher.wake)
    if not publisher.docs.snapshot.trees:
        refresher.wake(site.catalog.refs)
    supervisor.start("sync", refresher.run, stop=refresher.stop)
    supervisor.start("history", history.run, stop=history.stop)
    supervisor.start("followed commits", follower.run, stop=follower.stop)
    supervisor.start("blog", other_sources.run, stop=other_sources.stop)
    return refresher


def _ignoring_result(work: Callable[[], object]) -> Callable[[], None]:
    def run() -> None:
        work()

    return run


async def refresh_sponsors(site: Site) -> None:
    """Fetch the sponsors from GitHub every hour if there is a token, and purge pages that show them.

    Raises the error of a failed fetch; the sponsors then stay unchanged.
    """
    while site.content.sponsors.github is not None:
        if await site.content.sponsors.refresh():
            site.content.publisher.purge(frozenset({SPONSORS}))
        await asyncio.sleep(REFRESH_S)
