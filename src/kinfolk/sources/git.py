"""Runs the git binary where nobody sits at a keyboard: no prompts, no foreign settings, a deadline.

Every command runs under a few lines of shell in a process group of its own. The shell watches a pipe from this
process, so that even a SIGKILL here takes git down with it: an orphan could otherwise go on writing to a
repository that the next sync believes to be its own.
"""

from __future__ import annotations

import os
import re
import selectors
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, cast

import structlog

from kinfolk.errors import Unavailable

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

# "$@" is the command. `wait "$guard"` leaves no zombie to a container's first process. What git inherits from a
# hook or a shell that stands in another repository is unset; the rest (proxies, certificates) stays.
_SHELL = """
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES \
  GIT_COMMON_DIR GIT_NAMESPACE GIT_CONFIG GIT_CONFIG_PARAMETERS GIT_CONFIG_COUNT GIT_SHALLOW_FILE GIT_PREFIX \
  GIT_GRAFT_FILE GIT_TRACE GIT_QUARANTINE_PATH
export LC_ALL=C GIT_TERMINAL_PROMPT=0 GIT_ASKPASS=true SSH_ASKPASS=true GIT_CONFIG_NOSYSTEM=1 \
  GIT_CONFIG_GLOBAL=/dev/null GIT_ALLOW_PROTOCOL=https:http:ssh:git:file \
  GIT_SSH_COMMAND='ssh -o BatchMode=yes -o ConnectTimeout=15'
exec 3<&0
"$@" </dev/null 3<&- &
work=$!
{ read -r _ <&3; kill -KILL 0; } >/dev/null 2>&1 &
guard=$!
exec 3<&-
wait "$work"; status=$?
kill -KILL "$guard" 2>/dev/null; wait "$guard" 2>/dev/null
exit "$status"
"""

_SETTINGS = (
    "credential.helper=",
    "core.hooksPath=/dev/null",
    "core.fsync=all",
    "gc.auto=0",
    "maintenance.auto=false",
    # Unchecked objects from outside never reach a reader.
    "fetch.fsckObjects=true",
    # One small pack for each fetch instead of thousands of loose files; `tidy` makes one of them all.
    "fetch.unpackLimit=1",
    "http.lowSpeedLimit=1",
    "http.lowSpeedTime=30",
    "pack.threads=1",
    "repack.writeBitmaps=false",
)

_PROGRESS = re.compile(r"(?:remote: )?([A-Z][a-z]+ [a-z]+): +(\d+)%")
# Counting, and advice to somebody at the keyboard: no part of a reason.
_CHATTER = (
    "From ",
    "* ",
    "hint:",
    "remote: Enumerating",
    "remote: Total",
    "Please make sure",
    "and the repository",
)
_LAST_LINES = 3
# For what was killed to be gone; only a disk that does not answer takes as long.
_DEATH_S = 30


class GitFailed(Unavailable):
    """A git command that failed; the message holds the last lines git said."""


class GitInterrupted(GitFailed):
    """It was stopped or took too long, which tells nothing of the repository."""


class Git:
    """Runs git commands on behalf of one sync. `lock` is a descriptor that each child inherits.

    An inherited `flock` is held until the last child is gone, so nobody else starts while one still writes.
    """

    def __init__(self, lock: int, *, stopping: threading.Event, clock: Callable[[], float] = time.monotonic) -> None:
        self._lock = lock
        self._stopping = stopping
        self._clock = clock

    def run(
        self,
        *arguments: str | Path,
        timeout_s: float,
        on_progress: Callable[[str, int], None] | None = None,
        output: IO[bytes] | None = None,
        unless: str | None = None,
    ) -> None:
        """Raises GitFailed, and at once when git says `unless`. `on_progress` gets git's own phase and percentage.

        `output` is a real file, for git writes to it by itself.
        """
        settings = [part for setting in _SETTINGS for part in ("-c", setting)]
        command = ["/bin/sh", "-c", _SHELL, "sh", "git", *settings, *map(str, arguments)]
        deadline = self._clock() + timeout_s
        alive, held = os.pipe()
        try:
            process = subprocess.Popen(  # noqa: S603 - no shell reads the arguments, and paths.py vouches for names
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL if output is None else output,
                stderr=subprocess.PIPE,
                start_new_session=True,
                pass_fds=(self._lock, held),
            )
        except OSError as error:
            os.close(alive)
            raise GitFailed(f"git could not be started: {error}") from error
        finally:
            os.close(held)
        said = _Said(on_progress, unless)
        try:
            ended = self._listen(process, said, deadline)
        finally:
            # Whatever ended the listening: the group must be gone before anybody touches the repository.
            _end(process, alive)
        if not ended:
            reason = "the sync was stopped" if self._stopping.is_set() else f"no answer within {timeout_s:g} s"
            raise GitInterrupted(reason)
        if process.returncode != 0:
            raise GitFailed(said.reason() or f"git ended with status {process.returncode}")

    def _listen(self, process: subprocess.Popen[bytes], said: _Said, deadline: float) -> bool:
        """Whether git came to an end by itself."""
        stderr = cast(IO[bytes], process.stderr)  # It is a pipe, see run().
        with selectors.DefaultSelector() as selector:
            selector.register(stderr, selectors.EVENT_READ)
            while (left := deadline - self._clock()) > 0 and not self._stopping.is_set():
                if not selector.select(min(left, 0.2)):
                    continue
                chunk = os.read(stderr.fileno(), 65536)
                if not chunk:
                    break
                said.hear(chunk)
            else:
                return False
        try:
            process.wait(max(deadline - self._clock(), 1))
        except subprocess.TimeoutExpired:
            return False
        return True


class _Said:
    """Git's words on stderr, cut into lines and progress."""

    def __init__(self, on_progress: Callable[[str, int], None] | None, unless: str | None) -> None:
        self._on_progress = on_progress
        self._unless = unless
        self._rest = b""
        self._lines: deque[str] = deque(maxlen=_LAST_LINES)
        self._last: tuple[str, int] | None = None

    def hear(self, chunk: bytes) -> None:
        *lines, self._rest = re.split(rb"[\r\n]", self._rest + chunk)
        for line in lines:
            self._line(line.decode(errors="replace").strip(" \t\0"))

    def _line(self, line: str) -> None:
        if self._unless is not None and self._unless in line:
            raise GitFailed(line)
        if counted := _PROGRESS.match(line):
            now = counted[1], int(counted[2])
            if self._on_progress is not None and now != self._last:
                self._on_progress(*now)
            self._last = now
        elif line and not line.startswith(_CHATTER) and line not in self._lines:
            self._lines.append(line)

    def reason(self) -> str:
        """Why git failed, in its own last words."""
        self.hear(b"\n")
        return "; ".join(self._lines)


def _end(process: subprocess.Popen[bytes], alive: int) -> None:
    """Kill what is left of the process group. `alive` is a pipe that each member holds open until it is gone."""
    if process.poll() is None:
        _kill(process)
    process.wait()
    if not _is_closed(alive, 0):
        _kill(process)
        if not _is_closed(alive, _DEATH_S):
            log.warning("git still running", group=process.pid)
    os.close(alive)
    for pipe in (process.stdin, process.stderr):
        if pipe is not None:
            pipe.close()


def _kill(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):  # It may end this moment.
        os.killpg(process.pid, signal.SIGKILL)


def _is_closed(pipe: int, timeout_s: float) -> bool:
    """Whether nobody holds the other end, into which nobody writes."""
    with selectors.DefaultSelector() as selector:
        selector.register(pipe, selectors.EVENT_READ)
        return bool(selector.select(timeout_s))
