"""What maintainers see on their dashboard, and that nobody else does."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from tests.http.conftest import ORIGIN
from tests.http.maintenance.test_overrides import PROMOTION, SPONSOR
from tests.suite.function_calls import call

from kinfolk.accounts.account import VerifiedIdentity
from kinfolk.accounts.secret_tokens import new_id
from kinfolk.api.all_functions import registry
from kinfolk.config.docs_address import DocsAddress, Ref
from kinfolk.db.database import Database, utc_now
from kinfolk.maintenance.content_syncs import ContentSyncs
from kinfolk.maintenance.feedback_store import FeedbackSubject
from kinfolk.maintenance.missed_requests import MissedRequestLog
from kinfolk.search.analytics.query_log import QueryLog
from kinfolk.search.analytics.query_sessions import LoggedQuery
from kinfolk.search.open_search import site_index_name
from kinfolk.site.site import Site
from kinfolk.web.app import SiteApp

pytestmark = pytest.mark.anyio
MAINTAINER = ("maintenance.", "feedback.", "overrides.")
"""Functions whose id begins so are for maintainers."""


DATA = {
    "maintenance.sync": {"repo": "TanStack/query", "branch": "none"},
    "maintenance.deliveries": {"result": "all", "repo": ""},
    "feedback.queue": {"view": "open"},
    "feedback.move": {"ids": ["a"], "status": "done"},
    "overrides.remove": {"id": "0" * 16},
    "overrides.sponsor": {"id": "", "sponsor": SPONSOR},
    "overrides.promotion": {"id": "", "promotion": PROMOTION},
}


async def test_only_maintainers_may_call_them(open_as: Callable[[str], httpx.AsyncClient]) -> None:
    signed_out, visitor, maintainer = open_as(""), open_as("ada@example.com"), open_as("grace@example.com")
    functions = sorted(id for id in registry.functions if id.startswith(MAINTAINER))
    assert set(DATA) < set(functions)
    for id in functions:
        assert (id, (await call(signed_out, id, DATA.get(id))).status_code) == (id, 401)
        refused = await call(visitor, id, DATA.get(id))
        assert (id, refused.status_code, refused.json()["message"]) == (id, 403, "Only maintainers may do this")
        allowed = await call(maintainer, id, DATA.get(id))
        assert allowed.status_code in (200, 404), id
        assert (id, allowed.headers["cache-control"]) == (id, "private, no-store")


def subject(**changes: str) -> FeedbackSubject:
    fields = {
        "library": "query",
        "version": "latest",
        "path": "framework/react/overview",
        "title": "Overview",
        "page_digest": "0" * 16,
        "heading": "",
        "heading_text": "",
        "section_digest": "0" * 16,
        "text": "The text\nthat the reader saw & more",
    }
    return FeedbackSubject(**{**fields, **changes})


async def queue(client: httpx.AsyncClient, view: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await call(client, "feedback.queue", {"view": view})).json()["data"]["items"]
    return found


async def test_answers_expire_when_the_text_changes(
    open_as: Callable[[str], httpx.AsyncClient], site_with_accounts: Site
) -> None:
    maintainer = open_as("grace@example.com")
    docs = site_with_accounts.content.publisher.reader()
    page = docs.page(docs.locate_address(DocsAddress("query", "latest", "framework/react/overview")))
    store = site_with_accounts.maintenance.feedback
    store.add(subject(page_digest=page.digest), helpful=True, note="", client="a")
    store.add(subject(), helpful=False, note="Old", client="b")
    store.add(subject(path="gone"), helpful=False, note="Gone", client="c")
    assert [item["helpful"] for item in await queue(maintainer, "open")] == [True]
    assert sorted(item["note"] for item in await queue(maintainer, "outdated")) == ["Gone", "Old"]


async def test_issue_has_page_heading_and_text_filled_in(
    open_as: Callable[[str], httpx.AsyncClient], site_with_accounts: Site
) -> None:
    maintainer = open_as("grace@example.com")
    heading = subject(heading="motivation", heading_text="Motivation")
    site_with_accounts.maintenance.feedback.add(heading, helpful=False, note="Wrong #1 & <b>", client="a")
    (item,) = await queue(maintainer, "outdated")
    issue = urlsplit(item["issue"])
    query = parse_qs(issue.query)
    assert (issue.netloc, issue.path) == ("github.com", "/TanStack/query/issues/new")
    assert query["title"] == ["Docs: Overview: Motivation"]
    (body,) = query["body"]
    assert "/query/latest/docs/framework/react/overview#motivation" in body
    assert "> The text\n> that the reader saw & more" in body
    assert "Wrong #1 & <b>" in body
    assert item["page"] == "/query/latest/docs/framework/react/overview#motivation"


async def test_moved_answers_are_in_the_activity_log(
    open_as: Callable[[str], httpx.AsyncClient], site_with_accounts: Site
) -> None:
    maintainer = open_as("grace@example.com")
    id = site_with_accounts.maintenance.feedback.add(subject(), helpful=None, note="Old", client="a")
    assert (await call(maintainer, "feedback.move", {"ids": [id], "status": "done"})).json()["data"] == 1
    assert [item["id"] for item in await queue(maintainer, "done")] == [id]
    events = (await call(maintainer, "maintenance.activity")).json()["data"]
    latest = events[0]
    assert (latest["action"], latest["by"], latest["detail"]) == ("feedback-moved", "grace@example.com", "1 to done")


async def test_searches_without_results_are_listed(
    open_as: Callable[[str], httpx.AsyncClient], site_with_accounts: Site
) -> None:
    maintainer = open_as("grace@example.com")
    log: QueryLog = site_with_accounts.search.algolia.query_log
    index = site_index_name(site_with_accounts.catalog)
    # All tests share the counts of searches.
    text = f"no such thing {new_id()}".lower()
    before = (await call(maintainer, "maintenance.searches")).json()["data"]
    log.add([LoggedQuery(index, "suspense", hits=3), LoggedQuery(index, text, hits=0)])
    after = (await call(maintainer, "maintenance.searches")).json()["data"]
    assert text not in {each["text"] for each in before["withoutResult"]}
    assert text in {each["text"] for each in after["withoutResult"]}
    assert {"suspense", text} <= {each["text"] for each in after["texts"]}


async def test_statistics_name_each_configured_package(open_as: Callable[[str], httpx.AsyncClient]) -> None:
    found = (await call(open_as("grace@example.com"), "maintenance.statistics")).json()["data"]
    names = {each["name"] for each in found["packages"]}
    assert {"@tanstack/react-query", "react"} <= names
    assert found["enabled"] is False
    assert found["lastSuccessAt"] is None


async def test_missing_pages_and_old_addresses_are_counted(site_with_accounts: Site, database: Database) -> None:
    log = MissedRequestLog(database, today=lambda: utc_now().date())
    maintenance = dataclasses.replace(site_with_accounts.maintenance, missed_requests=log)
    app = SiteApp(dataclasses.replace(site_with_accounts, maintenance=maintenance))
    from_page = {"referer": f"{site_with_accounts.settings.origin}/query/latest"}
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=ORIGIN) as reader:
        # Without a renderer, pages that must be rendered are unavailable, and redirects are answered.
        old = await reader.get("/query/latest/docs/vue/overview?x=secret", headers=from_page)
        assert old.status_code in (301, 302, 307, 308)
    app.pages.missed.count(404, is_old_address=False, path="/gone", referrer="https://example.com/a?b")
    await app.pages.missed.flush()
    maintainer = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=ORIGIN)
    identity = VerifiedIdentity("email", "grace@example.com", "grace@example.com", "grace@example.com")
    token = site_with_accounts.accounts.begin_session(identity, device="Firefox")
    async with maintainer:
        maintainer.cookies.set("session", token, domain="kinfolk.test")
        found = (await call(maintainer, "maintenance.links")).json()["data"]
    assert found["missing"] == [{"path": "/gone", "count": 1, "referrers": [{"name": "example.com", "count": 1}]}]
    (redirect,) = found["redirects"]
    assert redirect["path"] == "/query/latest/docs/vue/overview"
    assert redirect["referrers"] == [{"name": "/query/latest", "count": 1}]


async def test_content_names_commit_and_failure_of_each_version(site_with_accounts: Site, database: Database) -> None:
    syncs = ContentSyncs(database, now=utc_now)
    syncs.failed("TanStack/query", "could not resolve host")
    site = dataclasses.replace(
        site_with_accounts, maintenance=dataclasses.replace(site_with_accounts.maintenance, syncs=syncs)
    )
    token = site.accounts.begin_session(
        VerifiedIdentity("email", "grace@example.com", "grace@example.com", "grace@example.com"), device="Firefox"
    )
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(SiteApp(site)), base_url=ORIGIN, headers={"origin": ORIGIN}
    ) as maintainer:
        maintainer.cookies.set("session", token, domain="kinfolk.test")
        versions = (await call(maintainer, "maintenance.content")).json()["data"]["versions"]
        requested: list[object] = []
        site.content.publisher.on_refresh_request(requested.append)
        synced = await call(maintainer, "maintenance.sync", {"repo": "TanStack/query", "branch": "main"})
        unknown = await call(maintainer, "maintenance.sync", {"repo": "evil/repo", "branch": "main"})
    query = next(each for each in versions if each["repo"] == "TanStack/query" and each["branch"] == "main")
    assert query["failure"] == "could not resolve host"
    assert query["commit"]
    assert query["pages"] > 0
    assert (synced.status_code, unknown.status_code) == (200, 404)
    assert requested == [[Ref("TanStack/query", "main")]]
