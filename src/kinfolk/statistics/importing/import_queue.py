"""Packages whose import a reader requested, and the status of all imports.

A request is stored as "waiting" until the importer has verified with npm that there is such a package.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import blake2b
from typing import Literal, cast

from sqlalchemy import Connection, and_, delete, func, select, update

from kinfolk.db.database import Database
from kinfolk.db.tables import npm_packages, npm_state
from kinfolk.runtime.errors import Refused
from kinfolk.statistics.histories.history_store import next_revision

MAX_WAITING = 100
"""Packages that may wait for their verification."""
MAX_REQUESTED = 2000
"""Packages that readers may add in total: each costs requests to npm every day."""
PER_HOUR = 3
"""Packages that one address may add in an hour."""
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
ADDRESS_KEY = "address_key"

PackageStatus = Literal["waiting", "importing", "complete", "not_found"]
_columns = npm_packages.c


@dataclass(frozen=True)
class QueuedPackage:
    """`ahead` is the number of packages that wait and were requested before."""

    status: PackageStatus
    checked_at: datetime | None
    ahead: int


class ImportQueue:
    """For any number of threads and processes. All methods block. Raises Unavailable."""

    def __init__(self, database: Database, *, now: Callable[[], datetime]) -> None:
        self._database = database
        self._now = now

    def statuses(self, packages: Collection[str]) -> dict[str, QueuedPackage]:
        """The status of those of these packages that are stored or requested."""
        query = select(_columns.name, _columns.status, _columns.checked_at).where(_columns.name.in_(list(packages)))
        with self._database.reading() as connection:
            rows = connection.execute(query).all()
            waiting = self._waiting(connection) if any(row.status == "waiting" for row in rows) else []
        return {
            row.name: QueuedPackage(row.status, row.checked_at, waiting.index(row.name) if row.name in waiting else 0)
            for row in rows
        }

    def add(self, package: str, *, client: str) -> None:
        """Add a package. Raises Refused above the limits of the queue or of the client's address."""
        now = self._now()
        with self._database.transaction() as connection:
            # First, because it also makes other requests wait: the limits hold for all processes together.
            revision = next_revision(self._database, connection)
            digest = self._digest(connection, client)
            self._check_limits(connection, digest, now)
            values = {
                "status": "waiting",
                "requested_at": now,
                "requested_by": digest,
                "revision": revision,
                "checked_at": None,
            }
            insert = self._database.insert(npm_packages).values(name=package, **values)
            connection.execute(
                insert.on_conflict_do_update(index_elements=["name"], set_=values, where=_columns.status == "not_found")
            )

    def waiting(self) -> list[str]:
        """Packages to verify, in the order of their requests."""
        with self._database.reading() as connection:
            return self._waiting(connection)

    def imported(self) -> Mapping[str, PackageStatus]:
        """Packages that npm has or may have, and whose counts are kept current, the latest requests first."""
        query = (
            select(_columns.name, _columns.status)
            .where(_columns.status.in_(("importing", "complete")))
            .order_by(_columns.requested_at.desc(), _columns.name)
        )
        with self._database.reading() as connection:
            return {row.name: cast("PackageStatus", row.status) for row in connection.execute(query)}

    def not_found(self) -> frozenset[str]:
        """Packages that npm was found not to have within the last day."""
        query = select(_columns.name).where(
            and_(_columns.status == "not_found", _columns.checked_at > self._now() - DAY)
        )
        with self._database.reading() as connection:
            return frozenset(connection.scalars(query))

    def set_status(self, packages: Collection[str], status: PackageStatus) -> None:
        """Store the status of these packages, with a new revision."""
        if not packages:
            return
        now = self._now()
        with self._database.transaction() as connection:
            revision = next_revision(self._database, connection)
            for name in packages:
                changed = {"status": status, "checked_at": now, "revision": revision}
                insert = self._database.insert(npm_packages).values(name=name, requested_at=now, **changed)
                connection.execute(insert.on_conflict_do_update(index_elements=["name"], set_=changed))

    def forget(self) -> None:
        """Delete who requested packages more than an hour ago, and names that npm did not have a day ago."""
        now = self._now()
        with self._database.transaction() as connection:
            old = and_(_columns.requested_by.is_not(None), _columns.requested_at < now - HOUR)
            connection.execute(update(npm_packages).where(old).values(requested_by=None))
            unknown = and_(
                _columns.status == "not_found", _columns.checked_at < now - DAY, _columns.requested_by.is_(None)
            )
            connection.execute(delete(npm_packages).where(unknown))

    def _waiting(self, connection: Connection) -> list[str]:
        query = select(_columns.name).where(_columns.status == "waiting")
        return list(connection.scalars(query.order_by(_columns.requested_at, _columns.name)))

    def _check_limits(self, connection: Connection, digest: str, now: datetime) -> None:
        count = select(func.count()).select_from(npm_packages)
        # Requests of a clock that was ahead would count until it is as late again.
        is_recent = (_columns.requested_at > now - HOUR, _columns.requested_at <= now + HOUR)
        recent = and_(_columns.requested_by == digest, *is_recent)
        if (connection.scalar(count.where(recent)) or 0) >= PER_HOUR:
            raise Refused(f"You can add {PER_HOUR} packages per hour. Try again later.")
        if (connection.scalar(count.where(_columns.status == "waiting")) or 0) >= MAX_WAITING:
            raise Refused(f"{MAX_WAITING} packages are already waiting. Try again later.")
        if (connection.scalar(count.where(_columns.status != "not_found")) or 0) >= MAX_REQUESTED:
            raise Refused("This site already tracks as many packages as it can keep up to date.")

    def _digest(self, connection: Connection, client: str) -> str:
        """A digest of an address with a random key, so that the address cannot be computed from it."""
        key = connection.scalar(select(npm_state.c.value).where(npm_state.c.name == ADDRESS_KEY))
        if key is None:
            key = secrets.token_hex(32)
            connection.execute(self._database.insert(npm_state).values(name=ADDRESS_KEY, value=key))
        return blake2b(client.encode(), key=bytes.fromhex(key), digest_size=16).hexdigest()
