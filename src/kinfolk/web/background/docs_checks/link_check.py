"""Checks the docs that are served for broken links, in the background: one process of the site, in a child process.

A check renders all pages, which takes a minute of CPU time or more. It runs with low priority after the content has
changed, at most once an hour.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from pydantic import TypeAdapter, ValidationError

from kinfolk.config.settings import environment_of
from kinfolk.db.database import Database, utc_now
from kinfolk.maintenance.content_faults import ContentFault, ContentFaults
from kinfolk.runtime.errors import Unavailable
from kinfolk.runtime.services.supervisor import Supervisor
from kinfolk.site.site import Site

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

LOCK = "link-check"
PERIOD = timedelta(hours=1)
LOOK_S = 60.0
"""Seconds between two looks whether a check is due: one query."""
FIRST_S = 30.0
"""Seconds after the start of a worker, which has other work then."""
LIMIT_S = 4 * 3600.0
"""Seconds after which a check is killed. One of 100,000 pages takes a quarter of an hour on an idle core."""
COMMAND = (sys.executable, "-m", "kinfolk", "check", "--json")


@dataclass(frozen=True)
class _Report:
    """What the child process writes."""

    faults: list[tuple[str, str, str]]
    pages: int
    links: int


_REPORT = TypeAdapter(_Report)


class LinkCheck:
    """A service. `snapshot` names the content that is served now."""

    def __init__(
        self,
        database: Database,
        faults: ContentFaults,
        snapshot: Callable[[], str],
        *,
        environment: Mapping[str, str],
        now: Callable[[], datetime],
    ) -> None:
        self._database = database
        self._faults = faults
        self._snapshot = snapshot
        self._environment = environment
        self._now = now
        self._stopped = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None

    def run(self) -> None:
        """Check until stopped. Raises Unavailable when a check or the database fails."""
        pause_s = FIRST_S
        while not self._stopped.wait(pause_s):
            self.check_if_due()
            pause_s = LOOK_S

    def stop(self) -> None:
        """Stop `run` and kill a running check. Does not block."""
        self._stopped.set()
        if self._process is not None:
            _kill(self._process)

    def check_if_due(self) -> bool:
        """Check the content if it has changed since the last check. Whether this process has checked it. Blocks."""
        if not self._is_due():
            return False
        with self._database.exclusive(LOCK) as held:
            if not held:
                return False
            snapshot = self._snapshot()
            report = self._check()
            faults = [ContentFault(*fault) for fault in report.faults]
            self._faults.replace(snapshot, faults, pages=report.pages, links=report.links)
        log.info("docs checked", pages=report.pages, links=report.links, faults=len(faults))
        return True

    def _is_due(self) -> bool:
        last = self._faults.last_check()
        # A later time is that of a clock that was ahead.
        return last is None or (last[0] != self._snapshot() and not last[1] <= self._now() < last[1] + PERIOD)

    def _check(self) -> _Report:
        """The report of the child process. Raises Unavailable."""
        process = subprocess.Popen(  # noqa: S603 - a fixed command
            COMMAND,
            env=dict(self._environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._process = process
        try:
            if self._stopped.is_set():
                raise Unavailable("The docs are not checked any more")
            output, _ = process.communicate(timeout=LIMIT_S)
            return _REPORT.validate_json(output)
        except subprocess.TimeoutExpired:
            raise Unavailable(f"The check of the docs took longer than {LIMIT_S:g} s") from None
        except ValidationError:
            raise Unavailable(f"The check of the docs ended with {process.returncode}") from None
        finally:
            self._process = None
            _kill(process)
            # Reaps it and closes its pipe.
            process.communicate()


def start_link_check(site: Site, supervisor: Supervisor) -> None:
    """Start the service, unless the settings turn it off."""
    if not site.settings.link_check:
        return
    check = LinkCheck(
        site.database,
        site.maintenance.faults,
        lambda: site.content.publisher.docs.snapshot.id,
        environment=environment_of(site.settings),
        now=utc_now,
    )
    supervisor.start("link check", check.run, stop=check.stop)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill the process group, unless the process was reaped: its pid may be reused."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
