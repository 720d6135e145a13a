"""Markdown jobs in processes that can be ended, so that no text can stop the site or take its memory.

    pool = MarkdownPool()
    page = pool.page(Source(name, text, read_target), links=links_of)
    pool.close()

A process has a limit of CPU time and memory per job, kept by the kernel, and of wall-clock time, kept here. CPU time
decides: it does not depend on other load. Processes start when they are needed and end when they are not.
"""

from __future__ import annotations

import contextlib
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar, get_args

import structlog

import kinfolk
from kinfolk.budget import BUDGETS, Budget, Deadline, Limit, OverBudget
from kinfolk.errors import NotFound, Unavailable
from kinfolk.markdown.jobs import About, LinksOf, Source
from kinfolk.markdown.page import Page, Resolve
from kinfolk.markdown.plain import Wording
from kinfolk.markdown.wire import (
    OUT_OF_MEMORY,
    Message,
    Reader,
    about_of,
    anchors_of,
    packed,
    page_of,
    wording_of,
)

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

IDLE_S = 60.0
GROW_AFTER_S = 0.05
"""How long a job waits for a process that others use before one more is started, which takes longer."""
_TRIES = 3
"""Processes that one job may be given: the first may just be ending, the second may be ended from outside."""
_TIME = struct.Struct("@ll")
"""Seconds and microseconds, as the kernel takes them."""
_ROOT = str(Path(kinfolk.__file__).parents[1])
_LIMITS: tuple[Limit, ...] = get_args(Limit)

T = TypeVar("T")


class _EndedError(Exception):
    """The process ended before it answered, or sent what is no message."""

    status = 0


class _LateError(Exception):
    """The process did not answer before the deadline."""


class _Process:
    """One process, used by one thread at a time."""

    def __init__(self, budget: Budget, idle_s: float) -> None:
        self.is_killed = False
        limits = (budget.memory_bytes, budget.cpu_s, budget.answer_bytes)
        self._socket, theirs = socket.socketpair()
        self._reader = Reader(self._socket.recv_into, budget.answer_bytes)
        # By the kernel: a timeout of Python's would take two more system calls for each message.
        for end, time_s in ((self._socket, budget.time_s), (theirs, idle_s)):
            for option in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
                end.setsockopt(socket.SOL_SOCKET, option, _TIME.pack(int(time_s), int(time_s % 1 * 1e6)))
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603 - our own command
                # -P: nothing is imported from the folder that the site happens to run in.
                [sys.executable, "-P", "-m", "kinfolk.markdown.worker", *map(str, limits)],
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                # None of our settings: some are secret.
                env={"PYTHONPATH": _ROOT},
                # Ctrl-C in a terminal is for the site, which ends its processes itself.
                start_new_session=True,
            )

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def has_ended(self) -> bool:
        return self._process.poll() is not None

    def kill(self) -> None:
        """End it now. From any thread."""
        self.is_killed = True
        self._process.kill()

    def close(self) -> None:
        """End it now, and leave nothing of it. From the thread that uses it."""
        self.kill()
        self._process.wait()
        self._socket.close()

    def status(self) -> int:
        """The exit status of a process that is ending; negative for a signal."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        self.kill()
        return self._process.wait()

    def exchange(self, message: Message, deadline: Deadline) -> Message:
        """Send a message and wait for the next one. Raises _EndedError or _LateError.

        The last message before the deadline may take as long again.
        """
        if not deadline.remaining_s:
            raise _LateError
        try:
            self._socket.sendall(packed(message))
            return self._reader.read()
        except BlockingIOError:
            raise _LateError from None
        except (OSError, ValueError) as failure:
            raise _EndedError from failure


class MarkdownPool:
    """Does the jobs of several threads at once in up to `size` processes. Starts none before the first job.

    Finding out where a page's links lead can need the anchors of another page. So there is one process more while
    all `size` of them wait for links.
    """

    def __init__(self, *, size: int = 2, budget: Budget = BUDGETS["markdown"], idle_s: float = IDLE_S) -> None:
        self._size = size
        self._budget = budget
        self._idle_s = idle_s
        self._turn = threading.Condition()
        self._idle: list[_Process] = []
        self._all: set[_Process] = set()
        self._linking = 0
        self._closed = False
        # Ends the processes of a pool that is closed by nothing but the end of the program.
        self._finalizer = weakref.finalize(self, _close_all, self._all)

    def page(self, source: Source, *, links: LinksOf | None = None, framework: str | None = None) -> Page:
        return self._do("page", page_of, source, framework, links)

    def wording(self, source: Source, *, framework: str | None = None) -> Wording:
        return self._do("wording", wording_of, source, framework)

    def anchors(self, source: Source) -> frozenset[str]:
        return self._do("anchors", anchors_of, source)

    def about(self, source: Source) -> About:
        return self._do("about", about_of, source)

    @property
    def pids(self) -> list[int]:
        """Of the processes that are alive."""
        with self._turn:
            return [process.pid for process in self._all if not process.has_ended]

    def close(self) -> None:
        """End all processes at once. Jobs that are under way, and later ones, raise Unavailable."""
        with self._turn:
            self._closed = True
            for process in self._all:
                process.kill()
            while self._idle:
                self._discard(self._idle.pop())
            self._turn.notify_all()

    def _do(
        self,
        kind: str,
        read: Callable[[Message], T],
        source: Source,
        framework: str | None = None,
        links: LinksOf | None = None,
    ) -> T:
        """Raises what the protocol `Jobs` names."""
        deadline = Deadline("markdown", self._budget.time_s)
        request: Message = [kind, source.text, framework, links is not None]
        status = 0
        for _ in range(_TRIES):
            try:
                answer = self._once(request, _Answers(source, links), deadline, linking=links is not None)
            except _EndedError as ended:
                status = ended.status
            else:
                return _read(read, answer)
            if status in (-signal.SIGXCPU, OUT_OF_MEMORY):
                break
            log.info("markdown process ended", status=status)
        raise self._reason(status)

    def _once(self, request: Message, answers: _Answers, deadline: Deadline, *, linking: bool) -> Message:
        """The answer of one process. Raises _EndedError with its exit status, and what the job raises."""
        process = self._borrow(deadline, linking=linking)
        try:
            outcome, answer = _talk(process, request, answers, deadline)
        except _EndedError as ended:
            ended.status = process.status()
            if self._closed:
                raise Unavailable("The site is shutting down") from None
            raise
        except _LateError:
            process.kill()
            raise Unavailable("The site is too busy to format this page now") from None
        except BaseException:
            process.kill()  # it waits for what the caller cannot give
            raise
        finally:
            self._give_back(process, linking=linking)
        if isinstance(answer, str):
            raise _failure(outcome, answer)
        return answer

    def _reason(self, status: int) -> OverBudget | Unavailable:
        """Why a process that was given to a job, and those after it, ended with this status."""
        if status == -signal.SIGXCPU:
            return OverBudget("markdown", "time", f"it takes more than {self._budget.cpu_s:g} s of CPU time")
        if status < 0 or status == OUT_OF_MEMORY:
            # By a signal: the kernel's out-of-memory killer, or a library that aborts when it gets no more.
            return OverBudget("markdown", "memory", f"it ends the process that formats it (status {status})")
        return Unavailable("Markdown cannot be formatted now")

    def _borrow(self, deadline: Deadline, *, linking: bool) -> _Process:
        may_grow_s = time.monotonic() + GROW_AFTER_S
        with self._turn:
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
                    raise Unavailable("The site is too busy to format this page now")
                self._turn.wait(min(deadline.remaining_s, GROW_AFTER_S))

    def _from_idle(self) -> _Process | None:
        """The process that was used last: its memory is warm."""
        while self._idle:
            process = self._idle.pop()
            if not process.has_ended:
                return process
            self._discard(process)
        return None

    def _may_grow(self) -> bool:
        return len(self._all) < self._size + (self._linking >= self._size)

    def _start(self) -> _Process:
        try:
            process = _Process(self._budget, self._idle_s)
        except OSError as failure:
            log.warning("markdown process not started", reason=str(failure))
            raise Unavailable("Markdown cannot be formatted now") from failure
        self._all.add(process)
        return process

    def _give_back(self, process: _Process, *, linking: bool) -> None:
        with self._turn:
            self._linking -= linking
            if process.is_killed or self._closed:
                self._discard(process)
            else:
                self._idle.append(process)
            self._turn.notify_all()

    def _discard(self, process: _Process) -> None:
        process.close()
        self._all.discard(process)


class _Answers:
    """What a job asks for while it runs."""

    def __init__(self, source: Source, links: LinksOf | None) -> None:
        self._source = source
        self._links = links
        self._resolve: Resolve | None = None

    def to(self, question: Message) -> Message:
        match question:
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
        raise _EndedError  # it sends nothing else


def _talk(process: _Process, request: Message, answers: _Answers, deadline: Deadline) -> tuple[str, Message | str]:
    """`done` with the answer, or why there is none, with a sentence."""
    message = process.exchange(request, deadline)
    while True:
        match message:
            case ["done", list(answer)]:
                return "done", answer
            case ["failed", str(reason), str(sentence)]:
                return reason, sentence
        message = process.exchange(answers.to(message), deadline)


def _read(read: Callable[[Message], T], answer: Message) -> T:
    try:
        return read(answer)
    except (TypeError, ValueError) as failure:
        raise _failure("error", f"a process sent what is no answer: {failure}") from failure


def _failure(reason: str, sentence: str) -> NotFound | OverBudget:
    if reason == "missing":
        return NotFound(sentence)
    for limit in _LIMITS:
        if limit == reason:
            return OverBudget("markdown", limit, sentence)
    # A fault of ours, which must not stop anything either.
    log.error("markdown cannot be formatted", reason=sentence)
    return OverBudget("markdown", "items", sentence)


def _close_all(processes: set[_Process]) -> None:
    for process in processes:
        process.close()
