"""The reader's account: how to sign in, the dashboard, sessions, saved items."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from pydantic import StringConstraints

from kinfolk.accounts.account import Provider, Role
from kinfolk.accounts.saved_items import LONGEST_VALUE, Exchange, ItemChange, ItemKind
from kinfolk.api.registry import Call, registry, request_data
from kinfolk.config.settings import is_development
from kinfolk.runtime.cache import DOCS, PRIVATE
from kinfolk.runtime.errors import Refused

SavedValue = Annotated[str, StringConstraints(max_length=LONGEST_VALUE)]


@dataclass(frozen=True)
class SignInProvider:
    id: Provider
    name: str


@dataclass(frozen=True)
class SignInOptions:
    """`outbox` says that mail is not sent but shown at `/auth/outbox`, in development."""

    mail: bool
    outbox: bool
    providers: tuple[SignInProvider, ...]


@registry.function("account.options", cache=DOCS)
async def account_options(call: Call) -> SignInOptions:
    """The ways to sign in that this site has."""
    accounts = call.site.accounts
    return SignInOptions(
        mail=call.site.sign_in_by_mail,
        outbox=accounts.sender is None and is_development(call.site.settings),
        providers=tuple(SignInProvider(each.id, each.name) for each in accounts.providers.values()),
    )


@dataclass(frozen=True)
class AccountIdentity:
    provider: Provider
    label: str


@dataclass(frozen=True)
class AccountSession:
    """Times are in UTC."""

    id: str
    provider: Provider
    device: str
    created_at: str
    last_seen_at: str
    is_current: bool


@dataclass(frozen=True)
class AccountDetails:
    """`id` tells browsers whose items they hold."""

    id: str
    name: str
    email: str | None
    role: Role
    identities: tuple[AccountIdentity, ...]
    sessions: tuple[AccountSession, ...]


@dataclass(frozen=True)
class Dashboard:
    """What the server knows of the reader: nothing without a session."""

    account: AccountDetails | None


@registry.function("dashboard.load", cache=PRIVATE)
async def dashboard_load(call: Call) -> Dashboard:
    account = await call.account()
    if account is None:
        return Dashboard(None)
    stored = call.site.accounts.sessions
    identities = await asyncio.to_thread(stored.identities, account)
    sessions = await asyncio.to_thread(stored.sessions, account)
    details = AccountDetails(
        id=account.id,
        name=account.name,
        email=account.email,
        role=account.role,
        identities=tuple(AccountIdentity(each.provider, each.label) for each in identities),
        sessions=tuple(
            AccountSession(
                id=each.id,
                provider=each.provider,
                device=each.device,
                created_at=_utc(each.created_at),
                last_seen_at=_utc(each.last_seen_at),
                is_current=each.is_current,
            )
            for each in sessions
        ),
    )
    return Dashboard(details)


@request_data
class ChangeRequest:
    """A change of a saved item. `value` is its JSON, null for a deleted item; `changed_ms` is the browser's time."""

    kind: ItemKind
    key: str
    changed_ms: int
    value: SavedValue | None = None


@request_data
class ExchangeRequest:
    """`since` is the revision of the last exchange, 0 before the first. `owner` is the account of the browser's items.

    Without an owner, they were saved before a sign-in.
    """

    changes: tuple[ChangeRequest, ...]
    since: int
    owner: str | None = None


@dataclass(frozen=True)
class ExchangeAnswer:
    """`owner` is the account that the items belong to."""

    owner: str
    exchange: Exchange


@registry.function("account.exchange", method="POST", cache=PRIVATE)
async def account_exchange(call: Call, request: ExchangeRequest) -> ExchangeAnswer:
    """Store the browser's changes, and return what changed elsewhere.

    Changes of another account are not stored: the browser replaces its items by those of the answer.
    """
    account = await call.require_account()
    is_owner = request.owner in (None, account.id)
    changes = [ItemChange(each.kind, each.key, each.value, each.changed_ms) for each in request.changes]
    exchange = await asyncio.to_thread(
        call.site.accounts.items.exchange,
        account.id,
        changes if is_owner else (),
        since=request.since if is_owner and request.owner else 0,
    )
    return ExchangeAnswer(account.id, exchange)


@request_data
class PublishRequest:
    key: str
    public: bool


@registry.function("account.publish", method="POST", cache=PRIVATE)
async def account_publish(call: Call, request: PublishRequest) -> str | None:
    """Give a saved comparison a public address, or take it away. Returns the end of the address."""
    account = await call.require_account()
    items = call.site.accounts.items
    return await asyncio.to_thread(items.publish, account.id, request.key, public=request.public)


@request_data
class EndSessionsRequest:
    """`ids` null ends all sessions but the current one."""

    ids: tuple[str, ...] | None = None


@registry.function("sessions.end", method="POST", cache=PRIVATE)
async def sessions_end(call: Call, request: EndSessionsRequest) -> int:
    """End sessions of the account. Returns how many."""
    account = await call.require_account()
    return await asyncio.to_thread(call.site.accounts.sessions.revoke, account, request.ids)


@request_data
class DeletionRequest:
    """`confirmation` is the address or the login of the account, as the reader typed it."""

    confirmation: str


@registry.function("account.delete", method="POST", cache=PRIVATE)
async def account_delete(call: Call, request: DeletionRequest) -> None:
    """Delete the account and everything that belongs to it. Raises Refused for a wrong confirmation."""
    account = await call.require_account()
    identities = await asyncio.to_thread(call.site.accounts.sessions.identities, account)
    if request.confirmation.strip().lower() not in {each.label.lower() for each in identities}:
        raise Refused("This is not the address of your account. The account was not deleted.")
    await asyncio.to_thread(call.site.accounts.delete, account)


def _utc(time: datetime) -> str:
    return f"{time.isoformat(timespec='seconds')}Z"
