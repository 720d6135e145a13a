"""A fixed number of isolates, lent to one render each; a misbehaving one is replaced while the others work on."""

from __future__ import annotations

import asyncio
import atexit
import queue
import time
from collections import deque
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from threading import Condition, Event, Lock, Thread
from typing import Literal, NamedTuple

import structlog

from kinfolk import metrics
from kinfolk.errors import Unavailable
from kinfolk.ssr.isolate import Isolate, Round
from kinfolk.supervision import Supervisor

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

CHECKUP_EVERY = 250
"""Rounds between two looks at an isolate's memory, which take some milliseconds and give back what V8 hoards."""
SERVICE = "isolate replacement"

Lane = Literal["real", "invented"]
"""Of pages that exist, and of addresses that name nothing or that anybody can make up without end."""


class TooBusy(Unavailable):
    """There is more to render than can be rendered in time."""

    code = "busy"


@dataclass(eq=False)
class _Job:
    """A round that waits for a thread."""

    request: str
    lane: Lane
    result: Future[Round] = field(default_factory=Future)


class _Queue:
    """Rounds that wait: those of real pages first, and of invented ones at most one under way."""

    def __init__(self) -> None:
        self._waiting: dict[Lane, deque[_Job]] = {"real": deque(), "invented": deque()}
        self._inventing = False
        self._closed = False
        self._changed = Condition()

    def put(self, job: _Job) -> None:
        """Raises Unavailable after `close`."""
        with self._changed:
            if self._closed:
                raise Unavailable("The site is shutting down")
            self._waiting[job.lane].append(job)
            metrics.RENDER_QUEUE.labels(job.lane).inc()
            self._changed.notify()

    def take(self) -> _Job | None:
        """The next round, to be handed to `done` afterwards. Blocks; None after `close`."""
        with self._changed:
            while True:
                if self._closed:
                    return None
                lane: Lane = "real" if self._waiting["real"] or self._inventing else "invented"
                if self._waiting[lane]:
                    self._inventing |= lane == "invented"
                    metrics.RENDER_QUEUE.labels(lane).dec()
                    return self._waiting[lane].popleft()
                self._changed.wait()

    def done(self, job: _Job) -> None:
        with self._changed:
            if job.lane == "invented":
                self._inventing = False
                self._changed.notify()

    def withdraw(self, job: _Job) -> None:
        """Take out a round that nobody waits for any more, if it still waits."""
        with self._changed:
            if job in self._waiting[job.lane]:
                self._waiting[job.lane].remove(job)
                metrics.RENDER_QUEUE.labels(job.lane).dec()

    def close(self) -> None:
        with self._changed:
            self._closed = True
            left = [job for waiting in self._waiting.values() for job in waiting]
            for waiting in self._waiting.values():
                waiting.clear()
            self._changed.notify_all()
        for job in left:
            metrics.RENDER_QUEUE.labels(job.lane).dec()
            job.result.cancel()


class _Returned(NamedTuple):
    isolate: Isolate
    broken: bool


class IsolatePool:
    """Renders rounds in `size` threads. Starting V8 blocks: make the pool with `asyncio.to_thread`, after any fork.

    `bundle` and `manifest` are files, or the texts themselves. Nobody waits longer than `patience_s` for a round,
    whether for an isolate or for JavaScript, and JavaScript never has more than `timeout_s`. Rounds of the lane
    `invented` wait behind those of real pages, and take one thread at most. Isolates are replaced in a service of
    `supervisor`, or of one of its own; `ready` are there meanwhile.
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
        supervisor: Supervisor | None = None,
    ) -> None:
        self.size = self.ready = size
        self.replaced = 0
        self._bundle = _text(bundle)
        self._manifest = _text(manifest)
        self._timeout_s = timeout_s
        self._memory_mb = memory_mb
        self._patience_s = patience_s
        self._checkup_every = checkup_every
        self._closing = Event()
        self._replaces_no_more = Event()
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
        self._queue = _Queue()
        # Daemons, because `close` runs at exit only after all other threads have ended.
        self._threads = [Thread(target=self._work, name=f"render-{n}", daemon=True) for n in range(size)]
        for thread in self._threads:
            thread.start()
        metrics.ISOLATES.set(size)
        # Why isolates were taken out that have no successor yet, and after how many rounds.
        self._missing: list[tuple[str, int]] = []
        self._supervisor = supervisor or Supervisor()
        self._supervisor.start(SERVICE, self._replace, stop=self._stop_replacing)
        atexit.register(self.close)

    async def round(self, request: str, lane: Lane = "real") -> Round:
        """One round of rendering. Raises RenderFailed, or Unavailable (TooBusy) when there is no isolate in time."""
        began = time.perf_counter()
        job = _Job(request, lane)
        self._queue.put(job)
        outcome = "failed"
        try:
            async with asyncio.timeout(self._patience_s):
                done = await asyncio.wrap_future(job.result)
            outcome = "ok"
        except TimeoutError:
            outcome = "busy"
            raise TooBusy("The site is too busy to render this page now") from None
        except asyncio.CancelledError:
            if self._closing.is_set():
                raise Unavailable("The site is shutting down") from None
            raise
        finally:
            self._queue.withdraw(job)
            metrics.RENDERS.labels(outcome).inc()
            metrics.RENDER_SECONDS.observe(time.perf_counter() - began)
        return done

    def close(self) -> None:
        """End every isolate, waiting for rounds that run: little more than `timeout_s` at most. May be called again."""
        with self._close_once:
            if self._closing.is_set():
                return
            self._closing.set()
            atexit.unregister(self.close)
            self._queue.close()
            for _ in range(self.size):
                self._free.put(None)  # wakes the threads that wait for an isolate
            until_s = time.monotonic() + self._timeout_s + 1
            for thread in self._threads:
                thread.join(max(0.0, until_s - time.monotonic()))
            self._supervisor.stop(within_s=self._timeout_s, names=[SERVICE])
            while not self._free.empty():
                isolate = self._free.get()
                if isolate is not None:
                    isolate.close()

    def _work(self) -> None:
        while (job := self._queue.take()) is not None:
            try:
                if job.result.set_running_or_notify_cancel():
                    job.result.set_result(self._round(job.request))
            except BaseException as failure:  # noqa: BLE001 - it belongs to who waits for the round
                job.result.set_exception(failure)
            finally:
                self._queue.done(job)

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
            raise TooBusy("The site is too busy to render this page now") from None
        if isolate is None or self._closing.is_set():
            self._free.put(isolate)
            raise Unavailable("The site is shutting down")
        return isolate

    def _new(self) -> Isolate:
        return Isolate(self._bundle, self._manifest, timeout_s=self._timeout_s, memory_mb=self._memory_mb)

    def _replace(self) -> None:
        """The service, off the hot path: checks isolates, and puts a new one in the place of each worn or broken one.

        Raises what V8 raises when it does not start; what is missing is made when it is called again.
        """
        while not self._replaces_no_more.is_set():
            while self._missing and not self._replaces_no_more.is_set():
                self._free.put(self._new())
                reason, rounds = self._missing.pop()
                self.ready += 1
                self.replaced += 1
                metrics.ISOLATES.inc()
                metrics.ISOLATES_REPLACED.labels(reason).inc()
                log.info("isolate replaced", reason=reason, rounds=rounds)
            returned = self._returned.get()
            if returned is None:
                return
            isolate = returned.isolate
            if not returned.broken and not _has_grown(isolate):
                self._free.put(isolate)
                continue
            self.ready -= 1
            metrics.ISOLATES.dec()
            self._missing.append(("broken" if returned.broken else "grown", isolate.rounds))
            _close(isolate)

    def _stop_replacing(self) -> None:
        self._replaces_no_more.set()
        self._returned.put(None)


def _has_grown(isolate: Isolate) -> bool:
    """Whether it holds too much. One that cannot say is taken for broken."""
    try:
        return isolate.has_grown()
    except Exception:
        log.exception("isolate not checked")
        return True


def _close(isolate: Isolate) -> None:
    try:
        isolate.close()
    except Exception:
        log.exception("isolate not closed")


def _text(source: Path | str) -> str:
    return source.read_text(encoding="utf-8") if isinstance(source, Path) else source
