"""Requests for pages that do not exist, and for old addresses that are redirected: counts by day and referrer.

Queries, addresses of clients and anything else about readers are not stored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

from sqlalchemy import Connection, delete, func, select

from kinfolk.db.database import Database
from kinfolk.db.maintenance_tables import missed_requests

KEPT_DAYS = 90
ROWS_PER_DAY = 2000
"""Rows of a kind on one day. Further addresses are counted together, as the address OTHER."""
LONGEST_PATH, LONGEST_REFERRER = 512, 256
OTHER = ""

MissKind = Literal["missing", "redirect"]
_columns = missed_requests.c


class MissedRequest(NamedTuple):
    """`referrer` is a path of this site, the host of another site, or empty."""

    kind: MissKind
    path: str
    referrer: str


@dataclass(frozen=True)
class MissedDay:
    """Requests of a day."""

    day: date
    missing: int
    redirects: int


@dataclass(frozen=True)
class MissedPath:
    """An address, its requests, and where most of them came from."""

    path: str
    count: int
    referrers: tuple[tuple[str, int], ...]


def referrer_of(header: str, own_hosts: frozenset[str]) -> str:
    """The path of a referring page of this site, the host of another site; empty without a valid address."""
    try:
        parts = urlsplit(header)
        host = (parts.hostname or "").lower()
    except ValueError:
        return ""
    if parts.scheme not in ("http", "https") or not host:
        return ""
    found = (parts.path or "/") if host in own_hosts else host
    return found[:LONGEST_REFERRER] if found.isprintable() and found.isascii() else ""


class MissedRequestLog:
    """For any number of threads and processes. All methods block. Raises Unavailable."""

    def __init__(self, database: Database, *, today: Callable[[], date]) -> None:
        self._database = database
        self._today = today

    def add(self, counts: Mapping[MissedRequest, int]) -> None:
        """Add counts of today. Deletes days before KEPT_DAYS."""
        today = self._today()
        with self._database.transaction() as connection:
            self._database.serialize(connection, "missed requests")
            connection.execute(delete(missed_requests).where(_columns.day < today - timedelta(days=KEPT_DAYS - 1)))
            for (kind, path, referrer), count in self._within_limit(connection, today, counts).items():
                key = {"day": today, "kind": kind, "path": path, "referrer": referrer}
                insert = self._database.insert(missed_requests).values(**key, count=count)
                total = missed_requests.c.count + insert.excluded.count
                connection.execute(insert.on_conflict_do_update(index_elements=list(key), set_={"count": total}))

    def by_day(self, days: int) -> list[MissedDay]:
        """The counts of the last days, the oldest first. Days without requests are left out."""
        missing = func.coalesce(func.sum(_columns.count).filter(_columns.kind == "missing"), 0)
        redirects = func.coalesce(func.sum(_columns.count).filter(_columns.kind == "redirect"), 0)
        query = select(_columns.day, missing, redirects).where(_columns.day > self._first(days))
        with self._database.reading() as connection:
            rows = connection.execute(query.group_by(_columns.day).order_by(_columns.day))
            return [MissedDay(day, int(some), int(other)) for day, some, other in rows]

    def most(self, kind: MissKind, *, days: int, limit: int = 100, referrers: int = 3) -> list[MissedPath]:
        """The addresses with most requests in the last days, with their most frequent referrers."""
        count = func.sum(_columns.count)
        of_kind = (_columns.kind == kind, _columns.day > self._first(days))
        paths = select(_columns.path, count).where(*of_kind).group_by(_columns.path)
        with self._database.reading() as connection:
            found = connection.execute(paths.order_by(count.desc(), _columns.path).limit(limit)).all()
            names = [path for path, _ in found]
            sources = select(_columns.path, _columns.referrer, count).where(*of_kind, _columns.path.in_(names))
            rows = connection.execute(sources.group_by(_columns.path, _columns.referrer)).all()
        by_path: dict[str, Counter[str]] = {}
        for path, referrer, total in rows:
            by_path.setdefault(path, Counter())[referrer] = int(total)
        return [
            MissedPath(path, int(total), tuple(by_path.get(path, Counter()).most_common(referrers)))
            for path, total in found
        ]

    def _within_limit(
        self, connection: Connection, today: date, counts: Mapping[MissedRequest, int]
    ) -> Mapping[MissedRequest, int]:
        """The counts, with new addresses above the limit of the day counted as OTHER."""
        allowed: Counter[MissedRequest] = Counter()
        for kind in {each.kind for each in counts}:
            of_day = (_columns.day == today, _columns.kind == kind)
            known = {
                MissedRequest(kind, *row)
                for row in connection.execute(select(_columns.path, _columns.referrer).where(*of_day))
            }
            room = ROWS_PER_DAY - len(known)
            for each, count in counts.items():
                if each.kind != kind:
                    continue
                if each not in known:
                    room -= 1
                allowed[each if each in known or room >= 0 else MissedRequest(kind, OTHER, "")] += count
        return allowed

    def _first(self, days: int) -> date:
        return self._today() - timedelta(days=days)
