"""One page has one address, and addresses that anybody can make up wait behind those that exist."""

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

from kinfolk.cache import DOCS
from kinfolk.settings import Settings
from kinfolk.site import Site
from kinfolk.ssr.pool import Lane
from kinfolk.ssr.renderer import Ask, Document, Rendered
from kinfolk.web.addresses import TOP, Addresses
from kinfolk.web.app import Kinfolk, create_app
from kinfolk.web.pages import MOST_INVENTED

CASES = int(os.environ.get("FUZZ_CASES", "200"))
PAGE = "/query/latest/docs/framework/react/overview"
EXAMPLE = "/query/latest/docs/framework/react/examples/basic"
ROUTES = Path(__file__).parents[2] / "frontend/src/routes"

Get = Callable[[str], httpx.Response]


async def _get(app: Kinfolk, target: str) -> httpx.Response:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://kinfolk.test") as client:
        return await client.get(httpx.URL("http://kinfolk.test", raw_path=target.encode()))


@pytest.fixture(scope="module")
def running(settings: Settings, built: Path) -> Iterator[tuple[Kinfolk, Get]]:
    """The site with its renderer, and a way to ask it."""
    assert built
    with asyncio.Runner() as runner:
        app, stack = create_app(settings), AsyncExitStack()
        runner.run(stack.enter_async_context(app.running()))
        yield app, lambda target: runner.run(_get(app, target))
        runner.run(stack.aclose())


@pytest.fixture(scope="module")
def get(running: tuple[Kinfolk, Get]) -> Get:
    return running[1]


class Paths(frozenset[str]):
    """A set whose long text does not stand in reports."""

    def __repr__(self) -> str:
        return f"<{len(self)} paths>"


@pytest.fixture(scope="module")
def listed(get: Get) -> Paths:
    """What the sitemaps list."""
    paths = set()
    for sitemap in re.findall("<loc>[^<]*?(/sitemap-[^<]*)</loc>", get("/sitemap.xml").text):
        paths |= {unquote(path) for path in re.findall("<loc>https?://[^/<]*(/[^<]*)</loc>", get(sitemap).text)}
    return Paths(paths)


@pytest.fixture(scope="module")
def real(running: tuple[Kinfolk, Get], listed: Paths) -> Paths:
    """Every path that may show a page: what is listed, what is above it, and the routes without a text."""
    catalog = running[0].site.catalog
    above = {path.rsplit("/", levels)[0] or "/" for path in listed for levels in range(1, 6)}
    versions = {f"/{library.id}/{name}" for library in catalog.libraries for name in library.version_names}
    docs = {f"{place}/docs" for place in versions} | {path for path in above if path.endswith("/latest/docs")}
    frameworks = {f"{place}/framework/{framework.value}" for place in docs for framework in catalog.frameworks}
    lists = {f"{place}/{name}" for place in docs for name in ("framework", "examples")}
    lists |= {f"{place}/examples" for place in frameworks}
    return Paths(listed | above | versions | frameworks | lists | {f"/{name}" for name in TOP})


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
def test_an_address_that_means_a_page_but_is_not_its_own_leads_there(get: Get, path: str, to: str) -> None:
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
        "/query/latest/docs/a%5Eb",
    ],
)
def test_an_address_that_nearly_means_a_page_is_missing(get: Get, path: str) -> None:
    assert get(path).status_code == 404


def test_every_spelling_of_an_address_is_one_page_in_the_cache(running: tuple[Kinfolk, Get]) -> None:
    app, get = running
    get(PAGE)
    before = len(app.pages.cache)
    for spelled in (PAGE.replace("q", "%71"), PAGE.replace("-", "%2d"), PAGE.replace("overview", "%6F%76%65rview")):
        assert get(spelled).status_code == 200
    assert len(app.pages.cache) == before


def test_pages_that_exist_stay_in_the_cache_however_many_addresses_are_made_up(running: tuple[Kinfolk, Get]) -> None:
    app, get = running
    get(PAGE)
    held = app.pages.cache.weight
    for n in range(60):
        get(f"{PAGE}{'%20' * (n + 1)}")
        get(f"/query/v99/docs/{n}")
        get(f"{EXAMPLE}?path={n}")
    assert app.pages.cache.get(PAGE) is not None
    assert app.pages.cache.weight - held < 60 * 100_000


def test_routes_of_the_frontend_are_known(get: Get) -> None:
    routes = {file.name.removesuffix(".tsx").removesuffix(".lazy") for file in ROUTES.glob("*.tsx")}
    assert {"" if name == "index" else name for name in routes} - {"__root"} | {"blog"} == TOP
    assert all(get(f"/{name}").status_code == 200 for name in TOP)


def test_every_page_that_a_sitemap_lists_is_known(site: Site, listed: Paths) -> None:
    addresses = Addresses(site)
    assert len(listed) > 100
    assert [path for path in listed if not addresses.named(path, "", site.editions.docs).page] == []


# Lanes


@dataclass
class Slow:
    """A renderer of which invented addresses wait for `go`; it knows how many were under way at once."""

    go: asyncio.Event = field(default_factory=asyncio.Event)
    inventing: int = 0
    most: int = 0

    async def render(self, url: str, ask: Ask, *, lane: Lane = "real") -> Rendered:
        del ask
        if lane == "real":
            return Document(200, f"<p>{url}</p>", frozenset(), DOCS)
        self.inventing += 1
        self.most = max(self.most, self.inventing)
        await self.go.wait()
        self.inventing -= 1
        return Document(404, "<p>missing</p>", frozenset(), DOCS)


@pytest.fixture
async def slow(site: Site) -> AsyncIterator[tuple[Slow, httpx.AsyncClient]]:
    app, renderer = Kinfolk(site), Slow()
    app.pages.renderer = renderer
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://kinfolk.test") as client:
        yield renderer, client


@pytest.mark.anyio
async def test_pages_that_exist_are_rendered_while_invented_addresses_wait(
    slow: tuple[Slow, httpx.AsyncClient],
) -> None:
    renderer, client = slow
    made_up = [asyncio.create_task(client.get(f"/nothing-{n}")) for n in range(MOST_INVENTED + 10)]
    assert (await client.get(PAGE)).status_code == 200
    renderer.go.set()
    answers = await asyncio.gather(*made_up)

    refused = [answer for answer in answers if answer.status_code == 503]
    assert sorted({answer.status_code for answer in answers}) == [404, 503]
    assert len(refused) == 10
    assert {answer.headers["retry-after"] for answer in refused} == {"10"}
    assert renderer.most == 1


@pytest.mark.anyio
async def test_a_page_without_an_address_of_its_own_is_missing_and_not_kept(site: Site) -> None:
    class Eager:
        async def render(self, url: str, ask: Ask, *, lane: Lane = "real") -> Rendered:
            del ask, lane
            return Document(200, f"<p>{url}</p>", frozenset(), DOCS)

    app = Kinfolk(site)
    app.pages.renderer = Eager()
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://kinfolk.test") as client:
        assert [(await client.get("/not-a-route")).status_code for _ in range(2)] == [404, 404]
    assert len(app.pages.cache) == 0


# Fuzz

ODD = " .;,:!~'()*&=+$@%-_/?#\"<>|^`{}[]\\éeEdDoO0\u00a0\u200b\u3000\u2024\uff0e\u0435\t\n\0"


@st.composite
def variants(draw: st.DrawFn) -> str:
    """A real address with some of its characters added, encoded, in another case or taken away."""
    text = draw(
        st.sampled_from(
            [PAGE, EXAMPLE, "/query/latest", "/support", "/blog", "/", "/query/latest/docs/framework/react/examples"]
        )
    )
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text)))
        match draw(st.sampled_from(["insert", "append", "encode", "case", "drop", "twice"])):
            case "insert":
                text = text[:at] + quote(draw(st.sampled_from(ODD)), safe="") + text[at:]
            case "append":
                text += quote(draw(st.sampled_from(ODD)), safe="") * draw(st.integers(1, 5))
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
def test_only_the_address_of_a_page_shows_it(get: Get, real: Paths, path: str) -> None:
    answer = get(path)
    assert answer.status_code in (200, 301, 307, 308, 400, 404, 414)
    asked = unquote(answer.request.url.raw_path.decode().partition("?")[0])
    if answer.status_code == 200 and answer.headers["content-type"].startswith("text/html"):
        assert asked in real
