"""Live events in a browser: pages that change, figures, one stream for all tabs, and what maintainers see."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect
from tests.browser.accounts.profiles import Profiles, profiles, profiles_of_file
from tests.browser.conftest import FOLLOW_LINK, wait_until
from tests.inputs.npm_histories import history
from tests.inputs.stored_stars import StoredStars
from tests.processes.family import STORE, Family, mirrored_family
from tests.servers.databases import sqlite_url
from tests.servers.serving import LEAN, Server, serving

from kinfolk.config.catalog import Catalog
from kinfolk.db.database import Database, utc_now
from kinfolk.db.schema import upgrade
from kinfolk.live.topic_store import TopicStore
from kinfolk.statistics.histories.history_store import HistoryStore, years_of

__all__ = ["profiles", "profiles_of_file"]

MAINTAINER = "grace@example.com"
PAGE = "/store/latest/docs/overview"
DAYS, DAILY = 20, 86_400
REVISIONS = count(7)
"""Of a page: each push has another one, also in a second run."""
HIDE = """() => {
  Object.defineProperty(document, 'visibilityState', { configurable: true, value: 'hidden' })
  document.dispatchEvent(new Event('visibilitychange'))
}"""


@pytest.fixture(scope="module")
def family(tmp_path_factory: pytest.TempPathFactory) -> Family:
    return mirrored_family(tmp_path_factory.mktemp("live") / "family")


def database_of(family: Family) -> Database:
    """The database of the server."""
    folder = family.folder / "var"
    folder.mkdir(exist_ok=True)
    return Database(sqlite_url(folder / "kinfolk.sqlite"), lock_folder=folder)


@pytest.fixture(scope="module")
def total(family: Family, catalog: Catalog) -> int:
    """All downloads of the store's packages, which were counted until yesterday."""
    database = database_of(family)
    upgrade(database)
    first = datetime.now(UTC).date() - timedelta(days=DAYS)
    packages = catalog.library("store").npm_packages
    for name in packages:
        HistoryStore(database).put(years_of(history(name, first.isoformat(), [DAILY] * DAYS)))
    database.close()
    return len(packages) * DAYS * DAILY


@pytest.fixture(scope="module")
def server(built: Path, family: Family, total: int) -> Iterator[Server]:
    assert built
    assert total
    environment = LEAN | family.environment | {"KINFOLK_MAINTAINERS": MAINTAINER, "KINFOLK_REFRESH_S": "0"}
    with serving(family.folder, environment=environment) as found:
        yield found


@pytest.fixture
def stars(family: Family, server: Server) -> Iterator[StoredStars]:
    assert server
    stars = StoredStars(database_of(family), STORE.repo)
    yield stars
    stars.database.close()


def streams_of(context: BrowserContext) -> list[str]:
    """Records the addresses of the streams that the pages of a context open."""
    streams: list[str] = []
    context.on("request", lambda request: streams.append(request.url) if "/api/live?" in request.url else None)
    return streams


def sync_from_dashboard(page: Page) -> None:
    page.goto("/dashboard/content")
    page.get_by_role("button", name=re.compile(r"^Sync TanStack Store v\d+ now$")).click()
    expect(page.get_by_text("Sync requested").first).to_be_visible()


def test_open_page_offers_to_refresh_after_a_sync_that_a_maintainer_requested(
    profiles: Profiles, family: Family
) -> None:
    reader, maintainer = profiles.shared(), profiles.shared(MAINTAINER)
    streams = streams_of(reader.context)
    reader.goto(PAGE)
    wait_until(reader, lambda: len(streams) == 1, "the page follows live events")
    before = reader.get_by_role("main").inner_text()
    revision = next(REVISIONS)
    family.push(revision)
    sync_from_dashboard(maintainer)
    notice = reader.get_by_role("status").filter(has_text="This page has changed")
    expect(notice).to_be_visible()
    # The text stays until the reader refreshes it.
    assert reader.get_by_role("main").inner_text() == before
    notice.get_by_role("button", name="Refresh").click()
    expect(reader.get_by_role("heading", name=f"The page of Revision {revision}")).to_be_visible()
    expect(notice).to_have_count(0)
    # The dashboard shows the new commit without a reload.
    commit = family.upstreams.tip(STORE)[:8]
    expect(maintainer.get_by_role("link", name=commit)).to_be_visible()
    # The notice can be put off, and goes with the page.
    family.push(next(REVISIONS))
    sync_from_dashboard(maintainer)
    notice.get_by_role("button", name="Later").click()
    expect(notice).to_have_count(0)
    family.push(next(REVISIONS))
    sync_from_dashboard(maintainer)
    expect(notice).to_be_visible()
    reader.evaluate(FOLLOW_LINK, "/support")
    expect(reader.get_by_role("heading", level=1, name="Help and support")).to_be_visible()
    expect(notice).to_have_count(0)


def test_tabs_share_one_stream_and_the_other_takes_it_over(profiles: Profiles, stars: StoredStars) -> None:
    stars.put(100)
    first = profiles.open(reduced_motion="reduce")
    streams = streams_of(first.context)
    first.goto("/store/latest")
    expect(figure(first, "stars")).to_have_text("100")
    wait_until(first, lambda: len(streams) == 1, "the first tab has a stream")
    second = first.context.new_page()
    second.goto("/store/latest")
    expect(figure(second, "stars")).to_have_text("100")
    stars.put(101)
    expect(figure(first, "stars")).to_have_text("101")
    expect(figure(second, "stars")).to_have_text("101")
    assert len(streams) == 1
    first.close()
    wait_until(second, lambda: len(streams) == 2, "the second tab opens a stream")
    stars.put(102)
    expect(figure(second, "stars")).to_have_text("102")


def test_total_of_downloads_is_estimated_while_the_page_is_visible(profiles: Profiles, total: int) -> None:
    page = profiles.shared()
    page.goto("/store/latest")
    downloads = figure(page, "downloadsTotal")
    downloads.scroll_into_view_if_needed()
    expect(page.get_by_text("estimated live")).to_be_visible()
    shown = count_in(downloads)
    assert total < shown < total * 1.1
    wait_until(page, lambda: count_in(downloads) > shown, "the estimate grows")
    # Headless Chromium hides no tabs.
    page.evaluate(HIDE)
    expect(page.get_by_text("estimated live")).to_be_hidden()
    expect(page.get_by_text("as of").first).to_be_visible()
    assert count_in(downloads) == total


def test_total_of_downloads_stands_still_under_reduced_motion(
    profiles: Profiles, stars: StoredStars, total: int
) -> None:
    page = profiles.shared()
    page.emulate_media(reduced_motion="reduce")
    page.goto("/store/latest")
    figure(page, "downloadsTotal").scroll_into_view_if_needed()
    stars.put(200)
    expect(figure(page, "stars")).to_have_text("200")
    # The script that estimates has shown the new number of stars.
    assert page.locator("[data-ticking]").count() == 0
    assert count_in(figure(page, "downloadsTotal")) == total
    page.emulate_media(reduced_motion="no-preference")


def test_maintainers_see_connections_and_a_running_import(profiles: Profiles, stars: StoredStars) -> None:
    reader, page = profiles.shared(), profiles.shared(MAINTAINER)
    streams = streams_of(reader.context)
    reader.goto("/store/latest")
    wait_until(reader, lambda: len(streams) == 1, "the page follows live events")
    page.goto("/dashboard/activity")
    expect(page.get_by_role("heading", name="Connections")).to_be_visible()
    expect(page.get_by_text(re.compile(r"[1-9]\d* browsers? follows? live events"))).to_be_visible()
    page.goto("/dashboard/statistics")
    expect(page.get_by_role("heading", name="Importer")).to_be_visible()
    topics = TopicStore(stars.database, now=utc_now)
    topics.publish("statistics.import", {"subject": "vue", "done": 3, "total": 12, "failure": ""})
    expect(page.get_by_text("3 of 12 requests, last for vue")).to_be_visible()
    topics.publish("statistics.import", {"subject": "react", "done": 12, "total": 12, "failure": ""})
    expect(page.get_by_text("requests, last for")).to_have_count(0)


def figure(page: Page, name: str) -> Locator:
    return page.locator(f"[data-figure={name}] .figure-value")


def count_in(figure: Locator) -> int:
    return int(figure.inner_text().replace(",", ""))
