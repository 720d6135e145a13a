"""All tables but those of `maintenance_tables`.

A change of a table needs a migration in `migrations/versions`; a test compares both.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Date,
    DateTime,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from kinfolk.db import maintenance_tables

PACKAGE_NAME_LENGTH = 214
"""The longest name of an npm package."""
EMAIL_LENGTH = 254
"""The longest e-mail address (RFC 5321, 4.5.3.1.3)."""

metadata = maintenance_tables.metadata
"""Of all tables, with those of `maintenance_tables`."""

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

# Accounts. Rows of a user are deleted with the user.

users = Table(
    "users",
    metadata,
    # Random. It is in no address and no page.
    Column("id", String(32), primary_key=True),
    Column("name", String(100), nullable=False),
    Column("created_at", DateTime, nullable=False),
    # Until when the user counts as a member of the maintainers' GitHub organization.
    Column("member_until", DateTime),
    # The highest revision of the user's saved items.
    Column("items_revision", BigInteger, nullable=False),
)

identities = Table(
    "identities",
    metadata,
    # "email", "github", "google"
    Column("provider", String(16), primary_key=True),
    # The address in lower case, or the provider's id of the account.
    Column("subject", String(EMAIL_LENGTH), primary_key=True),
    Column("user_id", ForeignKey(users.c.id, ondelete="CASCADE"), nullable=False, index=True),
    # What the reader recognizes: an address or a login.
    Column("label", String(EMAIL_LENGTH), nullable=False),
    Column("created_at", DateTime, nullable=False),
)
"""Ways to sign in to an account. Every address was verified by a code or by the provider."""

sessions = Table(
    "sessions",
    metadata,
    # SHA-256 of the token in the cookie.
    Column("digest", String(64), primary_key=True),
    # Names the session in the list of the reader's devices.
    Column("id", String(16), nullable=False),
    Column("user_id", ForeignKey(users.c.id, ondelete="CASCADE"), nullable=False, index=True),
    Column("provider", String(16), nullable=False),
    Column("device", String(100), nullable=False),
    Column("created_at", DateTime, nullable=False),
    Column("last_seen_at", DateTime, nullable=False),
    Column("expires_at", DateTime, nullable=False, index=True),
    UniqueConstraint("id"),
)
"""Browsers that are signed in."""

sign_in_attempts = Table(
    "sign_in_attempts",
    metadata,
    # SHA-256 of the token in the cookie of the browser that began it.
    Column("digest", String(64), primary_key=True),
    # "email", "github", "google"
    Column("provider", String(16), nullable=False),
    # HMAC of the e-mail address, for limits; None for other providers.
    Column("email_digest", String(64), index=True),
    # HMAC of the client's address, for limits.
    Column("client_digest", String(64), nullable=False, index=True),
    # The e-mail address while the sign-in is open.
    Column("email", String(EMAIL_LENGTH)),
    # HMAC of the code in the mail; None for other providers.
    Column("code_digest", String(64)),
    # SHA-256 of the token in the link of the mail.
    Column("link_digest", String(64), index=True),
    # The local address to return to.
    Column("return_to", String(2048), nullable=False),
    Column("wrong_codes", Integer, nullable=False),
    Column("created_at", DateTime, nullable=False, index=True),
    Column("expires_at", DateTime, nullable=False),
    # Whether it was completed or has used up its codes. The row stays for the limits.
    Column("closed", Boolean, nullable=False),
)
"""Sign-ins that began in the last hour."""

outgoing_mail = Table(
    "outgoing_mail",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("recipient", String(EMAIL_LENGTH), nullable=False),
    Column("subject", String(200), nullable=False),
    Column("text", Text, nullable=False),
    Column("created_at", DateTime, nullable=False),
    Column("due_at", DateTime, nullable=False, index=True),
    Column("expires_at", DateTime, nullable=False),
    Column("attempts", Integer, nullable=False),
)
"""Mail that is not sent yet. A row is deleted when it is sent or expired."""

audit_events = Table(
    "audit_events",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", DateTime, nullable=False, index=True),
    # For example "sign-in", "session-revoked", "sync-requested"
    Column("action", String(32), nullable=False),
    # None for events without an account.
    Column("user_id", ForeignKey(users.c.id, ondelete="CASCADE"), index=True),
    # What the action was about, without personal data.
    Column("detail", String(200), nullable=False),
)
"""What accounts have done, for 180 days."""

saved_items = Table(
    "saved_items",
    metadata,
    Column("user_id", ForeignKey(users.c.id, ondelete="CASCADE"), primary_key=True),
    # "comparison", "bookmark", "reading", "note", "preference"
    Column("kind", String(16), primary_key=True),
    # Unique within its kind: an id, an address, an address with a heading, the name of a preference.
    Column("key", String(512), primary_key=True),
    # JSON by kind; None for a deleted item, which other devices must learn of.
    Column("value", Text),
    # The browser's time of the change, in milliseconds since 1970.
    Column("changed_ms", BigInteger, nullable=False),
    # Rises with each change within the user's items.
    Column("revision", BigInteger, nullable=False),
    # The end of the public address of a comparison; None if it is private.
    Column("slug", String(16)),
    UniqueConstraint("slug"),
    Index(None, "user_id", "revision"),
)
"""What readers saved: comparisons, bookmarks, pages to continue, notes, preferences."""

live_topics = Table(
    "live_topics",
    metadata,
    # A name with its arguments.
    Column("topic", String(400), primary_key=True),
    # Rises with each change of any topic.
    Column("version", BigInteger, nullable=False, index=True),
    # A flat JSON object.
    Column("data", Text, nullable=False),
    Column("as_of", DateTime, nullable=False),
)
"""The current states of topics that browsers and other processes follow."""

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

search_result_clicks = Table(
    "search_result_clicks",
    metadata,
    Column("day", Date, primary_key=True),
    Column("index_name", String(256), primary_key=True),
    Column("digest", String(16), primary_key=True),
    Column("record", String(1024), primary_key=True),
    Column("count", Integer, nullable=False),
    sqlite_with_rowid=False,
)
"""Clicks on records a day, by the digest of the searched text."""

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

# Answers

answer_usage = Table(
    "answer_usage",
    metadata,
    Column("day", Date, primary_key=True),
    Column("questions", Integer, nullable=False),
    # Sent to the service or received from it.
    Column("characters", BigInteger, nullable=False),
)
"""What the answers of a day have used."""

shared_questions = Table(
    "shared_questions",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("day", Date, nullable=False, index=True),
    Column("text", String(512), nullable=False),
    # "answered", "not_in_docs", "failed", "stopped"
    Column("outcome", String(16), nullable=False),
    # Sentences that were shown, and those that failed the check.
    Column("sentences", Integer, nullable=False),
    Column("hidden", Integer, nullable=False),
)
"""Questions whose readers consented that maintainers read them, for 90 days."""

# Stars, contributors, dependents

figures = Table(
    "figures",
    metadata,
    # A repository or a package, such as `repository:acme/query`.
    Column("subject", String(240), primary_key=True),
    # "stars", "contributors", "dependents"
    Column("name", String(16), primary_key=True),
    # None before the first successful request.
    Column("value", BigInteger),
    Column("as_of", DateTime),
    # Whether the last answer was that there is no such figure.
    Column("absent", Boolean, nullable=False),
    # That of the answer with this value, for conditional requests; empty without one.
    Column("etag", String(200), nullable=False),
    Column("etag_at", DateTime),
    # None if a request is due at once.
    Column("due_at", DateTime),
    # Failed requests in a row.
    Column("failures", Integer, nullable=False),
    # A number that is higher with each change that pages show.
    Column("revision", BigInteger, nullable=False),
)
"""The last known figures of repositories and packages."""

# Releases on code hosts

host_releases = Table(
    "host_releases",
    metadata,
    # The address of the repository, such as https://github.com/acme/query.
    Column("repository", String(300), primary_key=True),
    Column("tag", String(255), primary_key=True),
    Column("name", String(300), nullable=False),
    # Markdown.
    Column("body", Text, nullable=False),
    # Whether the body was longer than what is stored.
    Column("is_cut", Boolean, nullable=False),
    Column("is_prerelease", Boolean, nullable=False),
    Column("published_at", DateTime, nullable=False),
    # When the host last listed it.
    Column("seen_at", DateTime, nullable=False),
)
"""Releases that code hosts list, with their notes."""

release_listings = Table(
    "release_listings",
    metadata,
    Column("repository", String(300), primary_key=True),
    # That of the first page; empty without one.
    Column("etag", String(200), nullable=False),
    # The next page of a reading of all pages that has begun; None if there is none.
    Column("next_page", Integer),
    # When the last reading of all pages began, and when one was last completed.
    Column("full_began_at", DateTime),
    Column("full_at", DateTime),
    # None if a request is due at once.
    Column("due_at", DateTime),
    # Failed requests in a row.
    Column("failures", Integer, nullable=False),
    # A number that is higher with each change of any repository's releases.
    Column("revision", BigInteger, nullable=False),
)
"""How far the releases of each repository are read."""

pull_requests = Table(
    "pull_requests",
    metadata,
    # The name of the repository, such as acme/query.
    Column("repository", String(300), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("base", String(255), nullable=False),
    Column("head", String(64), nullable=False),
    Column("title", String(300), nullable=False),
    Column("author", String(100), nullable=False),
    # "open", "draft", "closed", "merged"
    Column("state", String(16), nullable=False),
    Column("commented", String(64), nullable=False),
    Column("updated_at", DateTime, nullable=False),
    Column("revision", BigInteger, nullable=False),
)
"""Pull requests with previews, as the webhooks of their code hosts describe them."""
