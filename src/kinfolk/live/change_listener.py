"""Notices changes of stored topics by other processes: a query each second with SQLite, notifications with PostgreSQL.

A notification can be lost while the connection is away, so what is new is always read from the table.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from kinfolk.db.database import CONNECT_S, Database, reporting_failures
from kinfolk.live.topic_store import CHANNEL, StoredTopic, TopicStore
from kinfolk.runtime.errors import Unavailable

if TYPE_CHECKING:
    import psycopg

POLL_S = 1.0
"""Seconds between two queries with SQLite."""
MISSED_S = 15.0
"""Seconds until changes are looked for without a notification."""
_STOP_CHECK_S = 0.5


class ChangeListener:
    """A service. `on_change` gets each changed topic, in the order of changes, in the thread of the service."""

    def __init__(
        self, store: TopicStore, on_change: Callable[[StoredTopic], None], *, on_ready: Callable[[], None]
    ) -> None:
        """`on_ready` is called once, before the first change: states that were read earlier may be outdated."""
        self._store = store
        self._on_change = on_change
        self._on_ready = on_ready
        self._stopped = threading.Event()
        self._woken = threading.Event()
        self._version: int | None = None
        self._generation = store.database.generation

    def wake(self) -> None:
        """Look for changes now: this process has published one. Does not block."""
        self._woken.set()

    def stop(self) -> None:
        self._stopped.set()
        self._woken.set()

    def run(self) -> None:
        """Raises Unavailable when the database fails. After a restart, no change is missed."""
        if self._store.database.is_postgresql:
            self._listen()
        else:
            self._poll()

    def _poll(self) -> None:
        while not self._stopped.is_set():
            self._deliver()
            self._woken.wait(POLL_S)
            self._woken.clear()

    def _listen(self) -> None:
        import psycopg

        with _connect(self._store.database) as connection:
            connection.execute(f"LISTEN {CHANNEL}")
            since_s = MISSED_S
            while not self._stopped.is_set():
                # The first time, because something may have changed before LISTEN.
                if since_s >= MISSED_S or self._woken.is_set():
                    self._woken.clear()
                    self._deliver()
                    since_s = 0.0
                try:
                    if any(True for _ in connection.notifies(timeout=_STOP_CHECK_S, stop_after=1)):
                        since_s = MISSED_S
                    else:
                        since_s += _STOP_CHECK_S
                except psycopg.Error as failure:
                    raise Unavailable(f"The database does not notify: {type(failure).__name__}") from failure

    def _deliver(self) -> None:
        if self._generation != self._store.database.generation:
            # The versions of another file begin anew.
            self._version, self._generation = None, self._store.database.generation
        if self._version is None:
            self._version = self._store.last_version()
            self._on_ready()
            return
        for topic in self._store.changed_since(self._version):
            self._version = topic.version
            self._on_change(topic)


def _connect(database: Database) -> psycopg.Connection:
    """A connection of its own: a transaction pooler would not pass notifications on. Raises Unavailable."""
    import psycopg

    url = database.url
    with reporting_failures():
        try:
            return psycopg.connect(
                url.set(drivername="postgresql").render_as_string(hide_password=False),
                autocommit=True,
                connect_timeout=CONNECT_S,
            )
        except psycopg.Error as failure:
            raise Unavailable("The database failed: it could not be reached for notifications") from failure
