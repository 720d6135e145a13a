"""The last syncs of each repository: any process of the site may have made them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

import structlog
from sqlalchemy import select

from kinfolk.content.sources.git.sync_progress import RepoDone, SyncEvent
from kinfolk.db.database import Database
from kinfolk.db.maintenance_tables import content_syncs
from kinfolk.runtime.errors import Unavailable

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

LONGEST_REASON = 500


@dataclass(frozen=True)
class RepositorySync:
    """Times are in UTC. `reason` is that of the last failure."""

    repo: str
    synced_at: datetime | None
    changed_at: datetime | None
    failed_at: datetime | None
    reason: str

    @property
    def is_failing(self) -> bool:
        """Whether the last sync failed."""
        return self.failed_at is not None and (self.synced_at is None or self.failed_at > self.synced_at)


class ContentSyncs:
    """For any number of threads and processes. All methods block. Raises Unavailable."""

    def __init__(self, database: Database, *, now: Callable[[], datetime]) -> None:
        self._database = database
        self._now = now
        self.last: dict[str, RepoDone] = {}
        """The last sync of each repository that this process has made."""

    def succeeded(self, repo: str, *, changed: bool) -> None:
        """Record a sync. `changed` says whether there was a new commit."""
        now = self._now()
        self._put(repo, {"synced_at": now, **({"changed_at": now} if changed else {})})

    def failed(self, repo: str, reason: str) -> None:
        self._put(repo, {"failed_at": self._now(), "reason": reason[:LONGEST_REASON]})

    def all(self) -> dict[str, RepositorySync]:
        """The syncs by repository."""
        with self._database.reading() as connection:
            rows = connection.execute(select(content_syncs)).all()
        return {
            row.repo: RepositorySync(row.repo, row.synced_at, row.changed_at, row.failed_at, row.reason) for row in rows
        }

    def _put(self, repo: str, values: dict[str, object]) -> None:
        with self._database.transaction() as connection:
            insert = self._database.insert(content_syncs).values(repo=repo, **{"reason": "", **values})
            connection.execute(insert.on_conflict_do_update(index_elements=["repo"], set_=values))


def record_sync(syncs: ContentSyncs, fetched: set[str], event: SyncEvent) -> None:
    """Store how the sync of a repository ended. Docs are served without the database, so a failure is only logged."""
    if isinstance(event, RepoDone):
        syncs.last[event.repo] = event
        if event.updated:
            fetched.add(event.repo)
    try:
        match event:
            case RepoDone(repo=repo, outcome="failed", reason=reason):
                syncs.failed(repo, reason)
            case RepoDone(repo=repo, outcome=outcome):
                syncs.succeeded(repo, changed=outcome == "updated")
    except Unavailable as failure:
        log.warning("sync not recorded", reason=failure.message)
