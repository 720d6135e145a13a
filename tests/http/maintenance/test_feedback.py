"""Feedback on docs pages over HTTP, and what spam meets."""

from __future__ import annotations

import dataclasses
from collections.abc import AsyncIterator
from datetime import datetime, timedelta

import httpx
import pytest
from sqlalchemy import select

from kinfolk.accounts.secret_tokens import SecretKey
from kinfolk.config.docs_address import DocsAddress
from kinfolk.db.database import Database
from kinfolk.db.maintenance_tables import feedback_entries
from kinfolk.maintenance.feedback_store import LONGEST_NOTE, PER_CLIENT, PER_PAGE, FeedbackStore
from kinfolk.runtime.errors import NotFound
from kinfolk.site.site import Site
from kinfolk.web.app import SiteApp

pytestmark = pytest.mark.anyio
ORIGIN = "http://kinfolk.test"
PAGE = "/query/latest/docs/framework/react/overview"


class Clock:
    now = datetime(2026, 11, 23, 12, 0)  # noqa: DTZ001 - the tables have UTC without a time zone

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(database: Database, clock: Clock) -> FeedbackStore:
    return FeedbackStore(database, SecretKey("secret"), now=clock)


@pytest.fixture
async def browser(site: Site, store: FeedbackStore) -> AsyncIterator[httpx.AsyncClient]:
    app = SiteApp(dataclasses.replace(site, maintenance=dataclasses.replace(site.maintenance, feedback=store)))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=ORIGIN) as client:
        yield client


async def send(browser: httpx.AsyncClient, *, address: str = "", **form: str) -> httpx.Response:
    """Send the form as the script does, from a page of the site, through a proxy."""
    headers = {"origin": ORIGIN, "accept": "application/json", "x-forwarded-for": address or "203.0.113.7"}
    return await browser.post("/feedback", data={"page": PAGE, **form}, headers=headers)


def first_heading(site: Site) -> str:
    docs = site.content.publisher.reader()
    page = docs.page(docs.locate_address(DocsAddress("query", "latest", PAGE.split("/docs/")[1])))
    return page.headings[0].id


async def test_vote_and_note_are_one_answer(browser: httpx.AsyncClient, store: FeedbackStore) -> None:
    voted = await send(browser, helpful="no")
    assert voted.status_code == 200
    noted = await send(browser, id=voted.json()["id"], note="The example lacks an import.")
    assert noted.json()["id"] == voted.json()["id"]
    (entry,) = store.entries(status="open")
    assert (entry.helpful, entry.note) == (False, "The example lacks an import.")
    assert entry.section.title == "Overview"


async def test_answer_is_anchored_to_the_text_of_a_section(
    browser: httpx.AsyncClient, site: Site, store: FeedbackStore
) -> None:
    heading = first_heading(site)
    await send(browser, helpful="yes", heading=heading)
    (entry,) = store.entries(status="open")
    assert entry.section.heading == heading
    assert entry.section.text.startswith(entry.section.heading_text)
    assert len(entry.section.section_digest) == len(entry.section.page_digest) == 16


async def test_unknown_heading_is_about_the_page(browser: httpx.AsyncClient, store: FeedbackStore) -> None:
    await send(browser, helpful="yes", heading="no-such-heading")
    (entry,) = store.entries(status="open")
    assert (entry.section.heading, entry.section.heading_text) == ("", "")


async def test_reader_without_scripts_gets_a_page(browser: httpx.AsyncClient, store: FeedbackStore) -> None:
    answer = await browser.post("/feedback", data={"page": PAGE, "helpful": "yes"}, headers={"origin": ORIGIN})
    assert (answer.status_code, answer.headers["location"]) == (303, "/feedback")
    wrong = await browser.post("/feedback", data={"page": PAGE}, headers={"origin": ORIGIN})
    assert wrong.headers["location"] == "/feedback?error=invalid"
    assert len(store.entries(status="open")) == 1


@pytest.mark.parametrize(
    ("form", "status"),
    [
        ({}, 400),
        ({"helpful": "maybe"}, 400),
        ({"note": "  "}, 400),
        ({"helpful": "yes", "note": "x" * (LONGEST_NOTE + 1)}, 400),
        ({"helpful": "yes", "page": "/query/latest/docs/no-such-page"}, 404),
        ({"helpful": "yes", "page": "/nope/latest/docs/overview"}, 404),
        ({"helpful": "yes", "page": "/blog"}, 404),
        ({"helpful": "yes", "page": "https://evil.example/query/latest/docs/overview"}, 404),
        ({"helpful": "yes", "page": "/query/latest/docs/../../etc/passwd"}, 400),
        ({"helpful": "yes", "note": "x" * 30_000}, 413),
    ],
)
async def test_wrong_answers_are_refused_with_a_reason(
    browser: httpx.AsyncClient, store: FeedbackStore, form: dict[str, str], status: int
) -> None:
    answer = await send(browser, **form)
    assert answer.status_code == status
    assert answer.json()["message"]
    assert store.entries(status="open") == []


@pytest.mark.parametrize("headers", [{}, {"origin": "https://evil.example"}, {"sec-fetch-site": "cross-site"}])
async def test_other_sites_cannot_send_answers(
    browser: httpx.AsyncClient, store: FeedbackStore, headers: dict[str, str]
) -> None:
    answer = await browser.post("/feedback", data={"page": PAGE, "helpful": "yes"}, headers=headers)
    assert answer.headers.get("location", "") == "/feedback?error=refused"
    assert store.entries(status="open") == []


async def test_program_that_fills_in_the_hidden_field_is_ignored(
    browser: httpx.AsyncClient, store: FeedbackStore
) -> None:
    assert (await send(browser, helpful="yes", website="https://spam.example")).status_code == 200
    assert store.entries(status="open") == []


async def test_second_answer_of_a_day_replaces_the_first(browser: httpx.AsyncClient, store: FeedbackStore) -> None:
    await send(browser, helpful="yes")
    await send(browser, helpful="no")
    assert [entry.helpful for entry in store.entries(status="open")] == [False]


async def test_reader_cannot_change_the_answer_of_another(browser: httpx.AsyncClient, store: FeedbackStore) -> None:
    victim = (await send(browser, helpful="yes")).json()["id"]
    thief = (await send(browser, address="198.51.100.1", helpful="no", id=victim)).json()["id"]
    assert thief != victim
    assert [vote.yes for vote in store.votes()] == [1]


@pytest.mark.no_cover
async def test_flood_about_one_page_is_limited(browser: httpx.AsyncClient, store: FeedbackStore) -> None:
    statuses = [
        (await send(browser, address=f"10.{n % 200}.{n // 200}.1", helpful="no")).status_code for n in range(310)
    ]
    assert statuses.count(200) == PER_PAGE
    assert statuses[-1] == 403
    assert [vote.no for vote in store.votes()] == [PER_PAGE]


def test_one_client_is_limited(store: FeedbackStore, clock: Clock) -> None:
    from kinfolk.maintenance.feedback_store import FeedbackSubject
    from kinfolk.runtime.errors import Refused

    def subject(number: int) -> FeedbackSubject:
        return FeedbackSubject("query", "latest", f"page-{number}", "T", "d", "", "", "s", "text")

    for number in range(PER_CLIENT):
        store.add(subject(number), helpful=True, note="", client="203.0.113.7")
    with pytest.raises(Refused, match="tomorrow"):
        store.add(subject(99), helpful=True, note="", client="203.0.113.7")
    store.add(subject(99), helpful=True, note="", client="203.0.113.8")
    # A clock that is set back does not extend the refusal.
    clock.now -= timedelta(days=1)
    store.add(subject(98), helpful=True, note="", client="203.0.113.7")


async def test_address_is_not_stored_and_its_digest_is_removed_after_a_day(
    browser: httpx.AsyncClient, store: FeedbackStore, database: Database, clock: Clock
) -> None:
    await send(browser, helpful="yes")
    clock.now += timedelta(days=1)
    await send(browser, helpful="no")
    with database.reading() as connection:
        rows = connection.execute(select(feedback_entries).order_by(feedback_entries.c.created_at)).all()
    assert "203.0.113.7" not in str(rows)
    assert [row.client_digest is None for row in rows] == [True, False]
    clock.now += timedelta(days=366)
    await send(browser, address="198.51.100.9", helpful="yes")
    assert len(store.entries(status="open")) == 1


async def test_finished_answers_leave_the_queue(browser: httpx.AsyncClient, store: FeedbackStore) -> None:
    id = (await send(browser, helpful="no", note="<script>alert(1)</script>\x00\x1b[31m")).json()["id"]
    assert store.set_status([id], "done") == 1
    assert store.entries(status="open") == []
    (done,) = store.entries(status="done")
    assert done.note == "<script>alert(1)</script>  [31m"
    with pytest.raises(NotFound):
        store.set_status(["no-such-id"], "spam")


async def test_generated_pages_have_no_form(browser: httpx.AsyncClient, site: Site, store: FeedbackStore) -> None:
    """The bundled docs have no page of TypeDoc, so the rule is tested on its text."""
    from kinfolk.content.docs.pages.page_rendering import _GENERATED

    typedoc = (
        "# Interface: Options\n\nDefined in: [src/types.ts:39](https://github.com/o/r/blob/main/src/types.ts#L39)\n"
    )
    assert _GENERATED.search(typedoc)
    assert not _GENERATED.search("# Guide\n\nIt is defined in: [a file](a.md)\n")
    docs = site.content.publisher.reader()
    pages = [docs.locate(ref, path) for ref in docs.branches() for path in docs.pages(ref)]
    assert pages
    assert all(docs.page(page).is_written for page in pages[:20])


async def test_outage_of_the_database_keeps_the_text_of_the_reader(
    browser: httpx.AsyncClient, database: Database, store: FeedbackStore
) -> None:
    database.refusal = "The database is away"
    refused = await send(browser, note="The example lacks an import.")
    assert refused.status_code == 503
    assert refused.json()["message"].startswith("Your answer could not be stored right now. What you wrote is still")
    page = await browser.post("/feedback", data={"page": PAGE, "note": "A note"}, headers={"origin": ORIGIN})
    assert (page.status_code, "go back, and send it again" in page.text) == (503, True)
    database.refusal = None
    assert (await send(browser, note="The example lacks an import.")).status_code == 200
    assert len(store.entries(status="open")) == 1
