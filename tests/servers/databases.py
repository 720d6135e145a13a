"""Databases of tests: SQLite files, and databases of a PostgreSQL server that the tests start themselves.

    database            upgraded, once on SQLite and once on PostgreSQL
    sqlite_database     upgraded
    empty_database      without tables, once on SQLite and once on PostgreSQL
    postgresql          the server: its databases, stop and start

Tests of PostgreSQL are skipped where it is not installed (Debian: `apt-get install postgresql`, as `make postgresql`).
"""

from __future__ import annotations

import atexit
import functools
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import psycopg
import pytest
from psycopg import sql
from sqlalchemy.engine import URL

from kinfolk.db.database import Database
from kinfolk.db.schema import newest, upgrade
from kinfolk.db.tables import metadata
from kinfolk.statistics.histories.history_file import load_bundled_history

START_S, STOP_S = 30.0, 10.0
USER = "postgres"
"""The user within the server."""
SYSTEM_USERS = "postgres", "nobody"
"""Users that may run the server, because PostgreSQL refuses root: the first one that exists."""
TEMPLATE = "upgraded"
MOST_DELETED_ROWS = 500
_DELETE_ROWS = sql.SQL("; ").join(
    sql.SQL("DELETE FROM {}").format(sql.Identifier(table.name)) for table in reversed(metadata.sorted_tables)
)
_RESET_SEQUENCES = "SELECT setval(oid::regclass, 1, false) FROM pg_class WHERE relkind = 'S'"
_DISCONNECT_OTHERS = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
"""
_SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "shared_buffers": "16MB",
    "max_connections": "60",
    "autovacuum": "off",
    "max_wal_size": "256MB",
}


def postgresql_programs() -> Path:
    """The folder of PostgreSQL's programs: of the newest version, or of the one in PATH. Skips the test without any."""
    versions = Path("/usr/lib/postgresql").glob("*/bin/postgres")
    newest = max(versions, key=lambda file: int(file.parent.parent.name), default=None)
    found = newest or shutil.which("postgres")
    if found is None:
        pytest.skip("PostgreSQL is not installed")
    return Path(found).resolve().parent


class PostgresServer:
    """A server with a data folder of its own, which listens on a socket in that folder only."""

    def __init__(self, programs: Path) -> None:
        self._programs = programs
        # Not in the folder of pytest: the server's user may not enter it, and a socket's path has at most 107 bytes.
        self._folder = Path(tempfile.mkdtemp(prefix="kinfolk-postgresql-"))
        self._data = self._folder / "data"
        self._numbers = count(1)
        self._cleaned: list[str] = []
        self._process: subprocess.Popen[bytes] | None = None
        self._own: psycopg.Connection | None = None
        if os.geteuid() == 0:
            os.chown(self._folder, *_unprivileged_user())
        self._run("initdb", "-D", str(self._data), "-U", USER, "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C")

    def start(self) -> None:
        settings = [part for name, value in _SETTINGS.items() for part in ("-c", f"{name}={value}")]
        command = [*self._as_user(), str(self._programs / "postgres"), "-D", str(self._data)]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [*command, *settings, "-k", str(self._folder)], stdout=log, stderr=log, cwd=self._folder
            )
        deadline_s = time.monotonic() + START_S
        while True:
            try:
                self.connect().close()
            except psycopg.OperationalError as refused:
                if self._process.poll() is not None or time.monotonic() > deadline_s:
                    raise RuntimeError(f"PostgreSQL did not start:\n{self._log.read_text()[-3000:]}") from refused
                time.sleep(0.02)
            else:
                return

    def stop(self) -> None:
        """Stop at once, connections included."""
        if self._own is not None:
            self._own.close()
            self._own = None
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)
            try:
                self._process.wait(STOP_S)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Stop all processes of the server without an end: it accepts connections, and answers nothing."""
        assert self._process is not None
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children").read_text()
        processes = [self._process.pid, *map(int, children.split())]
        for pid in processes:
            os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            for pid in processes:
                os.kill(pid, signal.SIGCONT)

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self._folder)

    def url(self, name: str = USER) -> URL:
        return URL.create("postgresql+psycopg", USER, database=name, query={"host": str(self._folder)})

    def connect(self, name: str = USER) -> psycopg.Connection:
        return psycopg.connect(host=str(self._folder), user=USER, dbname=name, autocommit=True)

    def create(self, *, template: str = "template0") -> URL:
        """The address of a new database."""
        name = f"test_{next(self._numbers)}"
        self.copy(template, name)
        return self.url(name)

    def copy(self, template: str, name: str) -> None:
        statement = sql.SQL("CREATE DATABASE {} TEMPLATE {}")
        self._execute(statement.format(sql.Identifier(name), sql.Identifier(template)))

    def take_upgraded(self) -> URL:
        """The address of an upgraded database without rows: a cleaned one under a new name, or a new one.

        Creating one takes 36 ms of CPU, cleaning one 10 ms. What still has the old name cannot write to the database.
        """
        if not self._cleaned:
            return self.create(template=TEMPLATE)
        old, name = self._cleaned.pop(), f"test_{next(self._numbers)}"
        rename = sql.SQL("ALTER DATABASE {} RENAME TO {}")
        self._execute(rename.format(sql.Identifier(old), sql.Identifier(name)))
        return self.url(name)

    def return_upgraded(self, url: URL) -> None:
        """Take back a database of `take_upgraded`. It is dropped if a test changed its version, or left many rows."""
        name = url.database or ""
        with self.connect(name) as connection:
            connection.execute(_DISCONNECT_OTHERS)
            is_cleaned = self._clean(connection)
        if is_cleaned:
            self._cleaned.append(name)
        else:
            self.drop(url)

    @staticmethod
    def _clean(connection: psycopg.Connection) -> bool:
        """Delete all rows. False if the tables are not those of the template, or would be large files."""
        try:
            if connection.execute("SELECT version_num FROM alembic_version").fetchall() != [(newest(),)]:
                return False
            deleted = connection.execute(_DELETE_ROWS)
            rows = deleted.rowcount
            while deleted.nextset():
                rows += deleted.rowcount
            connection.execute(_RESET_SEQUENCES)
        except psycopg.errors.UndefinedTable:
            return False
        return rows <= MOST_DELETED_ROWS

    def drop(self, url: URL) -> None:
        self._execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(url.database or "")))

    def _execute(self, statement: sql.Composed) -> None:
        """Execute a statement about databases, in a connection that stays open."""
        if self._own is None or self._own.closed:
            self._own = self.connect()
        self._own.execute(statement)

    @property
    def _log(self) -> Path:
        return self._folder / "log"

    def _run(self, program: str, *arguments: str) -> None:
        command = [*self._as_user(), str(self._programs / program), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, cwd=self._folder, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{program} failed:\n{done.stdout}{done.stderr}")

    @staticmethod
    def _as_user() -> list[str]:
        """What comes before a command that must not run as root, and that must end with this process."""
        if sys.platform != "linux" or shutil.which("setpriv") is None:
            return []
        ended = ["setpriv", "--pdeathsig", "INT"]
        if os.geteuid() != 0:
            return ended
        user, group = _unprivileged_user()
        return [*ended, f"--reuid={user}", f"--regid={group}", "--clear-groups"]


def _unprivileged_user() -> tuple[int, int]:
    """The numbers of the user and its group."""
    known = {user.pw_name: (user.pw_uid, user.pw_gid) for user in pwd.getpwall()}
    return next(known[name] for name in SYSTEM_USERS if name in known)


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgresServer]:
    """A running server. The database `upgraded` is the template of `database`."""
    server = PostgresServer(postgresql_programs())
    try:
        server.start()
        server.copy("template0", TEMPLATE)
        template = Database(server.url(TEMPLATE), lock_folder=Path(tempfile.gettempdir()))
        upgrade(template)
        template.close()
        yield server
    finally:
        server.remove()


@pytest.fixture
def postgresql_database(postgresql: PostgresServer, tmp_path: Path) -> Iterator[Database]:
    url = postgresql.take_upgraded()
    database = Database(url, lock_folder=tmp_path / "locks")
    yield database
    database.close()
    postgresql.return_upgraded(url)


@functools.cache
def upgraded_sqlite(site: Path | None = None) -> Path:
    """A file with all tables, which tests copy; with the bundled download counts of a site."""
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    database = Database(sqlite_url(folder / "upgraded.sqlite"), lock_folder=folder)
    upgrade(database)
    if site is not None:
        load_bundled_history(database, site)
    database.close()
    return folder / "upgraded.sqlite"


def sqlite_url(file: Path) -> URL:
    return URL.create("sqlite", database=str(file))


@pytest.fixture
def sqlite_database(tmp_path: Path) -> Iterator[Database]:
    """An upgraded SQLite database in `tmp_path`."""
    file = tmp_path / "kinfolk.sqlite"
    shutil.copy(upgraded_sqlite(), file)
    database = Database(sqlite_url(file), lock_folder=tmp_path / "locks")
    yield database
    database.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> Database:
    """An upgraded database of each kind."""
    found = request.getfixturevalue(f"{request.param}_database")
    assert isinstance(found, Database)
    return found


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """A database of each kind, without tables."""
    locks = tmp_path / "locks"
    if request.param == "sqlite":
        database = Database(sqlite_url(tmp_path / "deep" / "empty.sqlite"), lock_folder=locks)
        yield database
        database.close()
        return
    server: PostgresServer = request.getfixturevalue("postgresql")
    url = server.create()
    database = Database(url, lock_folder=locks)
    yield database
    database.close()
    server.drop(url)
