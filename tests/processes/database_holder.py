"""Processes that use the database of a test: they send what they have done, and wait for a message."""

from __future__ import annotations

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
    """Upgrade after the next message."""
    database = Database(url, lock_folder=locks)
    pipe.send("ready")
    pipe.recv()
    upgrade(database)
