"""Building in a process of its own: making records takes all of Python's attention for seconds, which readers need."""

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

from kinfolk.errors import Unavailable

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

KINDNESS = 15
"""How far a background build steps back for everything else on the machine."""
STALLED_S = 900.0
"""Seconds without progress after which a build is killed. Waiting for the build of another process is no progress."""
_LAST_WORDS = 500
_DEATH_S = 5.0
"""For what was killed to be gone; only a disk that does not answer takes as long."""
_POLL_S = 0.2


class BuildApart:
    """Runs `kinfolk index` with these settings in its environment, in a process group of its own.

    The child writes a line for each group of pages that it has made. It ends when its standard input does, which is a
    pipe from this process: so it does not outlive a parent that was killed.
    """

    def __init__(self, environment: Mapping[str, str], *, stalled_s: float = STALLED_S) -> None:
        """`environment` is all of it: what a process needs, and our settings."""
        self._environment = environment
        self._stalled_s = stalled_s
        self._turn = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._stopped = False

    def build(self) -> None:
        command = [sys.executable, "-m", "kinfolk", "index", "--background", "--supervised"]
        with self._turn:
            if self._stopped:
                raise Unavailable("The search index is not built any more")
            self._process = process = subprocess.Popen(  # noqa: S603 - our own command
                command,
                env=dict(self._environment),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        try:
            stalled, said = self._listen(process)
        finally:
            self._end(process)
        if self._stopped:
            raise Unavailable("The search index is not built any more")
        if stalled:
            raise Unavailable(f"building it made no progress within {self._stalled_s:g} s")
        if process.returncode != 0:
            raise Unavailable(f"building it ended with {process.returncode}: {said}")

    def stop(self) -> None:
        with self._turn:
            self._stopped = True
            if self._process is not None:
                _kill(self._process)

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        """Nothing of the process group is left afterwards."""
        _kill(process)
        gone = _has_ended(process, _DEATH_S)
        with self._turn:
            self._process = None
            if gone:
                process.wait()
            else:
                log.warning("index build still running", pid=process.pid)
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()

    def _listen(self, process: subprocess.Popen[bytes]) -> tuple[bool, str]:
        """Whether it stalled, and the last words of what it wrote to its standard error."""
        said: deque[bytes] = deque(maxlen=64)
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
                        said.append(chunk)
                    else:
                        until_s = time.monotonic() + self._stalled_s
        _has_ended(process, 0 if self._stopped else _DEATH_S)
        return False, b"".join(said).decode(errors="replace").strip()[-_LAST_WORDS:]


def end_with_parent() -> None:
    """In the child: kill the process group when the standard input ends, which the parent holds open."""

    def watch() -> None:
        with contextlib.suppress(OSError):
            while os.read(0, 1):
                pass
        os.killpg(0, signal.SIGKILL)

    threading.Thread(target=watch, name="parent watch", daemon=True).start()


def _has_ended(process: subprocess.Popen[bytes], within_s: float) -> bool:
    """Whether it has. It stays a zombie until `wait`, so that its number goes on meaning its process group."""
    until_s = time.monotonic() + within_s
    while os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is None:
        if time.monotonic() >= until_s:
            return False
        time.sleep(0.01)
    return True


def _kill(process: subprocess.Popen[bytes]) -> None:
    """The whole group. Not once it was waited for: the number may be another one's by then."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
