"""The first tables: npm's download counts, GitHub's stars, counts of searches."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

TABLES = (
    "npm_packages",
    "npm_downloads",
    "npm_version_weeks",
    "github_stars",
    "npm_state",
    "search_queries",
    "search_clicks",
    "search_clicked_records",
    "search_events",
)


def upgrade() -> None:
    _create_npm_tables()
    _create_other_npm_tables()
    _create_search_tables()


def downgrade() -> None:
    for name in reversed(TABLES):
        op.drop_table(name)


def _create_npm_tables() -> None:
    op.create_table(
        "npm_packages",
        sa.Column("name", sa.String(214), nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("requested_at", sa.DateTime, nullable=False),
        sa.Column("checked_at", sa.DateTime),
        sa.Column("requested_by", sa.String(32)),
        sa.Column("revision", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_npm_packages"),
    )
    op.create_index("ix_npm_packages_status_requested_at", "npm_packages", ["status", "requested_at"])
    op.create_index("ix_npm_packages_revision", "npm_packages", ["revision"])
    op.create_table(
        "npm_downloads",
        sa.Column("package", sa.String(214), nullable=False),
        sa.Column("year", sa.Integer, nullable=False),
        sa.Column("source", sa.String(16), nullable=False),
        sa.Column("counts", sa.LargeBinary, nullable=False),
        sa.Column("origin", sa.Text, nullable=False),
        sa.Column("final", sa.Boolean, nullable=False),
        sa.Column("as_of", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("package", "year", "source", name="pk_npm_downloads"),
    )


def _create_other_npm_tables() -> None:
    op.create_table(
        "npm_version_weeks",
        sa.Column("package", sa.String(214), nullable=False),
        sa.Column("last_day", sa.Date, nullable=False),
        sa.Column("counts", sa.Text, nullable=False),
        sa.Column("as_of", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("package", "last_day", name="pk_npm_version_weeks"),
    )
    op.create_table(
        "github_stars",
        sa.Column("repository", sa.String(200), nullable=False),
        sa.Column("year", sa.Integer, nullable=False),
        sa.Column("counts", sa.LargeBinary, nullable=False),
        sa.Column("as_of", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("repository", "year", name="pk_github_stars"),
    )
    op.create_table(
        "npm_state",
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("value", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_npm_state"),
    )


def _create_search_tables() -> None:
    _create_counts(
        "search_queries",
        sa.Column("text", sa.String(256), nullable=False),
        others=(
            sa.Column("digest", sa.String(16), nullable=False),
            sa.Column("count", sa.Integer, nullable=False),
            sa.Column("without_result", sa.Integer, nullable=False),
        ),
    )
    _create_counts(
        "search_clicks",
        sa.Column("digest", sa.String(16), nullable=False),
        sa.Column("position", sa.Integer, nullable=False),
    )
    _create_counts("search_clicked_records", sa.Column("record", sa.String(1024), nullable=False))
    _create_counts("search_events", sa.Column("kind", sa.String(16), nullable=False))


def _create_counts(
    name: str,
    *keys: sa.Column[str] | sa.Column[int],
    others: tuple[sa.Column[str] | sa.Column[int], ...] = (),
) -> None:
    """Create a table of counts a day. `others` are its columns after the key, by default only `count`."""
    op.create_table(
        name,
        sa.Column("day", sa.Date, nullable=False),
        sa.Column("index_name", sa.String(256), nullable=False),
        *keys,
        *(others or (sa.Column("count", sa.Integer, nullable=False),)),
        sa.PrimaryKeyConstraint("day", "index_name", *(key.name for key in keys), name=f"pk_{name}"),
        sqlite_with_rowid=False,
    )
