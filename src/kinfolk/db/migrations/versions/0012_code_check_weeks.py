"""Checks of code by week."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "code_check_weeks",
        sa.Column("library", sa.String(64), nullable=False),
        sa.Column("version", sa.String(64), nullable=False),
        sa.Column("week", sa.Date, nullable=False),
        sa.Column("checked", sa.Integer, nullable=False),
        sa.Column("right", sa.Integer, nullable=False),
        sa.Column("wrong", sa.Integer, nullable=False),
        sa.Column("not_checkable", sa.Integer, nullable=False),
        sa.Column("ignored", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("library", "version", "week", name="pk_code_check_weeks"),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    op.drop_table("code_check_weeks")
