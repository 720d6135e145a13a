"""Sponsors and promotions that maintainers set, from the form to the pages."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import httpx
import pytest
from tests.suite.function_calls import call

from kinfolk.api.all_functions import registry
from kinfolk.api.registry import Call
from kinfolk.content.dependencies import DAY, PROMOTIONS, SPONSORS, purge_tags
from kinfolk.db.maintenance_tables import site_overrides
from kinfolk.site.site import Site

pytestmark = pytest.mark.anyio
SPONSOR = {
    "name": "Acme",
    "linkUrl": "https://acme.example",
    "imageUrl": "https://acme.example/a.png",
    "login": "",
    "weight": 5000,
    "hidden": False,
}
PROMOTION = {
    "slots": ["footer", "right-rail"],
    "title": "Conference",
    "text": "In May.",
    "href": "/blog",
    "starts": "",
    "ends": "",
    "isPause": False,
}
OpenAs = Callable[[str], httpx.AsyncClient]


@pytest.fixture
def maintainer(open_as: OpenAs) -> httpx.AsyncClient:
    return open_as("grace@example.com")


async def put_sponsor(client: httpx.AsyncClient, id: str = "", **changes: object) -> httpx.Response:
    return await call(client, "overrides.sponsor", {"id": id, "sponsor": {**SPONSOR, **changes}})


async def put_promotion(client: httpx.AsyncClient, id: str = "", **changes: object) -> httpx.Response:
    return await call(client, "overrides.promotion", {"id": id, "promotion": {**PROMOTION, **changes}})


async def stored(client: httpx.AsyncClient) -> dict[str, Any]:
    found: dict[str, Any] = (await call(client, "overrides.list")).json()["data"]
    return found


def current_day() -> date:
    """The day of the test: the run can pass midnight."""
    return datetime.now(UTC).date()


async def shell(site: Site, *, today: date | None = None) -> tuple[dict[str, Any], frozenset[str]]:
    """The promotions that pages show on a day, and the cache tags of these pages."""
    result = await registry.call("site.shell", None, Call.begin(site, today=today or current_day()))
    found: dict[str, Any] = result.envelope()["data"]["promo"]  # type: ignore[index]
    return found, result.tags


async def test_sponsor_is_shown_until_it_is_removed(maintainer: httpx.AsyncClient, site_with_accounts: Site) -> None:
    overrides, sponsors = site_with_accounts.maintenance.overrides, site_with_accounts.content.sponsors
    assert overrides.stale_since(0) == (0, frozenset())
    before = sponsors.pack
    assert (await put_sponsor(maintainer)).status_code == 200
    (saved,) = (await stored(maintainer))["sponsors"]
    assert saved["sponsor"] == SPONSOR
    assert overrides.stale_since(0) == (1, frozenset({SPONSORS}))
    assert sponsors.pack.circles[0].name == "Acme"
    assert (await put_sponsor(maintainer, saved["id"], name="Acme Ltd")).status_code == 200
    assert overrides.stale_since(1) == (2, frozenset({SPONSORS}))
    assert sponsors.pack.circles[0].name == "Acme Ltd"
    assert (await call(maintainer, "overrides.remove", {"id": saved["id"]})).status_code == 200
    assert overrides.stale_since(2) == (3, frozenset({SPONSORS}))
    assert sponsors.pack == before
    assert (await call(maintainer, "overrides.remove", {"id": saved["id"]})).status_code == 404


async def test_promotion_is_on_all_pages_until_it_is_removed(
    maintainer: httpx.AsyncClient, site_with_accounts: Site
) -> None:
    overrides = site_with_accounts.maintenance.overrides
    await put_promotion(maintainer)
    assert overrides.stale_since(0) == (1, frozenset({PROMOTIONS}))
    promo, tags = await shell(site_with_accounts)
    shown = {name: PROMOTION[name] for name in ("slots", "title", "text", "href")}
    assert (promo["announcements"], promo["paused"]) == ([shown], [])
    assert purge_tags({PROMOTIONS}) <= tags
    assert not purge_tags({DAY}) & tags
    (saved,) = (await stored(maintainer))["promotions"]
    assert saved == {"id": saved["id"], "promotion": PROMOTION, "period": "shown"}
    await call(maintainer, "overrides.remove", {"id": saved["id"]})
    assert overrides.stale_since(1) == (2, frozenset({PROMOTIONS}))
    assert (await shell(site_with_accounts))[0]["announcements"] == []


async def test_dated_promotion_comes_and_goes_at_midnight(
    maintainer: httpx.AsyncClient, site_with_accounts: Site
) -> None:
    today = current_day()
    tomorrow = today + timedelta(days=1)
    days = {"starts": tomorrow.isoformat(), "ends": tomorrow.isoformat()}
    await put_promotion(maintainer, **days)
    site_with_accounts.maintenance.overrides.stale_since(0)
    (saved,) = (await stored(maintainer))["promotions"]
    assert saved == {"id": saved["id"], "promotion": {**PROMOTION, **days}, "period": "planned"}
    counts = []
    for later in range(3):
        promo, tags = await shell(site_with_accounts, today=today + timedelta(days=later))
        counts.append(len(promo["announcements"]))
        assert purge_tags({DAY}) <= tags
    assert counts == [0, 1, 0]


async def test_pause_empties_slots(maintainer: httpx.AsyncClient, site_with_accounts: Site) -> None:
    assert (await put_promotion(maintainer, isPause=True, title="left over", text="", href="")).status_code == 200
    site_with_accounts.maintenance.overrides.stale_since(0)
    promo, _ = await shell(site_with_accounts)
    assert (promo["announcements"], promo["paused"]) == ([], ["footer", "right-rail"])


WRONG: list[tuple[Callable[..., Awaitable[httpx.Response]], dict[str, Any], str]] = [
    (put_promotion, {"slots": ["nowhere"]}, "slots"),
    (put_promotion, {"slots": []}, "slots"),
    (put_promotion, {"title": ""}, "title"),
    (put_promotion, {"title": "x" * 61}, "title"),
    (put_promotion, {"text": "two\nlines"}, "text"),
    (put_promotion, {"href": "javascript:alert(1)"}, "href"),
    (put_promotion, {"starts": "tomorrow"}, "starts"),
    (put_promotion, {"starts": "2026-02-02", "ends": "2026-02-01"}, "ends"),
    (put_promotion, {"id": "x"}, "id"),
    (put_sponsor, {"name": ""}, "name"),
    (put_sponsor, {"name": "x" * 101}, "name"),
    (put_sponsor, {"linkUrl": "http://acme.example"}, "link_url"),
    (put_sponsor, {"imageUrl": "javascript:alert(1)"}, "image_url"),
    (put_sponsor, {"weight": 0}, "weight"),
    (put_sponsor, {"weight": 10**300}, "weight"),
    (put_sponsor, {"login": "no login"}, "login"),
    (put_sponsor, {"hidden": True}, "hidden"),
]
"""What is changed in a valid override, and the field that the answer names."""


async def test_wrong_override_is_refused_with_the_name_of_the_field(maintainer: httpx.AsyncClient) -> None:
    for put, change, field in WRONG:
        refused = await put(maintainer, **change)
        assert (change, refused.status_code) == (change, 400)
        assert f"{field}: " in refused.json()["message"], change
        found = await stored(maintainer)
        assert (change, found["sponsors"], found["promotions"]) == (change, [], [])


async def test_changes_are_in_the_activity_log(maintainer: httpx.AsyncClient) -> None:
    await put_promotion(maintainer)
    (saved,) = (await stored(maintainer))["promotions"]
    await call(maintainer, "overrides.remove", {"id": saved["id"]})
    events = (await call(maintainer, "maintenance.activity")).json()["data"]
    assert [(each["action"], each["detail"]) for each in events[:2]] == [
        ("override-removed", saved["id"]),
        ("override-changed", "promotion Conference"),
    ]


async def test_override_of_a_later_version_is_left_out(maintainer: httpx.AsyncClient, site_with_accounts: Site) -> None:
    await put_promotion(maintainer)
    row = {
        "id": "later",
        "kind": "promotion",
        "data": '{"unknown": 1}',
        "revision": 2,
        "updated_at": datetime(2026, 1, 1),  # noqa: DTZ001 - UTC
    }
    with site_with_accounts.database.transaction() as connection:
        connection.execute(site_overrides.insert().values(**row))
    assert site_with_accounts.maintenance.overrides.stale_since(0) == (2, frozenset({PROMOTIONS}))
    assert len((await shell(site_with_accounts))[0]["announcements"]) == 1
