"""Counts per day, without user identities: searches, searches without results, clicked positions and records.

A damaged file is replaced by an empty one. A failed write loses its counts and raises nothing.

Clients write with the public key, so the file is bounded: each table has at most MAX_ROWS rows a day, and the oldest
days are deleted above MAX_FILE_BYTES. Texts above the limit are counted under OTHERS, records are not counted.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

import structlog
from cachetools import TTLCache

from kinfolk.search_analytics.insights_event import InsightsEvent
from kinfolk.search_analytics.query_id import digest_of, logged_text, text_digest
from kinfolk.search_analytics.query_sessions import LoggedQuery

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

RETENTION_DAYS = 90
TIMEOUT_S = 5.0
MAX_ROWS = 10_000
"""Rows of a table per day: texts, positions of clicked hits, clicked records."""
MAX_FILE_BYTES = 64 << 20
"""Three months of MAX_ROWS rows a day in each table would have about 300 MB."""
OTHERS = "(others)"
LAST_POSITION = 100
MOST_CLICKED_TTL_S = 10.0
"""Lifetime of the cached most clicked records: the query reads all rows of three months."""
MAX_CACHED_INDEXES = 100
_MEASURE_INTERVAL = 50
"""Transactions between two measurements of the file."""
_HEADER_BYTES = 100
"""Size of the header of an SQLite file."""
_OLDEST = """
SELECT min(day) FROM (
    SELECT min(day) AS day FROM searches UNION ALL SELECT min(day) FROM clicks
    UNION ALL SELECT min(day) FROM chosen UNION ALL SELECT min(day) FROM events
)
"""
_TABLES = ("searches", "clicks", "chosen", "events")

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
class DailyCounts:
    day: date
    searches: int
    without_result: int
    clicks: int


@dataclass(frozen=True)
class QueryCounts:
    """`place` is the average position of clicked hits, from 1; None without clicks."""

    text: str
    searches: int
    without_result: int
    clicks: int
    place: float | None


@dataclass(frozen=True)
class PositionClicks:
    place: int
    clicks: int


@dataclass(frozen=True)
class SearchReport:
    """The counts from `first` to `last`, both included."""

    first: date
    last: date
    days: tuple[DailyCounts, ...]
    texts: tuple[QueryCounts, ...]
    """The most frequent first."""
    without_result: tuple[QueryCounts, ...]
    """Texts without results, the most frequent first."""
    places: tuple[PositionClicks, ...]


class QueryLog:
    """For any number of threads and processes."""

    def __init__(self, file: Path, *, today: Callable[[], date], max_file_bytes: int = MAX_FILE_BYTES) -> None:
        self._file = file
        self._max_file_bytes = max_file_bytes
        self._today = today
        self._lock = threading.Lock()
        self._db: sqlite3.Connection | None = None
        self._cleaned: date | None = None
        self._transactions = 0
        self._most_clicked: TTLCache[tuple[str, int], tuple[tuple[str, int], ...]] = TTLCache(
            MAX_CACHED_INDEXES, MOST_CLICKED_TTL_S, timer=time.monotonic
        )
        self._cache_lock = threading.Lock()

    def add(self, searches: Iterable[LoggedQuery]) -> None:
        """Count these searches today."""
        found = list(searches)
        if found:
            self._write(lambda db, day: self._add(db, day, found))

    def add_events(self, events: Sequence[InsightsEvent]) -> None:
        """Count events that insights clients report."""
        if events:
            self._write(lambda db, day: self._add_events(db, day, events))

    @staticmethod
    def _add(db: sqlite3.Connection, day: str, searches: Iterable[LoggedQuery]) -> None:
        counted: Counter[tuple[str, str]] = Counter()
        unfound: Counter[tuple[str, str]] = Counter()
        for search in searches:
            key = (search.index, logged_text(search.text))
            counted[key] += 1
            unfound[key] += search.hits == 0
        room = _RowQuota(db, "searches", day, ("index_name", "text"))
        for (index, text), count in counted.items():
            there = text if room.has((index, text)) else OTHERS
            db.execute(
                "INSERT INTO searches VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET"
                " count = count + excluded.count, unfound = unfound + excluded.unfound",
                (day, index, there, text_digest(there), count, unfound[index, text]),
            )

    @staticmethod
    def _add_events(db: sqlite3.Connection, day: str, events: Sequence[InsightsEvent]) -> None:
        kinds = Counter((event.index, event.kind) for event in events)
        clicked = [event for event in events if event.kind == "click"]
        records = Counter((event.index, record) for event in clicked for record in event.objects)
        places = Counter(
            (event.index, digest_of(event.query_id), min(position, LAST_POSITION))
            for event in clicked
            if event.query_id
            for position in event.positions
        )
        _count_up(db, "events", day, kinds.items())
        room = _RowQuota(db, "chosen", day, ("index_name", "record"))
        _count_up(db, "chosen", day, [(key, count) for key, count in records.items() if room.has(key)])
        room = _RowQuota(db, "clicks", day, ("index_name", "digest", "position"))
        last_clicks: Counter[tuple[str | int, ...]] = Counter()
        for (index, digest, position), count in places.items():
            # Above the quota, the position counts without its query.
            last_clicks[index, digest if room.has((index, digest, position)) else "", position] += count
        _count_up(db, "clicks", day, last_clicks.items())

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
            tuple(DailyCounts(date.fromisoformat(row[0]), *row[1:]) for row in by_day),
            tuple(QueryCounts(*row) for row in texts),
            tuple(QueryCounts(*row) for row in empty),
            tuple(PositionClicks(*row) for row in places),
        )

    def most_clicked(self, index: str, *, most: int = 100) -> tuple[tuple[str, int], ...]:
        """Clicked records with their number of clicks, the most clicked first. At most MOST_CLICKED_TTL_S old."""
        with self._cache_lock:
            cached = self._most_clicked.get((index, most))
        if cached is not None:
            return cached
        query = (
            "SELECT record, sum(count) AS clicks FROM chosen WHERE index_name = ?"
            " GROUP BY record ORDER BY clicks DESC, record LIMIT ?"
        )
        found = tuple((row[0], row[1]) for row in self._read(query, index, most))
        with self._cache_lock:
            self._most_clicked[index, most] = found
        return found

    def close(self) -> None:
        with self._lock:
            if self._db is not None:
                self._db.close()
                self._db = None

    def _write(self, work: Callable[[sqlite3.Connection, str], None]) -> None:
        """One transaction. On failure, the counts are lost."""
        today = self._today()
        with self._lock:
            try:
                db = self._opened()
                db.execute("BEGIN IMMEDIATE")
                try:
                    self._delete_expired(db, today)
                    work(db, today.isoformat())
                    self._make_room(db, today)
                except BaseException:
                    db.execute("ROLLBACK")
                    raise
                db.execute("COMMIT")
            except (OSError, sqlite3.Error) as error:
                log.warning("searches not counted", file=str(self._file), reason=str(error))
                self._drop(error)

    def _read(self, query: str, *values: str | int) -> list[sqlite3.Row]:
        with self._lock:
            try:
                return self._opened().execute(query, values).fetchall()
            except (OSError, sqlite3.Error) as error:
                log.warning("counted searches not readable", file=str(self._file), reason=str(error))
                self._drop(error)
                return []

    def _opened(self) -> sqlite3.Connection:
        if self._db is None:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            if self._file.exists() and self._file.stat().st_size < _HEADER_BYTES:
                log.warning("the file of counted searches is empty: earlier counts are lost", file=str(self._file))
            self._db = sqlite3.connect(self._file, timeout=TIMEOUT_S, isolation_level=None, check_same_thread=False)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = NORMAL")
            self._db.execute("PRAGMA journal_size_limit = 4194304")
            self._db.executescript(_SCHEMA)
        return self._db

    def _drop(self, error: Exception) -> None:
        """Close the connection. A damaged file, other than a locked one, is deleted and created at the next use."""
        if self._db is not None:
            with suppress(sqlite3.Error):
                self._db.close()
            self._db = None
        if isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError):
            log.warning("the file of counted searches is damaged and replaced", file=str(self._file))
            for end in ("", "-wal", "-shm"):
                self._file.with_name(self._file.name + end).unlink(missing_ok=True)

    def _delete_expired(self, db: sqlite3.Connection, today: date) -> None:
        """Once a day, delete rows older than RETENTION_DAYS."""
        if self._cleaned == today:
            return
        self._cleaned = today
        oldest = (today - timedelta(days=RETENTION_DAYS - 1)).isoformat()
        for table in _TABLES:
            db.execute(f"DELETE FROM {table} WHERE day < ?", (oldest,))  # noqa: S608

    def _make_room(self, db: sqlite3.Connection, today: date) -> None:
        """Delete the oldest days of a file above its limit, but not today."""
        self._transactions += 1
        if self._transactions % _MEASURE_INTERVAL != 1:
            return
        deleted = 0
        while _used_bytes(db) > self._max_file_bytes:
            (oldest,) = db.execute(_OLDEST).fetchone()
            if oldest is None or oldest >= today.isoformat():
                return
            for table in _TABLES:
                db.execute(f"DELETE FROM {table} WHERE day = ?", (oldest,))  # noqa: S608
            deleted += 1
        if deleted:
            log.warning("the oldest counts of searches are deleted: their file is too large", days=deleted)


class _RowQuota:
    """The rows that a table may still get today, for one transaction."""

    def __init__(self, db: sqlite3.Connection, table: str, day: str, key: tuple[str, ...]) -> None:
        self._db = db
        self._day = day
        (used,) = db.execute(f"SELECT count(*) FROM {table} WHERE day = ?", (day,)).fetchone()  # noqa: S608
        self._left = MAX_ROWS - used
        self._query = f"SELECT 1 FROM {table} WHERE day = ? AND {' AND '.join(f'{name} = ?' for name in key)}"  # noqa: S608

    def has(self, key: tuple[str | int, ...]) -> bool:
        """Whether the row exists or the quota permits it. A permitted row is subtracted from the quota."""
        if self._db.execute(self._query, (self._day, *key)).fetchone() is not None:
            return True
        self._left -= 1
        return bool(self._left >= 0)


def _count_up(
    db: sqlite3.Connection, table: str, day: str, counted: Iterable[tuple[tuple[str | int, ...], int]]
) -> None:
    """Add to the counts, the last column of each table."""
    rows = [(day, *key, count) for key, count in counted]
    if rows:
        marks = ", ".join("?" * len(rows[0]))
        insert = f"INSERT INTO {table} VALUES ({marks}) ON CONFLICT DO UPDATE SET count = count + excluded.count"  # noqa: S608
        db.executemany(insert, rows)


def _used_bytes(db: sqlite3.Connection) -> int:
    """Size of the file without free pages."""
    pages, free, size = (
        db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
    )
    return int((pages - free) * size)


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
