"""Fetches the stars of repositories from GitHub once a day.

One process of a site makes requests at a time. The history of a repository is stored when it is complete: after a
process was killed, the next one repeats the requests for one repository.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timedelta

import structlog

from kinfolk.db.database import Database
from kinfolk.runtime.errors import NotFound, Unavailable
from kinfolk.statistics.histories.history import REGISTRY
from kinfolk.statistics.histories.history_store import touch_packages
from kinfolk.statistics.stars.github_stars import GitHubRateLimited, GitHubStars
from kinfolk.statistics.stars.star_store import StarStore, last_finished_day

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

LOCK = "github-stars"
ALL = ""
"""In place of a repository: no repository is due before this time."""
RETRY = timedelta(hours=1)
"""After a failure of a repository."""
NOT_FOUND_RETRY = timedelta(days=1)
"""After GitHub had no such repository."""
OUTAGE_RETRY = timedelta(minutes=15)
"""After MAX_FAILURES repositories in a row failed."""
MAX_FAILURES = 3


CHECK_S = 300.0
"""Seconds between two checks for repositories that are due: a short query."""


class StarRefresher:
    """Keeps the stars of these repositories current."""

    def __init__(
        self,
        store: StarStore,
        client: GitHubStars,
        repositories: Iterable[str],
        *,
        database: Database,
        now: Callable[[], datetime],
    ) -> None:
        """`now` is in UTC, without a time zone."""
        self._store = store
        self._client = client
        self._repositories = tuple(dict.fromkeys(repositories))
        self._database = database
        self._now = now
        self._stopping = threading.Event()
        self._started = False

    def run(self) -> None:
        """A service: refresh forever, and give charts a new revision after a change. Raises Unavailable."""
        while not self._stopping.wait(CHECK_S if self._started else 0):
            self._started = True
            if self.refresh(self._stopping):
                with self._database.transaction() as connection:
                    touch_packages(self._database, connection, [REGISTRY], self._now())

    def stop(self) -> None:
        """Stop `run`. Does not block."""
        self._stopping.set()

    def refresh(self, stopping: threading.Event) -> frozenset[str]:
        """Fetch the repositories that are due, until `stopping` is set. Returns those with new counts.

        Does nothing while another process refreshes, or while GitHub limits the rate of requests. Call it every few
        minutes: times of retries are stored. Raises Unavailable when the database fails.
        """
        with self._database.exclusive(LOCK) as held:
            return frozenset(self._refresh_due(stopping)) if held else frozenset()

    def _refresh_due(self, stopping: threading.Event) -> Iterator[str]:
        failures = 0
        for repository in self._due():
            if stopping.is_set():
                return
            try:
                days = self._client.fetch(repository, cancelled=stopping.is_set)
            except GitHubRateLimited as limited:
                self._postpone(ALL, timedelta(seconds=limited.retry_after_s), limited)
                return
            except NotFound as unknown:
                self._postpone(repository, NOT_FOUND_RETRY, unknown)
            except Unavailable as failed:
                if stopping.is_set():
                    return
                self._postpone(repository, RETRY, failed)
                failures += 1
                if failures == MAX_FAILURES:
                    self._postpone(ALL, OUTAGE_RETRY, failed)
                    return
            else:
                failures = 0
                self._store.put(days)
                yield repository

    def _due(self) -> list[str]:
        """The repositories without the counts of the last finished day, those without any first."""
        now = self._now()
        # A later time was stored while the clock was wrong.
        waiting = {name for name, at in self._store.retry_times().items() if now < at <= now + NOT_FOUND_RETRY}
        if ALL in waiting:
            return []
        fetched = self._store.as_of(self._repositories)
        newest = last_finished_day(now)
        due = (
            name
            for name in self._repositories
            if name not in waiting and (name not in fetched or last_finished_day(fetched[name]) != newest)
        )
        return sorted(due, key=lambda name: (name in fetched, fetched.get(name, now)))

    def _postpone(self, repository: str, pause: timedelta, reason: Unavailable | NotFound) -> None:
        log.warning(
            "stars not fetched", repository=repository or "all", reason=reason.message, retry_s=pause.total_seconds()
        )
        now = self._now()
        self._store.put_retry_time(repository, now + pause, now=now)
