"""Keeps background services running: a service that fails is restarted with backoff, and its error is recorded.

    supervisor = Supervisor()
    supervisor.start("search index", search.run, stop=search.stop)      # a thread
    supervisor.start_task("compression", pages.recompress_forever)      # a task of the running event loop
    supervisor.states()                 # which services run, and their last errors
    supervisor.stop(within_s=5)         # names of the services that did not end in time
    await supervisor.close(within_s=5)  # the same from the event loop, tasks included

A service is a function that blocks until its `stop` is called, or a coroutine that runs until it is cancelled. To
return or raise earlier is a failure.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass
from typing import Any

import structlog

from kinfolk.runtime.metrics import BACKGROUND_ERRORS, BACKGROUND_UP

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 60.0
"""Pause before the first restart, and the limit of its doubling."""
STEADY_S = 60.0
"""After running this long, a service restarts after the first pause, unless the failure is the same as before."""
FORGOTTEN_S = 3600.0
"""The same failure after this time counts as new: it is logged in full, and the first pause applies."""
_POLL_S = 0.02


@dataclass(frozen=True)
class ServiceState:
    """State of one service. `error_age_s` is the time since `last_error`."""

    name: str
    running: bool
    restarts: int
    last_error: str | None = None
    error_age_s: float | None = None


class _EndedEarlyError(Exception):
    """A service returned without being stopped."""

    def __init__(self) -> None:
        super().__init__("it ended without being stopped")


class FailureLog:
    """Logs a repeated failure with backoff: the first in full, then the 2nd, 4th, 8th... in one line.

    One instance logs one kind of failure. Thread-safe.
    """

    def __init__(self, event: str, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._event = event
        self._clock = clock
        self._lock = threading.Lock()
        self._reason: str | None = None
        self._times = 0
        self._last_s = 0.0

    def failed(self, failure: BaseException, **about: object) -> int:
        """Log a failure. Returns how many times in a row it has happened."""
        reason, now_s = reason_of(failure), self._clock()
        with self._lock:
            known = reason == self._reason and now_s - self._last_s < FORGOTTEN_S
            self._times = self._times + 1 if known else 1
            self._reason, self._last_s = reason, now_s
            times = self._times
        if times == 1:
            log.error(self._event, reason=reason, exc_info=failure, **about)
        elif times & (times - 1) == 0:
            log.error(self._event, reason=reason, times=times, **about)
        return times

    def succeeded(self) -> None:
        """Count the next failure as new."""
        with self._lock:
            self._reason = None


class _SupervisedService:
    """State and backoff of one service, in a thread or a task."""

    def __init__(self, name: str, clock: Callable[[], float]) -> None:
        self.name = name
        self.restarts = 0
        self.running = False
        self.last_error: str | None = None
        self.failed_at_s: float | None = None
        self._clock = clock
        self._began_s = 0.0
        self._pause_s = FIRST_PAUSE_S
        self._failures = FailureLog("background service failed", clock=clock)

    def began(self) -> None:
        self._began_s = self._clock()
        self._set_running(running=True)

    def ended(self) -> None:
        self._set_running(running=False)

    def failed(self, failure: BaseException) -> float:
        """Record a failure. Returns the seconds until the restart."""
        self.last_error, self.failed_at_s = reason_of(failure), self._clock()
        BACKGROUND_ERRORS.labels(self.name).inc()
        pause_s = self._pause_s
        times = self._failures.failed(failure, service=self.name, restart_s=pause_s)
        if times == 1 and self.failed_at_s - self._began_s >= STEADY_S:
            pause_s = FIRST_PAUSE_S
        self._pause_s = min(pause_s * 2, LONGEST_PAUSE_S)
        return pause_s

    def state(self, now_s: float) -> ServiceState:
        age_s = None if self.failed_at_s is None else now_s - self.failed_at_s
        return ServiceState(self.name, self.running, self.restarts, self.last_error, age_s)

    def _set_running(self, *, running: bool) -> None:
        self.running = running
        BACKGROUND_UP.labels(self.name).set(int(running))

    def request_stop(self) -> None:
        """Request the service to stop. Does not block."""
        raise NotImplementedError

    @property
    def alive(self) -> bool:
        raise NotImplementedError


class _ThreadService(_SupervisedService):
    """A service in its own thread, which also restarts it."""

    def __init__(
        self, name: str, run: Callable[[], None], stop: Callable[[], None], clock: Callable[[], float]
    ) -> None:
        super().__init__(name, clock)
        self._run = run
        self._stop = stop
        self._stopped = threading.Event()
        # A daemon thread: a stuck service must not prevent the process from exiting.
        self.thread = threading.Thread(target=self._run_supervised, name=name, daemon=True)

    def request_stop(self) -> None:
        self._stopped.set()
        try:
            self._stop()
        except Exception:
            log.exception("background service could not be stopped", service=self.name)

    @property
    def alive(self) -> bool:
        return self.thread.is_alive()

    def _run_supervised(self) -> None:
        while not self._stopped.is_set():
            self.began()
            failure = self._run_once()
            self.ended()
            if self._stopped.is_set():
                return
            self._stopped.wait(self.failed(failure))
            self.restarts += 1

    def _run_once(self) -> BaseException:
        """Run the service once. Returns the reason why it ended."""
        try:
            self._run()
        # A panic of a Rust library is a BaseException, and would end the thread.
        except BaseException as failure:  # noqa: BLE001
            return failure
        return _EndedEarlyError()


class _TaskService(_SupervisedService):
    """A service in a task of an event loop."""

    def __init__(self, name: str, make: Callable[[], Coroutine[Any, Any, None]], clock: Callable[[], float]) -> None:
        super().__init__(name, clock)
        self._make = make
        self._loop = asyncio.get_running_loop()
        self._task = self._loop.create_task(self._run_supervised(), name=name)

    def request_stop(self) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._task.cancel)

    @property
    def alive(self) -> bool:
        return not self._task.done() and not self._loop.is_closed()

    async def _run_supervised(self) -> None:
        while True:
            self.began()
            try:
                await self._make()
                failure: BaseException = _EndedEarlyError()
            except (asyncio.CancelledError, KeyboardInterrupt, SystemExit):
                raise
            except BaseException as raised:  # noqa: BLE001 - see _ThreadService
                failure = raised
            finally:
                self.ended()
            await asyncio.sleep(self.failed(failure))
            self.restarts += 1


class Supervisor:
    """The background services of one process. Thread-safe."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._services: dict[str, _SupervisedService] = {}

    def start(self, name: str, run: Callable[[], None], *, stop: Callable[[], None]) -> None:
        """Run `run` in a thread until `stop`, which must make it return and must not block.

        Raises ValueError if a service of this name is running.
        """
        self._check_name(name)
        service = _ThreadService(name, run, stop, self._clock)
        self._services[name] = service
        service.thread.start()

    def start_task(self, name: str, make: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Run the coroutine that `make` returns in the running event loop, until `stop` or `close` cancels it.

        Raises ValueError if a service of this name is running.
        """
        self._check_name(name)
        self._services[name] = _TaskService(name, make, self._clock)

    def states(self) -> list[ServiceState]:
        """States of all services, in the order of their start."""
        now_s = self._clock()
        return [service.state(now_s) for service in tuple(self._services.values())]

    def stop(self, *, within_s: float, names: Iterable[str] | None = None) -> list[str]:
        """Stop all services, or those with these names. Blocks for at most `within_s`; returns those still running.

        A stuck thread is abandoned. Do not call this in the event loop of a task; use `close`.
        """
        stopping = self._request_stop(names)
        at_s = time.monotonic() + within_s
        while any(service.alive for service in stopping) and time.monotonic() < at_s:
            time.sleep(_POLL_S)
        return self._stopped(stopping, within_s)

    async def close(self, *, within_s: float) -> list[str]:
        """Stop all services without blocking the event loop and without using an executor."""
        stopping = self._request_stop(None)
        at_s = time.monotonic() + within_s
        # Awaiting a thread would need another thread, so this polls.
        while any(service.alive for service in stopping) and time.monotonic() < at_s:  # noqa: ASYNC110
            await asyncio.sleep(_POLL_S)
        return self._stopped(stopping, within_s)

    def _check_name(self, name: str) -> None:
        known = self._services.get(name)
        if known is not None and known.alive:
            raise ValueError(f"the service {name!r} is already running")

    def _request_stop(self, names: Iterable[str] | None) -> list[_SupervisedService]:
        wanted = set(self._services if names is None else names)
        stopping = [service for name, service in self._services.items() if name in wanted]
        for service in stopping:
            service.request_stop()
        return stopping

    def _stopped(self, services: list[_SupervisedService], within_s: float) -> list[str]:
        stuck = [service.name for service in services if service.alive]
        if stuck:
            log.error("background services did not stop", services=stuck, within_s=within_s)
        for service in services:
            if not service.alive:
                self._services.pop(service.name, None)
        return stuck


class OnDemand:
    """A service that calls `work` after each `wake`, and every `every_s` seconds if that is given.

    Calls of `wake` during `work` cause one more call. A call that raises is repeated after the restart.
    """

    def __init__(self, work: Callable[[], None], *, every_s: float | None = None) -> None:
        self._work = work
        self._every_s = every_s
        self._woken = threading.Event()
        self._stopping = threading.Event()

    def wake(self) -> None:
        """Request a call of `work`. Thread-safe. Does not block."""
        self._woken.set()

    def run(self) -> None:
        while not self._stopping.is_set():
            self._woken.wait(self._every_s)
            if self._stopping.is_set():
                return
            self._woken.clear()
            try:
                self._work()
            except BaseException:
                self._woken.set()
                raise

    def stop(self) -> None:
        self._stopping.set()
        self._woken.set()


def reason_of(failure: BaseException) -> str:
    """The failure as one line."""
    return str(failure) if isinstance(failure, _EndedEarlyError) else f"{type(failure).__name__}: {failure}"
