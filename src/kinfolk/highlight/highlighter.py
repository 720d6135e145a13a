"""Highlights in the background: what readers wait for first, then whatever the current docs hold.

highlighter = Highlighter(bundle, file)
highlighter.on_ready(purge)
highlighter.start(supervisor)
html = highlighter.ready(snippet)         # at once; None while it is not ready
tag = highlighter.tag([snippet])          # told to `purge` when all of these are
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

from kinfolk.cache import CacheBudget, Recent, Worth
from kinfolk.errors import SiteError
from kinfolk.highlight.engine import Engine, EngineFailed
from kinfolk.highlight.snippet import Coloured, Snippet, key_of, plain
from kinfolk.highlight.store import REOPEN_S, SnippetStore
from kinfolk.supervision import FailureLog, Supervisor

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

MEMORY_BYTES = 12 << 20
"""Markup at hand without asking the store: about as much as the whole family's."""
AT_ONCE = 16
"""Snippets in a batch: some 20 ms of work, after which readers' wishes come first again."""
LONGEST = 100_000
"""Characters of a snippet that is still coloured; the docs' longest has 3,870."""
TIMEOUT_S = 20.0
"""A hundred times what a batch takes, so that a busy machine condemns no snippet."""
IDLE_S = 10.0
"""Without work for so long, V8 and its 150 MB are let go of."""
SERVICE = "highlighting"
STOP_S = 5.0
"""How long `close` waits for the batch that is under way."""

Section = tuple[str, Iterable[Snippet]]
"""Snippets that change together, under a name that changes with them: a branch and its commit."""
Sections = Iterable[Section] | Callable[[], Iterable[Section]]
"""A function can be called again when reading a section has failed."""
Batch = dict[bytes, Snippet]


class SectionsNotReadError(Exception):
    """Sections could not be read whole: their snippets are not all highlighted ahead."""


class Highlighter:
    """One service and one isolate, which exist only between `start` and `close`; both may be called again.

    Before `start` nothing is ready. A snippet on which V8 fails is remembered as plain for as long as the bundle
    stays the same. Whatever else fails ends `run`, which the supervisor calls again; nothing asked for is lost.
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
        self.made = 0
        self.replaced = 0
        self._bundle = bundle
        self._file = file
        self._timeout_s = timeout_s
        self._memory_mb = memory_mb
        self._idle_s = idle_s
        self._reopen_s = reopen_s
        self._listeners: list[Callable[[frozenset[str]], None]] = []
        self._engine: Engine | None = None
        self._store: SnippetStore | None = None
        self._supervisor: Supervisor | None = None
        # What is made ahead; of the highlighting thread only. A batch is kept until it is made, so that a section is
        # never taken for whole when it is not.
        self._walk: Iterator[Batch] = iter(())
        self._ahead: Batch | None = None
        self._unread: list[str] = []
        self._failures = FailureLog("section not highlighted ahead")
        self._changed = threading.Condition()
        # All of these are read and written under `_changed` only.
        self._memory: Recent[bytes, str] = Recent(MEMORY_BYTES)
        if caches is not None:
            caches.add("highlighted code", Worth.SNIPPETS, self._memory)
        self._asked: Batch = {}
        self._waiting: dict[str, set[bytes]] = {}
        self._sections: Sections | None = None
        self._again: Sections | None = None
        self._read_again: Sections | None = None
        self._walking = False
        self._closing = False

    def on_ready(self, listener: Callable[[frozenset[str]], None]) -> None:
        """Call `listener` with the tags of what has become ready, from the thread that found out."""
        self._listeners.append(listener)

    def start(self, supervisor: Supervisor | None = None) -> None:
        """Open the store, which reads it once, and begin with whatever was asked so far.

        `run` is a service of `supervisor`, or of one of its own.
        """
        if self._supervisor is not None:
            return
        self._closing = False
        # An isolate that is not closed can hang the interpreter at its exit.
        atexit.register(self.close)
        self._store = SnippetStore(self._file, self.pipeline, reopen_s=self._reopen_s)
        self._supervisor = supervisor or Supervisor()
        self._supervisor.start(SERVICE, self.run, stop=self.stop)

    def stop(self) -> None:
        """Let `run` end after the batch that is under way. Does not block."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()

    def close(self) -> None:
        """End, after the batch that is under way. Blocks for at most STOP_S; one that is stuck keeps the store open."""
        atexit.unregister(self.close)
        supervisor, self._supervisor = self._supervisor, None
        self.stop()
        stuck = supervisor.stop(within_s=STOP_S, names=[SERVICE]) if supervisor is not None else []
        if self._store is not None and not stuck:
            self._store.close()
        self._store = None

    def ready(self, snippet: Snippet) -> str | None:
        """The HTML inside its `<code>`, at once. None while there is none; then it is made as soon as possible."""
        key = key_of(self.pipeline, snippet)
        with self._changed:
            known = self._memory.get(key)
        if known is not None:
            return known
        kept = self._store.get(key) if self._store is not None else None
        with self._changed:
            if kept is not None:
                self._remember(key, kept)
                return kept.html
            known = self._memory.get(key)  # it may have been finished since we looked
            if known is None:
                self._asked[key] = snippet
                self._changed.notify_all()
            return known

    def tag(self, snippets: Sequence[Snippet]) -> str:
        """What listeners are told when all of these, which were not ready a moment ago, are."""
        keys = {key_of(self.pipeline, snippet) for snippet in snippets}
        tag = f"code:{hashlib.sha256(b''.join(sorted(keys))).hexdigest()[:12]}"
        with self._changed:
            waiting = keys & self._asked.keys()
            if waiting:
                self._waiting[tag] = waiting
        if not waiting:
            self._tell({tag})
        return tag

    def warm(self, sections: Sections) -> None:
        """Make everything in these ready when no reader waits for something else, instead of an earlier `warm`.

        They are read bit by bit in the highlighting thread, and not at all where the store knows the name.
        """
        with self._changed:
            self._sections = sections
            self._walking = True
            self._changed.notify_all()

    def settle(self, timeout_s: float | None = None) -> bool:
        """Wait until there is nothing left to do; False when that takes longer."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._walking and not self._asked, timeout_s)

    @property
    def kept(self) -> int:
        """Snippets in the store, made by whichever process."""
        return len(self._store) if self._store is not None else 0

    def faults(self) -> dict[str, int]:
        """Why snippets have no colours although their language has, and how many."""
        return self._store.faults() if self._store is not None else {}

    def run(self) -> None:
        """The service: it ends with `stop`. Raises whatever fails, after which it can be called again."""
        store = self._store
        if store is None:
            return
        try:
            while not self._closing:
                self._step(store)
        finally:
            self._let_go()

    def _step(self, store: SnippetStore) -> None:
        """Make one batch, or wait for one."""
        with self._changed:
            if not self._walking and self._read_again is not None:
                # The last time some of them could not be read.
                self._sections, self._read_again, self._walking = self._read_again, None, True
            busy = self._changed.wait_for(self._has_work, self._idle_s if self._engine else None)
            sections, self._sections = self._sections, None
            asked = dict(islice(self._asked.items(), AT_ONCE))
        if sections is not None:
            self._unread, self._ahead = [], None
            self._again = sections if callable(sections) else None
            self._walk = self._batches(sections, store)
        if not busy and self._engine is not None:
            self._engine.tidy()  # or the process keeps most of what the isolate had
            self._let_go()
        if not busy or self._closing:
            return
        if asked:
            self._work(asked, store)
            return
        if self._ahead is None:
            self._ahead = self._next_batch()
        if self._ahead is not None:
            self._work(self._ahead, store)
            self._ahead = None
        else:
            self._finish_walk()

    def _has_work(self) -> bool:
        return self._closing or self._walking or bool(self._asked)

    def _next_batch(self) -> Batch | None:
        try:
            return next(self._walk, None)
        except BaseException:
            self._read_later()
            raise

    def _read_later(self) -> None:
        with self._changed:
            self._read_again = self._again

    def _batches(self, sections: Sections, store: SnippetStore) -> Iterator[Batch]:
        """What of the sections is not kept yet. A batch is short where a reader waits for something else."""
        for name, snippets in sections() if callable(sections) else sections:
            if store.is_walked(name):
                continue
            batch: Batch = {}
            try:
                for snippet in snippets:
                    key = key_of(self.pipeline, snippet)
                    if key not in batch and not store.has(key):
                        batch[key] = snippet
                    if len(batch) == AT_ONCE or self._asked:
                        yield batch
                        batch = {}
            except SiteError as failure:
                log.warning("not every snippet is highlighted ahead", section=name, reason=failure.message)
                continue
            except Exception as failure:  # noqa: BLE001 - it is raised at the end of the walk
                # A disk, or a bug: the other sections come first, then these are read again.
                self._failures.failed(failure, section=name)
                self._unread.append(name)
                self._read_later()
                continue
            yield batch
            store.walked(name)

    def _finish_walk(self) -> None:
        """Raises SectionsNotReadError when some have failed, so that they are read again after a pause."""
        unread, self._unread = self._unread, []
        with self._changed:
            # Unless there is a new one already.
            self._walking = self._sections is not None
            self._changed.notify_all()
        if unread:
            raise SectionsNotReadError(f"not every snippet is highlighted ahead: {', '.join(unread)}")
        self._failures.succeeded()

    def _work(self, batch: Batch, store: SnippetStore) -> None:
        """Make a batch ready."""
        # Another process may have made some of them since they were asked for.
        made = {key: kept for key in batch if (kept := store.get(key)) is not None}
        missing = {key: snippet for key, snippet in batch.items() if key not in made}
        fresh = dict(zip(missing, self._coloured([*missing.values()]), strict=True))
        if fresh:
            store.put(fresh)
        with self._changed:
            for key, one in (made | fresh).items():
                if self._asked.pop(key, None) is not None:
                    self._remember(key, one)
            finished = {tag for tag, waiting in self._waiting.items() if not any(key in self._asked for key in waiting)}
            for tag in finished:
                del self._waiting[tag]
            self._changed.notify_all()
        self._tell(finished)

    def _remember(self, key: bytes, one: Coloured) -> None:
        self._memory.put(key, one.html, weight=sys.getsizeof(one.html) + 250)

    def _tell(self, tags: set[str]) -> None:
        """Call every listener. One that fails does not keep the others from being called."""
        for listener in self._listeners if tags else ():
            try:
                listener(frozenset(tags))
            except Exception:
                log.exception("listener failed", listener=repr(listener))

    def _coloured(self, snippets: list[Snippet]) -> list[Coloured]:
        made = iter(self._by_v8([snippet for snippet in snippets if len(snippet.code) <= LONGEST]))
        too_long = f"is longer than {LONGEST} characters"
        return [next(made) if len(snippet.code) <= LONGEST else plain(snippet, too_long) for snippet in snippets]

    def _by_v8(self, snippets: list[Snippet]) -> list[Coloured]:
        """What V8 makes of each. Where it fails on several, each is tried alone; the culprit stays plain."""
        if not snippets:
            return []
        if self._engine is None:
            self._engine = Engine(self._bundle, timeout_s=self._timeout_s, memory_mb=self._memory_mb)
        try:
            made = self._engine.highlight(snippets)
        except EngineFailed as failure:
            self.replaced += 1
            self._let_go()
            if len(snippets) > 1:
                return [one for snippet in snippets for one in self._by_v8([snippet])]
            language, size = snippets[0].language, len(snippets[0].code)
            log.warning("snippet stays plain", reason=str(failure), language=language, characters=size)
            return [plain(snippets[0], str(failure))]
        self.made += len(made)
        return made

    def _let_go(self) -> None:
        engine, self._engine = self._engine, None
        if engine is not None:
            engine.close()
