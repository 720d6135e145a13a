"""The version of the database's tables: upgrades, downgrades, and which version it has (Alembic).

    upgrade(database)                   # to the newest version that this code knows
    downgrade(database, "0001")

Each runs all of its migrations in one transaction, one process at a time.
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
from sqlalchemy import Connection

from kinfolk.db.database import Database, reporting_failures
from kinfolk.runtime.errors import Invalid

MIGRATIONS = Path(__file__).with_name("migrations")
_LOCK = "database-upgrade"


class NewerDatabase(Invalid):
    """The database has a version that this code does not know."""

    def __init__(self, revision: str) -> None:
        super().__init__(
            f"The database has version {revision}, which this version of Kinfolk does not know. It was upgraded by a"
            " newer version: run that one, or downgrade the database with it."
        )


def upgrade(database: Database, revision: str = "head") -> None:
    """Create or change the tables up to `revision`. Blocks while another process does the same.

    Raises Unavailable when the database cannot be reached, Invalid for an unknown revision, and NewerDatabase. After
    NewerDatabase, this process does not use the database.
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
        raise NewerDatabase(revision)

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
    """Whether the database has the newest version. Raises Unavailable and NewerDatabase."""
    return _known(database) == newest()


def _known(database: Database) -> str | None:
    """The version of the database. Raises Unavailable, and NewerDatabase for a version that this code does not know."""
    revision = current(database)
    wrong = NewerDatabase(revision) if revision is not None and not _exists(revision) else None
    database.refusal = None if wrong is None else wrong.message
    if wrong is not None:
        raise wrong
    return revision


def _exists(revision: str) -> bool:
    return revision in _revisions()


def _migrate(database: Database, run: Callable[[Config], None]) -> None:
    _known(database)
    with database.exclusive(_LOCK, wait=True):
        # Another process may have upgraded it meanwhile.
        _known(database)
        with database.transaction() as connection:
            config = _config()
            config.attributes["connection"] = connection
            try:
                run(config)
            except CommandError as wrong:
                raise Invalid(f"The database cannot be changed: {wrong}") from wrong


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
