"""Releases of code hosts in the database, and how far each repository's are read.

A failed request changes no release: the last good state stays. A table, not a file: several processes read and write
it, a page reads the few rows of its tags, and a reading of all pages continues after a restart
(decisions/0038-release-notes.md).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, and_, delete, func, select, update

from kinfolk.content.release_notes.hosts.release_client import HostRelease
from kinfolk.db.database import Database
from kinfolk.db.tables import host_releases, release_listings

_WRITERS = "host-releases"
"""The name under which transactions that write wait for each other, so that revisions are committed in their order."""
_TAGS_A_QUERY = 500


@dataclass(frozen=True)
class ListingState:
    """How far a repository's releases are read. All times are in UTC, without a time zone.

    `next_page` is that of a reading of all pages which began at `full_began_at` and is not complete; `full_at` is when
    one was last complete. `due_at` is None if a request is due at once. `failures` counts failed requests in a row.
    """

    etag: str = ""
    next_page: int | None = None
    full_began_at: datetime | None = None
    full_at: datetime | None = None
    due_at: datetime | None = None
    failures: int = 0


class HostReleaseStore:
    """For any number of threads and processes. All methods block. Raises Unavailable."""

    def __init__(self, database: Database, *, on_revision: Callable[[int], None] = lambda _: None) -> None:
        """`on_revision` gets the number of each change, after its commit."""
        self._database = database
        self._on_revision = on_revision

    def read(self, repository: str, tags: Collection[str]) -> Mapping[str, HostRelease]:
        """The releases of these tags that the host has, by their tag."""
        columns = host_releases.c
        found: dict[str, HostRelease] = {}
        names = list(dict.fromkeys(tags))
        with self._database.reading() as connection:
            for first in range(0, len(names), _TAGS_A_QUERY):
                some = names[first : first + _TAGS_A_QUERY]
                query = select(host_releases).where(columns.repository == repository, columns.tag.in_(some))
                found |= {row.tag: _release(row) for row in connection.execute(query)}
        return found

    def tags(self, repository: str) -> Mapping[str, datetime]:
        """All tags with a release -> when it was published, newest first."""
        columns = host_releases.c
        query = select(columns.tag, columns.published_at).where(columns.repository == repository)
        with self._database.reading() as connection:
            rows = connection.execute(query.order_by(columns.published_at.desc(), columns.tag.desc()))
            return {row.tag: row.published_at for row in rows}

    def states(self, repositories: Collection[str]) -> Mapping[str, ListingState]:
        """How far each of these repositories is read."""
        query = select(release_listings).where(release_listings.c.repository.in_(list(repositories)))
        with self._database.reading() as connection:
            return {row.repository: _state(row) for row in connection.execute(query)}

    def revision(self, repository: str) -> int:
        """The number of the last change of a repository's releases; 0 before the first."""
        query = select(release_listings.c.revision).where(release_listings.c.repository == repository)
        with self._database.reading() as connection:
            return connection.scalar(query) or 0

    def changed_since(self, revision: int) -> tuple[int, frozenset[str]]:
        """The number of the last change, and the repositories whose releases changed after `revision`."""
        columns = release_listings.c
        query = select(columns.repository, columns.revision).where(columns.revision > revision)
        with self._database.reading() as connection:
            rows = connection.execute(query).all()
        return max((revision, *(row.revision for row in rows))), frozenset(row.repository for row in rows)

    def put(self, repository: str, releases: Iterable[HostRelease], *, seen_at: datetime, state: ListingState) -> bool:
        """Store a page of releases, and how far the reading is with it. Whether any release is new or changed."""
        pages = {one.tag: one for one in releases}
        with self._database.transaction() as connection:
            self._database.serialize(connection, _WRITERS)
            here = and_(host_releases.c.repository == repository, host_releases.c.tag.in_(list(pages)))
            stored = {row.tag: _release(row) for row in connection.execute(select(host_releases).where(here))}
            changed = [one for tag, one in pages.items() if stored.get(tag) != one]
            if changed:
                self._upsert(connection, repository, changed, seen_at)
            if stored:
                connection.execute(update(host_releases).where(here).values(seen_at=seen_at))
            revision = self._put_state(connection, repository, state, is_change=bool(changed))
        return self._announce(revision)

    def complete(self, repository: str, *, unseen_since: datetime | None, state: ListingState) -> bool:
        """Store that all pages are read, and remove releases that are not listed any more. Whether there were any.

        A release that is removed meanwhile moves one of the next page to a page that was read before. So only those
        go that two readings did not find: `unseen_since` is when the former one began.
        """
        columns = host_releases.c
        removed = 0
        with self._database.transaction() as connection:
            self._database.serialize(connection, _WRITERS)
            if unseen_since is not None:
                old = and_(columns.repository == repository, columns.seen_at < unseen_since)
                removed = connection.execute(delete(host_releases).where(old)).rowcount
            revision = self._put_state(connection, repository, state, is_change=removed > 0)
        return self._announce(revision)

    def put_state(self, repository: str, state: ListingState) -> None:
        with self._database.transaction() as connection:
            self._database.serialize(connection, _WRITERS)
            self._put_state(connection, repository, state, is_change=False)

    def request(self, repository: str) -> None:
        """Make the repository due at once: its host has announced a release."""
        state = self.states([repository]).get(repository, ListingState())
        self.put_state(repository, replace(state, due_at=None))

    def _upsert(
        self, connection: Connection, repository: str, releases: Iterable[HostRelease], seen_at: datetime
    ) -> None:
        insert = self._database.insert(host_releases)
        names = [column.name for column in host_releases.columns if not column.primary_key]
        statement = insert.on_conflict_do_update(
            index_elements=["repository", "tag"], set_={name: insert.excluded[name] for name in names}
        )
        rows = [{"repository": repository, "seen_at": seen_at, **asdict(one)} for one in releases]
        connection.execute(statement, rows)

    def _put_state(self, connection: Connection, repository: str, state: ListingState, *, is_change: bool) -> int:
        """The number of the change; 0 without one."""
        columns = release_listings.c
        stored = connection.scalar(select(columns.revision).where(columns.repository == repository)) or 0
        revision = int(connection.scalar(select(func.max(columns.revision))) or 0) + 1 if is_change else stored
        values = {**asdict(state), "revision": revision}
        insert = self._database.insert(release_listings).values(repository=repository, **values)
        connection.execute(insert.on_conflict_do_update(index_elements=["repository"], set_=values))
        return revision if is_change else 0

    def _announce(self, revision: int) -> bool:
        if revision:
            self._on_revision(revision)
        return revision > 0


def _release(row: Row[Any]) -> HostRelease:
    return HostRelease(row.tag, row.name, row.body, row.published_at, row.is_prerelease, row.is_cut)


def _state(row: Row[Any]) -> ListingState:
    return ListingState(row.etag, row.next_page, row.full_began_at, row.full_at, row.due_at, row.failures)
