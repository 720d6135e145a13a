"""Overrides in the database. All processes of a site read the same ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlalchemy import Connection, func, select

from kinfolk.db.database import Database
from kinfolk.db.maintenance_tables import site_overrides
from kinfolk.runtime.errors import NotFound, Refused

OverrideKind = Literal["sponsor", "promotion"]
MOST_OVERRIDES = 200
"""Of each kind: all of them are in the memory of each process."""
_WRITERS = "site overrides"
_columns = site_overrides.c


@dataclass(frozen=True)
class StoredOverride:
    """`data` is JSON."""

    id: str
    kind: OverrideKind
    data: str


class OverrideStore:
    """For any number of threads and processes. All methods block. Raises Unavailable."""

    def __init__(self, database: Database, announce: Callable[[int], None], *, now: Callable[[], datetime]) -> None:
        """`announce` gets the number of each change, after its commit. `now` is in UTC, without a time zone."""
        self._database = database
        self._now = now
        self._announce = announce

    def read(self) -> tuple[int, tuple[StoredOverride, ...]]:
        """The number of the last change, and all overrides, the oldest change first."""
        query = select(site_overrides).order_by(_columns.revision)
        with self._database.reading() as connection:
            rows = connection.execute(query).all()
        stored = tuple(StoredOverride(row.id, row.kind, row.data) for row in rows if row.data is not None)
        return max((row.revision for row in rows), default=0), stored

    def last_revision(self) -> int:
        """The number of the last change; 0 before the first."""
        with self._database.reading() as connection:
            return int(connection.scalar(select(func.max(_columns.revision))) or 0)

    def put(self, id: str, kind: OverrideKind, data: str) -> None:
        """Store an override, or replace the one with this id. Raises Refused above MOST_OVERRIDES."""
        with self._database.transaction() as connection:
            self._database.serialize(connection, _WRITERS)
            others = select(func.count()).where(_columns.kind == kind, _columns.data.is_not(None), _columns.id != id)
            if (connection.scalar(others) or 0) >= MOST_OVERRIDES:
                raise Refused(f"There are {MOST_OVERRIDES} already: remove one first")
            values = {"kind": kind, "data": data, "revision": _next_revision(connection), "updated_at": self._now()}
            insert = self._database.insert(site_overrides).values(id=id, **values)
            connection.execute(insert.on_conflict_do_update(index_elements=["id"], set_=values))
        self._announce(int(str(values["revision"])))

    def remove(self, id: str) -> None:
        """Raises NotFound."""
        with self._database.transaction() as connection:
            self._database.serialize(connection, _WRITERS)
            revision = _next_revision(connection)
            removed = (
                site_overrides.update()
                .where(_columns.id == id, _columns.data.is_not(None))
                .values(data=None, revision=revision, updated_at=self._now())
            )
            if connection.execute(removed).rowcount == 0:
                raise NotFound("This has already been removed")
        self._announce(revision)


def _next_revision(connection: Connection) -> int:
    return int(connection.scalar(select(func.max(_columns.revision))) or 0) + 1
