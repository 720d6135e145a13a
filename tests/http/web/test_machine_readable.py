"""Texts for machines: Markdown of pages, llms.txt, sitemaps, robots.txt; and share images."""

from __future__ import annotations

import asyncio
import io
import re
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NoReturn
from xml.etree import ElementTree as ET

import httpx
import pytest
from PIL import Image

from kinfolk.config.routes import match_route
from kinfolk.config.settings import Settings
from kinfolk.content.dependencies import cdn_tag
from kinfolk.content.docs import DocsSnapshot
from kinfolk.site.site import Site, open_site
from kinfolk.web.app import SiteApp

pytestmark = pytest.mark.anyio

CORE = "/table/latest/docs/introduction"
FRAMEWORK = "/query/latest/docs/framework/react/overview"
MARKDOWN = "text/markdown; charset=utf-8"
ORIGIN = "http://127.0.0.1:8000"


def locations(xml: str) -> list[str]:
    return [loc.text or "" for loc in ET.fromstring(xml).iter("{http://www.sitemaps.org/schemas/sitemap/0.9}loc")]  # noqa: S314


@pytest.mark.parametrize("path", [f"/api/md{CORE}", f"{CORE}.md", f"/api/md{CORE}.md", f"/api/md{FRAMEWORK}"])
async def test_markdown_needs_no_redirect(client: httpx.AsyncClient, path: str) -> None:
    answer = await client.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (200, MARKDOWN)
    assert answer.text.startswith("# ")


async def test_framework_page_file_redirects_to_the_markdown_api(client: httpx.AsyncClient) -> None:
    answer = await client.get(f"{FRAMEWORK}.md")
    assert (answer.status_code, answer.headers["location"]) == (307, f"/api/md{FRAMEWORK}")


@pytest.mark.parametrize("path", [CORE, FRAMEWORK])
async def test_accept_markdown_returns_markdown(client: httpx.AsyncClient, path: str) -> None:
    negotiated = await client.get(path, headers={"accept": "text/markdown, text/html;q=0.5"})
    assert negotiated.status_code == 200
    assert negotiated.text == (await client.get(f"/api/md{path}")).text


@pytest.mark.parametrize("path", [CORE, "/query/latest/docs", "/blog/react-in-python"])
async def test_negotiated_markdown_is_stored_by_no_cache(client: httpx.AsyncClient, path: str) -> None:
    """Caches that ignore `Vary: Accept` would send it to browsers."""
    headers = (await client.get(path, headers={"accept": "text/markdown"})).headers
    assert headers["content-type"] == MARKDOWN
    assert headers["cache-control"] == "no-store"
    assert not {"cdn-cache-control", "cache-tag"} & set(headers)
    assert headers["vary"] == match_route(path).route.vary == "accept-encoding, accept"


@pytest.mark.parametrize("name", ["llms.txt", "llms-full.txt", "docs.zip"])
async def test_listing_without_version_redirects_to_latest(client: httpx.AsyncClient, name: str) -> None:
    answer = await client.get(f"/query/{name}")
    assert (answer.status_code, answer.headers["location"]) == (307, f"/query/latest/{name}")


async def test_docs_root_is_the_default_page(client: httpx.AsyncClient) -> None:
    answer = await client.get("/query/latest/docs", headers={"accept": "text/markdown"})
    assert answer.headers["content-location"] == f"/api/md{FRAMEWORK}"


@pytest.mark.parametrize(
    "path",
    ["/", "/query/latest", "/query/latest/docs/framework/react", "/query/latest/docs/framework/react/examples/basic"],
)
async def test_page_without_markdown_is_html(client: httpx.AsyncClient, path: str) -> None:
    answer = await client.get(path, headers={"accept": "text/markdown"})
    assert answer.headers["content-type"].startswith("text/html")


def test_docs_pages_vary_by_accept() -> None:
    assert [match_route(path).route.vary for path in (CORE, FRAMEWORK, "/")] == [
        "accept-encoding, accept",
        "accept-encoding, accept",
        "accept-encoding",
    ]


class NoThreads(ThreadPoolExecutor):
    """Runs nothing."""

    def submit(self, *_: object, **__: object) -> NoReturn:
        raise AssertionError("a cached text needs a thread")


async def test_cached_texts_need_no_thread(client: httpx.AsyncClient) -> None:
    paths = (f"{CORE}.md", f"/api/md{FRAMEWORK}", "/blog/react-in-python.md", "/privacy.md", "/llms.txt")
    first = [(await client.get(path)).text for path in paths]
    asyncio.get_running_loop().set_default_executor(NoThreads())
    assert [(await client.get(path)).text for path in paths] == first


@pytest.mark.parametrize("path", [f"{CORE}.md", "/llms.txt", "/query/latest/docs.zip", "/blog/react-in-python.md"])
async def test_texts_are_only_read(client: httpx.AsyncClient, path: str) -> None:
    assert (await client.post(path)).status_code == 405


async def test_markdown_has_the_cache_headers_of_its_page(client: httpx.AsyncClient) -> None:
    headers = (await client.get(f"{CORE}.md")).headers
    assert headers["cache-control"] == "public, max-age=0, must-revalidate"
    assert headers["cdn-cache-control"] == "max-age=300, stale-while-revalidate=300, stale-if-error=86400"
    assert cdn_tag("TanStack/table@v8:docs/introduction.md") in headers["cache-tag"].split(",")


@pytest.mark.parametrize(
    ("path", "accept"),
    [
        ("/api/md/query/v5/docs/framework/react/overview", "*/*"),
        (f"/api/md{FRAMEWORK}?v=1", "*/*"),
        (FRAMEWORK, "text/markdown"),
    ],
)
async def test_markdown_has_a_canonical_link_and_is_not_indexed(
    client: httpx.AsyncClient, path: str, accept: str
) -> None:
    headers = (await client.get(path, headers={"accept": accept})).headers
    assert headers["x-robots-tag"] == "noindex"
    assert headers["link"] == f'<http://127.0.0.1:8000{FRAMEWORK}>; rel="canonical"'


async def test_canonical_link_of_a_page_that_latest_lacks(
    settings: Settings, docs_from_files: Callable[[dict[str, str]], DocsSnapshot]
) -> None:
    docs = docs_from_files({f"TanStack/query/{file}": "# A page\n" for file in ("main/docs/new.md", "v4/docs/old.md")})
    site = open_site(settings)
    site.content.publisher.docs = docs
    async with httpx.AsyncClient(transport=httpx.ASGITransport(SiteApp(site)), base_url="http://k") as client:
        headers = (await client.get("/query/v4/docs/old.md")).headers
    assert headers["link"] == '<http://127.0.0.1:8000/query/v4/docs/old>; rel="canonical"'


async def test_markdown_has_an_ascii_file_name(client: httpx.AsyncClient) -> None:
    headers = (await client.get(f"/api/md{FRAMEWORK}")).headers
    assert headers["content-disposition"] == 'inline; filename="framework-react-overview.md"'
    assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("encoding", ["identity", "gzip"])
async def test_cached_text_is_not_modified(client: httpx.AsyncClient, encoding: str) -> None:
    first = await client.get(f"{CORE}.md", headers={"accept-encoding": encoding})
    again = await client.get(
        f"{CORE}.md", headers={"accept-encoding": encoding, "if-none-match": f"W/{first.headers['etag']}"}
    )
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", first.headers["etag"])


@pytest.mark.no_cover
@pytest.mark.parametrize(
    "path", [f"{CORE}.md", "/llms.txt", "/llms-full.txt", "/ranger/latest/docs.zip", "/sitemap.xml", "/og/query.jpg"]
)
@pytest.mark.parametrize("encoding", ["identity", "gzip"])
async def test_head_of_a_text_has_the_headers_of_get(client: httpx.AsyncClient, path: str, encoding: str) -> None:
    headers = {"accept-encoding": encoding}
    head, get = await client.head(path, headers=headers), await client.get(path, headers=headers)
    assert (head.status_code, head.content) == (200, b"")
    ids = {answer.headers.pop("x-request-id") for answer in (head, get)}
    assert len(ids) == 2
    assert dict(head.headers) == dict(get.headers)


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/table/latest/docs/nope.md", 404),
        ("/api/md/query/latest/docs/framework/react/nope", 404),
        ("/api/md/nope/latest/docs/overview", 404),
        ("/api/md/query/latest/docs/%20/..hidden", 404),
        ("/query/v9/llms.txt", 404),
        ("/nope/llms.txt", 404),
        ("/query/v9/docs.zip", 404),
        ("/nope/docs.zip", 404),
        ("/nope/latest/llms-full.txt", 404),
        ("/sitemap-nope.xml", 404),
        ("/start/latest/docs/x/.md", 404),
        ("/og/nope.jpg", 404),
        ("/og/query/latest/docs/nope.jpg", 404),
        ("/og/query/latest/docs/framework/evil-words.jpg", 404),
        ("/og/query/latest/docs/framework/react/examples/evil-words.jpg", 404),
        ("/og/blog/nope.jpg", 404),
        ("/og/x", 404),
    ],
)
async def test_missing_text_is_a_markdown_error(client: httpx.AsyncClient, path: str, status: int) -> None:
    answer = await client.get(path)
    assert answer.status_code == status
    assert answer.headers["content-type"].split(";")[0] in ("text/markdown", "text/plain")


async def test_missing_page_names_llms_txt(client: httpx.AsyncClient) -> None:
    answer = await client.get("/table/latest/docs/nope.md")
    assert answer.headers["cache-control"] == "no-store"
    assert "http://127.0.0.1:8000/table/latest/llms.txt" in answer.text


async def test_unknown_version_redirects_to_latest(client: httpx.AsyncClient) -> None:
    answer = await client.get("/api/md/table/v99/docs/introduction")
    assert (answer.status_code, answer.headers["location"]) == (307, f"/api/md{CORE}")


async def test_moved_page_redirects_to_its_markdown(client: httpx.AsyncClient) -> None:
    answer = await client.get("/api/md/router/latest/docs/framework/react/guide/search-params")
    assert (answer.status_code, answer.headers["location"]) == (307, "/api/md/router/latest/docs/guide/search-params")


async def test_page_of_a_removed_version_redirects_to_its_markdown(
    client: httpx.AsyncClient,
) -> None:
    answer = await client.get("/api/md/table/v7/docs/api/useTable")
    assert answer.status_code == 301
    assert answer.headers["location"] == "/api/md/table/v8/docs/guide/tables"


# llms.txt


async def test_all_listings_and_listed_pages_respond_200(client: httpx.AsyncClient) -> None:
    family = await client.get("/llms.txt")
    lists = re.findall(r"\]\(http://127\.0\.0\.1:8000(\S+)\)", family.text)
    assert len(lists) > 9
    pages: set[str] = set()
    for path in lists:
        answer = await client.get(path)
        assert (answer.status_code, answer.headers["content-type"]) == (200, MARKDOWN), path
        pages |= set(re.findall(r"\]\(http://127\.0\.0\.1:8000(/\S+\.md)\)", answer.text))
    assert len(pages) > 30
    assert not [path for path in pages if (await client.get(path, follow_redirects=True)).status_code != 200]


async def test_llms_txt_lists_the_pages_of_the_sitemap_and_no_others(client: httpx.AsyncClient) -> None:
    sitemaps = [await text_at(client, address) for address in locations((await client.get("/sitemap.xml")).text)]
    expected = {address for sitemap in sitemaps for address in locations(sitemap)}
    listed = await listed_pages(client, "/llms.txt")
    assert listed - expected == set()
    # Pages that have no Markdown and are no docs.
    assert {address.removeprefix(ORIGIN) for address in expected - listed} == {
        "/",
        "/blog",
        "/stats/npm",
        "/upgrade",
    }


async def text_at(client: httpx.AsyncClient, address: str) -> str:
    """The text at an address of the site."""
    return (await client.get(address.removeprefix(ORIGIN))).text


async def listed_pages(client: httpx.AsyncClient, index: str) -> set[str]:
    """The addresses of the pages that an index lists, with those of the indexes that it leads to."""
    links = re.findall(r"\]\((http://127\.0\.0\.1:8000\S+)\)", (await client.get(index)).text)
    found = {link.removesuffix(".md") for link in links if not link.endswith(".txt")}
    for link in links:
        # The index of an older version lists pages that the latest version has, too.
        if link.endswith("/latest/llms.txt"):
            found |= await listed_pages(client, link.removeprefix(ORIGIN))
    return found


async def test_family_full_text_contains_all_libraries(client: httpx.AsyncClient) -> None:
    whole = (await client.get("/llms-full.txt")).text
    assert whole.startswith("# TanStack\n")
    for library in ("query", "table", "store"):
        assert (await client.get(f"/{library}/latest/llms-full.txt")).text in whole


async def test_large_text_is_the_same_without_compression(client: httpx.AsyncClient) -> None:
    packed, plain = [
        await client.get("/llms-full.txt", headers={"accept-encoding": encoding}) for encoding in ("gzip", "identity")
    ]
    assert packed.text == plain.text
    assert (packed.headers["content-encoding"], plain.headers.get("content-encoding")) == ("gzip", None)
    assert int(plain.headers["content-length"]) == len(plain.content)


async def test_concurrent_requests_generate_a_text_once(client: httpx.AsyncClient) -> None:
    answers = await asyncio.gather(*(client.get("/form/latest/llms-full.txt") for _ in range(8)))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.text for answer in answers}) == 1


# docs.zip


async def test_archive_has_the_markdown_of_all_pages_at_their_addresses(client: httpx.AsyncClient) -> None:
    answer = await client.get("/query/latest/docs.zip")
    assert answer.headers["content-type"] == "application/zip"
    assert answer.headers["content-disposition"] == "attachment; filename*=UTF-8''query-latest-docs.zip"
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert archive.testzip() is None
        files = {name: archive.read(name).decode() for name in archive.namelist()}
    index = files.pop("query/latest/llms.txt")
    assert index == (await client.get("/query/latest/llms.txt")).text
    assert f"{ORIGIN}/query/latest/docs.zip" in index
    assert set(re.findall(rf"\]\({ORIGIN}/(\S+\.md)\)", index)) == set(files)
    path = "query/latest/docs/framework/react/overview.md"
    assert files[path] == (await client.get(f"/{path}", follow_redirects=True)).text


async def test_archive_is_the_same_after_a_restart_and_not_sent_again(client: httpx.AsyncClient, site: Site) -> None:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(SiteApp(site)), base_url="http://k") as other:
        first = await other.get("/ranger/latest/docs.zip")
    headers = {"if-none-match": first.headers["etag"]}
    again = await client.get("/ranger/latest/docs.zip", headers=headers)
    assert (again.status_code, again.content) == (304, b"")
    assert cdn_tag("TanStack/ranger@main#files") in first.headers["cache-tag"].split(",")


# Crawlers


async def test_robots_txt(client: httpx.AsyncClient) -> None:
    answer = await client.get("/robots.txt")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    lines = answer.text.splitlines()
    assert "Sitemap: http://127.0.0.1:8000/sitemap.xml" in lines
    assert [line for line in lines if line.startswith("Disallow")] == [
        "Disallow: /_server",
        "Disallow: /_hooks",
        "Disallow: /auth/",
    ]


async def test_sitemaps_of_the_index_exist(client: httpx.AsyncClient) -> None:
    index = await client.get("/sitemap.xml")
    assert index.headers["content-type"] == "application/xml; charset=utf-8"
    for address in locations(index.text):
        answer = await client.get(address.removeprefix("http://127.0.0.1:8000"))
        assert (answer.status_code, answer.headers["content-type"]) == (200, "application/xml; charset=utf-8")
        assert locations(answer.text)


async def test_site_sitemap_contains_the_own_pages(client: httpx.AsyncClient, site: Site) -> None:
    found = locations((await client.get("/sitemap-site.xml")).text)
    paths = [address.removeprefix("http://127.0.0.1:8000") for address in found]
    assert {
        "/",
        "/query/latest",
        "/blog",
        "/privacy",
        *(f"/blog/{post.slug}" for post in site.content.blog.posts),
    } <= set(paths)
    assert not [path for path in paths if site.content.redirects.match(path)]


# Share images


@pytest.mark.no_cover
@pytest.mark.parametrize(
    "path",
    [
        "/og/site.jpg",
        "/og/query.jpg",
        f"/og{FRAMEWORK}.jpg",
        f"/og{CORE}.jpg",
        "/og/query/latest/docs/framework/react.jpg",
        "/og/query/latest/docs/framework/react/examples/basic.jpg",
        "/og/blog/react-in-python.jpg",
    ],
)
async def test_all_pages_have_share_images(client: httpx.AsyncClient, path: str) -> None:
    answer = await client.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/jpeg")
    assert Image.open(io.BytesIO(answer.content)).format == "JPEG"


async def test_share_image_with_version_is_immutable(client: httpx.AsyncClient) -> None:
    path = f"/og{FRAMEWORK}.jpg"
    plain = await client.get(path)
    version = plain.headers["etag"].strip('"')
    assert plain.headers["cache-control"] == "public, max-age=0, must-revalidate"
    assert (await client.get(path, params={"v": version})).headers["cache-control"].endswith("immutable")
    assert (await client.get(path, params={"v": "0" * 12})).headers["cache-control"] == plain.headers["cache-control"]


async def test_cached_share_image_is_not_drawn(site: Site) -> None:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(SiteApp(site)), base_url="http://k") as other:
        first = await other.get("/og/store.jpg")
    app = SiteApp(site)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://k") as fresh:
        again = await fresh.get("/og/store.jpg", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
