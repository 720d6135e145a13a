"""The clients of GitHub's repositories and of npm's search, against a stand-in that also fails and lies."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler

import pytest
from tests.servers.figure_servers import (
    HTML,
    SEARCH,
    FigureServer,
    Reply,
    contributors_reply,
    repository_reply,
    search_reply,
    serve_figures,
    text_reply,
)

from kinfolk.runtime.errors import NotFound, Unavailable
from kinfolk.runtime.upstream.upstream_client import LONGEST_ANSWER, FetchedCount, RequestsRefused
from kinfolk.runtime.upstream.upstream_rate_limit import pause_s, retry_after_s
from kinfolk.statistics.figures.github_repository import GitHubRepository
from kinfolk.statistics.figures.npm_dependents import NpmDependents

NOON = datetime(2026, 3, 18, 12)  # noqa: DTZ001 - all times of the database are in UTC
NOON_S = int(NOON.replace(tzinfo=UTC).timestamp())
QUERY = "TanStack/query"
TOKEN = "secret"
PATH = f"/repos/{QUERY}"
CONTRIBUTORS = f"{PATH}/contributors"


class Clock:
    def __init__(self) -> None:
        self.time = NOON

    def __call__(self) -> datetime:
        return self.time


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def server() -> Iterator[FigureServer]:
    with serve_figures() as stand_in:
        stand_in.stars[QUERY] = 45_123
        stand_in.contributors[QUERY] = 987
        yield stand_in


def github(server: FigureServer, clock: Clock, *, token: str = TOKEN, answer_s: float = 30) -> GitHubRepository:
    return GitHubRepository(token, now=clock, api=server.url, timeout_s=20, answer_s=answer_s)


def npm(server: FigureServer, clock: Clock) -> NpmDependents:
    return NpmDependents(server.search, now=clock)


def stars(client: GitHubRepository, *, etag: str = "") -> FetchedCount | None:
    return asyncio.run(client.stars(QUERY, etag=etag))


def contributors(client: GitHubRepository, *, etag: str = "") -> FetchedCount | None:
    return asyncio.run(client.contributors(QUERY, etag=etag))


def value(count: FetchedCount | None) -> int | None:
    return None if count is None else count.value


# GitHub


def test_stars_and_contributors_of_a_repository(server: FigureServer, clock: Clock) -> None:
    client = github(server, clock)
    assert (value(stars(client)), value(contributors(client))) == (45_123, 987)
    assert server.paths == [PATH, CONTRIBUTORS]
    assert server.requests[1].query == {"per_page": ["1"], "anon": ["1"]}


@pytest.mark.parametrize(("token", "sent"), [("secret", "Bearer secret"), ("", None)])
def test_token_is_optional(server: FigureServer, clock: Clock, token: str, sent: str | None) -> None:
    stars(github(server, clock, token=token))
    headers = server.requests[0].headers
    assert headers.get("authorization") == sent
    assert headers["accept-encoding"] == "identity"


def test_unchanged_answer_is_none(server: FigureServer, clock: Clock) -> None:
    client = github(server, clock)
    first, people = stars(client), contributors(client)
    assert first is not None
    assert people is not None
    assert stars(client, etag=first.etag) is None
    assert contributors(client, etag=people.etag) is None
    server.stars[QUERY] += 1
    assert value(stars(client, etag=first.etag)) == 45_124


def test_304_to_an_unconditional_request_is_a_failure(server: FigureServer, clock: Clock) -> None:
    server.replies[PATH] = text_reply(304, "")
    with pytest.raises(Unavailable, match="304"):
        stars(github(server, clock))


@pytest.mark.parametrize("etag", ["x" * 201, "é"])
def test_etag_that_cannot_be_stored_is_dropped(server: FigureServer, clock: Clock, etag: str) -> None:
    server.replies[PATH] = repository_reply(QUERY, 5, etag=etag)
    assert stars(github(server, clock)) == FetchedCount(5, "")


@pytest.mark.parametrize(("count", "expected"), [(0, 0), (1, 1), (2, 2), (400_000, 400_000)])
def test_contributors_are_the_number_of_the_last_page(
    server: FigureServer, clock: Clock, count: int, expected: int
) -> None:
    server.replies[CONTRIBUTORS] = contributors_reply(count)
    assert value(contributors(github(server, clock))) == expected


def test_repository_without_commits_has_no_contributors(server: FigureServer, clock: Clock) -> None:
    server.replies[CONTRIBUTORS] = text_reply(204, "")
    assert value(contributors(github(server, clock))) == 0


@pytest.mark.parametrize(
    "reply",
    [
        repository_reply(QUERY, -1),
        repository_reply(QUERY, "45123"),
        repository_reply(QUERY, 45123.0),
        repository_reply(QUERY, True),
        repository_reply(QUERY, None),
        repository_reply(QUERY, 1 << 53),
        repository_reply(QUERY, 10**400),
        repository_reply("TanStack/router", 5),
        repository_reply(None, 5),
        text_reply(200, HTML),
        text_reply(200, ""),
        text_reply(200, "[]"),
        text_reply(200, "[" * 100_000),
        text_reply(200, '{"full_name": "TanStack/query", "stargazers_count": 45'),
        text_reply(204, ""),
    ],
)
def test_lie_about_stars_is_refused(server: FigureServer, clock: Clock, reply: Reply) -> None:
    server.replies[PATH] = reply
    with pytest.raises(Unavailable, match="GitHub"):
        stars(github(server, clock))


def last(address: str) -> Reply:
    return text_reply(200, "[{}]", link=f'<{address}>; rel="last"')


@pytest.mark.parametrize(
    "reply",
    [
        last("http://x/?page=-5"),
        last("http://x/?page=0"),
        last("http://x/?page=1e9"),
        last("http://x/?page=%D9%A3"),
        last("http://x/?page=9007199254740992"),
        last("http://x/?page=" + "9" * 5000),
        last("http://x/?page=5&page=6"),
        last("http://x/"),
        last("http://[/?page=5"),
        last("http://x/?" + "&".join("a=1" for _ in range(40)) + "&page=5"),
        text_reply(200, "[]", link='<http://x/?page=5>; rel="last"'),
        text_reply(200, "[{}, {}]"),
        text_reply(200, "[1]"),
        text_reply(200, "{}"),
        text_reply(200, HTML),
    ],
)
def test_lie_about_contributors_is_refused(server: FigureServer, clock: Clock, reply: Reply) -> None:
    server.replies[CONTRIBUTORS] = reply
    with pytest.raises(Unavailable, match="GitHub's answer for TanStack/query is invalid"):
        contributors(github(server, clock))


@pytest.mark.parametrize("link", ["", "<", '<http://x/?page=7>; rel="next"', ";;,,<>;rel", "<a>; rel=last=x"])
def test_link_without_a_last_page_counts_the_listed_contributor(server: FigureServer, clock: Clock, link: str) -> None:
    server.replies[CONTRIBUTORS] = text_reply(200, "[{}]", link=link)
    assert value(contributors(github(server, clock))) == 1


@pytest.mark.parametrize("name", ["", "query", "a/b/c", "TanStack/..", "TanStack/query?x=1", "-a/b", "a/é"])
def test_invalid_name_of_a_repository_is_not_requested(server: FigureServer, clock: Clock, name: str) -> None:
    with pytest.raises(NotFound):
        asyncio.run(github(server, clock).stars(name))
    assert server.requests == []


@pytest.mark.parametrize("status", [404, 410, 451])
def test_missing_repository_is_not_found(server: FigureServer, clock: Clock, status: int) -> None:
    server.replies[PATH] = text_reply(status, "")
    with pytest.raises(NotFound):
        stars(github(server, clock))


# Limits of the rate of requests


@pytest.mark.parametrize(
    ("reply", "expected_s"),
    [
        (text_reply(403, HTML), 60),
        (text_reply(429, HTML), 60),
        (text_reply(429, "", retry_after="7"), 7),
        (text_reply(403, "", retry_after="7"), 7),
        (text_reply(429, "", retry_after="0"), 1),
        (text_reply(429, "", retry_after="99999999"), 7200),
        (text_reply(429, "", retry_after="Wed, 18 Mar 2026 12:05:00 GMT"), 300),
        (text_reply(429, "", retry_after="soon"), 60),
        (text_reply(403, "", x_ratelimit_remaining="0", x_ratelimit_reset=str(NOON_S + 900)), 900),
        (text_reply(403, "", x_ratelimit_remaining="0", x_ratelimit_reset="1"), 1),
        (text_reply(403, "", x_ratelimit_remaining="0"), 60),
    ],
)
def test_limited_rate_is_reported_and_no_request_is_made_meanwhile(
    server: FigureServer, clock: Clock, reply: Reply, expected_s: float
) -> None:
    server.replies[PATH] = reply
    client = github(server, clock)
    for _ in range(2):
        with pytest.raises(RequestsRefused) as limited:
            stars(client)
        assert limited.value.retry_after_s == expected_s
    assert len(server.requests) == 1
    del server.replies[PATH]
    clock.time += timedelta(seconds=expected_s)
    assert value(stars(client)) == 45_123


def test_last_allowed_request_is_followed_by_a_pause(server: FigureServer, clock: Clock) -> None:
    reset = str(NOON_S + 600)
    server.replies[PATH] = repository_reply(QUERY, 5, x_ratelimit_remaining="0", x_ratelimit_reset=reset)
    client = github(server, clock)
    assert value(stars(client)) == 5
    with pytest.raises(RequestsRefused):
        contributors(client)
    assert server.paths == [PATH]


def test_clock_that_was_set_back_does_not_extend_a_pause(server: FigureServer, clock: Clock) -> None:
    client = github(server, clock)
    server.replies[PATH] = text_reply(429, "")
    with pytest.raises(RequestsRefused):
        stars(client)
    clock.time -= timedelta(days=30)
    del server.replies[PATH]
    assert value(stars(client)) == 45_123


def test_other_refusal_is_a_failure_without_a_pause(server: FigureServer, clock: Clock) -> None:
    server.replies[CONTRIBUTORS] = text_reply(403, '{"message": "The contributor list is too large"}')
    client = github(server, clock)
    with pytest.raises(Unavailable, match="403") as refused:
        contributors(client)
    assert not isinstance(refused.value, RequestsRefused)
    assert value(stars(client)) == 45_123


def test_rate_limit_of_an_answer() -> None:
    assert pause_s(200, {}, b"rate limit", NOON) == 0
    assert pause_s(500, {"retry-after": "5"}, b"", NOON) == 0
    assert pause_s(403, {}, b"You exceeded a secondary RATE LIMIT", NOON) == 60
    assert retry_after_s("Wed, 18 Mar 2026 11:00:00 GMT", NOON) == 0
    assert retry_after_s("Wed, 18 Mar 2026 13:00:00 -0100", NOON) == 2 * 3600


# Failures of the connection


@pytest.mark.parametrize("status", [400, 401, 500, 502, 503, 301, 206])
def test_other_statuses_are_failures(server: FigureServer, clock: Clock, status: int) -> None:
    server.replies[PATH] = text_reply(status, HTML if status != 301 else "")
    with pytest.raises(Unavailable, match=str(status)):
        stars(github(server, clock))


def test_answer_that_never_begins_ends_after_the_limit(server: FigureServer, clock: Clock) -> None:
    def silent(_: BaseHTTPRequestHandler) -> None:
        server.released.wait(60)

    server.replies[PATH] = silent
    with pytest.raises(Unavailable, match=r"within 0\.2 seconds"):
        stars(github(server, clock, answer_s=0.2))


def test_answer_of_a_byte_at_a_time_ends_after_the_limit(server: FigureServer, clock: Clock) -> None:
    def drip(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.end_headers()
        while not server.released.wait(0.02):
            handler.wfile.write(b" ")

    server.replies[PATH] = drip
    with pytest.raises(Unavailable, match=r"within 0\.3 seconds"):
        stars(github(server, clock, answer_s=0.3))


def test_cut_answer_is_a_failure(server: FigureServer, clock: Clock) -> None:
    body = json.dumps({"full_name": QUERY, "stargazers_count": 5})
    server.replies[PATH] = text_reply(200, body[:20], content_length=str(len(body)))
    with pytest.raises(Unavailable, match="RemoteProtocolError"):
        stars(github(server, clock))


def test_long_answer_is_not_read(server: FigureServer, clock: Clock) -> None:
    server.replies[PATH] = text_reply(200, " " * (LONGEST_ANSWER + 1))
    with pytest.raises(Unavailable, match="longer"):
        stars(github(server, clock))


def test_server_that_is_away_is_a_failure(clock: Clock) -> None:
    with pytest.raises(Unavailable, match="ConnectError"):
        stars(GitHubRepository("", now=clock, api="http://127.0.0.1:9"))


@pytest.mark.parametrize("api", ["", "api.github.com", "ftp://127.0.0.1", "http://[", "http://127.0.0.1:x"])
def test_wrong_address_of_the_api_is_a_failure(clock: Clock, api: str) -> None:
    with pytest.raises(Unavailable):
        stars(GitHubRepository("", now=clock, api=api))


# Redirects


def test_renamed_repository_is_followed_on_the_same_server(server: FigureServer, clock: Clock) -> None:
    server.replies[PATH] = text_reply(301, "", location="/repositories/1")
    server.replies["/repositories/1"] = repository_reply("TanStack/renamed", 5)
    assert value(stars(github(server, clock))) == 5
    assert server.requests[1].headers["authorization"] == "Bearer secret"


def test_redirect_to_another_server_is_not_followed(server: FigureServer, clock: Clock) -> None:
    with serve_figures() as other:
        server.replies[PATH] = text_reply(301, "", location=f"{other.url}{PATH}")
        with pytest.raises(Unavailable, match="another server"):
            stars(github(server, clock))
        assert other.requests == []


@pytest.mark.parametrize("location", [PATH, "http://[", "//", "http://127.0.0.1:99999/"])
def test_redirect_without_an_end_is_a_failure(server: FigureServer, clock: Clock, location: str) -> None:
    server.replies[PATH] = text_reply(302, "", location=location)
    with pytest.raises(Unavailable):
        stars(github(server, clock))


# npm's search


@pytest.mark.parametrize(
    ("given", "expected"), [(9123, 9123), ("9123", 9123), ("0", 0), ((1 << 53) - 1, (1 << 53) - 1)]
)
def test_dependents_are_a_number_or_text(server: FigureServer, clock: Clock, given: object, expected: int) -> None:
    name = "@tanstack/react-query"
    server.dependents[name] = given
    assert asyncio.run(npm(server, clock).count(name)) == FetchedCount(expected)
    assert server.requests[0].query == {"text": [name], "size": ["5"]}


@pytest.mark.parametrize("found", [[], [("react-query-like", 5)], [("React-Query", 5)], [("react-query", None)]])
def test_dependents_of_another_package_do_not_count(
    server: FigureServer, clock: Clock, found: list[tuple[str, object]]
) -> None:
    server.replies[SEARCH] = search_reply(*found)
    with pytest.raises(NotFound):
        asyncio.run(npm(server, clock).count("react-query"))


@pytest.mark.parametrize("given", [-1, "-1", 1 << 53, "9" * 40, 10**400, 1.5, True, "1,234", "٣", "", [], {}])
def test_lie_about_dependents_is_refused(server: FigureServer, clock: Clock, given: object) -> None:
    server.dependents["vue"] = given
    with pytest.raises(Unavailable, match="dependents of vue"):
        asyncio.run(npm(server, clock).count("vue"))


@pytest.mark.parametrize(
    "reply",
    [
        text_reply(500, ""),
        text_reply(200, HTML),
        text_reply(200, "[]"),
        text_reply(200, '{"objects": 3}'),
        text_reply(200, json.dumps({"objects": [{"package": {"name": "x"}}] * 251})),
        text_reply(302, "", location="http://127.0.0.1:9/"),
    ],
)
def test_failing_search_is_a_failure(server: FigureServer, clock: Clock, reply: Reply) -> None:
    server.replies[SEARCH] = reply
    with pytest.raises(Unavailable):
        asyncio.run(npm(server, clock).count("vue"))


def test_search_that_limits_the_rate_is_not_requested_again(server: FigureServer, clock: Clock) -> None:
    server.replies[SEARCH] = text_reply(429, "<h1>Error 1015</h1>", retry_after="30")
    client = npm(server, clock)
    for _ in range(2):
        with pytest.raises(RequestsRefused):
            asyncio.run(client.count("vue"))
    assert len(server.requests) == 1
