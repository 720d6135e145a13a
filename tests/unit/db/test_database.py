"""Transactions, connections and locks of the database, on both kinds."""

from __future__ import annotations

import threading
from datetime import date
from pathlib import Path

import pytest
from sqlalchemy import func, select, text
from sqlalchemy.engine import make_url
from tests.servers.databases import PostgresServer, sqlite_url
from tests.sites.sample_site import read_settings

from kinfolk.db.database import RETRY_S, Database, database_url
from kinfolk.db.tables import search_events
from kinfolk.runtime.errors import Invalid, Unavailable

EVENT = {"day": date(2026, 11, 23), "index_name": "docs", "kind": "click", "count": 1}


def count_rows(database: Database) -> int:
    with database.reading() as connection:
        return connection.scalar(select(func.count()).select_from(search_events)) or 0


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("", "sqlite:////var/lib/kinfolk/kinfolk.sqlite"),
        ("postgres://me@host/site", None),
        ("postgresql://me@host/site", "postgresql+psycopg://me@host/site"),
        ("postgresql+psycopg2://me@host/site", "postgresql+psycopg://me@host/site"),
        ("sqlite:////srv/site.sqlite", "sqlite:////srv/site.sqlite"),
        ("mysql://me@host/site", None),
        ("site.sqlite", None),
    ],
)
def test_address_of_the_database(address: str, expected: str | None) -> None:
    settings = read_settings({"KINFOLK_DATABASE_URL": address, "KINFOLK_VAR": "/var/lib/kinfolk"})
    if expected is not None:
        assert database_url(settings).render_as_string(hide_password=False) == expected
        return
    with pytest.raises(Invalid, match="KINFOLK_DATABASE_URL"):
        database_url(settings)


def test_transaction_is_committed(database: Database) -> None:
    with database.transaction() as connection:
        connection.execute(search_events.insert(), EVENT)
    assert count_rows(database) == 1


def test_transaction_is_rolled_back_after_an_error(database: Database) -> None:
    with pytest.raises(KeyError), database.transaction() as connection:  # noqa: PT012
        connection.execute(search_events.insert(), EVENT)
        raise KeyError
    with pytest.raises(Unavailable), database.transaction() as connection:  # noqa: PT012
        connection.execute(search_events.insert(), EVENT)
        connection.execute(search_events.insert(), EVENT)
    assert count_rows(database) == 0


def test_error_does_not_contain_values(database: Database) -> None:
    with pytest.raises(Unavailable) as failed, database.transaction() as connection:
        connection.execute(search_events.insert(), [EVENT | {"index_name": "a secret", "count": None}])
    assert failed.value.message.startswith("The database failed: ")
    assert "a secret" not in failed.value.message


def test_threads_count_without_loss(database: Database) -> None:
    def count_up() -> None:
        for _ in range(20):
            with database.transaction() as connection:
                insert = database.insert(search_events)
                added = {"count": search_events.c.count + 1}
                keys = ["day", "index_name", "kind"]
                connection.execute(insert.on_conflict_do_update(index_elements=keys, set_=added), EVENT)

    threads = [threading.Thread(target=count_up) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with database.reading() as connection:
        assert connection.scalar(select(search_events.c.count)) == 80


def test_lock_is_held_once(database: Database) -> None:
    with database.exclusive("import") as first, database.exclusive("import") as second:
        assert (first, second) == (True, False)
        with database.exclusive("another") as other:
            assert other
    with database.exclusive("import") as again, database.exclusive("upgrade", wait=True) as waited:
        assert (again, waited) == (True, True)


def test_lock_is_released_after_an_error(database: Database) -> None:
    with pytest.raises(KeyError), database.exclusive("import"):
        raise KeyError
    with database.exclusive("import") as held:
        assert held


def test_waiting_for_a_lock_ends_with_its_release(database: Database) -> None:
    order: list[str] = []
    starting = threading.Event()

    def wait() -> None:
        starting.set()
        with database.exclusive("import", wait=True):
            order.append("second")

    thread = threading.Thread(target=wait)
    with database.exclusive("import"):
        thread.start()
        starting.wait()
        order.append("first")
    thread.join()
    assert order == ["first", "second"]


def test_closed_database_connects_again(database: Database) -> None:
    database.close()
    assert count_rows(database) == 0


def test_sqlite_database_has_a_write_ahead_log(sqlite_database: Database) -> None:
    with sqlite_database.reading() as connection:
        assert connection.scalar(text("PRAGMA journal_mode")) == "wal"
        assert connection.scalar(text("PRAGMA foreign_keys")) == 1


def test_readers_of_sqlite_do_not_block_writers(sqlite_database: Database) -> None:
    with sqlite_database.reading() as reader:
        assert reader.scalar(select(func.count()).select_from(search_events)) == 0
        with sqlite_database.transaction() as writer:
            writer.execute(search_events.insert(), EVENT)
        assert reader.scalar(select(func.count()).select_from(search_events)) == 0
    assert count_rows(sqlite_database) == 1


def test_missing_folder_is_created_at_the_first_use(tmp_path: Path) -> None:
    database = Database(sqlite_url(tmp_path / "deep" / "down" / "file.sqlite"), lock_folder=tmp_path)
    assert not (tmp_path / "deep").exists()
    with database.transaction() as connection:
        search_events.create(connection)
    assert count_rows(database) == 0
    database.close()


def test_folder_that_cannot_be_created_makes_the_database_unavailable(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    database = Database(sqlite_url(tmp_path / "file" / "kinfolk.sqlite"), lock_folder=tmp_path / "file")
    with pytest.raises(Unavailable, match="unable to open"), database.reading():
        pass
    with pytest.raises(Unavailable, match="cannot be locked"), database.exclusive("import"):
        pass


class ManualClock:
    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def test_unreachable_server_is_tried_again_after_a_pause(tmp_path: Path, postgresql: PostgresServer) -> None:
    clock = ManualClock()
    database = Database(postgresql.url("test_later"), lock_folder=tmp_path, clock=clock)
    with pytest.raises(Unavailable, match="does not exist"), database.reading():
        pass
    postgresql.copy("template0", "test_later")
    with pytest.raises(Unavailable, match="does not exist"), database.reading():
        pass
    clock.now_s = RETRY_S
    with database.reading() as connection:
        assert connection.scalar(select(1)) == 1
    database.close()
    postgresql.drop(database.url)


def test_refused_connection_makes_the_database_unavailable(tmp_path: Path) -> None:
    database = Database(make_url("postgresql+psycopg://me@127.0.0.1:1/site"), lock_folder=tmp_path)
    with pytest.raises(Unavailable, match="refused"), database.transaction():
        pass
    with pytest.raises(Unavailable, match="refused"), database.exclusive("import"):
        pass


def test_lost_session_snapshots_the_lock(postgresql_database: Database) -> None:
    killing = "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'"
    with postgresql_database.exclusive("import") as held, postgresql_database.reading() as connection:
        assert held
        connection.execute(text(killing))
    with postgresql_database.exclusive("import", wait=True) as again:
        assert again
