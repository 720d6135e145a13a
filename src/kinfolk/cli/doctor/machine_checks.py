"""Checks of the machine: git, disks, memory and descriptors."""

from __future__ import annotations

import os
import resource
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from kinfolk.cli.doctor.checkup import CheckFinding, fault, ok, warning
from kinfolk.config.settings import Settings
from kinfolk.web.protocol.connections import RESERVED_DESCRIPTORS

GB = 1 << 30
FULL_BYTES, LOW_BYTES = GB // 5, GB
"""Free bytes of a disk below which there is a fault, or a warning."""
FULL_INODES, LOW_INODES = 0.02, 0.1
WORKER_BYTES = GB // 2
"""Memory of a worker process: docs/deployment.md."""
GIT_S = 5


class FileSystem(Protocol):
    """What `os.statvfs` returns."""

    @property
    def f_frsize(self) -> int: ...
    @property
    def f_bavail(self) -> int: ...
    @property
    def f_files(self) -> int: ...
    @property
    def f_favail(self) -> int: ...


def check_git() -> list[CheckFinding]:
    """The version of git."""
    advice = "Install git: the mirror is made with it"
    try:
        done = subprocess.run(["git", "--version"], capture_output=True, text=True, timeout=GIT_S, check=True)  # noqa: S607
    except (OSError, subprocess.SubprocessError) as failure:
        return [fault("git", f"git does not run: {type(failure).__name__}", advice)]
    return [ok("git", done.stdout.strip()[:100])]


def check_disks(settings: Settings, *, stat: Callable[[Path], FileSystem] = os.statvfs) -> list[CheckFinding]:
    """Free space, inodes and the permission to write of the folders that a server writes to."""
    folders = {"var": settings.var, "temporary files": Path(tempfile.gettempdir())}
    if settings.mirror is not None and not settings.mirror.is_relative_to(settings.var):
        folders["mirror"] = settings.mirror
    return [_disk(f"disk of {name}", folder, stat) for name, folder in folders.items()]


def _disk(name: str, folder: Path, stat: Callable[[Path], FileSystem]) -> CheckFinding:
    # A first start creates the folder.
    there = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    if not os.access(there, os.W_OK | os.X_OK):
        return fault(name, f"{there} cannot be written", "Let the user of the server write to it")
    found = stat(there)
    free, inodes = found.f_bavail * found.f_frsize, found.f_favail / found.f_files if found.f_files else 1.0
    message = f"{there} has {free / GB:,.1f} GB and {inodes:.0%} of inodes free"
    advice = "Free space, or move KINFOLK_VAR to a larger disk"
    if free < FULL_BYTES or inodes < FULL_INODES:
        return fault(name, message, advice)
    if free < LOW_BYTES or inodes < LOW_INODES:
        return warning(name, message, advice)
    return ok(name, message)


def check_limits(
    settings: Settings, *, descriptors: int | None = None, memory: int | None = None
) -> list[CheckFinding]:
    """The limits of file descriptors and memory, which tests replace."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1] if descriptors is None else descriptors
    needed = settings.connections + RESERVED_DESCRIPTORS
    memory = memory_limit() if memory is None else memory
    found = []
    if hard != resource.RLIM_INFINITY and hard < needed:
        advice = "Raise it (LimitNOFILE of systemd, --ulimit of a container), or lower KINFOLK_CONNECTIONS"
        found.append(warning("limits", f"A process may open {hard:,} files, and needs {needed:,}", advice))
    if memory is not None and memory < WORKER_BYTES:
        advice = "Give the server 500 MB for each worker process"
        found.append(warning("limits", f"There are {memory >> 20:,} MB of memory", advice))
    memory_words = "unknown" if memory is None else f"{memory >> 20:,} MB"
    return found or [ok("limits", f"{hard:,} open files, memory: {memory_words}")]


def memory_limit() -> int | None:
    """Bytes of memory that the processes of this control group may use; None where it is unknown."""
    limits = []
    for file in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        try:
            limits.append(int(Path(file).read_text()))
        except (OSError, ValueError):
            continue
    try:
        limits.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    except (OSError, ValueError):
        return min(limits, default=None)
    return min(limits)


def folder_bytes(folder: Path, *, most_files: int = 200_000) -> int:
    """The size of all files below a folder, without following links."""
    total = count = 0
    for place, _, names in os.walk(folder):
        for name in names:
            count += 1
            if count > most_files:
                return total
            try:
                total += os.lstat(Path(place) / name).st_size
            except OSError:
                continue
    return total
