"""Which requests to npm are due, in which order: pure functions of what is stored and of the time.

A year is final when it was fetched PROVISIONAL_DAYS after its end: until then npm corrects counts, and fills days that
it had answered with zero. A year that is not final is fetched again each time npm has counted another day.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import TypeAlias

from kinfolk.statistics.histories.history import FIRST_DAY, REGISTRY
from kinfolk.statistics.histories.history_store import YearState
from kinfolk.statistics.importing.downloads_api import MAX_BULK_DAYS, MAX_DAYS, is_unscoped
from kinfolk.statistics.importing.importer_state import Counted

PROVISIONAL_DAYS = 14
"""npm filled missing days up to ten days later (August and November 2024)."""
COUNTED_BY = time(12)
"""The time of day, in UTC, from which the day before is taken as counted even if the registry's total is not known."""
WEEK = timedelta(days=7)
Span: TypeAlias = tuple[date, date]
"""A first and a last day."""


@dataclass(frozen=True)
class CountsTask:
    """Fetch the counts of packages in a calendar year. `spans` are adjacent, with one request for each."""

    packages: tuple[str, ...]
    year: int
    spans: tuple[Span, ...]


@dataclass(frozen=True)
class VersionsTask:
    """Fetch the downloads by version of the week that ends on `last_day`."""

    package: str
    last_day: date


Task = CountsTask | VersionsTask


@dataclass(frozen=True)
class StoredState:
    """What is stored. `years` and `version_weeks` (the last recorded day) are by package."""

    years: Mapping[str, Mapping[int, YearState]] = field(default_factory=dict)
    version_weeks: Mapping[str, date] = field(default_factory=dict)


def newest_counted(seen: Counted | None, now: datetime) -> Counted:
    """The newest day with counts: the one that was seen, or yesterday from noon at the latest."""
    noon = datetime.combine(now.date(), COUNTED_BY)
    since = noon if now >= noon else noon - timedelta(days=1)
    assumed = Counted(since.date() - timedelta(days=1), since)
    return seen if seen is not None and seen.day >= assumed.day else assumed


def is_final(year: int, fetched: date) -> bool:
    """Whether npm does not change counts of this year any more."""
    return fetched > date(year, 12, 31) + timedelta(days=PROVISIONAL_DAYS)


def years_to(last: date) -> range:
    """All years with counts."""
    return range(FIRST_DAY.year, last.year + 1)


def is_complete(years: Mapping[int, YearState], last: date) -> bool:
    """Whether all years are stored."""
    return all(year in years for year in years_to(last))


def due_tasks(
    packages: Sequence[str],
    stored: StoredState,
    counted: Counted,
    *,
    bulk: int,
    failures: Mapping[str, int] | None = None,
) -> list[Task]:
    """The tasks that are due. `packages` are in the order of their importance; `bulk` is how many share a request.

    First the newest year of all packages, then downloads by version, which npm has for a week only, then earlier years.
    Packages that failed come last, in smaller groups.
    """
    failed = failures or {}
    first_tries = [name for name in packages if not failed.get(name)]
    tasks = list(_tasks(first_tries, stored, counted, bulk))
    for times in sorted({times for times in failed.values() if times}):
        again = [name for name in packages if failed.get(name) == times]
        # One package can make the request of all of its group fail.
        tasks += _tasks(again, stored, counted, max(bulk >> times, 1))
    return tasks


def packages_of(task: Task) -> tuple[str, ...]:
    return task.packages if isinstance(task, CountsTask) else (task.package,)


def count_requests(tasks: Collection[Task]) -> int:
    """The counts of a year of a package and a package's versions are one each."""
    return sum(len(packages_of(task)) for task in tasks)


def _tasks(packages: Sequence[str], stored: StoredState, counted: Counted, bulk: int) -> Iterator[Task]:
    newest, *earlier = reversed(years_to(counted.day))
    yield from _year_tasks(newest, packages, stored, counted, bulk)
    for name in packages:
        recorded = stored.version_weeks.get(name)
        if name != REGISTRY and (recorded is None or recorded + WEEK <= counted.day):
            yield VersionsTask(name, counted.day)
    for year in earlier:
        yield from _year_tasks(year, packages, stored, counted, bulk)


def _year_tasks(
    year: int, packages: Sequence[str], stored: StoredState, counted: Counted, bulk: int
) -> Iterator[CountsTask]:
    first, last = max(date(year, 1, 1), FIRST_DAY), min(date(year, 12, 31), counted.day)
    due = [name for name in packages if _is_due(stored.years.get(name, {}).get(year), counted)]
    for names in _grouped(due, bulk):
        yield CountsTask(names, year, tuple(_spans(first, last, MAX_BULK_DAYS if len(names) > 1 else MAX_DAYS)))


def _spans(first: date, last: date, longest: int) -> Iterator[Span]:
    """Parts of at most `longest` days: a request for several packages has no room for a leap year."""
    while (last - first).days >= longest:
        yield first, first + timedelta(days=longest - 1)
        first += timedelta(days=longest)
    yield first, last


def _is_due(state: YearState | None, counted: Counted) -> bool:
    return state is None or (not state.final and state.as_of < counted.since)


def _grouped(names: Sequence[str], bulk: int) -> Iterator[tuple[str, ...]]:
    """Groups of names for one request each: npm answers one scoped package at a time."""
    together = [name for name in names if is_unscoped(name)]
    for at in range(0, len(together), bulk):
        yield tuple(together[at : at + bulk])
    for name in names:
        if not is_unscoped(name):
            yield (name,)
