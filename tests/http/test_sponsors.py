"""Sponsors from GitHub, whatever GitHub does: a stand-in on the loopback behaves and misbehaves."""

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

from kinfolk.catalog import Catalog
from kinfolk.errors import Unavailable
from kinfolk.settings import Settings
from kinfolk.site import open_site
from kinfolk.sponsors import GitHubSponsors, SponsorFacts, SponsorRoll
from kinfolk.web.app import Kinfolk
from kinfolk.web.refresher import refresh_sponsors

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
    """As GitHub tells it, and more than it should."""
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


def behaves(handler: BaseHTTPRequestHandler, asked: dict[str, object]) -> None:
    assert isinstance(asked["variables"], dict)
    say(handler, 200, FIRST if asked["variables"]["after"] is None else SECOND)


class GitHub:
    """The stand-in. `reply` is what it does; `asked` is what it was asked."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.reply: Reply = behaves
        self.asked: list[dict[str, object]] = []
        self.tokens: list[str | None] = []
        self.released = threading.Event()

    def then(self, *replies: Reply) -> None:
        """One after the other; the last one for ever."""
        waiting = list(replies)

        def reply(handler: BaseHTTPRequestHandler, asked: dict[str, object]) -> None:
            now = waiting.pop(0) if len(waiting) > 1 else waiting[0]
            now(handler, asked)

        self.reply = reply


@contextmanager
def standing_in() -> Iterator[GitHub]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
            stand_in.asked.append(asked)
            stand_in.tokens.append(self.headers["authorization"])
            with suppress(BrokenPipeError, ConnectionResetError):  # who asked may not wait
                stand_in.reply(self, asked)

        def log_message(self, format: str, *args: object) -> None:
            """Quiet."""

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
    with standing_in() as stand_in:
        yield stand_in


def sponsors_of(github: GitHub) -> GitHubSponsors:
    return GitHubSponsors("family", "secret", api=github.url, timeout_s=30, first_pause_s=0.001)


@pytest.fixture
def roll(github: GitHub, tmp_path: Path, catalog: Catalog) -> SponsorRoll:
    return rolled(github, tmp_path, catalog)


def rolled(github: GitHub, folder: Path, catalog: Catalog, *, login: str = "family") -> SponsorRoll:
    asking = GitHubSponsors(login, "secret", api=github.url, timeout_s=30, first_pause_s=0.001)
    return SponsorRoll(
        SponsorFacts(), (), github=asking, become_url=catalog.sponsors_url, folder=folder, clock=lambda: NOON
    )


def names(roll: SponsorRoll) -> list[str]:
    return [circle.name for circle in roll.pack.circles] + [other.name for other in roll.pack.others]


async def test_all_pages_are_asked_for_with_the_token_and_no_addresses(github: GitHub) -> None:
    found = await sponsors_of(github).fetch()
    assert [(one.login, one.name, one.monthly_dollars) for one in found] == [
        ("ada", "Ada", 4321),
        ("once", "Once", 0),
        ("ben", "Ben", 0),
    ]
    assert [asked["variables"] for asked in github.asked] == [
        {"login": "family", "after": None},
        {"login": "family", "after": "p2"},
    ]
    assert set(github.tokens) == {"Bearer secret"}
    assert "email" not in str(github.asked[0]["query"])
    assert "includePrivate: false" in str(github.asked[0]["query"])


async def test_a_refresh_shows_the_sponsors_with_the_day_they_were_asked_for(roll: SponsorRoll) -> None:
    assert roll.pack.asked is None
    assert await roll.refresh() is True
    assert names(roll) == ["Ada", "Ben", "Once"]
    assert roll.pack.asked == "2026-03-14"
    assert await roll.refresh() is False


def status(code: int, **headers: str) -> Reply:
    return lambda handler, _: say(handler, code, {"message": "no"}, **headers)


def body(of: object) -> Reply:
    return lambda handler, _: say(handler, 200, of)


def second_page_fails(handler: BaseHTTPRequestHandler, asked: dict[str, object]) -> None:
    assert isinstance(asked["variables"], dict)
    if asked["variables"]["after"] is None:
        say(handler, 200, FIRST)
    else:
        say(handler, 502, b"<html>Bad gateway</html>")


def hangs_up(handler: BaseHTTPRequestHandler, asked: dict[str, object]) -> None:
    handler.close_connection = True
    handler.connection.close()


def stops_halfway(handler: BaseHTTPRequestHandler, asked: dict[str, object]) -> None:
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
    "no JSON": (body(b"<html>hello</html>"), "is not one"),
    "nothing": (body(b""), "is not one"),
    "other JSON": (body([1, 2]), "is not one"),
    "a page without cursors": (body(page([1])), "is not one"),
    "an amount that is none": (body(page([sponsorship("ada", float("nan"))])), "is not one"),
    "a price below nothing": (body(page([sponsorship("ada", -5)])), "is not one"),
    "errors": (body({"data": None, "errors": [{"message": "Something is wrong"}]}), "Something is wrong"),
    "an unknown account": (body({"data": {"repositoryOwner": None}}), "nobody called family"),
    "the same page for ever": (body(FIRST), "names no next page"),
    "a page that names no next one": (
        body(
            {
                "data": {
                    "repositoryOwner": {"sponsorshipsAsMaintainer": {"pageInfo": {"hasNextPage": True}, "nodes": []}}
                }
            }
        ),
        "names no next page",
    ),
    "a second page that fails": (second_page_fails, "answers 502"),
    "a torrent": (body(b" " * ((4 << 20) + 1)), "longer than"),
    "a broken line": (hangs_up, "cannot be asked"),
    "half an answer": (stops_halfway, "cannot be asked"),
}


@pytest.mark.parametrize("kind", MISBEHAVIOUR)
async def test_whatever_goes_wrong_the_last_good_sponsors_stay(
    roll: SponsorRoll, github: GitHub, tmp_path: Path, kind: str
) -> None:
    await roll.refresh()
    before, kept = roll.pack, (tmp_path / "sponsors.json").read_bytes()
    github.reply, reason = MISBEHAVIOUR[kind]
    with pytest.raises(Unavailable, match=reason):
        await roll.refresh()
    assert roll.pack == before
    assert (tmp_path / "sponsors.json").read_bytes() == kept


async def test_an_answer_that_does_not_come_is_not_waited_for(github: GitHub) -> None:
    github.reply = lambda *_: github.released.wait(30)
    # Time enough to connect, or that is what fails.
    impatient = GitHubSponsors("family", "secret", api=github.url, timeout_s=0.5, first_pause_s=0.001)
    with pytest.raises(Unavailable, match="ReadTimeout"):
        await impatient.fetch()
    assert len(github.asked) > 1


@pytest.mark.parametrize("failure", [status(503), status(429, retry_after="0"), hangs_up])
async def test_a_failure_that_passes_is_asked_again(github: GitHub, failure: Reply) -> None:
    github.then(failure, failure, behaves)
    assert len(await sponsors_of(github).fetch()) == 3


async def test_a_wrong_token_is_not_tried_again(github: GitHub) -> None:
    github.reply = status(401)
    with pytest.raises(Unavailable):
        await sponsors_of(github).fetch()
    assert len(github.asked) == 1


async def test_a_new_process_begins_with_the_last_good_sponsors(
    roll: SponsorRoll, github: GitHub, tmp_path: Path, catalog: Catalog
) -> None:
    await roll.refresh()
    github.reply = status(500)
    assert rolled(github, tmp_path, catalog).pack == roll.pack
    assert names(rolled(github, tmp_path, catalog, login="another")) == []


async def test_the_file_of_sponsors_is_for_the_server_alone_and_holds_no_addresses(
    roll: SponsorRoll, tmp_path: Path
) -> None:
    await roll.refresh()
    file = tmp_path / "sponsors.json"
    assert file.stat().st_mode & 0o077 == 0
    assert "@x.example" not in file.read_text()


async def test_a_damaged_file_of_sponsors_costs_nothing_but_them(
    roll: SponsorRoll, github: GitHub, tmp_path: Path, catalog: Catalog
) -> None:
    await roll.refresh()
    (tmp_path / "sponsors.json").write_text('{"login": "family", "sponsors": [')
    assert names(rolled(github, tmp_path, catalog)) == []


def drips(handler: BaseHTTPRequestHandler, _: dict[str, object]) -> None:
    """One byte at a time, for ever."""
    handler.send_response(200)
    handler.end_headers()
    while True:
        handler.wfile.write(b" ")
        time.sleep(0.01)


async def test_an_answer_that_drips_is_given_up_at_the_deadline_of_the_whole_fetch(github: GitHub) -> None:
    github.reply = drips
    slow = GitHubSponsors("family", "secret", api=github.url, timeout_s=30, first_pause_s=0.001, fetch_s=0.3)
    with pytest.raises(Unavailable, match=r"within 0\.3 seconds"):
        await slow.fetch()


# On the site


@pytest.fixture
async def app(github: GitHub, tmp_path: Path, settings: Settings) -> Kinfolk:
    return Kinfolk(open_site(replace(settings, github_token="secret", github_api=github.url, var=tmp_path)))


async def test_new_sponsors_purge_the_pages_that_show_them_and_their_amounts_stay_here(app: Kinfolk) -> None:
    purged: asyncio.Queue[frozenset[str]] = asyncio.Queue()
    app.site.editions.on_purge(purged.put_nowait)
    task = asyncio.create_task(refresh_sponsors(app.site))
    assert await asyncio.wait_for(purged.get(), 20) == {"sponsors"}
    task.cancel()
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://kinfolk.test") as client:
        answer = await client.get("/_server/sponsors.pack")
    assert "Ada" in answer.text
    assert not [secret for secret in ("4321", "5000", "@x.example", "hidden") if secret in answer.text]


async def test_without_a_token_nobody_is_asked(settings: Settings, github: GitHub) -> None:
    site = open_site(replace(settings, github_api=github.url))
    await refresh_sponsors(site)
    assert github.asked == []
    assert site.sponsors.pack.asked is None


async def test_a_site_whose_github_fails_shows_what_it_knows(app: Kinfolk, github: GitHub) -> None:
    github.reply = status(401)
    with pytest.raises(Unavailable):
        await app.site.sponsors.refresh()
    assert [circle.name for circle in app.site.sponsors.pack.circles]
