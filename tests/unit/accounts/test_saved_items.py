"""Saved items: merging of several browsers, limits, deletion, public comparisons; and the end of an account."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from sqlalchemy import select

from kinfolk.accounts.account import VerifiedIdentity
from kinfolk.accounts.accounts import Accounts
from kinfolk.accounts.outgoing_mail import MailQueue
from kinfolk.accounts.saved_items import AHEAD_MS, LIMITS, MOST_CHANGES, TOMBSTONES_KEPT, ItemChange, SavedItems
from kinfolk.accounts.secret_tokens import SecretKey, new_id
from kinfolk.accounts.sessions import Sessions
from kinfolk.db.database import Database
from kinfolk.db.tables import metadata
from kinfolk.runtime.errors import Invalid, NotFound, Refused

NOW = datetime(2026, 11, 23, 12, 0)  # noqa: DTZ001 - the tables have UTC without a time zone
NOW_MS = 1_795_000_000_000


def note(text: str) -> str:
    return json.dumps({"text": text, "title": "Overview", "heading": "Motivation", "digest": "abc"})


def change(key: str, value: str | None = None, *, at: int = NOW_MS, kind: Any = "note") -> ItemChange:
    return ItemChange(kind, key, value, at)


def comparison(key: str, query: str = "range=30-days", *, at: int = NOW_MS) -> ItemChange:
    return change(key, json.dumps({"name": "Mine", "query": query}), at=at, kind="comparison")


@pytest.fixture
def accounts(database: Database) -> Accounts:
    return Accounts(
        database,
        SecretKey("secret"),
        Sessions(database, maintainers=(), now=lambda: NOW),
        SavedItems(database, now_ms=lambda: NOW_MS),
        providers=(),
        mail=MailQueue(database, now=lambda: NOW),
        sender=None,
        family="TanStack",
        origin="https://kinfolk.test",
        now=lambda: NOW,
    )


def new_user(accounts: Accounts, email: str = "ada@example.com") -> str:
    token = accounts.begin_session(VerifiedIdentity("email", email, email, email), device="Firefox")
    account = accounts.account(token)
    assert account is not None
    return account.id


@pytest.fixture
def user(accounts: Accounts) -> str:
    return new_user(accounts)


class Browser:
    """What the script of a browser does: it holds items, and exchanges changes."""

    def __init__(self, items: SavedItems, user: str) -> None:
        self._items = items
        self._user = user
        self.held: dict[tuple[str, str], str] = {}
        self._pending: list[ItemChange] = []
        self._revision = 0

    def save(self, made: ItemChange) -> None:
        self._pending.append(made)
        self._hold(made.kind, made.key, made.value)

    def exchange(self) -> None:
        answer = self._items.exchange(self._user, self._pending, since=self._revision)
        self._pending, self._revision = [], answer.revision
        if answer.complete:
            self.held = {}
        for item in answer.items:
            self._hold(item.kind, item.key, item.value)

    def _hold(self, kind: str, key: str, value: str | None) -> None:
        self.held.pop((kind, key), None)
        if value is not None:
            self.held[kind, key] = json.dumps(json.loads(value), sort_keys=True)


def test_other_browsers_get_what_was_saved_changed_and_deleted(accounts: Accounts, user: str) -> None:
    desktop, phone = Browser(accounts.items, user), Browser(accounts.items, user)
    desktop.save(change("/query#a", note("first")))
    desktop.save(change("/query#b", note("second")))
    desktop.exchange()
    phone.exchange()
    assert phone.held == desktop.held
    phone.save(change("/query#a", note("changed"), at=NOW_MS + 1))
    phone.save(change("/query#b", None, at=NOW_MS + 1))
    phone.exchange()
    desktop.exchange()
    assert phone.held == desktop.held
    assert [json.loads(value)["text"] for value in desktop.held.values()] == ["changed"]


def test_items_of_a_signed_out_browser_are_merged(accounts: Accounts, user: str) -> None:
    desktop, phone = Browser(accounts.items, user), Browser(accounts.items, user)
    desktop.save(change("/query#a", note("newer"), at=NOW_MS + 5))
    desktop.exchange()
    phone.save(change("/query#a", note("older")))
    phone.save(change("/query#b", note("of the phone")))
    phone.exchange()
    assert sorted(json.loads(value)["text"] for value in phone.held.values()) == ["newer", "of the phone"]


STEPS = st.lists(
    st.tuples(st.integers(0, 1), st.sampled_from("ab"), st.sampled_from([None, "x", "y"]), st.booleans()), max_size=14
)


@pytest.mark.no_cover
@given(steps=STEPS)
@hypothesis_settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
def test_browsers_agree_after_any_sequence_of_changes(
    accounts: Accounts, steps: list[tuple[int, str, str | None, bool]]
) -> None:
    # All examples share the database: each has a user of its own.
    user = new_user(accounts, f"{new_id()}@example.com")
    browsers = [Browser(accounts.items, user), Browser(accounts.items, user)]
    for time, (browser, key, text, exchanges) in enumerate(steps):
        browsers[browser].save(change(key, None if text is None else note(text), at=NOW_MS + time))
        if exchanges:
            browsers[browser].exchange()
    for each in (*browsers, *browsers):
        each.exchange()
    assert browsers[0].held == browsers[1].held
    last = {key: text for key, text in {key: text for _, key, text, _ in steps}.items() if text is not None}
    assert {key: json.loads(value)["text"] for (_, key), value in browsers[0].held.items()} == last


def test_repeated_exchange_changes_nothing(accounts: Accounts, user: str) -> None:
    first = accounts.items.exchange(user, [change("a", note("x"))], since=0)
    again = accounts.items.exchange(user, [change("a", note("x"))], since=first.revision)
    assert (again.revision, again.items) == (first.revision, ())


def test_browser_with_a_revision_of_another_database_gets_everything(accounts: Accounts, user: str) -> None:
    accounts.items.exchange(user, [change("a", note("x"))], since=0)
    answer = accounts.items.exchange(user, [], since=999)
    assert answer.complete
    assert [item.key for item in answer.items] == ["a"]


def test_clock_that_is_ahead_does_not_win_for_ever(accounts: Accounts, user: str) -> None:
    accounts.items.exchange(user, [change("a", note("future"), at=NOW_MS * 2)], since=0)
    (item,) = accounts.items.items(user)
    assert item.changed_ms == NOW_MS + AHEAD_MS


def test_old_tombstones_are_deleted(accounts: Accounts, database: Database, user: str) -> None:
    accounts.items.exchange(user, [change("a", note("x"), at=5), change("a", None, at=6)], since=0)
    with database.reading() as connection:
        assert connection.execute(select(metadata.tables["saved_items"])).all() == []
    assert TOMBSTONES_KEPT.days == 90


def test_limits_drop_what_is_too_much(accounts: Accounts, user: str) -> None:
    made = [comparison(str(number)) for number in range(LIMITS["comparison"] + 2)]
    answer = accounts.items.exchange(user, made, since=0)
    assert answer.dropped == tuple(each.key for each in made[-2:])
    assert len(answer.items) == LIMITS["comparison"]
    accounts.items.exchange(user, [change("0", None, at=NOW_MS + 1, kind="comparison"), comparison("new")], since=0)
    assert "new" in {item.key for item in accounts.items.items(user)}


def test_oldest_pages_to_continue_are_dropped(accounts: Accounts, user: str) -> None:
    value = json.dumps({"title": "Overview", "library": "query"})
    made = [change(f"/p{n}", value, at=NOW_MS + n, kind="reading") for n in range(LIMITS["reading"] + 5)]
    accounts.items.exchange(user, made, since=0)
    assert {item.key for item in accounts.items.items(user)} == {each.key for each in made[5:]}


@pytest.mark.parametrize(
    "wrong",
    [
        change("", note("x")),
        change("a" * 513, note("x")),
        change("a\nb", note("x")),
        change("a", "{"),
        change("a", "[]"),
        change("a", "null"),
        change("a", json.dumps({"text": "x"})),
        change("a", json.dumps({"text": "x" * 4001, "title": "t"})),
        change("a", json.dumps({"text": "x", "title": "t", "admin": True})),
        change("a", json.dumps({"title": "t", "library": "query", "progress": 101}), kind="reading"),
        change("a", '{"title": "t", "library": "query", "progress": NaN}', kind="reading"),
        change("a", json.dumps({"value": "x" * 65}), kind="preference"),
        comparison("a", "x" * 2049),
    ],
)
def test_wrong_items_are_refused_and_nothing_is_stored(accounts: Accounts, user: str, wrong: ItemChange) -> None:
    with pytest.raises(Invalid, match="saved"):
        accounts.items.exchange(user, [change("good", note("x")), wrong], since=0)
    assert accounts.items.items(user) == []


def test_too_many_changes_are_refused(accounts: Accounts, user: str) -> None:
    with pytest.raises(Invalid, match="500"):
        accounts.items.exchange(user, [change("a", note("x"))] * (MOST_CHANGES + 1), since=0)


# Public comparisons


def test_public_address_of_a_comparison_can_be_taken_away(accounts: Accounts, user: str) -> None:
    accounts.items.exchange(user, [comparison("c")], since=0)
    slug = accounts.items.publish(user, "c", public=True)
    assert slug is not None
    assert accounts.items.publish(user, "c", public=True) == slug
    assert accounts.items.public_comparison(slug).query == "range=30-days"
    assert accounts.items.publish(user, "c", public=False) is None
    with pytest.raises(NotFound):
        accounts.items.public_comparison(slug)


def test_public_comparison_follows_its_changes_and_ends_with_it(accounts: Accounts, user: str) -> None:
    accounts.items.exchange(user, [comparison("c")], since=0)
    slug = accounts.items.publish(user, "c", public=True) or ""
    accounts.items.exchange(user, [comparison("c", "range=7-days", at=NOW_MS + 1)], since=0)
    assert accounts.items.public_comparison(slug).query == "range=7-days"
    accounts.items.exchange(user, [change("c", None, at=NOW_MS + 2, kind="comparison")], since=0)
    with pytest.raises(NotFound):
        accounts.items.public_comparison(slug)


def test_items_of_others_cannot_be_read_or_published(accounts: Accounts, user: str) -> None:
    accounts.items.exchange(user, [comparison("c")], since=0)
    mallory = new_user(accounts, "mallory@example.com")
    assert accounts.items.exchange(mallory, [], since=0).items == ()
    with pytest.raises(NotFound):
        accounts.items.publish(mallory, "c", public=True)


# The end of an account


def test_deletion_leaves_no_row_behind(accounts: Accounts, database: Database, user: str) -> None:
    """Walks all tables: what one account adds is gone when it is deleted, but for the event without a name."""
    email = "ada@example.com"
    before = _rows(database)
    accounts.begin_email(email, client="203.0.113.7", return_to="/")
    token = accounts.begin_session(VerifiedIdentity("github", "1", "ada", email, "Ada"), device="Firefox")
    account = accounts.account(token)
    assert account is not None
    assert account.id == user
    accounts.items.exchange(user, [comparison("c"), change("a", note("x")), change("b", None)], since=0)
    accounts.items.publish(user, "c", public=True)
    accounts.delete(account)
    after = _rows(database)
    (event,) = after.pop("audit_events")
    assert event[2:] == ("account-deleted", None, "")
    before.pop("audit_events")
    before_user: dict[str, list[Any]] = {name: [] for name in ("users", "identities", "sessions")}
    assert after == {**before, **before_user}
    assert accounts.account(token) is None
    with pytest.raises(Refused, match="no longer exists"):
        accounts.items.exchange(user, [], since=0)


def _rows(database: Database) -> dict[str, list[Any]]:
    with database.reading() as connection:
        return {
            name: [tuple(row) for row in connection.execute(select(table))] for name, table in metadata.tables.items()
        }


def test_account_is_not_its_successor_with_the_same_address(accounts: Accounts, user: str) -> None:
    accounts.items.exchange(user, [comparison("c")], since=0)
    token = accounts.begin_session(
        VerifiedIdentity("email", "ada@example.com", "ada@example.com", "ada@example.com"), device="Firefox"
    )
    account = accounts.account(token)
    assert account is not None
    accounts.delete(account)
    successor = new_user(accounts)
    assert successor != user
    assert accounts.items.items(successor) == []
