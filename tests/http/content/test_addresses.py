"""A page has one address, and missing addresses are rendered with low priority."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, unquote

import httpx
import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from kinfolk.config.routes import ROUTES
from kinfolk.config.settings import Settings
from kinfolk.rendering.v8_renderer import HtmlDocument, QueryFunction, RenderResult
from kinfolk.runtime.cache import DOCS
from kinfolk.site.site import Site
from kinfolk.web.app import SiteApp, create_app
from kinfolk.web.endpoints.pages.page_addresses import PageAddresses
from kinfolk.web.endpoints.pages.page_templates import MissingPages
from kinfolk.web.protocol import fair_queue
from kinfolk.web.protocol.fair_queue import MAX_WAITING

CASES = int(os.environ.get("FUZZ_CASES", "200"))
PAGE = "/query/latest/docs/framework/react/overview"
EXAMPLE = "/query/latest/docs/framework/react/examples/basic"
FIXED = [route.pattern for route in ROUTES if route.exists in ("always", "accounts")]

Get = Callable[[str], httpx.Response]


async def _get(app: SiteApp, target: str) -> httpx.Response:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://kinfolk.test") as client:
        return await client.get(httpx.URL("http://kinfolk.test", raw_path=target.encode()))


@pytest.fixture(scope="module")
def running(settings: Settings, built: Path) -> Iterator[tuple[SiteApp, Get]]:
    """The site with its renderer, and a function that requests a path."""
    assert built
    with asyncio.Runner() as runner:
        app, stack = create_app(settings), AsyncExitStack()
        runner.run(stack.enter_async_context(app.running()))
        yield app, lambda target: runner.run(_get(app, target))
        runner.run(stack.aclose())


@pytest.fixture(scope="module")
def get(running: tuple[SiteApp, Get]) -> Get:
    return running[1]


class Paths(frozenset[str]):
    """A set with a short repr for test reports."""

    def __repr__(self) -> str:
        return f"<{len(self)} paths>"


@pytest.fixture(scope="module")
def listed(get: Get) -> Paths:
    """The paths in all sitemaps."""
    paths = set()
    for sitemap in re.findall("<loc>[^<]*?(/sitemap-[^<]*)</loc>", get("/sitemap.xml").text):
        paths |= {unquote(path) for path in re.findall("<loc>https?://[^/<]*(/[^<]*)</loc>", get(sitemap).text)}
    return Paths(paths)


@pytest.fixture(scope="module")
def real(running: tuple[SiteApp, Get], listed: Paths) -> Paths:
    """All paths of pages: those in sitemaps, their parents, and fixed routes."""
    catalog = running[0].site.catalog
    above = {path.rsplit("/", levels)[0] or "/" for path in listed for levels in range(1, 6)}
    versions = {f"/{library.id}/{name}" for library in catalog.libraries for name in library.version_names}
    docs = {f"{place}/docs" for place in versions} | {path for path in above if path.endswith("/latest/docs")}
    frameworks = {f"{place}/framework/{framework.value}" for place in docs for framework in catalog.frameworks}
    lists = {f"{place}/{name}" for place in docs for name in ("framework", "examples")}
    lists |= {f"{place}/examples" for place in frameworks}
    return Paths(listed | above | versions | frameworks | lists | set(FIXED))


@pytest.mark.parametrize(
    ("path", "to"),
    [
        (f"{PAGE}%20", PAGE),
        (f"{PAGE}%20%20%20", PAGE),
        (f"{PAGE}%20?q=1", f"{PAGE}?q=1"),
        ("/query/latest/DOCS/Framework/react/overview", PAGE),
        (f"{EXAMPLE}%20", EXAMPLE),
        ("/query%20/latest", "/query/latest"),
        ("/Support", "/support"),
        ("/blog%20", "/blog"),
        ("/%20", "/"),
    ],
)
def test_address_with_spaces_or_capitals_redirects_to_its_page(get: Get, path: str, to: str) -> None:
    answer = get(path)
    assert (answer.status_code, answer.headers["location"]) == (308, to)


@pytest.mark.parametrize(
    "path",
    [
        f"{PAGE}.",
        f"{PAGE};a",
        f"{PAGE}%25",
        "/query/latest/docs/framework/React/overview",
        "/query/latest/docs/framework/nope/examples",
        "/query/latest/docs/framework/React/examples",
        "/QUERY/latest",
        "/blog/a%5Eb",
    ],
)
def test_similar_address_is_missing(get: Get, path: str) -> None:
    assert get(path).status_code == 404


def test_percent_encodings_of_an_address_share_a_cached_page(running: tuple[SiteApp, Get]) -> None:
    app, get = running
    get(PAGE)
    before = len(app.pages.cache)
    for spelled in (PAGE.replace("q", "%71"), PAGE.replace("-", "%2d"), PAGE.replace("overview", "%6F%76%65rview")):
        assert get(spelled).status_code == 200
    assert len(app.pages.cache) == before


@pytest.mark.no_cover
def test_missing_addresses_do_not_evict_pages(running: tuple[SiteApp, Get]) -> None:
    app, get = running
    get(PAGE)
    held = app.pages.cache.weight
    for n in range(60):
        get(f"{PAGE}{'%20' * (n + 1)}")
        get(f"/query/v99/docs/{n}")
        get(f"{EXAMPLE}?path={n}")
    assert app.pages.cache.get(PAGE) is not None
    assert app.pages.cache.weight - held < 60 * 100_000


def test_routes_that_always_exist_are_pages(get: Get) -> None:
    assert len(FIXED) > 5
    assert [path for path in FIXED if get(path).status_code != 200] == []


def test_sitemaps_list_pages_of_routes_that_are_in_the_sitemap(site: Site, listed: Paths) -> None:
    addresses = PageAddresses(
        site.catalog,
        lambda: site.content.blog.posts,
        has_page=site.content.pages.has,
        has_statistics=site.statistics.npm.has_comparisons,
        has_upgrades=site.has_upgrades,
    )
    assert len(listed) > 100
    assert [path for path in listed if not addresses.match(path, site.content.publisher.reader()).page] == []
    # The bundled docs have no releases: `test_release_pages` has their sitemap.
    expected = {route for route in ROUTES if route.in_sitemap and route.exists != "release"}
    assert {addresses.route(path).route for path in listed} == expected


@pytest.mark.parametrize(
    "path",
    [
        "/wp-login.php",
        "/made-up-page",
        "/%C3%9Cberblick_2026",
        "/query/releases/99.9.9",
        "/admin/config/backup%20%26%20more",
        "/a%3Cscript%3E/it's-%22quoted%22",
        f"/{'long-' * 30}",
        "/query/latest/made-up",
        "/table/v8/some/other+address",
    ],
)
def test_page_made_of_a_template_equals_the_rendered_one(
    running: tuple[SiteApp, Get], path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    app, get = running
    filled = get(path)
    assert app.pages.cache.get(path) is None
    monkeypatch.setattr(MissingPages, "page", lambda *_: None)
    rendered = get(path)
    assert filled.status_code == rendered.status_code == 404
    assert filled.text == rendered.text
    own = {name: filled.headers[name] for name in ("content-length", "x-request-id")}
    assert dict(filled.headers) == dict(rendered.headers) | own


@pytest.mark.parametrize(
    "path", ["/quary", "/tabel/docs", "/support/more", "/---", "/query/latest/docs/framework/nope/x"]
)
def test_page_that_suggests_others_is_rendered(running: tuple[SiteApp, Get], path: str) -> None:
    app, get = running
    assert get(path).status_code == 404
    assert app.pages.cache.get(path) is not None


# Priorities


@dataclass
class BlockingRenderer:
    """A renderer that blocks on missing addresses until `go` is set, and counts concurrent renders of them."""

    go: asyncio.Event = field(default_factory=asyncio.Event)
    started: asyncio.Event = field(default_factory=asyncio.Event)
    running: int = 0
    max_running: int = 0

    async def render(self, url: str, query: QueryFunction) -> RenderResult:
        del query
        if url == PAGE:
            return HtmlDocument(200, f"<p>{url}</p>", frozenset(), DOCS)
        self.running += 1
        self.started.set()
        self.max_running = max(self.max_running, self.running)
        await self.go.wait()
        self.running -= 1
        return HtmlDocument(404, "<p>missing</p>", frozenset(), DOCS)


@pytest.fixture
async def blocking_site(site: Site) -> AsyncIterator[tuple[BlockingRenderer, httpx.AsyncClient]]:
    app, renderer = SiteApp(site), BlockingRenderer()
    app.pages.renderer = renderer
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://kinfolk.test") as client:
        yield renderer, client


@pytest.mark.anyio
async def test_existing_pages_are_rendered_while_missing_addresses_wait(
    blocking_site: tuple[BlockingRenderer, httpx.AsyncClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fair_queue, "REFUSAL_PAUSE_S", 0.01)
    renderer, client = blocking_site
    missing = f"{PAGE}/nothing"
    requests = [asyncio.create_task(client.get(f"{missing}-{n}")) for n in range(1 + MAX_WAITING + 10)]
    await renderer.started.wait()
    assert (await client.get(PAGE)).status_code == 200
    renderer.go.set()
    answers = await asyncio.gather(*requests)

    refused = [answer for answer in answers if answer.status_code == 429]
    assert sorted({answer.status_code for answer in answers}) == [404, 429]
    assert len(refused) == 10
    assert {answer.headers["retry-after"] for answer in refused} == {"10"}
    assert {"<h1>Too many requests</h1>" in answer.text for answer in refused} == {True}
    assert renderer.max_running == 1


@pytest.mark.anyio
async def test_page_without_a_route_is_missing_and_not_cached(site: Site) -> None:
    class FakeRenderer:
        async def render(self, url: str, query: QueryFunction) -> RenderResult:
            del query
            return HtmlDocument(200, f"<p>{url}</p>", frozenset(), DOCS)

    app = SiteApp(site)
    app.pages.renderer = FakeRenderer()
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://kinfolk.test") as client:
        assert [(await client.get("/not-a-route")).status_code for _ in range(2)] == [404, 404]
    assert len(app.pages.cache) == 0


# Fuzz

INSERTED = " .;,:!~'()*&=+$@%-_/?#\"<>|^`{}[]\\éeEdDoO0\u00a0\u200b\u3000\u2024\uff0e\u0435\t\n\0"


@st.composite
def variants(draw: st.DrawFn) -> str:
    """A real address with characters added, encoded, removed, or in another case."""
    text = draw(
        st.sampled_from(
            [PAGE, EXAMPLE, "/query/latest", "/support", "/blog", "/", "/query/latest/docs/framework/react/examples"]
        )
    )
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text)))
        match draw(st.sampled_from(["insert", "append", "encode", "case", "drop", "twice"])):
            case "insert":
                text = text[:at] + quote(draw(st.sampled_from(INSERTED)), safe="") + text[at:]
            case "append":
                text += quote(draw(st.sampled_from(INSERTED)), safe="") * draw(st.integers(1, 5))
            case "encode":
                text = text[:at] + "".join(f"%{byte:02x}" for byte in text[at : at + 1].encode()) + text[at + 1 :]
            case "case":
                text = text[:at] + text[at : at + 1].swapcase() + text[at + 1 :]
            case "drop":
                text = text[:at] + text[at + 1 :]
            case "twice":
                text = text[:at] + text[at : at + 1] * 2 + text[at + 1 :]
    return text if text.startswith("/") else f"/{text}"


@pytest.mark.fuzz
@hypothesis_settings(max_examples=CASES, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(path=variants())
def test_fuzzed_addresses_do_not_show_pages(get: Get, real: Paths, path: str) -> None:
    answer = get(path)
    asks_for_key = answer.status_code == 403 and path.startswith("/1/")  # the search protocol
    assert asks_for_key or answer.status_code in (200, 301, 307, 308, 400, 404, 414)
    path = unquote(answer.request.url.raw_path.decode().partition("?")[0])
    if answer.status_code == 200 and answer.headers["content-type"].startswith("text/html"):
        assert path in real
