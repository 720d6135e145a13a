"""Pushed indexes: the store, and an engine folder for each index that follows it.

A background service applies changes of the store to the engine, one process at a time. Searches do not block on it:
they read what the engine has applied so far.
"""

from __future__ import annotations

import contextlib
import fcntl
import shutil
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import IO, Protocol

import structlog

from kinfolk.runtime.budget import Deadline
from kinfolk.runtime.cache import ThreadSafeLRUCache
from kinfolk.runtime.errors import Unavailable
from kinfolk.runtime.services.lifecycle import Service
from kinfolk.runtime.services.supervisor import FailureLog, Supervisor
from kinfolk.search.engine.tantivy_index import RESULT_CACHE_BYTES, ResultCache, TantivyIndex
from kinfolk.search.filters import Json, Record
from kinfolk.search.pushed_indexes.operations import RecordOperation
from kinfolk.search.pushed_indexes.record_store import Entries, IndexState, IndexSummary, RecordStore, Scope, Settings
from kinfolk.search.query import SearchableIndex, SearchQuery, SearchResult
from kinfolk.search.ranking_config import IndexSettings

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

SERVICE = "pushed indexes"
STOP_S = 5.0
"""Limit of `close`. A batch takes tenths of a second, an index of 100,000 records 5 s."""
MAX_OPEN_INDEXES = 32
"""Each open index holds its vocabulary in memory."""
_LOCK_POLL_S = 0.05


class EmptyIndex:
    """An index that the engine has not built yet."""

    generation = "empty"
    count = 0

    def search(self, query: SearchQuery, deadline: Deadline | None = None) -> SearchResult:  # noqa: ARG002 - the parameters of SearchableIndex
        return SearchResult()

    def facet_values(
        self,
        attribute: str,  # noqa: ARG002
        text: str,  # noqa: ARG002
        query: SearchQuery,  # noqa: ARG002
        *,
        limit: int,  # noqa: ARG002
        deadline: Deadline | None = None,  # noqa: ARG002
    ) -> tuple[tuple[str, int], ...]:
        return ()

    def get(self, ids: Sequence[str], deadline: Deadline | None = None) -> tuple[Record | None, ...]:  # noqa: ARG002
        return (None,) * len(ids)

    def browse(
        self,
        cursor: str | None,  # noqa: ARG002
        query: SearchQuery,  # noqa: ARG002
        *,
        limit: int,  # noqa: ARG002
        deadline: Deadline | None = None,  # noqa: ARG002
    ) -> tuple[tuple[Record, ...], str | None]:
        return (), None


class SettingsReader(Protocol):
    """Interprets the settings that clients push. The store keeps them as they were sent."""

    def engine_settings(self, settings: Settings, synonyms: Iterable[Mapping[str, Json]]) -> IndexSettings:
        """The settings of the engine."""

    def requires_rebuild(self, before: Settings, after: Settings) -> bool:
        """Whether the engine must index all records again."""


class PushedIndexes(Service):
    """For any number of threads and processes.

    The service starts with `start` or with the first write. The supervisor retries it after a failure. An index that
    fails does not block the others.
    """

    def __init__(
        self,
        folder: Path,
        reader: SettingsReader,
        *,
        now: Callable[[], datetime],
        results: ResultCache | None = None,
    ) -> None:
        self._folder = folder
        self._reader = reader
        self.store = RecordStore(folder / "records.sqlite", requires_rebuild=reader.requires_rebuild, now=now)
        self._lock = threading.Lock()
        self._woken = threading.Event()
        self._idle = threading.Event()
        self._stopping = threading.Event()
        self._queued: set[int] = set()
        self._resumes = False
        self._supervisor: Supervisor | None = None
        self._failures = FailureLog("pushed index not updated")
        self._results: ResultCache = ThreadSafeLRUCache(RESULT_CACHE_BYTES) if results is None else results
        self._open: ThreadSafeLRUCache[int, tuple[IndexState, TantivyIndex]] = ThreadSafeLRUCache(MAX_OPEN_INDEXES)

    def start(self, supervisor: Supervisor | None = None) -> None:
        """Take up what an earlier process left, in a service of `supervisor` or of one of its own."""
        self._resumes = True
        self._wake(supervisor)

    def close(self) -> None:
        """Blocks for at most STOP_S. A stuck service keeps the store open until the process ends."""
        self._stopping.set()
        self._woken.set()
        stuck = self._supervisor.stop(within_s=STOP_S, names=[SERVICE]) if self._supervisor is not None else []
        if not stuck:
            self.store.close()

    def wait_until_current(self, timeout_s: float) -> bool:
        """Wait until the engine has applied all changes; False after the timeout."""
        return self._idle.wait(timeout_s)

    def find(self, name: str) -> PushedIndex | None:
        """None for an unknown index. Raises Unavailable where it may be lost."""
        row = self.store.find(name)
        if row is None:
            self.store.check_lost(name)
            return None
        return PushedIndex(self, name, row)

    @property
    def damaged(self) -> tuple[Path, ...]:
        """Damaged files of the store, for the health check."""
        return self.store.damaged

    def named(self, name: str) -> PushedIndex:
        return PushedIndex(self, name, self.store.find(name))

    def copy(self, name: str, destination: str, scope: Sequence[Scope]) -> int:
        return self.schedule_update(self.store.copy(name, destination, scope), destination)

    def is_done(self, task: int) -> bool:
        done = self.store.is_done(task)
        if not done:
            self.start()  # the process that worked on the task may have ended
        return done

    def summaries(self) -> tuple[IndexSummary, ...]:
        return self.store.summaries()

    def schedule_update(self, task: int, name: str) -> int:
        """Schedule the engine's update of a written index. Returns the task."""
        row = self.store.find(name)
        if row is not None:
            self.queue(row.id)
        return task

    def queue(self, id: int) -> None:
        with self._lock:
            if id in self._queued:
                return
            self._queued.add(id)
        self._wake()

    def engine(self, row: IndexState) -> SearchableIndex:
        """The engine at its last applied task. Raises Unavailable where its folder is damaged, and queues a rebuild."""
        if not row.built:
            return EmptyIndex()
        known = self._open.get(row.id)
        try:
            if known is None or known[0].built != row.built:
                engine = TantivyIndex(self._place(row.id, row.built), self._rules(row), self._results)
            elif known[0].seen < row.seen:
                engine = known[1]
                engine.refresh()
            else:
                return known[1]
        except Unavailable:
            newer = self.store.state(row.id)
            if newer is not None and newer.built not in (0, row.built):
                # Rebuilt since the state was read: the old folder is deleted.
                return self.engine(newer)
            self.store.set_unbuilt(row.id, row.built)
            self.queue(row.id)
            raise
        self._keep(row, engine)
        return engine

    def _keep(self, row: IndexState, engine: TantivyIndex) -> None:
        self._open.put(row.id, (row, engine))

    def _rules(self, row: IndexState) -> IndexSettings:
        return self._reader.engine_settings(row.settings, self.store.entries(row.id, "synonyms"))

    def _place(self, id: int, built: int) -> Path:
        return self._folder / f"{id}-{built}"

    # The background service

    def _wake(self, supervisor: Supervisor | None = None) -> None:
        with self._lock:
            if self._supervisor is None and not self._stopping.is_set():
                self._supervisor = supervisor or Supervisor()
                self._supervisor.start(SERVICE, self._run, stop=self._stop)
            self._idle.clear()
            self._woken.set()

    def _stop(self) -> None:
        self._stopping.set()
        self._woken.set()

    def _run(self) -> None:
        """Updates queued indexes. Raises the exception of the first index that failed."""
        while not self._stopping.is_set():
            self._woken.wait()
            self._woken.clear()
            failures: list[Exception] = []
            for id in self._take_queue():
                if self._stopping.is_set():
                    return  # the next process resumes it
                try:
                    self._update_engine(id)
                except Exception as failure:  # noqa: BLE001 - raised after the other indexes
                    self._failures.failed(failure, index=id)
                    failures.append(failure)
            if failures:
                self._resumes = True
                self._woken.set()
                raise failures[0]
            self._failures.succeeded()
            with self._lock:
                if not self._woken.is_set():
                    self._idle.set()

    def _take_queue(self) -> list[int]:
        left: tuple[int, ...] = ()
        if self._resumes:
            try:
                left = self.store.pending()
            except BaseException:
                self._woken.set()
                raise
            self._resumes = False
        with self._lock:
            queued, self._queued = self._queued | set(left), set()
        return sorted(queued)

    def _update_engine(self, id: int) -> None:
        with self._engine_lock():
            row = self.store.state(id)
            if row is None:
                self._delete_folders(id, keep=None)
            elif not row.is_current:
                self._advance(row)

    def _advance(self, row: IndexState) -> None:
        if row.built >= max(1, row.made_anew):
            try:
                engine = TantivyIndex(self._place(row.id, row.built), self._rules(row))
            except Unavailable as broken:
                log.warning("a pushed index is rebuilt", index=row.name, reason=broken.message)
            else:
                puts, deletes = self.store.changes(row)
                engine.write(puts.values(), deletes)
                self.store.set_applied(row.id, row.last_task)
                return
        # In a new folder, which is not read until the store names it.
        place = self._place(row.id, row.last_task)
        shutil.rmtree(place, ignore_errors=True)
        TantivyIndex.create(place, self._rules(row), self.store.records(row.id))
        self.store.set_applied(row.id, row.last_task, built=row.last_task)
        self._delete_folders(row.id, keep=row.last_task)
        log.info("pushed index made", index=row.name, task=row.last_task)

    def _delete_folders(self, id: int, *, keep: int | None) -> None:
        """Delete the folders of earlier builds. Readers hold their files open."""
        for folder in self._folder.glob(f"{id}-*"):
            if keep is None or folder != self._place(id, keep):
                shutil.rmtree(folder, ignore_errors=True)
        if keep is None:
            self._open.remove(id)

    @contextlib.contextmanager
    def _engine_lock(self) -> Iterator[None]:
        """Raises Unavailable while the site shuts down: the process that holds the lock may be stuck."""
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
    """One pushed index in its state at the time of the request. A write to an unknown index creates it."""

    def __init__(self, indexes: PushedIndexes, name: str, row: IndexState | None) -> None:
        self.name = name
        self._indexes = indexes
        self._store = indexes.store
        self._row = row

    @property
    def settings(self) -> Mapping[str, object]:
        return self._existing.settings

    @property
    def generation(self) -> str:
        return f"{self._existing.id}-{self._existing.built}-{self._existing.seen}-{self._existing.last_task}"

    @property
    def count(self) -> int:
        return self._engine.count

    def search(self, query: SearchQuery, deadline: Deadline | None = None) -> SearchResult:
        return self._engine.search(query, deadline)

    def facet_values(
        self, attribute: str, text: str, query: SearchQuery, *, limit: int, deadline: Deadline | None = None
    ) -> tuple[tuple[str, int], ...]:
        return self._engine.facet_values(attribute, text, query, limit=limit, deadline=deadline)

    def get(self, ids: Sequence[str], deadline: Deadline | None = None) -> tuple[Record | None, ...]:  # noqa: ARG002 - a read by key is fast
        """From the store: a record can be read before the engine has applied it."""
        return self._store.get(self._existing.id, ids)

    def browse(
        self, cursor: str | None, query: SearchQuery, *, limit: int, deadline: Deadline | None = None
    ) -> tuple[tuple[Record, ...], str | None]:
        return self._engine.browse(cursor, query, limit=limit, deadline=deadline)

    def entries(self, kind: Entries) -> tuple[Mapping[str, Json], ...]:
        return self._store.entries(self._existing.id, kind)

    def entry(self, kind: Entries, id: str) -> Mapping[str, Json] | None:
        return self._store.entry(self._existing.id, kind, id)

    # Each write returns the number of its task.

    def apply(self, operations: Sequence[RecordOperation]) -> int:
        return self._schedule(self._store.apply(self.name, operations))

    def delete_records(self, is_deleted: Callable[[Record], bool]) -> int:
        return self._schedule(self._store.delete_records(self.name, is_deleted))

    def set_settings(self, change: Mapping[str, object]) -> int:
        return self._schedule(self._store.set_settings(self.name, change))

    def put_entries(self, kind: Entries, entries: Mapping[str, Mapping[str, Json]], *, replace: bool = False) -> int:
        return self._schedule(self._store.put_entries(self.name, kind, entries, replace=replace))

    def delete_entry(self, kind: Entries, id: str) -> int:
        return self._schedule(self._store.delete_entry(self.name, kind, id))

    def delete(self) -> int:
        row, task = self._row, self._store.delete(self.name)
        if row is not None:
            self._indexes.queue(row.id)
        return task

    def move(self, destination: str) -> int:
        there = self._store.find(destination)
        task = self._store.move(self.name, destination)
        if there is not None and there.name != self.name:
            self._indexes.queue(there.id)
        return self._indexes.schedule_update(task, destination)

    def _schedule(self, task: int) -> int:
        return self._indexes.schedule_update(task, self.name)

    @property
    def _existing(self) -> IndexState:
        return self._row if self._row is not None else self._store.index(self.name)

    @property
    def _engine(self) -> SearchableIndex:
        return self._indexes.engine(self._existing)
