"""Accounts: users, sessions, sign-ins, mail, the audit log, saved items."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

TABLES = ("users", "identities", "sessions", "sign_in_attempts", "outgoing_mail", "audit_events", "saved_items")


def upgrade() -> None:
    _create_users()
    _create_sign_in()
    _create_logs()
    _create_saved_items()


def downgrade() -> None:
    for name in reversed(TABLES):
        op.drop_table(name)


def _create_users() -> None:
    op.create_table(
        "users",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.Column("member_until", sa.DateTime),
        sa.Column("items_revision", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_users"),
    )
    op.create_table(
        "identities",
        sa.Column("provider", sa.String(16), nullable=False),
        sa.Column("subject", sa.String(254), nullable=False),
        sa.Column("user_id", sa.String(32), nullable=False),
        sa.Column("label", sa.String(254), nullable=False),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("provider", "subject", name="pk_identities"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_identities_user_id", ondelete="CASCADE"),
    )
    op.create_index("ix_identities_user_id", "identities", ["user_id"])
    op.create_table(
        "sessions",
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("id", sa.String(16), nullable=False),
        sa.Column("user_id", sa.String(32), nullable=False),
        sa.Column("provider", sa.String(16), nullable=False),
        sa.Column("device", sa.String(100), nullable=False),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.Column("last_seen_at", sa.DateTime, nullable=False),
        sa.Column("expires_at", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_sessions"),
        sa.UniqueConstraint("id", name="uq_sessions_id"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_sessions_user_id", ondelete="CASCADE"),
    )
    op.create_index("ix_sessions_user_id", "sessions", ["user_id"])
    op.create_index("ix_sessions_expires_at", "sessions", ["expires_at"])


def _create_sign_in() -> None:
    op.create_table(
        "sign_in_attempts",
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("provider", sa.String(16), nullable=False),
        sa.Column("email_digest", sa.String(64)),
        sa.Column("client_digest", sa.String(64), nullable=False),
        sa.Column("email", sa.String(254)),
        sa.Column("code_digest", sa.String(64)),
        sa.Column("link_digest", sa.String(64)),
        sa.Column("return_to", sa.String(2048), nullable=False),
        sa.Column("wrong_codes", sa.Integer, nullable=False),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.Column("expires_at", sa.DateTime, nullable=False),
        sa.Column("closed", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_sign_in_attempts"),
    )
    for column in ("email_digest", "client_digest", "link_digest", "created_at"):
        op.create_index(f"ix_sign_in_attempts_{column}", "sign_in_attempts", [column])
    op.create_table(
        "outgoing_mail",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("recipient", sa.String(254), nullable=False),
        sa.Column("subject", sa.String(200), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.Column("due_at", sa.DateTime, nullable=False),
        sa.Column("expires_at", sa.DateTime, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_outgoing_mail"),
    )
    op.create_index("ix_outgoing_mail_due_at", "outgoing_mail", ["due_at"])


def _create_logs() -> None:
    op.create_table(
        "audit_events",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("at", sa.DateTime, nullable=False),
        sa.Column("action", sa.String(32), nullable=False),
        sa.Column("user_id", sa.String(32)),
        sa.Column("detail", sa.String(200), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_audit_events"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_audit_events_user_id", ondelete="CASCADE"),
    )
    op.create_index("ix_audit_events_at", "audit_events", ["at"])
    op.create_index("ix_audit_events_user_id", "audit_events", ["user_id"])


def _create_saved_items() -> None:
    op.create_table(
        "saved_items",
        sa.Column("user_id", sa.String(32), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("key", sa.String(512), nullable=False),
        sa.Column("value", sa.Text),
        sa.Column("changed_ms", sa.BigInteger, nullable=False),
        sa.Column("revision", sa.BigInteger, nullable=False),
        sa.Column("slug", sa.String(16)),
        sa.PrimaryKeyConstraint("user_id", "kind", "key", name="pk_saved_items"),
        sa.UniqueConstraint("slug", name="uq_saved_items_slug"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_saved_items_user_id", ondelete="CASCADE"),
    )
    op.create_index("ix_saved_items_user_id_revision", "saved_items", ["user_id", "revision"])
