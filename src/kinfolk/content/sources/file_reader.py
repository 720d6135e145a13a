"""Reads files of repositories outside of the event loop, with limits on file size and on concurrent reads.

    content = await reader.read(tree, "docs/picture.png")

The size of a file is checked before it is read. Files up to SMALL have separate threads, so that they do not wait for
large files. The number of concurrent reads of large files is limited by the memory of the budget.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol, TypeVar

from kinfolk.content.sources.paths import quoted_path
from kinfolk.runtime.budget import BUDGETS, Kind, OverBudget, time_limit
from kinfolk.runtime.errors import Unavailable
from kinfolk.runtime.services.lifecycle import Service

T = TypeVar("T")

SMALL = 1 << 20
"""Bytes. Reading a file up to this size takes a few milliseconds."""
SMALL_AT_ONCE = 3
LARGE_AT_ONCE = max(1, BUDGETS["file"].memory_bytes // BUDGETS["file"].answer_bytes)


class ReadableFiles(Protocol):
    """A tree, or a part of one."""

    def size(self, path: str) -> int:
        """Bytes of a file. Raises SiteError."""

    def read(self, path: str) -> bytes:
        """Raises SiteError."""


class FileReader(Service):
    """Shared by all event loops of the process. Threads start at the first read."""

    def __init__(self) -> None:
        self._small = ThreadPoolExecutor(SMALL_AT_ONCE, thread_name_prefix="files")
        self._large = ThreadPoolExecutor(LARGE_AT_ONCE, thread_name_prefix="large-files")

    async def read(self, files: ReadableFiles, path: str, *, kind: Kind = "file") -> bytes:
        """The bytes of a file. Raises OverBudget for a file that is larger than responses of this kind may be.

        Also raises what `files` raises, and Unavailable after `close`.
        """

        def read_small() -> bytes | None:
            check_file_size(files, path, kind=kind)
            return files.read(path) if files.size(path) <= SMALL else None

        async with time_limit("file"):
            content = await _run(self._small, read_small)
            return content if content is not None else await _run(self._large, lambda: files.read(path))

    def close(self) -> None:
        """Does not block: a running read continues in its thread."""
        self._small.shutdown(wait=False, cancel_futures=True)
        self._large.shutdown(wait=False, cancel_futures=True)


async def _run(threads: ThreadPoolExecutor, work: Callable[[], T]) -> T:
    try:
        job = threads.submit(work)
    except RuntimeError:
        raise Unavailable("The site is shutting down") from None
    return await asyncio.wrap_future(job)


def check_file_size(files: ReadableFiles, path: str, *, kind: Kind = "file") -> None:
    """Raises OverBudget for a file that is larger than responses of this kind may be."""
    most = BUDGETS[kind].answer_bytes
    if files.size(path) > most:
        raise OverBudget(
            kind, "size", f"The file {quoted_path(path)} is larger than {most} bytes, the most this site sends"
        )
