"""What readers save: comparisons, bookmarks, pages to continue, notes on headings, preferences.

Browsers hold the items, signed in or not, and exchange changes with the server when the reader is signed in. Of two
changes of one item, the later one counts. A deleted item stays as a row without a value, so that other browsers
delete it, too.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated, Any, Literal

import orjson
from pydantic import ConfigDict, Field, TypeAdapter, ValidationError, with_config
from pydantic.alias_generators import to_camel
from sqlalchemy import Connection, Row, delete, func, select, update

from kinfolk.accounts.secret_tokens import new_id
from kinfolk.db.database import Database
from kinfolk.db.tables import saved_items, users
from kinfolk.runtime.errors import Invalid, NotFound, Refused

ItemKind = Literal["comparison", "bookmark", "reading", "note", "preference"]

LIMITS: dict[ItemKind, int] = {"comparison": 200, "bookmark": 1000, "reading": 200, "note": 1000, "preference": 20}
"""Items of each kind that an account may have. Of pages to continue, the oldest are dropped."""
MOST_CHANGES = 500
"""Changes in one exchange."""
LONGEST_KEY, LONGEST_VALUE = 512, 12_000
"""Characters of a key and bytes of a value: a note has at most 4,000 characters."""
TOMBSTONES_KEPT = timedelta(days=90)
"""A browser that was away for two thirds of it fetches all items again (`frontend/src/lib/accounts/savedItems.ts`)."""
AHEAD_MS = 5 * 60 * 1000
"""How far the clock of a browser may be ahead. Later times count as now."""

_columns = saved_items.c
_CONFIG = ConfigDict(alias_generator=to_camel, extra="forbid", str_max_length=2048)


@with_config(_CONFIG)
@dataclass(frozen=True)
class SavedComparison:
    """`query` is the query of `/stats/npm`, without `?`."""

    name: str
    query: str


@with_config(_CONFIG)
@dataclass(frozen=True)
class Bookmark:
    """The key is the address of a page, with or without a heading. `digest` is that of the page when it was saved."""

    title: str
    library: str
    digest: str = ""
    heading: str = ""


@with_config(_CONFIG)
@dataclass(frozen=True)
class ReadPage:
    """The key is the address of a page. `heading` is the id of the last heading on screen, `progress` in percent."""

    title: str
    library: str
    digest: str = ""
    heading: str = ""
    progress: Annotated[int, Field(ge=0, le=100)] = 0


@with_config(ConfigDict(alias_generator=to_camel, extra="forbid", str_max_length=4000))
@dataclass(frozen=True)
class Note:
    """The key is the address of a heading. `digest` is that of its section when the note was written."""

    text: str
    title: str
    heading: str = ""
    digest: str = ""


@with_config(ConfigDict(alias_generator=to_camel, extra="forbid", str_max_length=64))
@dataclass(frozen=True)
class Preference:
    """The key is `theme`, `framework` or `package-manager`."""

    value: str


_ADAPTERS: dict[ItemKind, TypeAdapter[Any]] = {
    "comparison": TypeAdapter(SavedComparison),
    "bookmark": TypeAdapter(Bookmark),
    "reading": TypeAdapter(ReadPage),
    "note": TypeAdapter(Note),
    "preference": TypeAdapter(Preference),
}


@dataclass(frozen=True)
class ItemChange:
    """A change in a browser. `value` is JSON, or None for a deleted item."""

    kind: ItemKind
    key: str
    value: str | None
    changed_ms: int


@dataclass(frozen=True)
class SavedItem:
    """An item as it is stored. `slug` is the end of the public address of a comparison."""

    kind: ItemKind
    key: str
    value: str | None
    changed_ms: int
    slug: str | None


@dataclass(frozen=True)
class Exchange:
    """The items that changed after the browser's revision, in the order of their change; `complete` means all of them.

    `dropped` are keys that were refused because of a limit.
    """

    revision: int
    complete: bool
    items: tuple[SavedItem, ...]
    dropped: tuple[str, ...]


class SavedItems:
    """For any number of threads and processes. All methods block. Raises Unavailable."""

    def __init__(self, database: Database, *, now_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000) -> None:
        self._database = database
        self._now_ms = now_ms

    def exchange(self, user_id: str, changes: Sequence[ItemChange], *, since: int) -> Exchange:
        """Apply the browser's changes, and return what it does not have. `since` is the revision of the last exchange.

        Raises Invalid for a value of a wrong form and above MOST_CHANGES.
        """
        if len(changes) > MOST_CHANGES:
            raise Invalid(f"More than {MOST_CHANGES} changes")
        checked = [self._checked(change) for change in changes]
        with self._database.transaction() as connection:
            revision = self._lock(connection, user_id)
            dropped = []
            for change in checked:
                revision, stored = self._apply(connection, user_id, change, revision)
                if not stored:
                    dropped.append(change.key)
            self._trim(connection, user_id)
            connection.execute(update(users).where(users.c.id == user_id).values(items_revision=revision))
            complete = since <= 0 or since > revision
            items = _items(connection, user_id, since=0 if complete else since, deleted=not complete)
        return Exchange(revision, complete, tuple(items), tuple(dropped))

    def items(self, user_id: str) -> list[SavedItem]:
        """All items that are not deleted."""
        with self._database.reading() as connection:
            return list(_items(connection, user_id, since=0, deleted=False))

    def publish(self, user_id: str, key: str, *, public: bool) -> str | None:
        """Give a comparison a public address, or take it away. Returns the end of the address. Raises NotFound."""
        of_comparison = (_columns.user_id == user_id, _columns.kind == "comparison", _columns.key == key)
        with self._database.transaction() as connection:
            revision = self._lock(connection, user_id) + 1
            row = connection.execute(
                select(saved_items).where(*of_comparison, _columns.value.is_not(None))
            ).one_or_none()
            if row is None:
                raise NotFound("There is no saved comparison with this key")
            slug = (row.slug or new_id()) if public else None
            connection.execute(update(saved_items).where(*of_comparison).values(slug=slug, revision=revision))
            connection.execute(update(users).where(users.c.id == user_id).values(items_revision=revision))
        return slug

    def public_comparison(self, slug: str) -> SavedComparison:
        """The comparison at a public address. Raises NotFound."""
        query = select(_columns.value).where(_columns.slug == slug[:64], _columns.value.is_not(None))
        with self._database.reading() as connection:
            value = connection.scalar(query)
        if value is None:
            raise NotFound("This comparison is not public. Ask the person who shared it for a new link.")
        found: SavedComparison = _ADAPTERS["comparison"].validate_json(value)
        return found

    def _checked(self, change: ItemChange) -> ItemChange:
        if not 0 < len(change.key) <= LONGEST_KEY or not change.key.isprintable():
            raise Invalid(f"The key of a saved {change.kind} is empty, too long or not printable")
        value = None if change.value is None else _normalized(change.kind, change.value)
        changed_ms = min(max(change.changed_ms, 0), self._now_ms() + AHEAD_MS)
        return ItemChange(change.kind, change.key, value, changed_ms)

    def _lock(self, connection: Connection, user_id: str) -> int:
        """The user's revision. Other exchanges of the user wait until the transaction ends. Raises Refused."""
        query = select(users.c.items_revision).where(users.c.id == user_id).with_for_update()
        revision = connection.scalar(query)
        if revision is None:
            raise Refused("This account no longer exists")
        return int(revision)

    def _apply(self, connection: Connection, user_id: str, change: ItemChange, revision: int) -> tuple[int, bool]:
        """Store a change unless the stored item is newer. Returns the revision, and False above a limit."""
        key = (_columns.user_id == user_id, _columns.kind == change.kind, _columns.key == change.key)
        row = connection.execute(select(saved_items).where(*key)).one_or_none()
        if row is not None and (row.changed_ms > change.changed_ms or _is_same(row, change)):
            return revision, True
        if (
            (row is None or row.value is None)
            and change.value is not None
            and self._is_full(connection, user_id, change)
        ):
            return revision, False
        values = {"value": change.value, "changed_ms": change.changed_ms, "revision": revision + 1}
        if change.value is None:
            values["slug"] = None
        insert = self._database.insert(saved_items).values(
            user_id=user_id, kind=change.kind, key=change.key, **{"slug": None, **values}
        )
        keys = ["user_id", "kind", "key"]
        connection.execute(insert.on_conflict_do_update(index_elements=keys, set_=values))
        return revision + 1, True

    def _is_full(self, connection: Connection, user_id: str, change: ItemChange) -> bool:
        # The oldest of these are deleted instead.
        if change.kind == "reading":
            return False
        of_kind = (_columns.user_id == user_id, _columns.kind == change.kind, _columns.value.is_not(None))
        count = connection.scalar(select(func.count()).select_from(saved_items).where(*of_kind)) or 0
        return count >= LIMITS[change.kind]

    def _trim(self, connection: Connection, user_id: str) -> None:
        """Delete what exceeds the pages to continue, and old tombstones."""
        of_user = (_columns.user_id == user_id, _columns.kind == "reading", _columns.value.is_not(None))
        newest = select(_columns.key).where(*of_user).order_by(_columns.changed_ms.desc(), _columns.key)
        surplus = connection.scalars(newest.offset(LIMITS["reading"])).all()
        if surplus:
            connection.execute(delete(saved_items).where(*of_user, _columns.key.in_(surplus)))
        oldest_ms = self._now_ms() - int(TOMBSTONES_KEPT.total_seconds() * 1000)
        expired = (_columns.user_id == user_id, _columns.value.is_(None), _columns.changed_ms < oldest_ms)
        connection.execute(delete(saved_items).where(*expired))


def _normalized(kind: ItemKind, value: str) -> str:
    """The value without insignificant parts. Raises Invalid for a wrong form."""
    if len(value.encode(errors="surrogatepass")) > LONGEST_VALUE:
        raise Invalid(f"A saved {kind} is larger than {LONGEST_VALUE} bytes")
    adapter = _ADAPTERS[kind]
    try:
        checked = adapter.validate_json(value)
    except (ValidationError, ValueError):
        raise Invalid(f"A saved {kind} has the wrong form") from None
    return orjson.dumps(adapter.dump_python(checked, mode="json", by_alias=True)).decode()


def _is_same(row: Row[Any], change: ItemChange) -> bool:
    return bool(row.value == change.value and row.changed_ms == change.changed_ms)


def _items(connection: Connection, user_id: str, *, since: int, deleted: bool) -> list[SavedItem]:
    query = select(saved_items).where(_columns.user_id == user_id, _columns.revision > since)
    if not deleted:
        query = query.where(_columns.value.is_not(None))
    rows = connection.execute(query.order_by(_columns.revision, _columns.key))
    return [SavedItem(row.kind, row.key, row.value, row.changed_ms, row.slug) for row in rows]
