"""Reads and writes the file of published commits, and locks the mirror for a sync."""

from __future__ import annotations

import fcntl
import json
import os
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from kinfolk.config.docs_address import Ref
from kinfolk.runtime.errors import InvalidFile, Unavailable

PUBLISHED_FILE = "published.json"
_COMMIT = re.compile(r"[0-9a-f]{40}")


def read_published(root: Path) -> dict[Ref, str]:
    """The published commits; empty without a file. Raises InvalidFile for a file that cannot be read or is invalid."""
    try:
        written = (root / PUBLISHED_FILE).read_bytes()
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise InvalidFile(str(root / PUBLISHED_FILE), "", str(error.strerror)) from error
    try:
        entries = json.loads(written)
    except ValueError as error:
        raise InvalidFile(str(root / PUBLISHED_FILE), "", f"not JSON: {error}") from error
    if not isinstance(entries, dict):
        raise InvalidFile(str(root / PUBLISHED_FILE), "", "not an object of branches and commits")
    published = {}
    for name, commit in entries.items():
        repo, _, branch = name.partition("@")
        if not isinstance(commit, str) or not _COMMIT.fullmatch(commit):
            raise InvalidFile(str(root / PUBLISHED_FILE), name, f"{commit!r} is not a commit id")
        published[Ref(repo, branch)] = commit
    return published


def write_published(root: Path, published: Mapping[Ref, str]) -> None:
    """Replace the file atomically. Readers see the old or the new file, also after a crash."""
    entries = {str(ref): published[ref] for ref in sorted(published)}
    fresh = root / f"{PUBLISHED_FILE}.new"
    with fresh.open("w", encoding="utf-8") as file:
        file.write(json.dumps(entries, indent=2) + "\n")
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(root / PUBLISHED_FILE)
    fsync_folder(root)


def fsync_folder(folder: Path) -> None:
    """Write the names in a folder to disk, so that they survive a power failure."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def sync_lock(root: Path, *, wait_s: float, stopping: threading.Event, on_wait: Callable[[str], None]) -> Iterator[int]:
    """Lock the mirror for this process and the children that inherit the yielded descriptor.

    If another process has the lock, `on_wait` is called once with the name of that process. Raises Unavailable if the
    lock is not free within `wait_s`.
    """
    root.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(root / "sync.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        _acquire(descriptor, wait_s=wait_s, stopping=stopping, on_wait=on_wait)
        os.truncate(descriptor, 0)
        os.pwrite(descriptor, f"process {os.getpid()}\n".encode(), 0)
        yield descriptor
    finally:
        os.close(descriptor)


def _acquire(descriptor: int, *, wait_s: float, stopping: threading.Event, on_wait: Callable[[str], None]) -> None:
    poll_s = 0.1
    for attempt in range(int(wait_s / poll_s) + 1):
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(descriptor, 100, 0).decode(errors="replace").strip() or "another process"
            if attempt == 0:
                on_wait(holder)
            if stopping.wait(poll_s):
                raise Unavailable("The sync was stopped while it waited for another sync") from None
        else:
            return
    raise Unavailable(f"{holder} still syncs the same directory after {wait_s:g} s")
