"""Migrations only add: the versions before and after an upgrade use one database (decisions/0049-deploys.md).

The statements of each migration for PostgreSQL are read, which names each change of a table; SQLite copies tables. A
migration that removes something declares `usable_since`: the version of the tables whose code no longer uses it.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic import op
from alembic.operations import Operations
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from kinfolk.db.schema import COMPATIBLE_SINCE, MIGRATIONS

BREAKS = {
    r"DROP TABLE (\S+)": "drops the table",
    r"ALTER TABLE (\S+) DROP COLUMN": "drops a column of",
    r"ALTER TABLE (\S+) RENAME": "renames in or as",
    r"ALTER TABLE (\S+) ALTER COLUMN \S+ TYPE": "changes a type of",
    r"ALTER TABLE (\S+) ALTER COLUMN \S+ SET NOT NULL": "forbids nulls in",
    r"ALTER TABLE (\S+) ALTER COLUMN \S+ DROP DEFAULT": "drops a default of",
    r"ALTER TABLE (\S+) ADD COLUMN (?!.* DEFAULT ).* NOT NULL": "adds a column without a default to",
    r"ALTER TABLE (\S+) ADD CONSTRAINT": "adds a constraint to",
    r"ALTER TABLE (\S+) DROP CONSTRAINT": "drops a constraint of",
    r"CREATE UNIQUE INDEX \S+ ON (\S+)": "adds a unique index to",
    r"(?:DELETE FROM|TRUNCATE(?: TABLE)?) (\S+)": "deletes rows of",
}
"""Changes with which code of the version before fails, or loses what it has written. Constraints of new tables are
allowed: they are part of CREATE TABLE, and a unique index of a table that the migration creates is, too."""


def breaks(upgrade: Callable[[], None]) -> list[str]:
    """What an upgrade changes that code of the version before depends on."""
    written = io.StringIO()
    context = MigrationContext.configure(
        dialect_name="postgresql", opts={"as_sql": True, "output_buffer": written, "target_metadata": sa.MetaData()}
    )
    with Operations.context(context):
        upgrade()
    statements = [" ".join(statement.split()) for statement in written.getvalue().split(";")]
    created = {found[1] for statement in statements if (found := re.match(r"CREATE TABLE (\S+)", statement))}
    return [
        f"{what} {found[1]}"
        for statement in statements
        for pattern, what in BREAKS.items()
        if (found := re.match(pattern, statement, re.IGNORECASE)) and found[1] not in created
    ]


def faults(migrations: ScriptDirectory) -> list[str]:
    """The migrations after COMPATIBLE_SINCE with which the version before does not work."""
    found = []
    scripts = [*migrations.walk_revisions()][::-1]
    order = [script.revision for script in scripts]
    for script in scripts[order.index(COMPATIBLE_SINCE) + 1 :]:
        since: str | None = getattr(script.module, "usable_since", None)
        if since is None:
            found += [f"{script.revision} {reason}" for reason in breaks(script.module.upgrade)]
        elif since not in order[: order.index(script.revision)]:
            found.append(f"{script.revision} names {since}, which is no earlier migration")
    return found


def test_migrations_leave_what_the_version_before_uses() -> None:
    assert faults(ScriptDirectory(MIGRATIONS)) == []


def _add_column() -> None:
    op.add_column("saved_items", sa.Column("color", sa.String(9), nullable=False, server_default="red"))


def _add_column_in_batch() -> None:
    with op.batch_alter_table("saved_items") as batch:
        batch.add_column(sa.Column("color", sa.String(9)))


def _create_table() -> None:
    op.create_table(
        "colors", sa.Column("name", sa.String(9), primary_key=True), sa.Column("hex", sa.Text, nullable=False)
    )
    op.create_index("ix_colors_hex", "colors", ["hex"], unique=True)


@pytest.mark.parametrize("upgrade", [_add_column, _add_column_in_batch, _create_table])
def test_addition_breaks_nothing(upgrade: Callable[[], None]) -> None:
    assert breaks(upgrade) == []


def _drop_in_batch() -> None:
    with op.batch_alter_table("saved_items") as batch:
        batch.drop_column("note")


@pytest.mark.parametrize(
    ("upgrade", "reason"),
    [
        (lambda: op.drop_table("saved_items"), "drops the table saved_items"),
        (lambda: op.drop_column("saved_items", "note"), "drops a column of saved_items"),
        (_drop_in_batch, "drops a column of saved_items"),
        (lambda: op.rename_table("saved_items", "items"), "renames in or as saved_items"),
        (lambda: op.alter_column("saved_items", "note", new_column_name="text"), "renames in or as saved_items"),
        (lambda: op.alter_column("saved_items", "note", type_=sa.Integer()), "changes a type of saved_items"),
        (lambda: op.alter_column("saved_items", "note", nullable=False), "forbids nulls in saved_items"),
        (
            lambda: op.add_column("saved_items", sa.Column("color", sa.String(9), nullable=False)),
            "adds a column without a default to saved_items",
        ),
        (lambda: op.create_unique_constraint("uq", "saved_items", ["note"]), "adds a constraint to saved_items"),
        (lambda: op.create_index("ix", "saved_items", ["note"], unique=True), "adds a unique index to saved_items"),
        (lambda: op.execute("DELETE FROM saved_items WHERE note = ''"), "deletes rows of saved_items"),
    ],
)
def test_change_that_the_version_before_fails_with_is_found(upgrade: Callable[[], None], reason: str) -> None:
    assert breaks(upgrade) == [reason]


def test_removal_names_the_version_that_does_without(tmp_path: Path) -> None:
    versions = tmp_path / "versions"
    versions.mkdir()

    def write(revision: str, before: str | None, more: str = "") -> None:
        text = f"from alembic import op\nrevision = {revision!r}\ndown_revision = {before!r}\n{more}\n"
        (versions / f"{revision}.py").write_text(text)

    drop = 'def upgrade():\n    op.drop_table("saved_items")\n'
    write(COMPATIBLE_SINCE, None)
    write("a", COMPATIBLE_SINCE, drop)
    write("b", "a", f'usable_since = "{COMPATIBLE_SINCE}"\n{drop}')
    write("c", "b", f'usable_since = "d"\n{drop}')
    assert faults(ScriptDirectory(tmp_path)) == [
        "a drops the table saved_items",
        "c names d, which is no earlier migration",
    ]
