"""Answers to "Was this page helpful?", anchored to a section of a page and to the text that it had.

There is one answer for each page, reader and day: a second one replaces it. Readers are told apart by an HMAC of their
address, which is removed after a day.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, Row, and_, delete, func, select, update

from kinfolk.accounts.secret_tokens import SecretKey, new_id
from kinfolk.db.database import Database
from kinfolk.db.maintenance_tables import feedback_entries
from kinfolk.runtime.errors import NotFound, Refused

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
PER_CLIENT = 30
"""Answers of one address in a day."""
PER_PAGE = 300
"""Answers about one page in a day: more of them are not readers."""
MOST_OPEN = 20_000
"""Answers that wait for the maintainers."""
KEPT = timedelta(days=365)
LONGEST_NOTE, LONGEST_SECTION = 2000, 2000

FeedbackStatus = Literal["open", "done", "spam"]
_columns = feedback_entries.c


@dataclass(frozen=True)
class FeedbackSubject:
    """What an answer is about. `heading` is the id of a heading, "" for the page; `text` is that of the section."""

    library: str
    version: str
    path: str
    title: str
    page_digest: str
    heading: str
    heading_text: str
    section_digest: str
    text: str


@dataclass(frozen=True)
class FeedbackEntry:
    """An answer in the queue of the maintainers."""

    id: str
    at: datetime
    section: FeedbackSubject
    helpful: bool | None
    note: str
    status: FeedbackStatus


@dataclass(frozen=True)
class PageVotes:
    """Open and finished answers about a page."""

    library: str
    version: str
    path: str
    title: str
    yes: int
    no: int
    notes: int


class FeedbackStore:
    """For any number of threads and processes. All methods block. Raises Unavailable."""

    def __init__(self, database: Database, key: SecretKey, *, now: Callable[[], datetime]) -> None:
        self._database = database
        self._key = key
        self._now = now

    def add(
        self, section: FeedbackSubject, *, helpful: bool | None, note: str, client: str, id: str | None = None
    ) -> str:
        """Store an answer, or change that with this id. Returns its id. Raises Refused above the limits."""
        now, digest = self._now(), self._key.digest("feedback", client)
        with self._database.transaction() as connection:
            self._database.serialize(connection, "feedback")
            self._tidy(connection, now)
            known = self._known(connection, section, digest, id)
            values = {
                "title": section.title,
                "page_digest": section.page_digest,
                "heading": section.heading,
                "heading_text": section.heading_text,
                "section_digest": section.section_digest,
                "section_text": section.text[:LONGEST_SECTION],
                "updated_at": now,
            }
            if known is not None:
                change = (
                    values | ({"helpful": helpful} if helpful is not None else {}) | ({"note": note} if note else {})
                )
                connection.execute(update(feedback_entries).where(_columns.id == known.id).values(change))
                return str(known.id)
            self._check_limits(connection, section, digest, now)
            made = new_id()
            address = {"library": section.library, "version": section.version, "path": section.path}
            answer = {"helpful": helpful, "note": note, "status": "open", "client_digest": digest, "created_at": now}
            connection.execute(feedback_entries.insert().values(id=made, **address, **values, **answer))
            return made

    def entries(self, *, status: FeedbackStatus, limit: int = 200) -> list[FeedbackEntry]:
        """The newest answers with this status: those with a note first."""
        query = select(feedback_entries).where(_columns.status == status)
        order = ((_columns.note == "").asc(), _columns.created_at.desc(), _columns.id)
        with self._database.reading() as connection:
            return [_entry(row) for row in connection.execute(query.order_by(*order).limit(limit))]

    def votes(self, *, limit: int = 50) -> list[PageVotes]:
        """Pages with most negative answers first."""
        yes = func.count().filter(_columns.helpful.is_(True))
        no = func.count().filter(_columns.helpful.is_(False))
        notes = func.count().filter(_columns.note != "")
        query = (
            select(_columns.library, _columns.version, _columns.path, func.max(_columns.title), yes, no, notes)
            .where(_columns.status != "spam")
            .group_by(_columns.library, _columns.version, _columns.path)
            .order_by(no.desc(), yes.desc(), _columns.path)
        )
        with self._database.reading() as connection:
            return [PageVotes(*row) for row in connection.execute(query.limit(limit))]

    def set_status(self, ids: Sequence[str], status: FeedbackStatus) -> int:
        """Move answers to another status. Returns how many. Raises NotFound if there are none."""
        with self._database.transaction() as connection:
            chosen = update(feedback_entries).where(_columns.id.in_(list(ids)))
            count = connection.execute(chosen.values(status=status, updated_at=self._now())).rowcount
        if not count:
            raise NotFound("This feedback no longer exists")
        return count

    def _known(self, connection: Connection, section: FeedbackSubject, digest: str, id: str | None) -> Row[Any] | None:
        """The answer of this reader about this page on this day."""
        of_page = (
            _columns.library == section.library,
            _columns.version == section.version,
            _columns.path == section.path,
        )
        own: list[ColumnElement[bool]] = [*of_page, _columns.client_digest == digest, _columns.status == "open"]
        if id:
            own.append(_columns.id == id)
        return connection.execute(select(feedback_entries).where(*own)).first()

    def _check_limits(self, connection: Connection, section: FeedbackSubject, digest: str, now: datetime) -> None:
        # Answers of a clock that was ahead would count until it is as late again.
        recent = and_(_columns.created_at > now - DAY, _columns.created_at <= now + HOUR)
        of_page = (
            _columns.library == section.library,
            _columns.version == section.version,
            _columns.path == section.path,
        )
        if (
            _count(connection, recent, _columns.client_digest == digest) >= PER_CLIENT
            or _count(connection, recent, *of_page) >= PER_PAGE
            or _count(connection, _columns.status == "open") >= MOST_OPEN
        ):
            raise Refused("We have received too many answers today. Thank you! Please try again tomorrow.")

    def _tidy(self, connection: Connection, now: datetime) -> None:
        """Remove the digests of readers after a day, and old answers."""
        old = (_columns.created_at <= now - DAY, _columns.client_digest.is_not(None))
        connection.execute(update(feedback_entries).where(*old).values(client_digest=None))
        connection.execute(delete(feedback_entries).where(_columns.updated_at < now - KEPT))


def _count(connection: Connection, *conditions: ColumnElement[bool]) -> int:
    return connection.scalar(select(func.count()).select_from(feedback_entries).where(*conditions)) or 0


def _entry(row: Row[Any]) -> FeedbackEntry:
    section = FeedbackSubject(
        row.library,
        row.version,
        row.path,
        row.title,
        row.page_digest,
        row.heading,
        row.heading_text,
        row.section_digest,
        row.section_text,
    )
    return FeedbackEntry(row.id, row.created_at, section, row.helpful, row.note, row.status)
