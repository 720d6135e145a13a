"""Star histories in the database: a row for each repository and year."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any

import numpy as np
from sqlalchemy import Connection, Row, delete, func, select

from kinfolk.db.database import Database
from kinfolk.db.tables import github_stars, npm_state
from kinfolk.statistics.histories.history import NO_COUNT, DailyCounts, DownloadHistory
from kinfolk.statistics.histories.history_store import years_of
from kinfolk.statistics.stars.github_stars import StarDays

RETRY_TIMES = "github_stars_retry_at"
"""The key of a JSON object of times, by repository."""
FINISHED_AFTER = timedelta(hours=9)
"""After midnight in UTC, until a day is over in GitHub's calendar, which seems to be that of the US Pacific coast."""
_STORED = "<i8"
"""Type of stored counts: signed 64-bit integers, little-endian."""


def last_finished_day(at: datetime) -> date:
    """The last day that GitHub has counted completely at this time, which is in UTC."""
    return (at - FINISHED_AFTER).date() - timedelta(days=1)


class StarStore:
    """Reads and writes whole histories, so none is stored in part. For any number of threads and processes.

    Raises Unavailable.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, days: StarDays) -> None:
        """Store the history of a repository in place of its former one."""
        years = years_of(_history(days.repository, days.first, days.counts, days.as_of))
        rows = [
            {
                "repository": days.repository,
                "year": year.year,
                "counts": year.counts.astype(_STORED).tobytes(),
                "as_of": days.as_of,
            }
            for year in years
        ]
        with self._database.transaction() as connection:
            connection.execute(delete(github_stars).where(github_stars.c.repository == days.repository))
            connection.execute(github_stars.insert(), rows)

    def histories(self, repositories: Collection[str]) -> dict[str, DownloadHistory]:
        """New stars a day of the repositories that are stored, until the last finished day."""
        found = {}
        for days in self._stored(repositories):
            finished = (last_finished_day(days.as_of) - days.first).days + 1
            if finished > 0:
                found[days.repository] = _history(days.repository, days.first, days.counts[:finished], days.as_of)
        return found

    def totals(self, repositories: Collection[str]) -> dict[str, int]:
        """The stars of the repositories that are stored, at the time of their fetch."""
        return {days.repository: days.total for days in self._stored(repositories)}

    def as_of(self, repositories: Collection[str]) -> dict[str, datetime]:
        """When the stored histories were fetched."""
        columns = github_stars.c
        query = select(columns.repository, func.min(columns.as_of).label("fetched_at"))
        named = query.where(columns.repository.in_(list(repositories))).group_by(columns.repository)
        with self._database.reading() as connection:
            return {row.repository: row.fetched_at for row in connection.execute(named)}

    def retry_times(self) -> dict[str, datetime]:
        """When failed repositories are due again."""
        with self._database.reading() as connection:
            return _retry_times(connection)

    def put_retry_time(self, repository: str, at: datetime, *, now: datetime) -> None:
        """Store when a failed repository is due again, and remove the times that have passed."""
        with self._database.transaction() as connection:
            times = {**_retry_times(connection), repository: at}
            value = json.dumps({name: time.isoformat() for name, time in times.items() if time > now})
            insert = self._database.insert(npm_state).values(name=RETRY_TIMES, value=value)
            connection.execute(insert.on_conflict_do_update(index_elements=["name"], set_={"value": value}))

    def _stored(self, repositories: Collection[str]) -> list[StarDays]:
        columns = github_stars.c
        query = select(github_stars).where(columns.repository.in_(list(repositories)))
        by_repository: dict[str, list[Row[Any]]] = defaultdict(list)
        with self._database.reading() as connection:
            for row in connection.execute(query.order_by(columns.repository, columns.year)):
                by_repository[row.repository].append(row)
        return [_star_days(repository, rows) for repository, rows in by_repository.items()]


def _retry_times(connection: Connection) -> dict[str, datetime]:
    value = connection.scalar(select(npm_state.c.value).where(npm_state.c.name == RETRY_TIMES))
    times: Mapping[str, str] = json.loads(value or "{}")
    return {name: datetime.fromisoformat(time) for name, time in times.items()}


def _star_days(repository: str, years: Sequence[Row[Any]]) -> StarDays:
    """The days of consecutive years, without those before the first and after the last week."""
    counts = np.concatenate([np.frombuffer(year.counts, dtype=_STORED) for year in years]).astype(np.int64)
    known = np.flatnonzero(counts != NO_COUNT)
    first = date(years[0].year, 1, 1) + timedelta(days=int(known[0]))
    return StarDays(repository, first, counts[known[0] : known[-1] + 1], years[0].as_of)


def _history(repository: str, first: date, counts: DailyCounts, as_of: datetime) -> DownloadHistory:
    """Stars in the form of downloads, which charts take."""
    return DownloadHistory(repository, "github", first, counts, as_of)
