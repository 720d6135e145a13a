"""Reports for maintainers: missing pages, syncs, faults of the docs."""

from __future__ import annotations

import os
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select
from tests.sites.sample_site import read_settings

from kinfolk.cli.check.content_check import check_served_content
from kinfolk.config.settings import environment_of
from kinfolk.db.database import Database
from kinfolk.db.maintenance_tables import missed_requests
from kinfolk.maintenance.content_faults import MOST_FAULTS, ContentFault, ContentFaults
from kinfolk.maintenance.content_syncs import ContentSyncs
from kinfolk.maintenance.missed_requests import (
    KEPT_DAYS,
    OTHER,
    ROWS_PER_DAY,
    MissedRequest,
    MissedRequestLog,
    referrer_of,
)
from kinfolk.runtime.errors import Unavailable
from kinfolk.web.background.counts.missed_request_counter import MOST_WAITING, MissedRequestCounter
from kinfolk.web.background.docs_checks import link_check
from kinfolk.web.background.docs_checks.link_check import LOCK, PERIOD, LinkCheck

TODAY = date(2026, 11, 23)
NOW = datetime(2026, 11, 23, 12, 0)  # noqa: DTZ001 - the tables have UTC without a time zone


class Clock:
    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now

    def today(self) -> date:
        return self.now.date()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def missed(database: Database, clock: Clock) -> MissedRequestLog:
    return MissedRequestLog(database, today=clock.today)


def missing(path: str, referrer: str = "") -> MissedRequest:
    return MissedRequest("missing", path, referrer)


# Missing pages


def test_counts_of_several_writes_add_up(missed: MissedRequestLog) -> None:
    missed.add({missing("/a", "/query"): 2, missing("/b"): 1})
    missed.add({missing("/a", "/query"): 3, missing("/a", "example.com"): 1, MissedRequest("redirect", "/old", ""): 4})
    most = missed.most("missing", days=30)
    assert [(each.path, each.count) for each in most] == [("/a", 6), ("/b", 1)]
    assert most[0].referrers == (("/query", 5), ("example.com", 1))
    assert [(each.path, each.count) for each in missed.most("redirect", days=30)] == [("/old", 4)]
    (day,) = missed.by_day(30)
    assert (day.day, day.missing, day.redirects) == (TODAY, 7, 4)


def test_old_days_are_deleted(missed: MissedRequestLog, clock: Clock) -> None:
    missed.add({missing("/a"): 1})
    clock.now += timedelta(days=KEPT_DAYS - 1)
    missed.add({missing("/b"): 1})
    assert {each.path for each in missed.most("missing", days=KEPT_DAYS)} == {"/a", "/b"}
    clock.now += timedelta(days=1)
    missed.add({missing("/c"): 1})
    assert {each.path for each in missed.most("missing", days=365)} == {"/b", "/c"}


@pytest.mark.no_cover
def test_flood_of_addresses_is_bounded_and_nothing_is_lost(missed: MissedRequestLog, database: Database) -> None:
    for start in range(0, 4000, 1000):
        missed.add({missing(f"/{number}"): 1 for number in range(start, start + 1000)})
    with database.reading() as connection:
        rows = connection.scalar(select(func.count()).select_from(missed_requests))
    assert rows == ROWS_PER_DAY + 1
    (most, *_) = missed.most("missing", days=1)
    assert (most.path, most.count) == (OTHER, 4000 - ROWS_PER_DAY)
    missed.add({missing("/5"): 2})
    assert missed.by_day(1)[0].missing == 4002


@pytest.mark.parametrize(
    ("header", "found"),
    [
        ("https://site.example/query/latest?q=secret#a", "/query/latest"),
        ("https://site.example", "/"),
        ("https://Other.Example/path?token=secret", "other.example"),
        ("https://user:password@other.example/", "other.example"),
        ("", ""),
        ("about:blank", ""),
        ("android-app://com.example", ""),
        ("https://[::1", ""),
        ("https://exa\nmple.com/", "example.com"),
        ("https://site.example/" + "a" * 400, "/" + "a" * 255),
        ("javascript:alert(1)", ""),
    ],
)
def test_referrers_have_no_query_and_no_page_of_other_sites(header: str, found: str) -> None:
    assert referrer_of(header, frozenset({"site.example"})) == found


async def count_paths(counter: MissedRequestCounter, paths: list[str]) -> None:
    for path in paths:
        counter.count(404, is_old_address=False, path=path, referrer="")
    await counter.flush()


@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_hostile_paths_are_counted_together(missed: MissedRequestLog) -> None:
    counter = MissedRequestCounter(missed, "https://site.example")
    await count_paths(counter, ["/a", "/" + "x" * 600, "/\x00", "/ü", "/\x1b[31m", "/a"])
    assert {each.path: each.count for each in missed.most("missing", days=1)} == {"/a": 2, OTHER: 4}


@pytest.mark.no_cover
@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_memory_of_the_counter_is_bounded(missed: MissedRequestLog) -> None:
    counter = MissedRequestCounter(missed, "https://site.example")
    await count_paths(counter, [f"/{number}" for number in range(MOST_WAITING * 3)])
    assert missed.by_day(1)[0].missing == MOST_WAITING * 3


@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_counts_survive_an_outage_of_the_database(missed: MissedRequestLog, database: Database) -> None:
    counter = MissedRequestCounter(missed, "https://site.example")
    database.refusal = "The database is away"
    with pytest.raises(Unavailable):
        await count_paths(counter, ["/a", "/a"])
    database.refusal = None
    await count_paths(counter, ["/a"])
    assert missed.by_day(1)[0].missing == 3


# Syncs


def test_last_sync_and_its_failure_are_stored(database: Database, clock: Clock) -> None:
    syncs = ContentSyncs(database, now=clock)
    syncs.succeeded("TanStack/query", changed=True)
    clock.now += timedelta(minutes=5)
    syncs.failed("TanStack/query", "could not resolve host" * 100)
    sync = syncs.all()["TanStack/query"]
    assert (sync.synced_at, sync.changed_at, sync.failed_at) == (NOW, NOW, clock.now)
    assert sync.is_failing
    assert len(sync.reason) == 500
    clock.now += timedelta(minutes=5)
    syncs.succeeded("TanStack/query", changed=False)
    sync = syncs.all()["TanStack/query"]
    assert (sync.synced_at, sync.changed_at, sync.is_failing) == (clock.now, NOW, False)


# Faults of the docs


def test_check_replaces_the_former_faults(database: Database, clock: Clock) -> None:
    faults = ContentFaults(database, now=clock)
    assert faults.read() is None
    faults.replace("one", [ContentFault("a.md", "line 1", "x" * 2000)] * (MOST_FAULTS + 7), pages=3, links=9)
    first = faults.read()
    assert first is not None
    assert (first.total, len(first.faults), first.snapshot) == (MOST_FAULTS + 7, MOST_FAULTS, "one")
    faults.replace("two", [], pages=3, links=9)
    assert faults.last_check() == ("two", NOW)
    second = faults.read()
    assert second is not None
    assert (second.total, second.faults) == (0, ())


@pytest.fixture
def broken_docs(tmp_path: Path) -> Path:
    """Docs with a broken link and a missing anchor."""
    folder = tmp_path / "content" / "TanStack" / "query" / "main" / "docs"
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(
        '{"sections": [{"label": "A", "children": [{"label": "B", "to": "overview"}]}]}'
    )
    (folder / "overview.md").write_text("# Overview\n\n[Gone](./gone.md) and [here](#no-such-heading)\n")
    return tmp_path / "content"


def test_faults_of_the_served_docs_are_those_of_the_command(
    broken_docs: Path, sqlite_database: Database, clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = read_settings(
        {"KINFOLK_CONTENT": str(broken_docs), "KINFOLK_MIRROR": "off", "KINFOLK_VAR": str(tmp_path / "var")}
    )
    faults = ContentFaults(sqlite_database, now=clock)
    snapshot = "one"
    check = LinkCheck(sqlite_database, faults, lambda: snapshot, environment=environment_of(settings), now=clock)
    assert check.check_if_due()
    found = faults.read()
    assert found is not None
    expected = check_served_content(settings)
    assert found.faults == tuple(ContentFault(each.file, each.key, each.reason) for each in expected.faults)
    assert any("gone.md leads nowhere" in each.reason for each in found.faults)
    assert (found.pages, found.links) == (expected.pages, expected.links)
    # Not again before the content has changed and an hour has passed.
    assert not check.check_if_due()
    snapshot = "two"
    assert not check.check_if_due()
    clock.now += PERIOD
    with Database(sqlite_database.url, lock_folder=tmp_path / "locks").exclusive(LOCK) as held:
        assert held
        assert not check.check_if_due()
    monkeypatch.setattr(link_check, "COMMAND", ("echo", '{"faults": [], "pages": 1, "links": 2}'))
    assert check.check_if_due()
    mended = faults.read()
    assert mended is not None
    assert (mended.snapshot, mended.faults, mended.pages, mended.links) == ("two", (), 1, 2)


def test_docs_are_checked_after_the_clock_was_set_back(
    sqlite_database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link_check, "COMMAND", ("echo", '{"faults": [], "pages": 1, "links": 2}'))
    faults = ContentFaults(sqlite_database, now=clock)
    clock.now += timedelta(days=1)
    faults.replace("one", [], pages=1, links=1)
    clock.now -= timedelta(days=1)
    check = LinkCheck(sqlite_database, faults, lambda: "two", environment=dict(os.environ), now=clock)
    assert check.check_if_due()
    assert not check.check_if_due()


def test_check_that_fails_keeps_the_last_report(sqlite_database: Database, clock: Clock) -> None:
    faults = ContentFaults(sqlite_database, now=clock)
    faults.replace("zero", [ContentFault("a.md", "", "old")], pages=1, links=1)
    clock.now += PERIOD
    environment = {**os.environ, "KINFOLK_RENDERERS": "none"}
    check = LinkCheck(sqlite_database, faults, lambda: "one", environment=environment, now=clock)
    with pytest.raises(Unavailable, match="ended with"):
        check.check_if_due()
    stored = faults.read()
    assert stored is not None
    assert stored.snapshot == "zero"


def test_stopped_check_ends_at_once(sqlite_database: Database, clock: Clock) -> None:
    check = LinkCheck(
        sqlite_database,
        ContentFaults(sqlite_database, now=clock),
        lambda: "one",
        environment=dict(os.environ),
        now=clock,
    )
    check.stop()
    check.run()
    with pytest.raises(Unavailable, match="not checked any more"):
        check.check_if_due()
