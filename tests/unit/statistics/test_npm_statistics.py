"""What pages of npm statistics read while counts are being imported."""

from __future__ import annotations

import asyncio
import threading
from datetime import date, datetime, timedelta

import numpy as np
import pytest
from tests.servers.npm_api import NpmApi
from tests.sites.sample_site import SITE

from kinfolk.content.dependencies import NPM, Dependency, DependencyRecorder, npm_package
from kinfolk.db.database import Database
from kinfolk.runtime.errors import Invalid, Refused, Unavailable
from kinfolk.statistics.comparisons.comparison_chart import ComparisonChart
from kinfolk.statistics.histories.history_store import HistoryStore, YearCounts, year_array
from kinfolk.statistics.histories.version_counts import put_version_week
from kinfolk.statistics.importing.downloads_api import DownloadsApi
from kinfolk.statistics.importing.import_queue import ImportQueue
from kinfolk.statistics.importing.importer import Importer, Pace
from kinfolk.statistics.importing.importer_state import ImporterStateStore
from kinfolk.statistics.npm_config import load_npm_config
from kinfolk.statistics.npm_statistics import NpmStatistics
from kinfolk.statistics.stars.github_stars import StarDays
from kinfolk.statistics.stars.star_store import StarStore
from kinfolk.web.background.statistics_purge import StatisticsPurge

TODAY = date(2026, 11, 22)
NOW = datetime(2026, 11, 22, 6)  # noqa: DTZ001 - as the database stores times
CONFIG = load_npm_config(SITE)
REPOSITORIES = {"@tanstack/react-query": "TanStack/query", "@tanstack/vue-query": "TanStack/query"}


def open_statistics(database: Database, *, imports: bool = True) -> NpmStatistics:
    return NpmStatistics(CONFIG, database, imports=imports, now=lambda: NOW, repositories=REPOSITORIES)


def chart(npm: NpmStatistics, packages: str, search: str = "range=30-days&binningOption=daily") -> ComparisonChart:
    return npm.chart(search, packages=packages, today=TODAY, recorder=DependencyRecorder())


def statuses(shown: ComparisonChart) -> list[tuple[str, str, str]]:
    return [(series.name, series.status, series.message) for series in shown.series]


def store(database: Database, package: str, *, year: int = 2026, count: int = 100) -> None:
    counts = year_array(year)
    counts[: (min(date(year, 12, 31), TODAY - timedelta(days=1)) - date(year, 1, 1)).days + 1] = count
    HistoryStore(database).put([YearCounts(package, year, "npm", counts, NOW)])


@pytest.fixture
def online(database: Database) -> NpmStatistics:
    """The statistics of a site that has reached npm."""
    ImporterStateStore(database).succeeded(NOW)
    return open_statistics(database)


def test_samples_are_shown_until_npm_is_reached(database: Database) -> None:
    npm, state = open_statistics(database), ImporterStateStore(database)
    assert not chart(npm, "react-vs-vue").sample
    state.failed("npm cannot be reached", NOW, failures=1, paused_until=NOW)
    assert chart(npm, "react-vs-vue").sample
    state.succeeded(NOW)
    assert not chart(npm, "react-vs-vue").sample
    state.failed("npm cannot be reached", NOW, failures=1, paused_until=NOW)
    assert not chart(npm, "react-vs-vue").sample
    assert chart(open_statistics(database, imports=False), "react-vs-vue").sample


def test_packages_without_counts_have_a_reason(online: NpmStatistics, database: Database) -> None:
    queue = ImportQueue(database, now=lambda: NOW)
    queue.set_status(["no-such"], "not_found")
    queue.add("is-odd", client="a")
    queue.add("is-even", client="b")
    store(database, "vue")
    shown = chart(online, "vue-vs-react-vs-no-such-vs-is-odd-vs-is-even-vs-left-pad")
    assert statuses(shown) == [
        ("vue", "ready", "Earlier years of vue are not fetched yet."),
        ("react", "importing", "The downloads of react are being fetched from npm."),
        ("no-such", "not-found", 'Package "no-such" not found on npm'),
        ("is-odd", "waiting", "The downloads of is-odd are fetched after 1 other package."),
        ("is-even", "waiting", "The downloads of is-even are fetched next."),
        ("left-pad", "not-imported", "The downloads of left-pad have not been fetched from npm yet."),
    ]
    queue.set_status(["vue"], "complete")
    assert statuses(chart(online, "vue")) == [("vue", "ready", "")]
    assert not shown.indexable


def test_a_site_that_does_not_import_offers_no_import(database: Database) -> None:
    store(database, "vue")
    npm = open_statistics(database, imports=False)
    assert [status for _, status, _ in statuses(chart(npm, "vue-vs-react"))] == ["ready", "no-data"]
    with pytest.raises(Unavailable, match="does not fetch counts"):
        npm.request_import("react", client="a")


def test_a_requested_package_is_queued_once(online: NpmStatistics, database: Database) -> None:
    first = online.request_import("is-odd", client="a")
    assert (first.state, first.message, first.ahead) == ("waiting", "The downloads of is-odd are fetched next.", 0)
    assert online.request_import("is-odd", client="a") == first
    assert online.request_import("react", client="a").state == "importing"
    for name in ("is-even", "is-number"):
        online.request_import(name, client="a")
    with pytest.raises(Refused):
        online.request_import("is-prime", client="a")
    ImportQueue(database, now=lambda: NOW).set_status(["is-odd"], "not_found")
    assert online.request_import("is-odd", client="a").state == "not-found"


@pytest.mark.parametrize("name", ["", "a b", "../etc", "@a", "a" * 215, "é", "a,b", "a%2Fb"])
def test_impossible_names_are_refused(online: NpmStatistics, name: str) -> None:
    with pytest.raises(Invalid):
        online.request_import(name, client="a")


@pytest.mark.no_cover
def test_a_crawler_of_made_up_pairs_costs_the_importer_nothing(database: Database) -> None:
    npm = open_statistics(database)
    ImporterStateStore(database).succeeded(NOW)
    with NpmApi(today=TODAY) as api:
        # Two packages, as the ones of the crawler: an import of all takes seconds, before its first request.
        own = ("react", "@tanstack/react-query")
        assert set(own) <= set(CONFIG.packages)
        importer = Importer(database, DownloadsApi(api.url), own, pace=Pace(0), now=lambda: NOW)
        asyncio.run(importer.import_due())
        requests, revision = len(api.paths), HistoryStore(database).revision()
        for number in range(200):
            made_up = chart(npm, f"made-up-{number}-vs-@made/up-{number}")
            assert not made_up.indexable
            assert [series.status for series in made_up.series] == ["not-imported", "not-imported"]
        asyncio.run(importer.import_due())
        assert (len(api.paths), HistoryStore(database).revision()) == (requests, revision)
    assert ImportQueue(database, now=lambda: NOW).waiting() == []


def test_mirror_floor_is_subtracted_on_request(online: NpmStatistics, database: Database) -> None:
    store(database, "vue")
    weeks = {f"1.{minor}.0": 7 for minor in range(20)}
    put_version_week(database, "vue", TODAY - timedelta(days=1), weeks | {"2.0.0": 560}, NOW)
    plain, without = chart(online, "vue"), chart(online, "vue", "range=30-days&binningOption=daily&mirrors=without")
    assert plain.series[0].values[-1] == 100
    assert without.series[0].values[-1] == 100 - 21


@pytest.fixture
def stars(database: Database) -> StarStore:
    found = StarStore(database)
    counts = np.full(500, 3, dtype=np.int64)
    found.put(StarDays("TanStack/query", TODAY - timedelta(days=500), counts, NOW + timedelta(hours=12)))
    return found


def test_stars_are_shown_where_they_are_stored(stars: StarStore, database: Database) -> None:
    npm = open_statistics(database, imports=False)
    assert npm.choices(DependencyRecorder()).has_stars
    search = "range=30-days&binningOption=daily&measure=stars"
    shown = chart(npm, "@tanstack/react-query-vs-react", search)
    assert [series.status for series in shown.series] == ["ready", "no-data"]
    assert shown.series[0].values[-1] == 1500
    assert not shown.sample
    assert shown.source.startswith("Stars")


def test_packages_of_one_repository_share_its_stars(stars: StarStore, database: Database) -> None:
    groups = '[{"packages":[{"name":"@tanstack/react-query"},{"name":"@tanstack/vue-query"}]}]'
    npm = open_statistics(database)
    shown = chart(npm, "", f"packageGroups={groups}&range=30-days&binningOption=daily&measure=stars")
    assert shown.series[0].values[-1] == 1500


def test_sites_without_stars_do_not_offer_them(online: NpmStatistics) -> None:
    assert not online.choices(DependencyRecorder()).has_stars


def test_histories_are_complete_when_no_package_is_missing_or_being_imported(database: Database) -> None:
    npm, queue = open_statistics(database), ImportQueue(database, now=lambda: NOW)
    names = ("vue", "react", "gone")

    def complete(npm: NpmStatistics) -> list[str] | None:
        histories = npm.complete_histories(names, DependencyRecorder())
        return None if histories is None else sorted(history.package for history in histories)

    assert complete(npm) is None
    store(database, "vue")
    queue.set_status(["gone"], "not_found")
    queue.set_status(["vue"], "complete")
    assert complete(npm) is None
    store(database, "react")
    assert complete(npm) is None
    queue.set_status(["react"], "complete")
    assert complete(npm) == ["react", "vue"]
    assert complete(open_statistics(database, imports=False)) == ["react", "vue"]


def test_pages_are_purged_when_another_process_stores_counts(database: Database) -> None:
    npm, purged = open_statistics(database), list[frozenset[Dependency]]()
    purge = StatisticsPurge(npm, purged.append)

    def check() -> list[frozenset[Dependency]]:
        purged.clear()
        asyncio.run(purge.check())
        return list(purged)

    assert check() == []
    writer = threading.Thread(target=store, args=(database, "vue"))
    writer.start()
    writer.join()
    assert check() == [frozenset({npm_package("vue")})]
    assert check() == []
    store(database, "")
    assert check() == [frozenset({npm_package(""), NPM})]
    ImporterStateStore(database).failed("npm cannot be reached", NOW, failures=1, paused_until=NOW)
    assert check() == [frozenset({NPM})]
    ImporterStateStore(database).succeeded(NOW)
    assert check() == [frozenset({NPM})]


def test_the_page_without_a_query_is_indexed_whatever_it_shows(database: Database) -> None:
    npm = open_statistics(database, imports=False)
    assert chart(npm, "", "").indexable
    assert not chart(npm, "", "range=30-days").indexable
