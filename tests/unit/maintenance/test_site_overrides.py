"""Sponsors and promotions that maintainers set: rules, and the store on both databases."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from kinfolk.db.database import Database
from kinfolk.maintenance.override_store import MOST_OVERRIDES, OverrideStore, StoredOverride
from kinfolk.maintenance.promotion import Promotion, check_promotion
from kinfolk.runtime.errors import Invalid, NotFound, Refused, Unavailable

NOW = datetime(2026, 11, 23, 12)  # noqa: DTZ001 - the tables have UTC without a time zone
SLOTS = ("leaderboard", "footer")


@pytest.fixture
def revisions() -> list[int]:
    return []


@pytest.fixture
def store(database: Database, revisions: list[int]) -> OverrideStore:
    return OverrideStore(database, revisions.append, now=lambda: NOW)


def test_stored_override_is_read_until_it_is_removed(store: OverrideStore, revisions: list[int]) -> None:
    assert store.read() == (0, ())
    store.put("a", "sponsor", "{}")
    store.put("b", "promotion", '{"x":1}')
    store.put("a", "sponsor", '{"y":2}')
    # The last change is the last one.
    assert store.read() == (
        3,
        (StoredOverride("b", "promotion", '{"x":1}'), StoredOverride("a", "sponsor", '{"y":2}')),
    )
    store.remove("b")
    assert store.read() == (4, (StoredOverride("a", "sponsor", '{"y":2}'),))
    assert revisions == [1, 2, 3, 4]
    assert store.last_revision() == 4


def test_override_is_removed_once(store: OverrideStore, revisions: list[int]) -> None:
    store.put("a", "sponsor", "{}")
    store.remove("a")
    for missing in ("a", "b"):
        with pytest.raises(NotFound):
            store.remove(missing)
    assert revisions == [1, 2]


def test_overrides_of_a_kind_are_limited(store: OverrideStore) -> None:
    for number in range(MOST_OVERRIDES):
        store.put(f"s{number}", "sponsor", "{}")
    with pytest.raises(Refused):
        store.put("one more", "sponsor", "{}")
    store.put("s0", "sponsor", '{"changed":true}')
    store.put("other kind", "promotion", "{}")
    store.remove("s1")
    store.put("one more", "sponsor", "{}")


def test_failure_of_the_database_is_unavailable(empty_database: Database) -> None:
    store = OverrideStore(empty_database, lambda _: None, now=lambda: NOW)
    with pytest.raises(Unavailable):
        store.read()


@pytest.mark.parametrize("href", ["/blog", "/query/latest#install", "https://example.com/a?b=c"])
def test_promotion_leads_to_a_site_or_a_path(href: str) -> None:
    check_promotion(Promotion(("footer",), "Conference", "In May.", href), SLOTS)


@pytest.mark.parametrize(
    ("promotion", "field"),
    [
        (Promotion(("nowhere",), "A", "B", "/blog"), "slots"),
        (Promotion(("footer",), None, "B", "/blog"), "title"),
        (Promotion(("footer",), "A", None, "/blog"), "text"),
        (Promotion(("footer",), "A", "B", None), "href"),
        (Promotion(("footer",), "A", "B", "//evil.example"), "href"),
        (Promotion(("footer",), "A", "B", "/\\evil.example"), "href"),
        (Promotion(("footer",), "A", "B", "javascript:alert(1)"), "href"),
        (Promotion(("footer",), "A", "B", "http://example.com"), "href"),
        (Promotion(("footer",), "A", "B", "/a\nb"), "href"),
        (Promotion(("footer",), starts=date(2026, 2, 2), ends=date(2026, 2, 1), is_pause=True), "ends"),
    ],
)
def test_wrong_promotion_is_refused_with_the_name_of_the_field(promotion: Promotion, field: str) -> None:
    with pytest.raises(Invalid, match=f"^{field}: "):
        check_promotion(promotion, SLOTS)
