"""A pool of isolates, each used by one render at a time. Broken and grown ones are replaced in the background."""

from __future__ import annotations

import asyncio
import atexit
import queue
import time
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Lock, Thread
from typing import NamedTuple, TypeVar

import structlog

from kinfolk.rendering.isolates.isolate import Isolate, IsolateFailed, RenderRound
from kinfolk.rendering.isolates.round_input import RoundInput
from kinfolk.runtime import metrics
from kinfolk.runtime.errors import Unavailable
from kinfolk.runtime.services.lifecycle import Service
from kinfolk.runtime.services.supervisor import Supervisor
from kinfolk.runtime.telemetry.spans import span

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

CHECK_EVERY_ROUNDS = 100
"""Rounds between two checks of the memory of an isolate, which add about 10 MB to its heap."""
SERVICE = "isolate replacement"

_Item = TypeVar("_Item")


class TooBusy(Unavailable):
    """The render queue is longer than can be rendered in time."""

    code = "busy"


@dataclass(eq=False)
class _RenderJob:
    """A round that waits for a thread."""

    request: RoundInput | str
    result: Future[RenderRound] = field(default_factory=Future)


class _ReturnedIsolate(NamedTuple):
    isolate: Isolate
    broken: bool


class IsolatePool(Service):
    """Renders rounds in `size` threads. Starting V8 blocks: make the pool with `asyncio.to_thread`, after any fork.

    One isolate is started with the pool, each other one when a round finds none free: it takes 50 ms of CPU and 25 MB.

    `bundle` and `manifest` are files, or their contents. A round takes at most `patience_s` including its time in the
    queue, and JavaScript at most `timeout_s` of it. A service of `supervisor` replaces isolates; `ready` counts the
    usable ones.
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
        check_every_rounds: int = CHECK_EVERY_ROUNDS,
        supervisor: Supervisor | None = None,
    ) -> None:
        self.size = self.ready = size
        self.replaced = 0
        self._bundle = _content(bundle)
        self._manifest = _content(manifest)
        self._timeout_s = timeout_s
        self._memory_mb = memory_mb
        self._patience_s = patience_s
        self._check_every_rounds = check_every_rounds
        self._closing = Event()
        self._stop_replacing_event = Event()
        self._close_once = Lock()
        # Last in, first out: the isolate that was used last has its code compiled and its memory in CPU caches.
        self._free: queue.LifoQueue[Isolate | None] = queue.LifoQueue()
        self._returned: queue.SimpleQueue[_ReturnedIsolate | None] = queue.SimpleQueue()
        self._free.put(self._new())
        self._unstarted = size - 1
        self._starting = Lock()
        self._queue: queue.SimpleQueue[_RenderJob | None] = queue.SimpleQueue()
        # Daemon threads: atexit runs `close` only after all other threads have ended.
        self._threads = [Thread(target=self._work, name=f"render-{n}", daemon=True) for n in range(size)]
        for thread in self._threads:
            thread.start()
        metrics.ISOLATES.set(size)
        # Reason and number of rounds of each removed isolate that has no replacement yet.
        self._missing: list[tuple[str, int]] = []
        self._supervisor = supervisor or Supervisor()
        self._supervisor.start(SERVICE, self._replace, stop=self._stop_replacing)
        atexit.register(self.close)

    async def round(self, request: RoundInput | str) -> RenderRound:
        """Run one round. Raises IsolateFailed, or Unavailable (TooBusy when no isolate is free in time)."""
        started_s = time.perf_counter()
        job = _RenderJob(request)
        self._queue.put(job)
        if self._closing.is_set():
            job.result.cancel()  # the threads may have ended
        outcome = "failed"
        try:
            with span("render round"):
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
            metrics.RENDERS.labels(outcome).inc()
            metrics.RENDER_SECONDS.observe(time.perf_counter() - started_s)
        return done

    def close(self) -> None:
        """Close all isolates after their running rounds: in `timeout_s` and a second. Idempotent."""
        with self._close_once:
            if self._closing.is_set():
                return
            self._closing.set()
            atexit.unregister(self.close)
            for job in _drain(self._queue):
                job.result.cancel()
            for _ in range(self.size):
                self._queue.put(None)
                self._free.put(None)  # unblocks the threads that wait for an isolate
            deadline_s = time.monotonic() + self._timeout_s + 1
            for thread in self._threads:
                thread.join(max(0.0, deadline_s - time.monotonic()))
            self._supervisor.stop(within_s=self._timeout_s, names=[SERVICE])
            for isolate in (*_drain(self._free), *(returned.isolate for returned in _drain(self._returned))):
                _close(isolate)

    def _work(self) -> None:
        while (job := self._queue.get()) is not None:
            try:
                if job.result.set_running_or_notify_cancel():
                    job.result.set_result(self._round(job.request))
            except BaseException as failure:  # noqa: BLE001 - raised in the caller of `round`
                job.result.set_exception(failure)

    def _round(self, request: RoundInput | str) -> RenderRound:
        isolate = self._borrow()
        try:
            done = isolate.render(request)
        except BaseException:
            self._returned.put(_ReturnedIsolate(isolate, broken=True))
            raise
        if isolate.rounds % self._check_every_rounds == 0:
            self._returned.put(_ReturnedIsolate(isolate, broken=False))
        else:
            self._free.put(isolate)
        return done

    def _borrow(self) -> Isolate:
        try:
            isolate = self._free.get_nowait()
        except queue.Empty:
            isolate = self._start_another() or self._wait_for_free()
        if isolate is None or self._closing.is_set():
            self._free.put(isolate)
            raise Unavailable("The site is shutting down")
        return isolate

    def _wait_for_free(self) -> Isolate | None:
        """A free isolate, or None after `close`. Raises TooBusy."""
        try:
            return self._free.get(timeout=self._patience_s)
        except queue.Empty:
            raise TooBusy("The site is too busy to render this page now") from None

    def _start_another(self) -> Isolate | None:
        """One more isolate; None if all are started. Raises IsolateFailed."""
        with self._starting:
            if not self._unstarted or self._closing.is_set():
                return None
            self._unstarted -= 1
        try:
            return self._new()
        except Exception as failure:
            with self._starting:
                self._unstarted += 1
            raise IsolateFailed(f"did not start: {failure}") from failure

    def _new(self) -> Isolate:
        return Isolate(self._bundle, self._manifest, timeout_s=self._timeout_s, memory_mb=self._memory_mb)

    def _replace(self) -> None:
        """The service: checks returned isolates, and replaces those that are broken or have grown.

        Raises V8's exception when it does not start; the next call creates the missing isolates.
        """
        while not self._stop_replacing_event.is_set():
            self._create_missing()
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

    def _create_missing(self) -> None:
        while self._missing and not self._stop_replacing_event.is_set():
            self._free.put(self._new())
            reason, rounds = self._missing.pop()
            self.ready += 1
            self.replaced += 1
            metrics.ISOLATES.inc()
            metrics.ISOLATES_REPLACED.labels(reason).inc()
            log.info("isolate replaced", reason=reason, rounds=rounds)

    def _stop_replacing(self) -> None:
        self._stop_replacing_event.set()
        self._returned.put(None)


def _has_grown(isolate: Isolate) -> bool:
    """Whether the isolate exceeds its memory limit. A check that fails counts as yes."""
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


def _drain(waiting: queue.Queue[_Item | None] | queue.SimpleQueue[_Item | None]) -> list[_Item]:
    """Take all items that wait in the queue, without those that are None."""
    drained: list[_Item] = []
    with suppress(queue.Empty):
        while True:
            item = waiting.get_nowait()
            if item is not None:
                drained.append(item)
    return drained


def _content(source: Path | str) -> str:
    return source.read_text(encoding="utf-8") if isinstance(source, Path) else source
