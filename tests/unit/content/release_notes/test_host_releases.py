"""The releases of code hosts, read from a stand-in that also fails and lies, and kept in the database."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler

import pytest
from tests.inputs.script_vectors import SCRIPT_VECTORS
from tests.servers.figure_servers import HTML, FigureServer, Reply, serve_figures, text_reply
from tests.servers.release_hosts import gitlab_release, many_releases, page_of, release, release_pages

from kinfolk.config.code_hosts import code_host
from kinfolk.content.release_notes.changelog import LONGEST_NOTES
from kinfolk.content.release_notes.hosts import host_releases, release_client
from kinfolk.content.release_notes.hosts.host_release_store import HostReleaseStore
from kinfolk.content.release_notes.hosts.host_releases import ReleaseRefresher, retry_after
from kinfolk.content.release_notes.hosts.release_client import HostRelease, ListedRepository, ReleaseClient, ReleasePage
from kinfolk.db.database import Database
from kinfolk.runtime.errors import NotFound, Unavailable
from kinfolk.runtime.upstream.upstream_client import RequestsRefused

NOON = datetime(2026, 3, 18, 12)  # noqa: DTZ001 - all times of the database are in UTC
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
GITHUB = ListedRepository(code_host(), "acme/query")
PATH = "/repos/acme/query/releases"
TOKEN = "secret"


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
        yield stand_in


@pytest.fixture
def store(database: Database) -> HostReleaseStore:
    return HostReleaseStore(database)


def client_of(server: FigureServer, clock: Clock, *, answer_s: float = 30) -> ReleaseClient:
    return ReleaseClient(TOKEN, now=clock, github_api=server.url, answer_s=answer_s)


def page(
    client: ReleaseClient, repository: ListedRepository = GITHUB, number: int = 1, etag: str = ""
) -> ReleasePage | None:
    return asyncio.run(client.page(repository, number, etag=etag))


def first_page(client: ReleaseClient, repository: ListedRepository = GITHUB) -> ReleasePage:
    found = page(client, repository)
    assert found is not None
    return found


def refresher(
    store: HostReleaseStore, server: FigureServer, clock: Clock, database: Database, *more: ListedRepository
) -> ReleaseRefresher:
    return ReleaseRefresher(store, client_of(server, clock), [GITHUB, *more], database=database, now=clock, gap_s=0)


def tags(store: HostReleaseStore, repository: ListedRepository = GITHUB) -> list[str]:
    return list(store.tags(repository.address))


# The client


def test_release_of_github(server: FigureServer, clock: Clock) -> None:
    server.replies[PATH] = release_pages([release("v1.0.0", "- a\r\n- b\r\n", name="First  one", prerelease=True)])
    found = first_page(client_of(server, clock))
    assert found.releases == (HostRelease("v1.0.0", "First one", "- a\n- b", datetime(2026, 1, 1, 12), True),)  # noqa: DTZ001
    assert not found.has_next
    assert server.requests[0].query == {"per_page": ["100"], "page": ["1"]}
    assert server.requests[0].headers["authorization"] == "Bearer secret"


def test_release_of_gitlab_is_read_without_the_token_of_github(server: FigureServer, clock: Clock) -> None:
    server.replies["/api/v4/projects/acme%2Fquery/releases"] = release_pages(
        [gitlab_release("v2.0.0", upcoming_release=True), gitlab_release("v1.0.0", "- a")]
    )
    found = first_page(client_of(server, clock), ListedRepository(code_host("gitlab", server.url), "acme/query"))
    assert found.releases == (HostRelease("v1.0.0", "v1.0.0", "- a", datetime(2026, 1, 1, 12)),)  # noqa: DTZ001
    assert "authorization" not in server.requests[0].headers


def test_release_of_forgejo(server: FigureServer, clock: Clock) -> None:
    server.replies["/api/v1/repos/acme/query/releases"] = release_pages(many_releases(60), most=50)
    found = first_page(client_of(server, clock), ListedRepository(code_host("codeberg", server.url), "acme/query"))
    assert len(found.releases) == 50
    assert found.has_next
    assert server.requests[0].query == {"limit": ["50"], "page": ["1"]}


def test_unchanged_page_is_none(server: FigureServer, clock: Clock) -> None:
    releases = many_releases(3)
    server.replies[PATH] = release_pages(releases)
    client = client_of(server, clock)
    etag = first_page(client).etag
    assert page(client, etag=etag) is None
    releases[0]["body"] = "edited"
    assert page(client, etag=etag) is not None


def test_full_page_without_a_link_may_have_a_next_page(server: FigureServer, clock: Clock) -> None:
    server.replies[PATH] = release_pages(many_releases(100), links=False)
    assert first_page(client_of(server, clock)).has_next


@pytest.mark.parametrize(
    "invalid",
    [
        release("v2", draft=True),
        release("v2", published_at=None),
        release("v2", published_at="yesterday"),
        release(""),
        release("v" * 256),
        release("v2\n"),
        release("v2", ["not", "text"]),
        release("v2", draft="perhaps"),
        {"tag_name": None},
        {},
    ],
)
def test_invalid_release_does_not_hide_the_others(
    server: FigureServer, clock: Clock, invalid: dict[str, object]
) -> None:
    server.replies[PATH] = release_pages([invalid, release("v1.0.0")])
    assert [one.tag for one in first_page(client_of(server, clock)).releases] == ["v1.0.0"]


def test_long_notes_are_cut(server: FigureServer, clock: Clock) -> None:
    server.replies[PATH] = release_pages(
        [release("v2", "a line\n" * 40_000), release("v1", "x" * (LONGEST_NOTES + 5)), release("v0", None, name=None)]
    )
    lines, word, none = first_page(client_of(server, clock)).releases
    assert (lines.is_cut, word.is_cut, none.is_cut) == (True, True, False)
    assert lines.body.endswith("a line")
    assert len(lines.body) <= len(word.body) == LONGEST_NOTES
    assert (none.name, none.body) == ("v0", "")


@pytest.mark.parametrize(
    "reply",
    [
        text_reply(200, HTML),
        text_reply(200, ""),
        text_reply(200, "{}"),
        text_reply(200, "[1]"),
        text_reply(200, "[" * 100_000),
        text_reply(200, '[{"tag_name": "v1.0.0", "bo'),
        text_reply(200, json.dumps([release("v1")]), content_length="99999"),
        text_reply(204, ""),
        text_reply(500, HTML),
        text_reply(401, '{"message": "Bad credentials"}'),
        text_reply(302, "", location="http://127.0.0.1:9/"),
        text_reply(302, "", location=PATH),
    ],
)
def test_invalid_answer_is_a_failure(server: FigureServer, clock: Clock, reply: Reply) -> None:
    server.replies[PATH] = reply
    with pytest.raises(Unavailable):
        page(client_of(server, clock))


def test_slow_answer_ends_after_the_limit(server: FigureServer, clock: Clock) -> None:
    def drip(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.end_headers()
        while not server.released.wait(0.02):
            handler.wfile.write(b" ")

    server.replies[PATH] = drip
    with pytest.raises(Unavailable, match=r"within 0\.2 seconds"):
        page(client_of(server, clock, answer_s=0.2))


def test_long_answer_is_not_read(server: FigureServer, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(release_client, "LONGEST_PAGE", 10_000)
    server.replies[PATH] = release_pages([release("v1", "x" * 10_000)])
    with pytest.raises(Unavailable, match="longer"):
        page(client_of(server, clock))


def test_missing_repository_is_not_found(server: FigureServer, clock: Clock) -> None:
    server.replies[PATH] = text_reply(404, '{"message": "Not Found"}')
    with pytest.raises(NotFound):
        page(client_of(server, clock))


def test_limited_rate_is_reported(server: FigureServer, clock: Clock) -> None:
    reset = str(int(NOON.replace(tzinfo=UTC).timestamp()) + 900)
    server.replies[PATH] = text_reply(403, "{}", x_ratelimit_remaining="0", x_ratelimit_reset=reset)
    client = client_of(server, clock)
    for _ in range(2):
        with pytest.raises(RequestsRefused) as refused:
            page(client)
        assert refused.value.retry_after_s == 900
    assert len(server.requests) == 1


# The refresher


def test_releases_are_stored_and_read_by_their_tags(
    store: HostReleaseStore, server: FigureServer, clock: Clock, database: Database
) -> None:
    server.replies[PATH] = release_pages(many_releases(250))
    changed = asyncio.run(refresher(store, server, clock, database).refresh())
    assert changed == {GITHUB.address}
    assert len(server.requests) == 3
    assert tags(store)[:2] == ["v1.250.0", "v1.249.0"]
    assert store.read(GITHUB.address, ["v1.7.0", "v9"])["v1.7.0"].body == "- change 7"
    assert store.changed_since(0)[1] == {GITHUB.address}
    # A new process reads the same, and requests nothing before the hour is over.
    assert HostReleaseStore(database).read(GITHUB.address, ["v1.7.0"])["v1.7.0"].body == "- change 7"
    assert asyncio.run(refresher(store, server, clock, database).refresh()) == frozenset()
    assert len(server.requests) == 3


def test_hourly_request_is_conditional_and_reads_only_new_pages(
    store: HostReleaseStore, server: FigureServer, clock: Clock, database: Database
) -> None:
    releases = many_releases(250)
    server.replies[PATH] = release_pages(releases)
    task = refresher(store, server, clock, database)
    asyncio.run(task.refresh())
    revision, _ = store.changed_since(0)
    clock.time += HOUR
    assert asyncio.run(task.refresh()) == frozenset()
    assert len(server.requests) == 4
    assert server.requests[3].headers["if-none-match"]
    releases.insert(0, release("v2.0.0", day=300))
    clock.time += HOUR
    assert asyncio.run(task.refresh()) == {GITHUB.address}
    assert len(server.requests) == 6  # the second page has a release that was on the first
    assert tags(store)[0] == "v2.0.0"
    assert store.changed_since(revision) == (revision + 1, frozenset({GITHUB.address}))


def test_daily_reading_finds_edited_and_removed_releases(
    store: HostReleaseStore, server: FigureServer, clock: Clock, database: Database
) -> None:
    releases = many_releases(150)
    server.replies[PATH] = release_pages(releases)
    task = refresher(store, server, clock, database)
    asyncio.run(task.refresh())
    releases[140]["body"] = "edited"
    del releases[120]
    for _ in range(2):
        clock.time += DAY
        asyncio.run(task.refresh())
    assert store.read(GITHUB.address, ["v1.10.0"])["v1.10.0"].body == "edited"
    assert len(tags(store)) == 149


def test_limited_rate_continues_where_it_ended(server: FigureServer, clock: Clock, sqlite_database: Database) -> None:
    store = HostReleaseStore(sqlite_database)
    pages = release_pages(many_releases(250))
    refused = text_reply(429, "", retry_after="600")
    server.replies[PATH] = lambda handler: (refused if page_of(handler) == 2 else pages)(handler)
    other = ListedRepository(code_host(), "acme/other")
    assert asyncio.run(refresher(store, server, clock, sqlite_database, other).refresh()) == {GITHUB.address}
    assert len(tags(store)) == 100
    assert [request.path for request in server.requests] == [PATH, PATH]
    # Another process continues after the pause.
    server.replies[PATH] = pages
    server.replies["/repos/acme/other/releases"] = release_pages([release("v1")])
    task = refresher(store, server, clock, sqlite_database, other)
    assert asyncio.run(task.refresh()) == frozenset()
    clock.time += timedelta(minutes=10)
    assert asyncio.run(task.refresh()) == {GITHUB.address, other.address}
    assert [request.query["page"] for request in server.requests[2:4]] == [["2"], ["3"]]
    assert len(tags(store)) == 250


@pytest.mark.parametrize(
    "reply",
    [
        text_reply(500, ""),
        text_reply(200, HTML),
        text_reply(200, "[]"),
        text_reply(404, ""),
        text_reply(403, HTML),
        text_reply(200, '[{"tag_name": "v1'),
    ],
)
def test_failure_leaves_the_last_good_state(
    server: FigureServer, clock: Clock, sqlite_database: Database, reply: Reply
) -> None:
    store = HostReleaseStore(sqlite_database)
    good = release_pages(many_releases(3))
    server.replies[PATH] = good
    task = refresher(store, server, clock, sqlite_database)
    asyncio.run(task.refresh())
    server.replies[PATH] = reply
    clock.time += DAY
    assert asyncio.run(task.refresh()) == frozenset()
    assert asyncio.run(task.refresh()) == frozenset()
    assert len(server.requests) == 2
    assert len(tags(store)) == 3
    server.replies[PATH] = good
    clock.time += DAY
    asyncio.run(task.refresh())
    assert store.states([GITHUB.address])[GITHUB.address].failures == 0


def test_reading_that_fails_at_a_page_begins_anew_after_a_day(
    server: FigureServer, clock: Clock, sqlite_database: Database
) -> None:
    store = HostReleaseStore(sqlite_database)
    releases = many_releases(150)
    pages, broken = release_pages(releases), text_reply(500, "")
    server.replies[PATH] = lambda handler: (broken if page_of(handler) == 2 else pages)(handler)
    task = refresher(store, server, clock, sqlite_database)
    asyncio.run(task.refresh())
    releases.insert(0, release("v2.0.0", day=300))
    clock.time += DAY
    asyncio.run(task.refresh())
    assert tags(store)[0] == "v2.0.0"


def test_host_with_endless_pages_is_read_to_the_limit(
    server: FigureServer,
    clock: Clock,
    sqlite_database: Database,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = HostReleaseStore(sqlite_database)
    monkeypatch.setattr(host_releases, "MAX_PAGES", 8)

    def endless(handler: BaseHTTPRequestHandler) -> None:
        number = page_of(handler)
        body = json.dumps([release(f"v{number}", day=-number)])
        text_reply(200, body, link=f'<http://x.test/?page={number + 1}>; rel="next"')(handler)

    server.replies[PATH] = endless
    asyncio.run(refresher(store, server, clock, sqlite_database).refresh())
    assert len(server.requests) == len(tags(store)) == 8


def test_announced_release_is_read_at_once(server: FigureServer, clock: Clock, sqlite_database: Database) -> None:
    store = HostReleaseStore(sqlite_database)
    releases = many_releases(3)
    server.replies[PATH] = release_pages(releases)
    task = refresher(store, server, clock, sqlite_database)
    asyncio.run(task.refresh())
    releases.insert(0, release("v2.0.0", day=300))
    store.request(GITHUB.address)
    assert asyncio.run(task.refresh()) == {GITHUB.address}
    assert tags(store)[0] == "v2.0.0"


def test_active_content_is_stored_as_text(
    store: HostReleaseStore, server: FigureServer, clock: Clock, database: Database
) -> None:
    server.replies[PATH] = release_pages(
        [release(f"v{at}", f"{vector}\0", day=at) for at, vector in enumerate(SCRIPT_VECTORS)]
    )
    asyncio.run(refresher(store, server, clock, database).refresh())
    stored = store.read(GITHUB.address, tags(store))
    assert [stored[f"v{at}"].body for at in range(len(SCRIPT_VECTORS))] == [one.strip() for one in SCRIPT_VECTORS]


def test_pause_after_failures_is_limited() -> None:
    assert [retry_after(count) for count in (1, 2, 10_000)] == [timedelta(minutes=5), timedelta(minutes=10), 6 * HOUR]
