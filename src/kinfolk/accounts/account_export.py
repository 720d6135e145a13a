"""Everything that is stored about an account, as JSON for its owner."""

from __future__ import annotations

import dataclasses
from typing import Any

import orjson

from kinfolk.accounts.account import Account
from kinfolk.accounts.accounts import Accounts
from kinfolk.accounts.saved_items import SavedItem

MOST_EVENTS = 10_000


def export_account(accounts: Accounts, account: Account) -> bytes:
    """The rows of the account in all tables, without digests of secrets. Raises Unavailable."""
    content = {
        "account": {"id": account.id, "name": account.name, "email": account.email, "role": account.role},
        "identities": [dataclasses.asdict(each) for each in accounts.sessions.identities(account)],
        "sessions": [dataclasses.asdict(each) for each in accounts.sessions.sessions(account)],
        "savedItems": [_item(each) for each in accounts.items.items(account.id)],
        "events": [dataclasses.asdict(each) for each in accounts.events(account, limit=MOST_EVENTS)],
    }
    return orjson.dumps(content, option=orjson.OPT_INDENT_2 | orjson.OPT_NAIVE_UTC)


def _item(item: SavedItem) -> dict[str, Any]:
    return {**dataclasses.asdict(item), "value": orjson.loads(item.value or "null")}
