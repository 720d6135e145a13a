"""The tables of what maintainers read and set. A change of one needs a migration, as in `tables`."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, Date, DateTime, Index, Integer, MetaData, String, Table, Text

NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}
"""Fixed names of constraints, so that migrations can drop them."""

metadata = MetaData(naming_convention=NAMING)

feedback_entries = Table(
    "feedback_entries",
    metadata,
    # Random. The reader's browser gets it, to add a note to a vote.
    Column("id", String(16), primary_key=True),
    Column("library", String(64), nullable=False),
    Column("version", String(64), nullable=False),
    Column("path", String(512), nullable=False),
    Column("title", String(300), nullable=False),
    Column("page_digest", String(16), nullable=False),
    # The id and the text of a heading; "" for the whole page.
    Column("heading", String(300), nullable=False),
    Column("heading_text", String(300), nullable=False),
    Column("section_digest", String(16), nullable=False),
    # The text of the section as the reader saw it, shortened.
    Column("section_text", Text, nullable=False),
    Column("helpful", Boolean),
    Column("note", Text, nullable=False),
    # "open", "done", "spam"
    Column("status", String(8), nullable=False, index=True),
    # HMAC of the client's address, for limits. Removed after a day.
    Column("client_digest", String(64), index=True),
    Column("created_at", DateTime, nullable=False),
    Column("updated_at", DateTime, nullable=False),
    Index(None, "library", "version", "path"),
)
"""What readers say about docs pages."""

missed_requests = Table(
    "missed_requests",
    metadata,
    Column("day", Date, primary_key=True),
    # "missing", "redirect"
    Column("kind", String(16), primary_key=True),
    # As the client sent it, without the query; "" for all further addresses of a day.
    Column("path", String(512), primary_key=True),
    # A path of this site, the host of another one, or "".
    Column("referrer", String(256), primary_key=True),
    Column("count", Integer, nullable=False),
    sqlite_with_rowid=False,
)
"""Requests for pages that do not exist, and for old addresses."""

content_syncs = Table(
    "content_syncs",
    metadata,
    Column("repo", String(200), primary_key=True),
    Column("synced_at", DateTime),
    Column("changed_at", DateTime),
    Column("failed_at", DateTime),
    # Of the last failure.
    Column("reason", Text, nullable=False),
)
"""The last syncs of each repository."""

content_faults = Table(
    "content_faults",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("file", String(600), nullable=False),
    Column("place", String(100), nullable=False),
    Column("reason", String(600), nullable=False),
)
"""Faults of the docs that are served: broken links, missing anchors."""

content_checks = Table(
    "content_checks",
    metadata,
    # Always 1: the last check.
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("checked_at", DateTime, nullable=False),
    # Names the content that was checked.
    Column("snapshot", String(64), nullable=False),
    Column("pages", Integer, nullable=False),
    Column("links", Integer, nullable=False),
    Column("total", Integer, nullable=False),
)

site_overrides = Table(
    "site_overrides",
    metadata,
    Column("id", String(32), primary_key=True),
    # "sponsor", "promotion"
    Column("kind", String(16), nullable=False),
    # JSON; None for a removed one, whose revision notifies all processes of the removal.
    Column("data", Text),
    # A number that is higher with each change.
    Column("revision", BigInteger, nullable=False),
    Column("updated_at", DateTime, nullable=False),
)
"""Sponsors and promotions that maintainers set on the dashboard, in addition to those of the site folder."""

code_check_weeks = Table(
    "code_check_weeks",
    metadata,
    Column("library", String(64), primary_key=True),
    Column("version", String(64), primary_key=True),
    # The Monday of an ISO week, in UTC.
    Column("week", Date, primary_key=True),
    # Code blocks with a certain verdict, and those of each verdict.
    Column("checked", Integer, nullable=False),
    Column("right", Integer, nullable=False),
    Column("wrong", Integer, nullable=False),
    Column("not_checkable", Integer, nullable=False),
    Column("ignored", Integer, nullable=False),
    sqlite_with_rowid=False,
)
"""The last check of the code of a version in each week."""

webhook_deliveries = Table(
    "webhook_deliveries",
    metadata,
    # Random.
    Column("key", String(16), primary_key=True),
    Column("at", DateTime, nullable=False, index=True),
    # "github", "gitlab", "codeberg"
    Column("host", String(16), nullable=False),
    # As the host sends them; "" for deliveries of which only the number is stored.
    Column("delivery", String(64), nullable=False),
    Column("event", String(64), nullable=False),
    Column("repo", String(200), nullable=False),
    Column("ref", String(255), nullable=False),
    Column("commit", String(64), nullable=False),
    # Of the response.
    Column("status", Integer, nullable=False),
    # "accepted", "ignored", "refused", "failed"
    Column("result", String(16), nullable=False),
    # Why: `DeliveryOutcome` of maintenance.webhooks.delivery.
    Column("outcome", String(32), nullable=False),
    Column("detail", String(300), nullable=False),
    Column("count", Integer, nullable=False),
    # How the sync after a push ended: "served", "no_change", "no_commit", "failed"; None before it has ended.
    Column("sync", String(16)),
    Column("sync_ms", Integer),
    Column("sync_commit", String(64), nullable=False),
    Column("sync_reason", String(300), nullable=False),
)
"""What code hosts sent to the webhooks, and what came of it."""
