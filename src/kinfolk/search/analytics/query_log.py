"""Counts per day, without user identities: searches, searches without results, clicked positions and records.

Counts of a failed write wait in memory (`waiting_counts`). It raises nothing.

Clients write with the public key, so the tables are bounded: each has at most MAX_ROWS rows a day, and the oldest days
are deleted above MAX_TOTAL_ROWS. Texts above the limit are counted under OTHERS, records are not counted.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import islice
from typing import Any, Literal

import structlog
from cachetools import TTLCache
from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Float,
    Select,
    Table,
    cast,
    delete,
    func,
    literal,
    select,
    tuple_,
    union_all,
)

from kinfolk.db.database import Database
from kinfolk.db.tables import (
    search_clicked_records,
    search_clicks,
    search_events,
    search_queries,
    search_result_clicks,
)
from kinfolk.runtime.errors import Unavailable
from kinfolk.search.analytics.insights_event import InsightsEvent
from kinfolk.search.analytics.query_id import WITHHELD, digest_of, logged_text, text_digest
from kinfolk.search.analytics.query_sessions import LoggedQuery
from kinfolk.search.analytics.waiting_counts import Store, WaitingCounts

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

RETENTION_DAYS = 90
MAX_ROWS = 10_000
"""Rows of a table per day: texts, positions of clicked hits, clicked records, records clicked for a text."""
MAX_TOTAL_ROWS = 600_000
"""Rows of all tables, about 64 MB. Three months of MAX_ROWS rows a day in each table would be 3,600,000."""
OTHERS = "(others)"
LAST_POSITION = 100
MOST_CLICKED_TTL_S = 10.0
"""Lifetime of the cached most clicked records: the query reads all rows of three months."""
MAX_CACHED_INDEXES = 100
TABLES = (search_queries, search_clicks, search_clicked_records, search_result_clicks, search_events)
_KEYS_PER_QUERY = 1000

RowKey = tuple[str | int, ...]
"""The values of a table's primary key after the day."""


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
class RecordClicks:
    """Clicks on a record on one day."""

    record: str
    day: date
    count: int


@dataclass(frozen=True)
class ClickedText:
    """A searched text with the clicks on its results, by day and record."""

    text: str
    searches: int
    clicks: tuple[RecordClicks, ...]


@dataclass(frozen=True)
class UnansweredText:
    """A searched text whose results helped no reader. `searches` counts those of its kind, from `first` to `last`.

    `without-results`: searches that found nothing. `without-clicks`: searches with results, if none was clicked.
    """

    text: str
    kind: Literal["without-results", "without-clicks"]
    searches: int
    first: date
    last: date


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

    def __init__(self, database: Database, *, today: Callable[[], date], max_total_rows: int = MAX_TOTAL_ROWS) -> None:
        self._database = database
        self._max_total_rows = max_total_rows
        self._today = today
        self._cleaned: date | None = None
        self._most_clicked: TTLCache[tuple[str, int], tuple[tuple[str, int], ...]] = TTLCache(
            MAX_CACHED_INDEXES, MOST_CLICKED_TTL_S, timer=time.monotonic
        )
        self._cache_lock = threading.Lock()
        self._waiting = WaitingCounts(self._write)

    def add(self, searches: Iterable[LoggedQuery]) -> None:
        """Count these searches today."""
        found = list(searches)
        if found:
            self._waiting.add(self._today(), len(found), lambda connection, day: self._add(connection, day, found))

    def add_events(self, events: Sequence[InsightsEvent]) -> None:
        """Count events that insights clients report."""
        if events:
            self._waiting.add(
                self._today(), len(events), lambda connection, day: self._add_events(connection, day, events)
            )

    def store_waiting(self) -> None:
        """Store the counts of failed writes. Blocks. A failure is logged."""
        if self._waiting:
            self._waiting.store()

    def _add(self, connection: Connection, day: date, searches: Iterable[LoggedQuery]) -> None:
        counted: Counter[tuple[str, str]] = Counter()
        without_result: Counter[tuple[str, str]] = Counter()
        for search in searches:
            key = (storable(search.index), storable(logged_text(search.text)))
            counted[key] += 1
            without_result[key] += search.hits == 0
        room = _within_quota(connection, search_queries, day, counted)
        for key in counted.keys() - room:
            others = (key[0], OTHERS)
            counted[others] += counted.pop(key)
            without_result[others] += without_result.pop(key)
        rows = [
            {
                "day": day,
                "index_name": index,
                "text": text,
                "digest": text_digest(text),
                "count": count,
                "without_result": without_result[index, text],
            }
            for (index, text), count in counted.items()
        ]
        add_counts(self._database, connection, search_queries, rows)

    def _add_events(self, connection: Connection, day: date, events: Sequence[InsightsEvent]) -> None:
        kinds = Counter((storable(event.index), event.kind) for event in events)
        clicked = [event for event in events if event.kind == "click"]
        records = Counter((storable(event.index), storable(record)) for event in clicked for record in event.objects)
        positions = Counter(
            (storable(event.index), digest_of(event.query_id), min(position, LAST_POSITION))
            for event in clicked
            if event.query_id
            for position in event.positions
        )
        # A query id belongs to one response: a client that reports the same click again adds nothing.
        reported = {
            (storable(event.index), event.query_id, storable(record))
            for event in clicked
            if event.query_id
            for record in event.objects
        }
        results = Counter((index, digest_of(query_id), record) for index, query_id, record in reported)
        room = _within_quota(connection, search_clicked_records, day, records)
        counted_records = {key: count for key, count in records.items() if key in room}
        room = _within_quota(connection, search_result_clicks, day, results)
        counted_results = {key: count for key, count in results.items() if key in room}
        room = _within_quota(connection, search_clicks, day, positions)
        clicks: Counter[RowKey] = Counter()
        for (index, digest, position), count in positions.items():
            # Above the quota, the position counts without its query.
            clicks[index, digest if (index, digest, position) in room else "", position] += count
        counts: tuple[tuple[Table, Mapping[Any, int]], ...] = (
            (search_events, kinds),
            (search_clicked_records, counted_records),
            (search_result_clicks, counted_results),
            (search_clicks, clicks),
        )
        for table, counted in counts:
            names = _key_names(table)
            rows = [{"day": day, **dict(zip(names, key, strict=True)), "count": n} for key, n in counted.items()]
            add_counts(self._database, connection, table, rows)

    def report(self, index: str, *, days: int = 30, most: int = 50) -> SearchReport:
        """The last `days` days, today included."""
        first, last = self.period(days)
        by_day, texts, failed, places = self._read(
            _select_days(index, first, last),
            _select_texts(index, first, last).order_by(_SEARCHES.desc(), search_queries.c.text).limit(most),
            _select_texts(index, first, last)
            .having(_FAILURES > 0)
            .order_by(_FAILURES.desc(), search_queries.c.text)
            .limit(most),
            _select_places(index, first, last),
        )
        return SearchReport(
            first,
            last,
            tuple(DailyCounts(*row) for row in by_day),
            tuple(QueryCounts(*row) for row in texts),
            tuple(QueryCounts(*row) for row in failed),
            tuple(PositionClicks(*row) for row in places),
        )

    def period(self, days: int) -> tuple[date, date]:
        """The first and the last of the last `days` days, today included."""
        last = self._today()
        return last - timedelta(days=days - 1), last

    def clicked_texts(self, index: str, *, days: int, least: int) -> tuple[ClickedText, ...]:
        """Texts with at least `least` searches and as many clicks in the last days, the most clicked first."""
        first, last = self.period(days)
        searched, clicked = self._read(
            _select_searched(index, first, last, least), _select_result_clicks(index, first, last, least)
        )
        by_digest: dict[str, list[RecordClicks]] = {}
        for digest, record, day, count in clicked:
            by_digest.setdefault(digest, []).append(RecordClicks(record, day, count))
        found = [
            ClickedText(text, searches, tuple(by_digest[digest]))
            for digest, text, searches in searched
            if digest in by_digest
        ]
        return tuple(sorted(found, key=lambda one: (-sum(clicks.count for clicks in one.clicks), one.text)))

    def unanswered_texts(
        self, index: str, *, days: int, least_without_results: int, least_without_clicks: int
    ) -> tuple[UnansweredText, ...]:
        """Texts with at least so many searches of a kind in the last days, the most frequent first.

        A text may be of both kinds: the index has changed, or some searches had a filter.
        """
        first, last = self.period(days)
        without_results, without_clicks = self._read(
            _select_without_results(index, first, last, least_without_results),
            _select_without_clicks(index, first, last, least_without_clicks),
        )
        found = [UnansweredText(row[0], "without-results", *row[1:]) for row in without_results]
        found += [UnansweredText(row[0], "without-clicks", *row[1:]) for row in without_clicks]
        return tuple(sorted(found, key=lambda one: (-one.searches, one.text)))

    def most_clicked(self, index: str, *, most: int = 100) -> tuple[tuple[str, int], ...]:
        """Clicked records with their number of clicks, the most clicked first. At most MOST_CLICKED_TTL_S old."""
        with self._cache_lock:
            cached = self._most_clicked.get((index, most))
        if cached is not None:
            return cached
        table = search_clicked_records.c
        clicks = func.sum(table.count)
        query = select(table.record, clicks).where(table.index_name == storable(index)).group_by(table.record)
        (rows,) = self._read(query.order_by(clicks.desc(), table.record).limit(most))
        found = tuple((row[0], row[1]) for row in rows)
        with self._cache_lock:
            self._most_clicked[index, most] = found
        return found

    def _write(self, store: Store, day: date) -> None:
        """One transaction. Raises Unavailable."""
        today = self._today()
        with self._database.transaction() as connection:
            if self._cleaned != today:
                self._clean(connection, today)
            store(connection, day)
        self._cleaned = today

    def _read(self, *queries: Select[Any]) -> list[list[tuple[Any, ...]]]:
        """The rows of each query; none after a failure."""
        try:
            with self._database.reading() as connection:
                return [[tuple(row) for row in connection.execute(query)] for query in queries]
        except Unavailable as failure:
            log.warning("counted searches not readable", reason=failure.message)
            return [[] for _ in queries]

    def _clean(self, connection: Connection, today: date) -> None:
        """Delete the days before RETENTION_DAYS, and the oldest days above the limit of rows, but not today.

        Once a day for each process: a day adds at most MAX_ROWS rows to each table.
        """
        oldest = today - timedelta(days=RETENTION_DAYS - 1)
        total = 0
        for day, rows in connection.execute(_select_row_counts()):
            total += rows
            if total > self._max_total_rows and day >= oldest:
                log.warning("the oldest counts of searches are deleted: there are too many", until=day.isoformat())
                oldest = min(day + timedelta(days=1), today)
                break
        for table in TABLES:
            connection.execute(delete(table).where(table.c.day < oldest))


def add_counts(database: Database, connection: Connection, table: Table, rows: Sequence[Mapping[str, object]]) -> None:
    """Add to the counts of these rows, which have all columns of the table, and different keys."""
    if not rows:
        return
    keys = [column.name for column in table.primary_key]
    insert = database.insert(table)
    sums = {name: table.c[name] + insert.excluded[name] for name in ("count", "without_result") if name in table.c}
    # Sorted: two processes that lock rows in different orders would deadlock.
    ordered = sorted(rows, key=lambda row: [str(row[name]) for name in keys])
    connection.execute(insert.on_conflict_do_update(index_elements=keys, set_=sums), ordered)


def storable(text: str) -> str:
    """PostgreSQL stores neither NUL nor incomplete surrogate pairs."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode()


def _key_names(table: Table) -> list[str]:
    """The columns of the primary key after the day."""
    return [column.name for column in table.primary_key][1:]


def _within_quota(connection: Connection, table: Table, day: date, keys: Collection[RowKey]) -> set[RowKey]:
    """The keys whose row exists today or may be added."""
    used = connection.scalar(select(func.count()).select_from(table).where(table.c.day == day)) or 0
    left = MAX_ROWS - used
    if len(keys) <= left:
        return set(keys)
    columns = tuple_(*(table.c[name] for name in _key_names(table)))
    existing: set[RowKey] = set()
    remaining = iter(keys)
    while batch := list(islice(remaining, _KEYS_PER_QUERY)):
        query = select(*columns.clauses).where(table.c.day == day, columns.in_(batch))
        existing.update(tuple(row) for row in connection.execute(query))
    new = (key for key in keys if key not in existing)
    return existing | set(islice(new, max(0, left)))


_SEARCHES = func.sum(search_queries.c.count)
_FAILURES = func.sum(search_queries.c.without_result)
_IS_TEXT = search_queries.c.text.not_in((OTHERS, WITHHELD))


def _between(table: Table, index: str, first: date, last: date) -> Any:
    return (table.c.index_name == storable(index)) & table.c.day.between(first, last)


def _select_days(index: str, first: date, last: date) -> Select[Any]:
    searches, clicks = search_queries.c, search_clicks.c
    rows = union_all(
        select(
            searches.day, searches.count.label("searches"), searches.without_result, literal(0).label("clicks")
        ).where(_between(search_queries, index, first, last)),
        select(clicks.day, literal(0), literal(0), clicks.count).where(_between(search_clicks, index, first, last)),
    ).subquery()
    sums = [func.sum(rows.c[name]) for name in ("searches", "without_result", "clicks")]
    return select(rows.c.day, *sums).group_by(rows.c.day).order_by(rows.c.day)


def _select_texts(index: str, first: date, last: date) -> Select[Any]:
    clicks = search_clicks.c
    weighted = func.sum(cast(clicks.position, BigInteger) * clicks.count)
    clicked = (
        select(
            clicks.digest,
            func.sum(clicks.count).label("clicks"),
            (cast(weighted, Float) / func.sum(clicks.count)).label("place"),
        )
        .where(_between(search_clicks, index, first, last))
        .group_by(clicks.digest)
        .subquery()
    )
    return (
        select(
            search_queries.c.text,
            _SEARCHES,
            _FAILURES,
            func.coalesce(func.max(clicked.c.clicks), 0),
            func.max(clicked.c.place),
        )
        .join_from(search_queries, clicked, clicked.c.digest == search_queries.c.digest, isouter=True)
        .where(_between(search_queries, index, first, last))
        .group_by(search_queries.c.text)
    )


def _select_places(index: str, first: date, last: date) -> Select[Any]:
    clicks = search_clicks.c
    places = select(clicks.position, func.sum(clicks.count)).where(_between(search_clicks, index, first, last))
    return places.group_by(clicks.position).order_by(clicks.position)


def _select_searched(index: str, first: date, last: date, least: int) -> Select[Any]:
    """Digest, text and searches of each text with at least `least` searches."""
    searches = search_queries.c
    query = select(searches.digest, searches.text, _SEARCHES).where(_between(search_queries, index, first, last))
    return query.where(_IS_TEXT).group_by(searches.digest, searches.text).having(func.sum(searches.count) >= least)


def _select_result_clicks(index: str, first: date, last: date, least: int) -> Select[Any]:
    """Digest, record, day and clicks, of texts with at least `least` clicks."""
    clicks = search_result_clicks.c
    period = _between(search_result_clicks, index, first, last)
    frequent = select(clicks.digest).where(period).group_by(clicks.digest).having(func.sum(clicks.count) >= least)
    query = select(clicks.digest, clicks.record, clicks.day, clicks.count).where(period, clicks.digest.in_(frequent))
    return query.order_by(clicks.day, clicks.record)


def _select_without_results(index: str, first: date, last: date, least: int) -> Select[Any]:
    return _select_unanswered(search_queries.c.without_result, least).where(
        _between(search_queries, index, first, last)
    )


def _select_without_clicks(index: str, first: date, last: date, least: int) -> Select[Any]:
    searches = search_queries.c
    clicked = select(search_clicks.c.digest).where(_between(search_clicks, index, first, last))
    query = _select_unanswered(searches.count - searches.without_result, least)
    return query.where(_between(search_queries, index, first, last), searches.digest.not_in(clicked))


def _select_unanswered(searches: ColumnElement[int], least: int) -> Select[Any]:
    """Each text with the sum of these searches, and the first and the last day of any."""
    days = search_queries.c.day
    query = select(search_queries.c.text, func.sum(searches), func.min(days), func.max(days)).where(
        searches > 0, _IS_TEXT
    )
    return query.group_by(search_queries.c.text).having(func.sum(searches) >= least)


def _select_row_counts() -> Select[Any]:
    """The days with their rows in all tables, the latest first."""
    days = union_all(*(select(table.c.day, func.count().label("rows")).group_by(table.c.day) for table in TABLES))
    rows = days.subquery()
    return select(rows.c.day, cast(func.sum(rows.c.rows), BigInteger)).group_by(rows.c.day).order_by(rows.c.day.desc())
