"""Histories in the database: a row for each package, year and source."""

from __future__ import annotations

import calendar
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

import numpy as np
from sqlalchemy import Connection, Row, and_, delete, func, select

from kinfolk.db.database import Database
from kinfolk.db.tables import npm_downloads, npm_packages, npm_state
from kinfolk.statistics.histories.history import NO_COUNT, DailyCounts, DownloadHistory, Source

REVISION = "revision"
"""The key of the number that grows with each change."""
_STORED = "<i8"
"""Type of stored counts: signed 64-bit integers, little-endian."""


@dataclass(frozen=True)
class YearCounts:
    """The counts of a package in a calendar year: one for each day, NO_COUNT where there is none."""

    package: str
    year: int
    source: Source
    counts: DailyCounts
    as_of: datetime
    origin: str = ""
    final: bool = False


@dataclass(frozen=True)
class YearState:
    """A stored year without its counts."""

    final: bool
    as_of: datetime


class HistoryStore:
    """Reads and writes histories. For any number of threads and processes. Raises Unavailable."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def histories(self, packages: Collection[str], *, sample: bool = False) -> dict[str, DownloadHistory]:
        """The stored histories of these packages: real ones, or samples.

        A year of npm's API replaces the same year of a file.
        """
        sources = ("sample",) if sample else ("file", "npm")
        columns = npm_downloads.c
        query = (
            select(npm_downloads)
            .where(and_(columns.package.in_(list(packages)), columns.source.in_(sources)))
            .order_by(columns.package, columns.year, columns.source)
        )
        with self._database.reading() as connection:
            rows = connection.execute(query).all()
        years: dict[str, dict[int, Row[tuple[object, ...]]]] = defaultdict(dict)
        for row in rows:
            years[row.package][row.year] = row  # "npm" sorts after "file"
        found = (_joined(package, list(by_year.values())) for package, by_year in years.items())
        return {history.package: history for history in found if history is not None}

    def stored_packages(self) -> frozenset[str]:
        """Packages with real counts."""
        query = select(npm_downloads.c.package).where(npm_downloads.c.source != "sample").distinct()
        with self._database.reading() as connection:
            return frozenset(connection.scalars(query))

    def put(self, years: Iterable[YearCounts]) -> None:
        """Store these years in one transaction, and give their packages a new revision."""
        rows = list(years)
        with self._database.transaction() as connection:
            if rows:
                self._put_years(connection, rows)
                at = max(year.as_of for year in rows)
                touch_packages(self._database, connection, {year.package for year in rows}, at)

    def year(self, package: str, year: int) -> YearCounts | None:
        """A stored year that was fetched from npm."""
        columns = npm_downloads.c
        same = and_(columns.package == package, columns.year == year, columns.source == "npm")
        with self._database.reading() as connection:
            row = connection.execute(select(npm_downloads).where(same)).one_or_none()
        return None if row is None else _year_counts(row)

    def year_states(self) -> dict[str, dict[int, YearState]]:
        """The years that were fetched from npm, by package and year."""
        columns = npm_downloads.c
        query = select(columns.package, columns.year, columns.final, columns.as_of).where(columns.source == "npm")
        states: dict[str, dict[int, YearState]] = defaultdict(dict)
        with self._database.reading() as connection:
            for row in connection.execute(query):
                states[row.package][row.year] = YearState(row.final, row.as_of)
        return dict(states)

    def all_years(self) -> Iterator[YearCounts]:
        """All real counts, by package, year and source."""
        columns = npm_downloads.c
        query = select(npm_downloads).where(columns.source != "sample")
        with self._database.reading() as connection:
            for row in connection.execute(query.order_by(columns.package, columns.year, columns.source)):
                yield _year_counts(row)

    def remove_samples(self) -> None:
        """Delete all samples."""
        with self._database.transaction() as connection:
            connection.execute(delete(npm_downloads).where(npm_downloads.c.source == "sample"))

    def revision(self) -> int:
        """The number of the last change."""
        with self._database.reading() as connection:
            return int(connection.scalar(select(npm_state.c.value).where(npm_state.c.name == REVISION)) or 0)

    def changed_since(self, revision: int) -> tuple[int, frozenset[str]]:
        """The number of the last change, and the packages that changed after `revision`."""
        with self._database.reading() as connection:
            names = connection.scalars(select(npm_packages.c.name).where(npm_packages.c.revision > revision)).all()
            last = connection.scalar(select(func.max(npm_packages.c.revision)))
        return max(revision, int(last or 0)), frozenset(names)

    def _put_years(self, connection: Connection, years: Sequence[YearCounts]) -> None:
        rows = [
            {
                "package": year.package,
                "year": year.year,
                "source": year.source,
                "counts": year.counts.astype(_STORED).tobytes(),
                "origin": year.origin,
                "final": year.final,
                "as_of": year.as_of,
            }
            for year in years
        ]
        insert = self._database.insert(npm_downloads)
        changed = {name: insert.excluded[name] for name in ("counts", "origin", "final", "as_of")}
        # One statement for all rows: to make one takes SQLAlchemy longer than the database takes to store a row.
        connection.execute(
            insert.on_conflict_do_update(index_elements=("package", "year", "source"), set_=changed), rows
        )


def next_revision(database: Database, connection: Connection) -> int:
    """A new number, stored in the transaction of `connection`."""
    row = select(npm_state.c.value).where(npm_state.c.name == REVISION)
    revision = int(connection.scalar(row if not database.is_postgresql else row.with_for_update()) or 0) + 1
    insert = database.insert(npm_state).values(name=REVISION, value=str(revision))
    connection.execute(insert.on_conflict_do_update(index_elements=["name"], set_={"value": str(revision)}))
    return revision


def touch_packages(database: Database, connection: Connection, packages: Collection[str], at: datetime) -> None:
    """Give these packages a new revision in the transaction of `connection`. `at` is when a new one was requested."""
    revision = next_revision(database, connection)
    rows = [{"name": package, "status": "importing", "requested_at": at, "revision": revision} for package in packages]
    if rows:
        insert = database.insert(npm_packages)
        changed = {"revision": insert.excluded.revision}
        connection.execute(insert.on_conflict_do_update(index_elements=["name"], set_=changed), rows)


def year_array(year: int) -> DailyCounts:
    """An array for the counts of a year, with none yet."""
    return np.full(366 if calendar.isleap(year) else 365, NO_COUNT, dtype=np.int64)


def years_of(history: DownloadHistory) -> tuple[YearCounts, ...]:
    """A history as rows."""
    years = []
    for year in range(history.first.year, history.first.year + len(history.counts) // 365 + 2):
        counts = year_array(year)
        offset = (history.first - date(year, 1, 1)).days
        part = history.counts[max(-offset, 0) : max(len(counts) - offset, 0)]
        if part.size:
            counts[max(offset, 0) : max(offset, 0) + part.size] = part
            years.append(YearCounts(history.package, year, history.source, counts, history.as_of, history.origin))
    return tuple(years)


def _year_counts(row: Row[Any]) -> YearCounts:
    counts = np.frombuffer(row.counts, dtype=_STORED).astype(np.int64)
    return YearCounts(row.package, row.year, row.source, counts, row.as_of, row.origin, row.final)


def _joined(package: str, years: Sequence[Row[tuple[object, ...]]]) -> DownloadHistory | None:
    """One history of consecutive years; years that are not stored have no counts. None without any count."""
    first, last = years[0].year, years[-1].year
    counts = np.full((date(last + 1, 1, 1) - date(first, 1, 1)).days, NO_COUNT, dtype=np.int64)
    for row in years:
        at = (date(row.year, 1, 1) - date(first, 1, 1)).days
        stored = np.frombuffer(row.counts, dtype=_STORED)
        counts[at : at + len(stored)] = stored
    known = np.flatnonzero(counts != NO_COUNT)
    if not known.size:
        return None
    begin, end = int(known[0]), int(known[-1]) + 1
    source: Source = "sample" if years[0].source == "sample" else "npm" if years[-1].source == "npm" else "file"
    return DownloadHistory(
        package,
        source,
        date.fromordinal(date(first, 1, 1).toordinal() + begin),
        counts[begin:end],
        min(row.as_of for row in years),
        "; ".join(dict.fromkeys(row.origin for row in years if row.origin)),
    )
