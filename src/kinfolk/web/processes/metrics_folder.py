"""The folder of the metrics files of all processes of a server, which is deleted when the server ends.

A server that is killed leaves its folder, which the next one deletes. A server locks a file in its folder: a process
id says less, because each container may start with the same one.
"""

from __future__ import annotations

import fcntl
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PREFIX = "kinfolk-metrics-"
LOCK = "lock"


@contextmanager
def metrics_folder() -> Iterator[Path]:
    """A new folder, until the end of the block. Raises OSError."""
    _delete_abandoned()
    # It gets its name with the lock: another server that starts now does not find it without.
    folder = Path(tempfile.mkdtemp(prefix=f".{PREFIX}"))
    try:
        with (folder / LOCK).open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            folder = folder.rename(folder.with_name(folder.name.removeprefix(".")))
            yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _delete_abandoned() -> None:
    for lock in Path(tempfile.gettempdir()).glob(f"{PREFIX}*/{LOCK}"):
        with suppress(OSError), lock.open("r+") as file:  # of another user, or locked by a server that runs
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(lock.parent, ignore_errors=True)
