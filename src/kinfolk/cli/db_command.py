"""`kinfolk db`: the version of the database's tables. Imports inside the functions keep the start fast."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import click

from kinfolk.config.settings import process_settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kinfolk.db.database import Database


@click.group()
def db() -> None:
    """Upgrade or downgrade the database, or show its version."""


@db.command("upgrade")
@click.argument("revision", default="head", metavar="[REVISION]")
def upgrade_tables(revision: str) -> None:
    """Create or change the tables, up to REVISION or the newest version. `kinfolk serve` does this when it starts."""
    from kinfolk.db.schema import upgrade
    from kinfolk.site.site import upgrade_database

    with open_database_of_process() as database:
        if revision == "head":
            upgrade_database(database, process_settings())
        else:
            upgrade(database, revision)
        _print_version(database)


@db.command("downgrade")
@click.argument("revision")
def downgrade_tables(revision: str) -> None:
    """Change the tables back to REVISION. `base` deletes all tables with their rows."""
    from kinfolk.db.schema import downgrade

    with open_database_of_process() as database:
        downgrade(database, revision)
        _print_version(database)


@db.command("status")
def show_status() -> None:
    """Show the address of the database without its password, its version and the newest one."""
    with open_database_of_process() as database:
        click.echo(f"Database: {database.address}")
        _print_version(database)


@contextlib.contextmanager
def open_database_of_process() -> Iterator[Database]:
    """The database that the environment of this process names."""
    from kinfolk.db.database import open_database

    database = open_database(process_settings())
    try:
        yield database
    finally:
        database.close()


def _print_version(database: Database) -> None:
    from kinfolk.db.schema import current, newest, usable_since

    click.echo(f"Version:  {current(database) or 'none, it has no tables'}")
    click.echo(f"Newest:   {newest()}")
    since = usable_since(database)
    if since is not None:
        click.echo(f"Usable:   since {since}")
