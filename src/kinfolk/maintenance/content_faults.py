"""Broken links, missing anchors and other faults of the docs that are served, from the last check of all pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, select

from kinfolk.db.database import Database
from kinfolk.db.maintenance_tables import content_checks, content_faults

MOST_FAULTS = 5000
LONGEST_FILE, LONGEST_PLACE, LONGEST_REASON = 600, 100, 600
_ONLY = 1


@dataclass(frozen=True)
class ContentFault:
    """A fault of a file; `place` is a line or a key."""

    file: str
    place: str
    reason: str


@dataclass(frozen=True)
class ContentCheckResult:
    """`snapshot` names the content that was checked. `total` counts all faults, of which MOST_FAULTS are stored."""

    checked_at: datetime
    snapshot: str
    pages: int
    links: int
    total: int
    faults: tuple[ContentFault, ...]


class ContentFaults:
    """For any number of threads and processes. All methods block. Raises Unavailable."""

    def __init__(self, database: Database, *, now: Callable[[], datetime]) -> None:
        self._database = database
        self._now = now

    def replace(self, snapshot: str, faults: Sequence[ContentFault], *, pages: int, links: int) -> None:
        """Store the faults of a check in place of the former ones."""
        rows = [
            {
                "id": number,
                "file": fault.file[:LONGEST_FILE],
                "place": fault.place[:LONGEST_PLACE],
                "reason": fault.reason[:LONGEST_REASON],
            }
            for number, fault in enumerate(faults[:MOST_FAULTS])
        ]
        check = {"checked_at": self._now(), "snapshot": snapshot, "pages": pages, "links": links, "total": len(faults)}
        with self._database.transaction() as connection:
            connection.execute(delete(content_faults))
            if rows:
                connection.execute(content_faults.insert(), rows)
            insert = self._database.insert(content_checks).values(id=_ONLY, **check)
            connection.execute(insert.on_conflict_do_update(index_elements=["id"], set_=check))

    def last_check(self) -> tuple[str, datetime] | None:
        """What was checked last, and when."""
        with self._database.reading() as connection:
            row = connection.execute(select(content_checks)).one_or_none()
        return None if row is None else (row.snapshot, row.checked_at)

    def read(self) -> ContentCheckResult | None:
        """The last check; None before the first."""
        with self._database.reading() as connection:
            check = connection.execute(select(content_checks)).one_or_none()
            rows = connection.execute(select(content_faults).order_by(content_faults.c.id)).all()
        if check is None:
            return None
        faults = tuple(ContentFault(row.file, row.place, row.reason) for row in rows)
        return ContentCheckResult(check.checked_at, check.snapshot, check.pages, check.links, check.total, faults)
