"""Keeps the releases of code hosts current: the first page once an hour, all pages once a day.

    refresher = ReleaseRefresher(store, ReleaseClient(...), repositories, database=database, now=utc_now)
    supervisor.start_task("releases", refresher.run)

The first page is requested with its ETag; further pages follow until one has no change. A reading of all pages, which
finds changed notes and removed releases, continues where it ended: without a token, GitHub allows 60 requests an hour.
One process of a site makes requests at a time, one after the other.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime, timedelta

import structlog

from kinfolk.content.release_notes.hosts.host_release_store import HostReleaseStore, ListingState
from kinfolk.content.release_notes.hosts.release_client import ListedRepository, ReleaseClient, ReleasePage
from kinfolk.db.database import Database
from kinfolk.runtime.errors import NotFound, Unavailable
from kinfolk.runtime.upstream.upstream_client import RequestsRefused

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

LOCK = "host-releases"
CHECK_S = 30.0
"""Seconds between two checks for repositories that are due: a short query."""
GAP_S = 1.0
"""Seconds between two requests."""
MAX_PAGES = 100
"""GitHub lists at most 10,000 releases: a hundred pages."""
PERIOD = timedelta(hours=1)
FULL_PERIOD = timedelta(days=1)
FIRST_RETRY, LONGEST_RETRY = timedelta(minutes=5), timedelta(hours=6)
"""After the first failure of a repository, and the limit of its doubling."""
NOT_FOUND_RETRY = timedelta(days=1)
LONGEST_WAIT = timedelta(days=2)
"""Longer than all times above. A repository that is due later was stored while the clock was wrong."""


class ReleaseRefresher:
    """A background task."""

    def __init__(
        self,
        store: HostReleaseStore,
        client: ReleaseClient,
        repositories: Iterable[ListedRepository],
        *,
        database: Database,
        now: Callable[[], datetime],
        on_change: Callable[[str], None] = lambda _: None,
        gap_s: float = GAP_S,
    ) -> None:
        """`on_change` gets the address of a repository whose releases changed. `now` is in UTC, without a time zone."""
        self._store = store
        self._client = client
        self._repositories = {one.address: one for one in repositories}
        self._database = database
        self._now = now
        self._on_change = on_change
        self._gap_s = gap_s

    async def refresh(self) -> frozenset[str]:
        """Read the repositories that are due. Returns the addresses of those that changed.

        Does nothing while another process refreshes. Raises Unavailable when the database fails.
        """
        if not await asyncio.to_thread(self._due):
            return frozenset()
        changed: set[str] = set()
        refused: dict[str, datetime] = {}
        async with self._database.exclusive_async(LOCK) as held:
            # Another process may have read them meanwhile.
            due = await asyncio.to_thread(self._due) if held else {}
            for address, state in due.items():
                server = self._repositories[address].host.base
                if server in refused:
                    await self._put(address, replace(state, due_at=refused[server]))
                    continue
                reading = _RepositoryReading(self._repositories[address], state, self)
                try:
                    await reading.read()
                except RequestsRefused as limited:
                    refused[server] = self._now() + timedelta(seconds=limited.retry_after_s)
                    log.warning("releases postponed", repository=address, retry_s=limited.retry_after_s)
                    await self._put(address, replace(reading.state, due_at=refused[server]))
                except (NotFound, _HostFailedError) as failure:
                    await self._put_failure(reading, failure)
                if reading.has_changed:
                    changed.add(address)
                    self._on_change(address)
        return frozenset(changed)

    async def run(self) -> None:
        """Refresh forever. Raises Unavailable when the database fails."""
        while True:
            await self.refresh()
            await asyncio.sleep(CHECK_S)

    def _due(self) -> dict[str, ListingState]:
        """The repositories that are due: those that are due the longest first."""
        now = self._now()
        stored = self._store.states(self._repositories)
        found = {address: stored.get(address, ListingState()) for address in self._repositories}
        due = {
            address: state
            for address, state in found.items()
            if state.due_at is None or not now < state.due_at <= now + LONGEST_WAIT
        }
        return dict(sorted(due.items(), key=lambda item: (item[1].due_at is not None, item[1].due_at or now)))

    async def _put(self, address: str, state: ListingState) -> None:
        await asyncio.to_thread(self._store.put_state, address, state)

    async def _put_failure(self, reading: _RepositoryReading, failure: NotFound | _HostFailedError) -> None:
        failures = reading.state.failures + 1
        pause = NOT_FOUND_RETRY if isinstance(failure, NotFound) else retry_after(failures)
        if failures.bit_count() == 1:
            address = reading.repository.address
            log.warning("releases not read", repository=address, reason=str(failure), retry_s=pause.total_seconds())
        await self._put(
            reading.repository.address, replace(reading.state, failures=failures, due_at=self._now() + pause)
        )

    # What a reading uses

    async def page(self, repository: ListedRepository, number: int, etag: str) -> ReleasePage | None:
        """A page of the host, after the gap between two requests. Raises what the client raises."""
        await asyncio.sleep(self._gap_s)
        try:
            return await self._client.page(repository, number, etag=etag)
        except (NotFound, RequestsRefused):
            raise
        except Unavailable as failure:
            raise _HostFailedError(failure.message) from failure

    @property
    def store(self) -> HostReleaseStore:
        return self._store

    def now(self) -> datetime:
        return self._now()


class _HostFailedError(Exception):
    """A request to a code host failed; a failure of the database is Unavailable."""


class _RepositoryReading:
    """The pages of one repository. `state` is what is stored of it at each time."""

    def __init__(self, repository: ListedRepository, state: ListingState, refresher: ReleaseRefresher) -> None:
        self.repository = repository
        self.state = state
        self.has_changed = False
        self._refresher = refresher

    async def read(self) -> None:
        began = self._refresher.now()
        is_full = self._is_full_due(began)
        if is_full and self._restarts(began):
            self.state = replace(self.state, next_page=1, full_began_at=began)
        first = self.state.next_page or 1
        for number in range(first, MAX_PAGES + 1):
            page = await self._refresher.page(self.repository, number, "" if is_full or number > 1 else self.state.etag)
            if page is None:
                await self._finish(began, is_full=False)
                return
            is_last = not page.has_next or number == MAX_PAGES
            if is_full and number == 1 and not page.releases:
                await self._check_emptiness()
            is_changed = await self._put(page, number, is_full=is_full)
            if is_last or not (is_full or is_changed):
                await self._finish(began, is_full=is_full)
                return

    def _restarts(self, now: datetime) -> bool:
        """Whether a reading of all pages begins anew: one that fails at a page must not hide new releases for long."""
        began = self.state.full_began_at
        return self.state.next_page is None or began is None or not began <= now < began + FULL_PERIOD

    def _is_full_due(self, now: datetime) -> bool:
        full_at = self.state.full_at
        return self.state.next_page is not None or full_at is None or not full_at <= now < full_at + FULL_PERIOD

    async def _check_emptiness(self) -> None:
        """A host that forgets all releases at once fails: its database is away, or a proxy answers in its place."""
        if known := len(await asyncio.to_thread(self._refresher.store.tags, self.repository.address)):
            raise _HostFailedError(f"it lists none of its {known} releases")

    async def _put(self, page: ReleasePage, number: int, *, is_full: bool) -> bool:
        etag = page.etag if number == 1 else self.state.etag
        self.state = replace(self.state, etag=etag, next_page=number + 1 if is_full else None)
        is_changed = await asyncio.to_thread(
            self._refresher.store.put,
            self.repository.address,
            page.releases,
            seen_at=self._refresher.now(),
            state=self.state,
        )
        self.has_changed |= is_changed
        return is_changed

    async def _finish(self, at: datetime, *, is_full: bool) -> None:
        due_at = at + PERIOD
        self.state = replace(self.state, next_page=None, due_at=due_at, failures=0)
        store, address = self._refresher.store, self.repository.address
        if is_full:
            former = self.state.full_at
            self.state = replace(self.state, full_at=self.state.full_began_at)
            self.has_changed |= await asyncio.to_thread(store.complete, address, unseen_since=former, state=self.state)
        else:
            await asyncio.to_thread(store.put_state, address, self.state)


def retry_after(failures: int) -> timedelta:
    """The pause after this many failed requests in a row."""
    return min(FIRST_RETRY * (1 << min(failures - 1, 20)), LONGEST_RETRY)
