"""Keeps a process's background services running: a service that fails is restarted with backoff, its error kept.

    supervisor = Supervisor()
    supervisor.start("search index", search.run, stop=search.stop)      # a thread
    supervisor.start_task("compression", pages.improve)                 # a task of the running event loop
    supervisor.states()                 # which run, what failed last and when
    supervisor.stop(within_s=5)         # names of the services that did not end in time
    await supervisor.close(within_s=5)  # the same from the event loop, tasks included

A service is a function that blocks until its `stop` is called, or a coroutine that runs until it is cancelled. One that
returns or raises earlier has failed.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass
from typing import Any

import structlog

from kinfolk.metrics import BACKGROUND_ERRORS, BACKGROUND_UP

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 60.0
"""Before the first restart, and the most that doubling it may lead to."""
STEADY_S = 60.0
"""A service that ran this long before it failed begins again with the first pause, unless it failed as before."""
FORGOTTEN_S = 3600.0
"""The same failure after this time is a new one: it is logged in full and starts with the first pause."""
_POLL_S = 0.02


@dataclass(frozen=True)
class ServiceState:
    """One service as it is now. `error_age_s` is how long ago `last_error` happened."""

    name: str
    running: bool
    restarts: int
    last_error: str | None = None
    error_age_s: float | None = None


class _EndedEarlyError(Exception):
    """A service returned although it was not stopped."""

    def __init__(self) -> None:
        super().__init__("it ended without being stopped")


class FailureLog:
    """Logs a failure that repeats with backoff: the first time in full, then in one line the 2nd, 4th, 8th... time.

    For one place in the code, from any thread.
    """

    def __init__(self, event: str, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._event = event
        self._clock = clock
        self._lock = threading.Lock()
        self._reason: str | None = None
        self._times = 0
        self._last_s = 0.0

    def failed(self, failure: BaseException, **about: object) -> int:
        """How many times in a row this failure has happened."""
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
        """The next failure is a new one."""
        with self._lock:
            self._reason = None


class _Service:
    """What is known of one service, whatever runs it."""

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
        """Seconds until it is to be started again."""
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
        """Ask the service to end. Does not block."""
        raise NotImplementedError

    @property
    def alive(self) -> bool:
        raise NotImplementedError


class _ThreadService(_Service):
    """A service in a thread of its own, which also restarts it."""

    def __init__(
        self, name: str, run: Callable[[], None], stop: Callable[[], None], clock: Callable[[], float]
    ) -> None:
        super().__init__(name, clock)
        self._run = run
        self._stop = stop
        self._stopped = threading.Event()
        # A daemon: one that is stuck must not keep the process from ending.
        self.thread = threading.Thread(target=self._keep, name=name, daemon=True)

    def request_stop(self) -> None:
        self._stopped.set()
        try:
            self._stop()
        except Exception:
            log.exception("background service could not be stopped", service=self.name)

    @property
    def alive(self) -> bool:
        return self.thread.is_alive()

    def _keep(self) -> None:
        while not self._stopped.is_set():
            self.began()
            failure = self._run_once()
            self.ended()
            if self._stopped.is_set():
                return
            self._stopped.wait(self.failed(failure))
            self.restarts += 1

    def _run_once(self) -> BaseException:
        """Why the service ended."""
        try:
            self._run()
        # A panic of a library in Rust is no Exception, and ends the thread all the same.
        except BaseException as failure:  # noqa: BLE001
            return failure
        return _EndedEarlyError()


class _TaskService(_Service):
    """A service that is a task of an event loop."""

    def __init__(self, name: str, make: Callable[[], Coroutine[Any, Any, None]], clock: Callable[[], float]) -> None:
        super().__init__(name, clock)
        self._make = make
        self._loop = asyncio.get_running_loop()
        self._task = self._loop.create_task(self._keep(), name=name)

    def request_stop(self) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._task.cancel)

    @property
    def alive(self) -> bool:
        return not self._task.done() and not self._loop.is_closed()

    async def _keep(self) -> None:
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
    """The background services of one process. From any thread."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._services: dict[str, _Service] = {}

    def start(self, name: str, run: Callable[[], None], *, stop: Callable[[], None]) -> None:
        """Run `run` in a thread until `stop`, which must make it return and must not block.

        Raises ValueError for a name that is already running.
        """
        self._check_name(name)
        service = _ThreadService(name, run, stop, self._clock)
        self._services[name] = service
        service.thread.start()

    def start_task(self, name: str, make: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Run the coroutine that `make` gives in the running event loop until it is cancelled by `stop` or `close`.

        Raises ValueError for a name that is already running.
        """
        self._check_name(name)
        self._services[name] = _TaskService(name, make, self._clock)

    def states(self) -> list[ServiceState]:
        """Of every service, in the order in which they were started."""
        now_s = self._clock()
        return [service.state(now_s) for service in tuple(self._services.values())]

    def stop(self, *, within_s: float, names: Iterable[str] | None = None) -> list[str]:
        """Stop every service, or those with these names. Blocks for at most `within_s`; gives those that still run.

        A thread that is stuck is abandoned: it is a daemon. Not to be called in the event loop of a task: see `close`.
        """
        stopping = self._request_stop(names)
        at_s = time.monotonic() + within_s
        while any(service.alive for service in stopping) and time.monotonic() < at_s:
            time.sleep(_POLL_S)
        return self._stopped(stopping, within_s)

    async def close(self, *, within_s: float) -> list[str]:
        """What `stop` does, without blocking the event loop and without any thread of an executor."""
        stopping = self._request_stop(None)
        at_s = time.monotonic() + within_s
        # A thread cannot be awaited without another thread.
        while any(service.alive for service in stopping) and time.monotonic() < at_s:  # noqa: ASYNC110
            await asyncio.sleep(_POLL_S)
        return self._stopped(stopping, within_s)

    def _check_name(self, name: str) -> None:
        known = self._services.get(name)
        if known is not None and known.alive:
            raise ValueError(f"the service {name!r} is already running")

    def _request_stop(self, names: Iterable[str] | None) -> list[_Service]:
        wanted = set(self._services if names is None else names)
        stopping = [service for name, service in self._services.items() if name in wanted]
        for service in stopping:
            service.request_stop()
        return stopping

    def _stopped(self, services: list[_Service], within_s: float) -> list[str]:
        stuck = [service.name for service in services if service.alive]
        if stuck:
            log.error("background services did not stop", services=stuck, within_s=within_s)
        for service in services:
            if not service.alive:
                self._services.pop(service.name, None)
        return stuck


class OnDemand:
    """A service that calls `work` after each `wake`, and every `every_s` seconds where that is given.

    Calls of `wake` during `work` lead to one more call of it. A call that raises is made again after the restart.
    """

    def __init__(self, work: Callable[[], None], *, every_s: float | None = None) -> None:
        self._work = work
        self._every_s = every_s
        self._woken = threading.Event()
        self._stopping = threading.Event()

    def wake(self) -> None:
        """From any thread. Does not block."""
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
    """One line that names the failure."""
    return str(failure) if isinstance(failure, _EndedEarlyError) else f"{type(failure).__name__}: {failure}"
