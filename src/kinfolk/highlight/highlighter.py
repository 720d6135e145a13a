"""Highlights in the background: what readers wait for first, then whatever the current docs hold.

highlighter = Highlighter(bundle, file)
highlighter.on_ready(purge)
highlighter.start()
html = highlighter.ready(snippet)         # at once; None while it is not ready
tag = highlighter.tag([snippet])          # told to `purge` when all of these are
"""

from __future__ import annotations

import atexit
import hashlib
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import structlog

from kinfolk.cache import Recent
from kinfolk.errors import SiteError
from kinfolk.highlight.engine import Engine, EngineFailed
from kinfolk.highlight.snippet import Coloured, Snippet, key_of, plain
from kinfolk.highlight.store import SnippetStore

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
FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 60.0
"""Before trying again when V8 or the bundle does not start."""

Section = tuple[str, Iterable[Snippet]]
"""Snippets that change together, under a name that changes with them: a branch and its commit."""
Batch = dict[bytes, Snippet]


class Highlighter:
    """One thread and one isolate, which exist only between `start` and `close`; both may be called again.

    Before `start` nothing is ready. A snippet on which V8 fails is remembered as plain for as long as the bundle
    stays the same.
    """

    def __init__(
        self,
        bundle: str,
        file: Path,
        *,
        timeout_s: float = TIMEOUT_S,
        memory_mb: int = 512,
        idle_s: float = IDLE_S,
    ) -> None:
        self.pipeline = hashlib.sha256(bundle.encode()).hexdigest()[:16]
        self.made = 0
        self.replaced = 0
        self._bundle = bundle
        self._file = file
        self._timeout_s = timeout_s
        self._memory_mb = memory_mb
        self._idle_s = idle_s
        self._listeners: list[Callable[[frozenset[str]], None]] = []
        self._engine: Engine | None = None
        self._store: SnippetStore | None = None
        self._thread: threading.Thread | None = None
        self._changed = threading.Condition()
        # All of these are read and written under `_changed` only.
        self._memory: Recent[bytes, str] = Recent(MEMORY_BYTES)
        self._asked: Batch = {}
        self._waiting: dict[str, set[bytes]] = {}
        self._sections: Iterator[Section] | None = None
        self._walking = False
        self._closing = False

    def on_ready(self, listener: Callable[[frozenset[str]], None]) -> None:
        """Call `listener` with the tags of what has become ready, from the thread that found out."""
        self._listeners.append(listener)

    def start(self) -> None:
        """Open the store, which reads it once, and begin with whatever was asked so far."""
        if self._thread is not None:
            return
        self._closing = False
        self._store = SnippetStore(self._file, self.pipeline)
        self._thread = threading.Thread(target=self._run, args=(self._store,), name="highlight", daemon=True)
        self._thread.start()
        atexit.register(self.close)

    def close(self) -> None:
        """End, after the batch that is under way."""
        atexit.unregister(self.close)
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        if self._store is not None:
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

    def warm(self, sections: Iterable[Section]) -> None:
        """Make everything in these ready when nobody waits for something else, instead of an earlier `warm`.

        They are read bit by bit in the highlighting thread, and not at all where the store knows the name.
        """
        with self._changed:
            self._sections = iter(sections)
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

    def _run(self, store: SnippetStore) -> None:
        """The highlighting thread: it ends with `close` and with nothing else."""
        walk: Iterator[Batch] = iter(())
        ahead: Batch | None = None  # kept until it is made, so that a section is never taken for whole when it is not
        pause_s = FIRST_PAUSE_S
        while not self._closing:
            with self._changed:
                busy = self._changed.wait_for(self._has_work, self._idle_s if self._engine else None)
                if self._sections is not None:
                    walk, ahead, self._sections = self._walk(self._sections, store), None, None
                asked = dict(islice(self._asked.items(), AT_ONCE))
            if not busy and self._engine is not None:
                self._engine.tidy()  # or the process keeps most of what the isolate had
                self._let_go()
            if not busy or self._closing:
                continue
            try:
                if asked:
                    self._work(asked, store)
                else:
                    ahead = ahead or next(walk, None)
                    self._work(ahead, store)
                    ahead = None
                pause_s = FIRST_PAUSE_S
            except Exception:
                log.exception("highlighting failed", retry_s=pause_s)
                with self._changed:
                    self._changed.wait_for(lambda: self._closing, pause_s)
                pause_s = min(pause_s * 2, LONGEST_PAUSE_S)
        self._let_go()

    def _has_work(self) -> bool:
        return self._closing or self._walking or bool(self._asked)

    def _walk(self, sections: Iterator[Section], store: SnippetStore) -> Iterator[Batch]:
        """What of the sections is not kept yet. A batch is short where a reader waits for something else."""
        for name, snippets in sections:
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
            yield batch
            store.walked(name)

    def _work(self, batch: Batch | None, store: SnippetStore) -> None:
        """Make a batch ready; None is the end of the walk."""
        if batch is None:
            with self._changed:
                # Unless there is a new one already.
                self._walking = self._sections is not None
                self._changed.notify_all()
            return
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
        self._memory.put(key, one.html, weight=len(one.html) + 100)

    def _tell(self, tags: set[str]) -> None:
        if tags:
            for listener in self._listeners:
                listener(frozenset(tags))

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
