"""What maintainers see of the checks of code, and the feed of findings."""

from __future__ import annotations

import dataclasses
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import date
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.http.conftest import ORIGIN
from tests.http.web.test_docs_feeds import parsed
from tests.suite.function_calls import call

from kinfolk.accounts.account import VerifiedIdentity
from kinfolk.api.functions import code_checks
from kinfolk.content.code_checks.check_report import CheckCounts, ReportedFinding, VersionReport
from kinfolk.content.code_checks.check_results import Finding
from kinfolk.content.code_checks.check_store import CheckStore
from kinfolk.content.dependencies import code_checks_of_library
from kinfolk.content.docs import DocsSnapshot
from kinfolk.content.docs.snapshots.publisher import DocsPublisher
from kinfolk.db.database import Database
from kinfolk.maintenance.code_check_weeks import CodeCheckWeeks
from kinfolk.site.site import Site
from kinfolk.web.app import SiteApp
from kinfolk.web.background.docs_checks.code_reports import CodeReports

pytestmark = pytest.mark.anyio

FINDING = Finding(2, 3, 4, "unknown_property", "gap<s>", "@acme/query", "`gap<s>` is no option.", "gaps", since="5.2.0")
REPORT = VersionReport(
    library="query",
    version="v5",
    finished="2026-11-28T10:05:00",
    pages=3,
    counts=CheckCounts(right=9, wrong=1, ignored=1, not_checkable=2, kinds={"unknown_property": 1}),
    total=2,
    findings=(
        ReportedFinding("overview", "Over <b>view", "docs/overview.md", 7, "gap<s>: 1,", FINDING),
        ReportedFinding("overview", "Over <b>view", "docs/overview.md", 0, "gap<s>: 1,", FINDING),
    ),
    packages=(("@acme/query", "5.90.2"),),
    problems=("react was not found",),
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[CheckStore]:
    opened = CheckStore(tmp_path / "code_checks.sqlite")
    opened.put_report(REPORT)
    yield opened
    opened.close()


@asynccontextmanager
async def reading(site: Site, store: CheckStore) -> AsyncIterator[tuple[httpx.AsyncClient, Site]]:
    """A reader of the site as it is with these checks."""
    publisher = DocsPublisher(with_checks(site.content.publisher.docs, store), site.content.publisher.source)
    site = dataclasses.replace(site, content=dataclasses.replace(site.content, publisher=publisher))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(SiteApp(site)), base_url=ORIGIN) as client:
        yield client, site


def with_checks(docs: DocsSnapshot, store: CheckStore) -> DocsSnapshot:
    changed = docs.with_snapshot(docs.snapshot)
    changed.code_checks = store
    return changed


def checking(site: Site, store: CheckStore | None, database: Database) -> Site:
    weeks = CodeCheckWeeks(database, today=lambda: date(2026, 11, 29))
    weeks.record(REPORT)
    return dataclasses.replace(
        site, maintenance=dataclasses.replace(site.maintenance, code_checks=store, code_weeks=weeks)
    )


async def dashboard(site: Site) -> dict[str, Any]:
    identity = VerifiedIdentity("email", "grace@example.com", "grace@example.com", "grace@example.com")
    token = site.accounts.begin_session(identity, device="Firefox")
    async with httpx.AsyncClient(transport=httpx.ASGITransport(SiteApp(site)), base_url=ORIGIN) as maintainer:
        maintainer.cookies.set("session", token, domain="kinfolk.test")
        found: dict[str, Any] = (await call(maintainer, "maintenance.code")).json()["data"]
    return found


async def test_dashboard_has_numbers_findings_and_weeks(
    site_with_accounts: Site, store: CheckStore, sqlite_database: Database
) -> None:
    found = await dashboard(checking(site_with_accounts, store, sqlite_database))
    versions = found["versions"]
    assert [each["version"] for each in versions if each["checkedAt"]] == ["v5"]
    assert next(each for each in versions if each["version"] == "v5" and each["libraryId"] == "query") == {
        "library": "TanStack Query",
        "libraryId": "query",
        "version": "v5",
        "checkedAt": "2026-11-28T10:05:00Z",
        "packages": ["@acme/query@5.90.2"],
        "pages": 3,
        "blocks": 13,
        "right": 9,
        "wrong": 1,
        "notCheckable": 2,
        "ignored": 1,
        "problems": ["react was not found"],
    }
    assert found["pages"] == [
        {
            "library": "TanStack Query",
            "version": "v5",
            "title": "Over <b>view",
            "to": "/query/latest/docs/overview",
            "file": "docs/overview.md",
            "findings": [
                {
                    "key": f"{REPORT.findings[0].key}-{number}",
                    "kind": "unknown_property",
                    "line": line,
                    "code": "gap<s>: 1,",
                    "sentence": "`gap<s>` is no option. Since 5.2.0. The nearest name is `gaps`.",
                    "edit": f"https://github.com/TanStack/query/edit/main/docs/overview.md{anchor}",
                }
                for number, (line, anchor) in enumerate([(7, "#L7"), (0, "")])
            ],
        }
    ]
    (week,) = found["weeks"]
    assert (week["library"], week["week"], week["checked"], week["wrong"]) == ("TanStack Query", "2026-11-23", 10, 1)


async def test_listed_findings_are_bounded(
    site_with_accounts: Site, store: CheckStore, sqlite_database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(code_checks, "MOST_LISTED", 1)
    found = await dashboard(checking(site_with_accounts, store, sqlite_database))
    (page,) = found["pages"]
    assert (found["findingCount"], len(page["findings"])) == (2, 1)


async def test_feed_has_an_entry_for_each_finding_until_it_changes(site: Site, store: CheckStore) -> None:
    async with reading(site, store) as (client, own):
        feed = await parsed(client, "/query/code-checks.atom")
        (entry,) = feed.entries
        assert (
            entry.title
            == "Over <b>view (TanStack Query v5): `gap<s>` is no option. Since 5.2.0. The nearest name is `gaps`."
        )
        assert (entry.updated, feed.feed.updated) == ("2026-11-28T10:05:00Z", "2026-11-28T10:05:00Z")
        assert entry.link == f"{own.settings.origin}/query/latest/docs/overview"
        assert "<pre>gap&lt;s&gt;: 1,</pre><p>docs/overview.md, line 7</p>" in entry.content[0].value
        store.put_report(dataclasses.replace(REPORT, finished="2026-11-29T08:00:00", findings=REPORT.findings[1:]))
        last, stale = CodeReports(store, own.maintenance.code_weeks).stale_since(1)
        assert (last, [*stale]) == (2, [code_checks_of_library("query")])
        own.content.publisher.purge(stale)
        later = await parsed(client, "/query/code-checks.atom")
        assert (later.entries[0].id, later.entries[0].updated) == (entry.id, "2026-11-29T08:00:00Z")
        assert (await parsed(client, "/table/code-checks.atom")).entries == []


async def test_site_without_checks_has_no_feed(client: httpx.AsyncClient) -> None:
    answer = await client.get("/query/code-checks.atom")
    assert answer.status_code == 404
    assert "This site does not check the code of its docs" in answer.text


async def test_site_without_checks_says_so(site_with_accounts: Site, sqlite_database: Database) -> None:
    found = await dashboard(checking(site_with_accounts, None, sqlite_database))
    assert (found["isOn"], found["hasRegistry"], found["versions"], found["weeks"]) == (True, False, [], [])
