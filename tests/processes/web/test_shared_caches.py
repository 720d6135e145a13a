"""The documented configurations of nginx and Varnish as caches, in front of one server."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from tests.servers.serving import LEAN, Server, serving
from tests.servers.shared_caches import CACHES, HTML, answers, started, wait_until

DOCS = "/query/latest/docs/framework/react"
PAGE, OTHER = f"{DOCS}/guides/caching", "/table/latest/docs/introduction"
EXAMPLE = f"{DOCS}/examples/basic"
MARKDOWN = {"accept": "text/markdown, text/html;q=0.5"}

pytestmark = pytest.mark.no_cover


@pytest.fixture(scope="module")
def server(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    assert built
    with serving(tmp_path_factory.mktemp("origin"), environment=LEAN) as server:
        yield server


@pytest.fixture(scope="module", params=CACHES)
def cache(
    request: pytest.FixtureRequest, server: Server, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[httpx.Client]:
    """A cache with its configuration as documented, except for ports and folders."""
    with started(request.param, tmp_path_factory.mktemp("cache"), server) as client:
        yield client


def is_hit(answer: httpx.Response) -> bool:
    return str(answer.headers.get("x-cache", "")).lower() == "hit"


def test_second_request_of_each_encoding_is_a_hit(cache: httpx.Client) -> None:
    for encoding in ("br", "gzip"):
        first, second = (cache.get(PAGE, headers={"accept-encoding": encoding}) for _ in range(2))
        assert (first.status_code, second.status_code) == (200, 200)
        assert is_hit(second)
        assert first.text == second.text
    # Varnish stores gzip only.
    assert second.headers["content-encoding"] == "gzip"


def test_html_is_not_sent_for_markdown_nor_markdown_for_html(cache: httpx.Client) -> None:
    for order in ((HTML, MARKDOWN, HTML, MARKDOWN), (MARKDOWN, HTML, MARKDOWN, HTML)):
        path = PAGE if order[0] is HTML else OTHER
        for headers in order:
            media_type = cache.get(path, headers=headers).headers["content-type"].partition(";")[0]
            assert media_type == ("text/html" if headers is HTML else "text/markdown")
    assert is_hit(cache.get(OTHER))
    assert [is_hit(cache.get(f"{OTHER}.md", headers=HTML)) for _ in range(2)][1]


def test_responses_that_depend_on_the_reader_are_not_stored(cache: httpx.Client) -> None:
    for _ in range(2):
        for theme in ("dark", "light"):
            answer = cache.get("/_server/theme.get", headers={"cookie": f"theme={theme}"})
            assert theme in answer.text
            assert not is_hit(answer)
    for path in ("/_server/dashboard.load", "/api/live/snapshot?t=release"):
        assert [is_hit(cache.get(path, headers={"cookie": "session=a"})) for _ in range(2)] == [False, False]
    cache.cookies.clear()


def test_readers_with_cookies_share_the_stored_pages(cache: httpx.Client) -> None:
    cache.get(PAGE, headers={"accept-encoding": "gzip"})
    answer = cache.get(PAGE, headers={"cookie": "session=a; theme=dark", "accept-encoding": "gzip"})
    assert is_hit(answer)
    assert "set-cookie" not in answer.headers


def test_query_is_part_of_the_key(cache: httpx.Client) -> None:
    plain = cache.get(EXAMPLE).text
    file = [cache.get(f"{EXAMPLE}?path=package.json") for _ in range(2)]
    assert file[0].text != plain
    assert file[0].text == file[1].text
    assert is_hit(file[1])
    assert cache.get(EXAMPLE).text == plain


def test_missing_page_is_stored(cache: httpx.Client) -> None:
    answers = [cache.get("/nothing-here/at/all") for _ in range(2)]
    assert [(answer.status_code, is_hit(answer)) for answer in answers] == [(404, False), (404, True)]


def test_missing_asset_is_not_stored(cache: httpx.Client) -> None:
    answers = [cache.get("/assets/app-0000000.js") for _ in range(2)]
    assert [(answer.status_code, is_hit(answer)) for answer in answers] == [(404, False)] * 2
    assert answers[1].headers["cache-control"] == "no-store"


def tags_of(server: Server, path: str) -> set[str]:
    return set(httpx.get(f"{server.url}{path}").headers["cache-tag"].split(","))


def test_varnish_bans_by_tag(server: Server, tmp_path: Path) -> None:
    tags = sorted(tags_of(server, PAGE) - tags_of(server, OTHER))
    assert tags
    with started("varnish", tmp_path, server) as cache:
        for path in (PAGE, OTHER, PAGE, OTHER):
            answer = cache.get(path)
            assert answer.status_code == 200
        assert is_hit(answer)
        banned = cache.request("BAN", "/", headers={"cache-tag": ",".join(tags[:100])})
        assert banned.status_code == 200
        assert [is_hit(cache.get(path)) for path in (PAGE, OTHER, PAGE)] == [False, True, True]
        assert cache.request("BAN", "/", headers={"cache-tag": ".*"}).status_code == 400
        assert cache.request("BAN", "/", headers={"cache-tag": "*,*"}).status_code == 400
        through_proxy = {"cache-tag": tags[0], "x-forwarded-for": "192.0.2.1"}
        assert cache.request("BAN", "/", headers=through_proxy).status_code == 403
        assert is_hit(cache.get(PAGE))


def with_short_lifetimes(text: str) -> str:
    """Responses are stale after a moment. For nginx, only the headers of the server say that Markdown is not stored."""
    changed = (
        text.replace("404 5m;", "404 1s;")
        .replace("_markdown;", "_never;")
        .replace("map $http_accept $kinfolk_markdown", "map $http_accept $kinfolk_never")
        .replace("~*text/markdown", "~*nothing")
    )
    changed = re.sub(r'(beresp\.ttl = std\.duration\(.*)"\\1s"', r'\1"0.0\\1s"', changed)
    return changed.replace("set req.grace = 5m;", "set req.grace = 0s;")


def test_markdown_is_not_stored_by_a_cache_that_ignores_vary_and_stale_pages_are_sent_while_the_server_is_down(
    built: Path, tmp_path: Path
) -> None:
    assert built
    with (
        serving(tmp_path, environment=LEAN) as server,
        started("nginx", tmp_path, server, with_short_lifetimes) as cache,
    ):
        assert cache.get(PAGE, headers=MARKDOWN).headers["content-type"].startswith("text/markdown")
        page = cache.get(PAGE)
        assert page.headers["content-type"].startswith("text/html")
        with started("varnish", tmp_path, server, with_short_lifetimes) as varnish_cache:
            assert varnish_cache.get(PAGE).text == page.text
            server.process.kill()
            server.process.wait(20)
            wait_until(lambda: not answers_at(server.url))
            wait_until(lambda: cache.get(PAGE).headers["x-cache"] == "STALE")
            stale = [client.get(PAGE) for client in (cache, varnish_cache, varnish_cache)]
            assert [answer.status_code for answer in stale] == [200] * 3
            assert {answer.text for answer in stale} == {page.text}
            assert cache.get(OTHER).status_code == 502
            assert varnish_cache.get(OTHER).status_code == 503


def answers_at(url: str) -> bool:
    with httpx.Client(base_url=url) as client:
        return answers(client)
