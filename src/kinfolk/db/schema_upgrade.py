"""Upgrades the database when a process starts, and again until it succeeds. The site is served meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Callable

from kinfolk.db.database import Database
from kinfolk.runtime.services.lifecycle import Service
from kinfolk.runtime.services.supervisor import OnDemand, Supervisor

FIRST_S = 2.0
"""Seconds that the start of a process waits for the first attempt."""


class SchemaUpgrade(Service):
    """Calls `upgrade`, which raises while the database cannot be reached, until it succeeds.

    And again when another file takes the place of the database.
    """

    def __init__(self, database: Database, upgrade: Callable[[], None]) -> None:
        self._database = database
        self._upgrade = upgrade

    def start(self, supervisor: Supervisor) -> None:
        attempted = threading.Event()

        def attempt() -> None:
            try:
                self._upgrade()
            finally:
                attempted.set()

        service = OnDemand(attempt)
        # A file that was replaced may be one of an earlier version, or empty.
        self._database.on_replaced(service.wake)
        service.wake()
        supervisor.start("database", service.run, stop=service.stop)
        attempted.wait(FIRST_S)

    def close(self) -> None:
        """Close the connections of this process."""
        self._database.close()
