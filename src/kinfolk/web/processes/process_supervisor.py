"""Supervises worker processes: a worker that exits is replaced at once, one that hangs after HANG_S.

    supervisor = ProcessSupervisor(run, 2)     # run(slot, pipe) is called in each worker process
    supervisor.run()                           # until SIGTERM or SIGINT; SIGHUP replaces all workers, one by one

The parent process imports all modules and forks, so that a replacement starts without imports. It runs no event loop
and opens no content. Why this is not uvicorn's supervisor: decisions/0010-worker-supervision.md.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import socket
import sys
import time
import warnings
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import TextIO

import structlog

from kinfolk.runtime.errors import Unavailable
from kinfolk.web.processes.handover import Handover, NewServer
from kinfolk.web.processes.service_notifier import ServiceNotifier
from kinfolk.web.processes.worker_stderr import WorkerStderr

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

HEARTBEAT_S = 1.0
HANG_S = 6.0
"""Seconds without a heartbeat after which a worker is killed. Its replacement starts in two seconds."""
START_S = 60.0
"""Seconds for a worker to start."""
STOP_S = 9.0
"""Seconds for a worker to end after SIGTERM: `worker_process.DRAIN_S`, then its background services."""
HANDED_OVER_S = 40.0
"""Seconds for a worker to end after DRAIN, when another server has replaced this one: its connections end as at other
times (`worker_process.HANDED_OVER_S`), then its background services."""
DRAIN = signal.SIGUSR1
"""The signal to a worker whose connections may end by themselves."""
STARVED_S = 1.0
"""A parent that wakes up later than this runs on a starved machine. Workers then get the delay as additional time."""
STABLE_S = 1.0
"""A worker that exits sooner after it was ready, or before, has failed."""
FIRST_BACKOFF_S, MAX_BACKOFF_S = 0.5, 30.0
"""Delay before a replacement after two failures in a row; it doubles with each further failure up to the maximum."""

FORKS = sys.platform == "linux"
"""System libraries of other platforms do not support fork, so a replacement imports all modules again."""

_MAX_MESSAGE_BYTES = 2000
"""A write of up to 4,096 bytes to a pipe is atomic, so no message is truncated."""
_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR2, signal.SIGCHLD)


class ParentPipe:
    """The worker's end of the pipe to the parent. It does not block: a message that does not fit is lost.

    `log_file` is for log lines.
    """

    def __init__(self, connection: Connection, log_file: TextIO) -> None:
        self.log_file = log_file
        self._connection = connection
        os.set_blocking(connection.fileno(), False)

    def beat(self) -> None:
        """Send a heartbeat: the event loop runs. Due every HEARTBEAT_S after `ready`."""
        self._send(b"b", "")

    def preparing(self) -> None:
        """Report that this worker needs more time until it is ready. Due every HEARTBEAT_S."""
        self._send(b"p", "")

    def ready(self, summary: str) -> None:
        """Report that this worker answers requests. `summary` describes what it serves."""
        self._send(b"r", summary)

    def failed(self, reason: str) -> None:
        """Report that this worker cannot start, for a reason that the next one has, too."""
        self._send(b"f", reason)

    def _send(self, kind: bytes, text: str) -> None:
        with suppress(OSError):  # the pipe is full, or the parent is gone and this process ends soon
            self._connection.send_bytes(kind + text.encode()[:_MAX_MESSAGE_BYTES])


@dataclass(eq=False)
class _WorkerProcess:
    """One process, from its start until it is reaped."""

    slot: int
    process: BaseProcess
    pipe: Connection
    errors: WorkerStderr | None
    """Its standard error, if that is not the log."""
    started_s: float
    heard_s: float
    ready_s: float | None = None
    outdated: bool = False
    """It is replaced because of SIGHUP."""
    kill_s: float | None = None
    """The time at which it is killed, after it was terminated or killed before."""
    reason: str = "died"
    failure: str | None = None
    """The reason that it reported for a failed start."""


class ProcessSupervisor:
    """Runs `run` in `count` processes.

    `on_ready` is called with the summary of each worker that becomes ready, `on_end` with its slot and the reason:
    died, hung, restarted or stopped. A slot is a small number that identifies one process at a time. Workers inherit
    the file descriptors `keep`. With `wrap_stderr` the parent reads the standard error of workers, for example messages
    of C and Rust libraries, and logs it, so that all lines of the log have one format. `on_stop` is called when no more
    workers are started, `on_preparing` when one needs more time to start. `handover` starts the next server after
    SIGUSR2.
    """

    def __init__(
        self,
        run: Callable[[int, ParentPipe], None],
        count: int,
        *,
        keep: Collection[int] = (),
        wrap_stderr: bool = False,
        on_ready: Callable[[str], None] = lambda _summary: None,
        on_end: Callable[[int, str], None] = lambda _slot, _reason: None,
        on_stop: Callable[[], None] = lambda: None,
        on_preparing: Callable[[], None] = lambda: None,
        handover: Handover | None = None,
        notifier: ServiceNotifier | None = None,
    ) -> None:
        self._run = run
        self._count = count
        self._keep = frozenset(keep)
        self._wrap_stderr = wrap_stderr
        self._on_ready = on_ready
        self._on_end = on_end
        self._on_stop = on_stop
        self._on_preparing = on_preparing
        self._handover = handover
        self._notifier = notifier or ServiceNotifier({})
        self._workers: list[_WorkerProcess] = []
        self._stopping = False
        self._is_replaced = False
        self._ever_ready = False
        self._failures = 0
        self._start_s = 0.0
        self._failure: str | None = None
        self._context = multiprocessing.get_context("fork") if FORKS else multiprocessing.get_context("spawn")

    @property
    def ready(self) -> int:
        """The number of workers that answer requests."""
        return sum(worker.ready_s is not None and worker.kill_s is None for worker in self._workers)

    def run(self) -> None:
        """Run until a signal. Blocks the main thread. Raises Unavailable when the first worker cannot start."""
        with _signals() as wakeup:
            while self._workers or not self._stopping:
                self._start_missing()
                self._wait(wakeup)
                self._check_handover()
                self._notifier.beat()
                for worker in tuple(self._workers):
                    self._read(worker)
                    self._check(worker)
        if self._failure is not None:
            raise Unavailable(self._failure)

    def stop(self) -> None:
        """Terminate all workers, and kill them after STOP_S. A second call kills them at once."""
        within_s = 0.0 if self._stopping and not self._is_replaced else STOP_S
        if not self._stopping:
            self._notifier.stopping()
            if self._handover is not None:
                self._handover.cancel()
        self._is_replaced = False
        self._end_workers(signal.SIGTERM, within_s)

    def _end_workers(self, number: int, within_s: float) -> None:
        self._stopping = True
        self._on_stop()
        for worker in self._workers:
            self._retire(worker, "stopped", within_s=within_s, number=number)

    def restart(self) -> None:
        """Replace all current workers, one after another: each when the previous replacement is ready."""
        for worker in self._workers:
            worker.outdated = True

    def _handle_signal(self, number: int) -> None:
        if number == signal.SIGHUP:
            log.info("restart of all workers")
            self.restart()
        elif number == signal.SIGUSR2:
            self._begin_handover()
        elif number != signal.SIGCHLD:
            log.info("server stops", signal=signal.Signals(number).name)
            self.stop()

    # Replacing this server

    def _begin_handover(self) -> None:
        if self._handover is None or self._stopping or not self._ever_ready:
            log.warning("reload ignored", reason="the server stops" if self._stopping else "it has not started")
        elif self._handover.begin(time.monotonic()):
            self._notifier.reloading()

    def _check_handover(self) -> None:
        state = NewServer.NONE if self._handover is None else self._handover.check(time.monotonic())
        if state is NewServer.FAILED:
            self._notifier.ready("The last reload failed: the log has the reason")
        elif state is NewServer.READY and self._handover is not None and self._handover.pid is not None:
            log.info("server is replaced", pid=self._handover.pid)
            self._notifier.replaced_by(self._handover.pid)
            self._is_replaced = True
            self._end_workers(DRAIN, HANDED_OVER_S)

    # Starting

    def _start_missing(self) -> None:
        staying = [worker for worker in self._workers if worker.kill_s is None]
        # One more during a restart: the old worker ends when its replacement is ready.
        wanted = self._count + any(worker.outdated for worker in staying)
        while not self._stopping and len(staying) < wanted and time.monotonic() >= self._start_s:
            try:
                staying.append(self._start())
            except OSError as refused:
                # Memory, processes or file descriptors are exhausted. The running workers continue.
                self._failures += 1
                self._start_s = time.monotonic() + max(FIRST_BACKOFF_S, _backoff_s(self._failures))
                log.exception("worker not started", reason=str(refused), pause_s=self._start_s - time.monotonic())

    def _start(self) -> _WorkerProcess:
        """Raises OSError when the system cannot create a process."""
        slot = min(set(range(len(self._workers) + 1)) - {worker.slot for worker in self._workers})
        pipe, theirs = self._context.Pipe(duplex=False)
        errors, their_errors = self._context.Pipe(duplex=False) if self._wrap_stderr else (None, None)
        process = self._context.Process(
            target=_worker_process, args=(self._run, slot, theirs, their_errors, self._keep), name=f"worker-{slot}"
        )
        # Block signals: between fork and the worker's own handlers, the handlers of the parent would run.
        signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
        try:
            with warnings.catch_warnings():
                # The only other thread serves metrics, and holds no lock that a worker needs.
                warnings.simplefilter("ignore", DeprecationWarning)
                process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
            theirs.close()
            if their_errors is not None:
                their_errors.close()
        now_s = time.monotonic()
        lines = WorkerStderr(errors, process.pid) if errors is not None else None
        worker = _WorkerProcess(slot, process, pipe, lines, now_s, now_s)
        self._workers.append(worker)
        return worker

    # Watching

    def _wait(self, wakeup: socket.socket) -> None:
        """Wait for a message, an exit, a signal, or the next check."""
        now_s = time.monotonic()
        kills = [worker.kill_s for worker in self._workers if worker.kill_s is not None]
        due_s = max(now_s, min([now_s + HEARTBEAT_S / 2, *kills]))
        pipes = [worker.pipe for worker in self._workers]
        pipes += [worker.errors.pipe for worker in self._workers if worker.errors is not None]
        new_server = [] if self._handover is None or self._handover.pipe is None else [self._handover.pipe]
        woken = wait([wakeup, *new_server, *(pipe for pipe in pipes if not pipe.closed)], due_s - now_s)
        late_s = time.monotonic() - due_s
        if late_s > STARVED_S:
            log.warning("machine is starved", late_s=round(late_s, 1))
            for worker in self._workers:
                worker.heard_s += late_s
        if wakeup in woken:
            for number in wakeup.recv(4096):
                self._handle_signal(number)

    def _read(self, worker: _WorkerProcess) -> None:
        if worker.errors is not None:
            worker.errors.read()
        try:
            while not worker.pipe.closed and worker.pipe.poll():
                message = worker.pipe.recv_bytes()
                worker.heard_s = time.monotonic()
                if message[:1] == b"r":
                    self._note_ready(worker, message[1:].decode(errors="replace"))
                elif message[:1] == b"p":
                    self._on_preparing()
                elif message[:1] == b"f":
                    worker.failure = message[1:].decode(errors="replace")
        except (EOFError, OSError):
            worker.pipe.close()

    def _note_ready(self, worker: _WorkerProcess, summary: str) -> None:
        worker.ready_s = worker.heard_s
        log.info("worker ready", pid=worker.process.pid, start_s=round(worker.ready_s - worker.started_s, 2))
        self._ever_ready = True
        self._on_ready(summary)
        old = next((other for other in self._workers if other.outdated and other.kill_s is None), None)
        if old is not None and not worker.outdated:
            self._retire(old, "restarted", within_s=STOP_S)

    def _check(self, worker: _WorkerProcess) -> None:
        now_s = time.monotonic()
        if worker.process.exitcode is not None:
            self._reap(worker)
        elif worker.kill_s is not None:
            if now_s >= worker.kill_s:
                log.error("worker does not stop", pid=worker.process.pid, reason=worker.reason)
                self._kill(worker)
        elif now_s - worker.heard_s > (START_S if worker.ready_s is None else HANG_S):
            worker.reason = "hung"
            log.error("worker hangs", pid=worker.process.pid, silent_s=round(now_s - worker.heard_s, 1))
            self._kill(worker)
        elif worker.ready_s is not None and now_s - worker.ready_s >= STABLE_S:
            self._failures = 0

    def _kill(self, worker: _WorkerProcess) -> None:
        """Kill a worker. Its replacement does not wait for the exit."""
        worker.kill_s = time.monotonic() + STOP_S
        worker.process.kill()

    def _retire(self, worker: _WorkerProcess, reason: str, *, within_s: float, number: int = signal.SIGTERM) -> None:
        worker.reason = reason
        worker.kill_s = time.monotonic() + within_s
        if worker.ready_s is None or number == signal.SIGTERM:
            worker.process.terminate()
        elif worker.process.pid is not None and worker.process.exitcode is None:
            os.kill(worker.process.pid, number)

    def _reap(self, worker: _WorkerProcess) -> None:
        self._workers.remove(worker)
        worker.pipe.close()
        if worker.errors is not None:
            worker.errors.close()
        code = worker.process.exitcode
        # A failure before the first worker was ready is an error in data, settings or the installation.
        if not self._ever_ready and not self._stopping and (worker.failure or (code or 0) > 0):
            self._failure = worker.failure or f"The server could not start (exit code {code}): the log says why"
            self.stop()
        elif worker.reason in ("died", "hung") and not self._stopping:
            self._plan_replacement(worker)
        self._on_end(worker.slot, worker.reason)
        worker.process.close()

    def _plan_replacement(self, worker: _WorkerProcess) -> None:
        now_s = time.monotonic()
        failed = worker.ready_s is None or now_s - worker.ready_s < STABLE_S
        self._failures += failed
        pause_s = _backoff_s(self._failures)
        self._start_s = now_s + pause_s
        log.error(
            "worker is replaced",
            pid=worker.process.pid,
            reason=worker.reason,
            ended=_ended(worker.process.exitcode),
            failure=worker.failure,
            age_s=round(now_s - worker.started_s, 1),
            pause_s=pause_s,
        )
        if failed and not worker.outdated:
            self._abandon_restart()

    def _abandon_restart(self) -> None:
        outdated = [worker for worker in self._workers if worker.outdated]
        if outdated:
            log.error("restart abandoned", reason="a new worker did not start", old_workers=len(outdated))
        for worker in outdated:
            worker.outdated = False


def _backoff_s(failures: int) -> float:
    return 0.0 if failures <= 1 else min(FIRST_BACKOFF_S * 2.0 ** min(failures - 2, 16), MAX_BACKOFF_S)


def _ended(code: int | None) -> str:
    """`SIGKILL`, `exit code 1`."""
    if code is not None and code < 0:
        try:
            return signal.Signals(-code).name
        except ValueError:
            return f"signal {-code}"
    return f"exit code {code}"


@contextmanager
def _signals() -> Iterator[socket.socket]:
    """A socket that receives one byte for each signal."""
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    theirs.setblocking(False)
    before = {number: signal.signal(number, lambda *_: None) for number in _SIGNALS}
    wakeup_before = signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
    try:
        yield ours
    finally:
        signal.set_wakeup_fd(wakeup_before)
        for number, handler in before.items():
            signal.signal(number, handler)
        ours.close()
        theirs.close()


def _worker_process(
    run: Callable[[int, ParentPipe], None],
    slot: int,
    connection: Connection,
    errors: Connection | None,
    keep: frozenset[int],
) -> None:
    """The main function of a worker process: release inherited resources, then run."""
    signal.set_wakeup_fd(-1)
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_DFL)
    # Ctrl-C, a closed terminal and systemd signal all processes of the server; only the parent reacts. A handler, not
    # SIG_IGN, which git and other child programs would inherit.
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGUSR2):
        signal.signal(number, lambda *_: None)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
    log_file: TextIO = sys.stderr
    open_numbers = keep | {connection.fileno()}
    if errors is not None:
        log_file = os.fdopen(os.dup(2), "w", buffering=1, encoding="utf-8", errors="backslashreplace")
        os.dup2(errors.fileno(), 2)
        open_numbers |= {log_file.fileno()}
    if FORKS:
        with suppress(OSError):  # there is no /proc
            _redirect_inherited(open_numbers)
    run(slot, ParentPipe(connection, log_file))


def _redirect_inherited(keep: frozenset[int]) -> None:
    """Redirect inherited descriptors to /dev/null: pipes to other workers, the metrics port.

    They are not closed, because inherited Python objects own them and would later close a reused number.
    """
    parent = multiprocessing.parent_process()
    open_numbers = {0, 1, 2, *keep, *([parent.sentinel] if parent is not None else [])}
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in [int(entry.name) for entry in Path("/proc/self/fd").iterdir()]:
        # The list contains the descriptor that it was read with, which is closed now.
        if number not in open_numbers and number != nothing and Path(f"/proc/self/fd/{number}").is_symlink():
            os.dup2(nothing, number, inheritable=False)
    os.close(nothing)
