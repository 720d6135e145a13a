"""The standard error of a worker as entries of the log: messages of C and Rust libraries, and of its processes."""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from multiprocessing.connection import Connection

import structlog

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

_MAX_LINE_BYTES = 4000
_PIPE_BYTES = 1 << 16


class WorkerStderr:
    """Logs the standard error of a worker line by line."""

    def __init__(self, pipe: Connection, pid: int | None) -> None:
        self.pipe = pipe
        self._pid = pid
        self._rest = b""
        os.set_blocking(pipe.fileno(), False)

    def read(self) -> None:
        """Log the lines that have arrived, at most one pipe buffer. Does not block."""
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
        if len(self._rest) > _MAX_LINE_BYTES:
            self._log(self._rest)
            self._rest = b""

    def close(self) -> None:
        """Log the remaining bytes, also an incomplete line."""
        self.read()
        self._log(self._rest)
        self.pipe.close()

    def _log(self, line: bytes) -> None:
        if _is_entry(line):
            # A process that the worker has started logs in the format of the log.
            with suppress(OSError):
                sys.stderr.write(f"{line.decode()}\n")
        elif line.strip():
            log.error("worker wrote", pid=self._pid, line=line[:_MAX_LINE_BYTES].decode(errors="replace"))


def _is_entry(line: bytes) -> bool:
    """Whether this is an entry of a JSON log."""
    try:
        entry = json.loads(line) if line.startswith(b"{") else None
    except (ValueError, RecursionError):
        return False
    return isinstance(entry, dict) and {"event", "level"} <= entry.keys()
