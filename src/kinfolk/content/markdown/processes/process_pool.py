"""Runs Markdown jobs in separate processes, so that no text can block the site or exhaust its memory.

    pool = MarkdownProcessPool()
    page = pool.page(MarkdownFile(name, text, read_target), links=links_of)
    pool.close()

The kernel enforces limits of CPU time and memory for each job; this module enforces a limit of wall-clock time. The
limit of CPU time decides whether a page is too complex, because it does not depend on other load. Processes start on
demand and exit when they are idle.
"""

from __future__ import annotations

import contextlib
import signal
import socket
import struct
import subprocess
import threading
import time
import weakref
from collections.abc import Callable
from dataclasses import astuple
from typing import TypeVar, get_args

import structlog

from kinfolk.content.markdown.export import ExportedMarkdown
from kinfolk.content.markdown.links.link_resolver import LinkResolver
from kinfolk.content.markdown.markdown_page import MarkdownPage
from kinfolk.content.markdown.processes.jobs import MarkdownFile, PageSummary, ResolverFactory
from kinfolk.content.markdown.processes.messages import (
    OUT_OF_MEMORY,
    Message,
    MessageReader,
    decode_anchors,
    decode_export,
    decode_page,
    decode_summary,
    encode_message,
)
from kinfolk.runtime.budget import BUDGETS, Budget, Deadline, Limit, OverBudget
from kinfolk.runtime.errors import NotFound, Unavailable
from kinfolk.runtime.services.isolated_process import start_isolated
from kinfolk.runtime.services.lifecycle import Service

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

IDLE_S = 60.0
GROW_AFTER_S = 0.05
"""How long a job waits for a busy process before another is started, which takes longer."""
_TRIES = 3
"""Processes tried for one job: the first may be exiting already, the second may be killed from outside."""
_TIME = struct.Struct("@ll")
"""`struct timeval`: seconds and microseconds."""
_MAIN = "kinfolk.content.markdown.processes.process_main"
_LIMITS: tuple[Limit, ...] = get_args(Limit)

T = TypeVar("T")


class _ProcessExitedError(Exception):
    """The process exited before it answered, or sent an invalid message."""

    status = 0


class _DeadlineExceededError(Exception):
    """The process did not answer before the deadline."""


class _MarkdownProcess:
    """One process, used by one thread at a time."""

    def __init__(self, budget: Budget, idle_s: float) -> None:
        self.is_killed = False
        limits = (budget.memory_bytes, budget.cpu_s, budget.answer_bytes)
        self._socket, theirs = socket.socketpair()
        self._reader = MessageReader(self._socket.recv_into, budget.answer_bytes)
        # Socket options instead of Python's timeout, which takes two more system calls for each message.
        for end, time_s in ((self._socket, budget.time_s), (theirs, idle_s)):
            for option in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
                end.setsockopt(socket.SOL_SOCKET, option, _TIME.pack(int(time_s), int(time_s % 1 * 1e6)))
        with theirs:
            self._process = start_isolated(_MAIN, *map(str, limits), stdin=theirs)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def has_ended(self) -> bool:
        return self._process.poll() is not None

    def kill(self) -> None:
        """Kill the process. Thread-safe."""
        self.is_killed = True
        self._process.kill()

    def close(self) -> None:
        """Kill the process and release its resources. For the thread that uses it."""
        self.kill()
        self._process.wait()
        self._socket.close()

    def status(self) -> int:
        """The exit status of a process that is exiting; negative for a signal."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        self.kill()
        return self._process.wait()

    def exchange(self, message: Message, deadline: Deadline) -> Message:
        """Send a message and wait for the answer. Raises _ProcessExitedError or _DeadlineExceededError.

        An exchange that begins just before the deadline may take up to the whole time limit.
        """
        if not deadline.remaining_s:
            raise _DeadlineExceededError
        try:
            self._socket.sendall(encode_message(message))
            return self._reader.read()
        except BlockingIOError:
            raise _DeadlineExceededError from None
        except (OSError, ValueError) as failure:
            raise _ProcessExitedError from failure


class MarkdownProcessPool(Service):
    """Runs the jobs of several threads in up to `size` processes, which start with the first job.

    Resolving a page's links may require the anchors of another page, which is another job. One more process is allowed
    while all `size` processes wait for links.
    """

    def __init__(self, *, size: int = 2, budget: Budget = BUDGETS["markdown"], idle_s: float = IDLE_S) -> None:
        self.first_framework: str | None = None
        """That of `InProcessJobs`. A site sets it: a pool may outlive the site that uses it."""
        self.link_schemes: tuple[str, ...] = ()
        """That of `InProcessJobs`, as `first_framework`."""
        self._size = size
        self._budget = budget
        self._idle_s = idle_s
        self._changed = threading.Condition()
        self._idle: list[_MarkdownProcess] = []
        self._all: set[_MarkdownProcess] = set()
        self._linking = 0
        self._closed = False
        # Kills the processes when the interpreter exits and `close` was not called.
        self._finalizer = weakref.finalize(self, _close_all, self._all)

    def page(
        self, source: MarkdownFile, *, links: ResolverFactory | None = None, framework: str | None = None
    ) -> MarkdownPage:
        return self._run("page", decode_page, source, framework, links)

    def export(self, source: MarkdownFile, *, framework: str | None = None) -> ExportedMarkdown:
        return self._run("export", decode_export, source, framework)

    def anchors(self, source: MarkdownFile) -> frozenset[str]:
        return self._run("anchors", decode_anchors, source)

    def summary(self, source: MarkdownFile) -> PageSummary:
        return self._run("summary", decode_summary, source)

    @property
    def pids(self) -> list[int]:
        """Process ids of the live processes."""
        with self._changed:
            return [process.pid for process in self._all if not process.has_ended]

    def close(self) -> None:
        """Kill all processes. Running and later jobs raise Unavailable."""
        with self._changed:
            self._closed = True
            for process in self._all:
                process.kill()
            while self._idle:
                self._discard(self._idle.pop())
            self._changed.notify_all()

    def _run(
        self,
        kind: str,
        read: Callable[[Message], T],
        source: MarkdownFile,
        framework: str | None = None,
        links: ResolverFactory | None = None,
    ) -> T:
        """Raises the errors that `MarkdownJobs` documents."""
        deadline = Deadline("markdown", self._budget.time_s)
        place = [*astuple(source.place)] if source.place else None
        request: Message = [
            kind,
            source.text,
            framework,
            self.first_framework,
            links is not None,
            place,
            self.link_schemes,
        ]
        status = 0
        for _ in range(_TRIES):
            try:
                answer = self._try_once(request, _JobCallbacks(source, links), deadline, linking=links is not None)
            except _ProcessExitedError as ended:
                status = ended.status
            else:
                return _read(read, answer)
            if status in (-signal.SIGXCPU, OUT_OF_MEMORY):
                break
            log.info("markdown process ended", status=status)
        raise self._reason(status)

    def _try_once(self, request: Message, callbacks: _JobCallbacks, deadline: Deadline, *, linking: bool) -> Message:
        """The answer of one process. Raises _ProcessExitedError with its exit status, and the errors of the job."""
        process = self._borrow(deadline, linking=linking)
        try:
            outcome, answer = _converse(process, request, callbacks, deadline)
        except _ProcessExitedError as ended:
            ended.status = process.status()
            if self._closed:
                raise Unavailable("The site is shutting down") from None
            raise
        except _DeadlineExceededError:
            process.kill()
            raise Unavailable("The site is too busy to render this page. Try again in a moment.") from None
        except BaseException:
            process.kill()  # it waits for an answer that the caller failed to produce
            raise
        finally:
            self._give_back(process, linking=linking)
        if isinstance(answer, str):
            raise _failure(outcome, answer)
        return answer

    def _reason(self, status: int) -> OverBudget | Unavailable:
        """The error for a job whose processes exited with this status."""
        if status == -signal.SIGXCPU:
            return OverBudget("markdown", "time", f"it takes more than {self._budget.cpu_s:g} s of CPU time")
        if status < 0 or status == OUT_OF_MEMORY:
            # A signal: the kernel's out-of-memory killer, or a library that aborts when an allocation fails.
            return OverBudget("markdown", "memory", f"it ends the process that formats it (status {status})")
        return Unavailable("This page can't be rendered right now. Try again in a moment.")

    def _borrow(self, deadline: Deadline, *, linking: bool) -> _MarkdownProcess:
        may_grow_s = time.monotonic() + GROW_AFTER_S
        with self._changed:
            while True:
                if self._closed:
                    raise Unavailable("The site is shutting down")
                if not linking or self._linking < self._size:
                    grows = not self._all or time.monotonic() >= may_grow_s
                    process = self._from_idle() or (self._start() if grows and self._may_grow() else None)
                    if process is not None:
                        self._linking += linking
                        return process
                if not deadline.remaining_s:
                    raise Unavailable("The site is too busy to render this page. Try again in a moment.")
                self._changed.wait(min(deadline.remaining_s, GROW_AFTER_S))

    def _from_idle(self) -> _MarkdownProcess | None:
        """The most recently used process, whose memory is warm."""
        while self._idle:
            process = self._idle.pop()
            if not process.has_ended:
                return process
            self._discard(process)
        return None

    def _may_grow(self) -> bool:
        return len(self._all) < self._size + (self._linking >= self._size)

    def _start(self) -> _MarkdownProcess:
        try:
            process = _MarkdownProcess(self._budget, self._idle_s)
        except OSError as failure:
            log.warning("markdown process not started", reason=str(failure))
            raise Unavailable("This page can't be rendered right now. Try again in a moment.") from failure
        self._all.add(process)
        return process

    def _give_back(self, process: _MarkdownProcess, *, linking: bool) -> None:
        with self._changed:
            self._linking -= linking
            if process.is_killed or self._closed:
                self._discard(process)
            else:
                self._idle.append(process)
            self._changed.notify_all()

    def _discard(self, process: _MarkdownProcess) -> None:
        process.close()
        self._all.discard(process)


class _JobCallbacks:
    """Answers the requests of a running job: files and links."""

    def __init__(self, source: MarkdownFile, links: ResolverFactory | None) -> None:
        self._source = source
        self._links = links
        self._resolve: LinkResolver | None = None

    def answer(self, request: Message) -> Message:
        match request:
            case ["read", path]:
                try:
                    return [self._source.read_target(path)]
                except NotFound as missing:
                    return ["", missing.message]
            case ["links", ref_path, hrefs, srcs] if self._links is not None:
                if self._resolve is None:
                    self._resolve = self._links(ref_path)
                resolve = self._resolve
                return [[resolve.link(href) for href in hrefs], [resolve.image(src) for src in srcs]]
        raise _ProcessExitedError  # no other message is valid


def _converse(
    process: _MarkdownProcess, request: Message, callbacks: _JobCallbacks, deadline: Deadline
) -> tuple[str, Message | str]:
    """`done` with the answer, or the reason of a failure with its message."""
    message = process.exchange(request, deadline)
    while True:
        match message:
            case ["done", list(answer)]:
                return "done", answer
            case ["failed", str(reason), str(explanation)]:
                return reason, explanation
        message = process.exchange(callbacks.answer(message), deadline)


def _read(read: Callable[[Message], T], answer: Message) -> T:
    try:
        return read(answer)
    except (TypeError, ValueError) as failure:
        raise _failure("error", f"a process sent an invalid answer: {failure}") from failure


def _failure(reason: str, message: str) -> NotFound | OverBudget:
    if reason == "missing":
        return NotFound(message)
    for limit in _LIMITS:
        if limit == reason:
            return OverBudget("markdown", limit, message)
    # A bug in the renderer. The page is shown as plain text, so that the site keeps working.
    log.error("markdown cannot be formatted", reason=message)
    return OverBudget("markdown", "items", message)


def _close_all(processes: set[_MarkdownProcess]) -> None:
    for process in processes:
        process.close()
