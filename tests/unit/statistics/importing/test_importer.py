"""The importer of download counts, against a stand-in of npm's API that misbehaves, on both databases."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from http import HTTPStatus
from itertools import cycle

import orjson
import pytest
from tests.servers.npm_api import Fault, NpmApi, downloads
from tests.sites.sample_site import SITE

from kinfolk.db.database import Database
from kinfolk.runtime.errors import Unavailable
from kinfolk.statistics.histories.history import FIRST_DAY
from kinfolk.statistics.histories.history_store import HistoryStore
from kinfolk.statistics.histories.version_counts import recorded_weeks, version_adoption
from kinfolk.statistics.importing import importer as importer_module
from kinfolk.statistics.importing.downloads_api import DownloadsApi
from kinfolk.statistics.importing.import_coverage import import_coverage
from kinfolk.statistics.importing.import_queue import ImportQueue
from kinfolk.statistics.importing.importer import LOCK, Importer, ImportProgress, ImportReport, Pace
from kinfolk.statistics.importing.importer_state import ImporterStateStore
from kinfolk.statistics.npm_config import load_npm_config

PACE = Pace(interval_s=0.01, rate_limit_s=0.05, longest_s=0.1)
FAULTS: list[Fault] = ["limit", "server-error", "slow", "cut", "html", "error-200", "short", "other-package"]


class Clock:
    """The morning of a day, after npm has counted the day before."""

    def __init__(self, today: date) -> None:
        self.now = datetime.combine(today, datetime.min.time()) + timedelta(hours=6)

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    """An early day, so that an import is of four years."""
    return Clock(date(2018, 11, 22))


@pytest.fixture
def npm(clock: Clock) -> Iterator[NpmApi]:
    with NpmApi(today=clock.now.date(), slow_s=0.3) as api:
        yield api


@pytest.fixture
def twelve_years(clock: Clock, npm: NpmApi) -> None:
    """A day on which an import is of twelve years."""
    npm.today = date(2026, 11, 22)
    clock.now = Clock(npm.today).now


class DirectApi(DownloadsApi):
    """A client that calls the stand-in without HTTP, which takes half of the time, where it succeeds at once."""

    def __init__(self, npm: NpmApi, *, timeout_s: float) -> None:
        super().__init__(npm.url, timeout_s=timeout_s)
        self._npm = npm

    async def _get(self, path: str) -> bytes:
        status, body = self._npm.answer(f"/{path}")
        if status != HTTPStatus.OK or not self._npm.answers_at_once:
            return await super()._get(path)
        self._npm.next_fault(f"/{path}")
        return orjson.dumps(body)


def make_importer(
    database: Database,
    npm: NpmApi,
    clock: Clock,
    packages: tuple[str, ...],
    pace: Pace = PACE,
    *,
    timeout_s: float = 20,
) -> Importer:
    return Importer(database, DirectApi(npm, timeout_s=timeout_s), packages, pace=pace, now=clock)


def run(importer: Importer) -> ImportReport:
    return asyncio.run(importer.import_due())


async def until(condition: Callable[[], bool]) -> None:
    while not condition():  # noqa: ASYNC110 - of threads
        await asyncio.sleep(0.02)


def expected(package: str, last: date) -> list[int]:
    return [downloads(package, FIRST_DAY + timedelta(days=day)) for day in range((last - FIRST_DAY).days + 1)]


def counts(database: Database, package: str) -> list[int]:
    history = HistoryStore(database).histories([package])[package]
    assert history.first == FIRST_DAY
    return [int(count) for count in history.counts]


@pytest.mark.no_cover
@pytest.mark.usefixtures("twelve_years")
def test_all_counts_are_imported(database: Database, npm: NpmApi, clock: Clock) -> None:
    names = ("react", "vue", "@angular/core")
    assert run(make_importer(database, npm, clock, names)) == ImportReport()
    for name in (*names, ""):
        assert counts(database, name) == expected(name, date(2026, 11, 21))
    assert recorded_weeks(database) == dict.fromkeys(names, date(2026, 11, 21))
    assert version_adoption(database, "react").majors[0].major == "4"
    assert all(history.source == "npm" for history in HistoryStore(database).histories(names).values())
    # 2016, 2020 and 2024 take two requests for several packages.
    assert len(npm.paths) == 12 + (12 + 3) + 12 + 3
    assert min(npm.gaps_s) >= PACE.interval_s
    coverage = import_coverage(database, names)
    assert [package.complete for package in coverage.packages] == [True] * 3


def test_nothing_is_requested_twice_on_a_day(database: Database, npm: NpmApi, clock: Clock) -> None:
    run(make_importer(database, npm, clock, ("react",)))
    before = len(npm.paths)
    clock.now += timedelta(hours=17)
    run(make_importer(database, npm, clock, ("react",)))
    assert len(npm.paths) == before


@pytest.mark.no_cover
def test_each_day_takes_a_request_for_all_unscoped_packages(database: Database, npm: NpmApi, clock: Clock) -> None:
    names = ("react", "vue", "@angular/core")
    run(make_importer(database, npm, clock, names))
    npm.paths.clear()
    clock.now += timedelta(days=1)
    npm.today += timedelta(days=1)
    run(make_importer(database, npm, clock, names))
    assert npm.paths == [
        "/downloads/range/2018-01-01:2018-11-22",
        "/downloads/range/2018-01-01:2018-11-22/react,vue",
        "/downloads/range/2018-01-01:2018-11-22/@angular%2Fcore",
    ]
    assert counts(database, "react") == expected("react", date(2018, 11, 22))


@pytest.mark.no_cover
def test_an_api_that_misbehaves_delays_the_import(database: Database, npm: NpmApi, clock: Clock) -> None:
    faults: list[Fault | None] = [*FAULTS, *[None] * 12]
    random.Random(0).shuffle(faults)  # noqa: S311
    npm.faults = cycle(faults)
    npm.unknown = {"no-such", "@no/such"}
    names = ("react", "vue", "@angular/core", "no-such", "svelte", "@no/such")
    importer = make_importer(database, npm, clock, names, timeout_s=0.2)
    assert run(importer) == ImportReport(("@no/such", "no-such"))
    for name in ("react", "vue", "@angular/core", "svelte", ""):
        assert counts(database, name) == expected(name, date(2018, 11, 21))
    assert min(npm.gaps_s) >= PACE.interval_s


@pytest.mark.parametrize(("fault", "pause_s"), [("limit", PACE.rate_limit_s), ("limit-for-1s", 1.0)])
def test_nothing_is_requested_while_npm_limits_the_rate(
    database: Database, npm: NpmApi, clock: Clock, fault: Fault, pause_s: float
) -> None:
    npm.faults = iter([None, fault])

    async def import_twice() -> None:
        first = asyncio.create_task(make_importer(database, npm, Live(clock), ("react",)).import_due())
        await until(lambda: ImporterStateStore(database).read().failures == 1)
        # Another process continues: it reads the pause from the database.
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        await make_importer(database, npm, Live(clock), ("react",)).import_due()

    asyncio.run(import_twice())
    assert npm.gaps_s[1] >= pause_s - 0.002  # times in the database have microseconds


class Live(Clock):
    """A clock that goes on from the time of another."""

    def __init__(self, clock: Clock) -> None:
        self._first = clock.now
        self._began = datetime.now()  # noqa: DTZ005 - only differences count

    def __call__(self) -> datetime:
        return self._first + (datetime.now() - self._began)  # noqa: DTZ005


def test_pauses_after_failures_grow(database: Database, npm: NpmApi, clock: Clock) -> None:
    npm.faults = cycle(["server-error"])
    pace = Pace(interval_s=0.01, longest_s=0.05)
    report = run(make_importer(database, npm, Live(clock), ("react",), pace))
    assert set(report.failed) == {"react", ""}
    assert report.failed["react"] == "npm answers 500: internal"
    assert [gap >= least for gap, least in zip(npm.gaps_s, [0.02, 0.04, 0.05, 0.05], strict=False)] == [True] * 4
    state = ImporterStateStore(database).read()
    assert state.failures == len(npm.paths)
    assert (state.last_success_at, state.last_failure) == (None, "npm answers 500: internal")


def test_zero_days_that_npm_fills_later_are_filled(database: Database, npm: NpmApi, clock: Clock) -> None:
    hole = {date(2018, 11, 10) + timedelta(days=day) for day in range(5)}
    npm.uncounted = set(hole)
    run(make_importer(database, npm, clock, ("react",)))
    zeros = [0 if FIRST_DAY + timedelta(days=n) in hole else c for n, c in enumerate(expected("react", npm.today))]
    assert counts(database, "react") == zeros[:-1]
    npm.uncounted.clear()
    npm.today += timedelta(days=1)
    clock.now += timedelta(days=1)
    run(make_importer(database, npm, clock, ("react",)))
    assert counts(database, "react") == expected("react", date(2018, 11, 22))


def test_a_zero_does_not_replace_a_count(database: Database, npm: NpmApi, clock: Clock) -> None:
    run(make_importer(database, npm, clock, ("react",)))
    npm.uncounted = {date(2018, 1, 1) + timedelta(days=day) for day in range(325)}
    npm.today += timedelta(days=1)
    clock.now += timedelta(days=1)
    run(make_importer(database, npm, clock, ("react",)))
    assert counts(database, "react") == expected("react", date(2018, 11, 22))


def test_a_day_is_fetched_when_npm_has_counted_it(database: Database, npm: NpmApi, clock: Clock) -> None:
    npm.uncounted = {date(2018, 11, 21)}
    importer = make_importer(database, npm, clock, ("react",))
    run(importer)
    assert counts(database, "react")[-1] == downloads("react", date(2018, 11, 20))
    checked = len(npm.paths)
    run(importer)
    # The next check is an hour later.
    assert len(npm.paths) == checked
    npm.uncounted.clear()
    clock.now += timedelta(hours=1)
    run(importer)
    assert counts(database, "react") == expected("react", date(2018, 11, 21))
    assert len(npm.paths) == checked + 2


def test_new_counts_are_looked_for_after_the_clock_was_set_back(sqlite_database: Database, npm: NpmApi) -> None:
    npm.today = date(2015, 1, 20)
    npm.uncounted = {date(2015, 1, 19)}
    clock = Clock(date(2015, 1, 21))
    importer = make_importer(sqlite_database, npm, clock, ("react",))
    run(importer)
    clock.now -= timedelta(days=1)
    before = len(npm.paths)
    run(importer)
    assert any(path.endswith(":2015-01-19") for path in npm.paths[before:])


def test_the_year_before_is_fetched_again_in_january(database: Database, npm: NpmApi) -> None:
    clock = Clock(date(2019, 1, 3))
    npm.today = date(2019, 1, 3)
    npm.uncounted = {date(2018, 12, 30)}
    run(make_importer(database, npm, clock, ("react",)))
    npm.uncounted.clear()
    clock.now, npm.today = clock.now + timedelta(days=12), date(2019, 1, 15)
    npm.paths.clear()
    run(make_importer(database, npm, clock, ("react",)))
    assert counts(database, "react") == expected("react", date(2019, 1, 14))
    assert [path.split("/")[3] for path in npm.paths if path.endswith("/react")] == [
        "2019-01-01:2019-01-14",
        "2018-01-01:2018-12-31",
    ]
    clock.now, npm.today = clock.now + timedelta(days=1), date(2019, 1, 16)
    npm.paths.clear()
    run(make_importer(database, npm, clock, ("react",)))
    assert not any("2018" in path for path in npm.paths)


def test_npm_no_longer_has_a_package(database: Database, npm: NpmApi, clock: Clock) -> None:
    run(make_importer(database, npm, clock, ("react", "vue")))
    npm.unknown = {"react"}
    npm.today += timedelta(days=1)
    clock.now += timedelta(days=1)
    report = run(make_importer(database, npm, clock, ("react", "vue")))
    assert report.not_found == ()
    assert "which it had before" in report.failed["react"]
    assert counts(database, "react") == expected("react", date(2018, 11, 21))
    assert counts(database, "vue") == expected("vue", date(2018, 11, 22))


@pytest.mark.usefixtures("twelve_years")
def test_requested_packages_are_verified_and_imported_first(database: Database, npm: NpmApi, clock: Clock) -> None:
    queue = ImportQueue(database, now=clock)
    npm.unknown = {"no-such"}
    queue.add("no-such", client="192.0.2.1")
    queue.add("zod", client="192.0.2.1")
    report = run(make_importer(database, npm, clock, ("react",)))
    assert report.not_found == ("no-such",)
    assert npm.paths[:2] == ["/downloads/point/last-week/no-such", "/downloads/point/last-week/zod"]
    assert not any("no-such" in path for path in npm.paths[2:])
    names = [path.rpartition("/")[2] for path in npm.paths[3:]]
    assert set(names[:12]) == {"zod", "last-week"}
    assert queue.statuses(["zod"])["zod"].status == "complete"
    assert counts(database, "zod") == expected("zod", date(2026, 11, 21))


def test_a_package_whose_verification_fails_stays_in_the_queue(database: Database, npm: NpmApi, clock: Clock) -> None:
    ImportQueue(database, now=clock).add("zod", client="192.0.2.1")
    npm.faults = iter(["html"])
    assert run(make_importer(database, npm, clock, ())) == ImportReport()
    assert counts(database, "zod") == expected("zod", date(2018, 11, 21))


def test_only_one_process_imports(database: Database, npm: NpmApi, clock: Clock) -> None:
    with database.exclusive(LOCK) as held:
        assert held
        with pytest.raises(Unavailable, match="already being imported"):
            run(make_importer(database, npm, clock, ("react",)))
    assert npm.paths == []


@pytest.mark.usefixtures("twelve_years")
def test_the_service_imports_until_it_is_cancelled(
    database: Database, npm: NpmApi, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importer_module, "IDLE_S", 0.01)
    queue = ImportQueue(database, now=clock)

    async def serve() -> None:
        service = asyncio.create_task(make_importer(database, npm, clock, ("react",)).run())
        await until(lambda: "react" in recorded_weeks(database) and len(npm.paths) > 24)
        queue.add("zod", client="192.0.2.1")
        await until(lambda: queue.statuses(["zod"])["zod"].status == "complete")
        service.cancel()
        await asyncio.gather(service, return_exceptions=True)
        assert service.cancelled()

    asyncio.run(asyncio.wait_for(serve(), 60))
    with database.exclusive(LOCK) as free:
        assert free


@pytest.mark.no_cover
@pytest.mark.usefixtures("twelve_years")
def test_progress_reaches_the_total(database: Database, npm: NpmApi, clock: Clock) -> None:
    npm.faults = iter([None, "cut"])
    seen: list[ImportProgress] = []
    importer = Importer(
        database, DownloadsApi(npm.url), ("react", "@angular/core"), pace=PACE, now=clock, on_progress=seen.append
    )
    run(importer)
    assert [progress.done for progress in seen] == sorted(progress.done for progress in seen)
    assert seen[-1].done == seen[-1].total == 12 * 2 + 11 + 2
    assert [progress.failure for progress in seen if progress.failure] == ["npm cannot be reached: RemoteProtocolError"]
    assert seen[0].subject == "react, 2026"


@pytest.mark.no_cover
@pytest.mark.usefixtures("twelve_years")
def test_the_default_packages_need_few_requests(sqlite_database: Database, npm: NpmApi, clock: Clock) -> None:
    # A third of them: their requests are counted, and each takes as long as the others.
    packages = load_npm_config(SITE).packages[::3]
    assert run(make_importer(sqlite_database, npm, clock, packages, Pace(interval_s=0))) == ImportReport()
    assert len(packages) >= 27
    assert len(HistoryStore(sqlite_database).stored_packages()) == len(packages) + 1
    versions = sum(path.startswith("/versions/") for path in npm.paths)
    scoped = sum(name.startswith("@") for name in packages)
    assert versions == len(packages)
    assert len(npm.paths) - versions <= 12 + 12 * scoped + 2 * 15
