"""Deliveries of webhooks."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "webhook_deliveries",
        sa.Column("key", sa.String(16), nullable=False),
        sa.Column("at", sa.DateTime, nullable=False),
        sa.Column("host", sa.String(16), nullable=False),
        sa.Column("delivery", sa.String(64), nullable=False),
        sa.Column("event", sa.String(64), nullable=False),
        sa.Column("repo", sa.String(200), nullable=False),
        sa.Column("ref", sa.String(255), nullable=False),
        sa.Column("commit", sa.String(64), nullable=False),
        sa.Column("status", sa.Integer, nullable=False),
        sa.Column("result", sa.String(16), nullable=False),
        sa.Column("outcome", sa.String(32), nullable=False),
        sa.Column("detail", sa.String(300), nullable=False),
        sa.Column("count", sa.Integer, nullable=False),
        sa.Column("sync", sa.String(16)),
        sa.Column("sync_ms", sa.Integer),
        sa.Column("sync_commit", sa.String(64), nullable=False),
        sa.Column("sync_reason", sa.String(300), nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_webhook_deliveries"),
    )
    op.create_index("ix_webhook_deliveries_at", "webhook_deliveries", ["at"])


def downgrade() -> None:
    op.drop_table("webhook_deliveries")
