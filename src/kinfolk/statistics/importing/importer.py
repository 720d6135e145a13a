"""Fetches download counts from npm in the background.

    importer = Importer(database, DownloadsApi(settings.npm_downloads_api), packages, now=utc_now)
    supervisor.start_task("npm import", importer.run)    # forever
    await importer.import_due()                          # once

One process of a site makes requests at a time, one after the other: npm refuses clients that make more than about one
request in three seconds. Answers are stored as they arrive, so the next process continues where one was killed.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import partial
from typing import Any, TypeVar

import numpy as np
import structlog

from kinfolk.db.database import Database, utc_now
from kinfolk.runtime.errors import NotFound, Unavailable
from kinfolk.statistics.histories.history import REGISTRY, DailyCounts
from kinfolk.statistics.histories.history_store import HistoryStore, YearCounts, year_array
from kinfolk.statistics.histories.version_counts import put_version_week, recorded_weeks
from kinfolk.statistics.importing.downloads_api import LONGEST_PAUSE_S, MAX_BULK, DownloadsApi, RateLimited
from kinfolk.statistics.importing.import_plan import (
    CountsTask,
    StoredState,
    Task,
    VersionsTask,
    count_requests,
    due_tasks,
    is_complete,
    is_final,
    newest_counted,
    packages_of,
)
from kinfolk.statistics.importing.import_queue import ImportQueue
from kinfolk.statistics.importing.importer_state import Counted, ImporterStateStore

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

LOCK = "npm-import"
IDLE_S = 15.0
"""Seconds between two checks for requested packages and due requests."""
TASKS = 20
"""Tasks after which another process may continue, and after which the plan is made again."""
ATTEMPTS = 8
"""Failures of a package after which a single run gives up."""
CHECK_EVERY = timedelta(hours=1)
"""Between two checks whether npm has counted the day before."""
Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Pace:
    """Seconds between requests, measured from the end of one to the beginning of the next.

    `rate_limit_s` is the pause after a refusal without Retry-After. After other failures the pause doubles each time,
    up to `longest_s`.
    """

    interval_s: float = 3.0
    rate_limit_s: float = 60.0
    longest_s: float = 900.0


@dataclass(frozen=True)
class ImportProgress:
    """`done` and `total` count requested years and weeks of packages. `failure` is that of the last request, if any."""

    done: int
    total: int
    subject: str
    failure: str = ""


@dataclass(frozen=True)
class ImportReport:
    """What a run did not import: packages that npm does not have, and the last failure of others."""

    not_found: tuple[str, ...] = ()
    failed: Mapping[str, str] = field(default_factory=dict)


class _RequestFailedError(Exception):
    """A request to npm failed; a failure of the database is Unavailable."""


class Importer:
    """Imports counts of `packages`, and of packages that readers requested."""

    def __init__(
        self,
        database: Database,
        api: DownloadsApi,
        packages: Iterable[str],
        *,
        pace: Pace = Pace(),
        now: Callable[[], datetime] = utc_now,
        on_progress: Callable[[ImportProgress], None] = lambda _: None,
    ) -> None:
        self._database = database
        self._api = api
        self._packages = tuple(dict.fromkeys((REGISTRY, *packages)))
        self._pace = pace
        self._now = now
        self._on_progress = on_progress
        self._store = HistoryStore(database)
        self._queue = ImportQueue(database, now=now)
        self._state = ImporterStateStore(database)
        self._failures: Counter[str] = Counter()
        self._reasons: dict[str, str] = {}
        self._absent: set[str] = set()
        """Packages of the current plan that npm was found not to have."""
        self._checked_at: datetime | None = None
        self._next_s = 0.0
        self._done = 0

    async def run(self) -> None:
        """The service: import what is due, forever. Raises Unavailable when the database fails."""
        while True:
            async with self._exclusive() as held:
                busy = held and await self._import_some()
            await asyncio.sleep(0 if busy else IDLE_S)

    async def import_due(self) -> ImportReport:
        """Import everything that is due. Gives up on packages with ATTEMPTS failures.

        Raises Unavailable when another process imports, or when the database fails.
        """
        async with self._exclusive() as held:
            if not held:
                raise Unavailable("Counts are already being imported")
            while await self._import_some(attempts=ATTEMPTS):
                pass
            not_found = await asyncio.to_thread(self._queue.not_found)
        return ImportReport(tuple(sorted(not_found)), dict(self._reasons))

    @contextlib.asynccontextmanager
    async def _exclusive(self) -> AsyncIterator[bool]:
        async with self._database.exclusive_async(LOCK) as held:
            # Another process may have made a request at this moment.
            self._next_s = _clock_s() + self._pace.interval_s
            yield held

    async def _import_some(self, *, attempts: int | None = None) -> bool:
        """Perform some of the tasks that are due. Whether there were any."""
        waiting = await asyncio.to_thread(self._queue.waiting)
        for package in waiting:
            if not await self._verify(package):
                break
        if self._packages == (REGISTRY,) and not waiting and not await asyncio.to_thread(self._queue.imported):
            # The registry's total is of use only beside the counts of a package.
            return False
        await self._check_publication()
        tasks = await asyncio.to_thread(self._plan, attempts)
        left = count_requests(tasks)
        self._absent.clear()
        for task in tasks[:TASKS]:
            if self._absent.issuperset(packages_of(task)):
                continue
            failure = await self._perform(task)
            size = count_requests([task])
            left -= 0 if failure else size
            self._done += 0 if failure else size
            self._on_progress(ImportProgress(self._done, self._done + left, _subject(task), failure))
        return bool(tasks)

    def _plan(self, attempts: int | None) -> list[Task]:
        counted = self._counted()
        stored = StoredState(self._store.year_states(), recorded_weeks(self._database))
        self._queue.forget()
        absent, imported = self._queue.not_found(), self._queue.imported()
        complete = {name for name in imported if is_complete(stored.years.get(name, {}), counted.day)}
        self._queue.set_status([name for name in complete if imported[name] != "complete"], "complete")
        requested = [name for name in imported if name not in self._packages]
        coming = [name for name in requested if name not in complete]
        others = [*self._packages, *(name for name in requested if name in complete)]
        return [
            task
            for names in (coming, others)
            for task in due_tasks(
                [name for name in names if name not in absent and not self._gave_up(name, attempts)],
                stored,
                counted,
                bulk=MAX_BULK,
                failures=self._failures,
            )
        ]

    def _gave_up(self, package: str, attempts: int | None) -> bool:
        return attempts is not None and self._failures[package] >= attempts

    def _counted(self) -> Counted:
        return newest_counted(self._state.read().counted, self._now())

    # Tasks

    async def _verify(self, package: str) -> bool:
        """Find out whether npm has a package that a reader requested. False if that failed: the package stays."""
        try:
            await self._request(partial(self._api.check, package))
        except NotFound:
            await asyncio.to_thread(self._queue.set_status, [package], "not_found")
        except _RequestFailedError:
            return False
        else:
            await asyncio.to_thread(self._queue.set_status, [package], "importing")
        return True

    async def _check_publication(self) -> None:
        """Fetch the registry's total until it has a count of yesterday: npm counts a day after its end."""
        now = self._now()
        yesterday = now.date() - timedelta(days=1)
        state = await asyncio.to_thread(self._state.read)
        # A later time is that of a clock that was ahead.
        recent = self._checked_at is not None and self._checked_at <= now < self._checked_at + CHECK_EVERY
        if recent or (state.counted is not None and state.counted.day >= yesterday):
            return
        self._checked_at = now
        with contextlib.suppress(_RequestFailedError):
            first = date(yesterday.year, 1, 1)
            counts = (await self._request(partial(self._api.counts, [REGISTRY], first, yesterday)))[REGISTRY]
            if counts is not None and counts[-1] > 0:
                await asyncio.to_thread(self._put, yesterday.year, {REGISTRY: counts}, first, now)
                await asyncio.to_thread(self._state.put_counted, Counted(yesterday, now))

    async def _perform(self, task: Task) -> str:
        """The reason of a failure; empty after a success."""
        names = packages_of(task)
        try:
            if isinstance(task, CountsTask):
                await self._import_year(task)
            else:
                await self._import_versions(task)
        except _RequestFailedError as failed:
            for name in set(names) - self._absent:
                self._failures[name] += 1
                self._reasons[name] = str(failed)
            return str(failed)
        for name in names:
            self._failures.pop(name, None)
            self._reasons.pop(name, None)
        return ""

    async def _import_year(self, task: CountsTask) -> None:
        at = self._now()
        parts = [
            await self._request(partial(self._api.counts, task.packages, first, last)) for first, last in task.spans
        ]
        counts = {
            name: np.concatenate([found for part in parts if (found := part[name]) is not None])
            for name in task.packages
            if all(part[name] is not None for part in parts)
        }
        await asyncio.to_thread(self._put, task.year, counts, task.spans[0][0], at)
        await asyncio.to_thread(self._record_absent, [name for name in task.packages if name not in counts])

    async def _import_versions(self, task: VersionsTask) -> None:
        at = self._now()
        try:
            counts = await self._request(partial(self._api.version_counts, task.package))
        except NotFound:
            raise _RequestFailedError(f"npm has no downloads by version of {task.package}") from None
        await asyncio.to_thread(put_version_week, self._database, task.package, task.last_day, counts, at)

    # Storage

    def _put(self, year: int, counts: Mapping[str, DailyCounts], first: date, at: datetime) -> None:
        final = is_final(year, at.date())
        rows = [
            YearCounts(name, year, "npm", self._merged(name, year, found, first), at, final=final)
            for name, found in counts.items()
        ]
        self._store.put(rows)

    def _merged(self, package: str, year: int, fetched: DailyCounts, first: date) -> DailyCounts:
        """The counts of a year. A zero does not replace a count: npm answers zero for days that it cannot read."""
        counts = year_array(year)
        offset = first.timetuple().tm_yday - 1
        counts[offset : offset + len(fetched)] = fetched
        stored = self._store.year(package, year)
        if stored is not None:
            counts = np.where((counts <= 0) & (stored.counts > 0), stored.counts, counts)
        return counts

    def _record_absent(self, packages: list[str]) -> None:
        """Record that npm does not have these packages, unless it had counts of them before."""
        known = self._store.stored_packages()
        wrong = [name for name in packages if name in known or name == REGISTRY]
        self._absent.update(name for name in packages if name not in wrong)
        self._queue.set_status(self._absent.intersection(packages), "not_found")
        if wrong:
            raise _RequestFailedError(f"npm answers that it does not have {wrong[0] or 'totals'}, which it had before")

    # Requests

    async def _request(self, request: Callable[[], Coroutine[Any, Any, Answer]]) -> Answer:
        """The answer, as soon as a request is allowed. Raises NotFound and _RequestFailedError."""
        state = await asyncio.to_thread(self._state.read)
        await asyncio.sleep(max(self._next_s - _clock_s(), self._pause_s(state.paused_until)))
        try:
            answer = await request()
        except NotFound:
            await asyncio.to_thread(self._state.succeeded, self._now())
            raise
        except Unavailable as failure:
            await self._record_failure(failure, state.failures + 1)
            raise _RequestFailedError(failure.message) from failure
        finally:
            self._next_s = _clock_s() + self._pace.interval_s
        await asyncio.to_thread(self._state.succeeded, self._now())
        return answer

    def _pause_s(self, until: datetime | None) -> float:
        """Seconds until a stored time. A clock that was set back does not extend the pause beyond the longest one."""
        left = 0.0 if until is None else (until - self._now()).total_seconds()
        return min(max(left, 0.0), LONGEST_PAUSE_S)

    async def _record_failure(self, failure: Unavailable, failures: int) -> None:
        pace = self._pace
        pause_s = min(pace.interval_s * 2 ** min(failures, 20), pace.longest_s)
        if isinstance(failure, RateLimited):
            pause_s = pace.rate_limit_s if failure.retry_after_s is None else failure.retry_after_s
        now = self._now()
        if failures.bit_count() == 1:
            log.warning("request to npm failed", reason=failure.message, failures=failures, pause_s=pause_s)
        await asyncio.to_thread(
            self._state.failed,
            failure.message,
            now,
            failures=failures,
            paused_until=now + timedelta(seconds=pause_s),
        )


def _clock_s() -> float:
    return asyncio.get_running_loop().time()


def _subject(task: Task) -> str:
    if isinstance(task, VersionsTask):
        return f"{task.package}, versions"
    name = task.packages[0] or "all packages together"
    others = len(task.packages) - 1
    return f"{name}{f' and {others} more' if others else ''}, {task.year}"
