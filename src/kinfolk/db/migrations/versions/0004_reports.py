"""What maintainers read about the site: missing pages, syncs of repositories, faults of the docs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

TABLES = ("missed_requests", "content_syncs", "content_faults", "content_checks")


def upgrade() -> None:
    op.create_table(
        "missed_requests",
        sa.Column("day", sa.Date, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("path", sa.String(512), nullable=False),
        sa.Column("referrer", sa.String(256), nullable=False),
        sa.Column("count", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("day", "kind", "path", "referrer", name="pk_missed_requests"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "content_syncs",
        sa.Column("repo", sa.String(200), nullable=False),
        sa.Column("synced_at", sa.DateTime),
        sa.Column("changed_at", sa.DateTime),
        sa.Column("failed_at", sa.DateTime),
        sa.Column("reason", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("repo", name="pk_content_syncs"),
    )
    op.create_table(
        "content_faults",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("file", sa.String(600), nullable=False),
        sa.Column("place", sa.String(100), nullable=False),
        sa.Column("reason", sa.String(600), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_content_faults"),
    )
    op.create_table(
        "content_checks",
        sa.Column("id", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("checked_at", sa.DateTime, nullable=False),
        sa.Column("snapshot", sa.String(64), nullable=False),
        sa.Column("pages", sa.Integer, nullable=False),
        sa.Column("links", sa.Integer, nullable=False),
        sa.Column("total", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_content_checks"),
    )


def downgrade() -> None:
    for name in reversed(TABLES):
        op.drop_table(name)
