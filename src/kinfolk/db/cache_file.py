"""A SQLite file of results that can be made again, for all processes of a site.

A damaged file is replaced by an empty one; without a file, reads find nothing and writes are dropped. Readers do not
block on the writer.
"""

from __future__ import annotations

import fcntl
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import structlog

from kinfolk.runtime.services.supervisor import FailureLog

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

WRITE_TIMEOUT_S = 10.0
READ_TIMEOUT_S = 0.02
"""With a write-ahead log, reads are locked out only while the file is opened or closed. A page must not wait for it."""
REOPEN_S = 10.0
"""Seconds between two attempts to open a file that cannot be opened."""

Value = bytes | str | int | float | None
Statement = tuple[str, Iterable[Sequence[Value]]]
"""A statement, and the values of each time that it runs."""


class CacheFile:
    """Thread-safe for any number of readers and one writer.

    `schema` creates the tables, of which the file stores `version`: a file of another version is deleted. `cleanup`
    runs at each opening. `contents` names what is stored, in the log.
    """

    def __init__(
        self,
        file: Path,
        schema: str,
        *,
        version: int,
        contents: str,
        cleanup: Sequence[Statement] = (),
        reopen_s: float = REOPEN_S,
    ) -> None:
        self.file = file
        self._schema = schema
        self._version = version
        self._contents = contents
        self._cleanup = cleanup
        self._reading = threading.Lock()
        self._reader: sqlite3.Connection | None = None
        self._writer: sqlite3.Connection | None = None
        self._damaged = False
        self._opened_s = 0.0
        self._reopen_s = reopen_s
        self._failures = FailureLog(f"{contents} cannot be stored")
        self._open()

    def row(self, query: str, *values: Value) -> sqlite3.Row | None:
        """The first row; None without one, or if the file cannot be read now."""
        rows = self._fetch(query, values, only_first=True)
        return rows[0] if rows else None

    def rows(self, query: str, *values: Value) -> list[sqlite3.Row]:
        """All rows; none if the file cannot be read now."""
        return self._fetch(query, values, only_first=False)

    def write(self, *statements: Statement) -> None:
        """Run the statements in one transaction. Only for the writing thread."""
        if self._damaged:
            self._recreate()
        if self._writer is None and time.monotonic() - self._opened_s > self._reopen_s:
            self._open()  # the disk may have free space again
        if self._writer is None:
            return
        try:
            self._writer.execute("BEGIN IMMEDIATE")
            try:
                for statement, rows in statements:
                    self._writer.executemany(statement, rows)
            except BaseException:
                self._writer.execute("ROLLBACK")
                raise
            self._writer.execute("COMMIT")
        except sqlite3.Error as error:
            self._check_damage(error)
            self._failures.failed(error, file=str(self.file))
        else:
            self._failures.succeeded()

    def close(self) -> None:
        with self._reading:
            for connection in (self._reader, self._writer):
                if connection is not None:
                    with suppress(sqlite3.Error):
                        connection.close()
            self._reader = self._writer = None

    def _fetch(self, query: str, values: Sequence[Value], *, only_first: bool) -> list[sqlite3.Row]:
        with self._reading:
            if self._reader is None:
                return []
            try:
                found = self._reader.execute(query, values)
                return found.fetchmany(1) if only_first else found.fetchall()
            except sqlite3.Error as error:
                self._check_damage(error)
                return []

    def _check_damage(self, error: sqlite3.Error) -> None:
        # OperationalError (a locked file, a full disk) does not mean that the file is damaged.
        self._damaged |= isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError)

    def _recreate(self) -> None:
        log.warning("a cache file is damaged and is recreated", contents=self._contents, file=str(self.file))
        self.close()
        self._damaged = False
        self._open()

    def _open(self) -> None:
        self._opened_s = time.monotonic()
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            with self._exclusive_lock():
                if not self._is_sound():
                    self._delete()
                self._writer = self._connect(WRITE_TIMEOUT_S)
                self._writer.execute("PRAGMA journal_mode = WAL")
                self._writer.execute("PRAGMA synchronous = NORMAL")
                self._writer.executescript(self._schema)
                self._writer.execute(f"PRAGMA user_version = {self._version}")
                for statement, rows in self._cleanup:
                    self._writer.executemany(statement, rows)
            self._reader = self._connect(READ_TIMEOUT_S)
        except (OSError, sqlite3.Error) as error:
            self._failures.failed(error, file=str(self.file))
            self.close()

    def _connect(self, timeout_s: float) -> sqlite3.Connection:
        connection = sqlite3.connect(self.file, timeout=timeout_s, isolation_level=None, check_same_thread=False)
        connection.row_factory = sqlite3.Row
        return connection

    @contextmanager
    def _exclusive_lock(self) -> Iterator[None]:
        """Keep other processes from opening or deleting the file."""
        with self.file.with_name(f"{self.file.name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _is_sound(self) -> bool:
        """Whether the file does not exist, or is intact and of this version."""
        if not self.file.exists():
            return True
        if not self.file.stat().st_size:
            log.warning("a cache file is empty and is recreated", contents=self._contents, file=str(self.file))
            return True
        try:
            with closing(self._connect(WRITE_TIMEOUT_S)) as connection:
                (version,) = connection.execute("PRAGMA user_version").fetchone()
                (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError:
            return False
        return bool(version == self._version and verdict == "ok")

    def _delete(self) -> None:
        log.warning("a cache file is unusable and is deleted", contents=self._contents, file=str(self.file))
        for end in ("", "-wal", "-shm"):
            self.file.with_name(self.file.name + end).unlink(missing_ok=True)
