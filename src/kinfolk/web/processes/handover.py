"""Replaces a running server by one with new code: it starts the program again, with the sockets of this server.

    handover = Handover(named_sockets, program())
    handover.begin()          # after SIGUSR2
    handover.check(now_s)     # NewServer.READY: the other server answers, and this one stops

Connections wait in the queue of the sockets, which both servers have: none is refused or lost. Unless the new server
reports that it is ready, this one continues. Why a second process and not `exec`: decisions/0049-deploys.md.
"""

from __future__ import annotations

import fcntl
import os
import signal
import sys
import warnings
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import NoReturn

import structlog

from kinfolk.web.processes.inherited_sockets import FAILED, FIRST_DESCRIPTOR, HANDOVER, PREPARING, READY

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

START_S = 120.0
"""Seconds for a new server to be ready, or to report that it is preparing. A worker has a minute to start, and an
upgrade of the database may take as long."""
_MESSAGE_BYTES = 4096
_FIRST_COPY = 64
"""Copies of the sockets have numbers from here on, apart from those that they get in the new process."""
_SCRIPT = b"#!"
_ADVICE = "the old version goes on; repair the new one and repeat the reload"


class NewServer(Enum):
    """What has become of the server that was started."""

    NONE = "none"
    STARTING = "starting"
    READY = "ready"
    FAILED = "failed"


@dataclass(frozen=True)
class ServerProgram:
    """How this process was started, and is started again."""

    command: Sequence[str]
    folder: str
    """The working directory. A symbolic link stays one: it may lead to another folder by now."""


def program() -> ServerProgram:
    """The program of this process.

    A script such as `/srv/docs-venv/bin/kinfolk` is run by its path and not by its interpreter's: both lead to another
    environment once `/srv/docs-venv` is a link to it.
    """
    interpreter, *arguments = sys.orig_argv
    if arguments and arguments[0] == sys.argv[0] and _is_script(Path(arguments[0])):
        command = arguments
    else:
        command = [sys.executable or interpreter, *arguments]
    folder = os.environ.get("PWD", "")
    with suppress(OSError):
        if folder and Path(folder).samefile("."):
            return ServerProgram(command, folder)
    return ServerProgram(command, str(Path.cwd()))


def _is_script(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return path.is_absolute() and os.access(path, os.X_OK) and file.read(2) == _SCRIPT
    except OSError:
        return False


class Handover:
    """Starts the next server with `descriptors`, which have names of `inherited_sockets`. One at a time."""

    def __init__(self, descriptors: Sequence[tuple[str, int]], program: ServerProgram) -> None:
        self._descriptors = descriptors
        self._program = program
        self._pid: int | None = None
        self._pipe: int | None = None
        self._deadline_s = 0.0

    @property
    def pid(self) -> int | None:
        """The process of the new server, while it starts and after it is ready."""
        return self._pid

    @property
    def pipe(self) -> int | None:
        """A descriptor that is readable once the new server is ready or has ended; None while there is none."""
        return self._pipe

    def begin(self, now_s: float) -> bool:
        """Start the new server. Returns whether it is starting: not while another one is, nor as process 1."""
        if self._pid is not None:
            log.warning("reload ignored", reason="another one is in progress", pid=self._pid)
            return False
        if os.getpid() == 1:
            # The container ends with process 1, and the new server with it.
            log.error("reload failed", reason="this is process 1 of a container", advice="replace the container")
            return False
        ours, theirs = os.pipe()
        try:
            self._pid = self._start(theirs)
        except OSError as refused:
            log.error("reload failed", reason=str(refused), advice=_ADVICE)  # noqa: TRY400
            os.close(ours)
            return False
        finally:
            os.close(theirs)
        os.set_blocking(ours, False)
        self._pipe, self._deadline_s = ours, now_s + START_S
        log.info("reload", pid=self._pid, command=" ".join(self._program.command))
        return True

    def check(self, now_s: float) -> NewServer:
        """What has become of the new server since the last call. READY and FAILED are returned once."""
        if self._pipe is None:
            return NewServer.NONE
        try:
            message = os.read(self._pipe, _MESSAGE_BYTES)
        except BlockingIOError:
            if now_s < self._deadline_s:
                return NewServer.STARTING
            return self._fail(f"it was not ready after {START_S:g} s")
        news = message.lstrip(PREPARING)
        if message and not news:
            self._deadline_s = now_s + START_S
            return NewServer.STARTING
        if news[:1] == READY:
            self._close_pipe()
            return NewServer.READY
        return self._fail(news[1:].decode(errors="replace") or "it ended: the log has its last lines")

    def cancel(self) -> None:
        """End a server that is starting, because this one stops."""
        if self._pipe is not None and self._pid is not None:
            self._close_pipe()
            self._end(self._pid, signal.SIGTERM)

    def _fail(self, reason: str) -> NewServer:
        pid, self._pid = self._pid, None
        self._close_pipe()
        log.error("reload failed", pid=pid, reason=reason, advice=_ADVICE)
        if pid is not None:
            # It writes the reason before it ends, or hangs. Its workers end with it.
            self._end(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        return NewServer.FAILED

    @staticmethod
    def _end(pid: int, number: int) -> None:
        with suppress(OSError):
            os.kill(pid, number)

    def _close_pipe(self) -> None:
        if self._pipe is not None:
            os.close(self._pipe)
            self._pipe = None

    def _start(self, pipe: int) -> int:
        """Fork, and run the program in the new process. Raises OSError when the system cannot create a process."""
        named = [*self._descriptors, (HANDOVER, pipe)]
        signals = signal.valid_signals()
        # Block signals: between fork and exec, the handlers of this process would run.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, signals)
        try:
            with warnings.catch_warnings():
                # The only other thread serves metrics; the new process calls nothing that takes a lock of it.
                warnings.simplefilter("ignore", DeprecationWarning)
                pid = os.fork()
            if pid == 0:
                _run(self._program, named, os.environ, pipe)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        return pid


def _run(
    program: ServerProgram, named: Sequence[tuple[str, int]], environment: Mapping[str, str], pipe: int
) -> NoReturn:
    """Replace this process, a fork of a server, by the program. It has the descriptors from FIRST_DESCRIPTOR on."""
    try:
        signal.set_wakeup_fd(-1)
        copies = [fcntl.fcntl(number, fcntl.F_DUPFD_CLOEXEC, _FIRST_COPY) for _, number in named]
        pipe = copies[-1]
        for at, copy in enumerate(copies):
            os.dup2(copy, FIRST_DESCRIPTOR + at, inheritable=True)
        listening = {
            "LISTEN_FDS": str(len(named)),
            "LISTEN_PID": str(os.getpid()),
            "LISTEN_FDNAMES": ":".join(name for name, _ in named),
        }
        if "WATCHDOG_PID" in environment:
            listening["WATCHDOG_PID"] = str(os.getpid())
        os.chdir(program.folder)
        for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP, signal.SIGPIPE}:
            with suppress(OSError, ValueError):
                signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        os.execvpe(  # noqa: S606 - the program of this process
            program.command[0], list(program.command), {**environment, **listening}
        )
    except OSError as failure:
        with suppress(OSError):
            os.write(pipe, FAILED + f"{program.command[0]} cannot be run: {failure.strerror}".encode())
    finally:
        os._exit(127)
