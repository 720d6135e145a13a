"""Builds the index in a child process of low priority: building holds the GIL for seconds."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Mapping
from typing import IO, cast

import structlog

from kinfolk.runtime.errors import Unavailable

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

NICENESS = 15
"""`os.nice` increment of a background build."""
STALLED_S = 900.0
"""Seconds without progress after which a build is killed, including the time that it waits for another build."""
_MAX_STDERR_LENGTH = 500
_EXIT_S = 5.0
"""Limit for a killed process to end; only a blocked disk takes longer."""
_POLL_S = 0.2


class SubprocessBuilder:
    """Runs `kinfolk index` in its own process group.

    The child writes a byte for each group of pages. It ends at the end of its standard input, a pipe from this process:
    it does not outlive a killed parent.
    """

    def __init__(self, environment: Mapping[str, str], *, stalled_s: float = STALLED_S) -> None:
        """`environment` is the complete environment of the child, including the settings."""
        self._environment = environment
        self._stalled_s = stalled_s
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._stopped = False

    def build(self) -> None:
        command = [sys.executable, "-m", "kinfolk", "index", "--background", "--supervised"]
        with self._lock:
            if self._stopped:
                raise Unavailable("The search index is not built any more")
            self._process = process = subprocess.Popen(  # noqa: S603 - a fixed command
                command,
                env=dict(self._environment),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        try:
            stalled, stderr = self._read_progress(process)
        finally:
            self._end(process)
        if self._stopped:
            raise Unavailable("The search index is not built any more")
        if stalled:
            raise Unavailable(f"building it made no progress within {self._stalled_s:g} s")
        if process.returncode != 0:
            raise Unavailable(f"building it ended with {process.returncode}: {stderr}")

    def stop(self) -> None:
        with self._lock:
            self._stopped = True
            if self._process is not None:
                _kill(self._process)

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        """Kill the process group."""
        _kill(process)
        gone = _has_ended(process, _EXIT_S)
        with self._lock:
            self._process = None
            if gone:
                process.wait()
            else:
                log.warning("index build still running", pid=process.pid)
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()

    def _read_progress(self, process: subprocess.Popen[bytes]) -> tuple[bool, str]:
        """Whether the build stalled, and the end of its standard error."""
        stderr: deque[bytes] = deque(maxlen=64)
        until_s = time.monotonic() + self._stalled_s
        with selectors.DefaultSelector() as selector:
            for stream in (process.stdout, process.stderr):
                selector.register(cast(IO[bytes], stream), selectors.EVENT_READ)  # both are pipes, see build()
            while selector.get_map() and not self._stopped:
                if time.monotonic() >= until_s:
                    return True, ""
                for key, _ in selector.select(_POLL_S):
                    chunk = os.read(key.fd, 65536)
                    if not chunk:
                        selector.unregister(key.fileobj)
                    elif key.fileobj is process.stderr:
                        stderr.append(chunk)
                    else:
                        until_s = time.monotonic() + self._stalled_s
        _has_ended(process, 0 if self._stopped else _EXIT_S)
        return False, b"".join(stderr).decode(errors="replace").strip()[-_MAX_STDERR_LENGTH:]


def end_with_parent() -> None:
    """In the child: kill its process group when the parent's end of the standard input is closed."""

    def watch() -> None:
        with contextlib.suppress(OSError):
            while os.read(0, 1):
                pass
        os.killpg(0, signal.SIGKILL)

    threading.Thread(target=watch, name="parent watch", daemon=True).start()


def _has_ended(process: subprocess.Popen[bytes], within_s: float) -> bool:
    """Does not reap the process: until `wait` its pid cannot be reused for another process group."""
    until_s = time.monotonic() + within_s
    while os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is None:
        if time.monotonic() >= until_s:
            return False
        time.sleep(0.01)
    return True


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill the process group, unless the process was reaped: its pid may be reused."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
