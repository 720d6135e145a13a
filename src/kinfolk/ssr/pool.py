"""A fixed number of isolates, lent to one render each; a misbehaving one is replaced while the others work on."""

from __future__ import annotations

import asyncio
import atexit
import queue
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event, Lock, Thread
from typing import NamedTuple

import structlog

from kinfolk.errors import Unavailable
from kinfolk.ssr.isolate import Isolate, Round

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

CHECKUP_EVERY = 250
"""Rounds between two looks at an isolate's memory, which take some milliseconds and give back what V8 hoards."""
LONGEST_PAUSE_S = 5.0


class _Returned(NamedTuple):
    isolate: Isolate
    broken: bool


class IsolatePool:
    """Renders rounds in `size` threads. Starting V8 blocks: make the pool with `asyncio.to_thread`, after any fork.

    `bundle` and `manifest` are files, or the texts themselves. Nobody waits longer than `patience_s` for a round,
    whether for an isolate or for JavaScript, and JavaScript never has more than `timeout_s`.
    """

    def __init__(
        self,
        bundle: Path | str,
        manifest: Path | str,
        *,
        size: int = 2,
        timeout_s: float = 5.0,
        memory_mb: int = 256,
        patience_s: float = 10.0,
        checkup_every: int = CHECKUP_EVERY,
    ) -> None:
        self.size = size
        self.replaced = 0
        self._bundle = _text(bundle)
        self._manifest = _text(manifest)
        self._timeout_s = timeout_s
        self._memory_mb = memory_mb
        self._patience_s = patience_s
        self._checkup_every = checkup_every
        self._closing = Event()
        self._close_once = Lock()
        # The last one used is the first one lent: its code is compiled and its memory warm.
        self._free: queue.LifoQueue[Isolate | None] = queue.LifoQueue()
        self._returned: queue.SimpleQueue[_Returned | None] = queue.SimpleQueue()
        made: list[Isolate] = []
        try:
            made.extend(self._new() for _ in range(size))
        except BaseException:
            for isolate in made:
                isolate.close()
            raise
        for isolate in made:
            self._free.put(isolate)
        self._threads = ThreadPoolExecutor(size, thread_name_prefix="render")
        self._keeper = Thread(target=self._keep, name="isolate-keeper", daemon=True)
        self._keeper.start()
        atexit.register(self.close)

    async def round(self, request: str) -> Round:
        """One round of rendering. Raises RenderFailed, or Unavailable when there is no isolate in time."""
        try:
            job = self._threads.submit(self._round, request)
        except RuntimeError:
            raise Unavailable("The site is shutting down") from None
        try:
            # Giving up takes the job out of the queue if no thread has begun with it.
            async with asyncio.timeout(self._patience_s):
                return await asyncio.wrap_future(job)
        except TimeoutError:
            raise Unavailable("The site is too busy to render this page now") from None

    def close(self) -> None:
        """End every isolate, waiting for rounds that run: at most `timeout_s`. May be called again."""
        with self._close_once:
            if self._closing.is_set():
                return
            self._closing.set()
            atexit.unregister(self.close)
            for _ in range(self.size):
                self._free.put(None)  # wakes the threads that wait for an isolate
            self._threads.shutdown(wait=True)
            self._returned.put(None)
            self._keeper.join()
            while not self._free.empty():
                isolate = self._free.get()
                if isolate is not None:
                    isolate.close()

    def _round(self, request: str) -> Round:
        isolate = self._borrow()
        try:
            done = isolate.render(request)
        except BaseException:
            self._returned.put(_Returned(isolate, broken=True))
            raise
        if isolate.rounds % self._checkup_every == 0:
            self._returned.put(_Returned(isolate, broken=False))
        else:
            self._free.put(isolate)
        return done

    def _borrow(self) -> Isolate:
        try:
            isolate = self._free.get(timeout=self._patience_s)
        except queue.Empty:
            raise Unavailable("The site is too busy to render this page now") from None
        if isolate is None or self._closing.is_set():
            self._free.put(isolate)
            raise Unavailable("The site is shutting down")
        return isolate

    def _new(self) -> Isolate:
        return Isolate(self._bundle, self._manifest, timeout_s=self._timeout_s, memory_mb=self._memory_mb)

    def _keep(self) -> None:
        """Off the hot path: check up on isolates, and put a new one in the place of each that is worn or broken."""
        while (returned := self._returned.get()) is not None:
            isolate = returned.isolate
            if not returned.broken and not isolate.has_grown():
                self._free.put(isolate)
                continue
            isolate.close()
            successor = self._successor()
            if successor is not None:
                self.replaced += 1
                log.info("isolate replaced", reason="broken" if returned.broken else "grown", rounds=isolate.rounds)
                self._free.put(successor)

    def _successor(self) -> Isolate | None:
        """A new isolate, tried for until there is one; None when the pool is closing."""
        pause_s = 0.1
        while not self._closing.is_set():
            try:
                return self._new()
            except Exception:
                log.exception("no new isolate could be made", retry_s=pause_s)
                self._closing.wait(pause_s)
                pause_s = min(pause_s * 2, LONGEST_PAUSE_S)
        return None


def _text(source: Path | str) -> str:
    return source.read_text(encoding="utf-8") if isinstance(source, Path) else source
