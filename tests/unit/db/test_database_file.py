"""A database file that is deleted or replaced while a process has it open."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import func, select
from sqlalchemy.engine import URL
from tests.servers.databases import upgraded_sqlite

from kinfolk.db.database import Database
from kinfolk.db.tables import npm_state
from kinfolk.runtime.errors import Unavailable


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "var" / "kinfolk.sqlite"
    file.parent.mkdir()
    shutil.copy(upgraded_sqlite(None), file)
    return file


def opened(file: Path) -> Database:
    return Database(URL.create("sqlite", database=str(file)), lock_folder=file.parent)


def put(database: Database, name: str, before_commit: Callable[[], None] = lambda: None) -> None:
    with database.transaction() as connection:
        connection.execute(npm_state.insert().values(name=name, value=""))
        before_commit()


def names(database: Database) -> list[str]:
    with database.reading() as connection:
        return list(connection.scalars(select(npm_state.c.name).order_by(npm_state.c.name)))


def test_deleted_file_is_written_again_with_all_rows(file: Path) -> None:
    database, other = opened(file), opened(file)
    put(database, "a")
    assert names(other) == names(database)
    shutil.rmtree(file.parent)

    put(other, "b")
    put(database, "c")
    database.close()
    other.close()

    after = opened(file)
    assert {"a", "b", "c"} <= set(names(after))
    after.close()


@pytest.mark.parametrize("end", ["", "-wal"])
def test_file_that_is_deleted_during_a_transaction_gets_no_commit(file: Path, end: str) -> None:
    database = opened(file)
    put(database, "a")
    with pytest.raises(Unavailable, match="deleted"):
        put(database, "b", file.with_name(file.name + end).unlink)

    assert "b" not in names(database)
    assert "a" in names(database)
    put(database, "b")
    database.close()
    after = opened(file)
    assert {"a", "b"} <= set(names(after))
    after.close()


def test_file_that_replaces_another_is_used(file: Path) -> None:
    database = opened(file)
    replaced: list[int] = []
    database.on_replaced(lambda: replaced.append(database.generation))
    put(database, "a")
    copy = file.with_name("copy.sqlite")
    shutil.copy(upgraded_sqlite(None), copy)
    for each in file.parent.glob("kinfolk.sqlite*"):
        each.unlink()
    copy.rename(file)

    with database.reading() as connection:
        assert connection.scalar(select(func.count()).where(npm_state.c.name == "a")) == 0
    put(database, "b")
    assert "b" in names(database)
    assert replaced == [1]
    database.close()


def test_deleted_file_that_cannot_be_written_is_reported_and_tried_again(file: Path) -> None:
    database = opened(file)
    put(database, "a")
    folder = file.parent
    folder.rename(folder.with_name("moved"))
    folder.write_text("no folder")

    with pytest.raises(Unavailable, match="deleted"):
        put(database, "b")

    folder.unlink()
    put(database, "b")
    assert {"a", "b"} <= set(names(database))
    database.close()
