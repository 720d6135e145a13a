"""Rows of tables as lines of JSON, the same for SQLite and PostgreSQL: a backup of one can be restored into the other.

The first line of a table has the names of its columns, each other line the values of a row.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, datetime

import orjson
from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    Date,
    DateTime,
    Float,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    func,
    insert,
    select,
    text,
)

from kinfolk.runtime.errors import Invalid, Unavailable

VERSION_TABLES = ("alembic_version", COMPATIBILITY_TABLE)
ROWS_AT_ONCE = 500
BYTES_AT_ONCE = 4 << 20
"""Of the lines that are inserted with one statement."""
_LARGEST_INTEGER = 1 << 63

Value = str | int | float | bool | bytes | date | None


def stored_tables(connection: Connection) -> list[Table]:
    """The tables of the database as it is, in the order in which rows can be inserted. Without that of the version."""
    metadata = MetaData()
    metadata.reflect(connection)
    return [table for table in metadata.sorted_tables if table.name not in VERSION_TABLES]


def has_rows(connection: Connection) -> bool:
    return any(connection.execute(select(table).limit(1)).first() is not None for table in stored_tables(connection))


def row_lines(connection: Connection, table: Table) -> Iterator[bytes]:
    """The line of the columns, then a line for each row, in bounded memory. Raises Unavailable."""
    yield orjson.dumps([column.name for column in table.columns]) + b"\n"
    ordered = select(table).order_by(*table.primary_key.columns)
    try:
        for row in connection.execution_options(yield_per=ROWS_AT_ONCE).execute(ordered):
            yield orjson.dumps([_written(value) for value in row]) + b"\n"
    except (ValueError, TypeError) as wrong:
        raise Unavailable(f"The table {table.name} has a value that cannot be read: {wrong}") from wrong


def _written(value: object) -> object:
    if isinstance(value, (bytes, memoryview)):
        return base64.b64encode(value).decode()
    return value.isoformat() if isinstance(value, date) else value


def insert_rows(
    connection: Connection, table: Table, lines: Iterator[bytes], *, on_rows: Callable[[int], None]
) -> None:
    """Insert the rows of `lines`. Raises Invalid naming the table and the line."""
    columns = _columns(table, next(lines, b""))
    for number, found in _in_batches(lines):
        rows = [
            {column.name: value for column, value in zip(columns, _row(table, columns, line, at), strict=True)}
            for at, line in enumerate(found, number)
        ]
        connection.execute(insert(table), rows)
        on_rows(len(rows))
    _continue_numbers(connection, table)


def _in_batches(lines: Iterable[bytes]) -> Iterator[tuple[int, Sequence[bytes]]]:
    """Lines to insert together, with the number of the first one: the second line of the table is number 2."""
    found: list[bytes] = []
    number, size = 2, 0
    for line in lines:
        found.append(line)
        size += len(line)
        if len(found) == ROWS_AT_ONCE or size > BYTES_AT_ONCE:
            yield number, found
            number, size, found = number + len(found), 0, []
    if found:
        yield number, found


def _columns(table: Table, line: bytes) -> list[Column[object]]:
    names = _parsed(table, line, 1)
    if sorted(map(str, names)) != sorted(table.columns.keys()):
        raise Invalid(f"Table {table.name}: its columns are not those of its version")
    return [table.columns[str(name)] for name in names]


def _parsed(table: Table, line: bytes, number: int) -> list[object]:
    try:
        values = orjson.loads(line)
    except ValueError as wrong:
        raise Invalid(f"Table {table.name}, line {number}: this is no JSON") from wrong
    if not isinstance(values, list):
        raise Invalid(f"Table {table.name}, line {number}: this is no row")
    return values


def _row(table: Table, columns: Sequence[Column[object]], line: bytes, number: int) -> Iterator[Value]:
    values = _parsed(table, line, number)
    if len(values) != len(columns):
        raise Invalid(f"Table {table.name}, line {number}: it has {len(values)} values for {len(columns)} columns")
    for column, value in zip(columns, values, strict=True):
        try:
            yield _read(column, value)
        except ValueError:
            raise Invalid(f"Table {table.name}, line {number}: {column.name} has a wrong value") from None


def _read(column: Column[object], value: object) -> Value:
    """The value as the driver takes it. Raises ValueError for a value of another type."""
    match column.type, value:
        case _, None:
            return None
        case LargeBinary(), str():
            return base64.b64decode(value, validate=True)
        case DateTime(), str():
            return _naive(datetime.fromisoformat(value))
        case Date(), str():
            return date.fromisoformat(value)
        case String(), str():
            # PostgreSQL stores no NUL.
            return value.replace("\0", "\ufffd")
        case Boolean(), bool():
            return value
        case Integer(), int() if not isinstance(value, bool) and -_LARGEST_INTEGER <= value < _LARGEST_INTEGER:
            return value
        case Float(), int() | float() if not isinstance(value, bool):
            return float(value)
    raise ValueError


def _naive(time: datetime) -> datetime:
    if time.tzinfo is not None:
        raise ValueError
    return time


def _continue_numbers(connection: Connection, table: Table) -> None:
    """Let PostgreSQL number further rows after those that were inserted, as SQLite does by itself."""
    column = table.autoincrement_column
    if connection.dialect.name != "postgresql" or column is None:
        return
    names = {"table": table.name, "column": column.name}
    sequence = connection.scalar(text("SELECT pg_get_serial_sequence(:table, :column)"), names)
    if sequence is not None:
        highest = connection.scalar(select(func.max(column))) or 0
        connection.execute(text("SELECT setval(:sequence, :next, false)"), {"sequence": sequence, "next": highest + 1})
