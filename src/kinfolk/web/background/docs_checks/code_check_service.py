"""Runs the process that checks the code of the docs, and purges the pages whose check changed.

One process of a machine runs it: it holds a lock in the folder of derived files. All processes read its results.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import selectors
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO, cast

import structlog

from kinfolk.config.settings import environment_of
from kinfolk.content.code_checks.check_store import CheckStore
from kinfolk.content.dependencies import Dependency, code_check_of
from kinfolk.runtime.services.supervisor import Supervisor
from kinfolk.site.code_check_process import DONE
from kinfolk.site.site import Site
from kinfolk.web.background.revision_purge import RevisionPurge

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

START_S = 20.0
"""Seconds after the start: pages, search and highlighting need the machine."""
AGAIN_S = 6 * 3600.0
"""Seconds between two runs without a change of the docs: packages have new releases."""
IDLE_S = 300.0
"""Seconds without work after which the process ends, which keeps some 200 MB."""
STALLED_S = 900.0
"""Seconds without progress after which the process is killed. Packages are fetched in that time."""
LOCK_S = 30.0
"""Seconds between two attempts to become the process that checks."""
RETRY_S = 120.0
"""Seconds after a run that failed."""
_POLL_S = 0.5


class CodeCheckService:
    """`wake` it after each change of the docs."""

    def __init__(
        self,
        lock: Path,
        environment: Mapping[str, str],
        *,
        start_s: float = START_S,
        again_s: float = AGAIN_S,
        idle_s: float = IDLE_S,
        stalled_s: float = STALLED_S,
        retry_s: float = RETRY_S,
    ) -> None:
        """`environment` is the complete environment of the process, with the settings."""
        self._lock = lock
        self._environment = dict(environment)
        self._start_s = start_s
        self._again_s = again_s
        self._idle_s = idle_s
        self._stalled_s = stalled_s
        self._retry_s = retry_s
        self._woken = threading.Event()
        self._stopping = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None

    def wake(self) -> None:
        """Check the docs again soon. Thread-safe; does not block."""
        self._woken.set()

    @property
    def pid(self) -> int | None:
        """The process that checks, if this service has started one."""
        process = self._process
        return process.pid if process is not None else None

    def stop(self) -> None:
        """End `run`. Does not block."""
        self._stopping.set()
        self._woken.set()

    def run(self) -> None:
        """The service, until `stop`."""
        if self._stopping.wait(self._start_s):
            return
        while not self._stopping.is_set():
            with self._locked() as held:
                if held:
                    try:
                        self._check_forever()
                    finally:
                        self._end()
            self._stopping.wait(LOCK_S)

    def _check_forever(self) -> None:
        while not self._stopping.is_set():
            self._woken.clear()
            if not self._check():
                self._end()
                self._woken.wait(self._retry_s)
            elif not self._woken.wait(self._idle_s):
                self._end()
                self._woken.wait(self._again_s - self._idle_s)

    def _check(self) -> bool:
        """Run once. Returns whether the process is still usable."""
        process = self._started()
        stdin, stdout = cast(IO[bytes], process.stdin), cast(IO[bytes], process.stdout)
        try:
            os.write(stdin.fileno(), b"\n")
        except OSError:
            return False
        until_s = time.monotonic() + self._stalled_s
        with selectors.DefaultSelector() as selector:
            selector.register(stdout, selectors.EVENT_READ)
            while not self._stopping.is_set():
                if time.monotonic() >= until_s:
                    log.warning("check of code stalled", seconds=self._stalled_s)
                    return False
                if not selector.select(_POLL_S):
                    continue
                written = os.read(stdout.fileno(), 4096)
                if not written:
                    log.warning("check of code ended", status=process.wait())
                    return False
                if DONE in written:
                    return True
                until_s = time.monotonic() + self._stalled_s
        return False

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "kinfolk.site.code_check_process"],
                env=self._environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,
            )
        return self._process

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()

    @contextlib.contextmanager
    def _locked(self) -> Iterator[bool]:
        """Whether this process is the one that checks."""
        try:
            self._lock.parent.mkdir(parents=True, exist_ok=True)
            file = self._lock.open("w")
        except OSError as failure:
            log.warning("code is not checked", reason=str(failure))
            yield False
            return
        with file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
                return
            yield True


def stale_checks(store: CheckStore, revision: int) -> tuple[int, frozenset[Dependency]]:
    """The number of the last check, and what became stale after the given one."""
    last, pages = store.changed_since(revision)
    return last, frozenset(code_check_of(*page) for page in pages)


def start_code_checks(site: Site, supervisor: Supervisor) -> Callable[[], None]:
    """Start both services, on a site that checks code. Returns what makes them check what is new, without blocking."""
    store = site.content.publisher.docs.code_checks
    if store is None or site.is_static:
        return lambda: None
    service = CodeCheckService(site.settings.var / "code_checks.lock", environment_of(site.settings))
    site.content.publisher.on_snapshot(lambda _: service.wake())
    purge = RevisionPurge(lambda revision: stale_checks(store, revision), site.content.publisher.purge)
    supervisor.start_task("code check purge", purge.run)
    supervisor.start("code checks", service.run, stop=service.stop)
    return service.wake
