"""Sign-ins in progress: codes and links of mails, and the state of OAuth. Each is used once and expires.

A browser that begins a sign-in gets a random token in a cookie. Everything else is bound to that token: the code of the
mail, and OAuth's state and PKCE verifier, which are digests of it. The link of the mail has a token of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, Row, delete, func, select, update

from kinfolk.accounts.account import Provider
from kinfolk.accounts.secret_tokens import LONGEST_TOKEN, SecretKey, new_code, new_token, same, token_digest
from kinfolk.db.database import Database
from kinfolk.db.tables import sign_in_attempts
from kinfolk.runtime.errors import Refused

LIFETIME = timedelta(minutes=10)
HOUR = timedelta(hours=1)
CODE_DIGITS = 8
MOST_WRONG_CODES = 5
PER_CLIENT = 30
"""Sign-ins that one client's address may begin in an hour."""
PER_EMAIL = 15
"""Mails to one address in an hour, from all clients."""
PER_EMAIL_AND_CLIENT = 5
"""Mails to one address in an hour that one client may request, so that no client uses up all of an address."""
MOST_ATTEMPTS = 20_000
"""Sign-ins of all clients in an hour."""

Failure = Literal["code", "expired", "limit", "state", "other-browser", "denied", "provider", "email"]

_columns = sign_in_attempts.c


class SignInFailed(Refused):
    """A sign-in that cannot go on. `failure` selects the message that the sign-in page shows."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(f"The sign-in failed: {failure}")
        self.failure: Failure = failure


@dataclass(frozen=True)
class EmailAttempt:
    """What a mail contains, and the token of the browser. Without a code and a link, no mail is sent."""

    browser_token: str
    code: str | None = None
    link_token: str | None = None


@dataclass(frozen=True)
class VerifiedEmail:
    """An address whose owner has entered the code or opened the link."""

    email: str
    return_to: str


class SignInAttempts:
    """The methods take a connection and are part of its transaction. For any number of processes."""

    def __init__(self, database: Database, key: SecretKey, *, now: Callable[[], datetime]) -> None:
        self._database = database
        self._key = key
        self._now = now

    def begin_email(self, connection: Connection, email: str, *, client: str, return_to: str) -> EmailAttempt:
        """Begin a sign-in by mail. Above the limits of the address there is no mail, and no other difference.

        Raises SignInFailed above the limits of the client or of the site.
        """
        email_digest, client_digest = self._key.digest("email", email), self._key.digest("client", client)
        self._check_limits(connection, client_digest)
        sent = (_columns.email_digest == email_digest, _columns.link_digest.is_not(None))
        is_limited = (
            self._count(connection, *sent) >= PER_EMAIL
            or self._count(connection, *sent, _columns.client_digest == client_digest) >= PER_EMAIL_AND_CLIENT
        )
        browser_token = new_token()
        code, link_token = new_code(CODE_DIGITS), new_token()
        self._add(
            connection,
            browser_token,
            provider="email",
            email_digest=email_digest,
            client_digest=client_digest,
            email=email,
            # A code that is in no mail: entering codes fails as it does with a wrong one.
            code_digest=self._code_digest(browser_token, code),
            link_digest=None if is_limited else token_digest(link_token),
            return_to=return_to,
        )
        return EmailAttempt(browser_token) if is_limited else EmailAttempt(browser_token, code, link_token)

    def begin_oauth(self, connection: Connection, provider: Provider, *, client: str, return_to: str) -> str:
        """Begin a sign-in with a provider. Returns the token of the browser. Raises SignInFailed above the limits."""
        client_digest = self._key.digest("client", client)
        self._check_limits(connection, client_digest)
        browser_token = new_token()
        self._add(
            connection, browser_token, provider=provider, client_digest=client_digest, return_to=return_to, email=None
        )
        return browser_token

    def state(self, browser_token: str) -> str:
        """OAuth's state of this browser."""
        return self._key.digest("oauth-state", browser_token)

    def verifier(self, browser_token: str) -> str:
        """The PKCE verifier of this browser (RFC 7636: 43 to 128 characters)."""
        return self._key.digest("pkce-verifier", browser_token)

    def finish_oauth(self, connection: Connection, provider: Provider, browser_token: str, state: str) -> str:
        """Use the sign-in up. Returns the address to return to.

        Raises SignInFailed for the state of another browser, and for a sign-in that is unknown, used or expired.
        """
        if not _is_token(browser_token) or not same(state, self.state(browser_token)):
            raise SignInFailed("state")
        found = self._find(connection, _columns.digest == token_digest(browser_token), _columns.provider == provider)
        self._close(connection, found.digest)
        return str(found.return_to)

    def confirm_code(self, connection: Connection, code: str, *, browser_token: str, link_token: str) -> VerifiedEmail:
        """Use the sign-in of this browser, or that of the link it has opened, up with the code of the mail.

        Raises SignInFailed. A wrong code is counted in the transaction, so commit it then, too.
        """
        found = self._find(connection, *_by_tokens(browser_token, link_token))
        digits = "".join(c for c in code if c.isascii() and c.isdigit())
        if not same(self._digest_of_code(found.digest, digits), found.code_digest):
            self._count_wrong_code(connection, found)
            raise SignInFailed("code")
        return self._verified(connection, found)

    def confirm_link(self, connection: Connection, *, link_token: str, browser_token: str) -> VerifiedEmail:
        """Use the sign-in of the link up. Raises SignInFailed, `other-browser` where this browser did not begin it.

        Otherwise anyone could sign a reader in to an account of theirs, with a link to it.
        """
        if not _is_token(link_token):
            raise SignInFailed("expired")
        found = self._find(connection, _columns.link_digest == token_digest(link_token))
        if not _is_token(browser_token) or not same(token_digest(browser_token), found.digest):
            raise SignInFailed("other-browser")
        return self._verified(connection, found)

    def forget(self, connection: Connection, email: str) -> None:
        """Delete the sign-ins with an address."""
        digest = self._key.digest("email", email)
        connection.execute(delete(sign_in_attempts).where(_columns.email_digest == digest))

    def _verified(self, connection: Connection, found: Row[Any]) -> VerifiedEmail:
        self._close(connection, found.digest)
        return VerifiedEmail(found.email, found.return_to)

    def _find(self, connection: Connection, *conditions: ColumnElement[bool]) -> Row[Any]:
        """The open sign-in. Other requests for it wait until the transaction ends: guesses are counted one by one."""
        open_ones = (_columns.closed.is_(False), _columns.expires_at > self._now())
        row = connection.execute(select(sign_in_attempts).where(*conditions, *open_ones).with_for_update()).first()
        if row is None:
            raise SignInFailed("expired")
        return row

    def _close(self, connection: Connection, digest: str) -> None:
        """Raises SignInFailed if another request has closed it meanwhile."""
        unused = update(sign_in_attempts).where(_columns.digest == digest, _columns.closed.is_(False))
        if connection.execute(unused.values(closed=True, email=None)).rowcount != 1:
            raise SignInFailed("expired")

    def _count_wrong_code(self, connection: Connection, found: Row[Any]) -> None:
        wrong = _columns.wrong_codes + 1
        values = {"wrong_codes": wrong, "closed": wrong >= MOST_WRONG_CODES}
        connection.execute(update(sign_in_attempts).where(_columns.digest == found.digest).values(values))

    def _check_limits(self, connection: Connection, client_digest: str) -> None:
        self._database.serialize(connection, "sign-in")
        connection.execute(delete(sign_in_attempts).where(_columns.created_at <= self._now() - HOUR))
        of_client = self._count(connection, _columns.client_digest == client_digest)
        if of_client >= PER_CLIENT or self._count(connection) >= MOST_ATTEMPTS:
            raise SignInFailed("limit")

    def _count(self, connection: Connection, *conditions: ColumnElement[bool]) -> int:
        # Attempts of a clock that was ahead would count until it is as late again.
        query = select(func.count()).select_from(sign_in_attempts).where(_columns.created_at <= self._now() + HOUR)
        return connection.scalar(query.where(*conditions)) or 0

    def _add(self, connection: Connection, browser_token: str, **values: object) -> None:
        now = self._now()
        fixed = {"wrong_codes": 0, "created_at": now, "expires_at": now + LIFETIME, "closed": False}
        connection.execute(sign_in_attempts.insert().values(digest=token_digest(browser_token), **fixed, **values))

    def _code_digest(self, browser_token: str, code: str) -> str:
        return self._digest_of_code(token_digest(browser_token), code)

    def _digest_of_code(self, digest: str, code: str) -> str:
        return self._key.digest("code", f"{digest}:{code}")


def _is_token(text: str) -> bool:
    return 0 < len(text) <= LONGEST_TOKEN


def _by_tokens(browser_token: str, link_token: str) -> Sequence[ColumnElement[bool]]:
    """The attempt of the link if there is one: the reader opened it last."""
    if _is_token(link_token):
        return [_columns.link_digest == token_digest(link_token)]
    if _is_token(browser_token):
        return [_columns.digest == token_digest(browser_token), _columns.provider == "email"]
    raise SignInFailed("expired")
