"""The page cache: bytes, headers, ETags, purges, and one render for concurrent requests."""

from __future__ import annotations

import asyncio
import gzip

import brotli
import pytest

from kinfolk.content.dependencies import cache_tag_header
from kinfolk.rendering import HtmlDocument, PageCache, PageRedirect, RenderedPage, RenderResult
from kinfolk.rendering.rendered_page import PageOptions
from kinfolk.runtime.budget import OverBudget
from kinfolk.runtime.cache import DOCS, PRIVATE
from kinfolk.runtime.errors import SiteError
from kinfolk.runtime.single_flight import SingleFlight

pytestmark = pytest.mark.anyio

MB = 2**20


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def document(text: str = "hello", *tags: str, status: int = 200) -> HtmlDocument:
    return HtmlDocument(status, f"<p>{text}</p>" * 50, frozenset(tags), DOCS, ("sha256-abc",))


async def put_page(pages: PageCache, key: str, rendered: RenderResult) -> RenderedPage:
    return await pages.put(pages.begin(), key, rendered)


def header(page: RenderedPage, name: str, *, accept: bytes = b"") -> str | None:
    found = dict(page.response(accept).headers).get(name.encode())
    return found.decode() if found is not None else None


async def test_page_has_the_accepted_encoding() -> None:
    page = await put_page(PageCache(MB), "/", document())
    plain = page.response().body
    assert brotli.decompress(page.response(b"gzip, deflate, br").body) == plain
    assert gzip.decompress(page.response(b"gzip").body) == plain
    assert header(page, "content-encoding", accept=b"gzip") == "gzip"
    assert header(page, "content-encoding") is None


async def test_page_has_cache_and_security_headers() -> None:
    pages = PageCache(MB, options=PageOptions(headers=(("x-content-type-options", "nosniff"),)))
    page = await put_page(pages, "/", document("hello", "b", "a", "docs/naïve, file.md"))
    assert header(page, "cache-control") == "public, max-age=0, must-revalidate"
    assert header(page, "cdn-cache-control") == "max-age=300, stale-while-revalidate=300, stale-if-error=86400"
    assert header(page, "cache-tag") == cache_tag_header({"a", "b", "docs/naïve, file.md"})
    assert header(page, "vary") == "accept-encoding"
    assert header(page, "content-type") == "text/html; charset=utf-8"
    assert header(page, "content-length", accept=b"br") == str(len(page.response(b"br").body))
    assert header(page, "x-content-type-options") == "nosniff"
    assert "'sha256-abc'" in str(header(page, "content-security-policy"))


async def test_embed_can_be_framed_and_has_its_own_lifetime() -> None:
    pages = PageCache(MB)
    embed, other = await put_page(pages, "/sponsors-embed", document()), await put_page(pages, "/", document())
    assert "frame-ancestors *;" in str(header(embed, "content-security-policy"))
    assert header(embed, "cache-control") == "public, max-age=300, s-maxage=3600, stale-while-revalidate=3600"
    assert "frame-ancestors 'none';" in str(header(other, "content-security-policy"))


@pytest.mark.parametrize(
    ("key", "robots"),
    [
        ("/query/latest/docs/overview", None),
        ("/query/latest/docs/overview?from=reactQueryV3", "noindex"),
        ("/stats/npm?range=30-days", None),
    ],
)
async def test_page_with_a_query_is_indexed_only_if_its_canonical_address_has_it(key: str, robots: str | None) -> None:
    assert header(await put_page(PageCache(MB), key, document()), "x-robots-tag") == robots


async def test_each_encoding_has_an_etag_and_all_match() -> None:
    page = await put_page(PageCache(MB), "/", document())
    etags = {accept: str(header(page, "etag", accept=accept)) for accept in (b"", b"gzip", b"br")}
    assert len(set(etags.values())) == 3
    for etag in etags.values():
        for sent in (etag, f"W/{etag}", f'"other", {etag}'):
            response = page.response(b"br", sent.encode())
            assert (response.status, response.body) == (304, b"")
            assert dict(response.headers)[b"etag"].decode() == etags[b"br"]


async def test_unknown_etag_gets_the_full_page() -> None:
    page = await put_page(PageCache(MB), "/", document())
    other = await put_page(PageCache(MB), "/", document("bye"))
    assert page.response(b"br", str(header(other, "etag")).encode()).status == 200


async def test_304_repeats_cache_headers_only() -> None:
    page = await put_page(PageCache(MB), "/", document())
    names = {name for name, _ in page.response(b"", b"*").headers}
    assert names == {b"etag", b"cache-control", b"cdn-cache-control", b"vary"}


async def test_missing_page_has_no_etag_and_no_304() -> None:
    page = await put_page(PageCache(MB), "/nope", document(status=404))
    assert header(page, "etag") is None
    assert page.response(b"", b"*").status == 404


async def test_redirect_is_cached() -> None:
    pages = PageCache(MB)
    await put_page(pages, "/query", PageRedirect(307, "/query/latest", frozenset({"site"}), DOCS))
    page = pages.get("/query")
    assert page is not None
    assert page.response(b"br", b"*").status == 307
    assert header(page, "location") == "/query/latest"


async def test_redirect_to_itself_is_an_error() -> None:
    with pytest.raises(SiteError):
        await put_page(PageCache(MB), "/support", PageRedirect(307, "/support?range=7-days", frozenset(), DOCS))


@pytest.mark.parametrize(
    "rendered",
    [
        document(status=500),
        HtmlDocument(200, "<p>mine</p>", frozenset({"a"}), PRIVATE),
        PageRedirect(307, "/login", frozenset(), PRIVATE),
    ],
)
async def test_failed_and_private_pages_are_not_cached(rendered: RenderResult) -> None:
    pages = PageCache(MB)
    page = await put_page(pages, "/x", rendered)
    assert page.status == rendered.status
    assert pages.get("/x") is None


async def test_purge_drops_pages_with_the_tag_only() -> None:
    pages = PageCache(MB)
    await put_page(pages, "/a", document("a", "docs:a", "site"))
    await put_page(pages, "/b", document("b", "docs:b", "site"))
    await put_page(pages, "/gone", document("gone", "docs:a", status=404))
    assert pages.purge(["docs:a", "docs:unknown"]) == 2
    assert pages.get("/a") is None
    assert pages.get("/b") is not None


async def test_page_begun_before_a_purge_is_not_cached() -> None:
    pages = PageCache(MB)
    start = pages.begin()
    pages.purge(["docs:a"])
    await pages.put(start, "/a", document("old", "docs:a"))
    await pages.put(start, "/b", document("unconcerned", "docs:b"))
    assert pages.get("/a") is None
    assert pages.get("/b") is not None
    await put_page(pages, "/a", document("new", "docs:a"))
    assert pages.get("/a") is not None


async def test_clear_drops_all_pages_and_those_begun_before() -> None:
    pages = PageCache(MB)
    begun = pages.begin()
    await put_page(pages, "/found", document())
    await put_page(pages, "/missing", document(status=404))
    pages.clear()
    await pages.put(begun, "/begun", document())
    assert (len(pages), pages.weight) == (0, 0)
    await put_page(pages, "/found", document())
    assert pages.get("/found") is not None


async def test_page_purged_during_compression_is_not_cached() -> None:
    pages = PageCache(MB)
    putting = asyncio.create_task(put_page(pages, "/a", document("old", "docs:a")))
    await asyncio.sleep(0)
    pages.purge(["docs:a"])
    await putting
    assert pages.get("/a") is None


async def test_least_recently_used_pages_are_evicted() -> None:
    pages = PageCache(15_000)
    for name in "abcdefgh":
        await put_page(pages, f"/{name}", document(name))
        pages.get("/a")
    assert pages.get("/a") is not None
    assert pages.get("/b") is None
    assert pages.weight <= 15_000


async def test_pages_requested_once_do_not_evict_pages_requested_again() -> None:
    pages = PageCache(50_000)
    await put_page(pages, "/popular", document())
    pages.get("/popular")
    for n in range(100):
        await put_page(pages, f"/walked/{n}", document())
    assert pages.get("/popular") is not None
    assert pages.get("/walked/99") is not None
    assert pages.get("/walked/0") is None


@pytest.mark.parametrize("encoding", ["br", "gzip", "identity"])
async def test_page_is_the_same_in_each_encoding(encoding: str) -> None:
    page = await put_page(PageCache(MB), "/a", document("Größe " * 1000))
    responses = [page.response(encoding.encode()) for _ in range(2)]
    assert responses[0] is responses[1]
    headers, body = dict(responses[0].headers), responses[0].body
    assert headers.get(b"content-encoding", b"identity") == encoding.encode()
    assert headers[b"content-length"] == str(len(body)).encode()
    decompress = {"br": brotli.decompress, "gzip": gzip.decompress, "identity": bytes}[encoding]
    assert decompress(body) == page.body
    assert page.response(encoding.encode(), headers[b"etag"]).status == 304


@pytest.mark.parametrize("made_up", [document(status=404), PageRedirect(307, "/elsewhere", frozenset(), DOCS)])
async def test_missing_pages_do_not_evict_existing_pages(made_up: RenderResult) -> None:
    pages = PageCache(100_000)
    await put_page(pages, "/real", document())
    for n in range(60):
        await put_page(pages, f"/invented/{n}", made_up)
    assert pages.get("/real") is not None
    assert pages.get("/invented/59") is not None
    assert pages.get("/invented/0") is None


async def test_too_large_page_is_an_error() -> None:
    with pytest.raises(OverBudget, match="larger than"):
        await put_page(PageCache(MB), "/huge", HtmlDocument(200, "x" * (9 * MB), frozenset(), DOCS))


async def test_page_that_was_missing_before_is_found() -> None:
    pages = PageCache(MB)
    await put_page(pages, "/a", document("missing", status=404))
    await put_page(pages, "/a", document("here"))
    page = pages.get("/a")
    assert page is not None
    assert (page.status, len(pages)) == (200, 1)


async def test_popular_pages_are_recompressed() -> None:
    pages = PageCache(MB)
    long = HtmlDocument(200, "".join(f"<li>{n * n} and {n % 7}</li>" for n in range(2000)), frozenset(), DOCS)
    before = await put_page(pages, "/often", long)
    await put_page(pages, "/seldom", long)
    await put_page(pages, "/moved", PageRedirect(307, "/", frozenset(), DOCS))
    for _ in range(5):
        pages.get("/often")
        pages.get("/moved")
    assert await pages.recompress_popular() == 1
    assert await pages.recompress_popular() == 0
    after = pages.get("/often")
    assert after is not None
    assert len(after.response(b"br").body) < len(before.response(b"br").body)
    assert brotli.decompress(after.response(b"br").body) == before.response().body
    assert after.response(b"br", str(header(before, "etag", accept=b"br")).encode()).status == 304


async def test_concurrent_requests_share_one_render() -> None:
    pages = PageCache(MB)
    renders = 0

    async def render() -> RenderResult:
        nonlocal renders
        renders += 1
        await asyncio.sleep(0)
        return document()

    given = await asyncio.gather(*(pages.obtain("/", render) for _ in range(100)))
    assert renders == 1
    assert all(page is given[0] for page in given)


async def test_request_after_a_purge_starts_a_new_render() -> None:
    pages = PageCache(MB)
    purged = asyncio.Event()
    texts = iter(("old", "new"))

    async def render() -> RenderResult:
        text = next(texts)
        await purged.wait()
        return document(text, "docs:a")

    early = asyncio.create_task(pages.obtain("/a", render))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    pages.purge(["docs:a"])
    late = asyncio.create_task(pages.obtain("/a", render))
    purged.set()
    assert b"old" in (await early).response().body
    assert b"new" in (await late).response().body
    kept_page = pages.get("/a")
    assert kept_page is not None
    assert b"new" in kept_page.response().body


async def test_cancelled_caller_does_not_cancel_the_others() -> None:
    flights: SingleFlight[str, str] = SingleFlight()
    go = asyncio.Event()

    async def make() -> str:
        await go.wait()
        return "made"

    first, second = (asyncio.create_task(flights.do("/", make)) for _ in range(2))
    await asyncio.sleep(0)
    first.cancel()
    go.set()
    assert await second == "made"
    assert len(flights) == 0


async def test_failure_is_shared_but_not_cached() -> None:
    flights: SingleFlight[str, str] = SingleFlight()

    async def fail() -> str:
        await asyncio.sleep(0)
        raise SiteError("no")

    async def make() -> str:
        return "made"

    failures = await asyncio.gather(*(flights.do("/", fail) for _ in range(3)), return_exceptions=True)
    assert [type(failure) for failure in failures] == [SiteError] * 3
    assert await flights.do("/", make) == "made"
