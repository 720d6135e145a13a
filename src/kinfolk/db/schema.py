"""The version of the database's tables: upgrades, downgrades, and which version it has (Alembic).

    upgrade(database)                   # to the newest version that this code knows
    downgrade(database, "0001")

Each runs all of its migrations in one transaction, one process at a time. The database also stores the oldest version
whose code can use it: a migration that removes what such code uses raises it (`usable_since`). So an older Kinfolk uses
a database that a newer one has upgraded, until tables or columns of it are removed (decisions/0049-deploys.md).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Column, Connection, MetaData, String, Table, delete, insert, inspect, select

from kinfolk.db.database import Database, reporting_failures, unbounded
from kinfolk.runtime.errors import Invalid

MIGRATIONS = Path(__file__).with_name("migrations")
_LOCK = "database-upgrade"

COMPATIBLE_SINCE = "0012"
"""The first version whose code reads which versions can use a database. Older code refuses each newer database."""

COMPATIBILITY_TABLE = "schema_compatibility"
_compatibility = Table(COMPATIBILITY_TABLE, MetaData(), Column("usable_since", String(32), primary_key=True))
"""One row: the oldest version whose code can use the database. As the table of Alembic, it is not of a migration."""


class NewerDatabase(Invalid):
    """The database has a version that this code does not know."""

    def __init__(self, revision: str, usable_since: str | None) -> None:
        since = f", and that needs version {usable_since} of the tables or a newer one" if usable_since else ""
        super().__init__(
            f"The database has version {revision}, which this version of Kinfolk does not know{since}. It was upgraded"
            " by a newer version: run that one, or downgrade the database with it."
        )


def upgrade(database: Database, revision: str = "head") -> None:
    """Create or change the tables up to `revision`. Blocks while another process does the same.

    A newer database that this code can use stays as it is. Raises Unavailable when the database cannot be reached,
    Invalid for an unknown revision, and NewerDatabase. After NewerDatabase, this process does not use the database.
    """
    if revision != "head" or not is_current(database):
        _migrate(database, lambda config: command.upgrade(config, revision))


def downgrade(database: Database, revision: str) -> None:
    """Change the tables back to `revision`; `base` removes all. Raises what `upgrade` raises."""
    _migrate(database, lambda config: command.downgrade(config, revision))


def current(database: Database) -> str | None:
    """The version of the database; None if it has no tables. Raises Unavailable."""
    # Not `reading`, which refuses a newer database.
    with reporting_failures(), database.engine.connect() as connection:
        return _current(connection)


def revision_of(connection: Connection) -> str | None:
    """The version of the database, read in a transaction of the caller."""
    return _current(connection)


def rebuild(database: Database, revision: str, fill: Callable[[Connection], None]) -> None:
    """Delete all tables, create those of `revision`, let `fill` insert rows, and upgrade them: all, or nothing.

    Raises what `upgrade` raises, and what `fill` raises.
    """
    if not _exists(revision):
        raise NewerDatabase(revision, None)

    def run(config: Config) -> None:
        command.downgrade(config, "base")
        command.upgrade(config, revision)
        fill(config.attributes["connection"])
        command.upgrade(config, "head")

    _migrate(database, run)


def newest() -> str:
    """The newest version that this code knows."""
    return _revisions()[0]


def is_current(database: Database) -> bool:
    """Whether the database has the newest version, or a newer one that this code can use.

    Raises Unavailable and NewerDatabase.
    """
    revision = _usable(database)
    return revision == newest() or (revision is not None and not _exists(revision))


def usable_since(database: Database) -> str | None:
    """The oldest version whose code can use the database; None if it does not say. Raises Unavailable."""
    with reporting_failures(), database.engine.connect() as connection:
        return _usable_since(connection)


def _usable(database: Database) -> str | None:
    """The version of the database. Raises Unavailable, and NewerDatabase for one that this code cannot use."""
    with reporting_failures(), database.engine.connect() as connection:
        revision, since = _current(connection), _usable_since(connection)
    is_usable = revision is None or _exists(revision) or (since is not None and _exists(since))
    wrong = None if is_usable or revision is None else NewerDatabase(revision, since)
    database.refusal = None if wrong is None else wrong.message
    if wrong is not None:
        raise wrong
    return revision


def _exists(revision: str) -> bool:
    return revision in _revisions()


def _migrate(database: Database, run: Callable[[Config], None]) -> None:
    _check_known(database)
    with database.exclusive(_LOCK, wait=True):
        # Another process may have upgraded it meanwhile.
        _check_known(database)
        with database.transaction() as connection, unbounded(connection):
            config = _config()
            config.attributes["connection"] = connection
            try:
                run(config)
            except CommandError as wrong:
                raise Invalid(f"The database cannot be changed: {wrong}") from wrong
            _store_usable_since(connection)


def _check_known(database: Database) -> None:
    """Raises NewerDatabase for a version that this code has no migrations of, also for one that it can use."""
    revision = _usable(database)
    if revision is not None and not _exists(revision):
        raise NewerDatabase(revision, None)


def _usable_since(connection: Connection) -> str | None:
    if not inspect(connection).has_table(_compatibility.name):
        return None
    return connection.scalar(select(_compatibility.c.usable_since))


def _store_usable_since(connection: Connection) -> None:
    revision = _current(connection)
    if revision is None:
        _compatibility.drop(connection, checkfirst=True)
        return
    _compatibility.create(connection, checkfirst=True)
    connection.execute(delete(_compatibility))
    connection.execute(
        insert(_compatibility).values(usable_since=since_of(ScriptDirectory.from_config(_config()), revision))
    )


def since_of(migrations: ScriptDirectory, revision: str) -> str:
    """The oldest version whose code can use a database of this revision: that of the last migration that removes."""
    for script in migrations.iterate_revisions(revision, "base"):
        since: str | None = getattr(script.module, "usable_since", None)
        if since is not None:
            return since
    return COMPATIBLE_SINCE


def _current(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


@cache
def _revisions() -> tuple[str, ...]:
    """The versions that this code knows, the newest first. To read the migrations takes 4 ms."""
    return tuple(script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions())
