"""Connections, transactions, and locks across processes, on SQLite or PostgreSQL.

    database = Database(database_url(settings), lock_folder=settings.var)
    with database.transaction() as connection:
        connection.execute(database.insert(npm_state).values(...).on_conflict_do_update(...))

All calls block: the event loop calls them in threads (decisions/0016).
"""

from __future__ import annotations

import asyncio
import fcntl
import math
import sqlite3
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from zlib import crc32

from sqlalchemy import Connection, Dialect, Engine, Table, create_engine, event, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, DisconnectionError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from kinfolk.config.settings import Settings
from kinfolk.db.database_file import DatabaseFile
from kinfolk.runtime.errors import Invalid, Unavailable
from kinfolk.runtime.telemetry.spans import span

FILE = "kinfolk.sqlite"
BUSY_S = 5.0
"""Seconds that a transaction waits for another one, for a free connection, and for the network."""
CONNECT_S = 2
"""Seconds for a new connection to PostgreSQL."""
RETRY_S = 2.0
"""Seconds after a failed connect in which none is tried."""
CONNECTIONS = 4
"""Open connections of one process to PostgreSQL."""


def database_url(settings: Settings) -> URL:
    """The address of the database; a file in `var` by default. Raises Invalid for an address that is none."""
    if not settings.database_url:
        return URL.create("sqlite", database=str(settings.var / FILE))
    try:
        url = make_url(settings.database_url)
    except ArgumentError:
        raise Invalid("KINFOLK_DATABASE_URL is not the address of a database") from None
    if url.get_backend_name() == "postgresql":
        if find_spec("psycopg") is None:
            raise Invalid("PostgreSQL needs the package psycopg: pip install 'kinfolk[postgresql]'")
        return url.set(drivername="postgresql+psycopg")
    if url.get_backend_name() == "sqlite":
        return url.set(drivername="sqlite")
    raise Invalid("KINFOLK_DATABASE_URL must start with postgresql:// or sqlite://")


class Database:
    """A database, for any number of threads and processes. It connects at the first use.

    Do not use one in a process and in its forks: `close` it before the fork, or open it after.
    """

    def __init__(self, url: URL, *, lock_folder: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self.url = url
        self.refusal: str | None = None
        """Why this process must not use the database, if it must not: its tables have a newer version."""
        self._lock_folder = lock_folder
        self._file = _file_of(url)
        self.engine = _create_engine(url, clock, self._file)

    @property
    def is_postgresql(self) -> bool:
        return self.engine.dialect.name == "postgresql"

    def on_replaced(self, listener: Callable[[], None]) -> None:
        """Call `listener`, which must not block, when the file of the database was replaced."""
        if self._file is not None:
            self._file.on_replaced = listener

    @property
    def generation(self) -> int:
        """Rises when the file of the database was replaced, or deleted and written again."""
        return self._file.generation if self._file is not None else 0

    @property
    def address(self) -> str:
        """The address without its password."""
        url = self.url.set(drivername=self.url.get_backend_name()).difference_update_query(["password", "sslpassword"])
        return url.render_as_string(hide_password=True)

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """One transaction: committed at the end of the block, rolled back after an error.

        Raises Unavailable when the database cannot be reached or written.
        """
        self._check_refusal()
        with (
            span("database write"),
            reporting_failures(),
            self.engine.execution_options(**_WRITES).begin() as connection,
        ):
            yield connection
            self._check_file(connection)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection that only reads. Raises Unavailable."""
        self._check_refusal()
        with span("database read"), self._connected() as connection:
            yield connection

    @contextmanager
    def _connected(self) -> Iterator[Connection]:
        with reporting_failures(), self.engine.connect() as connection:
            yield connection

    def _check_file(self, connection: Connection) -> None:
        """Raises Unavailable if a commit would be written into a file that was deleted meanwhile."""
        if self._file is not None and not self._file.is_current(connection.info.get(_GENERATION, 0)):
            raise Unavailable("The database failed: its file was deleted during the transaction")

    def _check_refusal(self) -> None:
        if self.refusal is not None:
            raise Unavailable(self.refusal)

    def insert(self, table: Table) -> Any:
        """An insert that can continue `on_conflict_do_update`, which both databases spell alike."""
        return postgresql.insert(table) if self.is_postgresql else sqlite.insert(table)

    def serialize(self, connection: Connection, name: str) -> None:
        """Make other transactions that call it with `name` wait until this one ends. SQLite has one writer anyway."""
        if self.is_postgresql:
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": crc32(f"serialize {name}".encode())})

    @contextmanager
    def exclusive(self, name: str, *, wait: bool = False) -> Iterator[bool]:
        """Whether this process alone holds the lock `name` until the end of the block.

        Does not block, or with `wait` until the lock is free. The operating system or PostgreSQL releases the lock of a
        process that was killed. Raises Unavailable.
        """
        lock = self._advisory_lock if self.is_postgresql else self._file_lock
        with lock(name, wait) as held:
            yield held

    @asynccontextmanager
    async def exclusive_async(self, name: str) -> AsyncIterator[bool]:
        """`exclusive` for the event loop: threads take and release the lock."""
        lock = self.exclusive(name)
        held = await asyncio.to_thread(lock.__enter__)
        try:
            yield held
        finally:
            await asyncio.to_thread(lock.__exit__, None, None, None)

    @contextmanager
    def _advisory_lock(self, name: str, wait: bool) -> Iterator[bool]:
        # Without a span: another thread than the one that took the lock may release it.
        self._check_refusal()
        with self._connected() as connection:
            held = take_advisory_lock(connection, name, wait=wait)
            # The lock belongs to the session: an open transaction would block the removal of old rows.
            connection.commit()
            try:
                yield held
            finally:
                # The lock ends with the session at the latest. It must not return to the pool with it.
                if held and not _unlocked(connection, name):
                    connection.invalidate()

    @contextmanager
    def _file_lock(self, name: str, wait: bool) -> Iterator[bool]:
        try:
            self._lock_folder.mkdir(parents=True, exist_ok=True)
            file = (self._lock_folder / f"{name}.lock").open("w")
        except OSError as failure:
            raise Unavailable(f"The database cannot be locked: {failure}") from failure
        with file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
                return
            yield True

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()
        if self._file is not None:
            self._file.close()


def take_advisory_lock(connection: Connection, name: str, *, wait: bool) -> bool:
    """Whether this session of PostgreSQL has taken the lock `name`. It belongs to the session, not to a transaction."""
    if not wait:
        return bool(connection.scalar(text("SELECT pg_try_advisory_lock(:key)"), _lock_key(name)))
    connection.execute(text("SET LOCAL lock_timeout = 0"))
    with unbounded(connection):
        connection.execute(text("SELECT pg_advisory_lock(:key)"), _lock_key(name))
    return True


def _lock_key(name: str) -> Mapping[str, int]:
    return {"key": crc32(name.encode())}


@contextmanager
def unbounded(connection: Connection) -> Iterator[None]:
    """Let the statements of the block take as long as they need."""
    driver = connection.connection.driver_connection
    bound_s = getattr(driver, "answer_s", None)
    if driver is None or bound_s is None:
        yield
        return
    driver.answer_s = math.inf
    try:
        yield
    finally:
        driver.answer_s = bound_s


def _unlocked(connection: Connection, name: str) -> bool:
    try:
        connection.execute(text("SELECT pg_advisory_unlock(:key)"), _lock_key(name))
        connection.commit()
    except DBAPIError:
        return False
    return True


@contextmanager
def reporting_failures() -> Iterator[None]:
    """Raise failures of the database as Unavailable."""
    try:
        yield
    except DBAPIError as failure:
        raise Unavailable(f"The database failed: {_reason(failure)}") from failure
    except PoolTimeoutError as failure:
        raise Unavailable("The database failed: all connections are in use") from failure


def _file_of(url: URL) -> DatabaseFile | None:
    """The file of SQLite; None for PostgreSQL and for a database in memory."""
    if url.get_backend_name() != "sqlite" or url.database in (None, "", ":memory:"):
        return None
    return DatabaseFile(Path(str(url.database)), BUSY_S)


def _create_engine(url: URL, clock: Callable[[], float], file: DatabaseFile | None) -> Engine:
    if url.get_backend_name() == "postgresql":
        from kinfolk.db.postgresql_connection import KEEPALIVES

        engine = create_engine(
            url,
            pool_size=CONNECTIONS,
            max_overflow=CONNECTIONS,
            pool_timeout=BUSY_S,
            pool_pre_ping=True,
            connect_args={"connect_timeout": CONNECT_S, "tcp_user_timeout": int(BUSY_S * 1000), **KEEPALIVES},
        )
        event.listen(engine, "do_connect", _Connector(clock).connect)
        event.listen(engine, "connect", _configure_postgresql)
        # The pool checks a connection between these two.
        event.listen(engine, "checkin", _expect_check)
        event.listen(engine, "checkout", _expect_statements)
        return engine
    engine = create_engine(url, connect_args={"timeout": BUSY_S})
    event.listen(engine, "do_connect", _create_folder)
    event.listen(engine, "connect", _configure_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    if file is not None:
        _watch(engine, file)
    return engine


_GENERATION = "kinfolk_generation"
"""The key of a connection's information with the generation of its file."""


def _watch(engine: Engine, file: DatabaseFile) -> None:
    """Close connections to a file that was deleted or replaced, before they are used."""

    def check() -> int:
        try:
            return file.check()
        except (OSError, sqlite3.Error) as failure:
            raise sqlite3.OperationalError(f"its file was deleted: {failure}") from failure

    def connecting(_: Dialect, __: object, ___: list[Any], ____: object) -> None:
        check()  # a connection would create an empty file

    def connected(_: object, record: Any) -> None:
        record.info[_GENERATION] = file.opened()

    def checked_out(_: object, record: Any, __: object) -> None:
        try:
            generation = check()
        except sqlite3.OperationalError as failure:
            raise DBAPIError("", None, failure) from failure
        if record.info.get(_GENERATION) != generation:
            raise DisconnectionError("the file was replaced")

    event.listen(engine, "do_connect", connecting)
    event.listen(engine, "connect", connected)
    event.listen(engine, "checkout", checked_out)


class _Connector:
    """Fails at once for RETRY_S after a failed connect, so that requests do not all wait for a server that is away.

    After that, one thread tries, and the others fail at once until it has succeeded.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._failed_s: float | None = None
        self._reason = ""
        self._trying = threading.Lock()

    def connect(self, dialect: Dialect, _: object, arguments: list[Any], options: dict[str, Any]) -> Any:
        from kinfolk.db.postgresql_connection import BoundedConnection

        failed_s = self._failed_s
        if failed_s is None:
            return self._try(dialect, BoundedConnection.connect, arguments, options)
        if self._clock() < failed_s + RETRY_S or not self._trying.acquire(blocking=False):
            raise dialect.loaded_dbapi.OperationalError(self._reason)
        try:
            return self._try(dialect, BoundedConnection.connect, arguments, options)
        finally:
            self._trying.release()

    def _try(self, dialect: Dialect, connect: Callable[..., Any], arguments: list[Any], options: dict[str, Any]) -> Any:
        try:
            connection = connect(*arguments, **options)
        except dialect.loaded_dbapi.Error as failure:
            self._note_failure(str(failure))
            raise
        self._failed_s = None
        connection.on_silence = self._note_failure
        return connection

    def _note_failure(self, reason: str) -> None:
        self._failed_s, self._reason = self._clock(), reason


def _configure_postgresql(connection: Any, _: object) -> None:
    from kinfolk.db.postgresql_connection import SERVER_KEEPALIVES

    connection.execute(f"SET lock_timeout = '{int(BUSY_S * 1000)}ms'; {SERVER_KEEPALIVES}")
    connection.commit()


def _expect_check(connection: Any, _: object) -> None:
    from kinfolk.db.postgresql_connection import CHECK_S

    if connection is not None:
        connection.answer_s = CHECK_S


def _expect_statements(connection: Any, *_: object) -> None:
    from kinfolk.db.postgresql_connection import ANSWER_S

    connection.answer_s = ANSWER_S


def _create_folder(_: Dialect, __: object, arguments: list[Any], ___: object) -> None:
    # Without the folder, SQLite reports that it cannot open the file.
    with suppress(OSError):
        Path(arguments[0]).parent.mkdir(parents=True, exist_ok=True)


def _configure_sqlite(connection: Any, _: object) -> None:
    # The driver begins transactions itself, and late. `_begin_sqlite` does.
    connection.isolation_level = None
    # The file keeps this mode. The change fails at once while another process makes it or reads the file.
    with suppress(sqlite3.OperationalError):
        connection.execute("PRAGMA journal_mode = WAL")
    for pragma in ("synchronous = NORMAL", "foreign_keys = ON", "journal_size_limit = 4194304"):
        connection.execute(f"PRAGMA {pragma}")


_WRITES = {"kinfolk_writes": True}
"""The execution options of a transaction that writes."""


def _begin_sqlite(connection: Connection) -> None:
    # A transaction that begins with a read could not write any more after another process has written.
    writes = connection.get_execution_options().get("kinfolk_writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _reason(failure: DBAPIError) -> str:
    """The first line of the driver's message: it has no values of the statement."""
    return str(failure.orig).strip().partition("\n")[0]


def open_database(settings: Settings) -> Database:
    """The database, without a connection. Raises Invalid for an address that is none."""
    return Database(database_url(settings), lock_folder=settings.var)


def utc_now() -> datetime:
    """The time as the database stores it: in UTC, without a time zone."""
    return datetime.now(UTC).replace(tzinfo=None)
