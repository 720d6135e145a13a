"""The current states of topics that browsers and other processes follow."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "live_topics",
        sa.Column("topic", sa.String(400), nullable=False),
        sa.Column("version", sa.BigInteger, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sa.Column("as_of", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("topic", name="pk_live_topics"),
    )
    op.create_index("ix_live_topics_version", "live_topics", ["version"])


def downgrade() -> None:
    op.drop_table("live_topics")
