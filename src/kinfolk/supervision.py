"""Keeps a process's background services running: a service that fails is restarted with backoff, its error kept.

    supervisor = Supervisor()
    supervisor.start("search index", search.run, stop=search.stop)
    supervisor.states()                 # which run, what failed last and when
    supervisor.stop(within_s=5)         # names of the services that did not end in time

A service is a function that blocks until its `stop` is called. One that returns or raises earlier has failed.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

import structlog

from kinfolk.metrics import BACKGROUND_ERRORS, BACKGROUND_UP

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 60.0
"""Before the first restart, and the most that doubling it may lead to."""
STEADY_S = 60.0
"""A service that ran this long before it failed begins again with the first pause."""


@dataclass(frozen=True)
class ServiceState:
    """One service as it is now. `error_age_s` is how long ago `last_error` happened."""

    name: str
    running: bool
    restarts: int
    last_error: str | None = None
    error_age_s: float | None = None


class _Service:
    """One service and the thread that runs it, restarts included."""

    def __init__(
        self, name: str, run: Callable[[], None], stop: Callable[[], None], clock: Callable[[], float]
    ) -> None:
        self.name = name
        self.restarts = 0
        self.running = False
        self.last_error: str | None = None
        self.failed_at_s: float | None = None
        self._run = run
        self._stop = stop
        self._clock = clock
        self._stopped = threading.Event()
        self.thread = threading.Thread(target=self._keep, name=name, daemon=True)

    def stop(self) -> None:
        """Ask the service to end. Does not block."""
        self._stopped.set()
        try:
            self._stop()
        except Exception:
            log.exception("background service could not be stopped", service=self.name)

    def _keep(self) -> None:
        pause_s = FIRST_PAUSE_S
        while not self._stopped.is_set():
            began = self._clock()
            self._set_running(running=True)
            error = self._run_once()
            self._set_running(running=False)
            if self._stopped.is_set():
                return
            self.last_error, self.failed_at_s = error, self._clock()
            BACKGROUND_ERRORS.labels(self.name).inc()
            if self.failed_at_s - began >= STEADY_S:
                pause_s = FIRST_PAUSE_S
            log.error("background service failed", service=self.name, reason=error, restart_s=pause_s)
            self._stopped.wait(pause_s)
            pause_s = min(pause_s * 2, LONGEST_PAUSE_S)
            self.restarts += 1

    def _run_once(self) -> str:
        """Why the service ended."""
        try:
            self._run()
        except Exception as failure:
            if not self._stopped.is_set():
                log.exception("background service raised", service=self.name)
            return f"{type(failure).__name__}: {failure}"
        return "it ended without being stopped"

    def _set_running(self, *, running: bool) -> None:
        self.running = running
        BACKGROUND_UP.labels(self.name).set(int(running))


class Supervisor:
    """The background services of one process. From any thread."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._services: dict[str, _Service] = {}

    def start(self, name: str, run: Callable[[], None], *, stop: Callable[[], None]) -> None:
        """Run `run` in a thread until `stop`, which must make it return and must not block.

        Raises ValueError for a name that is already running.
        """
        known = self._services.get(name)
        if known is not None and known.thread.is_alive():
            raise ValueError(f"the service {name!r} is already running")
        service = _Service(name, run, stop, self._clock)
        self._services[name] = service
        service.thread.start()

    def states(self) -> list[ServiceState]:
        """Of every service, in the order in which they were started."""
        now_s = self._clock()
        return [
            ServiceState(
                service.name,
                service.running,
                service.restarts,
                service.last_error,
                None if service.failed_at_s is None else now_s - service.failed_at_s,
            )
            for service in self._services.values()
        ]

    def stop(self, *, within_s: float) -> list[str]:
        """Stop every service. Blocks for at most `within_s`; gives the names of those that still run after it."""
        for service in self._services.values():
            service.stop()
        at_s = time.monotonic() + within_s
        for service in self._services.values():
            service.thread.join(max(0.0, at_s - time.monotonic()))
        stuck = [service.name for service in self._services.values() if service.thread.is_alive()]
        if stuck:
            log.error("background services did not stop", services=stuck, within_s=within_s)
        self._services = {name: one for name, one in self._services.items() if name in stuck}
        return stuck
