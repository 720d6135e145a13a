"""Pages at which readers arrive from another address: their notice, their cache and what happens under load."""

from __future__ import annotations

import asyncio
import html
import re
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from kinfolk.config.settings import Settings
from kinfolk.web.app import SiteApp, create_app
from kinfolk.web.protocol import fair_queue

pytestmark = pytest.mark.anyio

OVERVIEW = "/ranger/latest/docs/overview"
NOTICE = re.compile(r'<aside aria-label="About your link".*?</aside>', re.DOTALL)


@pytest.fixture(scope="module")
async def app(tmp_path_factory: pytest.TempPathFactory, settings: Settings, built: Path) -> AsyncIterator[SiteApp]:
    assert built
    folder = tmp_path_factory.mktemp("arrivals")
    app = create_app(replace(settings, database_url=f"sqlite:///{folder}/site.sqlite"))
    async with app.running():
        yield app


@pytest.fixture
async def client(app: SiteApp) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://kinfolk.test") as client:
        yield client


def notice(answer: httpx.Response) -> str:
    """The text of the notice; empty without one."""
    found = NOTICE.search(answer.text)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", found[0])).split()) if found else ""


@pytest.mark.parametrize(
    ("address", "arrived", "text"),
    [
        ("/query/v3/overview", "/query/latest/docs/framework/react/overview", "You followed a link to v3. This is v5."),
        ("/table/v7/docs/overview", "/table/v8/docs/introduction", "You followed a link to v7. This is v8."),
        ("/ranger/v9/docs/overview", OVERVIEW, "You followed a link to v9, which has no docs here. This is v0."),
        ("/ranger/v9", "/ranger/latest", "You followed a link to v9, which has no docs here. This is v0."),
        ("/ranger/v9/docs", OVERVIEW, "You followed a link to v9, which has no docs here. This is v0."),
        ("/ranger/latest/docs/instalation", OVERVIEW, "That page is gone. Nearest: Installation"),
        (
            "/query/latest/docs/guides/caching",
            "/query/latest/docs/framework/react/guides/caching",
            "Your link names no framework. This page is for React. Also for: Vue",
        ),
        ("/blog/npm-stats-the-right-way", "/blog/reading-npm-downloads", "That post is not published on this site."),
    ],
)
async def test_redirect_ends_at_a_page_that_says_where_the_reader_is(
    client: httpx.AsyncClient, address: str, arrived: str, text: str
) -> None:
    answer = await client.get(address, follow_redirects=True)
    assert (answer.status_code, answer.url.path) == (200, arrived)
    assert notice(answer).startswith(text)
    canonical = re.search(r'<link rel="canonical" href="[^"]*?(\?[^"]*)?"', answer.text)
    assert canonical is not None
    assert canonical[1] is None


async def test_page_without_a_notice_is_cached_once_for_all_other_origins(
    app: SiteApp, client: httpx.AsyncClient
) -> None:
    first = await client.get(OVERVIEW)
    pages = len(app.pages.cache)
    for origin in ("newsletter", "<b>", "a" * 600, "%ff", "//evil.example", ""):
        answer = await client.get(f"{OVERVIEW}?from={origin}&utm_source=x")
        assert answer.status_code == 200
        assert notice(answer) == ""
    # An address of another site is an origin like any other made-up path.
    assert len(app.pages.cache) <= pages + 1
    assert answer.headers["etag"] == first.headers["etag"]


async def test_text_of_an_origin_is_not_shown(client: httpx.AsyncClient) -> None:
    answer = await client.get(f"{OVERVIEW}?from=/ranger/latest/docs/send-money-to-mallory")
    assert notice(answer).startswith("That page is gone.")
    assert "mallory" not in notice(answer)


async def test_page_is_sent_without_its_notice_while_too_many_requests_of_a_client_wait(
    app: SiteApp, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fair_queue, "MAX_WAITING", 8)
    await client.get(OVERVIEW)
    addresses = [f"{OVERVIEW}?from=/ranger/latest/docs/missing-{number}" for number in range(20)]
    answers = await asyncio.gather(*(client.get(address) for address in addresses))
    assert {answer.status_code for answer in answers} == {200}
    assert {bool(notice(answer)) for answer in answers} == {True, False}


async def test_missing_page_of_an_old_version_leads_to_pages_that_exist(client: httpx.AsyncClient) -> None:
    answer = await client.get("/ranger/v0/docs/framework/react/nope")
    assert answer.status_code == 404
    main = re.search(r"<main.*?</main>", answer.text, re.DOTALL)
    assert main is not None
    assert "TanStack/ranger" not in main[0]
    assert "in the docs of TanStack Ranger v0" in main[0]
    links = set(re.findall(r'href="(/ranger/[^"#]*)"', answer.text))
    assert links
    for link in links:
        target = await client.get(html.unescape(link), follow_redirects=True)
        assert target.status_code == 200, link
