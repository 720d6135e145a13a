"""The background task that keeps figures current, against a stand-in that also fails; and what finds its changes."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from tests.servers.figure_servers import (
    HTML,
    SEARCH,
    FigureServer,
    contributors_reply,
    repository_reply,
    serve_figures,
    text_reply,
)
from tests.servers.kinfolk_process import ForkedProcess

from kinfolk.config.catalog import Catalog
from kinfolk.content.dependencies import Dependency, DependencyRecorder, library_figures, purge_tags
from kinfolk.db.database import Database
from kinfolk.rendering import HtmlDocument, PageCache
from kinfolk.runtime.cache import DOCS
from kinfolk.runtime.errors import Unavailable
from kinfolk.statistics.figures.figure_refresh import (
    LOCK,
    MAX_FAILURES,
    FigureRefresher,
    package_sources,
    repository_sources,
)
from kinfolk.statistics.figures.figure_store import (
    FigureKey,
    FigureStore,
    StoredFigure,
    package_subject,
    repository_subject,
)
from kinfolk.statistics.figures.github_repository import GitHubRepository
from kinfolk.statistics.figures.npm_dependents import NpmDependents
from kinfolk.statistics.figures.open_source_figures import Figure
from kinfolk.statistics.figures.site_figures import SiteFigures
from kinfolk.web.background.revision_purge import RevisionPurge

NOON = datetime(2026, 3, 18, 12)  # noqa: DTZ001 - all times of the database are in UTC
QUERY, ROUTER, TABLE = "TanStack/query", "TanStack/router", "TanStack/table"
REACT_QUERY = "@tanstack/react-query"


class Clock:
    def __init__(self) -> None:
        self.time = NOON

    def __call__(self) -> datetime:
        return self.time

    def advance(self, **parts: float) -> None:
        self.time += timedelta(**parts)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def server() -> Iterator[FigureServer]:
    with serve_figures() as stand_in:
        stand_in.stars = {QUERY: 100, ROUTER: 200, TABLE: 300}
        stand_in.contributors = {QUERY: 10, ROUTER: 20, TABLE: 30}
        stand_in.dependents = {REACT_QUERY: "9000"}
        yield stand_in


class Refresh:
    """Calls a refresher once, as another process would: with clients of its own. `changes` are calls of on_change."""

    def __init__(self, server: FigureServer, database: Database, clock: Clock) -> None:
        self.store = FigureStore(database, now=clock)
        self.changes: list[frozenset[str]] = []
        self._server, self._database, self._clock = server, database, clock

    def __call__(self, repositories: Sequence[str] = (QUERY, ROUTER), packages: Sequence[str] = ()) -> set[str]:
        self._server.requests.clear()
        return set(asyncio.run(self.refresher(repositories, packages).refresh()))

    def refresher(
        self,
        repositories: Sequence[str],
        packages: Sequence[str],
        *,
        on_change: Callable[[frozenset[str]], None] | None = None,
    ) -> FigureRefresher:
        github = GitHubRepository("secret", now=self._clock, api=self._server.url)
        npm = NpmDependents(self._server.search, now=self._clock)
        return FigureRefresher(
            self.store,
            [*repository_sources(github, repositories), *package_sources(npm, packages)],
            database=self._database,
            now=self._clock,
            on_change=on_change or self.changes.append,
            gap_s=0,
        )

    def stored(self, name: str = QUERY, figure: str = "stars") -> StoredFigure:
        subject = package_subject(name) if figure == "dependents" else repository_subject(name)
        found = {key.name: one for key, one in self.store.read([subject]).items()}
        return found[figure]  # type: ignore[index]


@pytest.fixture
def refresh(server: FigureServer, database: Database, clock: Clock) -> Refresh:
    return Refresh(server, database, clock)


def test_figures_are_fetched_and_stored_with_their_time(server: FigureServer, refresh: Refresh) -> None:
    subjects = {repository_subject(QUERY), repository_subject(ROUTER), package_subject(REACT_QUERY)}
    assert refresh([QUERY, ROUTER, ROUTER], [REACT_QUERY]) == subjects
    assert [refresh.stored(QUERY, name).value for name in ("stars", "contributors")] == [100, 10]
    assert refresh.stored(REACT_QUERY, "dependents").value == 9000
    assert refresh.stored().as_of == NOON
    assert len(server.requests) == 5


@pytest.mark.no_cover
def test_repositories_are_requested_once_an_hour_and_dependents_once_a_day(
    server: FigureServer, sqlite_database: Database, clock: Clock
) -> None:
    refresh = Refresh(server, sqlite_database, clock)
    refresh([QUERY], [REACT_QUERY])
    counts: dict[str, int] = {}
    for _ in range(2 * 24 * 2):
        clock.advance(minutes=30)
        refresh([QUERY], [REACT_QUERY])
        for path in server.paths:
            counts[path] = counts.get(path, 0) + 1
    # The first interval is from half a period to one and a half.
    assert all(47 <= counts[path] <= 48 for path in (f"/repos/{QUERY}", f"/repos/{QUERY}/contributors"))
    assert 1 <= counts[SEARCH] <= 2


def test_unchanged_figures_are_confirmed_without_a_body(server: FigureServer, clock: Clock, refresh: Refresh) -> None:
    refresh()
    clock.advance(hours=2)
    assert refresh() == set()
    assert all("if-none-match" in request.headers for request in server.requests)
    assert refresh.stored().as_of == clock.time
    assert refresh.stored().value == 100


def test_whole_answer_is_requested_once_a_day(server: FigureServer, clock: Clock, refresh: Refresh) -> None:
    refresh()
    # The number of contributors grows, but the first of them, and so the ETag, stays the same.
    etag = refresh.stored(QUERY, "contributors").etag

    def same_etag(handler: BaseHTTPRequestHandler) -> None:
        if handler.headers.get("if-none-match") == etag:
            return text_reply(304, "", etag=etag)(handler)
        return contributors_reply(11, etag=etag)(handler)

    server.replies[f"/repos/{QUERY}/contributors"] = same_etag
    for _ in range(11):
        clock.advance(hours=2)
        refresh([QUERY])
    assert refresh.stored(QUERY, "contributors").value == 10
    clock.advance(hours=2)
    refresh([QUERY])
    assert refresh.stored(QUERY, "contributors").value == 11


def test_callback_gets_changes_of_values_only(server: FigureServer, clock: Clock, refresh: Refresh) -> None:
    refresh([QUERY, ROUTER])
    refresh.changes.clear()
    clock.advance(hours=2)
    server.stars[ROUTER] = 201
    assert refresh([QUERY, ROUTER]) == {repository_subject(ROUTER)}
    assert refresh.changes == [frozenset({repository_subject(ROUTER)})]


# Failures


@pytest.mark.parametrize(
    "reply",
    [
        text_reply(500, ""),
        text_reply(200, HTML),
        repository_reply(QUERY, -5),
        repository_reply(QUERY, "many"),
        repository_reply("else/where", 5),
        text_reply(301, "", location="http://127.0.0.1:9/"),
        text_reply(403, "no"),
    ],
)
def test_failed_refresh_keeps_the_last_value_and_its_time(
    server: FigureServer, clock: Clock, refresh: Refresh, reply: object
) -> None:
    refresh()
    clock.advance(hours=2)
    server.replies[f"/repos/{QUERY}"] = reply  # type: ignore[assignment]
    assert refresh() == set()
    failed = refresh.stored()
    assert (failed.value, failed.as_of, failed.failures) == (100, NOON, 1)
    assert refresh.stored(ROUTER).as_of == clock.time


def test_pause_after_failures_of_a_figure_doubles(server: FigureServer, clock: Clock, refresh: Refresh) -> None:
    server.replies[f"/repos/{QUERY}"] = text_reply(500, "")
    pauses = []
    for failures in range(1, 10):
        refresh()
        assert refresh.stored().failures == failures
        due_at = refresh.stored().due_at
        assert due_at is not None
        pauses.append((due_at - clock.time) / timedelta(minutes=1))
        clock.time = due_at
    assert pauses == [2, 4, 8, 16, 32, 64, 128, 256, 360]
    del server.replies[f"/repos/{QUERY}"]
    refresh()
    assert (refresh.stored().value, refresh.stored().failures) == (100, 0)


def test_server_that_fails_is_left_alone_and_others_are_not(
    server: FigureServer, clock: Clock, refresh: Refresh
) -> None:
    names = [f"a/{n}" for n in range(5)]
    for name in names:
        server.replies[f"/repos/{name}"] = text_reply(502, HTML)
        server.replies[f"/repos/{name}/contributors"] = text_reply(502, HTML)
    refresh(names, [REACT_QUERY])
    assert len(server.requests) == MAX_FAILURES + 1
    assert refresh.stored(REACT_QUERY, "dependents").value == 9000
    clock.advance(minutes=14)
    refresh(names, [REACT_QUERY])
    assert server.requests == []
    clock.advance(minutes=1)
    refresh(names, [REACT_QUERY])
    assert len(server.requests) == MAX_FAILURES


def test_rate_limit_stops_all_requests_to_the_server_until_its_end(
    server: FigureServer, clock: Clock, refresh: Refresh
) -> None:
    reset = int(NOON.replace(tzinfo=UTC).timestamp()) + 1800
    limited = text_reply(403, HTML, x_ratelimit_remaining="0", x_ratelimit_reset=str(reset))
    server.replies[f"/repos/{QUERY}"] = limited
    refresh([QUERY, ROUTER, TABLE], [REACT_QUERY])
    assert server.paths == [f"/repos/{QUERY}", SEARCH]
    clock.advance(minutes=29)
    refresh([QUERY, ROUTER, TABLE], [REACT_QUERY])
    assert server.requests == []
    del server.replies[f"/repos/{QUERY}"]
    clock.advance(minutes=1)
    refresh([QUERY, ROUTER, TABLE], [REACT_QUERY])
    assert len(server.requests) == 6


def test_missing_repository_is_requested_again_after_a_day(
    server: FigureServer, clock: Clock, refresh: Refresh
) -> None:
    del server.stars[QUERY]
    refresh([QUERY])
    assert refresh.stored().absent
    clock.advance(hours=23)
    refresh([QUERY])
    assert server.requests == []
    server.stars[QUERY] = 5
    clock.advance(hours=1)
    refresh([QUERY])
    assert (refresh.stored().value, refresh.stored().absent) == (5, False)


def test_package_without_a_count_has_no_dependents(server: FigureServer, refresh: Refresh) -> None:
    server.dependents.clear()
    refresh([], [REACT_QUERY])
    assert refresh.stored(REACT_QUERY, "dependents").absent


def test_time_of_a_wrong_clock_is_ignored(server: FigureServer, clock: Clock, refresh: Refresh) -> None:
    clock.advance(days=4000)
    refresh([QUERY])
    clock.time = NOON
    refresh([QUERY])
    assert len(server.requests) == 2
    assert refresh.stored().as_of == NOON


def test_star_that_is_pushed_during_a_request_is_kept(server: FigureServer, clock: Clock, refresh: Refresh) -> None:
    whole = repository_reply(QUERY, 100)

    def pushes(handler: BaseHTTPRequestHandler) -> None:
        clock.advance(seconds=1)
        refresh.store.put_pushed(FigureKey(repository_subject(QUERY), "stars"), 101)
        whole(handler)

    server.replies[f"/repos/{QUERY}"] = pushes
    refresh([QUERY])
    assert (refresh.stored().value, refresh.stored().as_of) == (101, clock.time)


def test_nothing_is_requested_while_another_process_refreshes(
    server: FigureServer, database: Database, refresh: Refresh
) -> None:
    with database.exclusive(LOCK) as held:
        assert held
        assert refresh() == set()
    assert server.requests == []


def test_failure_of_the_database_is_unavailable(database: Database, refresh: Refresh) -> None:
    database.refusal = "The tables are newer than this version"
    with pytest.raises(Unavailable):
        refresh()


def test_task_refreshes_until_it_is_cancelled(server: FigureServer, database: Database, refresh: Refresh) -> None:
    async def run() -> None:
        changed = asyncio.Event()
        refresher = refresh.refresher([QUERY], [], on_change=lambda _: changed.set())
        task = asyncio.create_task(refresher.run())
        await asyncio.wait_for(changed.wait(), 20)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert task.cancelled()

    asyncio.run(run())
    with database.exclusive(LOCK, wait=True):
        assert server.paths[0] == f"/repos/{QUERY}"


# Two processes


REFRESH = """
import asyncio, sys
from datetime import datetime
from pathlib import Path
from sqlalchemy.engine import make_url
from kinfolk.db.database import Database
from kinfolk.statistics.figures.figure_refresh import FigureRefresher, repository_sources
from kinfolk.statistics.figures.figure_store import FigureStore
from kinfolk.statistics.figures.github_repository import GitHubRepository
url, locks, api, now, *repositories = sys.argv[1:]
database = Database(make_url(url), lock_folder=Path(locks))
def clock(): return datetime.fromisoformat(now)
sources = repository_sources(GitHubRepository("", now=clock, api=api), repositories)
store = FigureStore(database, now=clock)
asyncio.run(FigureRefresher(store, sources, database=database, now=clock, gap_s=0).refresh())
"""


def start_process(database: Database, server: FigureServer, folder: Path, *repositories: str) -> ForkedProcess:
    url = database.url.render_as_string(hide_password=False)
    arguments = url, str(folder / "locks"), server.url, NOON.isoformat(), *repositories
    return ForkedProcess.of_code(REFRESH, folder, *arguments)


def test_refresh_continues_after_its_process_was_killed(
    server: FigureServer, database: Database, refresh: Refresh, tmp_path: Path
) -> None:
    reached, whole = threading.Event(), repository_reply(ROUTER, 200)

    def waits(handler: BaseHTTPRequestHandler) -> None:
        reached.set()
        server.released.wait(60)
        whole(handler)

    server.replies[f"/repos/{ROUTER}"] = waits
    process = start_process(database, server, tmp_path, QUERY, ROUTER)
    assert reached.wait(60)
    assert refresh() == set(), "the other process holds the lock"
    process.kill()
    process.wait()
    server.released.set()
    assert refresh.stored().value == 100
    with database.exclusive(LOCK, wait=True):
        """PostgreSQL releases the lock a moment after the end of the process."""
    assert refresh() == {repository_subject(ROUTER)}
    assert [path for path in server.paths if QUERY in path] == []


def test_pages_are_purged_after_another_process_refreshed(
    server: FigureServer, database: Database, clock: Clock, catalog: Catalog, tmp_path: Path
) -> None:
    site_figures = SiteFigures(catalog, FigureStore(database, now=clock), read_histories=lambda *_: None)
    purged: list[frozenset[Dependency]] = []

    async def run() -> None:
        pages = PageCache(1 << 20)
        for key, library in (("/query", "query"), ("/router", "router"), ("/start", "start"), ("/form", "form")):
            tags = purge_tags([library_figures(library)])
            await pages.put(pages.begin(), key, HtmlDocument(200, f"<p>{key}</p>", tags, DOCS, ()))

        def drop(stale: frozenset[Dependency]) -> None:
            purged.append(stale)
            pages.purge(purge_tags(stale))

        purge = RevisionPurge(site_figures.stale_since, drop)
        await purge.check()
        assert purged == []
        process = start_process(database, server, tmp_path, QUERY, ROUTER)
        assert await asyncio.to_thread(process.wait, 60) == 0
        await purge.check()
        # Start is in the repository of Router.
        assert [key for key in ("/query", "/router", "/start", "/form") if pages.get(key)] == ["/form"]
        await purge.check()
        assert len(purged) == 1

    asyncio.run(run())


# What the API reads


def test_figures_of_a_library_and_sums_of_the_family(
    server: FigureServer, database: Database, clock: Clock, catalog: Catalog, refresh: Refresh
) -> None:
    repositories = [library.content_repo for library in catalog.libraries]
    server.stars = dict.fromkeys(repositories, 100)
    server.contributors = dict.fromkeys(repositories, 10)
    refresh(repositories, [REACT_QUERY])
    found = SiteFigures(catalog, FigureStore(database, now=clock), read_histories=lambda *_: None)
    recorder = DependencyRecorder()
    query = found.library(catalog.library("query"), today=NOON.date(), recorder=recorder)
    assert query.stars == Figure(100, "2026-03-18", is_old=False)
    assert query.dependents == Figure(9000, "2026-03-18", is_old=False)
    assert query.downloads_total is None
    assert recorder.cache_tags == {"figures:query"}
    family = found.family(today=NOON.date() + timedelta(days=4), recorder=recorder)
    # Router and Start share a repository.
    assert family.stars == Figure(900, "2026-03-18", is_old=True)
    assert family.contributors_per_repository == Figure(90, "2026-03-18", is_old=True)
    assert family.dependents_per_package is None
    assert recorder.cache_tags == {f"figures:{library.id}" for library in catalog.libraries}


def test_answers_without_the_database_are_stale_after_its_return(
    database: Database, clock: Clock, catalog: Catalog
) -> None:
    found = SiteFigures(catalog, FigureStore(database, now=clock), read_histories=lambda *_: None)
    database.refusal = "The database is away"
    recorder = DependencyRecorder()
    assert found.library(catalog.library("query"), today=NOON.date(), recorder=recorder).stars is None
    with pytest.raises(Unavailable):
        found.stale_since(0)
    database.refusal = None
    assert found.stale_since(0) == (0, frozenset({library_figures("query")}))
    assert found.stale_since(0) == (0, frozenset())
    database.refusal = "The database is away"
    assert found.family(today=NOON.date(), recorder=recorder).stars is None
    database.refusal = None
    assert len(found.stale_since(0)[1]) == len(catalog.libraries)


@pytest.mark.parametrize("name", ["tanstack/Query", QUERY])
def test_pushed_stars_of_a_known_repository_are_stored(
    database: Database, clock: Clock, catalog: Catalog, name: str
) -> None:
    store = FigureStore(database, now=clock)
    found = SiteFigures(catalog, store, read_histories=lambda *_: None)
    assert found.put_stars(name, 7) == frozenset({library_figures("query")})
    assert found.put_stars(name, 7) == frozenset()
    assert found.put_stars("else/where", 7) is None
    assert [key.subject for key in store.read([repository_subject(QUERY)])] == [repository_subject(QUERY)]
