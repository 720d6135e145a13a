"""The SQLite file of pushed indexes: connections, transactions, and recovery from a damaged file.

The identity of the file is in the file and in a second file beside it, so that an emptied, replaced or deleted file
differs from a new site. A damaged file is kept as `records.sqlite.damaged-<time>`. While it exists, unknown indexes are
reported as possibly lost, not as missing.
"""

from __future__ import annotations

import fcntl
import os
import secrets
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path

import structlog

from kinfolk.runtime.errors import Unavailable

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

VERSION = 1
TIMEOUT_S = 10.0
MAX_NAME_LENGTH = 256
_MAGIC = b"SQLite format 3\0"

_SCHEMA = """
CREATE TABLE IF NOT EXISTS indexes (
    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, settings TEXT NOT NULL DEFAULT '{}',
    created TEXT NOT NULL, updated TEXT NOT NULL,
    last_task INTEGER NOT NULL DEFAULT 0, made_anew INTEGER NOT NULL DEFAULT 0, built INTEGER NOT NULL DEFAULT 0,
    seen INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS records (
    index_id INTEGER NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (index_id, id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS entries (
    index_id INTEGER NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (index_id, kind, id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS tasks (id INTEGER PRIMARY KEY AUTOINCREMENT, index_id INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS identity (only_row INTEGER PRIMARY KEY CHECK (only_row = 1), value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS log (
    index_id INTEGER NOT NULL, task INTEGER NOT NULL, record TEXT NOT NULL, PRIMARY KEY (index_id, record)
) WITHOUT ROWID;
"""


class RecordDatabase:
    """For any number of threads and processes."""

    def __init__(self, file: Path, *, now: Callable[[], datetime]) -> None:
        self.file = file
        self._now = now
        self._identity_file = file.with_name(f"{file.name}-identity")
        self._local = threading.local()
        self._prepared = False
        self._suspected = False
        self._inode: tuple[int, int] | None = None
        self._header: int | None = None
        """An open descriptor to read the file's header. Closing it would release SQLite's POSIX advisory locks on the
        file, so it stays open until `close`."""
        self._generation = 0
        self._aside: tuple[Path, ...] = ()
        self._prepare_lock = threading.Lock()
        self._opened: list[sqlite3.Connection] = []

    def close(self) -> None:
        """No other thread may use the database any more."""
        with self._prepare_lock:
            for connection in self._opened:
                connection.close()
            self._opened.clear()
            if self._header is not None:
                os.close(self._header)
                self._header = None

    @property
    def damaged(self) -> tuple[Path, ...]:
        """Damaged files, the oldest first. Indexes may be missing until they are deleted."""
        return tuple(path for path in self._aside if path.exists())

    def check_lost(self, name: str) -> None:
        """For an unknown index. Raises Unavailable where it may have been in a damaged file."""
        damaged = self.damaged
        if damaged:
            raise Unavailable(
                f"The records of pushed indexes were damaged: push {name[:MAX_NAME_LENGTH]} again, or delete"
                f" {damaged[-1].name} when all indexes are there"
            )

    def row(self, query: str, *values: str | int) -> sqlite3.Row | None:
        if not self._exists():
            return None
        with self.reading() as db:
            row: sqlite3.Row | None = db.execute(query, values).fetchone()
        return row

    def rows(self, query: str, *values: str | int) -> list[sqlite3.Row]:
        if not self._exists():
            return []
        with self.reading() as db:
            return db.execute(query, values).fetchall()

    def _exists(self) -> bool:
        """Whether an index was ever written. Reading does not create the file."""
        return self.file.exists() or self._identity_file.exists()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Raises Unavailable where the file cannot be read. A damaged file is checked at the next access."""
        try:
            yield self._connection()
        except sqlite3.OperationalError as busy:
            raise Unavailable(f"The indexes cannot be read now: {busy}") from busy
        except sqlite3.DatabaseError as damage:
            if not _is_damage(damage):
                raise
            self._suspect(damage)
            raise Unavailable("The indexes cannot be read now: their file is damaged") from damage

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        try:
            db = self._connection()
            db.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as busy:
            raise Unavailable(f"The indexes cannot be written now: {busy}") from busy
        except sqlite3.DatabaseError as damage:
            if not _is_damage(damage):
                raise
            self._suspect(damage)
            raise Unavailable("The indexes cannot be written now: their file is damaged") from damage
        try:
            yield db
            db.execute("COMMIT")
        except BaseException as wrong:
            with suppress(sqlite3.Error):
                db.execute("ROLLBACK")
            if _is_damage(wrong):
                self._suspect(wrong)
                raise Unavailable("The indexes cannot be written now: their file is damaged") from wrong
            raise

    def _connection(self) -> sqlite3.Connection:
        with self._prepare_lock:
            if not self._prepared or self._is_replaced():
                self._prepare()
            generation = self._generation
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None or self._local.generation != generation:
            connection = sqlite3.connect(self.file, timeout=TIMEOUT_S, isolation_level=None, check_same_thread=False)
            connection.execute("PRAGMA synchronous = NORMAL")
            self._local.connection, self._local.generation = connection, generation
            self._opened.append(connection)
        return connection

    def _suspect(self, damage: BaseException) -> None:
        log.warning("the file of pushed indexes may be damaged", file=str(self.file), reason=str(damage))
        with self._prepare_lock:
            self._prepared, self._suspected = False, True

    def _is_replaced(self) -> bool:
        """Whether the file was emptied, deleted or replaced since it was opened."""
        try:
            now = self.file.stat()
        except FileNotFoundError:
            return True
        if (now.st_dev, now.st_ino) != self._inode or self._header is None:
            return True
        return os.pread(self._header, len(_MAGIC), 0) != _MAGIC

    def _prepare(self) -> None:
        """Open the file, or create it; a damaged file is renamed first. One thread of one process at a time."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        with self.file.with_name(f"{self.file.name}-lock").open("w") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            known = self._known_identity()
            reason = self._damage(known)
            if reason:
                self._move_aside(reason)
            self._set_up(known, is_lost=bool(reason))
            now = self.file.stat()
            if self._header is None or (now.st_dev, now.st_ino) != self._inode:
                self._header = os.open(self.file, os.O_RDONLY | os.O_CLOEXEC)
        # Connections of other threads may be in use: each thread replaces its own at its next access.
        self._opened.clear()
        self._inode, self._generation = (now.st_dev, now.st_ino), self._generation + 1
        self._aside = tuple(sorted(self.file.parent.glob(f"{self.file.name}.damaged-*")))
        self._prepared, self._suspected = True, False

    def _known_identity(self) -> str:
        """The identity of the last file; empty for a new site."""
        try:
            return self._identity_file.read_text(encoding="ascii").strip()
        except (OSError, ValueError):
            return ""

    def _damage(self, known: str) -> str:
        """The reason why the file is damaged; empty for an intact file or a new site."""
        if not self.file.exists():
            return "it was deleted" if known else ""
        if not self.file.stat().st_size:
            return "it is empty" if known else ""
        try:
            with closing(sqlite3.connect(self.file, timeout=TIMEOUT_S, isolation_level=None)) as db:
                tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
                if known and "indexes" not in tables:
                    return "it is empty"
                if self._suspected:
                    (verdict,) = db.execute("PRAGMA quick_check(1)").fetchone()
                    return "" if verdict == "ok" else str(verdict)[:200]
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError as damage:
            return str(damage)
        return ""

    def _move_aside(self, reason: str) -> None:
        aside = self.file.with_name(f"{self.file.name}.damaged-{self._now():%Y%m%d%H%M%S}")
        while aside.exists():
            aside = aside.with_name(f"{aside.name}x")
        if self.file.exists():
            self.file.replace(aside)
        else:
            aside.touch()
        for end in ("-wal", "-shm"):
            self.file.with_name(self.file.name + end).unlink(missing_ok=True)
        log.error(
            "the records of pushed indexes are damaged and kept aside: push the indexes again, then delete the file",
            file=str(aside),
            reason=reason,
        )

    def _set_up(self, known: str, *, is_lost: bool) -> None:
        with closing(sqlite3.connect(self.file, timeout=TIMEOUT_S, isolation_level=None)) as db:
            db.execute("PRAGMA journal_mode = WAL")
            db.executescript(_SCHEMA)
            db.execute(f"PRAGMA user_version = {VERSION}")
            db.execute("INSERT OR IGNORE INTO identity VALUES (1, ?)", (secrets.token_hex(16),))
            (identity,) = db.execute("SELECT value FROM identity").fetchone()
            if is_lost:
                # Ids that differ from those of existing engine folders and open indexes.
                first = int(self._now().timestamp())
                db.executemany("INSERT INTO sqlite_sequence VALUES (?, ?)", [("tasks", first), ("indexes", first)])
            elif known and identity != known:
                log.warning("the file of pushed indexes was replaced by another", file=str(self.file))
                db.execute("UPDATE indexes SET built = 0")
        if identity != known:
            written = self._identity_file.with_name(f"{self._identity_file.name}.{os.getpid()}")
            written.write_text(identity, encoding="ascii")
            written.replace(self._identity_file)


def _is_damage(wrong: BaseException) -> bool:
    """Not an OperationalError, such as a locked file or a full disk."""
    return type(wrong) is sqlite3.DatabaseError
