"""Figures of repositories and packages: stars, contributors, dependents."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "figures",
        sa.Column("subject", sa.String(240), nullable=False),
        sa.Column("name", sa.String(16), nullable=False),
        sa.Column("value", sa.BigInteger),
        sa.Column("as_of", sa.DateTime),
        sa.Column("absent", sa.Boolean, nullable=False),
        sa.Column("etag", sa.String(200), nullable=False),
        sa.Column("etag_at", sa.DateTime),
        sa.Column("due_at", sa.DateTime),
        sa.Column("failures", sa.Integer, nullable=False),
        sa.Column("revision", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("subject", "name", name="pk_figures"),
    )


def downgrade() -> None:
    op.drop_table("figures")
