"""Writes a backup while the site runs: the rows of one moment, and the indexes that clients pushed."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from sqlalchemy import Connection

from kinfolk.cli.backup.backup_file import (
    CHUNK_BYTES,
    FORMAT,
    BackupManifest,
    BackupMember,
    BackupWriter,
    file_member,
    new_backup,
    table_member,
)
from kinfolk.cli.backup.table_rows import row_lines, stored_tables
from kinfolk.config.settings import Settings
from kinfolk.db.database import Database, reporting_failures
from kinfolk.db.schema import revision_of
from kinfolk.runtime.errors import Invalid, Unavailable

PUSHED = "pushed/records.sqlite"
"""The records of pushed indexes, below `var`. The folders beside it are made from them."""

Progress = Callable[[str, int, int], None]
"""Gets the table or the file, how many are complete, and how many there are."""


def write_backup(settings: Settings, database: Database, file: Path, *, on_progress: Progress) -> BackupManifest:
    """Write a backup of the site. Raises Unavailable if the database cannot be read, Invalid if there is nothing in it.

    The site goes on writing: rows are those of the moment at which the backup began.
    """
    with new_backup(file) as writer, _moment(database) as connection:
        revision = revision_of(connection)
        if revision is None:
            raise Invalid("The database has no tables yet: there is nothing to back up")
        tables = stored_tables(connection)
        pushed = settings.var / PUSHED
        total = len(tables) + pushed.is_file()
        written: dict[str, BackupMember] = {}
        for done, table in enumerate(tables):
            on_progress(table.name, done, total)
            with writer.member(table_member(table.name)) as sink:
                for sink.rows, line in enumerate(row_lines(connection, table)):
                    sink.write(line)
            written[table.name] = sink.member
        files = {}
        if pushed.is_file():
            on_progress("pushed indexes", len(tables), total)
            files[PUSHED] = _write_pushed(writer, pushed, file.absolute().parent)
        manifest = BackupManifest(
            format=FORMAT,
            version=version("kinfolk"),
            created_at=datetime.now(UTC).isoformat(timespec="seconds"),
            revision=revision,
            tables=written,
            files=files,
        )
        writer.close(manifest)
        on_progress("", total, total)
    return manifest


@contextmanager
def _moment(database: Database) -> Iterator[Connection]:
    """A connection all of whose reads see the rows of one moment, while others write."""
    # Not `reading`, which refuses a database of a newer version: a backup of it can be restored with that version.
    engine = database.engine
    if database.is_postgresql:
        engine = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
    with reporting_failures(), engine.connect() as connection, connection.begin():
        yield connection


def _write_pushed(writer: BackupWriter, records: Path, folder: Path) -> BackupMember:
    with tempfile.TemporaryDirectory(prefix=".kinfolk-backup-", dir=folder) as temporary:
        copy = Path(temporary) / "records.sqlite"
        copy_records(records, copy)
        with copy.open("rb") as stream, writer.member(file_member(PUSHED)) as sink:
            while piece := stream.read(CHUNK_BYTES):
                sink.write(piece)
        return sink.member


def copy_records(records: Path, copy: Path) -> None:
    """Copy a database of pushed indexes of one moment. The indexes of the copy are not built. Raises Unavailable."""
    try:
        with closing(sqlite3.connect(f"{records.absolute().as_uri()}?mode=ro", uri=True, timeout=10)) as source:
            source.execute("VACUUM INTO ?", (str(copy),))
        with closing(sqlite3.connect(copy, isolation_level=None)) as own:
            own.execute("UPDATE indexes SET built = 0, seen = 0")
    except sqlite3.Error as failure:
        raise Unavailable(f"{records} cannot be copied: {failure}") from failure
