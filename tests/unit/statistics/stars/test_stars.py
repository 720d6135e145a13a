"""Star histories: the client, against a stand-in for GitHub that also fails, their storage, and their refresh."""

from __future__ import annotations

import json
import threading
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, date, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from sqlalchemy import select
from tests.servers.kinfolk_process import ForkedProcess

from kinfolk.db.database import Database
from kinfolk.db.tables import github_stars
from kinfolk.runtime.errors import NotFound, Unavailable
from kinfolk.statistics.comparisons.chart_builder import ChartInputs, build_chart
from kinfolk.statistics.comparisons.comparison import Comparison, GroupPackage, PackageGroup
from kinfolk.statistics.npm_config import CategoryEntry, GroupEntry, NpmConfig
from kinfolk.statistics.stars.github_stars import LONGEST_ANSWER, GitHubRateLimited, GitHubStars, StarDays
from kinfolk.statistics.stars.star_refresh import LOCK, StarRefresher
from kinfolk.statistics.stars.star_store import StarStore, last_finished_day

NOON = datetime(2026, 3, 18, 12)  # noqa: DTZ001 - all times of the database are in UTC
"""A Wednesday."""
SUNDAY = date(2026, 3, 15)
"""The first day of its week."""
TOKEN = "secret"
QUERY, ROUTER, TABLE = "TanStack/query", "TanStack/router", "TanStack/table"
Reply = Callable[[BaseHTTPRequestHandler, int], None]
Week = dict[str, object]


def week(sunday: date, days: Sequence[int], *, hours: int = 0) -> Week:
    """A week as GitHub returns it. `hours` from midnight in UTC to the beginning of its days."""
    begin = datetime(sunday.year, sunday.month, sunday.day, tzinfo=UTC) + timedelta(hours=hours)
    return {"week": int(begin.timestamp()), "total": sum(days), "days": list(days)}


def weeks_until(sunday: date, count: int) -> list[Week]:
    """Weeks, newest first. The stars of a day are the day of its month."""
    begins = [sunday - timedelta(weeks=n) for n in range(count)]
    return [week(begin, [(begin + timedelta(days=n)).day for n in range(7)]) for begin in begins]


def last_weeks(count: int) -> list[Week]:
    """The last weeks before NOON, newest first: the days after NOON have no stars yet."""
    return [week(SUNDAY, [15, 16, 17, 18, 0, 0, 0]), *weeks_until(SUNDAY - timedelta(weeks=1), count - 1)]


def answer(handler: BaseHTTPRequestHandler, status: int, body: object, **headers: str) -> None:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    handler.send_response(status)
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.send_header("content-length", str(len(raw)))
    handler.end_headers()
    handler.wfile.write(raw)


def answers(status: int, body: object, **headers: str) -> Reply:
    def reply(handler: BaseHTTPRequestHandler, page: int) -> None:
        answer(handler, status, body, **headers)

    return reply


def pages_of(weeks: Sequence[Week], **headers: str) -> Reply:
    """Replies as GitHub does, 30 weeks a page."""

    def reply(handler: BaseHTTPRequestHandler, page: int) -> None:
        more = {"link": f'<http://x/?page={page + 1}>; rel="next", <http://x/?page=9>; rel="last"'}
        has_next = len(weeks) > 30 * page
        answer(handler, 200, weeks[30 * page - 30 : 30 * page], **(more if has_next else {}), **headers)

    return reply


class StarServer:
    """The stand-in. `replies` handles requests by repository, `reply` all others; `requests` records them."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.reply: Reply = pages_of(last_weeks(70))
        self.replies: dict[str, Reply] = {}
        self.requests: list[tuple[str, int]] = []
        self.headers: list[dict[str, str]] = []
        self.released = threading.Event()

    def then(self, *replies: Reply) -> None:
        """Reply in this order, then always with the last."""
        waiting = list(replies)

        def reply(handler: BaseHTTPRequestHandler, page: int) -> None:
            now = waiting.pop(0) if len(waiting) > 1 else waiting[0]
            now(handler, page)

        self.reply = reply

    def handle(self, handler: BaseHTTPRequestHandler) -> None:
        url = urlsplit(handler.path)
        repository = url.path.removeprefix("/repos/").removesuffix("/stargazers/history")
        page = int(parse_qs(url.query).get("page", ["0"])[0])
        self.requests.append((repository, page))
        self.headers.append({name.lower(): value for name, value in handler.headers.items()})
        with suppress(BrokenPipeError, ConnectionResetError):  # the client may have disconnected
            self.replies.get(repository, self.reply)(handler, page)


@contextmanager
def serve_stars() -> Iterator[StarServer]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            stand_in.handle(self)

        def log_message(self, format: str, *args: object) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    stand_in = StarServer(f"http://127.0.0.1:{server.server_port}")
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
def github() -> Iterator[StarServer]:
    with serve_stars() as stand_in:
        yield stand_in


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


def client_of(github: StarServer, clock: Clock, *, token: str = TOKEN, answer_s: float = 30) -> GitHubStars:
    return GitHubStars(token, now=clock, api=github.url, timeout_s=20, answer_s=answer_s, first_pause_s=0.001)


# The client


def test_pages_are_joined_to_one_history(github: StarServer, clock: Clock) -> None:
    days = client_of(github, clock).fetch(QUERY)
    assert (days.repository, days.first, days.as_of) == (QUERY, SUNDAY - timedelta(weeks=69), NOON)
    expected = [(days.first + timedelta(days=n)).day for n in range(69 * 7 + 4)]
    assert days.counts.tolist() == expected
    assert days.total == sum(expected)
    assert github.requests == [(QUERY, 1), (QUERY, 2), (QUERY, 3)]


def test_request_has_the_headers_of_the_documented_version(github: StarServer, clock: Clock) -> None:
    client_of(github, clock).fetch(QUERY)
    sent = github.headers[0]
    assert (sent["authorization"], sent["x-github-api-version"]) == ("Bearer secret", "2026-03-10")
    assert (sent["accept"], sent["accept-encoding"]) == ("application/vnd.github+json", "identity")


def test_empty_token_is_not_sent(github: StarServer, clock: Clock) -> None:
    client_of(github, clock, token="").fetch(QUERY)
    assert "authorization" not in github.headers[0]


@pytest.mark.parametrize("hours", [-9, 0, 7, 8, 11])
def test_days_have_the_dates_of_githubs_calendar(github: StarServer, clock: Clock, hours: int) -> None:
    github.reply = pages_of([week(SUNDAY, [1, 2, 3, 4, 0, 0, 0], hours=hours)])
    days = client_of(github, clock).fetch(QUERY)
    assert (days.first, days.counts.tolist()) == (SUNDAY, [1, 2, 3, 4])


def test_change_to_daylight_saving_time_is_no_gap(github: StarServer, clock: Clock) -> None:
    # In California, clocks changed on 8 March 2026, at the beginning of a week.
    before = week(SUNDAY - timedelta(weeks=1), [1] * 7, hours=8)
    github.reply = pages_of([week(SUNDAY, [2, 2, 2, 2, 0, 0, 0], hours=7), before])
    assert client_of(github, clock).fetch(QUERY).counts.tolist() == [1] * 7 + [2] * 4


@pytest.mark.parametrize(
    ("time", "last"),
    [("2026-03-17T23:59:59", date(2026, 3, 17)), ("2026-03-18T00:00:00", date(2026, 3, 18))],
)
def test_history_ends_on_the_day_of_the_fetch(github: StarServer, clock: Clock, time: str, last: date) -> None:
    clock.time = datetime.fromisoformat(time)
    days = client_of(github, clock).fetch(QUERY)
    assert days.first + timedelta(days=len(days.counts) - 1) == last


def test_leap_day_is_counted(github: StarServer, clock: Clock) -> None:
    clock.time = datetime(2024, 3, 2, 12)  # noqa: DTZ001 - in UTC
    github.reply = pages_of(weeks_until(date(2024, 2, 25), 1))
    days = client_of(github, clock).fetch(QUERY)
    assert (days.first, days.counts.tolist()) == (date(2024, 2, 25), [25, 26, 27, 28, 29, 1, 2])


def test_repository_without_stars_has_a_history(github: StarServer, clock: Clock) -> None:
    github.reply = pages_of([week(SUNDAY, [0] * 7)])
    assert client_of(github, clock).fetch(QUERY).counts.tolist() == [0, 0, 0, 0]


def test_last_page_may_be_full(github: StarServer, clock: Clock) -> None:
    github.reply = pages_of(last_weeks(30))
    assert len(client_of(github, clock).fetch(QUERY).counts) == 29 * 7 + 4
    assert github.requests == [(QUERY, 1), (QUERY, 2)]


def test_pages_without_links_are_all_fetched(github: StarServer, clock: Clock) -> None:
    weeks = last_weeks(70)
    github.reply = lambda handler, page: answer(handler, 200, weeks[30 * page - 30 : 30 * page])
    assert len(client_of(github, clock).fetch(QUERY).counts) == 69 * 7 + 4


def test_week_that_begins_between_two_pages_is_no_gap(github: StarServer, clock: Clock) -> None:
    weeks = last_weeks(40)
    shifted = [week(SUNDAY + timedelta(weeks=1), [0] * 7), *weeks]
    github.then(pages_of(weeks), pages_of(shifted))
    assert len(client_of(github, clock).fetch(QUERY).counts) == 39 * 7 + 4


def test_redirect_from_a_former_name_is_followed(github: StarServer, clock: Clock) -> None:
    github.replies["tannerlinsley/react-query"] = answers(
        301, {"message": "Moved Permanently"}, location="/repositories/7/stargazers/history?per_page=30&page=1"
    )
    github.reply = pages_of(last_weeks(1))
    assert client_of(github, clock).fetch("tannerlinsley/react-query").total == 66


def test_redirect_to_another_server_is_refused(github: StarServer, clock: Clock) -> None:
    with serve_stars() as other:
        github.reply = answers(302, b"", location=f"{other.url}/repos/{QUERY}/stargazers/history")
        with pytest.raises(Unavailable, match="another server"):
            client_of(github, clock).fetch(QUERY)
    assert other.requests == []


@pytest.mark.parametrize("name", ["", "query", "a/b/c", "a/..", "a/.", "../b", "a/b?c", "-a/b", "a b/c", "a/b\n"])
def test_invalid_name_is_not_requested(github: StarServer, clock: Clock, name: str) -> None:
    with pytest.raises(NotFound):
        client_of(github, clock).fetch(name)
    assert github.requests == []


def test_unknown_repository_is_not_found(github: StarServer, clock: Clock) -> None:
    github.reply = answers(404, {"message": "Not Found"})
    with pytest.raises(NotFound, match="TanStack/query"):
        client_of(github, clock).fetch(QUERY)
    assert len(github.requests) == 1


def cut(handler: BaseHTTPRequestHandler, page: int) -> None:
    """End the connection in the middle of the body."""
    handler.send_response(200)
    handler.send_header("content-length", "1000")
    handler.end_headers()
    handler.wfile.write(b"[")


def cut_at_once(handler: BaseHTTPRequestHandler, page: int) -> None:
    handler.close_connection = True


def endless(handler: BaseHTTPRequestHandler, page: int) -> None:
    handler.send_response(200)
    handler.end_headers()
    for _ in range(LONGEST_ANSWER // 1000 * 100):
        handler.wfile.write(b" " * 1000)


def compressed(handler: BaseHTTPRequestHandler, page: int) -> None:
    answer(handler, 200, zlib.compress(b" " * (64 << 20)), content_encoding="deflate")


def same_page(handler: BaseHTTPRequestHandler, page: int) -> None:
    pages_of(last_weeks(70))(handler, 1)


def pages_without_end(handler: BaseHTTPRequestHandler, page: int) -> None:
    week_of_page = weeks_until(SUNDAY - timedelta(weeks=page), 1)
    answer(handler, 200, week_of_page, link=f'<http://x/?page={page + 1}>; rel="next"')


@pytest.mark.parametrize(
    "reply",
    [
        answers(500, {"message": "Server Error"}),
        answers(503, b"<html>Unicorn!</html>"),
        answers(401, {"message": "Bad credentials"}),
        answers(403, {"message": "Resource not accessible by personal access token"}),
        answers(422, {"message": "Validation failed, or the endpoint has been spammed."}),
        answers(202, b""),
        answers(302, b"", location="?page=1"),
        cut,
        cut_at_once,
        endless,
        compressed,
        same_page,
        pages_without_end,
        answers(200, b"<!DOCTYPE html><title>GitHub</title>", content_type="text/html"),
        answers(200, b""),
        answers(200, b"[" * 100_000),
        answers(200, {"message": "ok"}),
        answers(200, [{"week": 1773532800, "total": 1}]),
        answers(200, [{"week": "1773532800", "total": 0, "days": [0] * 7}]),
        answers(200, [{"week": 10**18, "total": 0, "days": [0] * 7}]),
        answers(200, [{"week": -86400, "total": 0, "days": [0] * 7}]),
        answers(200, [{"week": 1773532800, "total": 1, "days": [0] * 7}]),
        answers(200, [{"week": 1773532800, "total": 0, "days": [0] * 6}]),
        answers(200, [{"week": 1773532800, "total": 0, "days": [1, -1, 0, 0, 0, 0, 0]}]),
        answers(200, [{"week": 1773532800, "total": 1, "days": [0.5, 0.5, 0, 0, 0, 0, 0]}]),
        answers(200, [{"week": 1773532800, "total": 1, "days": [True, 0, 0, 0, 0, 0, 0]}]),
        answers(200, [{"week": 1773532800, "total": 10**30, "days": [10**30, 0, 0, 0, 0, 0, 0]}]),
        answers(200, weeks_until(SUNDAY, 31)),
        pages_of([]),
        pages_of([week(SUNDAY + timedelta(weeks=4), [0] * 7)]),
        pages_of([*weeks_until(SUNDAY, 1), *weeks_until(SUNDAY - timedelta(weeks=2), 1)]),
    ],
)
def test_invalid_answer_is_unavailable(github: StarServer, clock: Clock, reply: Reply) -> None:
    github.reply = reply
    with pytest.raises(Unavailable) as failure:
        client_of(github, clock).fetch(QUERY)
    assert not isinstance(failure.value, GitHubRateLimited)
    assert len(github.requests) <= 100


def test_slow_answer_is_unavailable(github: StarServer, clock: Clock) -> None:
    def slow(handler: BaseHTTPRequestHandler, page: int) -> None:
        handler.send_response(200)
        handler.end_headers()
        while not github.released.wait(0.01):
            handler.wfile.write(b" ")

    github.reply = slow
    with pytest.raises(Unavailable, match=r"within 0\.1 seconds"):
        client_of(github, clock, answer_s=0.1).fetch(QUERY)


def test_absent_server_is_unavailable(clock: Clock) -> None:
    with serve_stars() as stopped:
        client = client_of(stopped, clock)
    with pytest.raises(Unavailable, match="ConnectError"):
        client.fetch(QUERY)


@pytest.mark.parametrize("failure", [answers(502, b"bad gateway"), cut, cut_at_once])
def test_temporary_failure_is_retried(github: StarServer, clock: Clock, failure: Reply) -> None:
    github.then(failure, failure, pages_of(last_weeks(1)))
    assert client_of(github, clock).fetch(QUERY).total == 66
    assert len(github.requests) == 3


RESET = str(int((NOON + timedelta(minutes=20)).replace(tzinfo=UTC).timestamp()))


@pytest.mark.parametrize(
    ("reply", "pause_s"),
    [
        (answers(429, {}, retry_after="90"), 90),
        (answers(403, {}, retry_after="90", x_ratelimit_remaining="0", x_ratelimit_reset=RESET), 90),
        (answers(403, {}, x_ratelimit_remaining="0", x_ratelimit_reset=RESET), 1200),
        (answers(429, {}, x_ratelimit_remaining="0", x_ratelimit_reset=RESET), 1200),
        (answers(403, {}, x_ratelimit_remaining="0", x_ratelimit_reset="1"), 1),
        (answers(403, {}, x_ratelimit_remaining="0", x_ratelimit_reset="9" * 5000), 7200),
        (answers(403, {}, x_ratelimit_remaining="0"), 60),
        (answers(403, {"message": "You have exceeded a secondary rate limit."}, x_ratelimit_remaining="9"), 60),
        (answers(429, b"<html>"), 60),
        (answers(429, {}, retry_after="0"), 1),
        (answers(429, {}, retry_after="soon"), 60),
        (pages_of(last_weeks(70), x_ratelimit_remaining="0", x_ratelimit_reset=RESET), 1200),
    ],
)
def test_no_request_is_made_while_github_limits_the_rate(
    github: StarServer, clock: Clock, reply: Reply, pause_s: int
) -> None:
    client = client_of(github, clock)
    github.then(reply, pages_of(last_weeks(1)))
    with pytest.raises(GitHubRateLimited) as limited:
        client.fetch(QUERY)
    assert limited.value.retry_after_s == pause_s
    clock.advance(seconds=pause_s - 0.5)
    with pytest.raises(GitHubRateLimited):
        client.fetch(ROUTER)
    assert len(github.requests) == 1
    clock.advance(seconds=0.5)
    assert client.fetch(QUERY).total == 66


def test_last_request_before_the_limit_counts(github: StarServer, clock: Clock) -> None:
    github.reply = pages_of(last_weeks(1), x_ratelimit_remaining="0", x_ratelimit_reset=RESET)
    assert client_of(github, clock).fetch(QUERY).total == 66


def test_one_request_is_made_at_a_time(github: StarServer, clock: Clock) -> None:
    client, whole = client_of(github, clock), pages_of(last_weeks(70))
    busy = threading.Lock()
    were_busy: list[bool] = []

    def reply(handler: BaseHTTPRequestHandler, page: int) -> None:
        were_busy.append(not busy.acquire(blocking=False))
        github.released.wait(0.01)
        busy.release()
        whole(handler, page)

    github.reply = reply
    threads = [threading.Thread(target=client.fetch, args=(name,)) for name in (QUERY, ROUTER, TABLE)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert were_busy == [False] * 9


def test_cancelled_fetch_makes_no_further_request(github: StarServer, clock: Clock) -> None:
    with pytest.raises(Unavailable, match="cancelled"):
        client_of(github, clock).fetch(QUERY, cancelled=lambda: len(github.requests) == 2)
    assert len(github.requests) == 2


# The store


def star_days(repository: str, first: date, counts: Sequence[int], as_of: datetime = NOON) -> StarDays:
    return StarDays(repository, first, np.array(counts, dtype=np.int64), as_of)


def stars_until_noon(repository: str, first: date) -> StarDays:
    """One star more each day."""
    return star_days(repository, first, range((NOON.date() - first).days + 1))


@pytest.mark.parametrize("first", [date(2019, 12, 29), date(2020, 1, 1), date(2024, 2, 29), date(2025, 12, 31)])
def test_stored_history_is_the_same_across_leap_years(database: Database, first: date) -> None:
    store, days = StarStore(database), stars_until_noon(QUERY, first)
    store.put(days)
    stored = store.histories([QUERY])[QUERY]
    assert (stored.package, stored.first, stored.as_of) == (QUERY, first, NOON)
    assert stored.counts.tolist() == days.counts[:-1].tolist()
    assert store.totals([QUERY]) == {QUERY: days.total}


def test_row_has_a_count_for_each_day_of_its_year(database: Database) -> None:
    StarStore(database).put(star_days(QUERY, date(2023, 12, 31), range((NOON.date() - date(2023, 12, 31)).days + 1)))
    with database.reading() as connection:
        rows = connection.execute(select(github_stars).order_by(github_stars.c.year)).all()
    assert [(row.year, len(row.counts) // 8) for row in rows] == [(2023, 365), (2024, 366), (2025, 365), (2026, 365)]
    counts = np.frombuffer(rows[0].counts, dtype="<i8")
    assert (counts[0], counts[-2], counts[-1]) == (-1, -1, 0)


def test_new_history_replaces_the_former_one(database: Database) -> None:
    store = StarStore(database)
    store.put(stars_until_noon(QUERY, date(2020, 5, 3)))
    store.put(stars_until_noon(ROUTER, date(2021, 5, 2)))
    store.put(star_days(QUERY, date(2026, 3, 15), [4, 4, 4, 4], NOON + timedelta(hours=1)))
    assert store.histories([QUERY])[QUERY].counts.tolist() == [4, 4, 4]
    assert store.totals([QUERY, ROUTER, TABLE])[QUERY] == 16
    assert store.as_of([QUERY, ROUTER, TABLE]) == {QUERY: NOON + timedelta(hours=1), ROUTER: NOON}


def test_repository_that_is_not_stored_is_absent(database: Database) -> None:
    store = StarStore(database)
    store.put(stars_until_noon(QUERY, date(2026, 3, 15)))
    assert (store.histories([ROUTER]), store.totals([ROUTER]), store.as_of([])) == ({}, {}, {})


def test_history_without_a_finished_day_is_absent(database: Database) -> None:
    store = StarStore(database)
    store.put(star_days(QUERY, NOON.date(), [3]))
    assert (store.histories([QUERY]), store.totals([QUERY])) == ({}, {QUERY: 3})


@pytest.mark.parametrize(
    ("time", "last"),
    [
        ("2026-03-18T08:59:59", date(2026, 3, 16)),
        ("2026-03-18T09:00:00", date(2026, 3, 17)),
        ("2026-03-18T23:59:59", date(2026, 3, 17)),
        ("2024-03-01T09:00:00", date(2024, 2, 29)),
        ("2025-01-01T09:00:00", date(2024, 12, 31)),
        ("2025-01-01T08:00:00", date(2024, 12, 30)),
    ],
)
def test_day_is_finished_nine_hours_after_its_end(database: Database, time: str, last: date) -> None:
    as_of, store = datetime.fromisoformat(time), StarStore(database)
    first = date(2023, 1, 1)
    store.put(star_days(QUERY, first, [1] * ((as_of.date() - first).days + 1), as_of))
    history = store.histories([QUERY])[QUERY]
    assert history.first + timedelta(days=len(history.counts) - 1) == last == last_finished_day(as_of)


def test_histories_are_input_of_charts(database: Database) -> None:
    store = StarStore(database)
    store.put(star_days(QUERY, date(2025, 12, 28), [2] * 81))
    stars = {"@tanstack/react-query": store.histories([QUERY])[QUERY]}
    group = PackageGroup((GroupPackage("@tanstack/react-query"),))
    comparison = Comparison(groups=(group,), measure="stars", bin="monthly")
    config = NpmConfig(("#000000",), (CategoryEntry("All", (GroupEntry(("vue",)),)),))
    chart = build_chart(comparison, ChartInputs(config, {}, NOON.date(), stars=stars))
    assert (chart.last_day, chart.series[0].values[-1]) == ("2026-03-17", 160)


# The refresh


def refresher_of(
    github: StarServer, clock: Clock, database: Database, repositories: Sequence[str] = (QUERY, ROUTER)
) -> StarRefresher:
    """A refresher of another process, which knows only what is stored."""
    return StarRefresher(StarStore(database), client_of(github, clock), repositories, database=database, now=clock)


def refresh(github: StarServer, clock: Clock, database: Database, *repositories: str) -> frozenset[str]:
    refresher = refresher_of(github, clock, database, repositories or (QUERY, ROUTER))
    return refresher.refresh(threading.Event())


def test_each_repository_is_fetched_once_a_day(github: StarServer, clock: Clock, database: Database) -> None:
    refresher = refresher_of(github, clock, database)
    assert refresher.refresh(threading.Event()) == {QUERY, ROUTER}
    clock.advance(hours=20, minutes=59)
    assert refresher.refresh(threading.Event()) == frozenset()
    assert len(github.requests) == 6
    clock.advance(minutes=1)
    assert refresher.refresh(threading.Event()) == {QUERY, ROUTER}


def test_removed_stars_vanish_from_stored_days(github: StarServer, clock: Clock, database: Database) -> None:
    github.reply = pages_of([week(SUNDAY, [5, 5, 0, 0, 0, 0, 0])])
    refresh(github, clock, database)
    github.reply = pages_of([week(SUNDAY, [5, 4, 0, 1, 0, 0, 0])])
    clock.advance(days=1)
    refresh(github, clock, database)
    assert StarStore(database).histories([QUERY])[QUERY].counts.tolist() == [5, 4, 0, 1]


def test_refresh_stops_at_the_rate_limit_and_continues_after_it(
    github: StarServer, clock: Clock, database: Database
) -> None:
    limited = answers(403, {}, x_ratelimit_remaining="0", x_ratelimit_reset=RESET)
    github.replies[ROUTER] = limited
    assert refresh(github, clock, database, QUERY, ROUTER, TABLE) == {QUERY}
    github.replies.clear()
    clock.advance(minutes=19)
    assert refresh(github, clock, database, QUERY, ROUTER, TABLE) == frozenset()
    assert len(github.requests) == 4
    clock.advance(minutes=1)
    assert refresh(github, clock, database, QUERY, ROUTER, TABLE) == {ROUTER, TABLE}


def test_history_that_the_rate_limit_cuts_is_not_stored(github: StarServer, clock: Clock, database: Database) -> None:
    github.then(pages_of(last_weeks(70)), answers(429, {}, retry_after="60"))
    assert refresh(github, clock, database) == frozenset()
    assert StarStore(database).totals([QUERY]) == {}


def test_failed_repository_is_retried_after_an_hour(github: StarServer, clock: Clock, database: Database) -> None:
    github.replies[QUERY] = answers(200, b"<html>")
    assert refresh(github, clock, database) == {ROUTER}
    clock.advance(minutes=59)
    assert refresh(github, clock, database) == frozenset()
    github.replies.clear()
    clock.advance(minutes=1)
    assert refresh(github, clock, database) == {QUERY}


def test_failure_leaves_the_stored_history(github: StarServer, clock: Clock, database: Database) -> None:
    refresh(github, clock, database)
    total = StarStore(database).totals([QUERY])
    github.reply = answers(404, {})
    clock.advance(days=1)
    refresh(github, clock, database)
    assert StarStore(database).totals([QUERY]) == total
    assert StarStore(database).as_of([QUERY]) == {QUERY: NOON}


def test_unknown_repository_is_retried_after_a_day(github: StarServer, clock: Clock, database: Database) -> None:
    github.replies[QUERY] = answers(404, {})
    assert refresh(github, clock, database) == {ROUTER}
    clock.advance(hours=23)
    refresh(github, clock, database)
    assert github.requests.count((QUERY, 1)) == 1
    clock.advance(hours=1)
    refresh(github, clock, database)
    assert github.requests.count((QUERY, 1)) == 2


def test_outage_ends_the_refresh_for_a_quarter_of_an_hour(github: StarServer, clock: Clock, database: Database) -> None:
    names = [f"a/{n}" for n in range(9)]
    github.reply = answers(401, {})
    refresh(github, clock, database, *names)
    refresh(github, clock, database, *names)
    assert github.requests == [("a/0", 1), ("a/1", 1), ("a/2", 1)]
    github.reply = pages_of(last_weeks(1))
    clock.advance(minutes=15)
    assert refresh(github, clock, database, *names) == set(names[3:])


def test_retry_time_of_a_wrong_clock_is_ignored(github: StarServer, clock: Clock, database: Database) -> None:
    clock.time = NOON + timedelta(days=4000)
    github.reply = answers(404, {})
    refresh(github, clock, database)
    clock.time, github.reply = NOON, pages_of(last_weeks(1))
    assert refresh(github, clock, database) == {QUERY, ROUTER}


def test_stopped_refresh_stores_no_part_of_a_history(github: StarServer, clock: Clock, database: Database) -> None:
    stopping = threading.Event()
    whole = pages_of(last_weeks(70))

    def stops(handler: BaseHTTPRequestHandler, page: int) -> None:
        stopping.set()
        whole(handler, page)

    github.replies[ROUTER] = stops
    assert refresher_of(github, clock, database, (QUERY, ROUTER, TABLE)).refresh(stopping) == {QUERY}
    assert StarStore(database).totals([QUERY, ROUTER, TABLE]).keys() == {QUERY}
    assert refresh(github, clock, database, QUERY, ROUTER, TABLE) == {ROUTER, TABLE}


REFRESH = """
import sys, threading
from datetime import datetime
from pathlib import Path
from sqlalchemy.engine import make_url
from kinfolk.db.database import Database
from kinfolk.statistics.stars.github_stars import GitHubStars
from kinfolk.statistics.stars.star_refresh import StarRefresher
from kinfolk.statistics.stars.star_store import StarStore
url, locks, api, now, *repositories = sys.argv[1:]
database = Database(make_url(url), lock_folder=Path(locks))
def clock(): return datetime.fromisoformat(now)
client = GitHubStars("secret", now=clock, api=api)
StarRefresher(StarStore(database), client, repositories, database=database, now=clock).refresh(threading.Event())
"""


def test_refresh_continues_after_its_process_was_killed(
    github: StarServer, clock: Clock, database: Database, tmp_path: Path
) -> None:
    reached, whole = threading.Event(), pages_of(last_weeks(70))

    def waits_on_the_second_page(handler: BaseHTTPRequestHandler, page: int) -> None:
        if page == 2:
            reached.set()
            github.released.wait(60)
        whole(handler, page)

    github.replies[ROUTER] = waits_on_the_second_page
    url = database.url.render_as_string(hide_password=False)
    arguments = [url, str(tmp_path / "locks"), github.url, NOON.isoformat(), QUERY, ROUTER]
    process = ForkedProcess.of_code(REFRESH, tmp_path, *arguments)
    assert reached.wait(60)
    assert refresh(github, clock, database) == frozenset(), "the other process holds the lock"
    process.kill()
    process.wait()
    github.released.set()
    assert StarStore(database).totals([QUERY, ROUTER]).keys() == {QUERY}
    with database.exclusive(LOCK, wait=True):
        """PostgreSQL releases the lock a moment after the end of the process."""
    assert refresh(github, clock, database) == {ROUTER}
    assert github.requests == [(QUERY, 1), (QUERY, 2), (QUERY, 3), (ROUTER, 1), (ROUTER, 2)] + [
        (ROUTER, page) for page in (1, 2, 3)
    ]


def test_database_failure_is_unavailable(github: StarServer, clock: Clock, database: Database) -> None:
    database.refusal = "The tables are newer than this version"
    with pytest.raises(Unavailable):
        refresh(github, clock, database)
