"""Highlights snippets in the background: first those of requested pages, then all of the current docs.

highlighter = Highlighter(bundle, file)
highlighter.on_ready(purge)
highlighter.start(supervisor)
html = highlighter.get_or_enqueue(snippet)  # does not block; None while it is pending
tag = highlighter.watch([snippet])          # `purge` is called with the tag when all of these are highlighted
"""

from __future__ import annotations

import atexit
import hashlib
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import structlog

from kinfolk.content.dependencies import PendingHighlight
from kinfolk.content.highlight.code_snippet import CodeSnippet, HighlightedCode, plain_code, snippet_key
from kinfolk.content.highlight.shiki_engine import ShikiEngine, ShikiError
from kinfolk.content.highlight.snippet_store import SnippetStore
from kinfolk.db.cache_file import REOPEN_S
from kinfolk.runtime.cache import CacheBudget, CachePriority, LRUCache
from kinfolk.runtime.errors import SiteError
from kinfolk.runtime.services.lifecycle import Service
from kinfolk.runtime.services.supervisor import FailureLog, Supervisor

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

MEMORY_BYTES = 12 << 20
"""Markup cached in memory: about that of all docs."""
BATCH_SIZE = 16
"""Snippets: some 20 ms of work, after which requested snippets take precedence again."""
LONGEST = 100_000
"""Characters of a snippet that is highlighted. The docs' longest has 3,870."""
TIMEOUT_S = 20.0
"""A hundred times the duration of a batch, so that a busy machine does not cause failures."""
IDLE_S = 10.0
"""After this time without work V8 is stopped, which frees 150 MB."""
SERVICE = "highlighting"
STOP_S = 5.0
"""How long `close` waits for the running batch."""

Section = tuple[str, Iterable[CodeSnippet]]
"""Snippets with a name that changes when they do, such as a branch and its commit."""
Sections = Iterable[Section] | Callable[[], Iterable[Section]]
"""A function is called again when a section could not be read."""
Batch = dict[bytes, CodeSnippet]


class SectionsNotReadError(Exception):
    """Some sections could not be read completely."""


class Highlighter(Service):
    """One background service with one isolate, between `start` and `close`. It may be started again.

    A snippet on which V8 fails is stored as plain for this version of the bundle. Any other failure ends `run`, which
    the supervisor calls again; requested snippets stay queued.
    """

    def __init__(
        self,
        bundle: str,
        file: Path,
        *,
        timeout_s: float = TIMEOUT_S,
        memory_mb: int = 512,
        idle_s: float = IDLE_S,
        reopen_s: float = REOPEN_S,
        caches: CacheBudget | None = None,
    ) -> None:
        self.pipeline = hashlib.sha256(bundle.encode()).hexdigest()[:16]
        self.highlighted_count = 0
        self.engine_failures = 0
        self._bundle = bundle
        self._file = file
        self._timeout_s = timeout_s
        self._memory_mb = memory_mb
        self._idle_s = idle_s
        self._reopen_s = reopen_s
        self._listeners: list[Callable[[frozenset[PendingHighlight]], None]] = []
        self._engine: ShikiEngine | None = None
        self._store: SnippetStore | None = None
        self._supervisor: Supervisor | None = None
        # State of `warm`, for the highlighting thread only. A batch is kept until it is highlighted, so that a section
        # is not marked as complete before.
        self._batch_iterator: Iterator[Batch] = iter(())
        self._current_batch: Batch | None = None
        self._unread_sections: list[str] = []
        self._failures = FailureLog("section not highlighted in advance")
        self._changed = threading.Condition()
        # The following attributes are guarded by `_changed`.
        self._memory: LRUCache[bytes, str] = LRUCache(MEMORY_BYTES)
        if caches is not None:
            caches.add("highlighted code", CachePriority.SNIPPETS, self._memory)
        self._queue: Batch = {}
        self._pending_keys: dict[PendingHighlight, set[bytes]] = {}
        self._sections: Sections | None = None
        self._rereadable_sections: Sections | None = None
        self._sections_to_reread: Sections | None = None
        self._warming = False
        self._closing = False

    def on_ready(self, listener: Callable[[frozenset[PendingHighlight]], None]) -> None:
        """Call `listener` with the stale dependencies, in the highlighting thread or in the thread of `watch`."""
        self._listeners.append(listener)

    def start(self, supervisor: Supervisor | None = None) -> None:
        """Open the store, and run the service under `supervisor`, or under a new one."""
        if self._supervisor is not None:
            return
        self._closing = False
        # An isolate that is not closed can hang the interpreter at its exit.
        atexit.register(self.close)
        self._store = SnippetStore(self._file, self.pipeline, reopen_s=self._reopen_s)
        self._supervisor = supervisor or Supervisor()
        self._supervisor.start(SERVICE, self.run, stop=self.stop)

    def stop(self) -> None:
        """End `run` after the running batch. Does not block."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()

    def close(self) -> None:
        """Stop after the running batch. Blocks for at most STOP_S; then the store stays open for the batch."""
        atexit.unregister(self.close)
        supervisor, self._supervisor = self._supervisor, None
        self.stop()
        stuck = supervisor.stop(within_s=STOP_S, names=[SERVICE]) if supervisor is not None else []
        if self._store is not None and not stuck:
            self._store.close()
        self._store = None

    def get_or_enqueue(self, snippet: CodeSnippet) -> str | None:
        """The HTML inside the `<code>`, or None after adding the snippet to the queue. Does not block."""
        key = snippet_key(self.pipeline, snippet)
        with self._changed:
            known = self._memory.get(key)
        if known is not None:
            return known
        stored = self._store.get(key) if self._store is not None else None
        with self._changed:
            if stored is not None:
                self._cache(key, stored)
                return stored.html
            known = self._memory.get(key)  # the highlighting thread may have added it in the meantime
            if known is None:
                self._queue[key] = snippet
                self._changed.notify_all()
            return known

    def watch(self, snippets: Sequence[CodeSnippet]) -> PendingHighlight:
        """A dependency with which listeners are called when all of these queued snippets are highlighted."""
        keys = {snippet_key(self.pipeline, snippet) for snippet in snippets}
        pending = PendingHighlight(hashlib.sha256(b"".join(sorted(keys))).hexdigest()[:12])
        with self._changed:
            waiting = keys & self._queue.keys()
            if waiting:
                self._pending_keys[pending] = waiting
        if not waiting:
            self._notify({pending})
        return pending

    def warm(self, sections: Sections) -> None:
        """Highlight all snippets of these sections while no requested snippet is queued. Replaces an earlier `warm`.

        The highlighting thread reads the sections lazily, and skips those that the store has completely.
        """
        with self._changed:
            self._sections = sections
            self._warming = True
            self._changed.notify_all()

    def wait_until_idle(self, timeout_s: float | None = None) -> bool:
        """Wait until no work is left. False if that takes longer than `timeout_s`."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._warming and not self._queue, timeout_s)

    @property
    def stored_count(self) -> int:
        """Number of snippets in the store, from all processes."""
        return len(self._store) if self._store is not None else 0

    def faults(self) -> dict[str, int]:
        """Number of snippets without colors by reason, among those of known languages."""
        return self._store.faults() if self._store is not None else {}

    def run(self) -> None:
        """Run the service until `stop`. After an exception it can be called again."""
        store = self._store
        if store is None:
            return
        try:
            while not self._closing:
                self._step(store)
        finally:
            self._close_engine()

    def _step(self, store: SnippetStore) -> None:
        """Highlight one batch, or wait for work."""
        with self._changed:
            if not self._warming and self._sections_to_reread is not None:
                # Some sections could not be read last time.
                self._sections, self._sections_to_reread, self._warming = self._sections_to_reread, None, True
            busy = self._changed.wait_for(self._has_work, self._idle_s if self._engine else None)
            sections, self._sections = self._sections, None
            requested = dict(islice(self._queue.items(), BATCH_SIZE))
        if sections is not None:
            self._unread_sections, self._current_batch = [], None
            self._rereadable_sections = sections if callable(sections) else None
            self._batch_iterator = self._batches(sections, store)
        if not busy and self._engine is not None:
            self._engine.release_memory()  # otherwise the process keeps most of the isolate's memory
            self._close_engine()
        if not busy or self._closing:
            return
        if requested:
            self._highlight_batch(requested, store)
            return
        if self._current_batch is None:
            self._current_batch = self._next_batch()
        if self._current_batch is not None:
            self._highlight_batch(self._current_batch, store)
            self._current_batch = None
        else:
            self._finish_sections()

    def _has_work(self) -> bool:
        return self._closing or self._warming or bool(self._queue)

    def _next_batch(self) -> Batch | None:
        try:
            return next(self._batch_iterator, None)
        except BaseException:
            self._schedule_reread()
            raise

    def _schedule_reread(self) -> None:
        with self._changed:
            self._sections_to_reread = self._rereadable_sections

    def _batches(self, sections: Sections, store: SnippetStore) -> Iterator[Batch]:
        """Batches of the snippets that are not stored. A batch is cut short while requested snippets are queued."""
        for name, snippets in sections() if callable(sections) else sections:
            if store.is_complete(name):
                continue
            batch: Batch = {}
            try:
                for snippet in snippets:
                    key = snippet_key(self.pipeline, snippet)
                    if key not in batch and not store.has(key):
                        batch[key] = snippet
                    if len(batch) == BATCH_SIZE or self._queue:
                        yield batch
                        batch = {}
            except SiteError as failure:
                log.warning("not every snippet is highlighted in advance", section=name, reason=failure.message)
                continue
            except Exception as failure:  # noqa: BLE001 - `_finish_sections` raises
                # An I/O error or a bug: the other sections come first, then these are read again.
                self._failures.failed(failure, section=name)
                self._unread_sections.append(name)
                self._schedule_reread()
                continue
            yield batch
            store.mark_complete(name)

    def _finish_sections(self) -> None:
        """Raises SectionsNotReadError if some sections have failed, so that they are read again after a pause."""
        unread, self._unread_sections = self._unread_sections, []
        with self._changed:
            # `warm` may have been called again.
            self._warming = self._sections is not None
            self._changed.notify_all()
        if unread:
            raise SectionsNotReadError(f"not every snippet is highlighted in advance: {', '.join(unread)}")
        self._failures.succeeded()

    def _highlight_batch(self, batch: Batch, store: SnippetStore) -> None:
        """Highlight and store a batch, and notify the listeners of what is ready."""
        # Another process may have stored some of them since they were queued.
        stored = {key: code for key in batch if (code := store.get(key)) is not None}
        missing = {key: snippet for key, snippet in batch.items() if key not in stored}
        fresh = dict(zip(missing, self._highlighted([*missing.values()]), strict=True))
        if fresh:
            store.put(fresh)
        with self._changed:
            for key, one in (stored | fresh).items():
                if self._queue.pop(key, None) is not None:
                    self._cache(key, one)
            ready = {
                pending
                for pending, waiting in self._pending_keys.items()
                if not any(key in self._queue for key in waiting)
            }
            for pending in ready:
                del self._pending_keys[pending]
            self._changed.notify_all()
        self._notify(ready)

    def _cache(self, key: bytes, one: HighlightedCode) -> None:
        self._memory.put(key, one.html, weight=sys.getsizeof(one.html) + 250)

    def _notify(self, ready: set[PendingHighlight]) -> None:
        """Call every listener. The failure of one does not affect the others."""
        for listener in self._listeners if ready else ():
            try:
                listener(frozenset(ready))
            except Exception:
                log.exception("listener failed", listener=repr(listener))

    def _highlighted(self, snippets: list[CodeSnippet]) -> list[HighlightedCode]:
        highlighted = iter(self._highlight_in_v8([snippet for snippet in snippets if len(snippet.code) <= LONGEST]))
        too_long = f"is longer than {LONGEST} characters"
        return [
            next(highlighted) if len(snippet.code) <= LONGEST else plain_code(snippet, too_long) for snippet in snippets
        ]

    def _highlight_in_v8(self, snippets: list[CodeSnippet]) -> list[HighlightedCode]:
        """The snippets, highlighted by V8. After a failure each is tried alone; one that fails alone stays plain."""
        if not snippets:
            return []
        if self._engine is None:
            self._engine = ShikiEngine(self._bundle, timeout_s=self._timeout_s, memory_mb=self._memory_mb)
        try:
            highlighted = self._engine.highlight(snippets)
        except ShikiError as failure:
            self.engine_failures += 1
            self._close_engine()
            if len(snippets) > 1:
                return [one for snippet in snippets for one in self._highlight_in_v8([snippet])]
            language, size = snippets[0].language, len(snippets[0].code)
            log.warning("snippet stays plain", reason=str(failure), language=language, characters=size)
            return [plain_code(snippets[0], str(failure))]
        self.highlighted_count += len(highlighted)
        return highlighted

    def _close_engine(self) -> None:
        engine, self._engine = self._engine, None
        if engine is not None:
            engine.close()
