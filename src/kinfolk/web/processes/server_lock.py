"""A lock that each running server holds, so that a restore does not replace the database below it."""

from __future__ import annotations

import fcntl
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from kinfolk.runtime.errors import Refused

FILE = "server.lock"
ATTEMPTS, PAUSE_S = 10, 0.05


@contextmanager
def running_server(var: Path) -> Iterator[None]:
    """Hold the lock together with other servers, also in forked workers. Raises Refused during a restore.

    A server whose `var` cannot be written runs without it.
    """
    file = _open(var)
    if file is None:
        yield
        return
    with file:
        if not _locked(file):
            raise Refused(f"A backup is being restored into {var}: start the server when that is done")
        yield


def _locked(file: IO[bytes]) -> bool:
    """`is_server_running` holds the lock for a moment, a restore for longer than the attempts."""
    for _ in range(ATTEMPTS):
        with suppress(BlockingIOError):
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            return True
        time.sleep(PAUSE_S)
    return False


@contextmanager
def without_server(var: Path) -> Iterator[None]:
    """Keep servers from starting. Raises Refused while one runs."""
    file = _open(var)
    if file is None:
        raise Refused(f"{var} cannot be written")
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Refused(f"A server uses {var}: stop it first") from None
        yield


def is_server_running(var: Path) -> bool:
    """Whether a process holds the lock. Does not create the file."""
    try:
        with (var / FILE).open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def _open(var: Path) -> IO[bytes] | None:
    try:
        var.mkdir(parents=True, exist_ok=True)
        return (var / FILE).open("ab")
    except OSError:
        return None
