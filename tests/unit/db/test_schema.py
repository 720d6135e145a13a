"""The migrations of the database, on both kinds."""

from __future__ import annotations

import threading
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from click.testing import CliRunner, Result
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Date,
    DateTime,
    Integer,
    LargeBinary,
    String,
    Text,
    func,
    insert,
    inspect,
    select,
    text,
)

from kinfolk.cli.main import main
from kinfolk.db.database import Database
from kinfolk.db.schema import (
    COMPATIBLE_SINCE,
    NewerDatabase,
    current,
    downgrade,
    is_current,
    newest,
    since_of,
    upgrade,
    usable_since,
)
from kinfolk.db.schema_upgrade import SchemaUpgrade
from kinfolk.db.tables import metadata, search_events
from kinfolk.runtime.errors import Invalid, Unavailable
from kinfolk.runtime.services.supervisor import Supervisor

VERSION_TABLES = {"alembic_version", "schema_compatibility"}
"""Tables that no migration creates."""
VALUES: dict[type[Any], object] = {
    String: "name",
    Text: "text",
    Integer: 5,
    BigInteger: 1 << 40,
    Boolean: True,
    Date: date(2026, 11, 23),
    DateTime: datetime(2026, 11, 23, 12, 30),  # noqa: DTZ001 - the tables have UTC without a time zone
    LargeBinary: b"\x00\xff",
}


def value(column: Column[object]) -> object:
    return VALUES[type(column.type)]


def table_names(database: Database) -> set[str]:
    with database.reading() as connection:
        return set(inspect(connection).get_table_names())


def add_rows(database: Database) -> None:
    """Add a row to each table."""
    with database.transaction() as connection:
        for table in metadata.tables.values():
            connection.execute(insert(table).values({column.name: value(column) for column in table.columns}))


def row_counts(database: Database) -> set[int | None]:
    with database.reading() as connection:
        return {connection.scalar(select(func.count()).select_from(table)) for table in metadata.tables.values()}


def test_upgrade_creates_all_tables(empty_database: Database) -> None:
    assert current(empty_database) is None
    assert not is_current(empty_database)
    upgrade(empty_database)
    assert current(empty_database) == newest()
    assert is_current(empty_database)
    assert table_names(empty_database) == {*metadata.tables, *VERSION_TABLES}


def test_migrations_create_the_tables_of_the_code(database: Database) -> None:
    with database.reading() as connection:
        context = MigrationContext.configure(
            connection,
            opts={
                "compare_type": True,
                "include_name": lambda name, kind, _: kind != "table" or name not in VERSION_TABLES,
            },
        )
        assert compare_metadata(context, metadata) == []
        # `compare_metadata` compares no primary keys.
        inspector = inspect(connection)
        keys = {name: inspector.get_pk_constraint(name)["constrained_columns"] for name in metadata.tables}
    assert keys == {name: [column.name for column in table.primary_key] for name, table in metadata.tables.items()}


def test_rows_survive_a_second_upgrade(database: Database) -> None:
    add_rows(database)
    upgrade(database)
    upgrade(database, newest())
    with database.reading() as connection:
        for table in metadata.tables.values():
            (row,) = connection.execute(select(table)).all()
            assert list(row) == [value(column) for column in table.columns]


def test_downgrade_removes_tables_with_rows_and_upgrade_creates_them_again(database: Database) -> None:
    add_rows(database)
    downgrade(database, "base")
    assert table_names(database) == {"alembic_version"}
    assert current(database) is None
    upgrade(database)
    assert row_counts(database) == {0}
    add_rows(database)


def test_each_migration_keeps_the_rows_of_the_others(database: Database) -> None:
    add_rows(database)
    downgrade(database, "0001")
    remaining = table_names(database) - VERSION_TABLES
    assert 0 < len(remaining) < len(metadata.tables)
    upgrade(database)
    with database.reading() as connection:
        counts = {
            name: connection.scalar(select(func.count()).select_from(table)) for name, table in metadata.tables.items()
        }
    assert counts == {name: int(name in remaining) for name in metadata.tables}


def test_failed_upgrade_changes_nothing(empty_database: Database) -> None:
    with empty_database.transaction() as connection:
        search_events.create(connection)
    with pytest.raises(Unavailable, match="search_events"):
        upgrade(empty_database)
    assert table_names(empty_database) == {"search_events"}
    assert current(empty_database) is None


def make_newer(database: Database, revision: str = "9999", usable_since: str = "9998") -> None:
    """What a newer Kinfolk leaves: a version of the tables that this one does not know, and which code can use it."""
    with database.transaction() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :revision"), {"revision": revision})
        connection.execute(text("UPDATE schema_compatibility SET usable_since = :since"), {"since": usable_since})


def test_newer_database_is_refused_and_not_changed(database: Database) -> None:
    make_newer(database)
    for migrate in (upgrade, lambda refused: downgrade(refused, "base"), is_current):
        with pytest.raises(NewerDatabase, match=r"version 9999.* needs version 9998"):
            migrate(database)
    assert current(database) == "9999"
    with pytest.raises(Unavailable, match="newer version"), database.transaction() as connection:
        connection.execute(text("DELETE FROM search_events"))
    with pytest.raises(Unavailable, match="newer version"), database.reading():
        pass


def test_newer_database_that_this_code_can_use_is_used_and_not_changed(database: Database) -> None:
    make_newer(database, usable_since=newest())
    upgrade(database)
    assert is_current(database)
    add_rows(database)
    assert row_counts(database) == {1}
    assert (current(database), usable_since(database)) == ("9999", newest())
    with pytest.raises(NewerDatabase, match="downgrade the database with it"):
        downgrade(database, "0001")


def test_newer_database_that_does_not_say_what_can_use_it_is_refused(database: Database) -> None:
    make_newer(database)
    with database.engine.begin() as connection:
        connection.execute(text("DROP TABLE schema_compatibility"))
    with pytest.raises(NewerDatabase, match="version 9999"):
        upgrade(database)


def test_upgrade_stores_the_oldest_version_that_can_use_the_tables(empty_database: Database) -> None:
    assert usable_since(empty_database) is None
    upgrade(empty_database)
    assert usable_since(empty_database) == COMPATIBLE_SINCE


def test_migration_that_removes_raises_the_oldest_version(tmp_path: Path) -> None:
    versions = tmp_path / "versions"
    versions.mkdir()
    for revision, before, more in (("1", None, ""), ("2", "1", 'usable_since = "1"'), ("3", "2", "")):
        text = f"revision = {revision!r}\ndown_revision = {before!r}\n{more}\n"
        (versions / f"{revision}.py").write_text(text)
    migrations = ScriptDirectory(tmp_path, version_locations=[versions])
    assert [since_of(migrations, revision) for revision in "123"] == [COMPATIBLE_SINCE, "1", "1"]


def test_refused_database_is_used_again_after_its_downgrade(database: Database) -> None:
    make_newer(database)
    with pytest.raises(NewerDatabase):
        upgrade(database)
    with database.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :revision"), {"revision": newest()})
    upgrade(database)
    add_rows(database)


def test_unknown_revision_is_refused(database: Database) -> None:
    with pytest.raises(Invalid, match="9999"):
        upgrade(database, "9999")
    assert is_current(database)


def test_upgrade_prints_nothing(empty_database: Database, capfd: pytest.CaptureFixture[str]) -> None:
    upgrade(empty_database)
    downgrade(empty_database, "base")
    assert capfd.readouterr() == ("", "")


# The service


def test_service_repeats_a_failed_upgrade(sqlite_database: Database) -> None:
    supervisor = Supervisor()
    failures = [Unavailable("The database failed")]
    succeeded = threading.Event()

    def attempt() -> None:
        if failures:
            raise failures.pop()
        succeeded.set()

    service = SchemaUpgrade(sqlite_database, attempt)
    service.start(supervisor)
    (state,) = supervisor.states()
    assert (state.name, state.last_error) == ("database", "Unavailable: The database failed")
    assert succeeded.wait(10)
    assert supervisor.stop(within_s=5) == []
    service.close()


# The command


def run(folder: Path, *arguments: str, **environment: str) -> Result:
    return CliRunner().invoke(main, ["db", *arguments], env={"KINFOLK_VAR": str(folder), **environment})


def test_command_upgrades_and_downgrades(tmp_path: Path) -> None:
    assert "none, it has no tables" in run(tmp_path, "status").output
    versions = f"Version:  {newest()}\nNewest:   {newest()}\nUsable:   since {COMPATIBLE_SINCE}\n"
    assert run(tmp_path, "upgrade").output == versions
    assert "none, it has no tables" in run(tmp_path, "downgrade", "base").output
    assert run(tmp_path, "upgrade", "0001").exit_code == 0
    assert "Version:  0001" in run(tmp_path, "status").output


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("postgresql://me:password@127.0.0.1:1/site", "postgresql://me:***@127.0.0.1:1/site"),
        ("postgresql://me@127.0.0.1:1/site?password=password", "postgresql://me@127.0.0.1:1/site"),
    ],
)
def test_command_hides_the_password(tmp_path: Path, address: str, shown: str) -> None:
    ran = run(tmp_path, "status", KINFOLK_DATABASE_URL=address)
    assert ran.output.startswith(f"Database: {shown}\nError: The database failed: ")
    assert ran.exit_code == 1
    assert "password" not in ran.output


@pytest.mark.parametrize(
    ("address", "reason"),
    [("mysql://host/site", "must start with"), ("nothing", "is not the address"), ("postgresql:///", "")],
)
def test_command_reports_a_wrong_address(tmp_path: Path, address: str, reason: str) -> None:
    ran = run(tmp_path, "status", KINFOLK_DATABASE_URL=address)
    assert ran.exit_code == 1
    assert reason in ran.output
    assert isinstance(ran.exception, SystemExit)


def test_command_reports_a_newer_database(tmp_path: Path, sqlite_database: Database) -> None:
    make_newer(sqlite_database)
    ran = run(tmp_path, "upgrade")
    assert ran.exit_code == 1
    assert "version 9999, which this version of Kinfolk does not know" in ran.output
    assert "Version:  9999" in run(tmp_path, "status").output
