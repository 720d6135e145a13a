"""Sign-in, sessions and the data of accounts: what the HTTP edge and the API functions call.

accounts.begin_email("ada@example.com", client="203.0.113.7", return_to="/dashboard")    -> token for a cookie
accounts.confirm_code("12345678", browser_token=..., link_token="", device="Firefox")    -> SignedIn
accounts.account(session_token)                                                          -> Account | None
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from sqlalchemy import Connection, delete

from kinfolk.accounts.account import Account, Provider, VerifiedIdentity, normalized_email
from kinfolk.accounts.audit_log import AuditEvent, latest_events, record_event
from kinfolk.accounts.oauth import OAuthProvider
from kinfolk.accounts.outgoing_mail import Mail, MailQueue, MailSender
from kinfolk.accounts.saved_items import SavedItems
from kinfolk.accounts.secret_tokens import SecretKey
from kinfolk.accounts.sessions import Sessions
from kinfolk.accounts.sign_in_attempts import LIFETIME, SignInAttempts, SignInFailed, VerifiedEmail
from kinfolk.db.database import Database
from kinfolk.db.tables import users
from kinfolk.runtime.errors import NotFound

LINK = "/auth/link/"
"""The address of a mail's link, followed by its token."""
HOME = "/dashboard"
"""Where a sign-in leads without another address."""
LONGEST_RETURN = 1024


@dataclass(frozen=True)
class SignedIn:
    """The token of the new session, and the address to return to."""

    token: str
    return_to: str


class Accounts:
    """For any number of threads and processes. Methods that are not async block. Raises Unavailable."""

    def __init__(
        self,
        database: Database,
        key: SecretKey,
        sessions: Sessions,
        items: SavedItems,
        *,
        providers: Sequence[OAuthProvider],
        mail: MailQueue,
        sender: MailSender | None,
        are_open: bool = True,
        family: str,
        origin: str,
        now: Callable[[], datetime],
    ) -> None:
        """`sender` is None where mail is not sent: in development, where the queue is shown as a page.

        Unless they `are_open`, no session has an account, also none of an earlier time.
        """
        self._are_open = are_open
        self.sessions = sessions
        self.items = items
        self.providers: Mapping[Provider, OAuthProvider] = {provider.id: provider for provider in providers}
        self.mail = mail
        self.sender = sender
        self._database = database
        self._attempts = SignInAttempts(database, key, now=now)
        self._family = family
        self._origin = origin
        self._now = now

    def account(self, session_token: str) -> Account | None:
        """The account of a session."""
        return self.sessions.account(session_token) if self._are_open else None

    def begin_email(self, email: str, *, client: str, return_to: str) -> str:
        """Send a code and a link to an address. Returns the token for the browser's cookie.

        The result and the time do not depend on whether the address has an account. Raises Invalid and SignInFailed.
        """
        address = normalized_email(email)
        with self._database.transaction() as connection:
            attempt = self._attempts.begin_email(
                connection, address, client=client, return_to=safe_return_address(return_to)
            )
            if attempt.code and attempt.link_token:
                mail = self._sign_in_mail(address, attempt.code, attempt.link_token)
                self.mail.add(connection, mail, lifetime=LIFETIME)
        if self.sender is not None:
            self.sender.wake()
        return attempt.browser_token

    def confirm_code(self, code: str, *, browser_token: str, link_token: str, device: str) -> SignedIn:
        """Sign in with the code of the mail. Raises SignInFailed."""
        confirm = partial(self._attempts.confirm_code, code=code, browser_token=browser_token, link_token=link_token)
        failure: SignInFailed | None = None
        with self._database.transaction() as connection:
            try:
                return self._sign_in(connection, confirm(connection), device)
            except SignInFailed as wrong:
                # Raised after the commit: the wrong code is counted.
                failure = wrong
        raise failure

    def confirm_link(self, *, link_token: str, browser_token: str, device: str) -> SignedIn:
        """Sign in with the link of the mail, in the browser that requested it. Raises SignInFailed."""
        with self._database.transaction() as connection:
            email = self._attempts.confirm_link(connection, link_token=link_token, browser_token=browser_token)
            return self._sign_in(connection, email, device)

    def begin_oauth(self, provider: Provider, *, client: str, return_to: str) -> tuple[str, str]:
        """The token for the browser's cookie, and the provider's address. Raises NotFound and SignInFailed."""
        known = self._provider(provider)
        with self._database.transaction() as connection:
            token = self._attempts.begin_oauth(
                connection, provider, client=client, return_to=safe_return_address(return_to)
            )
        state, verifier = self._attempts.state(token), self._attempts.verifier(token)
        return token, known.authorization_address(
            state=state, verifier=verifier, redirect_uri=self._redirect_uri(provider)
        )

    def use_oauth_state(self, provider: Provider, *, browser_token: str, state: str) -> str:
        """Use a sign-in with a provider up. Returns the address to return to. Raises SignInFailed."""
        with self._database.transaction() as connection:
            return self._attempts.finish_oauth(connection, provider, browser_token, state)

    async def identity(self, provider: Provider, *, browser_token: str, code: str) -> VerifiedIdentity:
        """Exchange the provider's code for the reader's identity. Waits for the provider. Raises SignInFailed."""
        return await self._provider(provider).identity(
            code=code, verifier=self._attempts.verifier(browser_token), redirect_uri=self._redirect_uri(provider)
        )

    def begin_session(self, identity: VerifiedIdentity, *, device: str) -> str:
        """The token of a new session."""
        with self._database.transaction() as connection:
            return self.sessions.begin(connection, identity, device=device)

    def record(self, account: Account, action: str, detail: str = "") -> None:
        """Add an event of the account to the audit log."""
        with self._database.transaction() as connection:
            record_event(connection, action, user_id=account.id, now=self._now(), detail=detail)

    def events(self, account: Account | None = None, *, limit: int = 100) -> list[AuditEvent]:
        """The latest events of an account, or of all accounts."""
        with self._database.reading() as connection:
            return latest_events(connection, user_id=account.id if account else None, limit=limit)

    def delete(self, account: Account) -> None:
        """Delete the account and everything that belongs to it."""
        addresses = [each.label for each in self.sessions.identities(account) if each.provider == "email"]
        with self._database.transaction() as connection:
            connection.execute(delete(users).where(users.c.id == account.id))
            for address in addresses:
                self.mail.forget(connection, address)
                self._attempts.forget(connection, address)
            record_event(connection, "account-deleted", user_id=None, now=self._now())

    def _sign_in(self, connection: Connection, verified: VerifiedEmail, device: str) -> SignedIn:
        identity = VerifiedIdentity("email", verified.email, verified.email, verified.email)
        return SignedIn(self.sessions.begin(connection, identity, device=device), verified.return_to)

    def _provider(self, provider: Provider) -> OAuthProvider:
        found = self.providers.get(provider)
        if found is None:
            raise NotFound("This way to sign in is not set up")
        return found

    def _redirect_uri(self, provider: Provider) -> str:
        return f"{self._origin}/auth/{provider}/callback"

    def _sign_in_mail(self, address: str, code: str, link_token: str) -> Mail:
        minutes = int(LIFETIME.total_seconds() // 60)
        shown = f"{code[:4]} {code[4:]}"
        text = (
            f"Enter this code to sign in to {self._family}:\n\n"
            f"    {shown}\n\n"
            f"Or open this link in the same browser:\n\n"
            f"{self._origin}{LINK}{link_token}\n\n"
            f"Both work once, within {minutes} minutes. If you did not try to sign in, ignore this email:"
            " nobody can sign in without it.\n"
        )
        return Mail(address, f"{shown} is your code for {self._family}", text)


def safe_return_address(address: str) -> str:
    """The address if it is a path of this site, else HOME. Browsers read two slashes of any kind as another site."""
    is_path = address.startswith("/") and not address.startswith(("//", "/\\", "/auth/", "/_"))
    is_clean = len(address) <= LONGEST_RETURN and address.isascii() and address.isprintable() and "\\" not in address
    return address if is_path and is_clean else HOME
