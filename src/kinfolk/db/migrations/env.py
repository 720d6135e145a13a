"""Alembic runs this file for each upgrade and downgrade. `kinfolk.db.schema` passes the connection."""

from __future__ import annotations

from alembic import context

from kinfolk.db.tables import metadata

# The caller has begun the transaction: all migrations succeed, or none.
context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    # SQLite changes few properties of a column in place; a batch copies the table.
    render_as_batch=True,
)
context.run_migrations()
