"""Checks pages in a process of its own, which is killed and restarted when it takes too long or too much memory."""

from __future__ import annotations

import signal
import socket
import subprocess
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path

import structlog
from pydantic import ValidationError

from kinfolk.content.code_checks.check_results import BlockCheck, ExportedSymbol
from kinfolk.content.code_checks.checker.check_messages import EXPORTS, PAGES, IsolateCheck, page_message
from kinfolk.content.code_checks.checker.checker_main import LARGEST_MESSAGE, STARTUP_S
from kinfolk.content.code_checks.page_code import CHECKED_LANGUAGES, PageCode
from kinfolk.content.code_checks.type_set import TypeSet
from kinfolk.content.markdown.processes.messages import Message, MessageReader, encode_message
from kinfolk.runtime.errors import Unavailable
from kinfolk.runtime.services.isolated_process import start_isolated

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

MEMORY_MB = 400
"""Of V8's old space. The process has some 100 MB beside it, and must stay below 600."""
_ABORTS = (-signal.SIGABRT, -signal.SIGTRAP, -signal.SIGILL, -signal.SIGSEGV)
"""Exit statuses of a V8 that has no memory left."""
TIME_S = 60.0
"""Wall-clock seconds of a batch. One of BATCH blocks takes a second of CPU."""
BATCH = 80
"""Blocks that are checked in one program."""
MOST_OPENS = 6
"""Sets of types that one process opens, one after the other: what V8 keeps of former ones grows."""
LIMITS = {"time": "takes too long to check", "memory": "takes too much memory to check"}
"""The limits that a page may exceed, as the process names them, and in words."""
_MAIN = "kinfolk.content.code_checks.checker.checker_main"


@dataclass(frozen=True)
class SelectedPage:
    """A page, and whether each of its blocks is to be checked."""

    page: PageCode
    selected: tuple[bool, ...]


class CheckFailed(Exception):
    """The process could not do what it was sent. The message says why, for the log."""


class _CheckProcess:
    """One process. For one thread at a time; `kill` for any."""

    def __init__(self, bundle: Path, types: Path, *, memory_mb: int, time_s: float) -> None:
        self._socket, theirs = socket.socketpair()
        # The process ends a batch itself; the socket's limit is for one that hangs.
        self._socket.settimeout(time_s + STARTUP_S)
        self._reader = MessageReader(self._socket.recv_into, LARGEST_MESSAGE)
        arguments = (str(bundle), str(types), str(memory_mb << 20), str(time_s))
        with theirs:
            self._process = start_isolated(_MAIN, *arguments, stdin=theirs)

    @property
    def pid(self) -> int:
        return self._process.pid

    def request(self, message: Message) -> str:
        """The answer of the process. Raises CheckFailed; then only `close` may be called."""
        try:
            self._socket.sendall(encode_message(message))
            answer = self._reader.read()
        except (OSError, ValueError) as failure:
            status = self._status()
            if status in _ABORTS:
                raise CheckFailed("memory") from failure
            raise CheckFailed(f"the process ended with {status}: {failure or type(failure).__name__}") from failure
        match answer:
            case ["done", str(text)]:
                return text
            case ["failed", str(reason)]:
                raise CheckFailed(reason)
        raise CheckFailed("the process sent an answer of another form")

    def _status(self) -> int | None:
        """The exit status of a process that is ending."""
        with suppress(subprocess.TimeoutExpired):
            return self._process.wait(1)
        return None

    def kill(self) -> None:
        self._process.kill()

    def close(self) -> None:
        self.kill()
        self._process.wait()
        self._socket.close()


class CodeChecker:
    """Checks code with the types of one TypeSet after the other. `bundle` and `types` are of the frontend's build.

    For one thread at a time; `close` for any. The process starts with the first call.
    """

    def __init__(self, bundle: Path, types: Path, *, memory_mb: int = MEMORY_MB, time_s: float = TIME_S) -> None:
        self._bundle = bundle
        self._types = types
        self._memory_mb = memory_mb
        self._time_s = time_s
        self._lock = threading.Lock()
        self._process: _CheckProcess | None = None
        self._opened: str | None = None
        self._opens = 0
        self._closed = False

    @cached_property
    def version(self) -> str:
        """Changes with the checker."""
        return sha256(self._bundle.read_bytes()).hexdigest()[:16]

    def check(
        self,
        types: TypeSet,
        pages: Sequence[SelectedPage],
        *,
        on_page: Callable[[], None] = lambda: None,
    ) -> list[IsolateCheck]:
        """The checks of the pages, in their order. `on_page` is called after each.

        A page on which the process fails has blocks that are not checkable. Raises Unavailable after `close`.
        """
        checked: list[IsolateCheck] = []
        for batch in _batches(pages):
            for one in self._check_batch(types, batch):
                checked.append(one)
                on_page()
        return checked

    def exports(self, types: TypeSet) -> list[ExportedSymbol]:
        """The exports of the library's packages. Raises CheckFailed, and Unavailable after `close`."""
        message: Message = ["exports", list(types.own)]
        try:
            answer = self._request(types, message)
        except CheckFailed:
            answer = self._request(types, message)  # in a process that holds nothing else
        try:
            return EXPORTS.validate_json(answer)
        except ValidationError as wrong:
            raise CheckFailed("the process sent symbols of another form") from wrong

    @property
    def pid(self) -> int | None:
        """The process id, if a process runs."""
        process = self._process
        return process.pid if process else None

    def release(self) -> None:
        """End the process, which keeps some hundred MB. A later call starts another."""
        with self._lock:
            process, self._process, self._opened = self._process, None, None
        if process is not None:
            process.close()

    def close(self) -> None:
        """End the process. A running and later calls raise Unavailable."""
        self._closed = True
        self.release()

    def _check_batch(self, types: TypeSet, batch: Sequence[SelectedPage]) -> list[IsolateCheck]:
        try:
            return self._try_batch(types, batch)
        except CheckFailed as failure:
            if len(batch) > 1:
                return [one for page in batch for one in self._check_batch(types, [page])]
            if str(failure) not in LIMITS:
                # The process may have been killed from outside.
                with suppress(CheckFailed):
                    return self._try_batch(types, batch)
            log.warning("code is not checked", page=batch[0].page.path, reason=str(failure))
            return [_unchecked(batch[0], str(failure))]

    def _try_batch(self, types: TypeSet, batch: Sequence[SelectedPage]) -> list[IsolateCheck]:
        """Raises CheckFailed, and Unavailable after `close`."""
        message: Message = ["check", [page_message(one.page, one.selected) for one in batch]]
        return _read(self._request(types, message), batch)

    def _request(self, types: TypeSet, message: Message) -> str:
        """The answer of a process that has opened these types. Raises CheckFailed and Unavailable."""
        try:
            process = self._opened_process(types)
            return process.request(message)
        except CheckFailed:
            self.release()
            if self._closed:
                raise Unavailable("The site is shutting down") from None
            raise

    def _opened_process(self, types: TypeSet) -> _CheckProcess:
        key = f"{types.digest} {types.framework}"
        if self._opened != key and self._opens >= MOST_OPENS:
            self.release()
        with self._lock:
            if self._closed:
                raise Unavailable("The site is shutting down")
            if self._process is None:
                self._opens = 0
                self._process = _CheckProcess(self._bundle, self._types, memory_mb=self._memory_mb, time_s=self._time_s)
            process = self._process
        if self._opened != key:
            packages = [[one.folder, str(one.file)] for one in types.packages]
            process.request(["open", types.framework, list(types.own), packages])
            self._opened = key
            self._opens += 1
        return process


def _batches(pages: Sequence[SelectedPage]) -> list[list[SelectedPage]]:
    batches: list[list[SelectedPage]] = []
    blocks = BATCH
    for page in pages:
        count = sum(page.selected)
        if blocks + count > BATCH:
            batches.append([])
            blocks = 0
        batches[-1].append(page)
        blocks += count
    return batches


def _read(answer: str, batch: Sequence[SelectedPage]) -> list[IsolateCheck]:
    """Raises CheckFailed for an answer that is not of these pages."""
    try:
        found = PAGES.validate_json(answer)
    except ValidationError as wrong:
        raise CheckFailed("the process sent a check of another form") from wrong
    counts = [len(page.blocks) for page in found]
    if counts != [len(one.page.blocks) for one in batch]:
        raise CheckFailed("the process sent checks of other pages")
    return found


def _unchecked(one: SelectedPage, failure: str) -> IsolateCheck:
    block = BlockCheck("not_checkable", LIMITS.get(failure, "cannot be checked"))
    blocks = (
        block if selected and code.language in CHECKED_LANGUAGES else None
        for code, selected in zip(one.page.blocks, one.selected, strict=True)
    )
    return IsolateCheck(tuple(blocks), ())


def open_code_checker(frontend: Path) -> CodeChecker | None:
    """None if the bundle is not built."""
    bundle, types = frontend / "ssr" / "code-check.js", frontend / "ssr" / "code-check-types.json"
    with suppress(OSError):
        if bundle.is_file() and types.is_file():
            return CodeChecker(bundle, types)
    return None
