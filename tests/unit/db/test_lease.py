"""One process of all hosts holds a lease, until it ends or loses its connection."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from tests.servers.databases import PostgresServer

from kinfolk.db.database import Database
from kinfolk.db.lease import Lease
from kinfolk.db.postgresql_connection import CHECK_S
from kinfolk.runtime.errors import Unavailable


@pytest.fixture
def other_host(postgresql_database: Database, tmp_path: Path) -> Iterator[Database]:
    database = Database(postgresql_database.url, lock_folder=tmp_path / "other")
    yield database
    database.close()


def disconnect_all(database: Database, postgresql: PostgresServer) -> None:
    """End all sessions of the database, as a restart of the server does."""
    with postgresql.connect(database.url.database or "") as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def test_one_process_holds_the_lease_until_it_is_released(postgresql_database: Database, other_host: Database) -> None:
    first, second = Lease(postgresql_database, "sync"), Lease(other_host, "sync")
    assert (first.hold(), second.hold(), first.hold()) == (True, False, True)
    assert Lease(other_host, "another").hold()
    first.release()
    assert (second.hold(), first.hold()) == (True, False)


def test_lease_of_a_lost_connection_is_free(
    postgresql_database: Database, other_host: Database, postgresql: PostgresServer
) -> None:
    first, second = Lease(postgresql_database, "sync"), Lease(other_host, "sync")
    assert first.hold()
    disconnect_all(postgresql_database, postgresql)
    assert second.hold()
    # It does not trust the lock that it had.
    assert not first.hold()


def test_each_process_works_for_itself_while_the_database_does_not_answer(
    postgresql_database: Database, postgresql: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kinfolk.db.postgresql_connection.CHECK_S", CHECK_S / 10)
    lease = Lease(postgresql_database, "sync")
    with postgresql_database.reading():
        pass
    with postgresql.frozen():
        assert lease.hold_or_alone()
        with pytest.raises(Unavailable):
            lease.hold()
    assert lease.hold_or_alone()


def test_lock_of_a_vanished_host_ends_after_seconds(postgresql_database: Database) -> None:
    with postgresql_database.reading() as connection:
        driver = connection.connection.driver_connection
        assert isinstance(driver, psycopg.Connection)
        # A Unix socket has no keepalives: PostgreSQL accepts the settings, and shows 0.
        assert driver.execute("SHOW tcp_keepalives_idle").fetchone() in {("10",), ("0",)}
