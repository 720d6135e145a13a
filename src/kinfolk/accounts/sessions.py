"""Users and their sessions in the database.

A session is a random token in a cookie of the browser; the database has its digest. It lasts 30
days, and can be revoked.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, delete, func, select, update

from kinfolk.accounts.account import Account, Provider, VerifiedIdentity, role_of
from kinfolk.accounts.audit_log import record_event
from kinfolk.accounts.secret_tokens import LONGEST_TOKEN, new_id, new_token, token_digest
from kinfolk.db.database import Database
from kinfolk.db.tables import identities, sessions, users

LIFETIME = timedelta(days=30)
MEMBERSHIP = timedelta(days=7)
"""How long a member of the maintainers' organization is a maintainer after a sign-in: the access token is not kept."""
SEEN_EVERY = timedelta(hours=1)
"""How exactly `last_seen_at` is known: most requests write nothing."""
MOST_SESSIONS = 30
"""Sessions of a user. The next one ends the oldest."""


@dataclass(frozen=True)
class Session:
    """A browser that is signed in. `is_current` marks the one that requests the list."""

    id: str
    provider: Provider
    device: str
    created_at: datetime
    last_seen_at: datetime
    is_current: bool


@dataclass(frozen=True)
class Identity:
    """A way to sign in to the account."""

    provider: Provider
    label: str


class Sessions:
    """For any number of threads and processes. All methods block. Raises Unavailable."""

    def __init__(self, database: Database, *, maintainers: Collection[str], now: Callable[[], datetime]) -> None:
        """`maintainers` are e-mail addresses in lower case."""
        self._database = database
        self._maintainers = frozenset(maintainers)
        self._now = now

    def begin(self, connection: Connection, identity: VerifiedIdentity, *, device: str) -> str:
        """Sign in within a transaction. Returns the token of the new session. Creates the user at the first sign-in."""
        now = self._now()
        user_id = _find_user(connection, identity) or _create_user(connection, identity, now)
        _add_identities(connection, self._database, identity, user_id, now)
        if identity.is_member:
            connection.execute(update(users).where(users.c.id == user_id).values(member_until=now + MEMBERSHIP))
        elif identity.provider == "github":
            connection.execute(update(users).where(users.c.id == user_id).values(member_until=None))
        _make_room(connection, user_id, now)
        token = new_token()
        values = {"digest": token_digest(token), "id": new_id(), "user_id": user_id, "provider": identity.provider}
        times = {"created_at": now, "last_seen_at": now, "expires_at": now + LIFETIME}
        connection.execute(sessions.insert().values(**values, **times, device=device))
        record_event(connection, "sign-in", user_id=user_id, now=now, detail=f"{identity.provider}, {device}")
        return token

    def account(self, token: str) -> Account | None:
        """The account of a session; None for an unknown, revoked or expired token."""
        if not token or len(token) > LONGEST_TOKEN:
            return None
        now = self._now()
        query = (
            select(sessions.c.digest, sessions.c.id.label("session_id"), sessions.c.last_seen_at, users)
            .join(users, users.c.id == sessions.c.user_id)
            .where(sessions.c.digest == token_digest(token), sessions.c.expires_at > now)
        )
        with self._database.reading() as connection:
            row = connection.execute(query).one_or_none()
            emails = [] if row is None else _emails(connection, row.id)
        if row is None:
            return None
        if now - row.last_seen_at >= SEEN_EVERY:
            self._mark_seen(row.digest, now)
        role = role_of(emails, row.member_until, self._maintainers, now)
        return Account(row.id, row.name, emails[0] if emails else None, role, row.session_id)

    def end(self, token: str) -> None:
        """Sign out."""
        now = self._now()
        with self._database.transaction() as connection:
            user_id = connection.scalar(
                delete(sessions).where(sessions.c.digest == token_digest(token)).returning(sessions.c.user_id)
            )
            if user_id is not None:
                record_event(connection, "sign-out", user_id=user_id, now=now)

    def sessions(self, account: Account) -> list[Session]:
        """The sessions of the account, the last used first."""
        query = select(sessions).where(sessions.c.user_id == account.id, sessions.c.expires_at > self._now())
        with self._database.reading() as connection:
            rows = connection.execute(query.order_by(sessions.c.last_seen_at.desc())).all()
        return [
            Session(
                id=row.id,
                provider=row.provider,
                device=row.device,
                created_at=row.created_at,
                last_seen_at=row.last_seen_at,
                is_current=row.id == account.session_id,
            )
            for row in rows
        ]

    def identities(self, account: Account) -> list[Identity]:
        """The ways to sign in to the account."""
        query = select(identities).where(identities.c.user_id == account.id).order_by(identities.c.created_at)
        with self._database.reading() as connection:
            return [Identity(row.provider, row.label) for row in connection.execute(query)]

    def revoke(self, account: Account, session_ids: Collection[str] | None = None) -> int:
        """End these sessions of the account, or all but the current one. Returns how many were ended."""
        now = self._now()
        chosen = sessions.c.id != account.session_id if session_ids is None else sessions.c.id.in_(sorted(session_ids))
        with self._database.transaction() as connection:
            ended = connection.execute(delete(sessions).where(sessions.c.user_id == account.id, chosen)).rowcount
            if ended:
                record_event(connection, "sessions-ended", user_id=account.id, now=now, detail=str(ended))
        return ended

    def _mark_seen(self, digest: str, now: datetime) -> None:
        with self._database.transaction() as connection:
            connection.execute(update(sessions).where(sessions.c.digest == digest).values(last_seen_at=now))


def _find_user(connection: Connection, identity: VerifiedIdentity) -> str | None:
    """The user of the identity, or of its verified address."""
    keys = [(identity.provider, identity.subject), *([("email", identity.email)] if identity.email else [])]
    for provider, subject in keys:
        query = select(identities.c.user_id).where(identities.c.provider == provider, identities.c.subject == subject)
        found = connection.scalar(query)
        if found is not None:
            return str(found)
    return None


def _create_user(connection: Connection, identity: VerifiedIdentity, now: datetime) -> str:
    id = new_id()
    values = {"id": id, "name": identity.name, "created_at": now, "items_revision": 0}
    connection.execute(users.insert().values(values))
    record_event(connection, "account-created", user_id=id, now=now, detail=identity.provider)
    return id


def _add_identities(
    connection: Connection, database: Database, identity: VerifiedIdentity, user_id: str, now: datetime
) -> None:
    """Store the identity and its address, unless the address signs in to another account."""
    rows = [{"provider": identity.provider, "subject": identity.subject, "label": identity.label}]
    if identity.email and identity.provider != "email":
        rows.append({"provider": "email", "subject": identity.email, "label": identity.email})
    for row in rows:
        insert = database.insert(identities).values(**row, user_id=user_id, created_at=now)
        connection.execute(insert.on_conflict_do_nothing())


def _make_room(connection: Connection, user_id: str, now: datetime) -> None:
    """Delete expired sessions of all users, and the oldest ones of a user who has too many."""
    connection.execute(delete(sessions).where(sessions.c.expires_at <= now))
    count = connection.scalar(select(func.count()).select_from(sessions).where(sessions.c.user_id == user_id)) or 0
    if count >= MOST_SESSIONS:
        oldest = select(sessions.c.digest).where(sessions.c.user_id == user_id).order_by(sessions.c.last_seen_at)
        digests = connection.scalars(oldest.limit(count - MOST_SESSIONS + 1)).all()
        connection.execute(delete(sessions).where(sessions.c.digest.in_(digests)))


def _emails(connection: Connection, user_id: str) -> list[str]:
    columns = identities.c
    query = select(columns.subject).where(columns.user_id == user_id, columns.provider == "email")
    return [str(email) for email in connection.scalars(query.order_by(columns.created_at))]
