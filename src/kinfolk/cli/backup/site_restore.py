"""Restores a backup: all of it, or nothing."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from kinfolk.cli.backup.backup_file import BackupManifest, BackupReader, file_member, table_member
from kinfolk.cli.backup.site_backup import PUSHED
from kinfolk.cli.backup.table_rows import has_rows, insert_rows, stored_tables
from kinfolk.config.settings import Settings
from kinfolk.db.database import Database
from kinfolk.db.schema import rebuild
from kinfolk.runtime.errors import Invalid, Refused, Unavailable
from kinfolk.web.processes.server_lock import without_server

FILES = frozenset({PUSHED})
"""All files that a backup can have."""

Progress = Callable[[str, int, int], None]

_OTHER_CLIENTS = text(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    " AND backend_type = 'client backend'"
)


def restore_backup(
    settings: Settings, database: Database, file: Path, *, replace: bool, on_progress: Progress
) -> BackupManifest:
    """Replace the database and the pushed indexes by those of a backup, and upgrade the tables.

    The backup is read and compared with its manifest first. Raises Refused while a server runs, and for a database with
    rows without `replace`; Invalid for a backup that cannot be restored; Unavailable for a database that fails. After
    any of them, all is as before.
    """
    with BackupReader(file) as backup, without_server(settings.var):
        _check(settings, database, backup, replace=replace)
        read = 0
        for size in backup.verify():
            read += size
            on_progress("Checking", read, backup.manifest.bytes)
        with _new_pushed(settings.var, backup) as swap:
            rebuild(database, backup.manifest.revision, lambda connection: _fill(connection, backup, on_progress, swap))
        return backup.manifest


def _check(settings: Settings, database: Database, backup: BackupReader, *, replace: bool) -> None:
    unknown = min(backup.manifest.files.keys() - FILES, default=None)
    if unknown is not None:
        raise Invalid(f"{backup.file} has the file {unknown[:100]!r}, which this version of Kinfolk does not know")
    with database.reading() as connection:
        others = connection.scalar(_OTHER_CLIENTS) if database.is_postgresql else 0
        if others:
            raise Refused(f"{others} other connections to the database are open: stop all servers of the site first")
        is_used = has_rows(connection) or (settings.var / PUSHED).exists()
    if is_used and not replace:
        raise Refused(
            "The database has rows, or there are pushed indexes: the option --replace deletes them. Make a backup first"
        )
    settings.var.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(settings.var).free
    if free < backup.manifest.bytes:
        raise Refused(f"{settings.var} has {free >> 20} MB free; {backup.file} has {backup.manifest.bytes >> 20} MB")


def _fill(connection: Connection, backup: BackupReader, on_progress: Progress, swap: Callable[[], None]) -> None:
    tables = stored_tables(connection)
    expected, found = {table.name for table in tables}, set(backup.manifest.tables)
    if expected != found:
        wrong = min(expected ^ found)
        raise Invalid(f"{backup.file}: the tables are not those of version {backup.manifest.revision}, such as {wrong}")
    inserted = 0
    for table in tables:

        def count(rows: int, name: str = table.name) -> None:
            nonlocal inserted
            inserted += rows
            on_progress(name, inserted, backup.manifest.rows)

        try:
            insert_rows(connection, table, backup.lines(table_member(table.name)), on_rows=count)
        except DBAPIError as failure:
            reason = str(failure.orig).strip().partition("\n")[0]
            raise Invalid(f"The table {table.name} cannot be restored: {reason}") from failure
    # The last step before the commit: a failure of the commit undoes it.
    swap()


@contextmanager
def _new_pushed(var: Path, backup: BackupReader) -> Iterator[Callable[[], None]]:
    """Extract the pushed indexes, and give what puts them in place. Undone if the block fails."""
    here, new, old = var / "pushed", var / "pushed.restoring", var / "pushed.before-restore"
    shutil.rmtree(new, ignore_errors=True)
    if PUSHED in backup.manifest.files:
        _extract(backup, new)

    def swap() -> None:
        shutil.rmtree(old, ignore_errors=True)
        try:
            if here.exists():
                here.rename(old)
            if new.exists():
                new.rename(here)
        except OSError as failure:
            raise Unavailable(f"{here} cannot be replaced: {failure.strerror}") from failure

    had_old = here.exists()
    try:
        yield swap
    except BaseException:
        if had_old and old.exists() and not new.exists():
            shutil.rmtree(here, ignore_errors=True)
            with suppress(OSError):
                old.rename(here)
        raise
    finally:
        shutil.rmtree(new, ignore_errors=True)


def _extract(backup: BackupReader, folder: Path) -> None:
    records = folder / Path(PUSHED).name
    try:
        folder.mkdir(parents=True, mode=0o700)
        with records.open("wb") as stream:
            for piece in backup.chunks(file_member(PUSHED)):
                stream.write(piece)
    except OSError as failure:
        raise Unavailable(f"{records} cannot be written: {failure.strerror}") from failure
    try:
        with closing(sqlite3.connect(f"{records.absolute().as_uri()}?mode=ro", uri=True)) as found:
            verdict = found.execute("PRAGMA quick_check(1)").fetchone()[0]
            # Kinfolk makes none, and SQLite would run them.
            programs = found.execute("SELECT count(*) FROM sqlite_master WHERE type IN ('trigger', 'view')").fetchone()
    except sqlite3.DatabaseError:
        verdict, programs = "damaged", (0,)
    if verdict != "ok" or programs[0]:
        raise Invalid(f"{backup.file}: the pushed indexes are damaged")
