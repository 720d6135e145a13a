"""Where temporary files of the tests are: in memory, where the machine has enough of it."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

MEMORY = Path("/dev/shm")  # noqa: S108 - the folders in it have random names, or those of pytest
LEAST_BYTES = 6 << 30
"""Free bytes of MEMORY that a whole run needs, with the servers of PostgreSQL."""


def use_memory() -> None:
    """Create temporary files of this process and its children in memory, unless TMPDIR names another folder.

    Tests make tens of thousands of small files and commit thousands of transactions. On a disk, a run of the unit tests
    takes four times as long and six times as much time in the kernel.
    """
    if "TMPDIR" not in os.environ and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free >= LEAST_BYTES:
        os.environ["TMPDIR"] = str(MEMORY)
        tempfile.tempdir = None
