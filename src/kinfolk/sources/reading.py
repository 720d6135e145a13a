"""Reads files of repositories off the event loop: few at once, and none that is larger than its budget.

    content = await reader.read(tree, "docs/picture.png")

A file is refused by its size before it is read. Files up to SMALL have threads of their own, so that they do not wait
behind large ones, of which only so many are read at once as fit into the memory of the budget.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol, TypeVar

from kinfolk.budget import BUDGETS, Kind, OverBudget, time_limit
from kinfolk.errors import Unavailable
from kinfolk.sources.paths import shown

T = TypeVar("T")

SMALL = 1 << 20
"""Bytes of a file that takes no more than some milliseconds to read."""
SMALL_AT_ONCE = 3
LARGE_AT_ONCE = max(1, BUDGETS["file"].memory_bytes // BUDGETS["file"].answer_bytes)


class Files(Protocol):
    """What is read from: a tree, or part of one."""

    def size(self, path: str) -> int:
        """Bytes of a file. Raises SiteError."""

    def read(self, path: str) -> bytes:
        """Raises SiteError."""


class FileReader:
    """For every event loop of the process. Threads start when they are needed."""

    def __init__(self) -> None:
        self._small = ThreadPoolExecutor(SMALL_AT_ONCE, thread_name_prefix="files")
        self._large = ThreadPoolExecutor(LARGE_AT_ONCE, thread_name_prefix="large-files")

    async def read(self, files: Files, path: str, *, kind: Kind = "file") -> bytes:
        """The bytes of a file. Raises OverBudget for one that is larger than answers of this kind.

        Else raises what `files` raises, and Unavailable after `close`.
        """

        def at_once() -> bytes | None:
            check_file(files, path, kind=kind)
            return files.read(path) if files.size(path) <= SMALL else None

        async with time_limit("file"):
            content = await _run(self._small, at_once)
            return content if content is not None else await _run(self._large, lambda: files.read(path))

    def close(self) -> None:
        """Does not block: a read that is under way ends with its thread."""
        self._small.shutdown(wait=False, cancel_futures=True)
        self._large.shutdown(wait=False, cancel_futures=True)


async def _run(threads: ThreadPoolExecutor, work: Callable[[], T]) -> T:
    try:
        job = threads.submit(work)
    except RuntimeError:
        raise Unavailable("The site is shutting down") from None
    return await asyncio.wrap_future(job)


def check_file(files: Files, path: str, *, kind: Kind = "file") -> None:
    """Raises OverBudget for a file that is larger than answers of this kind."""
    most = BUDGETS[kind].answer_bytes
    if files.size(path) > most:
        raise OverBudget(kind, "size", f"The file {shown(path)} is larger than {most} bytes, the most this site sends")
