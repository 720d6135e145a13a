"""Delivery of pages: encodings, ETags, cache lifetimes, Content-Security-Policy, redirects."""

from __future__ import annotations

import asyncio
import functools
import hashlib
import re
import shutil
from base64 import b64encode
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path
from xml.etree.ElementTree import Element

import html5lib
import httpx
import pytest
from tests.servers.captured_logs import captured_logs
from tests.servers.serving import LEAN, serving
from tests.suite.snapshot_source import SnapshotSource

from kinfolk.config.settings import Settings
from kinfolk.content.dependencies import cdn_tag
from kinfolk.content.docs import DocsSnapshot
from kinfolk.content.sources.snapshot import Snapshot
from kinfolk.rendering import page_cache
from kinfolk.web import app as app_module
from kinfolk.web.app import SiteApp, create_app
from kinfolk.web.background.prerenderer import Prerenderer

PAGE = "/ranger/latest/docs/overview"
OTHER = "/ranger/latest/docs/concepts"
ENCODINGS = ("br", "gzip", "identity")
PAGES = (
    "/",
    "/ranger/latest",
    PAGE,
    "/ranger/latest/docs/framework/react/examples/basic",
    "/blog",
    "/login",
    "/nowhere",
    "/ranger/latest/docs/framework/react/nowhere",
)
RUN = {"", "module", "text/javascript", "importmap", "speculationrules"}


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory, built: Path) -> Iterator[httpx.Client]:
    """A client of a server process."""
    assert built
    with (
        serving(tmp_path_factory.mktemp("delivery"), environment=LEAN) as server,
        httpx.Client(base_url=server.url, timeout=30, headers={"accept-encoding": "identity"}) as client,
    ):
        yield client


@pytest.fixture
async def app(tmp_path: Path, settings: Settings, built: Path) -> AsyncIterator[SiteApp]:
    """A client of an app in this process, with a database of its own, and a copy of the docs that a test may change."""
    assert built
    shutil.copytree(settings.content, tmp_path / "repos")
    database_url = f"sqlite:///{tmp_path}/site.sqlite"
    app = create_app(replace(settings, content=tmp_path / "repos", database_url=database_url))
    async with app.running():
        yield app


def open_client(app: SiteApp) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://kinfolk.test")


# Before a request


@pytest.mark.anyio
async def test_pages_are_rendered_before_they_are_requested(
    tmp_path: Path, settings: Settings, built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert built
    monkeypatch.setattr(app_module, "Prerenderer", functools.partial(Prerenderer, start_s=0))
    monkeypatch.setattr(page_cache, "PRERENDERED_SHARE", 0.003)
    app = create_app(replace(settings, prerender=True, database_url=f"sqlite:///{tmp_path}/site.sqlite"))
    async with app.running(), asyncio.timeout(20):
        while app.pages.cache.has_room:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
        assert "/" in app.pages.cache
        assert len(app.pages.cache) >= 4
        assert not await app.pages.render_ahead("/")
        assert not await app.pages.render_ahead("/%zz")


# HEAD, encodings, ETags


@pytest.mark.parametrize(
    "path",
    [
        PAGE,
        "/nowhere",
        "/query/latest/",
        "/_files/TanStack/ranger/main/docs/overview.md",
        "/_server/site.shell",
        "/robots.txt",
    ],
)
def test_head_has_the_headers_of_get(reader: httpx.Client, path: str) -> None:
    head, get = reader.head(path), reader.get(path)
    assert head.content == b""
    assert head.status_code == get.status_code
    for answer in (head, get):
        answer.headers.pop("date", None)
        # Each request has its own, but for those that are answered from the cache of pages.
        answer.headers.pop("x-request-id", None)
    assert head.headers == get.headers


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_page_is_encoded_and_then_not_modified(reader: httpx.Client, encoding: str) -> None:
    whole = reader.get(PAGE, headers={"accept-encoding": encoding})
    assert whole.headers.get("content-encoding", "identity") == encoding
    assert whole.text == reader.get(PAGE).text
    assert "accept-encoding" in whole.headers["vary"]
    for etag in (whole.headers["etag"], f"W/{whole.headers['etag']}", f'"other", {whole.headers["etag"]}'):
        again = reader.get(PAGE, headers={"accept-encoding": encoding, "if-none-match": etag})
        assert (again.status_code, again.content) == (304, b"")
        for name in ("cache-control", "cdn-cache-control", "vary"):
            assert again.headers[name] == whole.headers[name]


def test_etag_of_each_encoding_matches(reader: httpx.Client) -> None:
    etags = {e: reader.get(PAGE, headers={"accept-encoding": e}).headers["etag"] for e in ENCODINGS}
    assert len(set(etags.values())) == len(ENCODINGS)
    for etag in etags.values():
        for encoding in ENCODINGS:
            answer = reader.get(PAGE, headers={"accept-encoding": encoding, "if-none-match": etag})
            assert answer.status_code == 304


def test_etag_of_another_page_does_not_match(reader: httpx.Client) -> None:
    other = reader.get(OTHER).headers["etag"]
    assert reader.get(PAGE, headers={"if-none-match": other}).status_code == 200


@pytest.mark.no_cover
@pytest.mark.anyio
async def test_changed_page_only_is_purged(app: SiteApp) -> None:
    file = app.site.settings.content / "TanStack/ranger/main/docs/overview.md"
    async with open_client(app) as client:
        before = {path: (await client.get(path)).headers for path in (PAGE, OTHER)}
        old = {path: headers["etag"] for path, headers in before.items()}
        tags = {path: set(headers["cache-tag"].split(",")) for path, headers in before.items()}
        file.write_text(file.read_text() + "\nA new sentence.\n")
        with captured_logs("pages purged") as logged:
            await asyncio.to_thread(app.site.content.publisher.refresh)
            await asyncio.sleep(0)  # the purge is a callback of the event loop

        of_cdn = set(logged[0]["cache_tags"].split(","))
        assert [bool(of_cdn & tags[path]) for path in (PAGE, OTHER)] == [True, False]
        fresh = await client.get(PAGE, headers={"if-none-match": old[PAGE]})
        assert fresh.status_code == 200
        assert "A new sentence." in fresh.text
        again = await client.get(PAGE, headers={"if-none-match": fresh.headers["etag"]})
        misses = app.pages.cache.misses
        other = await client.get(OTHER, headers={"if-none-match": old[OTHER]})
        assert (again.status_code, other.status_code) == (304, 304)
        assert app.pages.cache.misses == misses


@pytest.mark.no_cover
@pytest.mark.anyio
async def test_headings_named_like_ids_of_the_layout_have_ids_of_their_own(app: SiteApp) -> None:
    file = app.site.settings.content / "TanStack/ranger/main/docs/overview.md"
    async with open_client(app) as client:
        layout = ids_of((await client.get(PAGE)).text)
        names = ["Content", "Answers", "On this page", "Announcer", "Site menu", *layout]
        file.write_text("# Overview\n\n[Content](#content)\n\n" + "".join(f"## {name}\n\nText.\n\n" for name in names))
        await asyncio.to_thread(app.site.content.publisher.refresh)
        html = (await client.get(PAGE)).text
    ids = ids_of(html)
    page = parsed(html)
    headings = [one.get("id") for one in page.iterfind(".//div[@class='prose']//h2")]
    assert len(ids) == len(set(ids))
    assert set(layout) <= set(ids)
    assert headings[:5] == ["content", "answers", "on-this-page", "announcer", "site-menu"]
    outline = [one.get("href") for one in page.iterfind(".//nav[@class='toc']//li/a")]
    assert outline == [f"#{id}" for id in headings]
    body = page.find("body")
    assert body is not None
    skip_link, note, *_ = body
    assert (note.get("hidden"), [link.get("href") for link in note]) == ("", ["/llms.txt"])
    (main,) = page.iterfind(".//main")
    assert skip_link.get("href") == f"#{main.get('id')}"


@pytest.mark.no_cover
@pytest.mark.anyio
async def test_irrelevant_parameters_share_one_cached_page(app: SiteApp) -> None:
    queries = ("", "?utm_source=a", "?utm_source=b&x", "?path=docs%2Foverview.md", "?a[]=%ff&=&&", "?" + "y=1&" * 99)
    async with open_client(app) as client:
        answers = [await client.get(httpx.URL(f"http://kinfolk.test{PAGE}{query}")) for query in queries]
    assert [answer.status_code for answer in answers] == [200] * len(queries)
    assert len({answer.headers["etag"] for answer in answers}) == 1
    assert len(app.pages.cache) == 1


# Lifetimes


def test_docs_pages_are_cached_by_cdns_only(reader: httpx.Client) -> None:
    headers = reader.get(PAGE).headers
    assert headers["cache-control"] == "public, max-age=0, must-revalidate"
    assert headers["cdn-cache-control"] == "max-age=300, stale-while-revalidate=300, stale-if-error=86400"
    assert set(map(cdn_tag, ("TanStack/ranger@main:docs/overview.md", "TanStack/ranger@main:docs/config.json"))) <= set(
        headers["cache-tag"].split(",")
    )


@pytest.mark.no_cover
@pytest.mark.anyio
async def test_nothing_is_stored_until_there_are_docs(settings: Settings, built: Path, bundled: DocsSnapshot) -> None:
    assert built
    source = SnapshotSource(Snapshot({}))
    app = create_app(settings, source=source)
    lists = ("/", "/terms", "/sitemap.xml", "/sitemap-site.xml", "/llms.txt", "/blog", "/_server/site.shell")
    missing = ("/query/latest/llms.txt", "/query/changes.atom", "/query/latest", PAGE)
    async with app.running(), open_client(app) as client:
        for path in (*lists, *missing, *lists):
            headers = (await client.get(path)).headers
            assert "no-store" in headers["cache-control"], path
            assert not {"cdn-cache-control", "cache-tag"} & set(headers)
        asset = next((built / "client/assets").glob("boot-*.js")).name
        assert "immutable" in (await client.get(f"/assets/{asset}")).headers["cache-control"]

        source.snapshot = bundled.snapshot
        await asyncio.to_thread(app.site.content.publisher.refresh)
        stored = {path: (await client.get(path)).headers for path in (*lists, *missing)}
    assert {path for path, headers in stored.items() if "cdn-cache-control" not in headers} == set()


def test_personal_responses_are_not_cached(reader: httpx.Client) -> None:
    headers = reader.get("/_server/theme.get").headers
    assert headers["cache-control"] == "private, no-store"
    assert "cdn-cache-control" not in headers


# Content-Security-Policy


def ids_of(html: str) -> list[str]:
    return [id for one in parsed(html).iter() if (id := one.get("id"))]


def parsed(html: str) -> Element:
    page: Element = html5lib.parse(html, namespaceHTMLElements=False)
    return page


def directives(answer: httpx.Response) -> dict[str, list[str]]:
    written = [part.split() for part in answer.headers["content-security-policy"].split(";")]
    return {name: values for name, *values in written}


@pytest.mark.parametrize("path", PAGES)
def test_page_runs_its_own_inline_scripts_only(reader: httpx.Client, path: str) -> None:
    answer = reader.get(path)
    scripts = [script for script in parsed(answer.text).iter("script") if script.get("type", "") in RUN]
    inline = [(script.text or "").encode() for script in scripts if script.get("src") is None]
    hashes = {f"'sha256-{b64encode(hashlib.sha256(text).digest()).decode()}'" for text in inline}

    assert len(hashes) >= 1
    assert set(directives(answer)["script-src"]) == {"'self'", *hashes}
    assert all(re.match(r"/[^/]", script.get("src") or "/own") for script in scripts)


@pytest.mark.parametrize("path", PAGES)
def test_policy_names_each_style_element_and_there_are_no_style_attributes(reader: httpx.Client, path: str) -> None:
    answer = reader.get(path)
    page = parsed(answer.text)
    # html5lib parses `noscript` in a head as a browser without scripts does.
    texts = [(style.text or "").encode() for style in page.iter("style")]
    hashes = {f"'sha256-{b64encode(hashlib.sha256(text).digest()).decode()}'" for text in texts}

    assert len(hashes) > 1
    assert set(directives(answer)["style-src"]) == {"'self'", *hashes}
    assert [element.tag for element in page.iter() if element.get("style") is not None] == []


@pytest.mark.parametrize("path", PAGES)
def test_page_takes_html_from_named_policies_only(reader: httpx.Client, path: str) -> None:
    policy = directives(reader.get(path))
    assert policy["require-trusted-types-for"] == ["'script'"]
    assert policy["trusted-types"] == ["default", "html", "page", "panel"]


@pytest.mark.parametrize("path", PAGES)
def test_page_has_no_inline_handlers_and_no_frame(reader: httpx.Client, path: str) -> None:
    answer = reader.get(path)
    handlers = {name for element in parsed(answer.text).iter() for name in element.attrib if name.startswith("on")}
    policy = directives(answer)
    assert handlers == set()
    assert policy["frame-ancestors"] == policy["object-src"] == policy["base-uri"] == ["'none'"]
    assert answer.headers["x-content-type-options"] == "nosniff"


# Redirects


def raw(client: httpx.Client, target: str) -> httpx.Response:
    """Send the path unchanged: httpx would normalize it."""
    return client.get(client.base_url.copy_with(raw_path=target.encode()))


@pytest.mark.parametrize(
    ("target", "status", "location"),
    [
        ("/query/latest/", 308, "/query/latest"),
        ("/query/latest/?b=2&a=1", 308, "/query/latest?b=2&a=1"),
        ("/@evil.example/", 308, "/@evil.example"),
        ("/stats", 307, "/stats/npm"),
        ("/stats/?a=1", 307, "/stats/npm?a=1"),
        ("/query/v3/overview", 301, "/query/latest/docs/framework/react/overview?from=reactQueryV3"),
        ("/router/v1/docs/framework/react/start/%0aset-cookie:a", 400, None),
        ("/ranger/latest/docs/nowhere", 307, "/ranger/latest/docs/overview?from=/ranger/latest/docs/nowhere"),
        ("/ranger/latest/docs", 307, "/ranger/latest/docs/overview"),
        ("/ranger", 307, "/ranger/latest"),
        ("/ranger/v99/docs/overview", 307, "/ranger/latest/docs/overview?from=/ranger/v99/docs/overview"),
        (
            "/ranger/v99/docs/overview?y=1&%0d%0a=x",
            307,
            "/ranger/latest/docs/overview?from=/ranger/v99/docs/overview&y=1&%0d%0a=x",
        ),
        ("/ranger/v99/docs/overview?from=me", 307, "/ranger/latest/docs/overview?from=/ranger/v99/docs/overview"),
        ("/ranger/v99?from=%0d%0ax", 307, "/ranger/latest?from=/ranger/v99"),
        ("/ranger/v99/docs/a%26b%23c%0b", 400, None),
        ("/ranger/v99/docs/a%26b%23c", 307, "/ranger/latest/docs/a&b%23c?from=/ranger/v99/docs/a%26b%23c"),
        ("/ranger?q=drag", 307, "/ranger/latest?q=drag"),
        (
            "/ranger/latest/docs/nowhere?y=1",
            307,
            "/ranger/latest/docs/overview?from=/ranger/latest/docs/nowhere&y=1",
        ),
        (
            "/ranger/latest/docs/nowhere?from=/ranger/v99/docs/nowhere",
            307,
            "/ranger/latest/docs/overview?from=/ranger/v99/docs/nowhere",
        ),
        ("/merch", 301, "https://cottonbureau.com/people/tanstack"),
        ("/merch/?secret=1", 301, "https://cottonbureau.com/people/tanstack"),
        ("//evil.example", 400, None),
        ("//evil.example/", 400, None),
        ("/query//latest", 400, None),
        ("/query/latest//", 400, None),
        ("/%2F%2Fevil.example/", 400, None),
        ("/%5Cevil.example/", 400, None),
        ("/.//evil.example/", 400, None),
        ("/query/latest/%0d%0aset-cookie:a/", 400, None),
    ],
)
def test_redirects_lead_to_this_site_or_the_allowed_one(
    reader: httpx.Client, target: str, status: int, location: str | None
) -> None:
    answer = raw(reader, target)
    assert (answer.status_code, answer.headers.get("location")) == (status, location)


# The sponsor embed


def test_only_the_sponsor_embed_may_be_framed(reader: httpx.Client) -> None:
    embed, home = reader.get("/sponsors-embed"), reader.get("/")
    assert embed.headers["cache-control"] == "public, max-age=300, s-maxage=3600, stale-while-revalidate=3600"
    assert "frame-ancestors *;" in embed.headers["content-security-policy"]
    assert "frame-ancestors 'none';" in home.headers["content-security-policy"]
    assert not {"x-frame-options", "set-cookie"} & set(embed.headers)


def test_sponsor_embed_has_no_layout_and_opens_links_outside(reader: httpx.Client) -> None:
    page = html5lib.parse(reader.get("/sponsors-embed").text, namespaceHTMLElements=False)
    assert not list(page.iter("nav"))
    (main,) = page.iter("main")
    targets = {link.get("target") for link in main.iter("a")}
    assert targets == {"_parent"}


def test_forms_may_be_sent_to_the_newsletter_only(reader: httpx.Client) -> None:
    policy = reader.get("/").headers["content-security-policy"]
    assert "form-action 'self' https://bytes.dev/api/bytes-optin-cors" in policy.split("; ")


@pytest.mark.no_cover
@pytest.mark.anyio
async def test_missing_docs_pages_are_counted_although_they_redirect(app: SiteApp) -> None:
    async with open_client(app) as client:
        missing = await client.get("/query/latest/docs/no-such-page")
        assert (missing.status_code, missing.headers["location"].split("/")[1]) == (307, "query")
        assert (await client.get("/query/latest/docs")).status_code == 307
        assert (await client.get("/nowhere")).status_code == 404
    await app.pages.missed.flush()
    counted = app.site.maintenance.missed_requests.most("missing", days=1)
    assert sorted((each.path, each.count) for each in counted) == [
        ("/nowhere", 1),
        ("/query/latest/docs/no-such-page", 1),
    ]
