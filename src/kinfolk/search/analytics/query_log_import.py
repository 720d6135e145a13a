"""Imports the counts of `searches.sqlite`, the file in which earlier versions counted searches."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import date
from pathlib import Path

import structlog
from sqlalchemy import Table

from kinfolk.db.database import Database
from kinfolk.db.tables import search_clicked_records, search_clicks, search_events, search_queries
from kinfolk.search.analytics.query_log import add_counts, storable

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

FORMER_FILE = "searches.sqlite"
IMPORTED = ".imported"
"""Added to the name of the file. A crash between the commit and the renaming counts the file twice."""
_FORMER_TABLES = {
    "searches": search_queries,
    "clicks": search_clicks,
    "chosen": search_clicked_records,
    "events": search_events,
}
_ROWS = 1000


def import_query_log(database: Database, file: Path) -> None:
    """Add the counts of this file to the database, and rename it. A damaged file is logged and left.

    Raises Unavailable when the database cannot be written.
    """
    if not file.exists():
        return
    with database.exclusive("query-log-import", wait=True):
        if not file.exists():
            return
        try:
            rows = _import(database, file)
        except (sqlite3.Error, ValueError, TypeError) as damage:
            log.error("earlier counts of searches not imported", file=str(file), reason=str(damage))  # noqa: TRY400
            return
        for end in ("", "-wal", "-shm"):
            part = file.with_name(file.name + end)
            if part.exists():
                part.rename(file.with_name(file.name + IMPORTED + end))
        log.info("earlier counts of searches imported", file=str(file), rows=rows)


def _import(database: Database, file: Path) -> int:
    imported = 0
    with closing(sqlite3.connect(file, timeout=5)) as former, database.transaction() as connection:
        for name, table in _FORMER_TABLES.items():
            for rows in _batches(former, name, table):
                add_counts(database, connection, table, rows)
                imported += len(rows)
    return imported


def _batches(former: sqlite3.Connection, name: str, table: Table) -> Iterator[list[dict[str, object]]]:
    """The rows of a table for the present one, whose columns have the same order. Raises ValueError for a wrong day."""
    lengths = {column.name: getattr(column.type, "length", None) for column in table.columns}
    cursor = former.execute(f"SELECT * FROM {name}")  # noqa: S608 - a name of _FORMER_TABLES
    while found := cursor.fetchmany(_ROWS):
        rows = [dict(zip(lengths, row, strict=True)) for row in found]
        yield [
            {name: storable(value)[: lengths[name]] if isinstance(value, str) else value for name, value in row.items()}
            | {"day": date.fromisoformat(row["day"])}
            for row in rows
        ]
