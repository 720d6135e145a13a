"""Releases that code hosts list, and how far they are read."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "host_releases",
        sa.Column("repository", sa.String(300), nullable=False),
        sa.Column("tag", sa.String(255), nullable=False),
        sa.Column("name", sa.String(300), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("is_cut", sa.Boolean, nullable=False),
        sa.Column("is_prerelease", sa.Boolean, nullable=False),
        sa.Column("published_at", sa.DateTime, nullable=False),
        sa.Column("seen_at", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("repository", "tag", name="pk_host_releases"),
    )
    op.create_table(
        "release_listings",
        sa.Column("repository", sa.String(300), nullable=False),
        sa.Column("etag", sa.String(200), nullable=False),
        sa.Column("next_page", sa.Integer),
        sa.Column("full_began_at", sa.DateTime),
        sa.Column("full_at", sa.DateTime),
        sa.Column("due_at", sa.DateTime),
        sa.Column("failures", sa.Integer, nullable=False),
        sa.Column("revision", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("repository", name="pk_release_listings"),
    )


def downgrade() -> None:
    op.drop_table("release_listings")
    op.drop_table("host_releases")
