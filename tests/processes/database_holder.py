"""Processes that use the database of a test: they send what they have done, and wait for a message."""

from __future__ import annotations

import os
from multiprocessing.connection import Connection
from pathlib import Path

from sqlalchemy.engine import URL

from kinfolk.db.database import Database
from kinfolk.db.schema import upgrade


def hold_lock(url: URL, locks: Path, pipe: Connection) -> None:
    """Send whether the lock is held, and release it after the next message."""
    database = Database(url, lock_folder=locks)
    with database.exclusive("import") as held:
        pipe.send(held)
        pipe.recv()


def upgrade_database(url: URL, locks: Path, pipe: Connection) -> None:
    """Upgrade after the next message. What the process writes is in a file named by its id, beside the locks."""
    output = os.open(output_of(locks, os.getpid()), os.O_WRONLY | os.O_CREAT)
    for descriptor in (1, 2):
        os.dup2(output, descriptor)
    database = Database(url, lock_folder=locks)
    pipe.send("ready")
    pipe.recv()
    upgrade(database)


def output_of(locks: Path, pid: int) -> Path:
    return locks.with_name(f"output-{pid}")
