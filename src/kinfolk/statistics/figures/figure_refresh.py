"""Keeps the stored figures current: stars and contributors once an hour, dependents once a day.

    refresher = FigureRefresher(store, [*repository_sources(...), *package_sources(...)], database=..., now=utc_now)
    supervisor.start_task("figures", refresher.run)

One process of a site makes requests at a time, one after the other. Requests are spread over the hour or the day. When
each is due again is stored, so a restart repeats none.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog

from kinfolk.db.database import Database
from kinfolk.runtime.errors import NotFound, Unavailable
from kinfolk.runtime.upstream.upstream_client import FetchedCount, RequestsRefused
from kinfolk.statistics.figures.figure_store import (
    FigureKey,
    FigureStore,
    StoredFigure,
    package_subject,
    repository_subject,
)
from kinfolk.statistics.figures.github_repository import GitHubRepository
from kinfolk.statistics.figures.npm_dependents import NpmDependents

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

LOCK = "figures"
CHECK_S = 30.0
"""Seconds between two checks for figures that are due: a short query."""
GAP_S = 1.0
"""Seconds between two requests."""
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
FIRST_RETRY, LONGEST_RETRY = timedelta(minutes=2), timedelta(hours=6)
"""After the first failure of a figure, and the limit of its doubling."""
NOT_FOUND_RETRY = DAY
OUTAGE_RETRY = timedelta(minutes=15)
"""For all figures of a server, after MAX_FAILURES requests to it failed in a row."""
MAX_FAILURES = 3
ETAG_AGE = DAY
"""After this time the whole answer is requested: the ETag of a list may not cover the number of its pages."""
LONGEST_WAIT = 2 * DAY
"""Longer than all times above. A figure that is due later was stored while the clock was wrong."""
_EPOCH = datetime(2000, 1, 1)  # noqa: DTZ001 - all times are in UTC


@dataclass(frozen=True)
class FigureSource:
    """Where a figure comes from, and how often it is requested. `server` groups sources that fail together.

    `fetch` takes the ETag of the former answer and returns None if the answer has not changed. It raises what the
    clients raise.
    """

    key: FigureKey
    server: str
    period: timedelta
    fetch: Callable[[str], Awaitable[FetchedCount | None]]


def repository_sources(client: GitHubRepository, repositories: Iterable[str]) -> tuple[FigureSource, ...]:
    """Stars and contributors of these repositories, each once."""
    return tuple(
        source
        for name in dict.fromkeys(repositories)
        for source in (
            FigureSource(
                FigureKey(repository_subject(name), "stars"), "GitHub", HOUR, _conditional(client.stars, name)
            ),
            FigureSource(
                FigureKey(repository_subject(name), "contributors"),
                "GitHub",
                HOUR,
                _conditional(client.contributors, name),
            ),
        )
    )


def package_sources(client: NpmDependents, packages: Iterable[str]) -> tuple[FigureSource, ...]:
    """Dependents of these packages, each once."""

    def fetching(name: str) -> Callable[[str], Awaitable[FetchedCount | None]]:
        return lambda _: client.count(name)

    return tuple(
        FigureSource(FigureKey(package_subject(name), "dependents"), "npm", DAY, fetching(name))
        for name in dict.fromkeys(packages)
    )


def next_due(now: datetime, position: int, count: int, period: timedelta) -> datetime:
    """When the figure at a position of `count` is due after a success: at its own time in each period.

    Half a period after `now` at least.
    """
    earliest = now + period / 2
    slot = _EPOCH + period * position / count
    return slot + -((slot - earliest) // period) * period


def retry_after(failures: int) -> timedelta:
    """The pause after this many failed requests in a row."""
    return min(FIRST_RETRY * (1 << min(failures - 1, 20)), LONGEST_RETRY)


class FigureRefresher:
    """A background task."""

    def __init__(
        self,
        store: FigureStore,
        sources: Iterable[FigureSource],
        *,
        database: Database,
        now: Callable[[], datetime],
        on_change: Callable[[frozenset[str]], None] = lambda _: None,
        gap_s: float | None = None,
    ) -> None:
        """`on_change` gets the subjects whose figures changed. `now` is in UTC, without a time zone.

        `gap_s` is GAP_S by default.
        """
        self._store = store
        self._sources = {source.key: source for source in sources}
        self._database = database
        self._now = now
        self._on_change = on_change
        self._gap_s = GAP_S if gap_s is None else gap_s
        periods = Counter(source.period for source in self._sources.values())
        self._slots = dict(_slots(self._sources.values(), periods))

    async def run(self) -> None:
        """Refresh forever. Raises Unavailable when the database fails."""
        while True:
            await self.refresh()
            await asyncio.sleep(CHECK_S)

    async def refresh(self) -> frozenset[str]:
        """Request the figures that are due. Returns the subjects that changed.

        Does nothing while another process refreshes. Raises Unavailable when the database fails.
        """
        if not await asyncio.to_thread(self._due):
            return frozenset()
        async with self._database.exclusive_async(LOCK) as held:
            # Another process may have refreshed them meanwhile.
            due = await asyncio.to_thread(self._due) if held else {}
            return await self._refresh_each(due)

    def _due(self) -> dict[FigureKey, StoredFigure]:
        """The figures that are due: those without a value first, then those that are due the longest."""
        now = self._now()
        stored = self._store.read({key.subject for key in self._sources})
        found = {key: stored.get(key, StoredFigure()) for key in self._sources}
        due = {
            key: one for key, one in found.items() if one.due_at is None or not now < one.due_at <= now + LONGEST_WAIT
        }
        return dict(sorted(due.items(), key=lambda item: (item[1].value is not None, item[1].due_at or now)))

    async def _refresh_each(self, due: Mapping[FigureKey, StoredFigure]) -> frozenset[str]:
        changed: set[str] = set()
        failures: Counter[str] = Counter()
        refused: set[str] = set()
        for key, stored in due.items():
            source = self._sources[key]
            if source.server in refused:
                continue
            try:
                if await self._refresh_one(source, stored):
                    changed.add(key.subject)
                    self._on_change(frozenset([key.subject]))
                failures[source.server] = 0
            except RequestsRefused as limited:
                refused.add(source.server)
                await self._postpone_all(source.server, timedelta(seconds=limited.retry_after_s), limited)
            except _FigureFailedError as failed:
                failures[source.server] += 1
                if failures[source.server] == MAX_FAILURES:
                    refused.add(source.server)
                    await self._postpone_all(source.server, OUTAGE_RETRY, failed.reason)
            await asyncio.sleep(self._gap_s)
        return frozenset(changed)

    async def _refresh_one(self, source: FigureSource, stored: StoredFigure) -> bool:
        """Whether what pages show has changed. Raises RequestsRefused and _FigureFailedError."""
        key, at = source.key, self._now()
        is_recent = stored.etag_at is not None and at - ETAG_AGE < stored.etag_at <= at
        try:
            count = await source.fetch(stored.etag if is_recent else "")
        except RequestsRefused:
            raise
        except NotFound as missing:
            _log_failure(key, missing, NOT_FOUND_RETRY, times=1)
            return await asyncio.to_thread(self._store.put_absent, key, due_at=at + NOT_FOUND_RETRY)
        except Unavailable as failure:
            failures = stored.failures + 1
            pause = retry_after(failures)
            _log_failure(key, failure, pause, times=failures)
            await asyncio.to_thread(self._store.put_failure, key, failures=failures, due_at=at + pause)
            raise _FigureFailedError(failure) from failure
        due_at = next_due(at, *self._slots[key], source.period)
        if count is None:
            return await asyncio.to_thread(self._store.confirm, key, requested_at=at, due_at=due_at)
        return await asyncio.to_thread(self._store.put, key, count, requested_at=at, due_at=due_at)

    async def _postpone_all(self, server: str, pause: timedelta, reason: Unavailable) -> None:
        log.warning("figures postponed", server=server, reason=reason.message, retry_s=pause.total_seconds())
        keys = [key for key, source in self._sources.items() if source.server == server]
        await asyncio.to_thread(self._store.postpone, keys, self._now() + pause)


class _FigureFailedError(Exception):
    """A request for a figure failed; a failure of the database is Unavailable."""

    def __init__(self, reason: Unavailable) -> None:
        super().__init__(reason.message)
        self.reason = reason


def _conditional(
    request: Callable[..., Awaitable[FetchedCount | None]], repository: str
) -> Callable[[str], Awaitable[FetchedCount | None]]:
    return lambda etag: request(repository, etag=etag)


def _slots(
    sources: Iterable[FigureSource], counts: Mapping[timedelta, int]
) -> Iterable[tuple[FigureKey, tuple[int, int]]]:
    """The position of each source among those of the same period, and their number."""
    positions: Counter[timedelta] = Counter()
    for source in sources:
        yield source.key, (positions[source.period], counts[source.period])
        positions[source.period] += 1


def _log_failure(key: FigureKey, reason: Unavailable | NotFound, pause: timedelta, *, times: int) -> None:
    if times.bit_count() == 1:
        log.warning(
            "figure not fetched",
            subject=key.subject,
            figure=key.name,
            reason=reason.message,
            times=times,
            retry_s=pause.total_seconds(),
        )
