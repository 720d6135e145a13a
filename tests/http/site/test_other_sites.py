"""Sites of other families: every link leads to a page, no section is empty, and nothing is of the sample site."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from urllib.parse import quote, unquote, urljoin, urlsplit

import httpx
import pytest
from lxml.html import document_fromstring
from tests.sites.other_sites import ACME, ONE_LIBRARY, UNUSUAL, UNUSUAL_NAMES, Files, write_site

from kinfolk.config.settings import Settings, read_settings
from kinfolk.content.markdown.links.slugs import is_reserved
from kinfolk.search.docs_index.generations import index_folder
from kinfolk.search.docs_index.index_build import build, only_builder
from kinfolk.search.open_search import open_searchable_content
from kinfolk.web.app import create_app

ORIGIN = "http://kinfolk.test"
_ATTRIBUTE = re.compile(r'\s(?:href|src|action|data-[a-z-]+|content)="([^"]*)"')
_SCRIPT_FILE = re.compile(r"""["'`](?:\./|/?assets/)([\w.-]+\.(?:js|css))["'`]""")
_STYLE_FILE = re.compile(r"url\(([^)\"']+)\)")
_TEXT_LINK = re.compile(rf"{re.escape(ORIGIN)}(/[^\s<>\"')\]\\]*)")
_EMPTY_HEADING = re.compile(r"<h[1-6][^>]*>\s*</h[1-6]>")
_EMPTY_LIST = re.compile(r"<(ul|ol|dl|tbody)\b[^>]*>\s*</\1>")
_EMPTY_SECTION = re.compile(r"<section\b[^>]*>\s*(?:<h2[^>]*>[^<]*</h2>\s*)?</section>")
_STARTS = (
    "/",
    "/llms.txt",
    "/llms-full.txt",
    "/robots.txt",
    "/sitemap.xml",
    "/opensearch.xml",
    "/site.webmanifest",
    "/favicon.svg",
    "/og/site.jpg",
    "/search?q=usage",
)
ON_MINIMAL_SITE = pytest.mark.parametrize("site", [UNUSUAL], ids=["minimal"], indirect=True)
NOT_PAGES = ("/auth/", "/feedback", "/1/", "/_server/", "/mcp")
INDEX_S = 60.0
OPTIONAL_CHUNKS = ("RouterDevtools-", "demo-")
"""Beginnings of the names of scripts that only pages of some sites load: the panel of the router, with the names of its
packages, and the demos of the sites that a frontend was built with."""


@dataclass
class Crawl:
    """All responses of a site by address, and the page that named each address first."""

    found: dict[str, httpx.Response] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)

    @property
    def pages(self) -> dict[str, str]:
        html = {
            path: got for path, got in self.found.items() if got.headers.get("content-type", "").startswith("text/html")
        }
        return {path: got.text for path, got in html.items()}


@contextlib.asynccontextmanager
async def serving(settings: Settings) -> AsyncIterator[httpx.AsyncClient]:
    """A client of a site with its renderer and its search index."""
    # In this process: a process of its own takes two seconds to start.
    with only_builder(index_folder(settings.var)):
        build(index_folder(settings.var), open_searchable_content(settings))
    app = create_app(settings)
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(app.running())
        assert app.site.search.updater is not None
        await asyncio.to_thread(app.site.search.updater.wait, INDEX_S)
        transport = httpx.ASGITransport(app)
        yield await stack.enter_async_context(
            httpx.AsyncClient(transport=transport, base_url=ORIGIN, follow_redirects=True)
        )


async def crawl(client: httpx.AsyncClient) -> Crawl:
    result = Crawl()
    waiting = list(_STARTS)
    while waiting:
        path = waiting.pop()
        if path in result.found or path.startswith(NOT_PAGES):
            continue
        answer = await client.get(path)
        result.found[path] = answer
        for target in links_of(path, answer):
            result.sources.setdefault(target, path)
            waiting.append(target)
    return result


def links_of(path: str, answer: httpx.Response) -> Iterator[str]:
    """The addresses on the same site that a response names."""
    kind = answer.headers.get("content-type", "").partition(";")[0]
    if kind.startswith("image/") and kind != "image/svg+xml":
        return
    text = answer.text
    if kind == "text/html":
        named = [unescape(value) for attribute in _ATTRIBUTE.findall(text) for value in unescape(attribute).split(" ")]
        # Data attributes name files; other values are no addresses.
        yield from (
            each for value in named if (each := _local(path, value)) and value.startswith(("/", "#", "?", ORIGIN))
        )
        yield from (f"/assets/{name}" for name in _SCRIPT_FILE.findall(unescape(text)))
    if kind in ("text/css", "text/html"):
        yield from (each for value in _STYLE_FILE.findall(text) if (each := _local(path, unescape(value))))
    if kind == "text/javascript":
        yield from (f"/assets/{name}" for name in _SCRIPT_FILE.findall(text) if not name.startswith(OPTIONAL_CHUNKS))
    if kind not in ("text/html", "text/css", "text/javascript"):
        yield from (each for value in _TEXT_LINK.findall(text) if (each := _local(path, unescape(value).rstrip(".,:"))))


def _local(path: str, target: str) -> str | None:
    """The path of an address on this site, without its fragment."""
    if target.startswith(("data:", "mailto:", "#", "%", "//")) or "{" in target:
        return None
    parts = urlsplit(urljoin(f"{ORIGIN}{path}", target))
    if f"{parts.scheme}://{parts.netloc}" != ORIGIN:
        return None
    return parts.path + (f"?{parts.query}" if parts.query else "")


def settings_for(folder: Path, files: Files) -> Settings:
    site = write_site(folder / "site", files)
    off = dict.fromkeys(("MIRROR", "HIGHLIGHT", "NPM_IMPORT", "LINK_CHECK", "FIGURES", "RELEASE_NOTES"), "off")
    variables = {f"KINFOLK_{name}": value for name, value in off.items()}
    return read_settings(
        {**variables, "KINFOLK_SITE": str(site), "KINFOLK_VAR": str(folder / "var"), "KINFOLK_ORIGIN": ORIGIN}
    )


Served = tuple[Crawl, Callable[[str], httpx.Response]]


@pytest.fixture(scope="module", params=[UNUSUAL, ONE_LIBRARY, ACME], ids=["minimal", "one library", "acme"])
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, built: Path) -> Iterator[Served]:
    """What a crawler gets from a site, and a function that requests an address of the site."""
    assert built
    settings = settings_for(tmp_path_factory.mktemp("site"), request.param)
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()
        client = runner.run(stack.enter_async_context(serving(settings)))
        yield runner.run(crawl(client)), lambda path: runner.run(_get(client, path))
        runner.run(stack.aclose())


async def _get(client: httpx.AsyncClient, path: str) -> httpx.Response:
    return await client.get(path)


@pytest.fixture
def crawled(site: Served) -> Crawl:
    return site[0]


@pytest.mark.no_cover
def test_every_address_that_a_response_names_exists(crawled: Crawl) -> None:
    wrong = {
        path: (got.status_code, crawled.sources.get(path))
        for path, got in crawled.found.items()
        if got.status_code != 200
    }
    assert wrong == {}


def test_no_heading_list_or_section_is_empty(crawled: Crawl) -> None:
    empty = {
        path: found
        for path, html in crawled.pages.items()
        if (
            found := [
                match[0] for each in (_EMPTY_HEADING, _EMPTY_LIST, _EMPTY_SECTION) for match in each.finditer(html)
            ]
        )
    }
    assert empty == {}


def test_ids_of_a_page_are_unique_and_those_beside_its_text_are_reserved(crawled: Crawl) -> None:
    for path, html in crawled.pages.items():
        document = document_fromstring(html)
        ids = document.xpath("//@id")
        assert len(ids) == len(set(ids)), path
        texts = document.find_class("prose")
        if any(text.xpath(".//h2[@id]") for text in texts):
            inside = {id for text in texts for id in text.xpath(".//@id")}
            assert [id for id in ids if id not in inside and not is_reserved(id)] == [], path


def test_no_response_names_the_family_of_the_sample_site(crawled: Crawl) -> None:
    named = {
        path: found
        for path, got in crawled.found.items()
        # The expression alone takes seconds on pictures.
        if b"tanstack" in got.content.lower()
        and (found := re.findall(rb".{0,40}tanstack.{0,40}", got.content, re.IGNORECASE))
    }
    assert named == {}


@ON_MINIMAL_SITE
@pytest.mark.parametrize(
    "path",
    [
        "/support",
        "/ethos",
        "/learn",
        "/privacy",
        "/terms",
        "/dedicated-support",
        "/blog",
        "/blog/feed.xml",
        "/stats/npm",
    ],
)
def test_part_that_a_site_lacks_is_missing_and_unlinked(site: Served, path: str) -> None:
    crawled, get = site
    assert get(path).status_code == 404
    assert path not in crawled.found


@ON_MINIMAL_SITE
def test_home_page_of_one_library_is_its_landing_page(site: Served) -> None:
    home = site[0].pages["/"]
    assert "<h1" in home
    assert "Widgets" in home
    assert "1 library" not in home
    assert f'<link rel="canonical" href="{ORIGIN}/"/>' in site[0].pages["/widgets/latest"]


@ON_MINIMAL_SITE
def test_library_without_repository_has_no_link_to_a_code_host(site: Served) -> None:
    assert [path for path, html in site[0].pages.items() if "github.com" in html or "Edit on" in html] == []


ODD = "/widgets/latest/docs/odd/"


@ON_MINIMAL_SITE
def test_page_of_any_name_is_shown_at_its_address_in_each_encoding(site: Served) -> None:
    _, get = site
    for name in UNUSUAL_NAMES:
        title = f">Page {' '.join(name.split())}</h1>"
        for spelled in (quote(name, safe=""), quote(name, safe="!$&'()*+,;=:@~"), *_per_byte(name)):
            answer = get(ODD + spelled)
            assert (answer.status_code, answer.history) == (200, []), spelled
            assert title in unescape(answer.text), spelled


@ON_MINIMAL_SITE
def test_page_of_any_name_is_in_menu_sitemap_and_breadcrumbs(site: Served) -> None:
    crawled, _ = site
    pages = {unquote(path): html for path, html in crawled.pages.items() if path.startswith(ODD)}
    assert pages.keys() == {ODD + name for name in UNUSUAL_NAMES}
    sitemap = crawled.found["/sitemap-widgets-latest.xml"].text
    for name in UNUSUAL_NAMES:
        html = pages[ODD + name]
        marked = re.findall(r'<a [^>]*href="([^"]*)"[^>]*aria-current="page"', html)
        assert {unquote(unescape(path)) for path in marked} == {ODD + name}, name
        assert {"Previous", "Next"} & set(re.findall(r">(Previous|Next)<", html)), name
        assert f"<loc>{ORIGIN}{quote(ODD + name)}</loc>" in sitemap


@ON_MINIMAL_SITE
@pytest.mark.parametrize(
    "path", ["/$nope", "/%24nope", "/$", "/$library", "/{x}", "/widgets/latest/$x", "/a/$library/b", "/*"]
)
def test_missing_address_with_syntax_of_the_router_is_missing_under_its_own_address(site: Served, path: str) -> None:
    answer = site[1](path)
    assert (answer.status_code, len(answer.history)) == (404, 0)


@ON_MINIMAL_SITE
@pytest.mark.parametrize("path", ["x/$/y", "$", "$library", "$library/$version", "{-$x}", "framework/$x/$", "a%23c"])
def test_missing_docs_page_with_syntax_of_the_router_redirects_once_at_most(site: Served, path: str) -> None:
    answer = site[1](f"/widgets/latest/docs/{path}")
    plain = site[1](f"/widgets/latest/docs/{re.sub('[^a-z/]+', 'x', path)}")
    assert (answer.status_code, [each.status_code for each in answer.history]) == (
        plain.status_code,
        [each.status_code for each in plain.history],
    )
    assert len(answer.history) <= 1


def _per_byte(name: str) -> Iterator[str]:
    """The name with every byte percent-encoded, except dots: a segment of dots could be one of the path's syntax."""
    yield "".join("." if byte == ord(".") else f"%{byte:02x}" for byte in name.encode())
