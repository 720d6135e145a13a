"""Keeps worker processes running: one that dies is replaced at once, one that hangs after HANG_S.

    workers = Workers(run, 2)     # run(slot, link) is called in each worker process
    workers.run()                 # until SIGTERM or SIGINT; SIGHUP replaces all workers, one after another

The parent process imports everything and forks, so that a replacement starts without importing anything. It runs no
event loop and opens no content. Why this is not uvicorn's supervisor: decisions/0010-worker-supervision.md.
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

from kinfolk.errors import Unavailable

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

HEARTBEAT_S = 1.0
HANG_S = 6.0
"""Seconds without a heartbeat after which a worker is replaced; the replacement needs two more."""
START_S = 60.0
"""Seconds that a worker may take to start."""
STOP_S = 9.0
"""Seconds that a worker may take to end after SIGTERM: DRAIN_S of `web.worker`, then its background services."""
LATE_S = 1.0
"""When the parent itself wakes this much too late, the machine is starved: workers get that time on top."""
STEADY_S = 1.0
"""A worker that dies sooner after its first answer, or without one, counts as failed."""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 30.0
"""Before the second replacement in a row that failed, and the most that doubling it leads to."""

FORKS = sys.platform == "linux"
"""Elsewhere libraries of the system do not survive a fork, and a replacement imports everything again."""

_LONGEST_MESSAGE = 2000
"""Bytes. A pipe writes up to 4,096 at once or not at all, so no message is ever half written."""
_LONGEST_LINE = 4000
_PIPE_BYTES = 1 << 16
_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGCHLD)


class Link:
    """The worker's end of the pipe to the parent. Never blocks: a message that the parent does not read is lost.

    `log_file` is for log lines.
    """

    def __init__(self, connection: Connection, log_file: TextIO) -> None:
        self.log_file = log_file
        self._connection = connection
        os.set_blocking(connection.fileno(), False)

    def beat(self) -> None:
        """Tell the parent that the event loop runs. Due every HEARTBEAT_S from `ready` on."""
        self._send(b"b", "")

    def ready(self, about: str) -> None:
        """This worker answers requests. `about` says what it serves."""
        self._send(b"r", about)

    def failed(self, reason: str) -> None:
        """This worker cannot start, and the next one could not either."""
        self._send(b"f", reason)

    def _send(self, kind: bytes, text: str) -> None:
        with suppress(OSError):  # the pipe is full, or the parent is gone and this process ends soon
            self._connection.send_bytes(kind + text.encode()[:_LONGEST_MESSAGE])


class _Lines:
    """Logs what arrives in a pipe, line by line."""

    def __init__(self, pipe: Connection, pid: int | None) -> None:
        self.pipe = pipe
        self._pid = pid
        self._rest = b""
        os.set_blocking(pipe.fileno(), False)

    def read(self) -> None:
        """Log what has arrived, as much of it as a pipe holds. Does not block."""
        if self.pipe.closed:
            return
        try:
            arrived = os.read(self.pipe.fileno(), _PIPE_BYTES)
        except BlockingIOError:
            return
        if not arrived:
            self.pipe.close()
        *lines, self._rest = (self._rest + arrived).split(b"\n")
        for line in lines:
            self._log(line)
        if len(self._rest) > _LONGEST_LINE:
            self._log(self._rest)
            self._rest = b""

    def close(self) -> None:
        """Log what has arrived, also the beginning of a line."""
        self.read()
        self._log(self._rest)
        self.pipe.close()

    def _log(self, line: bytes) -> None:
        if line.strip():
            log.error("worker wrote", pid=self._pid, line=line[:_LONGEST_LINE].decode(errors="replace"))


@dataclass(eq=False)
class _Worker:
    """One process, from its start until it is reaped."""

    slot: int
    process: BaseProcess
    pipe: Connection
    errors: _Lines | None
    """What it writes to standard error, where that is not the log."""
    started_s: float
    heard_s: float
    ready_s: float | None = None
    outdated: bool = False
    """To be replaced because of SIGHUP."""
    kill_s: float | None = None
    """When it is killed (again), once it was told to end."""
    reason: str = "died"
    failure: str | None = None
    """Why it could not start, as it said itself."""


class Workers:
    """`count` processes that run `run`. `on_ready` is called with what a worker says that it serves, `on_end`
    with its slot and the reason: died, hung, restarted or stopped.

    A slot is a small number that one process has at a time. `keep` are file descriptors that workers inherit. With
    `wrap_stderr` what a worker writes to standard error, such as the last words of a library in C or Rust, arrives here
    and is logged, so that the log has no lines of another form.
    """

    def __init__(
        self,
        run: Callable[[int, Link], None],
        count: int,
        *,
        keep: Collection[int] = (),
        wrap_stderr: bool = False,
        on_ready: Callable[[str], None] = lambda _about: None,
        on_end: Callable[[int, str], None] = lambda _slot, _reason: None,
    ) -> None:
        self._run = run
        self._count = count
        self._keep = frozenset(keep)
        self._wrap_stderr = wrap_stderr
        self._on_ready = on_ready
        self._on_end = on_end
        self._workers: list[_Worker] = []
        self._stopping = False
        self._ever_ready = False
        self._failures = 0
        self._start_s = 0.0
        self._failure: str | None = None
        self._context = multiprocessing.get_context("fork") if FORKS else multiprocessing.get_context("spawn")

    @property
    def ready(self) -> int:
        """How many workers answer requests."""
        return sum(worker.ready_s is not None and worker.kill_s is None for worker in self._workers)

    def run(self) -> None:
        """Blocks until a signal ends it. Raises Unavailable when the first worker cannot start. In the main thread."""
        with _signals() as wakeup:
            while self._workers or not self._stopping:
                self._start_missing()
                self._wait(wakeup)
                for worker in tuple(self._workers):
                    self._read(worker)
                    self._look_after(worker)
        if self._failure is not None:
            raise Unavailable(self._failure)

    def stop(self) -> None:
        """End all workers, by force after STOP_S; by force at once when called again."""
        for worker in self._workers:
            self._retire(worker, "stopped", within_s=0.0 if self._stopping else STOP_S)
        self._stopping = True

    def restart(self) -> None:
        """Replace each worker that runs now, beginning with the next once a replacement answers."""
        for worker in self._workers:
            worker.outdated = True

    def _signalled(self, number: int) -> None:
        if number == signal.SIGHUP:
            log.info("restart of all workers")
            self.restart()
        elif number != signal.SIGCHLD:
            log.info("server stops", signal=signal.Signals(number).name)
            self.stop()

    # Starting

    def _start_missing(self) -> None:
        staying = [worker for worker in self._workers if worker.kill_s is None]
        # One more than wanted while workers are exchanged: the old one ends when its replacement answers.
        wanted = self._count + any(worker.outdated for worker in staying)
        while not self._stopping and len(staying) < wanted and time.monotonic() >= self._start_s:
            try:
                staying.append(self._start())
            except OSError as refused:
                # No memory, process or file descriptor is left. The workers that run are not to suffer for it.
                self._failures += 1
                self._start_s = time.monotonic() + max(FIRST_PAUSE_S, _pause_s(self._failures))
                log.exception("worker not started", reason=str(refused), pause_s=self._start_s - time.monotonic())

    def _start(self) -> _Worker:
        """Raises OSError when the system refuses."""
        slot = min(set(range(len(self._workers) + 1)) - {worker.slot for worker in self._workers})
        pipe, theirs = self._context.Pipe(duplex=False)
        errors, their_errors = self._context.Pipe(duplex=False) if self._wrap_stderr else (None, None)
        process = self._context.Process(
            target=_worker_process, args=(self._run, slot, theirs, their_errors, self._keep), name=f"worker-{slot}"
        )
        # A signal between fork and the worker's own handlers would run those of the parent.
        signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
        try:
            with warnings.catch_warnings():
                # The only other thread answers requests for metrics, and holds no lock that a worker takes.
                warnings.simplefilter("ignore", DeprecationWarning)
                process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
            theirs.close()
            if their_errors is not None:
                their_errors.close()
        now_s = time.monotonic()
        lines = _Lines(errors, process.pid) if errors is not None else None
        worker = _Worker(slot, process, pipe, lines, now_s, now_s)
        self._workers.append(worker)
        return worker

    # Watching

    def _wait(self, wakeup: socket.socket) -> None:
        """Until a worker says something or dies, a signal arrives, or it is time to look at the clock."""
        now_s = time.monotonic()
        kills = [worker.kill_s for worker in self._workers if worker.kill_s is not None]
        due_s = max(now_s, min([now_s + HEARTBEAT_S / 2, *kills]))
        pipes = [worker.pipe for worker in self._workers]
        pipes += [worker.errors.pipe for worker in self._workers if worker.errors is not None]
        woken = wait([wakeup, *(pipe for pipe in pipes if not pipe.closed)], due_s - now_s)
        late_s = time.monotonic() - due_s
        if late_s > LATE_S:
            log.warning("machine is starved", late_s=round(late_s, 1))
            for worker in self._workers:
                worker.heard_s += late_s
        if wakeup in woken:
            for number in wakeup.recv(4096):
                self._signalled(number)

    def _read(self, worker: _Worker) -> None:
        if worker.errors is not None:
            worker.errors.read()
        try:
            while not worker.pipe.closed and worker.pipe.poll():
                message = worker.pipe.recv_bytes()
                worker.heard_s = time.monotonic()
                if message[:1] == b"r":
                    self._note_ready(worker, message[1:].decode(errors="replace"))
                elif message[:1] == b"f":
                    worker.failure = message[1:].decode(errors="replace")
        except (EOFError, OSError):
            worker.pipe.close()

    def _note_ready(self, worker: _Worker, about: str) -> None:
        worker.ready_s = worker.heard_s
        log.info("worker ready", pid=worker.process.pid, start_s=round(worker.ready_s - worker.started_s, 2))
        self._ever_ready = True
        self._on_ready(about)
        old = next((other for other in self._workers if other.outdated and other.kill_s is None), None)
        if old is not None and not worker.outdated:
            self._retire(old, "restarted", within_s=STOP_S)

    def _look_after(self, worker: _Worker) -> None:
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
        elif worker.ready_s is not None and now_s - worker.ready_s >= STEADY_S:
            self._failures = 0

    def _kill(self, worker: _Worker) -> None:
        """It is reaped when the kernel says that it is gone; its replacement does not wait for that."""
        worker.kill_s = time.monotonic() + STOP_S
        worker.process.kill()

    def _retire(self, worker: _Worker, reason: str, *, within_s: float) -> None:
        worker.reason = reason
        worker.kill_s = time.monotonic() + within_s
        worker.process.terminate()

    def _reap(self, worker: _Worker) -> None:
        self._workers.remove(worker)
        worker.pipe.close()
        if worker.errors is not None:
            worker.errors.close()
        code = worker.process.exitcode
        # What is wrong before anything was ever served is wrong with facts, settings or the installation.
        if not self._ever_ready and not self._stopping and (worker.failure or (code or 0) > 0):
            self._failure = worker.failure or f"The server could not start (exit code {code}): the log says why"
            self.stop()
        elif worker.reason in ("died", "hung") and not self._stopping:
            self._plan_replacement(worker)
        self._on_end(worker.slot, worker.reason)
        worker.process.close()

    def _plan_replacement(self, worker: _Worker) -> None:
        now_s = time.monotonic()
        failed = worker.ready_s is None or now_s - worker.ready_s < STEADY_S
        self._failures += failed
        pause_s = _pause_s(self._failures)
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
            log.error("restart abandoned", reason="a new worker did not start", kept=len(outdated))
        for worker in outdated:
            worker.outdated = False


def _pause_s(failures: int) -> float:
    return 0.0 if failures <= 1 else min(FIRST_PAUSE_S * 2.0 ** min(failures - 2, 16), LONGEST_PAUSE_S)


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
    """Signals that arrive inside can be read from this socket, a byte each."""
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
    run: Callable[[int, Link], None],
    slot: int,
    connection: Connection,
    errors: Connection | None,
    keep: frozenset[int],
) -> None:
    """In the new process: let go of what belongs to the parent, then run."""
    signal.set_wakeup_fd(-1)
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_DFL)
    # Ctrl-C and a closed terminal reach every process of the group; the parent decides what follows. A handler, not
    # SIG_IGN, which git and other programs that a worker starts would inherit.
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: None)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
    log_file: TextIO = sys.stderr
    kept = keep | {connection.fileno()}
    if errors is not None:
        log_file = os.fdopen(os.dup(2), "w", buffering=1, encoding="utf-8", errors="backslashreplace")
        os.dup2(errors.fileno(), 2)
        kept |= {log_file.fileno()}
    if FORKS:
        with suppress(OSError):  # there is no /proc
            _release_inherited(kept)
    run(slot, Link(connection, log_file))


def _release_inherited(keep: frozenset[int]) -> None:
    """Point descriptors of the parent at nothing: its pipes to other workers, its port of metrics.

    Not closed, because objects of the parent still name them, and would close what gets the same number later.
    """
    parent = multiprocessing.parent_process()
    kept = {0, 1, 2, *keep, *([parent.sentinel] if parent is not None else [])}
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in [int(entry.name) for entry in Path("/proc/self/fd").iterdir()]:
        # The list holds the descriptor that it was read with, which is closed now.
        if number not in kept and number != nothing and Path(f"/proc/self/fd/{number}").is_symlink():
            os.dup2(nothing, number, inheritable=False)
    os.close(nothing)
