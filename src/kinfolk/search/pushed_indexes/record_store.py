"""Pushed indexes in SQLite: records, settings, synonyms and rules, and a log of changes for the engine.

The engine's folders are derived from this file and can be rebuilt. Every change is a task with a unique number. A task
is done when the engine has applied it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal, TypeAlias, cast

import orjson
import structlog

from kinfolk.runtime.errors import Invalid, NotFound
from kinfolk.search.filters import Json, Record
from kinfolk.search.pushed_indexes.operations import RecordOperation, merged_settings, with_update
from kinfolk.search.pushed_indexes.record_database import MAX_NAME_LENGTH, RecordDatabase

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

MAX_INDEXES = 1000
MAX_KEPT_TASKS = 100_000

Scope = Literal["settings", "synonyms", "rules"]
SCOPES: tuple[Scope, ...] = ("settings", "synonyms", "rules")
Entries = Literal["synonyms", "rules"]
Settings: TypeAlias = Mapping[str, object]


@dataclass(frozen=True)
class IndexState:
    """An index, and the progress of the engine.

    `last_task` is the last change, `made_anew` the last one that requires a rebuild (settings, synonyms), `built` the
    task of the last rebuild, 0 for none, `seen` the last task that the engine has applied.
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


def _row(found: sqlite3.Row | None) -> IndexState | None:
    return IndexState(found[0], found[1], orjson.loads(found[2]), *found[3:]) if found else None


@dataclass(frozen=True)
class IndexSummary:
    """An item of the list of indexes."""

    name: str
    created: str
    updated: str
    entries: int
    size: int
    pending: bool


class RecordStore:
    """For any number of threads and processes. Each method is one transaction."""

    def __init__(
        self,
        file: Path,
        *,
        requires_rebuild: Callable[[Settings, Settings], bool],
        now: Callable[[], datetime],
    ) -> None:
        """`requires_rebuild` compares settings: whether the engine must index all records again."""
        self._database = RecordDatabase(file, now=now)
        self._requires_rebuild = requires_rebuild
        self._now = now

    def close(self) -> None:
        """No other thread may use the store any more."""
        self._database.close()

    @property
    def damaged(self) -> tuple[Path, ...]:
        """Damaged files, the oldest first. Indexes may be missing until they are deleted."""
        return self._database.damaged

    def check_lost(self, name: str) -> None:
        """For an unknown index. Raises Unavailable where it may have been in a damaged file."""
        self._database.check_lost(name)

    # Reading

    def find(self, name: str) -> IndexState | None:
        return _row(self._database.row(f"{_ROW} WHERE name = ?", name))

    def state(self, id: int) -> IndexState | None:
        """The current state of an index, also after a rename; None after its deletion."""
        return _row(self._database.row(f"{_ROW} WHERE id = ?", id))

    def index(self, name: str) -> IndexState:
        """Raises NotFound for an unknown index."""
        found = self.find(name)
        if found is None:
            self.check_lost(name)
            raise _no_index(name)
        return found

    def summaries(self) -> tuple[IndexSummary, ...]:
        rows = self._database.rows(
            "SELECT name, created, updated, (SELECT count(*) FROM records WHERE index_id = indexes.id),"
            " (SELECT coalesce(sum(length(body)), 0) FROM records WHERE index_id = indexes.id), seen < last_task"
            " FROM indexes ORDER BY name"
        )
        return tuple(IndexSummary(row[0], row[1], row[2], row[3], row[4], bool(row[5])) for row in rows)

    def get(self, index_id: int, ids: Sequence[str]) -> tuple[Record | None, ...]:
        rows = (
            self._database.row("SELECT body FROM records WHERE index_id = ? AND id = ?", index_id, id) for id in ids
        )
        return tuple(orjson.loads(row[0]) if row else None for row in rows)

    def records(self, index_id: int) -> Iterator[Record]:
        with self._database.reading() as db:
            for (body,) in db.execute("SELECT body FROM records WHERE index_id = ? ORDER BY id", (index_id,)):
                yield orjson.loads(body)

    def entries(self, index_id: int, kind: Entries) -> tuple[Mapping[str, Json], ...]:
        """All synonyms, or all rules."""
        rows = self._database.rows(
            "SELECT body FROM entries WHERE index_id = ? AND kind = ? ORDER BY id", index_id, kind
        )
        return tuple(orjson.loads(body) for (body,) in rows)

    def entry(self, index_id: int, kind: Entries, id: str) -> Mapping[str, Json] | None:
        row = self._database.row(
            "SELECT body FROM entries WHERE index_id = ? AND kind = ? AND id = ?", index_id, kind, id
        )
        return cast(Mapping[str, Json], orjson.loads(row[0])) if row else None

    def is_done(self, task: int) -> bool:
        """Whether the engine has applied the task. Tasks of deleted indexes and unknown tasks are done."""
        row = self._database.row(
            "SELECT indexes.seen >= tasks.id FROM tasks JOIN indexes ON indexes.id = tasks.index_id WHERE tasks.id = ?",
            task,
        )
        return row is None or bool(row[0])

    def pending(self) -> tuple[int, ...]:
        """Indexes with changes that the engine has not applied."""
        rows = self._database.rows("SELECT id FROM indexes WHERE seen < last_task OR built < max(1, made_anew)")
        return tuple(id for (id,) in rows)

    # Writing

    def apply(self, name: str, operations: Sequence[RecordOperation]) -> int:
        """Apply a batch in one transaction. Creates the index where there is none."""
        with self._database.writing() as db:
            index_id = self._get_or_create(db, name)
            task = self._add_task(db, index_id)
            for operation in operations:
                match operation.action:
                    case "delete" | "clear":
                        db.execute("DELETE FROM records WHERE index_id = ?", (index_id,))
                        self._require_rebuild(db, index_id, task)
                    case "deleteObject":
                        db.execute("DELETE FROM records WHERE index_id = ? AND id = ?", (index_id, operation.id))
                        self._log(db, index_id, task, operation.id)
                    case _:
                        self._put(db, index_id, task, operation)
            return task

    def delete_records(self, name: str, is_deleted: Callable[[Record], bool]) -> int:
        """Delete the records for which `is_deleted` is true."""
        with self._database.writing() as db:
            index_id = self._existing_id(db, name)
            task = self._add_task(db, index_id)
            rows = db.execute("SELECT id, body FROM records WHERE index_id = ?", (index_id,))
            for id in [id for id, body in rows if is_deleted(orjson.loads(body))]:
                db.execute("DELETE FROM records WHERE index_id = ? AND id = ?", (index_id, id))
                self._log(db, index_id, task, id)
            return task

    def set_settings(self, name: str, change: Mapping[str, object]) -> int:
        with self._database.writing() as db:
            index_id = self._get_or_create(db, name)
            (before,) = db.execute("SELECT settings FROM indexes WHERE id = ?", (index_id,)).fetchone()
            after = merged_settings(orjson.loads(before), change)
            db.execute("UPDATE indexes SET settings = ? WHERE id = ?", (orjson.dumps(after).decode(), index_id))
            task = self._add_task(db, index_id)
            if self._requires_rebuild(orjson.loads(before), after):
                self._require_rebuild(db, index_id, task)
            return task

    def put_entries(
        self, name: str, kind: Entries, entries: Mapping[str, Mapping[str, Json]], *, replace: bool = False
    ) -> int:
        """Save synonyms or rules. With `replace`, all others are deleted."""
        with self._database.writing() as db:
            index_id = self._get_or_create(db, name)
            if replace:
                db.execute("DELETE FROM entries WHERE index_id = ? AND kind = ?", (index_id, kind))
            rows = [(index_id, kind, id, orjson.dumps(entry).decode()) for id, entry in entries.items()]
            db.executemany("INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?)", rows)
            task = self._add_task(db, index_id)
            if kind == "synonyms":
                self._require_rebuild(db, index_id, task)
            return task

    def delete_entry(self, name: str, kind: Entries, id: str) -> int:
        with self._database.writing() as db:
            index_id = self._existing_id(db, name)
            db.execute("DELETE FROM entries WHERE index_id = ? AND kind = ? AND id = ?", (index_id, kind, id))
            task = self._add_task(db, index_id)
            if kind == "synonyms":
                self._require_rebuild(db, index_id, task)
            return task

    def delete(self, name: str) -> int:
        """Delete an index. An unknown index is no error."""
        with self._database.writing() as db:
            row = db.execute("SELECT id FROM indexes WHERE name = ?", (name,)).fetchone()
            task = self._add_task(db, row[0] if row else 0)
            if row:
                self._delete_index(db, row[0])
            return task

    def move(self, name: str, destination: str) -> int:
        """Rename an index, replacing one with the new name. An unknown index is no error."""
        with self._database.writing() as db:
            row = db.execute("SELECT id FROM indexes WHERE name = ?", (name,)).fetchone()
            task = self._add_task(db, row[0] if row else 0)
            if row and name != destination:
                there = db.execute("SELECT id FROM indexes WHERE name = ?", (destination,)).fetchone()
                if there:
                    self._delete_index(db, there[0])
                db.execute("UPDATE indexes SET name = ? WHERE id = ?", (destination, row[0]))
            return task

    def copy(self, name: str, destination: str, scope: Sequence[Scope]) -> int:
        """Replace the parts that `scope` names in the destination; without a scope, all parts and records."""
        with self._database.writing() as db:
            row = db.execute("SELECT id, settings FROM indexes WHERE name = ?", (name,)).fetchone()
            target = self._get_or_create(db, destination)
            task = self._add_task(db, target)
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
            self._require_rebuild(db, target, task)
            return task

    # Progress of the engine

    def changes(self, row: IndexState) -> tuple[dict[str, Record], list[str]]:
        """Records to put and ids to delete, for the engine to reach this state."""
        rows = self._database.rows("SELECT record FROM log WHERE index_id = ? AND task <= ?", row.id, row.last_task)
        ids = [id for (id,) in rows]
        puts = {id: record for id, record in zip(ids, self.get(row.id, ids), strict=True) if record is not None}
        return puts, [id for id in ids if id not in puts]

    def set_applied(self, index_id: int, task: int, *, built: int | None = None) -> None:
        """The engine has applied all changes up to this task; `built` is the task of a rebuild."""
        with self._database.writing() as db:
            db.execute(
                "UPDATE indexes SET seen = max(seen, ?), built = coalesce(?, built) WHERE id = ?",
                (task, built, index_id),
            )
            db.execute("DELETE FROM log WHERE index_id = ? AND task <= ?", (index_id, task))

    def set_unbuilt(self, index_id: int, built: int) -> None:
        """The engine's folder of this task is damaged."""
        with self._database.writing() as db:
            db.execute("UPDATE indexes SET built = 0 WHERE id = ? AND built = ?", (index_id, built))

    # Steps of a transaction

    def _get_or_create(self, db: sqlite3.Connection, name: str) -> int:
        row = db.execute("SELECT id FROM indexes WHERE name = ?", (name,)).fetchone()
        if row:
            return int(row[0])
        if not name or len(name) > MAX_NAME_LENGTH or name == "*":
            raise Invalid(f"indexName is not valid: {name[:80]!r}")
        (count,) = db.execute("SELECT count(*) FROM indexes").fetchone()
        if count >= MAX_INDEXES:
            raise Invalid(f"There are {MAX_INDEXES} indexes already")
        now = self._timestamp()
        made = db.execute("INSERT INTO indexes (name, created, updated) VALUES (?, ?, ?)", (name, now, now))
        return int(made.lastrowid or 0)

    @staticmethod
    def _existing_id(db: sqlite3.Connection, name: str) -> int:
        row = db.execute("SELECT id FROM indexes WHERE name = ?", (name,)).fetchone()
        if row is None:
            raise _no_index(name)
        return int(row[0])

    def _add_task(self, db: sqlite3.Connection, index_id: int) -> int:
        task = int(db.execute("INSERT INTO tasks (index_id) VALUES (?)", (index_id,)).lastrowid or 0)
        db.execute("UPDATE indexes SET last_task = ?, updated = ? WHERE id = ?", (task, self._timestamp(), index_id))
        # An unknown task counts as done.
        db.execute("DELETE FROM tasks WHERE id < ?", (task - MAX_KEPT_TASKS,))
        return task

    @staticmethod
    def _require_rebuild(db: sqlite3.Connection, index_id: int, task: int) -> None:
        db.execute("UPDATE indexes SET made_anew = ? WHERE id = ?", (task, index_id))

    @staticmethod
    def _log(db: sqlite3.Connection, index_id: int, task: int, record: str) -> None:
        db.execute("INSERT OR REPLACE INTO log VALUES (?, ?, ?)", (index_id, task, record))

    def _put(self, db: sqlite3.Connection, index_id: int, task: int, operation: RecordOperation) -> None:
        body = operation.body or {}
        if operation.action in ("partialUpdateObject", "partialUpdateObjectNoCreate"):
            row = db.execute(
                "SELECT body FROM records WHERE index_id = ? AND id = ?", (index_id, operation.id)
            ).fetchone()
            if row is None and operation.action == "partialUpdateObjectNoCreate":
                return
            body = with_update(orjson.loads(row[0]) if row else None, body)
        text = orjson.dumps(body).decode()
        db.execute("INSERT OR REPLACE INTO records VALUES (?, ?, ?)", (index_id, operation.id, text))
        self._log(db, index_id, task, operation.id)

    @staticmethod
    def _delete_index(db: sqlite3.Connection, index_id: int) -> None:
        db.execute("DELETE FROM indexes WHERE id = ?", (index_id,))
        for table in ("records", "entries", "log", "tasks"):
            db.execute(f"DELETE FROM {table} WHERE index_id = ?", (index_id,))  # noqa: S608

    def _timestamp(self) -> str:
        return self._now().strftime("%Y-%m-%dT%H:%M:%S.000Z")


def _no_index(name: str) -> NotFound:
    return NotFound(f"Index {name} does not exist")
