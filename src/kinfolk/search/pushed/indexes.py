"""Pushed indexes with the engine beside them: what the store keeps, searchable.

Whoever writes also makes the engine catch up, in the background and one at a time among all processes. A search never
waits for that: it sees what the engine has seen.
"""

from __future__ import annotations

import contextlib
import fcntl
import shutil
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path

import structlog

from kinfolk.budget import Deadline
from kinfolk.errors import Unavailable
from kinfolk.search.algolia.records import Operation
from kinfolk.search.algolia.settings import engine_settings
from kinfolk.search.engine import TantivyIndex
from kinfolk.search.pushed.store import Entries, Row, Scope, Store, Summary
from kinfolk.search.query import Answer, Index, Json, Question, Record
from kinfolk.search.rules import IndexSettings

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)


class _Empty:
    """Stands for an index that the engine has not begun yet."""

    generation = "empty"
    count = 0

    def search(self, question: Question, deadline: Deadline | None = None) -> Answer:  # noqa: ARG002 - an Index's names for what it is asked
        return Answer()

    def facet_values(
        self,
        attribute: str,  # noqa: ARG002
        text: str,  # noqa: ARG002
        question: Question,  # noqa: ARG002
        *,
        most: int,  # noqa: ARG002
        deadline: Deadline | None = None,  # noqa: ARG002
    ) -> tuple[tuple[str, int], ...]:
        return ()

    def get(self, ids: Sequence[str], deadline: Deadline | None = None) -> tuple[Record | None, ...]:  # noqa: ARG002
        return (None,) * len(ids)

    def browse(
        self,
        cursor: str | None,  # noqa: ARG002
        question: Question,  # noqa: ARG002
        *,
        most: int,  # noqa: ARG002
        deadline: Deadline | None = None,  # noqa: ARG002
    ) -> tuple[tuple[Record, ...], str | None]:
        return (), None


class PushedIndexes:
    """For any number of threads and processes. `close` at the end: what is under way is finished first."""

    def __init__(self, folder: Path, *, now: Callable[[], datetime]) -> None:
        self._folder = folder
        self.store = Store(folder / "records.sqlite", now=now)
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="pushed")
        self._turn = threading.Lock()
        self._queued: set[int] = set()
        self._open: dict[int, tuple[Row, TantivyIndex]] = {}

    def begin(self) -> None:
        """Take up what an earlier process left."""
        for id in self.store.pending():
            self.catch_up_soon(id)

    def close(self) -> None:
        self._worker.shutdown(wait=True, cancel_futures=True)
        self.store.close()

    def find(self, name: str) -> PushedIndex | None:
        row = self.store.find(name)
        return PushedIndex(self, name, row) if row is not None else None

    def named(self, name: str) -> PushedIndex:
        return PushedIndex(self, name, self.store.find(name))

    def copy(self, name: str, destination: str, scope: Sequence[Scope]) -> int:
        return self.wrote(self.store.copy(name, destination, scope), destination)

    def is_done(self, task: int) -> bool:
        done = self.store.is_done(task)
        if not done:
            self.begin()  # whoever was at it may be gone
        return done

    def summaries(self) -> tuple[Summary, ...]:
        return self.store.summaries()

    def wrote(self, task: int, name: str) -> int:
        """Something was written to this index: the engine shall see it soon."""
        row = self.store.find(name)
        if row is not None:
            self.catch_up_soon(row.id)
        return task

    def catch_up_soon(self, id: int) -> None:
        with self._turn:
            if id in self._queued:
                return
            self._queued.add(id)
        with contextlib.suppress(RuntimeError):  # closing: the next process takes it up
            self._worker.submit(self._catch_up, id)

    def engine(self, row: Row) -> Index:
        """The engine as far as it has seen. Raises Unavailable where it is broken, and has it made anew."""
        if not row.built:
            return _Empty()
        with self._turn:
            known = self._open.get(row.id)
        try:
            if known is None or known[0].built != row.built:
                engine = TantivyIndex(self._place(row.id, row.built), self._rules(row))
            elif known[0].seen < row.seen:
                engine = known[1]
                engine.refresh()
            else:
                return known[1]
        except Unavailable:
            newer = self.store.again(row.id)
            if newer is not None and newer.built not in (0, row.built):
                # Made anew since the row was read: what there was is deleted.
                return self.engine(newer)
            self.store.lost(row.id, row.built)
            self.catch_up_soon(row.id)
            raise
        self._keep(row, engine)
        return engine

    def _keep(self, row: Row, engine: TantivyIndex) -> None:
        with self._turn:
            self._open[row.id] = (row, engine)

    def _rules(self, row: Row) -> IndexSettings:
        return engine_settings(row.settings, self.store.entries(row.id, "synonyms"))

    def _place(self, id: int, built: int) -> Path:
        return self._folder / f"{id}-{built}"

    # In the background

    def _catch_up(self, id: int) -> None:
        with self._turn:
            self._queued.discard(id)
        try:
            with self._alone():
                row = self.store.again(id)
                if row is None:
                    self._sweep(id, keep=None)
                elif not row.is_current:
                    self._advance(row)
        except Exception:
            log.exception("a pushed index could not be brought up to date", index=id)

    def _advance(self, row: Row) -> None:
        if row.built >= max(1, row.made_anew):
            try:
                engine = TantivyIndex(self._place(row.id, row.built), self._rules(row))
            except Unavailable as broken:
                log.warning("a pushed index is made anew", index=row.name, reason=broken.message)
            else:
                puts, deletes = self.store.unseen(row)
                engine.write(puts.values(), deletes)
                self.store.saw(row.id, row.last_task)
                return
        # In a folder of its own: until the store names it, nobody looks there.
        place = self._place(row.id, row.last_task)
        shutil.rmtree(place, ignore_errors=True)
        TantivyIndex.create(place, self._rules(row), self.store.records(row.id))
        self.store.saw(row.id, row.last_task, built=row.last_task)
        self._sweep(row.id, keep=row.last_task)
        log.info("pushed index made", index=row.name, task=row.last_task)

    def _sweep(self, id: int, *, keep: int | None) -> None:
        """Delete what the engine had built before. Whoever still reads it holds its files open."""
        for folder in self._folder.glob(f"{id}-*"):
            if keep is None or folder != self._place(id, keep):
                shutil.rmtree(folder, ignore_errors=True)
        if keep is None:
            with self._turn:
                self._open.pop(id, None)

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        self._folder.mkdir(parents=True, exist_ok=True)
        with (self._folder / "writer.lock").open("w") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            yield


class PushedIndex:
    """One pushed index, as it was when it was asked for; writing to one that is not there makes it."""

    def __init__(self, indexes: PushedIndexes, name: str, row: Row | None) -> None:
        self.name = name
        self._indexes = indexes
        self._store = indexes.store
        self._row = row

    @property
    def settings(self) -> Mapping[str, object]:
        return self._known.settings

    @property
    def generation(self) -> str:
        return f"{self._known.id}-{self._known.built}-{self._known.seen}-{self._known.last_task}"

    @property
    def count(self) -> int:
        return self._engine.count

    def search(self, question: Question, deadline: Deadline | None = None) -> Answer:
        return self._engine.search(question, deadline)

    def facet_values(
        self, attribute: str, text: str, question: Question, *, most: int, deadline: Deadline | None = None
    ) -> tuple[tuple[str, int], ...]:
        return self._engine.facet_values(attribute, text, question, most=most, deadline=deadline)

    def get(self, ids: Sequence[str], deadline: Deadline | None = None) -> tuple[Record | None, ...]:  # noqa: ARG002 - a read by key takes no time
        """From the store: a record can be read as soon as it is written."""
        return self._store.get(self._known.id, ids)

    def browse(
        self, cursor: str | None, question: Question, *, most: int, deadline: Deadline | None = None
    ) -> tuple[tuple[Record, ...], str | None]:
        return self._engine.browse(cursor, question, most=most, deadline=deadline)

    def entries(self, kind: Entries) -> tuple[Mapping[str, Json], ...]:
        return self._store.entries(self._known.id, kind)

    def entry(self, kind: Entries, id: str) -> Mapping[str, Json] | None:
        return self._store.entry(self._known.id, kind, id)

    # Writing. Each gives the number of its task.

    def apply(self, operations: Sequence[Operation]) -> int:
        return self._wrote(self._store.apply(self.name, operations))

    def delete_records(self, passes: Callable[[Record], bool]) -> int:
        return self._wrote(self._store.delete_records(self.name, passes))

    def set_settings(self, change: Mapping[str, object]) -> int:
        return self._wrote(self._store.set_settings(self.name, change))

    def put_entries(self, kind: Entries, entries: Mapping[str, Mapping[str, Json]], *, replace: bool = False) -> int:
        return self._wrote(self._store.put_entries(self.name, kind, entries, replace=replace))

    def delete_entry(self, kind: Entries, id: str) -> int:
        return self._wrote(self._store.delete_entry(self.name, kind, id))

    def delete(self) -> int:
        row, task = self._row, self._store.delete(self.name)
        if row is not None:
            self._indexes.catch_up_soon(row.id)
        return task

    def move(self, destination: str) -> int:
        there = self._store.find(destination)
        task = self._store.move(self.name, destination)
        if there is not None and there.name != self.name:
            self._indexes.catch_up_soon(there.id)
        return self._indexes.wrote(task, destination)

    def _wrote(self, task: int) -> int:
        return self._indexes.wrote(task, self.name)

    @property
    def _known(self) -> Row:
        return self._row if self._row is not None else self._store.index(self.name)

    @property
    def _engine(self) -> Index:
        return self._indexes.engine(self._known)
