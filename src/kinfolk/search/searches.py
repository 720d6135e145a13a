"""What people search for, by day and without anybody's identity: searches, those that found nothing, clicked places.

A cache-like file: when it is damaged it is begun anew, and a failure to write costs a count and nothing else.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

import structlog

from kinfolk.search.algolia.events import Event
from kinfolk.search.pauses import Searched
from kinfolk.search.query_id import digest_of, kept_text, text_digest

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

KEPT_DAYS = 90
PATIENCE_S = 5.0
MOST_TEXTS = 10_000
"""Different texts a day. Further ones are counted under one name, so that nobody can fill the disk."""
OTHERS = "(others)"
LAST_POSITION = 100

_SCHEMA = """
CREATE TABLE IF NOT EXISTS searches (
    day TEXT NOT NULL, index_name TEXT NOT NULL, text TEXT NOT NULL, digest TEXT NOT NULL,
    count INTEGER NOT NULL, unfound INTEGER NOT NULL, PRIMARY KEY (day, index_name, text)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS clicks (
    day TEXT NOT NULL, index_name TEXT NOT NULL, digest TEXT NOT NULL, position INTEGER NOT NULL,
    count INTEGER NOT NULL, PRIMARY KEY (day, index_name, digest, position)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS chosen (
    day TEXT NOT NULL, index_name TEXT NOT NULL, record TEXT NOT NULL, count INTEGER NOT NULL,
    PRIMARY KEY (day, index_name, record)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS events (
    day TEXT NOT NULL, index_name TEXT NOT NULL, kind TEXT NOT NULL, count INTEGER NOT NULL,
    PRIMARY KEY (day, index_name, kind)
) WITHOUT ROWID;
"""


@dataclass(frozen=True)
class SearchDay:
    day: date
    searches: int
    without_result: int
    clicks: int


@dataclass(frozen=True)
class SearchedText:
    """`place` is where the clicked hits stood on average, counted from 1; None where nobody clicked."""

    text: str
    searches: int
    without_result: int
    clicks: int
    place: float | None


@dataclass(frozen=True)
class PlaceClicks:
    place: int
    clicks: int


@dataclass(frozen=True)
class SearchReport:
    """What was searched for from `first` to `last`, both included."""

    first: date
    last: date
    days: tuple[SearchDay, ...]
    texts: tuple[SearchedText, ...]
    """The most frequent first."""
    without_result: tuple[SearchedText, ...]
    """Those that found nothing, the most frequent first."""
    places: tuple[PlaceClicks, ...]


class Searches:
    """For any number of threads and processes."""

    def __init__(self, file: Path, *, today: Callable[[], date]) -> None:
        self._file = file
        self._today = today
        self._turn = threading.Lock()
        self._db: sqlite3.Connection | None = None
        self._tidied: date | None = None

    def add(self, searches: Iterable[Searched]) -> None:
        """Count these searches today."""
        found = list(searches)
        if found:
            self._write(lambda db, day: self._add(db, day, found))

    def add_events(self, events: Sequence[Event]) -> None:
        """Count what insights clients report."""
        if events:
            self._write(lambda db, day: self._add_events(db, day, events))

    def _add(self, db: sqlite3.Connection, day: str, searches: Iterable[Searched]) -> None:
        for search in searches:
            text = kept_text(search.text)
            if not self._has_room(db, day, search.index, text):
                text = OTHERS
            db.execute(
                "INSERT INTO searches VALUES (?, ?, ?, ?, 1, ?) ON CONFLICT DO UPDATE SET"
                " count = count + 1, unfound = unfound + excluded.unfound",
                (day, search.index, text, text_digest(text), int(search.hits == 0)),
            )

    @staticmethod
    def _add_events(db: sqlite3.Connection, day: str, events: Iterable[Event]) -> None:
        for event in events:
            db.execute(
                "INSERT INTO events VALUES (?, ?, ?, 1) ON CONFLICT DO UPDATE SET count = count + 1",
                (day, event.index, event.kind),
            )
            if event.kind != "click":
                continue
            db.executemany(
                "INSERT INTO chosen VALUES (?, ?, ?, 1) ON CONFLICT DO UPDATE SET count = count + 1",
                [(day, event.index, record) for record in event.objects],
            )
            if event.query_id:
                digest = digest_of(event.query_id)
                db.executemany(
                    "INSERT INTO clicks VALUES (?, ?, ?, ?, 1) ON CONFLICT DO UPDATE SET count = count + 1",
                    [(day, event.index, digest, min(position, LAST_POSITION)) for position in event.positions],
                )

    def report(self, index: str, *, days: int = 30, most: int = 50) -> SearchReport:
        """The last `days` days, today included."""
        last = self._today()
        first = last - timedelta(days=days - 1)
        between = (index, first.isoformat(), last.isoformat())
        by_day = self._read(_DAYS, *between, *between)
        texts = self._read(_TEXTS.format(having="", order="searches"), *between, *between, most)
        nothing = _TEXTS.format(having="HAVING sum(unfound) > 0", order="failures")
        empty = self._read(nothing, *between, *between, most)
        places = self._read(_PLACES, *between)
        return SearchReport(
            first,
            last,
            tuple(SearchDay(date.fromisoformat(row[0]), *row[1:]) for row in by_day),
            tuple(SearchedText(*row) for row in texts),
            tuple(SearchedText(*row) for row in empty),
            tuple(PlaceClicks(*row) for row in places),
        )

    def popular(self, index: str, *, most: int = 100) -> tuple[tuple[str, int], ...]:
        """Records that were clicked, with how often, the most clicked first."""
        query = (
            "SELECT record, sum(count) AS clicks FROM chosen WHERE index_name = ?"
            " GROUP BY record ORDER BY clicks DESC, record LIMIT ?"
        )
        return tuple((row[0], row[1]) for row in self._read(query, index, most))

    def close(self) -> None:
        with self._turn:
            if self._db is not None:
                self._db.close()
                self._db = None

    @staticmethod
    def _has_room(db: sqlite3.Connection, day: str, index: str, text: str) -> bool:
        known = db.execute(
            "SELECT 1 FROM searches WHERE day = ? AND index_name = ? AND text = ?", (day, index, text)
        ).fetchone()
        (count,) = db.execute("SELECT count(*) FROM searches WHERE day = ?", (day,)).fetchone()
        return known is not None or count < MOST_TEXTS

    def _write(self, work: Callable[[sqlite3.Connection, str], None]) -> None:
        """One transaction. What cannot be written is not counted."""
        today = self._today()
        with self._turn:
            try:
                db = self._opened()
                db.execute("BEGIN IMMEDIATE")
                try:
                    self._tidy(db, today)
                    work(db, today.isoformat())
                except BaseException:
                    db.execute("ROLLBACK")
                    raise
                db.execute("COMMIT")
            except (OSError, sqlite3.Error) as error:
                log.warning("searches are not counted", file=str(self._file), reason=str(error))
                self._drop(error)

    def _read(self, query: str, *values: str | int) -> list[sqlite3.Row]:
        with self._turn:
            try:
                return self._opened().execute(query, values).fetchall()
            except (OSError, sqlite3.Error) as error:
                log.warning("counted searches cannot be read", file=str(self._file), reason=str(error))
                self._drop(error)
                return []

    def _opened(self) -> sqlite3.Connection:
        if self._db is None:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(self._file, timeout=PATIENCE_S, isolation_level=None, check_same_thread=False)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = NORMAL")
            self._db.executescript(_SCHEMA)
        return self._db

    def _drop(self, error: Exception) -> None:
        """Let go of the connection; a damaged file, which is no busy one, is begun anew at the next use."""
        if self._db is not None:
            with suppress(sqlite3.Error):
                self._db.close()
            self._db = None
        if isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError):
            for end in ("", "-wal", "-shm"):
                self._file.with_name(self._file.name + end).unlink(missing_ok=True)

    def _tidy(self, db: sqlite3.Connection, today: date) -> None:
        """Once a day, let go of what is older than it may be."""
        if self._tidied == today:
            return
        self._tidied = today
        oldest = (today - timedelta(days=KEPT_DAYS - 1)).isoformat()
        for table in ("searches", "clicks", "chosen", "events"):
            db.execute(f"DELETE FROM {table} WHERE day < ?", (oldest,))  # noqa: S608


_DAYS = """
SELECT day, sum(searches), sum(unfound), sum(clicks) FROM (
    SELECT day, count AS searches, unfound, 0 AS clicks FROM searches WHERE index_name = ? AND day BETWEEN ? AND ?
    UNION ALL
    SELECT day, 0, 0, count FROM clicks WHERE index_name = ? AND day BETWEEN ? AND ?
) GROUP BY day ORDER BY day
"""
_PLACES = """
SELECT position, sum(count) FROM clicks WHERE index_name = ? AND day BETWEEN ? AND ? GROUP BY position ORDER BY position
"""
_TEXTS = """
SELECT text, sum(count) AS searches, sum(unfound) AS failures, coalesce(max(clicked), 0), max(place) FROM searches
LEFT JOIN (
    SELECT digest AS of, sum(count) AS clicked, sum(position * count) * 1.0 / sum(count) AS place
    FROM clicks WHERE index_name = ? AND day BETWEEN ? AND ? GROUP BY digest
) ON of = digest
WHERE index_name = ? AND day BETWEEN ? AND ?
GROUP BY text {having} ORDER BY {order} DESC, text LIMIT ?
"""
