"""Folders that all processes of a test run share, for results that take long to make."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest


def shared_folder(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """A folder that `make` fills once in a test run: other processes wait until it is complete. Tests only read it."""
    root = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        # The base folder of a worker is in that of the run.
        root = root.parent
    folder, complete = root / name, root / f"{name}.complete"
    with (root / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not complete.exists():
            folder.mkdir()
            make(folder)
            complete.touch()
    return folder
