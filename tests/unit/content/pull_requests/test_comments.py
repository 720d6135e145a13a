"""Comments on pull requests: their text, and a client that writes them to hosts which also misbehave."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import datetime
from urllib.parse import urlsplit

import pytest
from markdown_it import MarkdownIt
from tests.inputs.script_vectors import SCRIPT_VECTORS, dangers_of
from tests.servers.comment_hosts import CommentServer, Failure, serve_comments

from kinfolk.config.code_hosts import CodeHost, HostKind, code_host
from kinfolk.content.pull_requests.comment_client import CommentClient
from kinfolk.content.pull_requests.comment_text import (
    LONGEST_SPAN,
    CommentedPage,
    CommentedPreview,
    code_span,
    comment_text,
)
from kinfolk.runtime.errors import NotFound, Unavailable
from kinfolk.runtime.upstream.upstream_client import RequestsRefused

NOON = datetime(2026, 3, 18, 12)  # noqa: DTZ001 - all times of the database are in UTC
SUBJECT = "acme/tiles#7"


@pytest.fixture
def server() -> Iterator[CommentServer]:
    with serve_comments() as found:
        yield found


def client_of(server: CommentServer, *, answer_s: float = 5.0) -> CommentClient:
    tokens = {"github.com": "for-github", urlsplit(server.url).netloc: "for-others"}
    return CommentClient(tokens, "secret", now=lambda: NOON, github_api=server.url, answer_s=answer_s)


def host_of(kind: HostKind, server: CommentServer) -> CodeHost:
    return code_host() if kind == "github" else CodeHost(kind, server.url)


def put(client: CommentClient, server: CommentServer, text: str = "text", kind: HostKind = "github") -> bool:
    return asyncio.run(client.put(host_of(kind, server), "acme/tiles", 7, text))


@pytest.mark.parametrize(
    ("kind", "update", "authorization"),
    [
        ("github", "PATCH", "Bearer for-github"),
        ("gitlab", "PUT", "Bearer for-others"),
        ("codeberg", "PATCH", "token for-others"),
    ],
)
def test_one_comment_is_written_and_replaced(
    server: CommentServer, kind: HostKind, update: str, authorization: str
) -> None:
    server.add(SUBJECT, "of another author")
    client = client_of(server)
    results = [put(client, server, text, kind) for text in ("first", "first", "second")]
    assert results == [True, False, True]
    other, own = server.comments[SUBJECT].values()
    assert (other, own.splitlines()[1:]) == ("of another author", ["second"])
    assert [method for method, _ in server.requests] == ["GET", "POST", "GET", "GET", update]
    assert server.authorizations == {authorization}


def test_copy_of_the_mark_is_not_replaced(server: CommentServer) -> None:
    client = client_of(server)
    put(client, server)
    mark = client.mark(code_host(), "acme/tiles", 7)
    server.add(SUBJECT, f"{mark}\ncopied")
    put(client, server, "second")
    assert list(server.comments[SUBJECT].values()) == [f"{mark}\nsecond", f"{mark}\ncopied"]
    assert mark not in (client.mark(code_host(), "acme/tiles", 8), client.mark(code_host(), "acme/other", 7))


def test_comment_is_found_on_a_later_page(server: CommentServer) -> None:
    server.page_size = 2
    for number in range(3):
        server.add(SUBJECT, f"comment {number}")
    client = client_of(server)
    put(client, server)
    put(client, server, "second")
    assert len(server.comments[SUBJECT]) == 4


@pytest.mark.parametrize(
    ("failure", "error"),
    [
        ((401, {}, '{"message": "Bad credentials"}'), Unavailable),
        ((403, {}, '{"message": "API rate limit exceeded"}'), RequestsRefused),
        ((403, {"retry-after": "7"}, ""), RequestsRefused),
        ((404, {}, ""), NotFound),
        ((422, {}, '{"message": "Validation Failed"}'), Unavailable),
        ((500, {}, "<h1>Unicorn</h1>"), Unavailable),
        ((301, {"location": "https://evil.example/"}, ""), Unavailable),
        ((200, {}, "<h1>not JSON</h1>"), Unavailable),
        ((200, {}, '[{"id": "x"}]'), Unavailable),
    ],
    ids=["401", "rate limit", "retry-after", "404", "422", "500", "redirect", "HTML", "wrong JSON"],
)
def test_failure_of_the_list_is_an_error(server: CommentServer, failure: Failure, error: type[Exception]) -> None:
    server.failures = [failure]
    with pytest.raises(error):
        put(client_of(server), server)
    assert server.comments == {}


@pytest.mark.parametrize("status", [301, 401, 422, 500])
def test_failure_of_a_write_is_an_error(server: CommentServer, status: int) -> None:
    server.failures = [(200, {}, "[]"), (status, {"location": f"{server.url}/elsewhere"}, "")]
    with pytest.raises(Unavailable):
        put(client_of(server), server)
    assert [method for method, _ in server.requests] == ["GET", "POST"]


def test_no_request_is_sent_while_the_host_refuses_them(server: CommentServer) -> None:
    server.failures = [(403, {"retry-after": "60"}, "")]
    client = client_of(server)
    for _ in range(2):
        with pytest.raises(RequestsRefused):
            put(client, server)
    assert len(server.requests) == 1


def test_slow_host_is_unavailable(server: CommentServer) -> None:
    server.delay_s = 0.5
    with pytest.raises(Unavailable, match="within"):
        put(client_of(server, answer_s=0.1), server)


def test_host_without_a_token_is_left_out(server: CommentServer) -> None:
    client = client_of(server)
    hosts = (
        code_host(),
        CodeHost("gitlab", server.url),
        code_host("codeberg"),
        CodeHost("github", "https://github.com.evil"),
    )
    assert [client.has_token(host) for host in hosts] == [True, True, False, False]


@pytest.mark.parametrize(
    "text", [*SCRIPT_VECTORS, "@ada", "#1", "https://evil.example", "`a` ``b``", "a](x)\n\n# b", "", "`"]
)
def test_text_of_a_pull_request_is_code(text: str) -> None:
    preview = CommentedPreview(
        "Tiles", "https://acme.dev/pr/tiles/7", "0123456", [CommentedPage("new", text, "https://acme.dev/x")], [text]
    )
    html = MarkdownIt("commonmark", {"html": True, "linkify": False}).render(comment_text([preview]))
    assert dangers_of(html) == []
    assert html.count("<code>") == 2
    assert html.count("<a ") == 2
    assert html.count("<li>") == 2


def test_span_is_short_and_of_one_line() -> None:
    assert code_span("a\u202e\nb") == "`a b`"
    assert len(code_span("x" * 1_000_000)) == LONGEST_SPAN + 2


def test_comment_names_what_changed() -> None:
    page = CommentedPage("changed", "Guide", "https://acme.dev/pr/tiles/7/docs/guide")
    preview = CommentedPreview(
        "Tiles", "https://acme.dev/pr/tiles/7", "0123456", [page] * 32, ["docs/guide.md: broken"]
    )
    lines = comment_text([preview]).splitlines()
    assert lines[0] == (
        "**[Preview of the docs of Tiles](https://acme.dev/pr/tiles/7)** at 0123456: 32 pages changed, 1 new finding."
    )
    assert lines[2] == "- changed: [`Guide`](https://acme.dev/pr/tiles/7/docs/guide)"
    assert lines[-5:] == ["- and 2 more", "", "New findings:", "", "- `docs/guide.md: broken`"]
