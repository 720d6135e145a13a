"""Runs the git binary without prompts, without the user's configuration, and with a deadline.

Each command runs under a short shell script in its own process group. The script reads a pipe from this process and
kills the group when the pipe closes, so git also ends when this process gets SIGKILL. Otherwise an orphaned git could
write to a repository that the next sync has locked.
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
from urllib.parse import urlsplit

import structlog

from kinfolk.runtime.errors import Unavailable
from kinfolk.runtime.upstream.pinned_transport import (
    HTTP_PORTS,
    AddressRefused,
    Resolve,
    checked_addresses,
    resolve,
    uses_proxy,
)

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

# The first parameter limits the size of each file that is written, in blocks of 512 bytes; "$@" is then the command.
# `wait "$guard"` avoids a zombie in containers whose first process does not reap children. Git's variables of a calling
# hook or shell are unset. Other variables, such as those for proxies and certificates, stay.
_SHELL = """
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES \
  GIT_COMMON_DIR GIT_NAMESPACE GIT_CONFIG GIT_CONFIG_PARAMETERS GIT_CONFIG_COUNT GIT_SHALLOW_FILE GIT_PREFIX \
  GIT_GRAFT_FILE GIT_TRACE GIT_QUARANTINE_PATH
export LC_ALL=C GIT_TERMINAL_PROMPT=0 GIT_ASKPASS=true SSH_ASKPASS=true GIT_CONFIG_NOSYSTEM=1 \
  GIT_CONFIG_GLOBAL=/dev/null GIT_ALLOW_PROTOCOL=https:http:ssh:git:file \
  GIT_SSH_COMMAND='ssh -o BatchMode=yes -o ConnectTimeout=15'
ulimit -f "$1"; shift
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
    # Git checks fetched objects before it stores them.
    "fetch.fsckObjects=true",
    # Each fetch stores one small pack instead of thousands of loose files; `tidy` combines the packs.
    "fetch.unpackLimit=1",
    # A redirect could lead to any server. A repository that was renamed needs its new name.
    "http.followRedirects=false",
    "http.lowSpeedLimit=1",
    "http.lowSpeedTime=30",
    "pack.threads=1",
    "repack.writeBitmaps=false",
)

_PROGRESS = re.compile(r"(?:remote: )?([A-Z][a-z]+ [a-z]+): +(\d+)%")
# Counters and advice for interactive use, which are left out of error messages.
_IGNORED_PREFIXES = (
    "From ",
    "* ",
    "hint:",
    "remote: Enumerating",
    "remote: Total",
    "Please make sure",
    "and the repository",
)
_LAST_LINES = 3
_BLOCK = 512
"""Bytes of the unit of `ulimit -f`, by POSIX."""
# Killed processes end within milliseconds, unless they wait for a disk that does not respond.
_KILL_TIMEOUT_S = 30


class GitFailed(Unavailable):
    """A git command that failed. The message contains the last lines of its stderr."""


class GitInterrupted(GitFailed):
    """A git command that was stopped or exceeded its deadline. The repository may be intact."""


def connection_settings(remote: str, find: Resolve = resolve) -> tuple[str, ...]:
    """The setting with the addresses of the remote's host: git does not resolve it again. Raises GitFailed."""
    parts = urlsplit(remote)
    if parts.scheme not in HTTP_PORTS or not parts.hostname or uses_proxy():
        return ()
    port = parts.port or HTTP_PORTS[parts.scheme]
    try:
        addresses = checked_addresses(parts.hostname, port, find)
    except (AddressRefused, OSError) as refused:
        raise GitFailed(f"{parts.hostname} cannot be reached: {refused}") from refused
    joined = ",".join(f"[{address}]" if ":" in address else address for address in addresses)
    return (f"http.curloptResolve={parts.hostname}:{port}:{joined}",)


class Git:
    """Runs the git commands of one sync. `lock` is a descriptor that each child inherits.

    An inherited `flock` is held until the last child ends, so no other sync starts while a child writes.
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
        fail_on: str | None = None,
        remote: str = "",
        most_bytes: int | None = None,
    ) -> None:
        """Raises GitFailed. A line with `fail_on` on stderr fails the command before it ends.

        Connects to `remote`, if given, at the addresses that were checked. `on_progress` is called with git's phase and
        percentage. `output` needs a file descriptor, because git writes to it directly. A command that writes a file of
        more than `most_bytes`, such as a pack that it fetches, fails.
        """
        settings = [part for setting in (*_SETTINGS, *connection_settings(remote)) for part in ("-c", setting)]
        largest = "unlimited" if most_bytes is None else str(most_bytes // _BLOCK)
        command = ["/bin/sh", "-c", _SHELL, "sh", largest, "git", *settings, *map(str, arguments)]
        deadline = self._clock() + timeout_s
        alive, inherited = os.pipe()
        try:
            process = subprocess.Popen(  # noqa: S603 - the shell does not parse the arguments, and paths.py checks names
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL if output is None else output,
                stderr=subprocess.PIPE,
                start_new_session=True,
                pass_fds=(self._lock, inherited),
            )
        except OSError as error:
            os.close(alive)
            raise GitFailed(f"git could not be started: {error}") from error
        finally:
            os.close(inherited)
        stderr = _StderrReader(on_progress, fail_on)
        try:
            has_ended = self._wait(process, stderr, deadline)
        finally:
            # Also after an error: the process group must end before other code writes to the repository.
            _end(process, alive)
        if not has_ended:
            reason = "the sync was stopped" if self._stopping.is_set() else f"no answer within {timeout_s:g} s"
            raise GitInterrupted(reason)
        if process.returncode != 0:
            raise GitFailed(stderr.reason() or f"git ended with status {process.returncode}")

    def _wait(self, process: subprocess.Popen[bytes], stderr: _StderrReader, deadline: float) -> bool:
        """Wait for git and read its stderr. False if it was stopped or exceeded its deadline."""
        pipe = cast(IO[bytes], process.stderr)  # run() passes stderr=PIPE
        with selectors.DefaultSelector() as selector:
            selector.register(pipe, selectors.EVENT_READ)
            while (left := deadline - self._clock()) > 0 and not self._stopping.is_set():
                if not selector.select(min(left, 0.2)):
                    continue
                chunk = os.read(pipe.fileno(), 65536)
                if not chunk:
                    break
                stderr.feed(chunk)
            else:
                return False
        try:
            process.wait(max(deadline - self._clock(), 1))
        except subprocess.TimeoutExpired:
            return False
        return True


class _StderrReader:
    """Splits git's stderr into lines and progress."""

    def __init__(self, on_progress: Callable[[str, int], None] | None, fail_on: str | None) -> None:
        self._on_progress = on_progress
        self._fail_on = fail_on
        self._rest = b""
        self._lines: deque[str] = deque(maxlen=_LAST_LINES)
        self._last: tuple[str, int] | None = None

    def feed(self, chunk: bytes) -> None:
        *lines, self._rest = re.split(rb"[\r\n]", self._rest + chunk)
        for line in lines:
            self._line(line.decode(errors="replace").strip(" \t\0"))

    def _line(self, line: str) -> None:
        if self._fail_on is not None and self._fail_on in line:
            raise GitFailed(line)
        if counted := _PROGRESS.match(line):
            now = counted[1], int(counted[2])
            if self._on_progress is not None and now != self._last:
                self._on_progress(*now)
            self._last = now
        elif line and not line.startswith(_IGNORED_PREFIXES) and line not in self._lines:
            self._lines.append(line)

    def reason(self) -> str:
        """The last lines of stderr, for an error message."""
        self.feed(b"\n")
        return "; ".join(self._lines)


def _end(process: subprocess.Popen[bytes], alive: int) -> None:
    """Kill the rest of the process group. `alive` is the read end of a pipe that stays open until all members end."""
    if process.poll() is None:
        _kill(process)
    process.wait()
    if not _is_closed(alive, 0):
        _kill(process)
        if not _is_closed(alive, _KILL_TIMEOUT_S):
            log.warning("git still running", group=process.pid)
    os.close(alive)
    for pipe in (process.stdin, process.stderr):
        if pipe is not None:
            pipe.close()


def _kill(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):  # it has just ended
        os.killpg(process.pid, signal.SIGKILL)


def _is_closed(pipe: int, timeout_s: float) -> bool:
    """Whether the other end is closed. No process writes to it, so readable means closed."""
    with selectors.DefaultSelector() as selector:
        selector.register(pipe, selectors.EVENT_READ)
        return bool(selector.select(timeout_s))
