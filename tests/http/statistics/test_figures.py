"""Figures over HTTP: functions, the star event of the webhook, and the services of a running site."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import re
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest
from prometheus_client import REGISTRY
from tests.inputs.npm_histories import history
from tests.servers.figure_servers import FigureServer, serve_figures

from kinfolk.api.registry import Call, registry
from kinfolk.cli.new.new_site import plan_site, site_files, write_site
from kinfolk.config.settings import Settings
from kinfolk.content.dependencies import DependencyRecorder, library_figures
from kinfolk.content.docs.docs_source import mirror_source
from kinfolk.db.database import utc_now
from kinfolk.runtime.cache import DOCS
from kinfolk.site.site import Site, open_site, upgrade_database
from kinfolk.statistics.figures.figure_store import FigureKey, FigureStore, StoredFigure, repository_subject
from kinfolk.statistics.figures.site_figures import SiteFigures
from kinfolk.statistics.histories.history_store import HistoryStore, years_of
from kinfolk.statistics.open_statistics import open_figure_refresher, open_importer, open_star_refresher
from kinfolk.web.app import SiteApp, create_app

pytestmark = pytest.mark.anyio
SECRET = "a secret between two"
QUERY = "TanStack/query"
STARS = FigureKey(repository_subject(QUERY), "stars")
UNKNOWN_LIBRARY = {
    "stars": None,
    "contributors": None,
    "dependents": None,
    "downloadsTotal": None,
    "downloadsPerDay": None,
}
UNKNOWN_FAMILY = {
    "stars": None,
    "contributorsPerRepository": None,
    "dependentsPerPackage": None,
    "downloadsTotal": None,
    "downloadsPerDay": None,
}


@contextmanager
def site_with_empty_database(settings: Settings, folder: Path) -> Iterator[Site]:
    site = open_site(replace(settings, var=folder / "var", webhook_secret=SECRET))
    upgrade_database(site.database, site.settings)
    yield site
    site.database.close()


@pytest.fixture
def own_site(settings: Settings, tmp_path: Path) -> Iterator[Site]:
    """A site of one test, with an empty database."""
    with site_with_empty_database(settings, tmp_path) as site:
        yield site


@pytest.fixture(scope="module")
def empty_site(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site with an empty database, for tests that store nothing."""
    with site_with_empty_database(settings, tmp_path_factory.mktemp("empty")) as site:
        yield site


@asynccontextmanager
async def client_of(app: SiteApp) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://kinfolk.test") as client:
        yield client


@pytest.fixture
async def reader(own_site: Site) -> AsyncIterator[httpx.AsyncClient]:
    async with client_of(SiteApp(own_site)) as client:
        yield client


@pytest.fixture
async def reader_of_empty_site(empty_site: Site) -> AsyncIterator[httpx.AsyncClient]:
    async with client_of(SiteApp(empty_site)) as client:
        yield client


async def figures(client: httpx.AsyncClient, library: str | None = None) -> Any:
    """The data of `figures.library`, or of `figures.family`."""
    if library is None:
        return (await client.get("/_server/figures.family")).json()["data"]
    payload = json.dumps({"data": {"id": library}, "context": {}})
    return (await client.get("/_server/figures.library", params={"payload": payload})).json()["data"]


def today() -> str:
    return datetime.now(UTC).date().isoformat()


def stored(site: Site) -> StoredFigure | None:
    return FigureStore(site.database, now=utc_now).read([STARS.subject]).get(STARS)


# Functions


async def test_figures_without_any_data_are_null(reader_of_empty_site: httpx.AsyncClient) -> None:
    assert await figures(reader_of_empty_site, "query") == UNKNOWN_LIBRARY
    assert await figures(reader_of_empty_site) == UNKNOWN_FAMILY


async def test_unknown_library_is_not_found(reader_of_empty_site: httpx.AsyncClient) -> None:
    payload = json.dumps({"data": {"id": "nope"}, "context": {}})
    answer = await reader_of_empty_site.get("/_server/figures.library", params={"payload": payload})
    assert (answer.status_code, answer.json()["message"]) == (404, 'Library with id "nope" not found')


async def test_stored_figures_are_answered(reader: httpx.AsyncClient, own_site: Site) -> None:
    for library in own_site.catalog.libraries:
        own_site.statistics.figures.put_stars(library.content_repo, 100)
    yesterday = datetime.now(UTC).date() - timedelta(days=1)
    first = (yesterday - timedelta(days=9)).isoformat()
    of_query = own_site.catalog.library("query").npm_packages
    others = {name for library in own_site.catalog.libraries for name in library.npm_packages} - {*of_query}
    stars = {"value": 100, "asOf": today(), "isOld": False}

    def downloads(packages: int) -> dict[str, Any]:
        total = {"value": 700 * packages, "asOf": yesterday.isoformat(), "isOld": False}
        return {"downloadsTotal": total, "downloadsPerDay": total | {"value": 70 * packages}}

    for name in of_query:
        # No total before all packages are counted.
        assert await figures(reader, "query") == UNKNOWN_LIBRARY | {"stars": stars}
        HistoryStore(own_site.database).put(years_of(history(name, first, [70] * 10)))
    assert await figures(reader, "query") == UNKNOWN_LIBRARY | {"stars": stars} | downloads(len(of_query))
    # Ten libraries are in nine repositories.
    of_family = UNKNOWN_FAMILY | {"stars": stars | {"value": 900}}
    assert await figures(reader) == of_family
    for name in others:
        HistoryStore(own_site.database).put(years_of(history(name, first, [70] * 10)))
    assert await figures(reader) == of_family | downloads(len(of_query) + len(others))


async def test_answers_depend_on_figures_downloads_and_the_day(empty_site: Site) -> None:
    answer = await registry.call("figures.library", {"id": "router"}, Call.begin(empty_site))
    assert answer.tags >= {"figures:router", "npm:@tanstack/react-router", "day"}
    assert "figures:start" not in answer.tags
    family = await registry.call("figures.family", None, Call.begin(empty_site))
    assert family.tags >= {f"figures:{library.id}" for library in empty_site.catalog.libraries}
    assert family.cache is answer.cache is DOCS


@pytest.mark.parametrize("address", ["postgresql://me@127.0.0.1:1/site", "sqlite:////dev/null/site.sqlite"])
async def test_figures_without_a_database_are_null(settings: Settings, address: str) -> None:
    site = open_site(replace(settings, database_url=address))
    async with client_of(SiteApp(site)) as client:
        assert await figures(client, "query") == UNKNOWN_LIBRARY
        assert await figures(client) == UNKNOWN_FAMILY


# The webhook


def star(count: object, *, repo: object = QUERY, action: object = "created") -> bytes:
    event = {"action": action, "starred_at": "x", "repository": {"full_name": repo, "stargazers_count": count}}
    return json.dumps(event).encode()


def signed(body: bytes, *, secret: str = SECRET, event: str = "star") -> dict[str, str]:
    digest = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return {"x-hub-signature-256": f"sha256={digest}", "x-github-event": event}


async def deliver(client: httpx.AsyncClient, body: bytes, **options: str) -> httpx.Response:
    return await client.post("/_hooks/github", content=body, headers=signed(body, **options))


@pytest.mark.no_cover
@pytest.mark.parametrize("action", ["created", "deleted"])
async def test_star_is_stored_and_pages_are_purged(reader: httpx.AsyncClient, own_site: Site, action: str) -> None:
    purged: list[frozenset[str]] = []
    own_site.content.publisher.on_purge(purged.append)
    before = utc_now()
    answer = await deliver(reader, star(45_124, repo="tanstack/Query", action=action))
    assert (answer.status_code, answer.json()) == (202, {"message": "The stars are stored"})
    found = stored(own_site)
    assert found is not None
    assert found.as_of is not None
    assert (found.value, before <= found.as_of <= utc_now()) == (45_124, True)
    assert purged == [frozenset({"figures:query"})]
    assert (await figures(reader, "query"))["stars"]["value"] == 45_124


async def test_star_of_a_shared_repository_purges_both_libraries(reader: httpx.AsyncClient, own_site: Site) -> None:
    purged: list[frozenset[str]] = []
    own_site.content.publisher.on_purge(purged.append)
    await deliver(reader, star(5, repo="TanStack/router"))
    assert purged == [frozenset({"figures:router", "figures:start"})]


async def test_star_as_a_form_is_accepted(reader: httpx.AsyncClient, own_site: Site) -> None:
    body = urlencode({"payload": star(5).decode()}).encode()
    form = {"content-type": "application/x-www-form-urlencoded"}
    assert (await reader.post("/_hooks/github", content=body, headers=form | signed(body))).status_code == 202
    assert stored(own_site) is not None


async def test_star_with_an_invalid_signature_is_rejected(
    reader_of_empty_site: httpx.AsyncClient, empty_site: Site
) -> None:
    body = star(5)
    for headers in (signed(body, secret="guess"), signed(star(6)), {"x-github-event": "star"}):
        assert (await reader_of_empty_site.post("/_hooks/github", content=body, headers=headers)).status_code == 403
    assert stored(empty_site) is None


@pytest.mark.parametrize("body", [star(5, repo="else/where"), star(5, action="edited"), star(5, repo="")])
async def test_star_without_an_effect_is_ignored(
    reader_of_empty_site: httpx.AsyncClient, empty_site: Site, body: bytes
) -> None:
    answer = await deliver(reader_of_empty_site, body)
    assert (answer.status_code, answer.json()) == (200, {"message": "Nothing here depends on that"})
    assert stored(empty_site) is None


@pytest.mark.parametrize(
    "body",
    [
        star(-1),
        star("5"),
        star(5.0),
        star(True),
        star(None),
        star(1 << 53),
        star(1 << 63),
        star(10**400),
        star(5, repo=None),
        star(5, action=5),
        b"",
        b"{",
        b"[]",
        b'{"a":' * 100_000,
        b'{"action": "created", "repository": "TanStack/query"}',
    ],
)
async def test_invalid_star_is_rejected_and_counted(
    reader_of_empty_site: httpx.AsyncClient, empty_site: Site, body: bytes
) -> None:
    def refused() -> float:
        return REGISTRY.get_sample_value("kinfolk_refused_total", {"kind": "webhook", "reason": "payload"}) or 0.0

    before = refused()
    answer = await deliver(reader_of_empty_site, body)
    assert (answer.status_code, answer.json()) == (400, {"message": "This is not a star"})
    assert refused() == before + 1
    assert stored(empty_site) is None


async def test_star_of_another_event_is_not_stored(reader_of_empty_site: httpx.AsyncClient, empty_site: Site) -> None:
    assert (await deliver(reader_of_empty_site, star(5), event="watch")).status_code == 200
    assert stored(empty_site) is None


async def test_star_without_a_database_is_reported_to_github(settings: Settings) -> None:
    away = replace(settings, database_url="sqlite:////dev/null/site.sqlite", webhook_secret=SECRET)
    async with client_of(SiteApp(open_site(away))) as client:
        assert (await deliver(client, star(5))).status_code == 503


# A running site


@pytest.fixture
def server(site: Site) -> Iterator[FigureServer]:
    with serve_figures() as stand_in:
        for library in site.catalog.libraries:
            stand_in.stars[library.content_repo] = 100
            stand_in.contributors[library.content_repo] = 10
        yield stand_in


async def test_running_site_fetches_figures_and_purges_pages(
    settings: Settings, server: FigureServer, tmp_path: Path, built: Path
) -> None:
    assert built
    app = create_app(replace(settings, var=tmp_path / "var", figures=True, github_api=server.url))
    purged = asyncio.Event()
    loop = asyncio.get_running_loop()

    def record(tags: frozenset[str]) -> None:
        if not tags.isdisjoint({f"figures:{library.id}" for library in app.site.catalog.libraries}):
            loop.call_soon_threadsafe(purged.set)

    app.site.content.publisher.on_purge(record)
    async with app.running(), client_of(app) as client:
        await asyncio.wait_for(purged.wait(), 30)
        services = {service["name"] for service in (await client.get("/readyz")).json()["services"]}
        assert {"figures", "figures purge"} <= services
        first = app.site.catalog.libraries[0]
        assert (await figures(client, first.id))["stars"]["value"] == 100
    assert server.paths[0] == f"/repos/{first.repo}"


async def test_library_without_repository_causes_no_request(
    settings: Settings, server: FigureServer, tmp_path: Path
) -> None:
    write_site(tmp_path / "site", site_files(plan_site("Widgets", "teal", ()), today=date(2026, 11, 25), version="1"))
    upstream = replace(
        settings,
        site=tmp_path / "site",
        content=tmp_path / "site" / "repos",
        var=tmp_path / "var",
        mirror=tmp_path / "mirror",
        upstream=f"{server.url}/{{owner}}/{{repo}}.git",
        figures=True,
        github_token="token",
        github_api=server.url,
        npm_search_api=server.search,
        npm_downloads_api=server.url,
    )
    site = open_site(upstream)
    upgrade_database(site.database, upstream)
    figures_of_site = open_figure_refresher(upstream, site.catalog, site.database, on_change=lambda _: None)
    stars = open_star_refresher(upstream, site.catalog, site.database)
    assert figures_of_site is not None
    assert stars is not None
    await figures_of_site.refresh()
    stars.refresh(threading.Event())
    await open_importer(upstream, site.database).import_due()
    await site.content.sponsors.refresh()
    mirror_source(upstream, site.catalog).refresh()
    assert server.requests == []
    async with client_of(SiteApp(site)) as client:
        assert await figures(client, "widgets") == UNKNOWN_LIBRARY
        assert await figures(client) == UNKNOWN_FAMILY
        paths = ("/_server/site.shell", "/llms.txt", "/llms-full.txt", "/widgets/changes.atom", "/blog/feed.xml")
        texts = [(await client.get(path)).text for path in paths]
    assert [text for text in texts if re.search(r"github|gitlab|_local/widgets/", text)] == []
    site.database.close()


def test_figures_of_another_host_are_neither_shown_nor_waited_for(own_site: Site) -> None:
    first, second, *others = own_site.catalog.libraries
    libraries = (replace(first, repo=None, folder="."), replace(second, host="gitlab"), *others)
    catalog = replace(own_site.catalog, libraries=libraries)
    store = FigureStore(own_site.database, now=utc_now)
    found = SiteFigures(catalog, store, read_histories=lambda *_: None)
    for library in (first, second):
        assert found.put_stars(library.content_repo, 100) is None
        store.put_pushed(FigureKey(repository_subject(library.content_repo), "stars"), 100)
    for library in others:
        found.put_stars(library.content_repo, 1)
    recorder, day = DependencyRecorder(), datetime.now(UTC).date()
    shown = [found.library(library, today=day, recorder=recorder).stars for library in libraries[:2]]
    total = found.family(today=day, recorder=recorder).stars
    assert (shown, total and total.value) == ([None, None], len({library.repo for library in others}))


def test_settings_decide_what_is_fetched(empty_site: Site) -> None:
    def opened(**changes: object) -> object:
        changed = replace(empty_site.settings, **changes)  # type: ignore[arg-type]
        return open_figure_refresher(changed, empty_site.catalog, empty_site.database, on_change=lambda _: None)

    assert opened(figures=False) is None
    assert opened(figures=True) is not None


async def test_search_service_is_requested_for_dependents(own_site: Site, server: FigureServer) -> None:
    server.dependents = {"@tanstack/react-start": "5"}
    changed = replace(
        # GitHub is away, so that the requests to it end after three.
        own_site.settings,
        figures=True,
        github_api="http://127.0.0.1:9",
        npm_search_api=server.search,
    )
    subjects: set[str] = set()
    fetched = asyncio.Event()

    def record(changed: frozenset[str]) -> None:
        subjects.update(changed)
        fetched.set()

    refresher = open_figure_refresher(changed, own_site.catalog, own_site.database, on_change=record)
    assert refresher is not None
    task = asyncio.create_task(refresher.run())
    await asyncio.wait_for(fetched.wait(), 60)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert subjects == {"package:@tanstack/react-start"}
    assert own_site.statistics.figures.dependencies(subjects) == frozenset({library_figures("start")})
