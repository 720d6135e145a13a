"""Processes whose search index cannot be built."""

from __future__ import annotations

import asyncio
import fcntl
import time
from collections.abc import Mapping
from pathlib import Path

import kinfolk.runtime.services.supervisor
from kinfolk.config.catalog import load_catalog
from kinfolk.config.settings import process_settings
from kinfolk.content.sources.directory import DirectorySource
from kinfolk.runtime.logging_config import set_up_logs
from kinfolk.runtime.services.supervisor import Supervisor
from kinfolk.search.docs_index.subprocess_builder import SubprocessBuilder
from kinfolk.web.app import create_app

FAILURES = 3
"""The first one is logged with a traceback, the later ones in short."""


def run_until_the_index_has_failed() -> None:
    """Run the site of this process's settings until its search index has failed several times.

    It builds the index itself: a process for each failure would take a second of CPU.
    """
    kinfolk.runtime.services.supervisor.FIRST_PAUSE_S = 0.1
    set_up_logs("json")
    asyncio.run(_run_site())


async def _run_site() -> None:
    settings = process_settings()
    refs = load_catalog(settings.site).refs
    app = create_app(settings, source=DirectorySource(settings.content, refs, "bundled docs"))
    async with app.running():
        await asyncio.to_thread(_wait_for_failures, app.supervisor)


def _wait_for_failures(supervisor: Supervisor) -> None:
    while not any(state.name == "search index" and state.restarts >= FAILURES for state in supervisor.states()):
        time.sleep(0.05)


def build_index_under_lock(environment: Mapping[str, str], lock: Path) -> None:
    """Start a build that waits for the lock which this process holds, so it runs until it is killed."""
    with lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        SubprocessBuilder(environment).build()
