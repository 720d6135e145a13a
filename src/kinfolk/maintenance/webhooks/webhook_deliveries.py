"""The deliveries of webhooks in the database: the last ones of each result, at most KEPT_DAYS old."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, delete, func, select, update

from kinfolk.accounts.secret_tokens import new_id
from kinfolk.db.database import Database
from kinfolk.db.maintenance_tables import webhook_deliveries
from kinfolk.maintenance.webhooks.delivery import (
    LONGEST_DETAIL,
    RESULTS,
    CountedDelivery,
    DeliveryResult,
    PushSync,
    SentEvent,
    WebhookDelivery,
    printable,
)

KEPT_DAYS = 30
KEPT_ROWS: Mapping[DeliveryResult, int] = {"accepted": 200, "ignored": 100, "refused": 100, "failed": 100}
"""Each result has its own limit: a flood of refused deliveries removes none of the accepted ones."""
COUNTED_S = 60
"""Deliveries of which only the number is stored are one row for each kind in this time."""
MOST_REPOSITORIES = 200
_WRITERS = "webhook deliveries"
_columns = webhook_deliveries.c


class WebhookDeliveries:
    """For any number of threads and processes. All methods block. Raises Unavailable."""

    def __init__(self, database: Database, *, now: Callable[[], datetime]) -> None:
        self._database = database
        self.now = now

    def put(self, deliveries: Iterable[WebhookDelivery], counts: Mapping[CountedDelivery, int]) -> None:
        """Store deliveries, or what has become of stored ones, and add counts. Deletes rows above the limits."""
        with self._database.transaction() as connection:
            self._database.serialize(connection, _WRITERS)
            rows = [_values(delivery) for delivery in deliveries]
            if rows:
                insert = self._database.insert(webhook_deliveries)
                replaced = {name: insert.excluded[name] for name in rows[0] if name != "key"}
                connection.execute(insert.on_conflict_do_update(index_elements=["key"], set_=replaced), rows)
            for counted, count in counts.items():
                self._add(connection, counted, count)
            self._make_room(connection)

    def newest(self, *, limit: int, result: DeliveryResult | None = None, repo: str = "") -> list[WebhookDelivery]:
        """The last deliveries, the newest first; only those with a result, or of a repository."""
        before = webhook_deliveries.alias()
        earlier = (
            select(func.count())
            .where(before.c.host == _columns.host, before.c.delivery == _columns.delivery, before.c.at < _columns.at)
            .where(_columns.delivery != "")
            .scalar_subquery()
        )
        query = select(webhook_deliveries, earlier.label("earlier"))
        if result is not None:
            query = query.where(_columns.result == result)
        if repo:
            query = query.where(_columns.repo == repo)
        with self._database.reading() as connection:
            rows = connection.execute(query.order_by(_columns.at.desc(), _columns.key).limit(limit)).all()
        return [_stored(row) for row in rows if row.outcome in RESULTS]

    def repositories(self) -> list[str]:
        """The repositories that are named in deliveries."""
        query = select(_columns.repo).where(_columns.repo != "").distinct().order_by(_columns.repo)
        with self._database.reading() as connection:
            return list(connection.scalars(query.limit(MOST_REPOSITORIES)))

    def _add(self, connection: Connection, counted: CountedDelivery, count: int) -> None:
        """Add to the row of the last COUNTED_S, or insert one."""
        now = self.now()
        same = (
            _columns.host == counted.host,
            _columns.outcome == counted.outcome,
            _columns.status == counted.status,
            _columns.event == counted.event,
            _columns.repo == counted.repo,
            _columns.at > now - timedelta(seconds=COUNTED_S),
            _columns.at <= now,
        )
        key = connection.scalar(select(_columns.key).where(*same).order_by(_columns.at.desc()).limit(1))
        if key is not None:
            more = {"count": _columns.count + count}
            connection.execute(update(webhook_deliveries).where(_columns.key == key).values(more))
            return
        sent = SentEvent(event=counted.event, repo=counted.repo)
        row = WebhookDelivery(new_id(), now, counted.host, sent, counted.status, counted.outcome, count=count)
        connection.execute(webhook_deliveries.insert().values(**_values(row)))

    def _make_room(self, connection: Connection) -> None:
        oldest = self.now() - timedelta(days=KEPT_DAYS)
        connection.execute(delete(webhook_deliveries).where(_columns.at < oldest))
        for result, limit in KEPT_ROWS.items():
            newest_first = select(_columns.key).where(_columns.result == result).order_by(_columns.at.desc())
            keys = list(connection.scalars(newest_first.offset(limit)))
            if keys:
                connection.execute(delete(webhook_deliveries).where(_columns.key.in_(keys)))


def _values(delivery: WebhookDelivery) -> dict[str, object]:
    sent, sync = delivery.sent.printable(), delivery.sync
    return {
        "key": delivery.key,
        "at": delivery.at,
        "host": delivery.host,
        "delivery": sent.id,
        "event": sent.event,
        "repo": sent.repo,
        "ref": sent.ref,
        "commit": sent.commit,
        "status": delivery.status,
        "result": delivery.result,
        "outcome": delivery.outcome,
        "detail": printable(delivery.detail, LONGEST_DETAIL),
        "count": delivery.count,
        "sync": sync.outcome if sync else None,
        "sync_ms": sync.after_ms if sync else None,
        "sync_commit": sync.commit[:64] if sync else "",
        "sync_reason": printable(sync.reason, LONGEST_DETAIL) if sync else "",
    }


def _stored(row: Row[Any]) -> WebhookDelivery:
    return WebhookDelivery(
        key=row.key,
        at=row.at,
        host=row.host,
        sent=SentEvent(row.delivery, row.event, row.repo, row.ref, row.commit),
        status=row.status,
        outcome=row.outcome,
        detail=row.detail,
        # Rows are tuples, and have a method of this name.
        count=row._mapping["count"],  # noqa: SLF001 - public
        sync=PushSync(row.sync, row.sync_ms, row.sync_commit, row.sync_reason) if row.sync else None,
        earlier=row.earlier,
    )
