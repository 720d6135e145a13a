"""Histories in the database: a row for each package, year and source."""

from __future__ import annotations

import calendar
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

import numpy as np
from sqlalchemy import Connection, Row, and_, delete, func, select

from kinfolk.db.database import Database
from kinfolk.db.tables import npm_downloads, npm_packages, npm_state
from kinfolk.npm.history import NO_COUNT, DailyCounts, DownloadHistory, Source

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
            revision = next_revision(self._database, connection)
            for year in rows:
                self._put_year(connection, year)
            for package in {year.package for year in rows}:
                self._touch(connection, package, revision, max(year.as_of for year in rows))

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

    def _put_year(self, connection: Connection, year: YearCounts) -> None:
        values = {
            "package": year.package,
            "year": year.year,
            "source": year.source,
            "counts": year.counts.astype(_STORED).tobytes(),
            "origin": year.origin,
            "final": year.final,
            "as_of": year.as_of,
        }
        insert = self._database.insert(npm_downloads).values(values)
        key = ("package", "year", "source")
        changed = {name: value for name, value in values.items() if name not in key}
        connection.execute(insert.on_conflict_do_update(index_elements=key, set_=changed))

    def _touch(self, connection: Connection, package: str, revision: int, at: datetime) -> None:
        insert = self._database.insert(npm_packages).values(
            name=package, status="importing", requested_at=at, revision=revision
        )
        connection.execute(insert.on_conflict_do_update(index_elements=["name"], set_={"revision": revision}))


def next_revision(database: Database, connection: Connection) -> int:
    """A new number, stored in the transaction of `connection`."""
    row = select(npm_state.c.value).where(npm_state.c.name == REVISION)
    revision = int(connection.scalar(row if not database.is_postgresql else row.with_for_update()) or 0) + 1
    insert = database.insert(npm_state).values(name=REVISION, value=str(revision))
    connection.execute(insert.on_conflict_do_update(index_elements=["name"], set_={"value": str(revision)}))
    return revision


def years_of(history: DownloadHistory) -> tuple[YearCounts, ...]:
    """A history as rows."""
    years = []
    for year in range(history.first.year, history.first.year + len(history.counts) // 365 + 2):
        counts = np.full(366 if calendar.isleap(year) else 365, NO_COUNT, dtype=np.int64)
        offset = (history.first - date(year, 1, 1)).days
        part = history.counts[max(-offset, 0) : max(len(counts) - offset, 0)]
        if part.size:
            counts[max(offset, 0) : max(offset, 0) + part.size] = part
            years.append(YearCounts(history.package, year, history.source, counts, history.as_of, history.origin))
    return tuple(years)


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
