"""Pull requests that have previews."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "pull_requests",
        sa.Column("repository", sa.String(300), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("base", sa.String(255), nullable=False),
        sa.Column("head", sa.String(64), nullable=False),
        sa.Column("title", sa.String(300), nullable=False),
        sa.Column("author", sa.String(100), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("commented", sa.String(64), nullable=False),
        sa.Column("updated_at", sa.DateTime, nullable=False),
        sa.Column("revision", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("repository", "number", name="pk_pull_requests"),
    )


def downgrade() -> None:
    op.drop_table("pull_requests")
