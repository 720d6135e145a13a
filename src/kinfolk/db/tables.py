"""All tables. A change of a table needs a migration in `migrations/versions`; a test compares both."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Date,
    DateTime,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
)

NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}
"""Fixed names of constraints, so that migrations can drop them."""

PACKAGE_NAME_LENGTH = 214
"""The longest name of an npm package."""

metadata = MetaData(naming_convention=NAMING)

npm_packages = Table(
    "npm_packages",
    metadata,
    Column("name", String(PACKAGE_NAME_LENGTH), primary_key=True),
    # "waiting" (its name is not verified), "importing", "complete", "not_found"
    Column("status", String(16), nullable=False),
    # In UTC, as all times here, without a time zone.
    Column("requested_at", DateTime, nullable=False),
    Column("checked_at", DateTime),
    # A digest of the client's address while the package waits: one address may add few packages an hour.
    Column("requested_by", String(32)),
    # A number from `npm_state` "revision", higher with each change of the package's counts or status.
    Column("revision", BigInteger, nullable=False),
    Index(None, "status", "requested_at"),
    Index(None, "revision"),
)
"""Packages whose downloads are stored or requested."""

npm_downloads = Table(
    "npm_downloads",
    metadata,
    # "" is the whole registry.
    Column("package", String(PACKAGE_NAME_LENGTH), primary_key=True),
    Column("year", Integer, primary_key=True),
    # "npm" (the downloads API), "file" (an imported file with a source), "sample" (synthetic)
    Column("source", String(16), primary_key=True),
    # One signed 64-bit little-endian integer for each day from 1 January; -1 for a day without a count.
    Column("counts", LargeBinary, nullable=False),
    # Where the counts come from, in words, for source "file".
    Column("origin", Text, nullable=False),
    # Whether every day of the year is final: older than the days that npm may still correct.
    Column("final", Boolean, nullable=False),
    Column("as_of", DateTime, nullable=False),
)
"""Daily downloads of a package in a year."""

npm_version_weeks = Table(
    "npm_version_weeks",
    metadata,
    Column("package", String(PACKAGE_NAME_LENGTH), primary_key=True),
    # The last day of the seven.
    Column("last_day", Date, primary_key=True),
    # A JSON object of downloads by version.
    Column("counts", Text, nullable=False),
    Column("as_of", DateTime, nullable=False),
)
"""Downloads of each version in seven days. npm has no history of these: a week that is not recorded is lost."""

github_stars = Table(
    "github_stars",
    metadata,
    Column("repository", String(200), primary_key=True),
    Column("year", Integer, primary_key=True),
    # New stars a day, in the form of `npm_downloads.counts`.
    Column("counts", LargeBinary, nullable=False),
    Column("as_of", DateTime, nullable=False),
)
"""New stars of a repository on each day of a year."""

npm_state = Table(
    "npm_state",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("value", Text, nullable=False),
)
"""Values of the importer: "revision", "last_success_at", "last_failure", ..."""

search_queries = Table(
    "search_queries",
    metadata,
    Column("day", Date, primary_key=True),
    Column("index_name", String(256), primary_key=True),
    Column("text", String(256), primary_key=True),
    Column("digest", String(16), nullable=False),
    Column("count", Integer, nullable=False),
    Column("without_result", Integer, nullable=False),
    sqlite_with_rowid=False,
)
"""Searches a day, by text."""

search_clicks = Table(
    "search_clicks",
    metadata,
    Column("day", Date, primary_key=True),
    Column("index_name", String(256), primary_key=True),
    Column("digest", String(16), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("count", Integer, nullable=False),
    sqlite_with_rowid=False,
)
"""Clicks on results a day, by the digest of the searched text and the position."""

search_clicked_records = Table(
    "search_clicked_records",
    metadata,
    Column("day", Date, primary_key=True),
    Column("index_name", String(256), primary_key=True),
    Column("record", String(1024), primary_key=True),
    Column("count", Integer, nullable=False),
    sqlite_with_rowid=False,
)
"""Clicks on records a day."""

search_events = Table(
    "search_events",
    metadata,
    Column("day", Date, primary_key=True),
    Column("index_name", String(256), primary_key=True),
    Column("kind", String(16), primary_key=True),
    Column("count", Integer, nullable=False),
    sqlite_with_rowid=False,
)
"""Clicks, conversions and views a day."""
