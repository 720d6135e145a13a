"""The pull requests that have previews, in the database.

A table, not a file beside the mirror: a webhook reaches one server, and each server of a site with its own mirror
fetches the head when it reads the row (decisions/0042-previews.md).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, and_, delete, func, or_, select, update

from kinfolk.content.pull_requests.pull_request import PullRequest
from kinfolk.db.database import Database
from kinfolk.db.tables import pull_requests

_WRITERS = "pull-requests"
_columns = pull_requests.c
_OPEN = ("open", "draft")


@dataclass(frozen=True)
class PreviewLimits:
    """`most` rows, and days until a pull request without changes and a closed one are removed."""

    most: int
    days: int
    closed_days: int


@dataclass(frozen=True)
class StoredPullRequest:
    """`updated_at` is when the last event arrived, in UTC, without a time zone."""

    pull_request: PullRequest
    updated_at: datetime


class PullRequestStore:
    """For any number of threads and processes. All methods block. Raises Unavailable."""

    def __init__(
        self,
        database: Database,
        limits: PreviewLimits,
        *,
        now: Callable[[], datetime],
        announce: Callable[[int], None] = lambda _: None,
    ) -> None:
        """`announce` gets the number of each change, after its commit."""
        self._database = database
        self._limits = limits
        self._now = now
        self._announce = announce

    def read(self) -> tuple[StoredPullRequest, ...]:
        """All pull requests that are not expired, the last one that changed first."""
        query = (
            select(pull_requests).where(~self._expired()).order_by(_columns.updated_at.desc(), _columns.number.desc())
        )
        with self._database.reading() as connection:
            return tuple(_stored(row) for row in connection.execute(query.limit(self._limits.most)))

    def put(self, pull_request: PullRequest) -> bool:
        """Store what an event says. Above the limit, the pull request goes that has not changed for the longest time.

        A closed pull request without a preview gets none. Whether anything was stored.
        """
        with self._database.transaction() as connection:
            self._database.serialize(connection, _WRITERS)
            here = and_(_columns.repository == pull_request.repository, _columns.number == pull_request.number)
            is_known = connection.scalar(select(func.count()).where(here)) or 0
            if not is_known and not pull_request.is_open:
                return False
            revision = _next_revision(connection)
            values = asdict(pull_request) | {"updated_at": self._now(), "revision": revision}
            insert = self._database.insert(pull_requests).values(**values, commented="")
            connection.execute(insert.on_conflict_do_update(index_elements=["repository", "number"], set_=values))
            connection.execute(delete(pull_requests).where(self._expired()))
            self._make_room(connection)
        self._announce(revision)
        return True

    def claim_comment(self, pull_request: PullRequest) -> bool:
        """Whether the caller is to comment on this head: one process of all is."""
        return self._mark_comment(pull_request, pull_request.head)

    def release_comment(self, pull_request: PullRequest) -> None:
        """Let `claim_comment` succeed again: the comment failed."""
        self._mark_comment(pull_request, "")

    def _mark_comment(self, pull_request: PullRequest, head: str) -> bool:
        """Store the head that the comment on the code host is about; empty for none."""
        here = and_(
            _columns.repository == pull_request.repository,
            _columns.number == pull_request.number,
            _columns.head == pull_request.head,
            _columns.commented != head,
        )
        with self._database.transaction() as connection:
            self._database.serialize(connection, _WRITERS)
            return connection.execute(update(pull_requests).where(here).values(commented=head)).rowcount > 0

    def _make_room(self, connection: Connection) -> None:
        newest_first = select(_columns.repository, _columns.number).order_by(
            _columns.updated_at.desc(), _columns.revision.desc()
        )
        for row in connection.execute(newest_first.offset(self._limits.most)).all():
            here = and_(_columns.repository == row.repository, _columns.number == row.number)
            connection.execute(delete(pull_requests).where(here))

    def _expired(self) -> Any:
        """The condition of rows whose time is over."""
        now = self._now()
        is_closed = _columns.state.not_in(_OPEN)
        return or_(
            _columns.updated_at < now - timedelta(days=self._limits.days),
            and_(is_closed, _columns.updated_at < now - timedelta(days=self._limits.closed_days)),
        )


def _next_revision(connection: Connection) -> int:
    return int(connection.scalar(select(func.max(_columns.revision))) or 0) + 1


def _stored(row: Row[Any]) -> StoredPullRequest:
    found = PullRequest(row.repository, row.number, row.base, row.head, row.title, row.author, row.state)
    return StoredPullRequest(found, row.updated_at)
