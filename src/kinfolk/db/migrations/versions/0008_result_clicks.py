"""Which records were clicked for which searched text."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "search_result_clicks",
        sa.Column("day", sa.Date, nullable=False),
        sa.Column("index_name", sa.String(256), nullable=False),
        sa.Column("digest", sa.String(16), nullable=False),
        sa.Column("record", sa.String(1024), nullable=False),
        sa.Column("count", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("day", "index_name", "digest", "record", name="pk_search_result_clicks"),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    op.drop_table("search_result_clicks")
