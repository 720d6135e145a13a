"""Elects one process of all hosts that share a PostgreSQL database.

    lease = Lease(database, "content sync")
    if lease.hold():
        ...                       # this process alone, until it ends or loses its connection

The lock belongs to a connection: PostgreSQL frees it when the process dies, and 25 s after its host has vanished.
"""

from __future__ import annotations

import contextlib
import threading

import structlog
from sqlalchemy import Connection, text
from sqlalchemy.exc import SQLAlchemyError

from kinfolk.db.database import Database, reporting_failures, take_advisory_lock
from kinfolk.runtime.errors import Unavailable

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)


class Lease:
    """For any number of threads. All methods block."""

    def __init__(self, database: Database, name: str) -> None:
        self._database = database
        self._name = name
        self._connection: Connection | None = None
        self._lock = threading.Lock()

    def hold(self) -> bool:
        """Whether this process holds the lease: it takes a free one. Raises Unavailable."""
        with self._lock:
            if self._connection is not None and self._is_alive(self._connection):
                return True
            self._connection = self._take()
            return self._connection is not None

    def hold_or_alone(self) -> bool:
        """`hold`. True, too, while the database is away: each process then works for itself."""
        try:
            return self.hold()
        except Unavailable as failure:
            log.warning("lease unknown", name=self._name, reason=failure.message)
            return True

    def release(self) -> None:
        """Give the lease to the next process that tries to hold it."""
        with self._lock:
            if self._connection is not None:
                _discard(self._connection)
                self._connection = None

    def _is_alive(self, connection: Connection) -> bool:
        """Whether the session that has the lock still exists."""
        try:
            connection.execute(text("SELECT 1"))
            connection.commit()
        except SQLAlchemyError as failure:
            log.warning("lease lost", name=self._name, reason=type(failure).__name__)
            _discard(connection)
            return False
        return True

    def _take(self) -> Connection | None:
        """The connection that holds the lock; None while that of another process does."""
        with reporting_failures():
            connection = self._database.engine.connect()
            try:
                is_held = take_advisory_lock(connection, self._name, wait=False)
                # An open transaction would block the removal of old rows.
                connection.commit()
            except BaseException:
                _discard(connection)
                raise
        if is_held:
            log.info("lease taken", name=self._name)
            return connection
        connection.close()
        return None


def _discard(connection: Connection) -> None:
    """Close the session, which frees its lock: the connection must not return to the pool with it."""
    with contextlib.suppress(SQLAlchemyError):
        connection.invalidate()
    with contextlib.suppress(SQLAlchemyError):
        connection.close()
