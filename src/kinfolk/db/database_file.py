"""Notices that the file of SQLite was deleted or replaced while it is open, and writes a deleted file again.

SQLite keeps writing into a deleted file, and what it stores there is lost with the last process that has it open.
"""

from __future__ import annotations

import fcntl
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import structlog

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

_Identity = tuple[tuple[int, int] | None, tuple[int, int] | None]
"""Device and inode of the file, and of its write-ahead log; None without one."""


class DatabaseFile:
    """The file of one Database. Thread-safe. Raises sqlite3.Error if a deleted file cannot be written again."""

    def __init__(self, file: Path, busy_s: float) -> None:
        self.generation = 0
        """Rises when the file was replaced: what was read before may not be there."""
        self.on_replaced: Callable[[], None] = _ignore
        """Called after the file was replaced. Must not block."""
        self._file = file
        self._busy_s = busy_s
        self._lock = threading.Lock()
        self._identity: _Identity | None = None
        self._open: sqlite3.Connection | None = None
        """Keeps the file and its write-ahead log open, so that they can be read after they were deleted."""

    def opened(self) -> int:
        """A connection has been opened. Returns the generation of its file."""
        with self._lock:
            if self._open is None:
                self._keep_open()
            return self.generation

    def check(self) -> int:
        """Compare the file with the open one, and write it again if it was deleted. Returns its generation."""
        with self._lock:
            if self._identity is not None and not self._is_same(self._identity, self._identity_now()):
                self._replace()
            return self.generation

    def is_current(self, generation: int) -> bool:
        """Whether a connection of this generation writes into the file that has the name."""
        identity = self._identity
        return generation == self.generation and (identity is None or self._is_same(identity, self._identity_now()))

    def close(self) -> None:
        with self._lock:
            self._forget()

    def _keep_open(self) -> None:
        connection = sqlite3.connect(self._file, timeout=self._busy_s, check_same_thread=False, isolation_level=None)
        try:
            # SQLite opens files at the first read.
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except sqlite3.Error:
            connection.close()
            return
        self._open, self._identity = connection, self._identity_now()

    def _forget(self) -> None:
        if self._open is not None:
            self._open.close()
        self._open = self._identity = None

    def _replace(self) -> None:
        """Switch to the file that has the name now."""
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with self._file.with_name(f"{self._file.name}.restore.lock").open("w") as lock:
            # Of several processes, the first one writes the file.
            fcntl.flock(lock, fcntl.LOCK_EX)
            now = self._identity_now()
            known = self._identity
            if now[0] is None or (known is not None and now[0] == known[0]):
                self._write_again()
                log.error(
                    "database file was deleted",
                    file=str(self._file),
                    action="it was written again from the open file; nothing was lost",
                )
            else:
                log.error(
                    "database file was replaced",
                    file=str(self._file),
                    action="the new file is used from now on; restart the server to show all of its contents",
                )
        self._forget()
        self.generation += 1
        self._keep_open()
        self.on_replaced()

    def _write_again(self) -> None:
        if self._open is None:
            return
        copy = self._file.with_name(f"{self._file.name}.restored")
        copy.unlink(missing_ok=True)
        with closing(sqlite3.connect(copy)) as target:
            self._open.backup(target)
            target.execute("PRAGMA journal_mode = WAL")
        # Those of the deleted file would be taken for those of the new one.
        for end in ("-wal", "-shm"):
            self._file.with_name(self._file.name + end).unlink(missing_ok=True)
        copy.replace(self._file)
        for end in ("-wal", "-shm"):
            copy.with_name(copy.name + end).unlink(missing_ok=True)

    def _identity_now(self) -> _Identity:
        return _inode(self._file), _inode(self._file.with_name(f"{self._file.name}-wal"))

    @staticmethod
    def _is_same(known: _Identity, now: _Identity) -> bool:
        return known[0] == now[0] and (known[1] is None or known[1] == now[1])


def _ignore() -> None:
    """Does nothing."""


def _inode(file: Path) -> tuple[int, int] | None:
    with suppress(OSError):
        found = file.stat()
        return found.st_dev, found.st_ino
    return None
