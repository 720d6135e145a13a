"""Pushed indexes with the engine beside them: what the store keeps, searchable.

Whoever writes also makes the engine catch up, in a background service and one at a time among all processes. A search
never waits for that: it sees what the engine has seen.
"""

from __future__ import annotations

import contextlib
import fcntl
import shutil
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import IO

import structlog

from kinfolk.budget import Deadline
from kinfolk.cache import SharedRecent
from kinfolk.errors import Unavailable
from kinfolk.search.algolia.records import Operation
from kinfolk.search.algolia.settings import engine_settings
from kinfolk.search.engine import KEPT_ANSWERS, Answers, TantivyIndex
from kinfolk.search.pushed.store import Entries, Row, Scope, Store, Summary
from kinfolk.search.query import Answer, Index, Json, Question, Record
from kinfolk.search.rules import IndexSettings
from kinfolk.supervision import FailureLog, Supervisor

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

SERVICE = "pushed indexes"
STOP_S = 5.0
"""How long `close` waits for what is under way. A batch takes tenths of a second; an index of 100,000 records, 5 s."""
MOST_OPEN = 32
"""Indexes that are kept open: each holds its vocabulary in memory."""
_LOCK_POLL_S = 0.05


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
    """For any number of threads and processes. `close` at the end: what is under way is finished first.

    The service starts with `begin` or with the first write. What fails is tried again by its supervisor, and so does an
    index that cannot be brought up to date not keep the others from it.
    """

    def __init__(self, folder: Path, *, now: Callable[[], datetime], answers: Answers | None = None) -> None:
        self._folder = folder
        self.store = Store(folder / "records.sqlite", now=now)
        self._turn = threading.Lock()
        self._woken = threading.Event()
        self._idle = threading.Event()
        self._stopping = threading.Event()
        self._queued: set[int] = set()
        self._takes_up = False
        self._supervisor: Supervisor | None = None
        self._failures = FailureLog("pushed index not brought up to date")
        self._answers: Answers = SharedRecent(KEPT_ANSWERS) if answers is None else answers
        self._open: SharedRecent[int, tuple[Row, TantivyIndex]] = SharedRecent(MOST_OPEN)

    def begin(self, supervisor: Supervisor | None = None) -> None:
        """Take up what an earlier process left, in a service of `supervisor` or of one of its own."""
        self._takes_up = True
        self._wake(supervisor)

    def close(self) -> None:
        """Blocks for at most STOP_S. A service that is stuck keeps the store open, which ends with the process."""
        self._stopping.set()
        self._woken.set()
        stuck = self._supervisor.stop(within_s=STOP_S, names=[SERVICE]) if self._supervisor is not None else []
        if not stuck:
            self.store.close()

    def settle(self, timeout_s: float) -> bool:
        """Wait until the engine has seen everything; False when that takes longer."""
        return self._idle.wait(timeout_s)

    def find(self, name: str) -> PushedIndex | None:
        """None for an index that there is not. Raises Unavailable for one that may be lost."""
        row = self.store.find(name)
        if row is None:
            self.store.check_lost(name)
            return None
        return PushedIndex(self, name, row)

    @property
    def damaged(self) -> tuple[Path, ...]:
        """Files of records that were damaged and are kept aside, for whoever reports the state of the site."""
        return self.store.damaged

    def named(self, name: str) -> PushedIndex:
        return PushedIndex(self, name, self.store.find(name))

    def copy(self, name: str, destination: str, scope: Sequence[Scope]) -> int:
        return self.wrote(self.store.copy(name, destination, scope), destination)

    def is_done(self, task: int) -> bool:
        done = self.store.is_done(task)
        if not done:
            self.begin()  # the process that was at it may be gone
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
        self._wake()

    def engine(self, row: Row) -> Index:
        """The engine as far as it has seen. Raises Unavailable where it is broken, and has it made anew."""
        if not row.built:
            return _Empty()
        known = self._open.get(row.id)
        try:
            if known is None or known[0].built != row.built:
                engine = TantivyIndex(self._place(row.id, row.built), self._rules(row), self._answers)
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
        self._open.put(row.id, (row, engine))

    def _rules(self, row: Row) -> IndexSettings:
        return engine_settings(row.settings, self.store.entries(row.id, "synonyms"))

    def _place(self, id: int, built: int) -> Path:
        return self._folder / f"{id}-{built}"

    # In the background

    def _wake(self, supervisor: Supervisor | None = None) -> None:
        with self._turn:
            if self._supervisor is None and not self._stopping.is_set():
                self._supervisor = supervisor or Supervisor()
                self._supervisor.start(SERVICE, self._run, stop=self._stop)
            self._idle.clear()
            self._woken.set()

    def _stop(self) -> None:
        self._stopping.set()
        self._woken.set()

    def _run(self) -> None:
        """The service: brings up to date what is queued. Raises what the first index that failed has raised."""
        while not self._stopping.is_set():
            self._woken.wait()
            self._woken.clear()
            failures: list[Exception] = []
            for id in self._wanted():
                if self._stopping.is_set():
                    return  # the next process takes it up
                try:
                    self._catch_up(id)
                except Exception as failure:  # noqa: BLE001 - it is raised after the other indexes
                    self._failures.failed(failure, index=id)
                    failures.append(failure)
            if failures:
                self._takes_up = True
                self._woken.set()
                raise failures[0]
            self._failures.succeeded()
            with self._turn:
                if not self._woken.is_set():
                    self._idle.set()

    def _wanted(self) -> list[int]:
        left: tuple[int, ...] = ()
        if self._takes_up:
            try:
                left = self.store.pending()
            except BaseException:
                self._woken.set()
                raise
            self._takes_up = False
        with self._turn:
            wanted, self._queued = self._queued | set(left), set()
        return sorted(wanted)

    def _catch_up(self, id: int) -> None:
        with self._alone():
            row = self.store.again(id)
            if row is None:
                self._sweep(id, keep=None)
            elif not row.is_current:
                self._advance(row)

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
            self._open.drop(id)

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Raises Unavailable when it is time to stop. A process that holds the lock may itself be stuck."""
        self._folder.mkdir(parents=True, exist_ok=True)
        with (self._folder / "writer.lock").open("w") as held:
            while not self._locked(held):
                if self._stopping.wait(_LOCK_POLL_S):
                    raise Unavailable("The site is shutting down")
            yield

    @staticmethod
    def _locked(file: IO[str]) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


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
