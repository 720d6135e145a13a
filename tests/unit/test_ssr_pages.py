"""Keeping finished pages: bytes, headers, ETags, purging, and never rendering twice what one render gives."""

from __future__ import annotations

import asyncio
import gzip

import brotli
import pytest

from kinfolk.budget import OverBudget
from kinfolk.cache import DOCS, PRIVATE
from kinfolk.errors import SiteError
from kinfolk.ssr import Document, Moved, Page, PageCache, Rendered
from kinfolk.ssr.flight import SingleFlight
from kinfolk.ssr.page import preferred

pytestmark = pytest.mark.anyio

MB = 2**20


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def document(text: str = "hello", *tags: str, status: int = 200) -> Document:
    return Document(status, f"<p>{text}</p>" * 50, frozenset(tags), DOCS, ("sha256-abc",))


async def kept(pages: PageCache, key: str, rendered: Rendered) -> Page:
    return await pages.put(pages.begin(), key, rendered)


def header(page: Page, name: str, *, accept: bytes = b"") -> str | None:
    found = dict(page.reply(accept).headers).get(name.encode())
    return found.decode() if found is not None else None


async def test_a_page_is_given_in_the_encoding_that_was_asked_for() -> None:
    page = await kept(PageCache(MB), "/", document())
    plain = page.reply().body
    assert brotli.decompress(page.reply(b"gzip, deflate, br").body) == plain
    assert gzip.decompress(page.reply(b"gzip").body) == plain
    assert header(page, "content-encoding", accept=b"gzip") == "gzip"
    assert header(page, "content-encoding") is None


@pytest.mark.parametrize(
    ("accepted", "given"),
    [
        (b"", "identity"),
        (b"gzip, deflate, br, zstd", "br"),
        (b"GZIP", "gzip"),
        (b"br;q=0, gzip;q=0.5", "gzip"),
        (b"br; q=0.0, gzip;q=0", "identity"),
        (b"*", "br"),
        (b"*;q=0", "identity"),
        (b"br;q=0, *", "gzip"),
        (b"\xff\xfe, brr", "identity"),
    ],
)
def test_the_encoding_is_one_that_the_client_accepts(accepted: bytes, given: str) -> None:
    assert preferred(accepted) == given


async def test_a_page_carries_everything_that_a_cache_or_browser_goes_by() -> None:
    pages = PageCache(MB, headers=[("x-content-type-options", "nosniff")])
    page = await kept(pages, "/", document("hello", "b", "a", "docs/naïve, file.md"))
    assert header(page, "cache-control") == "public, max-age=0, must-revalidate"
    assert header(page, "cdn-cache-control") == "max-age=300, stale-while-revalidate=300"
    assert header(page, "cache-tag") == "a,b,docs/na%C3%AFve%2C%20file.md"
    assert header(page, "vary") == "accept-encoding"
    assert header(page, "content-type") == "text/html; charset=utf-8"
    assert header(page, "content-length", accept=b"br") == str(len(page.reply(b"br").body))
    assert header(page, "x-content-type-options") == "nosniff"
    assert "'sha256-abc'" in str(header(page, "content-security-policy"))


async def test_only_the_embed_may_be_framed_and_it_has_its_own_lifetime() -> None:
    pages = PageCache(MB)
    embed, other = await kept(pages, "/sponsors-embed", document()), await kept(pages, "/", document())
    assert "frame-ancestors *;" in str(header(embed, "content-security-policy"))
    assert header(embed, "cache-control") == "public, max-age=300, s-maxage=3600, stale-while-revalidate=3600"
    assert "frame-ancestors 'none';" in str(header(other, "content-security-policy"))


async def test_every_encoding_has_its_own_etag_and_any_of_them_is_recognised() -> None:
    page = await kept(PageCache(MB), "/", document())
    etags = {accept: str(header(page, "etag", accept=accept)) for accept in (b"", b"gzip", b"br")}
    assert len(set(etags.values())) == 3
    for etag in etags.values():
        for sent in (etag, f"W/{etag}", f'"other", {etag}'):
            reply = page.reply(b"br", sent.encode())
            assert (reply.status, reply.body) == (304, b"")
            assert dict(reply.headers)[b"etag"].decode() == etags[b"br"]


async def test_another_etag_gets_the_whole_page() -> None:
    page = await kept(PageCache(MB), "/", document())
    other = await kept(PageCache(MB), "/", document("bye"))
    assert page.reply(b"br", str(header(other, "etag")).encode()).status == 200


async def test_a_304_repeats_the_lifetime_but_no_length_and_no_policy() -> None:
    page = await kept(PageCache(MB), "/", document())
    names = {name for name, _ in page.reply(b"", b"*").headers}
    assert names == {b"etag", b"cache-control", b"cdn-cache-control", b"vary"}


async def test_a_missing_page_has_no_etag_and_is_never_not_modified() -> None:
    page = await kept(PageCache(MB), "/nope", document(status=404))
    assert header(page, "etag") is None
    assert page.reply(b"", b"*").status == 404


async def test_a_redirect_is_kept_with_its_address() -> None:
    pages = PageCache(MB)
    await kept(pages, "/query", Moved(307, "/query/latest", frozenset({"site"}), DOCS))
    page = pages.get("/query")
    assert page is not None
    assert page.reply(b"br", b"*").status == 307
    assert header(page, "location") == "/query/latest"


async def test_a_redirect_to_itself_is_refused() -> None:
    with pytest.raises(SiteError):
        await kept(PageCache(MB), "/stats/npm", Moved(307, "/stats/npm?range=7-days", frozenset(), DOCS))


@pytest.mark.parametrize(
    "rendered",
    [
        document(status=500),
        Document(200, "<p>mine</p>", frozenset({"a"}), PRIVATE),
        Moved(307, "/login", frozenset(), PRIVATE),
    ],
)
async def test_what_failed_or_is_private_is_given_but_not_kept(rendered: Rendered) -> None:
    pages = PageCache(MB)
    page = await kept(pages, "/x", rendered)
    assert page.status == rendered.status
    assert pages.get("/x") is None


async def test_a_purge_takes_the_pages_made_of_a_tag_and_no_other() -> None:
    pages = PageCache(MB)
    await kept(pages, "/a", document("a", "docs:a", "site"))
    await kept(pages, "/b", document("b", "docs:b", "site"))
    await kept(pages, "/gone", document("gone", "docs:a", status=404))
    assert pages.purge(["docs:a", "docs:unknown"]) == 2
    assert pages.get("/a") is None
    assert pages.get("/b") is not None


async def test_a_page_begun_before_a_purge_of_its_tag_is_not_kept() -> None:
    pages = PageCache(MB)
    ticket = pages.begin()
    pages.purge(["docs:a"])
    await pages.put(ticket, "/a", document("old", "docs:a"))
    await pages.put(ticket, "/b", document("unconcerned", "docs:b"))
    assert pages.get("/a") is None
    assert pages.get("/b") is not None
    await kept(pages, "/a", document("new", "docs:a"))
    assert pages.get("/a") is not None


async def test_a_purge_during_compression_is_not_missed() -> None:
    pages = PageCache(MB)
    putting = asyncio.create_task(kept(pages, "/a", document("old", "docs:a")))
    await asyncio.sleep(0)
    pages.purge(["docs:a"])
    await putting
    assert pages.get("/a") is None


async def test_the_longest_unused_pages_go_first_and_all_encodings_count() -> None:
    pages = PageCache(15_000)
    for name in "abcdefgh":
        await kept(pages, f"/{name}", document(name))
        pages.get("/a")
    assert pages.get("/a") is not None
    assert pages.get("/b") is None
    assert pages.weight <= 15_000


@pytest.mark.parametrize("made_up", [document(status=404), Moved(307, "/elsewhere", frozenset(), DOCS)])
async def test_inventing_addresses_cannot_push_out_real_pages(made_up: Rendered) -> None:
    pages = PageCache(100_000)
    await kept(pages, "/real", document())
    for n in range(60):
        await kept(pages, f"/invented/{n}", made_up)
    assert pages.get("/real") is not None
    assert pages.get("/invented/59") is not None
    assert pages.get("/invented/0") is None


async def test_a_page_that_is_too_large_is_refused() -> None:
    with pytest.raises(OverBudget, match="larger than"):
        await kept(PageCache(MB), "/huge", Document(200, "x" * (9 * MB), frozenset(), DOCS))


async def test_a_page_that_returns_from_missing_is_found() -> None:
    pages = PageCache(MB)
    await kept(pages, "/a", document("missing", status=404))
    await kept(pages, "/a", document("here"))
    page = pages.get("/a")
    assert page is not None
    assert (page.status, len(pages)) == (200, 1)


async def test_pages_that_are_used_often_become_smaller_in_idle_time() -> None:
    pages = PageCache(MB)
    long = Document(200, "".join(f"<li>{n * n} and {n % 7}</li>" for n in range(2000)), frozenset(), DOCS)
    before = await kept(pages, "/often", long)
    await kept(pages, "/seldom", long)
    await kept(pages, "/moved", Moved(307, "/", frozenset(), DOCS))
    for _ in range(5):
        pages.get("/often")
        pages.get("/moved")
    assert await pages.improve() == 1
    assert await pages.improve() == 0
    after = pages.get("/often")
    assert after is not None
    assert len(after.reply(b"br").body) < len(before.reply(b"br").body)
    assert brotli.decompress(after.reply(b"br").body) == before.reply().body
    assert after.reply(b"br", str(header(before, "etag", accept=b"br")).encode()).status == 304


async def test_a_hundred_who_ask_at_once_cost_one_render() -> None:
    pages = PageCache(MB)
    renders = 0

    async def render() -> Rendered:
        nonlocal renders
        renders += 1
        await asyncio.sleep(0)
        return document()

    given = await asyncio.gather(*(pages.obtain("/", render) for _ in range(100)))
    assert renders == 1
    assert all(page is given[0] for page in given)


async def test_who_asks_after_a_purge_does_not_get_the_render_begun_before_it() -> None:
    pages = PageCache(MB)
    purged = asyncio.Event()
    texts = iter(("old", "new"))

    async def render() -> Rendered:
        text = next(texts)
        await purged.wait()
        return document(text, "docs:a")

    early = asyncio.create_task(pages.obtain("/a", render))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    pages.purge(["docs:a"])
    late = asyncio.create_task(pages.obtain("/a", render))
    purged.set()
    assert b"old" in (await early).reply().body
    assert b"new" in (await late).reply().body
    kept_page = pages.get("/a")
    assert kept_page is not None
    assert b"new" in kept_page.reply().body


async def test_a_visitor_who_leaves_does_not_take_the_page_from_the_others() -> None:
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


async def test_a_failure_is_shared_but_not_remembered() -> None:
    flights: SingleFlight[str, str] = SingleFlight()

    async def fail() -> str:
        await asyncio.sleep(0)
        raise SiteError("no")

    async def make() -> str:
        return "made"

    failures = await asyncio.gather(*(flights.do("/", fail) for _ in range(3)), return_exceptions=True)
    assert [type(failure) for failure in failures] == [SiteError] * 3
    assert await flights.do("/", make) == "made"
