"""Backups are complete, of one moment, restored as a whole, and refused where they are damaged or hostile."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import subprocess
import threading
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy import delete, func, insert, select
from tests.servers.databases import PostgresServer, postgresql_programs, sqlite_url, upgraded_sqlite
from tests.sites.sample_site import SITE, read_settings
from tests.suite.documents import code_blocks

from kinfolk.cli.backup import backup_file
from kinfolk.cli.backup.site_backup import PUSHED, write_backup
from kinfolk.cli.backup.site_restore import restore_backup
from kinfolk.cli.backup.table_rows import insert_rows
from kinfolk.cli.main import main
from kinfolk.config.settings import Settings
from kinfolk.db.database import Database
from kinfolk.db.schema import current, downgrade, newest, upgrade
from kinfolk.db.tables import audit_events, metadata, npm_downloads, search_events, users
from kinfolk.runtime.errors import Invalid, Refused, SiteError
from kinfolk.search.algolia.formats.settings_format import AlgoliaSettingsReader
from kinfolk.search.pushed_indexes import PushedIndexes
from kinfolk.search.pushed_indexes.operations import RecordOperation
from kinfolk.web.processes.server_lock import is_server_running, running_server, without_server

AT = datetime(2026, 11, 23, 12, 30, 0, 250)  # noqa: DTZ001 - the tables have UTC without a time zone


def no_progress(_: str, __: int, ___: int) -> None:
    pass


def settings_of(var: Path) -> Settings:
    return read_settings({"KINFOLK_VAR": str(var)})


def new_sqlite(folder: Path) -> Database:
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(upgraded_sqlite(), folder / "kinfolk.sqlite")
    return opened(folder / "kinfolk.sqlite")


OPENED: list[Database] = []


def opened(file: Path) -> Database:
    """The database of a file, which is closed after the test."""
    OPENED.append(Database(sqlite_url(file), lock_folder=file.parent))
    return OPENED[-1]


@pytest.fixture(autouse=True)
def databases_are_closed() -> Iterator[None]:
    """Python 3.13 warns of connections that are not."""
    yield
    while OPENED:
        OPENED.pop().close()


def add_rows(database: Database) -> None:
    day = {"index_name": "docs", "kind": "klick ünd\n\0", "count": 1}
    counts = {"package": "query", "year": 2026, "source": "npm", "origin": "", "final": True, "as_of": AT}
    user = {"id": "u1", "name": "Ada 🙂", "created_at": AT, "items_revision": 1 << 40}
    with database.transaction() as connection:
        # PostgreSQL stores no NUL.
        kind = day["kind"] if not database.is_postgresql else "klick ünd\n"
        connection.execute(insert(search_events), [day | {"day": AT.date(), "kind": kind}])
        connection.execute(insert(npm_downloads), [counts | {"counts": bytes(range(256))}])
        connection.execute(insert(users), [user])
        connection.execute(
            insert(audit_events), [{"at": AT, "action": f"a{n}", "detail": "", "user_id": "u1"} for n in range(1200)]
        )


def rows_of(database: Database) -> Mapping[str, list[Any]]:
    with database.reading() as connection:
        return {
            name: [tuple(row) for row in connection.execute(select(table).order_by(*table.primary_key.columns))]
            for name, table in metadata.tables.items()
        }


def without_nul(rows: Mapping[str, list[Any]]) -> Mapping[str, list[Any]]:
    def plain(value: object) -> object:
        return value.replace("\0", "\ufffd") if isinstance(value, str) else value

    return {name: [tuple(map(plain, row)) for row in found] for name, found in rows.items()}


@pytest.fixture
def source(tmp_path: Path) -> Database:
    """An SQLite database with rows, in `tmp_path/source`."""
    database = new_sqlite(tmp_path / "source")
    add_rows(database)
    return database


@pytest.fixture
def backup(source: Database, tmp_path: Path) -> Path:
    write_backup(settings_of(tmp_path / "source"), source, tmp_path / "site.kinfolk", on_progress=no_progress)
    return tmp_path / "site.kinfolk"


def test_backup_of_each_kind_is_restored_into_each_kind(
    database: Database, source: Database, tmp_path: Path, backup: Path
) -> None:
    """`database` is SQLite and PostgreSQL: first the target, then the source."""
    restore_backup(settings_of(tmp_path / "target"), database, backup, replace=False, on_progress=no_progress)
    expected = without_nul(rows_of(source))
    assert rows_of(database) == expected
    second = tmp_path / "second.kinfolk"
    write_backup(settings_of(tmp_path / "target"), database, second, on_progress=no_progress)
    restored = new_sqlite(tmp_path / "again")
    restore_backup(settings_of(tmp_path / "again"), restored, second, replace=False, on_progress=no_progress)
    assert rows_of(restored) == expected


def test_rows_are_numbered_on_after_a_restore(database: Database, tmp_path: Path, backup: Path) -> None:
    restore_backup(settings_of(tmp_path / "target"), database, backup, replace=False, on_progress=no_progress)
    with database.transaction() as connection:
        added = connection.execute(insert(audit_events).values(at=AT, action="later", detail=""))
        assert added.inserted_primary_key == (1201,)


def test_backup_has_the_rows_of_one_moment(database: Database, tmp_path: Path) -> None:
    """A writer inserts a row into the first and the last table in each transaction, while the backup reads."""
    add_rows(database)
    stopping, begun = threading.Event(), threading.Event()

    def write() -> None:
        number = 0
        while not stopping.is_set():
            number += 1
            with database.transaction() as connection:
                connection.execute(insert(audit_events).values(at=AT, action="x", detail=""))
                connection.execute(
                    insert(search_events).values(day=AT.date(), index_name=f"n{number}", kind="x", count=1)
                )
            begun.set()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        assert begun.wait(30)
        file = tmp_path / "moment.kinfolk"
        write_backup(settings_of(tmp_path / "source"), database, file, on_progress=no_progress)
    finally:
        stopping.set()
        writer.join()
    restored = new_sqlite(tmp_path / "target")
    restore_backup(settings_of(tmp_path / "target"), restored, file, replace=False, on_progress=no_progress)
    with restored.reading() as connection:
        events = connection.scalar(select(func.count()).select_from(search_events)) or 0
        audits = connection.scalar(select(func.count()).select_from(audit_events)) or 0
    assert audits - 1200 == events - 1 > 0


def test_backup_of_an_earlier_version_is_upgraded(source: Database, tmp_path: Path) -> None:
    downgrade(source, "0004")
    file = tmp_path / "earlier.kinfolk"
    manifest = write_backup(settings_of(tmp_path / "source"), source, file, on_progress=no_progress)
    assert manifest.revision == "0004"
    restored = new_sqlite(tmp_path / "target")
    restore_backup(settings_of(tmp_path / "target"), restored, file, replace=False, on_progress=no_progress)
    assert current(restored) == newest()
    assert len(rows_of(restored)["audit_events"]) == 1200


def test_backup_of_a_newer_version_is_refused(tmp_path: Path, backup: Path) -> None:
    altered = with_manifest(backup, lambda manifest: manifest | {"revision": "9999"})
    assert "newer" in refusal(tmp_path, altered)


def test_database_without_tables_has_no_backup(tmp_path: Path) -> None:
    database = opened(tmp_path / "empty.sqlite")
    with pytest.raises(Invalid, match="nothing to back up"):
        write_backup(settings_of(tmp_path), database, tmp_path / "site.kinfolk", on_progress=no_progress)
    assert not list(tmp_path.glob("*kinfolk*"))


def test_only_the_owner_reads_a_backup_and_a_failure_keeps_the_last_one(
    tmp_path: Path, source: Database, backup: Path
) -> None:
    assert backup.stat().st_mode & 0o777 == 0o600
    before = backup.read_bytes()

    def interrupt(_: str, done: int, __: int) -> None:
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_backup(settings_of(tmp_path / "source"), source, backup, on_progress=interrupt)
    assert backup.read_bytes() == before
    assert list(tmp_path.glob(".*partial")) == []


def test_database_with_rows_is_replaced_only_with_the_option(tmp_path: Path, source: Database, backup: Path) -> None:
    settings = settings_of(tmp_path / "source")
    with source.transaction() as connection:
        connection.execute(audit_events.delete())
    with pytest.raises(Refused, match="--replace"):
        restore_backup(settings, source, backup, replace=False, on_progress=no_progress)
    restore_backup(settings, source, backup, replace=True, on_progress=no_progress)
    assert len(rows_of(source)["audit_events"]) == 1200


def test_restore_is_refused_while_a_server_runs(tmp_path: Path, backup: Path) -> None:
    target = tmp_path / "target"
    with running_server(target), running_server(target):
        assert is_server_running(target)
        assert "stop it first" in refusal(tmp_path, backup)
    assert not is_server_running(target)


def test_restore_is_refused_while_another_client_uses_postgresql(
    postgresql: PostgresServer, postgresql_database: Database, tmp_path: Path, backup: Path
) -> None:
    with postgresql.connect(postgresql_database.url.database or ""), pytest.raises(Refused, match="1 other connection"):
        restore_backup(
            settings_of(tmp_path / "target"), postgresql_database, backup, replace=False, on_progress=no_progress
        )


def test_server_does_not_start_during_a_restore(tmp_path: Path) -> None:
    with without_server(tmp_path), pytest.raises(Refused, match="being restored"), running_server(tmp_path):
        pass


# Pushed indexes


def pushed_indexes(var: Path) -> PushedIndexes:
    return PushedIndexes(var / "pushed", AlgoliaSettingsReader(), now=lambda: datetime.now(UTC))


def test_pushed_indexes_are_restored_and_built(tmp_path: Path, source: Database) -> None:
    indexes = pushed_indexes(tmp_path / "source")
    indexes.named("books").apply([RecordOperation("addObject", "1", {"objectID": "1", "title": "Dune"})])
    assert indexes.wait_until_current(60)
    file = tmp_path / "site.kinfolk"
    write_backup(settings_of(tmp_path / "source"), source, file, on_progress=no_progress)
    indexes.close()
    target = tmp_path / "target"
    replaced = pushed_indexes(target)
    replaced.named("films").apply([RecordOperation("addObject", "1", {"objectID": "1"})])
    replaced.close()
    restore_backup(settings_of(target), new_sqlite(target), file, replace=True, on_progress=no_progress)
    restored = pushed_indexes(target)
    restored.start()
    assert restored.wait_until_current(60)
    books = restored.find("books")
    assert books is not None
    assert books.count == 1
    assert restored.find("films") is None
    restored.close()


# Damaged and hostile backups


def refusal(tmp_path: Path, file: Path) -> str:
    """The message of a restore that must fail and change nothing."""
    target = new_sqlite(tmp_path / "target")
    with pytest.raises(SiteError) as refused:
        restore_backup(settings_of(tmp_path / "target"), target, file, replace=False, on_progress=no_progress)
    assert current(target) == newest()
    assert all(not rows for rows in rows_of(target).values())
    assert not (tmp_path / "target" / "pushed").exists()
    return refused.value.message


def members_of(file: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(file) as found:
        return {name: found.read(name) for name in found.namelist()}


def rewritten(file: Path, members: Mapping[str, bytes]) -> Path:
    altered = file.with_name("altered.kinfolk")
    with zipfile.ZipFile(altered, "w", zipfile.ZIP_DEFLATED) as out:
        for name, content in members.items():
            out.writestr(name, content)
    return altered


def with_manifest(file: Path, change: Callable[[dict[str, Any]], object]) -> Path:
    members = members_of(file)
    return rewritten(
        file, members | {"manifest.json": json.dumps(change(json.loads(members["manifest.json"]))).encode()}
    )


def with_member(file: Path, kind: str, name: str, content: bytes) -> Path:
    """A backup whose manifest says that a member has this content."""
    members = members_of(file)
    manifest = json.loads(members["manifest.json"])
    digest = {"bytes": len(content), "sha256": sha256(content).hexdigest(), "rows": 0}
    manifest[kind][name] = digest
    member = f"database/{name}.ndjson" if kind == "tables" else f"files/{name}"
    return rewritten(file, members | {member: content, "manifest.json": json.dumps(manifest).encode()})


def test_truncated_backup_is_refused(tmp_path: Path, backup: Path) -> None:
    backup.write_bytes(backup.read_bytes()[:-1000])
    assert "end is missing" in refusal(tmp_path, backup)


def test_changed_byte_is_found(tmp_path: Path, backup: Path) -> None:
    content = bytearray(backup.read_bytes())
    content[len(content) // 3] ^= 0xFF
    backup.write_bytes(content)
    assert "damaged" in refusal(tmp_path, backup)


def test_file_that_is_no_backup_is_refused(tmp_path: Path, backup: Path) -> None:
    backup.write_bytes(b"PK\x05\x06" + b"\xff" * 18)
    assert "no backup" in refusal(tmp_path, backup)
    assert "has no manifest.json" in refusal(tmp_path, rewritten(backup, {"other": b""}))
    assert "cannot be read" in refusal(tmp_path, tmp_path / "missing")


@pytest.mark.parametrize("name", ["../../evil", "/etc/passwd", "pushed/other.sqlite"])
def test_foreign_file_is_refused(tmp_path: Path, backup: Path, name: str) -> None:
    assert "does not know" in refusal(tmp_path, with_member(backup, "files", name, b"x"))
    assert "which its manifest does not name" in refusal(tmp_path, rewritten(backup, members_of(backup) | {name: b"x"}))


def test_member_that_is_larger_than_its_manifest_is_refused(tmp_path: Path, backup: Path) -> None:
    members = members_of(backup)
    bomb = rewritten(backup, members | {"database/users.ndjson": b"0" * 50_000_000})
    assert "larger than its manifest says" in refusal(tmp_path, bomb)
    assert "too large" in refusal(tmp_path, rewritten(backup, members | {"manifest.json": b" " * 2_000_000}))


COLUMNS = b'["day","index_name","kind","count"]\n'


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"[]\n", "its columns are not those"),
        (b"no json\n", "line 1: this is no JSON"),
        (COLUMNS + b"{}\n", "line 2: this is no row"),
        (COLUMNS + b'["2026-11-23","i","k"]\n', "3 values for 4 columns"),
        (COLUMNS + b'["2026-11-23","i","k",true]\n', "count has a wrong value"),
        (COLUMNS + b'["2026-11-23","i","k",9223372036854775808]\n', "count has a wrong value"),
        (COLUMNS + b'["today","i","k",1]\n', "day has a wrong value"),
    ],
)
def test_wrong_rows_are_refused(sqlite_database: Database, content: bytes, expected: str) -> None:
    with sqlite_database.transaction() as connection, pytest.raises(Invalid, match=expected):
        insert_rows(connection, search_events, iter(content.splitlines()), on_rows=lambda _: None)


@pytest.mark.parametrize(
    ("table", "content", "expected"),
    [
        ("search_events", COLUMNS + b'["2026-11-23",null,"k",1]\n', "cannot be restored"),
        ("search_events", COLUMNS + b'["2026-', "has no end"),
        ("unknown_table", b"[]\n", "unknown_table"),
        ("Robert'); DROP", b"[]\n", "is no name of a table"),
    ],
)
def test_wrong_tables_change_nothing(tmp_path: Path, backup: Path, table: str, content: bytes, expected: str) -> None:
    assert expected in refusal(tmp_path, with_member(backup, "tables", table, content))


def test_pushed_indexes_with_programs_are_refused(tmp_path: Path, backup: Path) -> None:
    hostile = tmp_path / "hostile.sqlite"
    with closing(sqlite3.connect(hostile)) as connection:
        connection.executescript("CREATE TABLE a (b); CREATE TRIGGER c AFTER INSERT ON a BEGIN DELETE FROM a; END")
    assert "damaged" in refusal(tmp_path, with_member(backup, "files", PUSHED, hostile.read_bytes()))
    assert "damaged" in refusal(tmp_path, with_member(backup, "files", PUSHED, b"no database"))


def test_claimed_size_of_the_list_of_members_is_not_read(tmp_path: Path, backup: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(backup_file, "MOST_DIRECTORY_BYTES", 100)
    assert "no backup" in refusal(tmp_path, backup)


# Commands


def test_commands_back_up_and_restore(tmp_path: Path) -> None:
    database = new_sqlite(tmp_path / "var")
    add_rows(database)
    environment = {"KINFOLK_SITE": str(SITE), "KINFOLK_VAR": str(tmp_path / "var"), "KINFOLK_DATABASE_URL": ""}
    file = tmp_path / "site.kinfolk"
    written = CliRunner().invoke(main, ["backup", str(file)], env=environment)
    assert written.exit_code == 0, written.output
    assert "1,203 rows" in written.output
    refused = CliRunner().invoke(main, ["restore", str(file)], env=environment)
    assert refused.exit_code == 1
    assert "--replace" in refused.output
    restored = CliRunner().invoke(main, ["restore", str(file), "--replace"], env=environment)
    assert restored.exit_code == 0, restored.output
    assert "1,203 rows" in restored.output
    upgrade(database)


def test_documented_programs_of_postgresql_restore_all_rows(postgresql: PostgresServer, tmp_path: Path) -> None:
    [block] = [block for block in code_blocks() if block.text.startswith("pg_dump ")]
    url = postgresql.take_upgraded()
    database = Database(url, lock_folder=tmp_path)
    add_rows(database)
    expected = rows_of(database)
    address = url.set(drivername="postgresql").render_as_string(hide_password=False)
    dump, restore = (re.sub(r"postgresql://\S+", f"'{address}'", line) for line in block.text.splitlines())
    programs = {"PATH": f"{postgresql_programs()}:{os.environ['PATH']}"}
    for step in (dump, restore):
        if step is restore:
            with database.transaction() as connection:
                connection.execute(delete(audit_events))
            database.close()
        subprocess.run(["bash", "-euc", step], cwd=tmp_path, env=os.environ | programs, check=True)
    restored = Database(url, lock_folder=tmp_path)
    assert rows_of(restored) == expected
    restored.close()
    postgresql.drop(url)
