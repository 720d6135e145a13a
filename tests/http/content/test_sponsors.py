"""Sponsors are read from a fake GitHub on the loopback, which also fails."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest

from kinfolk.config.catalog import Catalog
from kinfolk.config.settings import Settings
from kinfolk.content.sponsors import CurrentSponsors, GitHubSponsors, SponsorConfig
from kinfolk.runtime.errors import Unavailable
from kinfolk.site.site import open_site
from kinfolk.web.app import SiteApp
from kinfolk.web.background.refresher import refresh_sponsors

pytestmark = pytest.mark.anyio

NOON = datetime(2026, 3, 14, 12, tzinfo=UTC)
Reply = Callable[[BaseHTTPRequestHandler, dict[str, object]], object]


def say(handler: BaseHTTPRequestHandler, status: int, body: object, **headers: str) -> None:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    handler.send_response(status)
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.send_header("content-length", str(len(raw)))
    handler.end_headers()
    handler.wfile.write(raw)


def sponsorship(login: str, dollars: float, **other: object) -> dict[str, object]:
    """A sponsorship as GitHub returns it, with extra fields."""
    who = {
        "login": login,
        "name": f" {login.title()}\n",
        "avatarUrl": f"https://a.example/{login}",
        "email": f"{login}@x.example",
    }
    return {
        "privacyLevel": "PUBLIC",
        "isOneTimePayment": False,
        "tier": {"id": "T_1", "monthlyPriceInDollars": dollars},
        "sponsorEntity": who,
        **other,
    }


def page(nodes: list[object], after: str | None = None) -> dict[str, object]:
    info = {"hasNextPage": after is not None, "endCursor": after}
    return {"data": {"repositoryOwner": {"sponsorshipsAsMaintainer": {"pageInfo": info, "nodes": nodes}}}}


FIRST = page(
    [
        sponsorship("ada", 4321),
        sponsorship("hidden", 100, privacyLevel="PRIVATE"),
        sponsorship("once", 5000, isOneTimePayment=True),
        sponsorship("unknown", 7, sponsorEntity=None),
        None,
    ],
    "p2",
)
SECOND = page([sponsorship("ben", 50, tier=None), sponsorship("ada", 4321), sponsorship("../evil", 9)])


def behaves(handler: BaseHTTPRequestHandler, query: dict[str, object]) -> None:
    assert isinstance(query["variables"], dict)
    say(handler, 200, FIRST if query["variables"]["after"] is None else SECOND)


class GitHub:
    """The fake GitHub. `reply` handles requests; `queries` records them."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.reply: Reply = behaves
        self.queries: list[dict[str, object]] = []
        self.tokens: list[str | None] = []
        self.released = threading.Event()

    def then(self, *replies: Reply) -> None:
        """Reply in this order, then always with the last."""
        waiting = list(replies)

        def reply(handler: BaseHTTPRequestHandler, query: dict[str, object]) -> None:
            now = waiting.pop(0) if len(waiting) > 1 else waiting[0]
            now(handler, query)

        self.reply = reply


@contextmanager
def serve_github() -> Iterator[GitHub]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            query = json.loads(self.rfile.read(int(self.headers["content-length"])))
            stand_in.queries.append(query)
            stand_in.tokens.append(self.headers["authorization"])
            with suppress(BrokenPipeError, ConnectionResetError):  # the client may have disconnected
                stand_in.reply(self, query)

        def log_message(self, format: str, *args: object) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    stand_in = GitHub(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield stand_in
    finally:
        stand_in.released.set()
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture
def github() -> Iterator[GitHub]:
    with serve_github() as stand_in:
        yield stand_in


def sponsors_of(github: GitHub) -> GitHubSponsors:
    return GitHubSponsors("family", "secret", api=github.url, timeout_s=30, first_pause_s=0.001)


@pytest.fixture
def sponsors(github: GitHub, tmp_path: Path, catalog: Catalog) -> CurrentSponsors:
    return current_sponsors(github, tmp_path, catalog)


def current_sponsors(github: GitHub, folder: Path, catalog: Catalog, *, login: str = "family") -> CurrentSponsors:
    github_sponsors = GitHubSponsors(login, "secret", api=github.url, timeout_s=30, first_pause_s=0.001)
    return CurrentSponsors(
        SponsorConfig(), (), github=github_sponsors, become_url=catalog.sponsors_url, folder=folder, clock=lambda: NOON
    )


def names(sponsors: CurrentSponsors) -> list[str]:
    return [circle.name for circle in sponsors.pack.circles] + [other.name for other in sponsors.pack.others]


async def test_query_fetches_all_pages_with_the_token_and_without_email_addresses(github: GitHub) -> None:
    found = await sponsors_of(github).fetch()
    assert [(one.login, one.name, one.monthly_dollars) for one in found] == [
        ("ada", "Ada", 4321),
        ("once", "Once", 0),
        ("ben", "Ben", 0),
    ]
    assert [query["variables"] for query in github.queries] == [
        {"login": "family", "after": None},
        {"login": "family", "after": "p2"},
    ]
    assert set(github.tokens) == {"Bearer secret"}
    assert "email" not in str(github.queries[0]["query"])
    assert "includePrivate: false" in str(github.queries[0]["query"])


async def test_refresh_shows_sponsors_and_the_date_of_the_query(sponsors: CurrentSponsors) -> None:
    assert sponsors.pack.as_of is None
    assert await sponsors.refresh() is True
    assert names(sponsors) == ["Ada", "Ben", "Once"]
    assert sponsors.pack.as_of == "2026-03-14"
    assert await sponsors.refresh() is False


def status(code: int, **headers: str) -> Reply:
    return lambda handler, _: say(handler, code, {"message": "no"}, **headers)


def body(of: object) -> Reply:
    return lambda handler, _: say(handler, 200, of)


def second_page_fails(handler: BaseHTTPRequestHandler, query: dict[str, object]) -> None:
    assert isinstance(query["variables"], dict)
    if query["variables"]["after"] is None:
        say(handler, 200, FIRST)
    else:
        say(handler, 502, b"<html>Bad gateway</html>")


def close_connection(handler: BaseHTTPRequestHandler, query: dict[str, object]) -> None:
    handler.close_connection = True
    handler.connection.close()


def close_after_half(handler: BaseHTTPRequestHandler, query: dict[str, object]) -> None:
    handler.send_response(200)
    handler.send_header("content-length", "5000")
    handler.end_headers()
    handler.wfile.write(b'{"data"')
    handler.close_connection = True


MISBEHAVIOUR: dict[str, tuple[Reply, str]] = {
    "a wrong token": (status(401), "answers 401"),
    "a token that may not": (status(403), "answers 403"),
    "no end of errors": (status(500), "answers 500"),
    "no end of refusals": (status(429, retry_after="0"), "answers 429"),
    "no JSON": (body(b"<html>hello</html>"), "is invalid"),
    "nothing": (body(b""), "is invalid"),
    "other JSON": (body([1, 2]), "is invalid"),
    "a page without cursors": (body(page([1])), "is invalid"),
    "an amount that is none": (body(page([sponsorship("ada", float("nan"))])), "is invalid"),
    "a price below nothing": (body(page([sponsorship("ada", -5)])), "is invalid"),
    "errors": (body({"data": None, "errors": [{"message": "Something is wrong"}]}), "Something is wrong"),
    "an unknown account": (body({"data": {"repositoryOwner": None}}), "no account family"),
    "the same page for ever": (body(FIRST), "without a cursor"),
    "a page that names no next one": (
        body(
            {
                "data": {
                    "repositoryOwner": {"sponsorshipsAsMaintainer": {"pageInfo": {"hasNextPage": True}, "nodes": []}}
                }
            }
        ),
        "without a cursor",
    ),
    "a second page that fails": (second_page_fails, "answers 502"),
    "a torrent": (body(b" " * ((4 << 20) + 1)), "longer than"),
    "a broken line": (close_connection, "sponsors to GitHub fails"),
    "half an answer": (close_after_half, "sponsors to GitHub fails"),
}


@pytest.mark.parametrize("kind", MISBEHAVIOUR)
async def test_failed_refresh_keeps_the_last_valid_sponsors(
    sponsors: CurrentSponsors, github: GitHub, tmp_path: Path, kind: str
) -> None:
    await sponsors.refresh()
    before, stored = sponsors.pack, (tmp_path / "sponsors.json").read_bytes()
    github.reply, reason = MISBEHAVIOUR[kind]
    with pytest.raises(Unavailable, match=reason):
        await sponsors.refresh()
    assert sponsors.pack == before
    assert (tmp_path / "sponsors.json").read_bytes() == stored


async def test_missing_answer_times_out(github: GitHub) -> None:
    github.reply = lambda *_: github.released.wait(30)
    impatient = GitHubSponsors("family", "secret", api=github.url, timeout_s=0.2, first_pause_s=0.001)
    # To connect can take as long on a busy machine.
    with pytest.raises(Unavailable, match=r"(Read|Connect)Timeout"):
        await impatient.fetch()
    assert len(github.queries) > 1


@pytest.mark.parametrize("failure", [status(503), status(429, retry_after="0"), close_connection])
async def test_temporary_failure_is_retried(github: GitHub, failure: Reply) -> None:
    github.then(failure, failure, behaves)
    assert len(await sponsors_of(github).fetch()) == 3


async def test_invalid_token_is_not_retried(github: GitHub) -> None:
    github.reply = status(401)
    with pytest.raises(Unavailable):
        await sponsors_of(github).fetch()
    assert len(github.queries) == 1


async def test_new_process_starts_with_the_stored_sponsors(
    sponsors: CurrentSponsors, github: GitHub, tmp_path: Path, catalog: Catalog
) -> None:
    await sponsors.refresh()
    github.reply = status(500)
    assert current_sponsors(github, tmp_path, catalog).pack == sponsors.pack
    assert names(current_sponsors(github, tmp_path, catalog, login="another")) == []


async def test_sponsors_file_is_private_and_has_no_email_addresses(sponsors: CurrentSponsors, tmp_path: Path) -> None:
    await sponsors.refresh()
    file = tmp_path / "sponsors.json"
    assert file.stat().st_mode & 0o077 == 0
    assert "@x.example" not in file.read_text()


async def test_damaged_sponsors_file_is_ignored(
    sponsors: CurrentSponsors, github: GitHub, tmp_path: Path, catalog: Catalog
) -> None:
    await sponsors.refresh()
    (tmp_path / "sponsors.json").write_text('{"login": "family", "sponsors": [')
    assert names(current_sponsors(github, tmp_path, catalog)) == []


def send_slowly(handler: BaseHTTPRequestHandler, _: dict[str, object]) -> None:
    """Send one byte at a time, without end."""
    handler.send_response(200)
    handler.end_headers()
    while True:
        handler.wfile.write(b" ")
        time.sleep(0.01)


async def test_slow_answer_is_abandoned_at_the_deadline_of_the_fetch(github: GitHub) -> None:
    github.reply = send_slowly
    slow = GitHubSponsors("family", "secret", api=github.url, timeout_s=30, first_pause_s=0.001, fetch_s=0.3)
    with pytest.raises(Unavailable, match=r"within 0\.3 seconds"):
        await slow.fetch()


# On the site


@pytest.fixture
async def app(github: GitHub, tmp_path: Path, settings: Settings) -> SiteApp:
    return SiteApp(open_site(replace(settings, github_token="secret", github_api=github.url, var=tmp_path)))


async def test_new_sponsors_purge_their_pages_and_amounts_are_not_published(app: SiteApp) -> None:
    purged: asyncio.Queue[frozenset[str]] = asyncio.Queue()
    app.site.content.publisher.on_purge(purged.put_nowait)
    task = asyncio.create_task(refresh_sponsors(app.site))
    assert await asyncio.wait_for(purged.get(), 20) == {"sponsors"}
    task.cancel()
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://kinfolk.test") as client:
        answer = await client.get("/_server/sponsors.pack")
    assert "Ada" in answer.text
    assert not [secret for secret in ("4321", "5000", "@x.example", "hidden") if secret in answer.text]


async def test_no_query_is_sent_without_a_token(settings: Settings, github: GitHub) -> None:
    site = open_site(replace(settings, github_api=github.url))
    await refresh_sponsors(site)
    assert github.queries == []
    assert site.content.sponsors.pack.as_of is None


async def test_site_shows_configured_sponsors_if_github_fails(app: SiteApp, github: GitHub) -> None:
    github.reply = status(401)
    with pytest.raises(Unavailable):
        await app.site.content.sponsors.refresh()
    assert [circle.name for circle in app.site.content.sponsors.pack.circles]
