"""npm statistics over HTTP: functions, exports, and what they read from the database."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from urllib.parse import quote

import feedparser
import httpx
import orjson
import pytest
from tests.http.conftest import Fetch
from tests.inputs.npm_histories import AS_OF, history

from kinfolk.config.settings import Settings
from kinfolk.db.tables import npm_version_weeks
from kinfolk.site.site import Site
from kinfolk.statistics.histories.history_store import HistoryStore, years_of
from kinfolk.web.app import SiteApp, create_app

pytestmark = pytest.mark.anyio
DAYS = 800
GROUPS = quote(json.dumps([{"packages": [{"name": name}]} for name in ("stored-one", "stored-two")]))
QUERY = f"packageGroups={GROUPS}"


def yesterday() -> date:
    return datetime.now(UTC).date() - timedelta(days=1)


@pytest.fixture(scope="module")
async def app(settings: Settings, tmp_path_factory: pytest.TempPathFactory, built: Path) -> AsyncIterator[SiteApp]:
    """An app whose database has two packages. The tests store nothing."""
    assert built
    app = create_app(replace(settings, var=tmp_path_factory.mktemp("var")))
    async with app.running():
        store_histories(app.site)
        yield app


@pytest.fixture
async def reader(app: SiteApp) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://kinfolk.test") as client:
        yield client


def store_histories(site: Site) -> None:
    first = (yesterday() - timedelta(days=DAYS - 1)).isoformat()
    store = HistoryStore(site.database)
    for name, downloads in (("stored-one", 100), ("stored-two", 300)):
        store.put(years_of(history(name, first, [downloads] * DAYS)))
    week = {f"{major}.{minor}.0": 10 + 1000 * (major == 2) for major in (1, 2) for minor in range(20)}
    with site.database.transaction() as connection:
        row = {
            "package": "stored-one",
            "last_day": yesterday(),
            "counts": orjson.dumps(week).decode(),
            "as_of": AS_OF,
        }
        connection.execute(site.database.insert(npm_version_weeks).values(row))


async def test_stored_counts_are_shown_as_real(reader: httpx.AsyncClient) -> None:
    chart = (await reader.get(f"/stats/npm.json?{QUERY}&binningOption=daily&range=30-days")).json()
    assert (chart["sample"], chart["lastDay"]) == (False, yesterday().isoformat())
    assert [one["figures"]["lastWeek"] for one in chart["series"]] == [700, 2100]
    assert [one["values"] for one in chart["series"]] == [[100] * 30, [300] * 30]


@pytest.mark.no_cover
async def test_comparison_without_counts_shows_marked_samples(reader: httpx.AsyncClient) -> None:
    chart = (await reader.get("/stats/npm.json")).json()
    assert chart["sample"] is True
    page = (await reader.get("/stats/npm")).text
    assert "Sample data" in page


async def test_samples_are_never_in_one_chart_with_real_counts(reader: httpx.AsyncClient) -> None:
    groups = quote(json.dumps([{"packages": [{"name": name}]} for name in ("stored-one", "zod")]))
    chart = (await reader.get(f"/stats/npm.json?packageGroups={groups}")).json()
    assert (chart["sample"], [one["status"] for one in chart["series"]]) == (False, ["ready", "no-data"])


async def test_exports_take_the_query_of_the_page(reader: httpx.AsyncClient) -> None:
    table = await reader.get(f"/stats/npm.csv?{QUERY}&binningOption=daily&range=7-days")
    assert table.text.splitlines()[1] == f"{yesterday() - timedelta(days=6)},stored-one,100"
    feed = feedparser.parse((await reader.get(f"/stats/npm.atom?{QUERY}")).content)
    assert "stored-two leads with 2,100 downloads" in feed.entries[0].title
    svg = await reader.get(f"/stats/npm.svg?{QUERY}&theme=dark&size=sparkline")
    assert (svg.status_code, svg.headers["content-type"]) == (200, "image/svg+xml; charset=utf-8")
    png = await reader.get(f"/stats/npm.png?{QUERY}&theme=unknown")
    assert png.content.startswith(b"\x89PNG")
    again = await reader.get(f"/stats/npm.png?{QUERY}", headers={"if-none-match": png.headers["etag"]})
    assert again.status_code == 304


@pytest.mark.no_cover
async def test_page_of_unknown_packages_is_not_indexed(reader: httpx.AsyncClient) -> None:
    page = await reader.get("/stats/npm/made-up-one-vs-made-up-two")
    assert (page.status_code, 'content="noindex"' in page.text) == (200, True)


@pytest.mark.no_cover
@pytest.mark.parametrize("query", ["packageGroups=%5B%5B", "range=x&height=NaN&baseline=%00", "a=" + "b" * 3000])
async def test_hostile_query_is_answered_with_a_page(reader: httpx.AsyncClient, query: str) -> None:
    assert (await reader.get(f"/stats/npm?{query}")).status_code == 200


async def test_embedded_chart_may_be_framed(reader: httpx.AsyncClient) -> None:
    page = await reader.get(f"/stats/npm/embed?{QUERY}")
    assert "frame-ancestors *" in page.headers["content-security-policy"]


async def test_adoption_of_major_versions(app: SiteApp, reader: httpx.AsyncClient) -> None:
    del app
    payload = json.dumps({"data": {"name": "stored-one"}, "context": {}})
    answer = (await reader.get("/_server/npm.versions", params={"payload": payload})).json()["data"]
    assert [(one["major"], one["shares"]) for one in answer["majors"]] == [("2", [99.02]), ("1", [0.98])]
    assert answer["mirrorFloor"] == 400


async def test_functions_of_the_statistics(fetch: Fetch, client: httpx.AsyncClient) -> None:
    choices = (await fetch("npm.choices")).json()["data"]
    assert len(choices["categories"]) == 14
    suggestions = (await fetch("npm.suggestions", {"text": "react-q"})).json()["data"]
    assert [one["name"] for one in suggestions["packages"]] == ["react-query", "@tanstack/react-query"]
    assert (await fetch("npm.suggestions", {"text": " "})).json()["data"] == {"packages": [], "complete": True}
    assert (await fetch("npm.versions", {"name": "nothing"})).json()["data"]["weeks"] == []
    for name, status in (("not a name", 400), ("react", 503)):
        response = await client.post("/_server/npm.request", json={"data": {"name": name}, "context": {}})
        assert response.status_code == status


@pytest.mark.parametrize(
    "path",
    ["made-up-vs-invented", "one.js-vs-two_js-vs-three", "alone", "-vs-".join(f"made-up-{at}" for at in range(12))],
)
async def test_comparison_of_unknown_packages_equals_the_rendered_one(
    settings: Settings, built: Path, tmp_path: Path, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert built
    app = create_app(replace(settings, var=tmp_path, npm_import=True, npm_downloads_api="http://127.0.0.1:9"))
    transport = httpx.ASGITransport(app)
    async with app.running(), httpx.AsyncClient(transport=transport, base_url="http://kinfolk.test") as client:
        store_histories(app.site)
        filled = await client.get(f"/stats/npm/{path}")
        assert filled.status_code == 200
        assert f"/stats/npm/{path}" not in app.pages.cache
        monkeypatch.setattr(app.site.statistics.npm, "is_unknown", lambda _: False)
        rendered = await client.get(f"/stats/npm/{path}")
        assert filled.text == rendered.text
        different = {"content-length", "x-request-id"}
        assert {name: filled.headers[name] for name in filled.headers if name not in different} == {
            name: rendered.headers[name] for name in rendered.headers if name not in different
        }
        assert (
            await client.get(f"/stats/npm/{path}", headers={"if-none-match": filled.headers["etag"]})
        ).status_code == 304


async def test_comparison_with_a_known_package_is_rendered(app: SiteApp, reader: httpx.AsyncClient) -> None:
    for path in ("stored-one-vs-made-up", "react-vs-made-up", "made-up-vs-@scoped/name"):
        assert (await reader.get(f"/stats/npm/{path}")).status_code == 200
        assert f"/stats/npm/{path}" in app.pages.cache
