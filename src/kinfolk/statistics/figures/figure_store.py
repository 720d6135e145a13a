"""Figures in the database: the last value of each, when it was true, and when it is due again.

A failed request changes neither the value nor its time.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import asdict, dataclass, replace
from datetime import date, datetime
from typing import Any, Literal

from sqlalchemy import Connection, Row, and_, func, select

from kinfolk.db.database import Database
from kinfolk.db.tables import figures
from kinfolk.runtime.upstream.upstream_client import FetchedCount

FigureName = Literal["stars", "contributors", "dependents"]
_KEY = ("subject", "name")
_WRITERS = "figures"
"""The name under which transactions that write wait for each other, so that revisions are committed in their order."""


@dataclass(frozen=True)
class FigureKey:
    """`subject` is `repository:acme/query` or `package:@acme/react-query`."""

    subject: str
    name: FigureName


def repository_subject(repository: str) -> str:
    return f"repository:{repository}"


def package_subject(package: str) -> str:
    return f"package:{package}"


@dataclass(frozen=True)
class StoredFigure:
    """`value` is None before the first successful request; `as_of` is the time of the last one, in UTC.

    `absent`: the last answer was that there is no such figure. `etag` is that of the answer with this value, received
    at `etag_at`. `due_at` is None if the figure is due at once. `failures` counts failed requests in a row.
    """

    value: int | None = None
    as_of: datetime | None = None
    absent: bool = False
    etag: str = ""
    etag_at: datetime | None = None
    due_at: datetime | None = None
    failures: int = 0

    @property
    def shown(self) -> tuple[int | None, date | None, bool]:
        """What pages show. A change of it gets a new revision."""
        return self.value, self.as_of and self.as_of.date(), self.absent


class FigureStore:
    """For any number of threads and processes. All methods block. Raises Unavailable.

    Methods that write return whether what pages show has changed.
    """

    def __init__(
        self, database: Database, *, now: Callable[[], datetime], on_revision: Callable[[int], None] = lambda _: None
    ) -> None:
        """`now` is in UTC, without a time zone. `on_revision` gets the number of each change, after its commit."""
        self._database = database
        self._now = now
        self._on_revision = on_revision

    def read(self, subjects: Collection[str]) -> dict[FigureKey, StoredFigure]:
        """The stored figures of these subjects."""
        query = select(figures).where(figures.c.subject.in_(list(subjects)))
        with self._database.reading() as connection:
            return {FigureKey(row.subject, row.name): _stored(row) for row in connection.execute(query)}

    def changed_since(self, revision: int) -> tuple[int, frozenset[str]]:
        """The number of the last change, and the subjects that changed after `revision`. One short query."""
        query = select(figures.c.subject, figures.c.revision).where(figures.c.revision > revision)
        with self._database.reading() as connection:
            rows = connection.execute(query).all()
        return max((revision, *(row.revision for row in rows))), frozenset(row.subject for row in rows)

    def put(self, key: FigureKey, count: FetchedCount, *, requested_at: datetime, due_at: datetime) -> bool:
        """Store an answer. A value that was stored since the request stays: the answer may be older."""

        def change(stored: StoredFigure) -> StoredFigure:
            due = replace(stored, due_at=due_at, failures=0, absent=False)
            if self._is_newer(stored, requested_at):
                return replace(due, etag="", etag_at=None)
            etag_at = requested_at if count.etag else None
            return replace(due, value=count.value, as_of=requested_at, etag=count.etag, etag_at=etag_at)

        return self._change([key], change)

    def put_pushed(self, key: FigureKey, value: int) -> bool:
        """Store a value that was pushed to this site, as of now. When the next request is due does not change."""
        # The ETag belongs to the former value: an answer 304 would confirm the wrong one.
        return self._change(
            [key],
            lambda stored: replace(stored, value=value, as_of=self._now(), absent=False, etag="", etag_at=None),
        )

    def confirm(self, key: FigureKey, *, requested_at: datetime, due_at: datetime) -> bool:
        """Store the answer that the value has not changed. A value that was stored since the request stays."""

        def change(stored: StoredFigure) -> StoredFigure:
            due = replace(stored, due_at=due_at, failures=0, absent=False)
            unchanged = bool(stored.etag) and not self._is_newer(stored, requested_at)
            return replace(due, as_of=requested_at) if unchanged else due

        return self._change([key], change)

    def put_absent(self, key: FigureKey, *, due_at: datetime) -> bool:
        """Store the answer that there is no such figure. A former value stays."""
        return self._change(
            [key],
            lambda stored: replace(stored, absent=True, due_at=due_at, failures=0, etag="", etag_at=None),
        )

    def put_failure(self, key: FigureKey, *, failures: int, due_at: datetime) -> None:
        """Store that a request failed."""
        self._change([key], lambda stored: replace(stored, failures=failures, due_at=due_at))

    def postpone(self, keys: Iterable[FigureKey], until: datetime) -> None:
        """Make no request for these figures before `until`."""
        self._change(list(keys), lambda stored: replace(stored, due_at=max(stored.due_at or until, until)))

    def _is_newer(self, stored: StoredFigure, requested_at: datetime) -> bool:
        # A later time was stored while the clock was wrong.
        return stored.as_of is not None and requested_at < stored.as_of <= self._now()

    def _change(self, keys: Collection[FigureKey], change: Callable[[StoredFigure], StoredFigure]) -> bool:
        with self._database.transaction() as connection:
            self._database.serialize(connection, _WRITERS)
            revisions = [self._change_row(connection, key, change) for key in keys]
        newest = max(revisions, default=0)
        if newest:
            self._on_revision(newest)
        return newest > 0

    def _change_row(
        self, connection: Connection, key: FigureKey, change: Callable[[StoredFigure], StoredFigure]
    ) -> int:
        """The number of the change; 0 if what pages show is the same."""
        columns = figures.c
        same = and_(columns.subject == key.subject, columns.name == key.name)
        row = connection.execute(select(figures).where(same)).one_or_none()
        before = StoredFigure() if row is None else _stored(row)
        after = change(before)
        is_change = after.shown != before.shown
        revision = 0 if row is None else row.revision
        if is_change:
            revision = int(connection.scalar(select(func.max(columns.revision))) or 0) + 1
        values = {**asdict(after), "revision": revision}
        insert = self._database.insert(figures).values(**asdict(key), **values)
        connection.execute(insert.on_conflict_do_update(index_elements=_KEY, set_=values))
        return revision if is_change else 0


def _stored(row: Row[Any]) -> StoredFigure:
    return StoredFigure(row.value, row.as_of, row.absent, row.etag, row.etag_at, row.due_at, row.failures)
