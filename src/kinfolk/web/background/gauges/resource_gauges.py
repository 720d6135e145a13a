"""Samples what the site takes of its machine, and whether the database answers."""

from __future__ import annotations

import asyncio
import contextlib
import os
import resource
import shutil
from importlib.metadata import version
from pathlib import Path

from sqlalchemy import text

from kinfolk.db.database import Database
from kinfolk.runtime import metrics
from kinfolk.runtime.errors import Unavailable

EVERY_S = 15.0
CONTROL_GROUP = Path("/sys/fs/cgroup/memory.max")
"""The limit of a container (cgroup v2): a number of bytes, or `max`."""


async def measure_resources(database: Database, var: Path, *, every_s: float = EVERY_S) -> None:
    """A background task."""
    metrics.BUILD_INFO.labels(version("kinfolk")).set(1)
    while True:
        await asyncio.to_thread(sample_resources, database, var)
        await asyncio.sleep(every_s)


def sample_resources(database: Database, var: Path, *, control_group: Path = CONTROL_GROUP) -> None:
    """Set the gauges. Blocks for as long as the database takes to answer or to fail."""
    with contextlib.suppress(OSError):  # the folder may not exist yet
        disk = shutil.disk_usage(var)
        metrics.DISK_FREE_BYTES.set(disk.free)
        metrics.DISK_BYTES.set(disk.total)
    with contextlib.suppress(OSError):  # there is no /proc
        metrics.OPEN_FILES.labels(metrics.worker_slot()).set(len(os.listdir("/proc/self/fd")))  # noqa: PTH208
    metrics.OPEN_FILES_LIMIT.set(resource.getrlimit(resource.RLIMIT_NOFILE)[0])
    metrics.MEMORY_LIMIT_BYTES.set(memory_limit_bytes(control_group))
    metrics.DATABASE_UP.set(int(_answers(database)))


def memory_limit_bytes(control_group: Path) -> int:
    """The limit of the control group, if it has one, else the memory of the machine."""
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    try:
        limit = control_group.read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return machine
    return min(int(limit), machine) if limit.isdigit() else machine


def _answers(database: Database) -> bool:
    try:
        with database.reading() as connection:
            connection.execute(text("SELECT 1"))
    except Unavailable:
        return False
    return True
