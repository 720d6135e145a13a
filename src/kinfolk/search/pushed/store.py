"""Pushed indexes on the disk: records, settings, synonyms and rules, and a log of what the engine has not seen yet.

One SQLite file is the truth; what the engine makes of it can be made again. Every change is a task with a number that
no other task of the site has, and is done once the engine has seen it.

The file has an identity, which is also written beside it: so a file that was emptied, overwritten or deleted is told
from one that has never been. It is kept as `records.sqlite.damaged-<time>`, and for as long as that is there, indexes
that are not known are reported as lost, not as missing.
"""

from __future__ import annotations

import fcntl
import os
import secrets
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal, cast

import orjson
import structlog

from kinfolk.errors import Unavailable
from kinfolk.search.algolia.fault import Fault, no_index
from kinfolk.search.algolia.records import Operation, changed
from kinfolk.search.algolia.settings import changed_settings, engine_part
from kinfolk.search.query import Json, Record

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

VERSION = 1
_MAGIC = b"SQLite format 3\0"
PATIENCE_S = 10.0
LONGEST_NAME = 256
MOST_INDEXES = 1000

Scope = Literal["settings", "synonyms", "rules"]
SCOPES: tuple[Scope, ...] = ("settings", "synonyms", "rules")
Entries = Literal["synonyms", "rules"]

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


@dataclass(frozen=True)
class Row:
    """An index as it is now, and how far the engine is.

    `made_anew` is the last task that it can follow only from the beginning, such as other settings; `built` is the one
    it was last begun with; 0 when it has to begin; `seen` the last it has taken in.
    """

    id: int
    name: str
    settings: Mapping[str, object]
    last_task: int
    made_anew: int
    built: int
    seen: int

    @property
    def is_current(self) -> bool:
        return self.seen >= self.last_task and self.built >= max(1, self.made_anew)


_ROW = "SELECT id, name, settings, last_task, made_anew, built, seen FROM indexes"


def _row(found: sqlite3.Row | None) -> Row | None:
    return Row(found[0], found[1], orjson.loads(found[2]), *found[3:]) if found else None


@dataclass(frozen=True)
class Summary:
    """A line in the list of indexes."""

    name: str
    created: str
    updated: str
    entries: int
    size: int
    pending: bool


class Store:
    """For any number of threads and processes. Every method is one transaction."""

    def __init__(self, file: Path, *, now: Callable[[], datetime]) -> None:
        self.file = file
        self._now = now
        self._identity_file = file.with_name(f"{file.name}-identity")
        self._local = threading.local()
        self._prepared = False
        self._suspected = False
        self._inode: tuple[int, int] | None = None
        self._header: int | None = None
        """Open to read the file's header. Closing it would end the locks that SQLite has on the file (its own words on
        POSIX advisory locks), so it stays open as long as they may."""
        self._generation = 0
        self._aside: tuple[Path, ...] = ()
        self._preparing = threading.Lock()
        self._opened: list[sqlite3.Connection] = []

    def close(self) -> None:
        """Nobody may read or write any more."""
        with self._preparing:
            for connection in self._opened:
                connection.close()
            self._opened.clear()
            if self._header is not None:
                os.close(self._header)
                self._header = None

    @property
    def damaged(self) -> tuple[Path, ...]:
        """Damaged files that are kept aside, the oldest first: until they are deleted, indexes may be missing."""
        return tuple(path for path in self._aside if path.exists())

    def check_lost(self, name: str) -> None:
        """For an index that there is not. Raises Unavailable where it may have been in a file that was damaged."""
        damaged = self.damaged
        if damaged:
            raise Unavailable(
                f"The records of pushed indexes were damaged: push {name[:LONGEST_NAME]} again, or delete"
                f" {damaged[-1].name} when all indexes are there"
            )

    # Reading

    def find(self, name: str) -> Row | None:
        return _row(self._read(f"{_ROW} WHERE name = ?", name))

    def again(self, id: int) -> Row | None:
        """The same index as it is by now, whatever its name; None when it is gone."""
        return _row(self._read(f"{_ROW} WHERE id = ?", id))

    def index(self, name: str) -> Row:
        """Raises Fault when there is none."""
        found = self.find(name)
        if found is None:
            self.check_lost(name)
            raise no_index(name)
        return found

    def summaries(self) -> tuple[Summary, ...]:
        rows = self._rows(
            "SELECT name, created, updated, (SELECT count(*) FROM records WHERE index_id = indexes.id),"
            " (SELECT coalesce(sum(length(body)), 0) FROM records WHERE index_id = indexes.id), seen < last_task"
            " FROM indexes ORDER BY name"
        )
        return tuple(Summary(row[0], row[1], row[2], row[3], row[4], bool(row[5])) for row in rows)

    def get(self, index_id: int, ids: Sequence[str]) -> tuple[Record | None, ...]:
        rows = (self._read("SELECT body FROM records WHERE index_id = ? AND id = ?", index_id, id) for id in ids)
        return tuple(orjson.loads(row[0]) if row else None for row in rows)

    def records(self, index_id: int) -> Iterator[Record]:
        with self._reading() as db:
            for (body,) in db.execute("SELECT body FROM records WHERE index_id = ? ORDER BY id", (index_id,)):
                yield orjson.loads(body)

    def entries(self, index_id: int, kind: Entries) -> tuple[Mapping[str, Json], ...]:
        """The synonyms, or the rules."""
        rows = self._rows("SELECT body FROM entries WHERE index_id = ? AND kind = ? ORDER BY id", index_id, kind)
        return tuple(orjson.loads(body) for (body,) in rows)

    def entry(self, index_id: int, kind: Entries, id: str) -> Mapping[str, Json] | None:
        row = self._read("SELECT body FROM entries WHERE index_id = ? AND kind = ? AND id = ?", index_id, kind, id)
        return cast(Mapping[str, Json], orjson.loads(row[0])) if row else None

    def is_done(self, task: int) -> bool:
        """Whether the engine has seen this task. One of an index that is gone has nothing left to do."""
        row = self._read(
            "SELECT indexes.seen >= tasks.id FROM tasks JOIN indexes ON indexes.id = tasks.index_id WHERE tasks.id = ?",
            task,
        )
        return row is None or bool(row[0])

    def pending(self) -> tuple[int, ...]:
        """Indexes that the engine has not seen all of."""
        rows = self._rows("SELECT id FROM indexes WHERE seen < last_task OR built < max(1, made_anew)")
        return tuple(id for (id,) in rows)

    # Writing

    def apply(self, name: str, operations: Sequence[Operation]) -> int:
        """Carry out a batch, all of it or nothing. Makes the index where there is none."""
        with self._writing() as db:
            index_id = self._made(db, name)
            task = self._task(db, index_id)
            for operation in operations:
                match operation.action:
                    case "delete" | "clear":
                        db.execute("DELETE FROM records WHERE index_id = ?", (index_id,))
                        self._anew(db, index_id, task)
                    case "deleteObject":
                        db.execute("DELETE FROM records WHERE index_id = ? AND id = ?", (index_id, operation.id))
                        self._log(db, index_id, task, operation.id)
                    case _:
                        self._put(db, index_id, task, operation)
            return task

    def delete_records(self, name: str, passes: Callable[[Record], bool]) -> int:
        """Delete the records that pass."""
        with self._writing() as db:
            index_id = self._known(db, name)
            task = self._task(db, index_id)
            rows = db.execute("SELECT id, body FROM records WHERE index_id = ?", (index_id,))
            for id in [id for id, body in rows if passes(orjson.loads(body))]:
                db.execute("DELETE FROM records WHERE index_id = ? AND id = ?", (index_id, id))
                self._log(db, index_id, task, id)
            return task

    def set_settings(self, name: str, change: Mapping[str, object]) -> int:
        with self._writing() as db:
            index_id = self._made(db, name)
            (before,) = db.execute("SELECT settings FROM indexes WHERE id = ?", (index_id,)).fetchone()
            after = changed_settings(orjson.loads(before), change)
            db.execute("UPDATE indexes SET settings = ? WHERE id = ?", (orjson.dumps(after).decode(), index_id))
            task = self._task(db, index_id)
            if engine_part(after) != engine_part(orjson.loads(before)):
                self._anew(db, index_id, task)
            return task

    def put_entries(
        self, name: str, kind: Entries, entries: Mapping[str, Mapping[str, Json]], *, replace: bool = False
    ) -> int:
        """Save synonyms or rules; with `replace` these are all there are afterwards."""
        with self._writing() as db:
            index_id = self._made(db, name)
            if replace:
                db.execute("DELETE FROM entries WHERE index_id = ? AND kind = ?", (index_id, kind))
            rows = [(index_id, kind, id, orjson.dumps(entry).decode()) for id, entry in entries.items()]
            db.executemany("INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?)", rows)
            task = self._task(db, index_id)
            if kind == "synonyms":
                self._anew(db, index_id, task)
            return task

    def delete_entry(self, name: str, kind: Entries, id: str) -> int:
        with self._writing() as db:
            index_id = self._known(db, name)
            db.execute("DELETE FROM entries WHERE index_id = ? AND kind = ? AND id = ?", (index_id, kind, id))
            task = self._task(db, index_id)
            if kind == "synonyms":
                self._anew(db, index_id, task)
            return task

    def delete(self, name: str) -> int:
        """Delete an index. One that is not there is as good as deleted."""
        with self._writing() as db:
            row = db.execute("SELECT id FROM indexes WHERE name = ?", (name,)).fetchone()
            task = self._task(db, row[0] if row else 0)
            if row:
                self._forget(db, row[0])
            return task

    def move(self, name: str, destination: str) -> int:
        """Give an index another name; what had that name is gone. Moving what is not there changes nothing."""
        with self._writing() as db:
            row = db.execute("SELECT id FROM indexes WHERE name = ?", (name,)).fetchone()
            task = self._task(db, row[0] if row else 0)
            if row and name != destination:
                there = db.execute("SELECT id FROM indexes WHERE name = ?", (destination,)).fetchone()
                if there:
                    self._forget(db, there[0])
                db.execute("UPDATE indexes SET name = ? WHERE id = ?", (destination, row[0]))
            return task

    def copy(self, name: str, destination: str, scope: Sequence[Scope]) -> int:
        """Copy what `scope` names over what the destination has of it; without a scope all, records too."""
        with self._writing() as db:
            row = db.execute("SELECT id, settings FROM indexes WHERE name = ?", (name,)).fetchone()
            target = self._made(db, destination)
            task = self._task(db, target)
            if row and row[0] == target:
                return task
            source, settings = row or (0, "{}")
            whole = not scope
            if whole or "settings" in scope:
                db.execute("UPDATE indexes SET settings = ? WHERE id = ?", (settings, target))
            for kind in ("synonyms", "rules"):
                if whole or kind in scope:
                    db.execute("DELETE FROM entries WHERE index_id = ? AND kind = ?", (target, kind))
                    db.execute(
                        "INSERT INTO entries SELECT ?, kind, id, body FROM entries WHERE index_id = ? AND kind = ?",
                        (target, source, kind),
                    )
            if whole:
                db.execute("DELETE FROM records WHERE index_id = ?", (target,))
                db.execute("INSERT INTO records SELECT ?, id, body FROM records WHERE index_id = ?", (target, source))
            self._anew(db, target, task)
            return task

    # What the engine has seen

    def unseen(self, row: Row) -> tuple[dict[str, Record], list[str]]:
        """Records to put, and ids to delete, for the engine to be where this row is."""
        rows = self._rows("SELECT record FROM log WHERE index_id = ? AND task <= ?", row.id, row.last_task)
        ids = [id for (id,) in rows]
        puts = {id: record for id, record in zip(ids, self.get(row.id, ids), strict=True) if record is not None}
        return puts, [id for id in ids if id not in puts]

    def saw(self, index_id: int, task: int, *, built: int | None = None) -> None:
        """The engine has taken in everything up to this task; with `built` it has begun anew there."""
        with self._writing() as db:
            db.execute(
                "UPDATE indexes SET seen = max(seen, ?), built = coalesce(?, built) WHERE id = ?",
                (task, built, index_id),
            )
            db.execute("DELETE FROM log WHERE index_id = ? AND task <= ?", (index_id, task))

    def lost(self, index_id: int, built: int) -> None:
        """What the engine had built at this task cannot be used."""
        with self._writing() as db:
            db.execute("UPDATE indexes SET built = 0 WHERE id = ? AND built = ?", (index_id, built))

    # Parts of a transaction

    def _made(self, db: sqlite3.Connection, name: str) -> int:
        row = db.execute("SELECT id FROM indexes WHERE name = ?", (name,)).fetchone()
        if row:
            return int(row[0])
        if not name or len(name) > LONGEST_NAME or name == "*":
            raise Fault(f"indexName is not valid: {name[:80]!r}")
        (count,) = db.execute("SELECT count(*) FROM indexes").fetchone()
        if count >= MOST_INDEXES:
            raise Fault(f"There are {MOST_INDEXES} indexes already")
        now = self._time()
        made = db.execute("INSERT INTO indexes (name, created, updated) VALUES (?, ?, ?)", (name, now, now))
        return int(made.lastrowid or 0)

    @staticmethod
    def _known(db: sqlite3.Connection, name: str) -> int:
        row = db.execute("SELECT id FROM indexes WHERE name = ?", (name,)).fetchone()
        if row is None:
            raise no_index(name)
        return int(row[0])

    def _task(self, db: sqlite3.Connection, index_id: int) -> int:
        task = int(db.execute("INSERT INTO tasks (index_id) VALUES (?)", (index_id,)).lastrowid or 0)
        db.execute("UPDATE indexes SET last_task = ?, updated = ? WHERE id = ?", (task, self._time(), index_id))
        # Nobody asks after a task this old; an unknown one counts as done.
        db.execute("DELETE FROM tasks WHERE id < ?", (task - 100_000,))
        return task

    @staticmethod
    def _anew(db: sqlite3.Connection, index_id: int, task: int) -> None:
        db.execute("UPDATE indexes SET made_anew = ? WHERE id = ?", (task, index_id))

    @staticmethod
    def _log(db: sqlite3.Connection, index_id: int, task: int, record: str) -> None:
        db.execute("INSERT OR REPLACE INTO log VALUES (?, ?, ?)", (index_id, task, record))

    def _put(self, db: sqlite3.Connection, index_id: int, task: int, operation: Operation) -> None:
        body = operation.body or {}
        if operation.action in ("partialUpdateObject", "partialUpdateObjectNoCreate"):
            row = db.execute(
                "SELECT body FROM records WHERE index_id = ? AND id = ?", (index_id, operation.id)
            ).fetchone()
            if row is None and operation.action == "partialUpdateObjectNoCreate":
                return
            body = changed(orjson.loads(row[0]) if row else None, body)
        text = orjson.dumps(body).decode()
        db.execute("INSERT OR REPLACE INTO records VALUES (?, ?, ?)", (index_id, operation.id, text))
        self._log(db, index_id, task, operation.id)

    @staticmethod
    def _forget(db: sqlite3.Connection, index_id: int) -> None:
        db.execute("DELETE FROM indexes WHERE id = ?", (index_id,))
        for table in ("records", "entries", "log", "tasks"):
            db.execute(f"DELETE FROM {table} WHERE index_id = ?", (index_id,))  # noqa: S608

    def _time(self) -> str:
        return self._now().strftime("%Y-%m-%dT%H:%M:%S.000Z")

    # The file

    def _read(self, query: str, *values: str | int) -> sqlite3.Row | None:
        if not self._is_there():
            return None
        with self._reading() as db:
            row: sqlite3.Row | None = db.execute(query, values).fetchone()
        return row

    def _rows(self, query: str, *values: str | int) -> list[sqlite3.Row]:
        if not self._is_there():
            return []
        with self._reading() as db:
            return db.execute(query, values).fetchall()

    def _is_there(self) -> bool:
        """Whether anything was ever written. Where nothing was, reading makes no file."""
        return self.file.exists() or self._identity_file.exists()

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """A connection. Raises Unavailable where the file cannot be read; a damaged one is checked at the next."""
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
    def _writing(self) -> Iterator[sqlite3.Connection]:
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
        with self._preparing:
            if not self._prepared or self._is_replaced():
                self._prepare()
            generation = self._generation
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None or self._local.generation != generation:
            connection = sqlite3.connect(self.file, timeout=PATIENCE_S, isolation_level=None, check_same_thread=False)
            connection.execute("PRAGMA synchronous = NORMAL")
            self._local.connection, self._local.generation = connection, generation
            self._opened.append(connection)
        return connection

    def _suspect(self, damage: BaseException) -> None:
        log.warning("the file of pushed indexes may be damaged", file=str(self.file), reason=str(damage))
        with self._preparing:
            self._prepared, self._suspected = False, True

    def _is_replaced(self) -> bool:
        """Whether somebody has emptied, deleted or exchanged the file since it was opened."""
        try:
            now = self.file.stat()
        except FileNotFoundError:
            return True
        if (now.st_dev, now.st_ino) != self._inode or self._header is None:
            return True
        return os.pread(self._header, len(_MAGIC), 0) != _MAGIC

    def _prepare(self) -> None:
        """Open the file, or begin a new one and keep a damaged one aside. One thread of one process at a time."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        with self.file.with_name(f"{self.file.name}-lock").open("w") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            known = self._known_identity()
            reason = self._damage(known)
            if reason:
                self._put_aside(reason)
            self._set_up(known, is_lost=bool(reason))
            now = self.file.stat()
            if self._header is None or (now.st_dev, now.st_ino) != self._inode:
                self._header = os.open(self.file, os.O_RDONLY | os.O_CLOEXEC)
        # Connections of other threads are not closed: they may be in use, and are left at the next one.
        self._opened.clear()
        self._inode, self._generation = (now.st_dev, now.st_ino), self._generation + 1
        self._aside = tuple(sorted(self.file.parent.glob(f"{self.file.name}.damaged-*")))
        self._prepared, self._suspected = True, False

    def _known_identity(self) -> str:
        """The identity of the file that was last used; empty where there was none."""
        try:
            return self._identity_file.read_text(encoding="ascii").strip()
        except (OSError, ValueError):
            return ""

    def _damage(self, known: str) -> str:
        """What is wrong with the file; empty where it is whole, or has never been."""
        if not self.file.exists():
            return "it was deleted" if known else ""
        if not self.file.stat().st_size:
            return "it is empty" if known else ""
        try:
            with closing(sqlite3.connect(self.file, timeout=PATIENCE_S, isolation_level=None)) as db:
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

    def _put_aside(self, reason: str) -> None:
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
        with closing(sqlite3.connect(self.file, timeout=PATIENCE_S, isolation_level=None)) as db:
            db.execute("PRAGMA journal_mode = WAL")
            db.executescript(_SCHEMA)
            db.execute(f"PRAGMA user_version = {VERSION}")
            db.execute("INSERT OR IGNORE INTO identity VALUES (1, ?)", (secrets.token_hex(16),))
            (identity,) = db.execute("SELECT value FROM identity").fetchone()
            if is_lost:
                # Numbers that no folder of the engine has, nor an index that is still open.
                first = int(self._now().timestamp())
                db.executemany("INSERT INTO sqlite_sequence VALUES (?, ?)", [("tasks", first), ("indexes", first)])
            elif known and identity != known:
                log.warning("the records of pushed indexes were exchanged for others", file=str(self.file))
                db.execute("UPDATE indexes SET built = 0")
        if identity != known:
            written = self._identity_file.with_name(f"{self._identity_file.name}.{os.getpid()}")
            written.write_text(identity, encoding="ascii")
            written.replace(self._identity_file)


def _is_damage(wrong: BaseException) -> bool:
    """A locked file or a full disk is an OperationalError, which is no damage."""
    return type(wrong) is sqlite3.DatabaseError
