"""Questions that a chat service answers: what they use in a day, and those that readers share."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "answer_usage",
        sa.Column("day", sa.Date, nullable=False),
        sa.Column("questions", sa.Integer, nullable=False),
        sa.Column("characters", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("day", name="pk_answer_usage"),
    )
    op.create_table(
        "shared_questions",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("day", sa.Date, nullable=False),
        sa.Column("text", sa.String(512), nullable=False),
        sa.Column("outcome", sa.String(16), nullable=False),
        sa.Column("sentences", sa.Integer, nullable=False),
        sa.Column("hidden", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_shared_questions"),
    )
    op.create_index("ix_shared_questions_day", "shared_questions", ["day"])


def downgrade() -> None:
    op.drop_table("shared_questions")
    op.drop_table("answer_usage")
