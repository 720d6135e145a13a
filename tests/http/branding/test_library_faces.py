"""The icon and the pattern of each library and the covers of posts: their addresses, and the pages that have them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

import httpx
import pytest
from tests.http.conftest import Fetch
from tests.servers.serving import LEAN, serving

pytestmark = pytest.mark.anyio

SVG = "{http://www.w3.org/2000/svg}svg"


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory, built: Path) -> Iterator[httpx.Client]:
    assert built
    with (
        serving(tmp_path_factory.mktemp("faces"), environment=LEAN) as server,
        httpx.Client(base_url=server.url, timeout=30) as client,
    ):
        yield client


@pytest.mark.parametrize("picture", ["icon", "pattern"])
async def test_picture_of_a_library_is_immutable_and_runs_no_scripts(
    client: httpx.AsyncClient, fetch: Fetch, picture: str
) -> None:
    libraries = (await fetch("site.shell")).json()["data"]["libraries"]
    addresses = {library[picture] for library in libraries}
    assert len(addresses) == len(libraries)
    for address in addresses:
        answer = await client.get(address)
        assert answer.headers["content-type"].startswith("image/svg+xml")
        assert "immutable" in answer.headers["cache-control"]
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert ET.fromstring(answer.text).tag == SVG  # noqa: S314 - our own text
        old = address.partition("?")[0] + "?v=old"
        assert "immutable" not in (await client.get(old)).headers["cache-control"]
        known = await client.get(address, headers={"if-none-match": answer.headers["etag"]})
        assert known.status_code == 304


async def test_all_covers_of_the_list_of_posts_differ(client: httpx.AsyncClient, fetch: Fetch) -> None:
    posts = (await fetch("blog.list")).json()["data"]
    assert len([post for post in posts if not post["libraries"]]) > 1
    covers = [tuple([(await client.get(address)).text for address in post["cover"]]) for post in posts]
    assert all(ET.fromstring(svg).tag == SVG for cover in covers for svg in cover)  # noqa: S314 - our own text
    assert [len(cover) for cover in covers] == [max(1, len(post["libraries"])) for post in posts]
    assert len(set(covers)) == len(posts)


@pytest.mark.parametrize(
    "address",
    [
        "/_icons/nope.svg",
        "/_patterns/nope.svg",
        "/_patterns/query.png",
        "/_patterns/posts/nope/site.svg",
        "/_patterns/posts/from-query-4-to-5/router.svg",
    ],
)
async def test_picture_of_an_unknown_library_is_not_found(client: httpx.AsyncClient, address: str) -> None:
    answer = await client.get(address)
    assert answer.status_code == 404
    assert "immutable" not in answer.headers.get("cache-control", "")


def icons(html: str) -> list[str]:
    return re.findall(r'<link rel="icon"[^>]* href="([^"?]+)', html)


@pytest.mark.parametrize(
    ("page", "icon"),
    [
        ("/query/latest", "/_icons/query.svg"),
        ("/query/v4", "/_icons/query.svg"),
        ("/table/latest/docs/introduction", "/_icons/table.svg"),
        ("/query/latest/docs/framework/react/examples/basic", "/_icons/query.svg"),
        ("/query/latest/docs/framework/react/examples/nope", "/_icons/query.svg"),
        ("/", "/favicon.svg"),
        ("/blog/from-query-4-to-5", "/favicon.svg"),
        ("/nope", "/favicon.svg"),
    ],
)
def test_page_has_the_icon_of_its_library(pages: httpx.Client, page: str, icon: str) -> None:
    assert icons(pages.get(page).text) == [icon]


@pytest.mark.parametrize(
    ("page", "patterns"),
    [
        ("/query/latest", ["query"]),
        ("/table/latest/docs/introduction", ["table"]),
        ("/query/latest/docs/framework/react/examples/basic", ["query"]),
        ("/blog/from-query-4-to-5", ["query"]),
        ("/blog/a-tour-of-application-building", ["start", "router"]),
        ("/blog/react-in-python", ["site"]),
        ("/router/latest/nope", ["router"]),
        ("/nope", []),
    ],
)
def test_page_has_the_patterns_of_its_libraries(pages: httpx.Client, page: str, patterns: list[str]) -> None:
    html = re.sub(r"<script\b.*?</script>", "", pages.get(page).text, flags=re.DOTALL)
    address = r"--pattern:url\(/_patterns/(?:posts/[a-z0-9-]+/)?([a-z]+)\.svg\?v=[0-9a-f]{12}\)"
    assert re.findall(address, html) == patterns


def test_home_page_shows_all_sponsors_as_the_embedded_page_does(pages: httpx.Client) -> None:
    def sponsors(path: str) -> list[str]:
        return sorted(re.findall(r'class="sponsor-pack-name"[^>]*>(?:<span.*?</span>)?([^<]+)', pages.get(path).text))

    home = sponsors("/")
    assert len(home) == 10
    assert home == sponsors("/sponsors-embed") == sponsors("/query/latest")


def test_missing_page_of_a_library_has_its_mark(pages: httpx.Client) -> None:
    """With the pattern of the library behind it."""
    for address in ("/router/latest/nope", "/query/latest/docs/framework/react/examples/nope"):
        answer = pages.get(address)
        assert answer.status_code == 404
        main = answer.text.partition("<main")[2]
        assert 'class="message-page patterned"' in main
        assert main.index('class="library-logo"') < main.index("<h1>")
    assert "library-logo" not in pages.get("/nope").text.partition("<main")[2].partition("<h1>")[0]


def test_docs_show_the_mark_of_the_library_once_on_each_bar(pages: httpx.Client) -> None:
    html = pages.get("/query/latest/docs/framework/react/overview").text
    titles = re.findall(r'<p class="docs-title">.*?</p>', html)
    assert len(titles) == 2
    mark = r'<a[^>]* href="/query/latest"[^>]*><span class="library-logo" aria-hidden="true" data-mark="docs"'
    assert [len(re.findall(mark, title)) for title in titles] == [1, 1]
    # The page contains the logo: the sprite would be a request before the first interaction.
    rules = re.findall(
        r'\[(data-style="[^"]+")\]:not\(#_\)\{[^{}]*--row:0;--logos:url\(data:image/svg\+xml,%3Csvg[^)"{}]+\)\}', html
    )
    assert [len(re.findall("|".join(rules), title)) for title in titles] == [1, 1]
