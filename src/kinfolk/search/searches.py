"""What people search for, by day and without anybody's identity: searches, those that found nothing, clicked places.

A cache-like file: when it is damaged it is begun anew, and a failure to write costs a count and nothing else.

Clients write here without a key of their own, so the file is bounded: each table has at most MOST_ROWS rows a day, and
the oldest days are deleted where the file would be larger than LARGEST_FILE. What there is no room for is counted under
one name, or, of records, not at all.
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

from kinfolk.search.algolia.events import Event
from kinfolk.search.pauses import Searched
from kinfolk.search.query_id import digest_of, kept_text, text_digest

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

KEPT_DAYS = 90
PATIENCE_S = 5.0
MOST_ROWS = 10_000
"""Rows of a table a day: different texts, places of clicked hits, clicked records."""
LARGEST_FILE = 64 << 20
"""Bytes. Three months of MOST_ROWS rows a day in each table would have about 300 MB."""
OTHERS = "(others)"
LAST_POSITION = 100
POPULAR_FOR_S = 10.0
"""How long the most clicked records are remembered: adding them up looks at every row of three months."""
_MEASURED_EACH = 50
"""Transactions between two looks at the size of the file."""
_EMPTY_FILE = 100
"""Bytes of the header that every database begins with."""
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

    def __init__(self, file: Path, *, today: Callable[[], date], largest_file: int = LARGEST_FILE) -> None:
        """`largest_file` is in bytes."""
        self._file = file
        self._largest_file = largest_file
        self._today = today
        self._turn = threading.Lock()
        self._db: sqlite3.Connection | None = None
        self._tidied: date | None = None
        self._transactions = 0
        self._popular: dict[tuple[str, int], tuple[float, tuple[tuple[str, int], ...]]] = {}

    def add(self, searches: Iterable[Searched]) -> None:
        """Count these searches today."""
        found = list(searches)
        if found:
            self._write(lambda db, day: self._add(db, day, found))

    def add_events(self, events: Sequence[Event]) -> None:
        """Count what insights clients report."""
        if events:
            self._write(lambda db, day: self._add_events(db, day, events))

    @staticmethod
    def _add(db: sqlite3.Connection, day: str, searches: Iterable[Searched]) -> None:
        counted: Counter[tuple[str, str]] = Counter()
        unfound: Counter[tuple[str, str]] = Counter()
        for search in searches:
            key = (search.index, kept_text(search.text))
            counted[key] += 1
            unfound[key] += search.hits == 0
        room = _Room(db, "searches", day, ("index_name", "text"))
        for (index, text), count in counted.items():
            there = text if room.has((index, text)) else OTHERS
            db.execute(
                "INSERT INTO searches VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET"
                " count = count + excluded.count, unfound = unfound + excluded.unfound",
                (day, index, there, text_digest(there), count, unfound[index, text]),
            )

    @staticmethod
    def _add_events(db: sqlite3.Connection, day: str, events: Sequence[Event]) -> None:
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
        room = _Room(db, "chosen", day, ("index_name", "record"))
        _count_up(db, "chosen", day, [(key, count) for key, count in records.items() if room.has(key)])
        room = _Room(db, "clicks", day, ("index_name", "digest", "position"))
        kept: Counter[tuple[str | int, ...]] = Counter()
        for (index, digest, position), count in places.items():
            # Of a search that there is no room for, the place of the hit still counts.
            kept[index, digest if room.has((index, digest, position)) else "", position] += count
        _count_up(db, "clicks", day, kept.items())

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
        """Records that were clicked, with how often, the most clicked first. As of POPULAR_FOR_S ago at most."""
        now_s = time.monotonic()
        made_s, known = self._popular.get((index, most), (now_s, None))
        if known is not None and now_s - made_s < POPULAR_FOR_S:
            return known
        query = (
            "SELECT record, sum(count) AS clicks FROM chosen WHERE index_name = ?"
            " GROUP BY record ORDER BY clicks DESC, record LIMIT ?"
        )
        found = tuple((row[0], row[1]) for row in self._read(query, index, most))
        self._popular[index, most] = now_s, found
        return found

    def close(self) -> None:
        with self._turn:
            if self._db is not None:
                self._db.close()
                self._db = None

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
                    self._make_room(db, today)
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
            if self._file.exists() and self._file.stat().st_size < _EMPTY_FILE:
                log.warning("the file of counted searches is empty: earlier counts are lost", file=str(self._file))
            self._db = sqlite3.connect(self._file, timeout=PATIENCE_S, isolation_level=None, check_same_thread=False)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = NORMAL")
            self._db.execute("PRAGMA journal_size_limit = 4194304")
            self._db.executescript(_SCHEMA)
        return self._db

    def _drop(self, error: Exception) -> None:
        """Let go of the connection; a damaged file, which is no busy one, is begun anew at the next use."""
        if self._db is not None:
            with suppress(sqlite3.Error):
                self._db.close()
            self._db = None
        if isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError):
            log.warning("the file of counted searches is damaged and made anew", file=str(self._file))
            for end in ("", "-wal", "-shm"):
                self._file.with_name(self._file.name + end).unlink(missing_ok=True)

    def _tidy(self, db: sqlite3.Connection, today: date) -> None:
        """Once a day, let go of what is older than it may be."""
        if self._tidied == today:
            return
        self._tidied = today
        oldest = (today - timedelta(days=KEPT_DAYS - 1)).isoformat()
        for table in _TABLES:
            db.execute(f"DELETE FROM {table} WHERE day < ?", (oldest,))  # noqa: S608

    def _make_room(self, db: sqlite3.Connection, today: date) -> None:
        """Delete the oldest days where the file is too large. Today always fits: its rows are few."""
        self._transactions += 1
        if self._transactions % _MEASURED_EACH != 1:
            return
        deleted = 0
        while _used_bytes(db) > self._largest_file:
            (oldest,) = db.execute(_OLDEST).fetchone()
            if oldest is None or oldest >= today.isoformat():
                return
            for table in _TABLES:
                db.execute(f"DELETE FROM {table} WHERE day = ?", (oldest,))  # noqa: S608
            deleted += 1
        if deleted:
            log.warning("the oldest counts of searches are deleted: their file is too large", days=deleted)


class _Room:
    """Whether a table may have further rows today, during one transaction."""

    def __init__(self, db: sqlite3.Connection, table: str, day: str, key: tuple[str, ...]) -> None:
        self._db = db
        self._day = day
        (used,) = db.execute(f"SELECT count(*) FROM {table} WHERE day = ?", (day,)).fetchone()  # noqa: S608
        self._left = MOST_ROWS - used
        self._query = f"SELECT 1 FROM {table} WHERE day = ? AND {' AND '.join(f'{name} = ?' for name in key)}"  # noqa: S608

    def has(self, key: tuple[str | int, ...]) -> bool:
        """Whether there is a row with this key already, or room for one, which is then taken."""
        if self._db.execute(self._query, (self._day, *key)).fetchone() is not None:
            return True
        self._left -= 1
        return bool(self._left >= 0)


def _count_up(
    db: sqlite3.Connection, table: str, day: str, counted: Iterable[tuple[tuple[str | int, ...], int]]
) -> None:
    """Add to the counts of these rows. The count is a table's last column."""
    rows = [(day, *key, count) for key, count in counted]
    if rows:
        marks = ", ".join("?" * len(rows[0]))
        insert = f"INSERT INTO {table} VALUES ({marks}) ON CONFLICT DO UPDATE SET count = count + excluded.count"  # noqa: S608
        db.executemany(insert, rows)


def _used_bytes(db: sqlite3.Connection) -> int:
    """Of the file, without the pages that deleted rows have left for others."""
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
