"""What accounts have done: sign-ins, revoked sessions, actions of maintainers. Kept for 180 days."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, delete, select

from kinfolk.db.tables import audit_events, identities

KEPT = timedelta(days=180)
LONGEST_DETAIL = 200

_columns = audit_events.c


@dataclass(frozen=True)
class AuditEvent:
    """`by` is the address or login of the account; empty without one."""

    at: datetime
    action: str
    by: str
    detail: str


def record_event(connection: Connection, action: str, *, user_id: str | None, now: datetime, detail: str = "") -> None:
    """Add an event within the transaction of its action, and delete expired events."""
    connection.execute(delete(audit_events).where(_columns.at < now - KEPT))
    values = {"at": now, "action": action, "user_id": user_id, "detail": detail[:LONGEST_DETAIL]}
    connection.execute(audit_events.insert().values(values))


def latest_events(connection: Connection, *, user_id: str | None = None, limit: int = 100) -> list[AuditEvent]:
    """The newest events first: of an account, or of all."""
    label = (
        select(identities.c.label)
        .where(identities.c.user_id == _columns.user_id)
        .order_by(identities.c.created_at)
        .limit(1)
        .scalar_subquery()
    )
    query = select(_columns.at, _columns.action, label.label("by"), _columns.detail)
    query = query.order_by(_columns.id.desc()).limit(limit)
    if user_id is not None:
        query = query.where(_columns.user_id == user_id)
    return [AuditEvent(row.at, row.action, row.by or "", row.detail) for row in connection.execute(query)]
