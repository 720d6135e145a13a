"""What readers say about docs pages."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "feedback_entries",
        sa.Column("id", sa.String(16), nullable=False),
        sa.Column("library", sa.String(64), nullable=False),
        sa.Column("version", sa.String(64), nullable=False),
        sa.Column("path", sa.String(512), nullable=False),
        sa.Column("title", sa.String(300), nullable=False),
        sa.Column("page_digest", sa.String(16), nullable=False),
        sa.Column("heading", sa.String(300), nullable=False),
        sa.Column("heading_text", sa.String(300), nullable=False),
        sa.Column("section_digest", sa.String(16), nullable=False),
        sa.Column("section_text", sa.Text, nullable=False),
        sa.Column("helpful", sa.Boolean),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("status", sa.String(8), nullable=False),
        sa.Column("client_digest", sa.String(64)),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.Column("updated_at", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_feedback_entries"),
    )
    for name in ("status", "client_digest"):
        op.create_index(f"ix_feedback_entries_{name}", "feedback_entries", [name])
    op.create_index("ix_feedback_entries_library_version_path", "feedback_entries", ["library", "version", "path"])


def downgrade() -> None:
    op.drop_table("feedback_entries")
