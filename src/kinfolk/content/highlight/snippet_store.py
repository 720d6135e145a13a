"""Stores highlighted snippets across restarts, in one SQLite file for all processes of a site.

The file is a cache. A damaged file is replaced by an empty one; without a file each process highlights all snippets
itself.
"""

from __future__ import annotations

import fcntl
import sqlite3
import threading
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import structlog

from kinfolk.content.highlight.code_snippet import HighlightedCode
from kinfolk.runtime.services.supervisor import FailureLog

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

WRITE_TIMEOUT_S = 10.0
READ_TIMEOUT_S = 0.02
"""With a write-ahead log, reads are locked out only while the file is opened or closed. A page must not wait for it."""
REOPEN_S = 10.0
"""Seconds between two attempts to open a file that cannot be opened."""
VERSION = 1
"""Version of the schema below. A file of another version is deleted."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS snippets (key BLOB PRIMARY KEY, pipeline TEXT NOT NULL, html BLOB NOT NULL, fault TEXT);
CREATE TABLE IF NOT EXISTS walked (name TEXT NOT NULL, pipeline TEXT NOT NULL, PRIMARY KEY (name, pipeline));
"""


class SnippetStore:
    """Snippets of one pipeline; opening deletes those of others. Readers do not block on the writer.

    Thread-safe for any number of readers and one writer.
    """

    def __init__(self, file: Path, pipeline: str, *, reopen_s: float = REOPEN_S) -> None:
        self.file = file
        self.pipeline = pipeline
        self._reading = threading.Lock()
        self._reader: sqlite3.Connection | None = None
        self._writer: sqlite3.Connection | None = None
        self._damaged = False
        self._opened_s = 0.0
        self._reopen_s = reopen_s
        self._failures = FailureLog("highlighted snippets cannot be stored")
        self._open()

    def get(self, key: bytes) -> HighlightedCode | None:
        """The snippet stored under this key."""
        row = self._read("SELECT html, fault FROM snippets WHERE key = ?", key)
        if row is None:
            return None
        try:
            # zlib's checksum detects corruption on the disk.
            return HighlightedCode(zlib.decompress(row[0]).decode("utf-8", "surrogatepass"), row[1])
        except (zlib.error, TypeError, ValueError):
            return None

    def has(self, key: bytes) -> bool:
        return self._read("SELECT 1 FROM snippets WHERE key = ?", key) is not None

    def put(self, snippets: Mapping[bytes, HighlightedCode]) -> None:
        """Store these in one transaction. Only for the writing thread."""
        rows = [
            (key, self.pipeline, zlib.compress(one.html.encode("utf-8", "surrogatepass"), 6), one.fault)
            for key, one in snippets.items()
        ]
        self._write("INSERT OR REPLACE INTO snippets VALUES (?, ?, ?, ?)", rows)

    def is_complete(self, name: str) -> bool:
        """Whether all snippets of the section with this name are stored."""
        return self._read("SELECT 1 FROM walked WHERE name = ? AND pipeline = ?", name, self.pipeline) is not None

    def mark_complete(self, name: str) -> None:
        """Record that all snippets of the section with this name are stored. Only for the writing thread."""
        self._write("INSERT OR REPLACE INTO walked VALUES (?, ?)", [(name, self.pipeline)])

    def faults(self) -> dict[str, int]:
        """Number of snippets without colors by reason, among those of known languages."""
        with self._reading:
            if self._reader is None:
                return {}
            query = "SELECT fault, count(*) FROM snippets WHERE fault IS NOT NULL GROUP BY fault"
            return {fault: count for fault, count in self._reader.execute(query)}  # noqa: C416 a sqlite3.Row is not a pair

    def __len__(self) -> int:
        found = self._read("SELECT count(*) FROM snippets")
        return int(found[0]) if found else 0

    def close(self) -> None:
        with self._reading:
            for connection in (self._reader, self._writer):
                if connection is not None:
                    with suppress(sqlite3.Error):
                        connection.close()
            self._reader = self._writer = None

    def _read(self, query: str, *values: bytes | str) -> sqlite3.Row | None:
        with self._reading:
            if self._reader is None:
                return None
            try:
                row: sqlite3.Row | None = self._reader.execute(query, values).fetchone()
            except sqlite3.Error as error:
                self._check_damage(error)
                return None
            return row

    def _write(self, statement: str, rows: Iterable[tuple[bytes | str | None, ...]]) -> None:
        if self._damaged:
            self._recreate()
        if self._writer is None and time.monotonic() - self._opened_s > self._reopen_s:
            self._open()  # the disk may have free space again
        if self._writer is None:
            return
        try:
            self._writer.execute("BEGIN IMMEDIATE")
            try:
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

    def _check_damage(self, error: sqlite3.Error) -> None:
        # OperationalError (a locked file, a full disk) does not mean that the file is damaged.
        self._damaged |= isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError)

    def _recreate(self) -> None:
        log.warning("the file of highlighted snippets is damaged and is recreated", file=str(self.file))
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
                self._writer.executescript(_SCHEMA)
                self._writer.execute(f"PRAGMA user_version = {VERSION}")
                for table in ("snippets", "walked"):
                    self._writer.execute(f"DELETE FROM {table} WHERE pipeline != ?", (self.pipeline,))  # noqa: S608
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
            log.warning("the file of highlighted snippets is empty and is recreated", file=str(self.file))
            return True
        try:
            with closing(self._connect(WRITE_TIMEOUT_S)) as connection:
                (version,) = connection.execute("PRAGMA user_version").fetchone()
                (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError:
            return False
        return bool(version == VERSION and verdict == "ok")

    def _delete(self) -> None:
        log.warning("the file of highlighted snippets is unusable and is deleted", file=str(self.file))
        for end in ("", "-wal", "-shm"):
            self.file.with_name(self.file.name + end).unlink(missing_ok=True)
