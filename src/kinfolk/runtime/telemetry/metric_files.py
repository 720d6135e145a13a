"""The files of metrics, whose blocks are allocated before they are mapped.

`prometheus_client` maps files with holes into memory. The kernel kills a process (SIGBUS) that writes into a hole while
the disk is full, and the process that replaces it, too. Without room on the disk, values stay in memory: they are not
part of scrapes until the next file is opened.
"""

from __future__ import annotations

import mmap
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from prometheus_client.mmap_dict import MmapedDict

INITIAL_BYTES = 1 << 16
"""Size of a new file, as in `prometheus_client`."""
_BYTES_OF_VALUE = 40
"""At most, besides the key: its length and padding, the value and its time."""


class AllocatedDict(MmapedDict):
    """Values by key, in a file or in memory."""

    def __init__(self, filename: str, read_mode: bool = False) -> None:
        if read_mode or _created(filename):
            self._open(filename, read_mode)
        else:
            self._open_in_memory(b"")

    def _init_value(self, key: str) -> None:
        if self._used + len(key.encode()) + _BYTES_OF_VALUE > self._capacity:
            self._grow(2 * self._capacity)
        base: Any = super()
        base._init_value(key)  # noqa: SLF001 - of the base class

    def _grow(self, size: int) -> None:
        # By descriptor: the name of a file in memory may be that of another file by now.
        if _allocated(self._f.fileno(), size):
            self._capacity = size
            self._m = mmap.mmap(self._f.fileno(), size)
            return
        content = bytes(self._m)
        base: Any = super()
        base.close()
        self._open_in_memory(content.ljust(size, b"\0"))

    def _open(self, filename: str, read_mode: bool) -> None:
        base: Any = super()
        base.__init__(filename, read_mode)

    def _open_in_memory(self, content: bytes) -> None:
        descriptor = os.memfd_create("metrics")
        try:
            os.write(descriptor, content)
            self._open(f"/proc/self/fd/{descriptor}", read_mode=False)
        finally:
            os.close(descriptor)


def _created(filename: str) -> bool:
    """Whether a file has INITIAL_BYTES at least, without holes. Creates it."""
    path = Path(filename)
    try:
        with path.open("a+b") as file:
            if _allocated(file.fileno(), INITIAL_BYTES):
                return True
    except OSError:
        return False
    with suppress(OSError):
        if path.stat().st_size == 0:
            # A scrape cannot read an empty file.
            path.unlink()
    return False


def _allocated(descriptor: int, size: int) -> bool:
    """Whether the system has given an open file this size, without holes. True where no system call does that."""
    if not hasattr(os, "posix_fallocate"):
        return True
    try:
        os.posix_fallocate(descriptor, 0, size)
    except OSError:
        return False
    return True
