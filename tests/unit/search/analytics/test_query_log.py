"""Which searches count as queries, and how they are counted without personal data."""

from __future__ import annotations

import re
import sqlite3
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import func, select
from tests.servers.captured_logs import captured_logs
from tests.servers.databases import sqlite_url

from kinfolk.cli.main import main
from kinfolk.db.database import Database
from kinfolk.db.schema import downgrade
from kinfolk.db.tables import metadata, search_result_clicks
from kinfolk.search.analytics.insights_event import InsightsEvent
from kinfolk.search.analytics.query_id import WITHHELD, logged_text, query_id, text_digest
from kinfolk.search.analytics.query_log import (
    MAX_ROWS,
    OTHERS,
    RETENTION_DAYS,
    TABLES,
    DailyCounts,
    QueryCounts,
    QueryLog,
    RecordClicks,
    UnansweredText,
)
from kinfolk.search.analytics.query_log_import import FORMER_FILE, import_query_log
from kinfolk.search.analytics.query_sessions import QUERY_PAUSE_S, REPEAT_S, LoggedQuery, QuerySessions, is_continued

TODAY = date(2026, 11, 21)


def searched(text: str, hits: int = 3, index: str = "docs") -> LoggedQuery:
    return LoggedQuery(index, text, hits)


def typed(sessions: QuerySessions, text: str, *, at_s: float = 0.0, reader: str = "a") -> list[LoggedQuery]:
    """Search for each prefix of the text, as a reader types it."""
    done: list[LoggedQuery] = []
    for length in range(1, len(text) + 1):
        done += sessions.searched(reader, searched(text[:length]), at_s + length * 0.1)
    return done


def test_text_counts_after_a_pause_only() -> None:
    sessions = QuerySessions()
    assert typed(sessions, "cancel") == []
    assert sessions.due(QUERY_PAUSE_S) == []
    assert sessions.due(0.6 + QUERY_PAUSE_S) == [searched("cancel")]
    assert not sessions.has_pending


def test_different_text_completes_the_previous_query() -> None:
    sessions = QuerySessions()
    typed(sessions, "cancel")
    assert sessions.searched("a", searched("mutations"), 1.0) == [searched("cancel")]


@pytest.mark.parametrize(
    ("before", "after", "continues"),
    [
        ("canc", "cancel", True),
        ("cancel", "can", True),
        ("cancle query", "cancel query", False),
        ("cancel qury", "cancel query", True),
        ("cancel", "mutations", False),
        ("use", "infinite", False),
    ],
)
def test_extended_or_corrected_text_continues_the_query(before: str, after: str, continues: bool) -> None:
    assert is_continued(before, after) is continues


def test_clients_have_separate_query_sessions() -> None:
    sessions = QuerySessions()
    typed(sessions, "can", reader="a")
    assert typed(sessions, "table", reader="b") == []
    assert typed(sessions, "cancel", reader="a", at_s=1.0) == []
    assert sorted(one.text for one in sessions.all()) == ["cancel", "table"]


def test_repeated_text_counts_again_only_after_an_interval() -> None:
    sessions = QuerySessions()
    typed(sessions, "cancel")
    sessions.due(10.0)
    assert sessions.searched("a", searched("cancel"), 11.0) == []
    assert not sessions.has_pending
    sessions.searched("a", searched("cancel"), 12.0 + REPEAT_S)
    assert sessions.has_pending


def test_click_completes_query_and_single_letters_do_not_count() -> None:
    sessions = QuerySessions()
    typed(sessions, "cancel")
    assert sessions.clicked("a", 0.7) == [searched("cancel")]
    assert sessions.clicked("a", 0.8) == []
    typed(sessions, "c", reader="b")
    assert sessions.all() == []


# Counting


class Calendar:
    def __init__(self) -> None:
        self.day = TODAY

    def __call__(self) -> date:
        return self.day


@pytest.fixture
def calendar() -> Calendar:
    return Calendar()


@pytest.fixture
def query_log(database: Database, calendar: Calendar) -> QueryLog:
    return QueryLog(database, today=calendar)


def rows(database: Database, table: str) -> int:
    with database.reading() as connection:
        return connection.scalar(select(func.count()).select_from(metadata.tables[table])) or 0


def click(text: str, position: int, record: str = "1") -> InsightsEvent:
    return InsightsEvent("click", "docs", (record,), (position,), query_id(text, "ab" * 8))


def test_searches_are_counted_by_text_and_by_day(query_log: QueryLog, calendar: Calendar) -> None:
    query_log.add([searched("cancel"), searched("Cancel "), searched("nope", 0), searched("x", index="other")])
    calendar.day += timedelta(days=1)
    query_log.add([searched("cancel")])
    query_log.add_events([click("cancel", 1), click("CANCEL", 4)])
    report = query_log.report("docs")
    assert report.texts == (QueryCounts("cancel", 3, 0, 2, 2.5), QueryCounts("nope", 1, 1, 0, None))
    assert report.without_result == (QueryCounts("nope", 1, 1, 0, None),)
    assert report.days == (DailyCounts(TODAY, 3, 1, 0), DailyCounts(TODAY + timedelta(days=1), 1, 0, 2))
    assert [(place.place, place.clicks) for place in report.places] == [(1, 1), (4, 1)]


def test_report_covers_the_requested_days(query_log: QueryLog, calendar: Calendar) -> None:
    query_log.add([searched("old")])
    calendar.day += timedelta(days=7)
    query_log.add([searched("new")])
    assert [row.text for row in query_log.report("docs", days=7).texts] == ["new"]
    assert len(query_log.report("docs", days=8, most=1).texts) == 1


def test_counts_are_kept_for_ninety_days(query_log: QueryLog, calendar: Calendar, database: Database) -> None:
    query_log.add([searched("old")])
    query_log.add_events([click("old", 1)])
    calendar.day += timedelta(days=RETENTION_DAYS)
    query_log.add([searched("new")])
    with database.reading() as connection:
        for table in TABLES:
            assert connection.execute(select(table).where(table.c.day < date(2026, 12, 1))).all() == []


@pytest.mark.parametrize(
    ("text", "logged"),
    [
        ("  Cancel   QUERY ", "cancel query"),
        ("me@example.com", WITHHELD),
        ("why does jane.doe@mail.example not work", WITHHELD),
        ("+49 (170) 1234-5678", WITHHELD),
        ("@tanstack/react-query", "@tanstack/react-query"),
        ("v5.90.2", "v5.90.2"),
        ("useQuery 2024", "usequery 2024"),
        ("x" * 500, "x" * 80),
        ("zero\0byte", "zero byte"),
    ],
)
def test_personal_data_is_not_logged(text: str, logged: str) -> None:
    assert logged_text(text) == logged


def test_database_has_no_personal_data(sqlite_database: Database, tmp_path: Path) -> None:
    query_log = QueryLog(sqlite_database, today=lambda: TODAY)
    query_log.add([searched("my mail is me@example.com")])
    query_log.add_events([click("my mail is me@example.com", 1)])
    sqlite_database.close()
    file = tmp_path / "kinfolk.sqlite"
    assert b"example.com" not in file.read_bytes()
    assert text_digest(WITHHELD).encode() in file.read_bytes()


def test_characters_that_postgresql_cannot_store_are_counted(query_log: QueryLog) -> None:
    query_log.add([searched("a\0b", index="do\0cs"), searched("\ud800", index="do\0cs")])
    query_log.add_events([InsightsEvent("click", "do\0cs", ("re\0cord",), (1,), query_id("a\0b", "ab" * 8))])
    assert query_log.report("do\0cs").texts[1] == QueryCounts("a b", 1, 0, 1, 1.0)
    assert query_log.most_clicked("do\0cs") == (("re cord", 1),)


def test_number_of_logged_texts_is_bounded(query_log: QueryLog) -> None:
    query_log.add(searched(f"text {at}") for at in range(MAX_ROWS + 5))
    assert [(row.text, row.searches) for row in query_log.report("docs", most=1).texts] == [(OTHERS, 5)]
    query_log.add([searched("text 3"), searched("another text")])
    texts = {row.text: row.searches for row in query_log.report("docs", most=2).texts}
    assert texts == {OTHERS: 6, "text 3": 2}


@pytest.mark.no_cover
def test_clicks_above_row_limit_are_counted_together(query_log: QueryLog, database: Database) -> None:
    clicks = [
        InsightsEvent("click", "docs", (f"record {at}",), (at % 20 + 1,), f"{at:032x}") for at in range(MAX_ROWS + 1000)
    ]
    for start in range(0, len(clicks), 1000):
        query_log.add_events(clicks[start : start + 1000])
    assert rows(database, "search_clicks") == MAX_ROWS + 20
    assert rows(database, "search_clicked_records") == MAX_ROWS
    assert rows(database, "search_result_clicks") == MAX_ROWS
    assert rows(database, "search_events") == 1
    assert sum(place.clicks for place in query_log.report("docs").places) == MAX_ROWS + 1000
    query_log.add_events([clicks[0], clicks[0]])
    assert query_log.most_clicked("docs", most=1) == (("record 0", 3),)


def test_events_of_one_request_are_summed(query_log: QueryLog, database: Database) -> None:
    query_log.add_events([click("cancel", 3)] * 1000)
    tables = "search_clicks", "search_clicked_records", "search_result_clicks", "search_events"
    assert [rows(database, table) for table in tables] == [1, 1, 1, 1]
    assert query_log.most_clicked("docs") == (("1", 1000),)


def test_clicked_records_are_counted_by_searched_text(query_log: QueryLog, database: Database) -> None:
    # Each response has a query id of its own.
    first, second = (InsightsEvent("click", "docs", ("1",), (2,), query_id("Cancel ", nonce)) for nonce in ("a1", "b2"))
    without_query = InsightsEvent("click", "docs", ("1",))
    query_log.add_events([first, first, second, click("cancel", 3, "2"), without_query])
    with database.reading() as connection:
        counts = connection.execute(select(search_result_clicks).order_by(search_result_clicks.c.record)).all()
    digest = text_digest("cancel")
    assert [tuple(row) for row in counts] == [(TODAY, "docs", digest, "1", 2), (TODAY, "docs", digest, "2", 1)]


def test_oldest_days_are_deleted_above_limit_of_rows(database: Database, calendar: Calendar) -> None:
    for _ in range(5):
        QueryLog(database, today=calendar).add(searched(f"text {at}") for at in range(100))
        calendar.day += timedelta(days=1)
    query_log = QueryLog(database, today=calendar, max_total_rows=250)
    query_log.add([searched("today")])
    assert [day.searches for day in query_log.report("docs").days] == [100, 100, 1]


def test_rows_of_today_are_kept_above_limit_of_rows(database: Database, calendar: Calendar) -> None:
    QueryLog(database, today=calendar).add(searched(f"text {at}") for at in range(100))
    query_log = QueryLog(database, today=calendar, max_total_rows=50)
    query_log.add([searched("more")])
    assert query_log.report("docs").days == (DailyCounts(TODAY, 101, 0, 0),)


def test_most_clicked_records_are_returned(query_log: QueryLog) -> None:
    query_log.add_events([click("a", 1, "x"), click("b", 1, "y"), click("c", 2, "y")])
    query_log.add_events([InsightsEvent("view", "docs", ("z",))])
    assert query_log.most_clicked("docs") == (("y", 2), ("x", 1))


def test_clicked_texts_have_enough_searches_and_clicks(query_log: QueryLog, calendar: Calendar) -> None:
    for _ in range(2):
        query_log.add([searched("swr"), searched("SWR"), searched("rare"), searched("a@b.example"), searched("many")])
        query_log.add_events([click("swr", 2, "a"), click("rare", 1), click("a@b.example", 1), click("unlogged", 1)])
        calendar.day += timedelta(days=1)
    query_log.add([searched("many"), searched("swr", index="other")])
    query_log.add_events([click("swr", 2, "b")])
    (found,) = query_log.clicked_texts("docs", days=30, least=3)
    assert (found.text, found.searches) == ("swr", 4)
    assert found.clicks == (
        RecordClicks("a", TODAY, 1),
        RecordClicks("a", TODAY + timedelta(days=1), 1),
        RecordClicks("b", TODAY + timedelta(days=2), 1),
    )
    assert [each.text for each in query_log.clicked_texts("docs", days=30, least=2)] == ["swr", "rare"]
    assert query_log.clicked_texts("docs", days=1, least=1) == ()
    assert query_log.clicked_texts("other", days=30, least=1) == ()


def test_unanswered_texts_had_no_results_or_no_clicks(query_log: QueryLog, calendar: Calendar) -> None:
    query_log.add(
        [searched("teleport", 0), searched("quasar", 0), searched("suspense"), searched("swr"), searched("new")]
    )
    calendar.day += timedelta(days=2)
    query_log.add([searched("teleport", 0)] * 2 + [searched("suspense")] * 3 + [searched("swr")] * 3)
    query_log.add(
        [searched("mixed", 0), searched("mixed"), searched("me@mail.example", 0), searched("x", 0, "other")] * 4
    )
    query_log.add_events([click("swr", 1)])
    found = query_log.unanswered_texts("docs", days=30, least_without_results=3, least_without_clicks=4)
    last = TODAY + timedelta(days=2)
    assert found == (
        UnansweredText("mixed", "without-results", 4, last, last),
        UnansweredText("mixed", "without-clicks", 4, last, last),
        UnansweredText("suspense", "without-clicks", 4, TODAY, last),
        UnansweredText("teleport", "without-results", 3, TODAY, last),
    )
    recent = query_log.unanswered_texts("docs", days=2, least_without_results=1, least_without_clicks=100)
    assert {each.text: each.searches for each in recent} == {"mixed": 4, "teleport": 2}


def test_counts_of_an_outage_are_stored_after_it(database: Database, calendar: Calendar) -> None:
    query_log = QueryLog(database, today=calendar)
    database.refusal = "The database is away"
    query_log.add([searched("waits")])
    query_log.add([searched("waits")])
    query_log.add_events([click("waits", 1)])
    assert query_log.report("docs").texts == ()
    database.refusal = None
    query_log.store_waiting()
    query_log.store_waiting()
    assert [(each.text, each.searches, each.clicks) for each in query_log.report("docs").texts] == [("waits", 2, 1)]


def test_failed_write_raises_nothing_and_is_logged(database: Database, calendar: Calendar) -> None:
    downgrade(database, "base")
    query_log = QueryLog(database, today=calendar)
    with captured_logs("searches not counted", "counted searches not readable") as lines:
        query_log.add([searched("lost")])
        query_log.add_events([click("lost", 1)])
        assert query_log.report("docs").texts == ()
        assert query_log.most_clicked("docs") == ()
        assert query_log.clicked_texts("docs", days=30, least=1) == ()
    # The second write tries the counts of the first one again.
    assert [line["event"] for line in lines] == ["searches not counted"] * 3 + ["counted searches not readable"] * 3


def test_damaged_database_is_not_changed(tmp_path: Path) -> None:
    content = b"This is no database, although it is long enough to be taken for one. " * 50
    file = tmp_path / "kinfolk.sqlite"
    file.write_bytes(content)
    query_log = QueryLog(Database(sqlite_url(file), lock_folder=tmp_path), today=lambda: TODAY)
    query_log.add([searched("lost")])
    assert query_log.report("docs").texts == ()
    assert file.read_bytes() == content


FORMER_TABLES = """
CREATE TABLE searches (day TEXT, index_name TEXT, text TEXT, digest TEXT, count INTEGER, unfound INTEGER);
CREATE TABLE clicks (day TEXT, index_name TEXT, digest TEXT, position INTEGER, count INTEGER);
CREATE TABLE chosen (day TEXT, index_name TEXT, record TEXT, count INTEGER);
CREATE TABLE events (day TEXT, index_name TEXT, kind TEXT, count INTEGER);
INSERT INTO searches VALUES ('2026-11-20', 'docs', 'cancel', '{digest}', 3, 1);
INSERT INTO clicks VALUES ('2026-11-20', 'docs', '{digest}', 2, 4);
INSERT INTO chosen VALUES ('2026-11-20', 'docs', 'record', 5);
INSERT INTO events VALUES ('2026-11-20', 'docs', 'click', 5);
"""


def test_counts_of_former_file_are_added_once(database: Database, calendar: Calendar, tmp_path: Path) -> None:
    file = tmp_path / FORMER_FILE
    former = sqlite3.connect(file)
    former.executescript(FORMER_TABLES.format(digest=text_digest("cancel")))
    former.close()
    calendar.day -= timedelta(days=1)
    query_log = QueryLog(database, today=calendar)
    query_log.add([searched("cancel")])
    import_query_log(database, file)
    import_query_log(database, file)
    assert query_log.report("docs").texts == (QueryCounts("cancel", 4, 1, 4, 2.0),)
    assert query_log.most_clicked("docs") == (("record", 5),)
    assert rows(database, "search_events") == 1
    assert not file.exists()
    assert (tmp_path / f"{FORMER_FILE}.imported").exists()


@pytest.mark.parametrize(
    "content",
    [b"", b"This is no database. " * 500, "CREATE TABLE searches (day); INSERT INTO searches VALUES ('no day')"],
)
def test_damaged_former_file_is_logged_and_left(
    sqlite_database: Database, tmp_path: Path, content: bytes | str
) -> None:
    file = tmp_path / FORMER_FILE
    if isinstance(content, str):
        former = sqlite3.connect(file)
        former.executescript(content)
        former.close()
    else:
        file.write_bytes(content)
    with captured_logs("earlier counts of searches not imported") as lines:
        import_query_log(sqlite_database, file)
    assert len(lines) == 1
    assert file.exists()
    assert rows(sqlite_database, "search_queries") == 0


def test_command_prints_query_report(sqlite_database: Database, tmp_path: Path) -> None:
    query_log = QueryLog(sqlite_database, today=lambda: datetime.now(UTC).date())
    query_log.add([searched("cancel", index="tanstack"), searched("teleport", 0, index="tanstack")])
    query_log.add_events([InsightsEvent("click", "tanstack", ("a",), (7,), query_id("cancel", "ab" * 8))] * 3)
    ran = CliRunner().invoke(main, ["searches", "--days", "2"], env={"KINFOLK_VAR": str(tmp_path)})
    assert ran.exit_code == 0
    assert re.search(r"cancel\s+│\s+1 │\s+0 │\s+3 │\s+7.0 │", ran.output)
    assert re.search(r"7\s+│\s+3 │", ran.output.split("Opened at")[1])
    assert re.search(r"teleport\s+│\s+1 │\s+1 │", ran.output.split("Searches without results")[1])


def test_command_prints_markup_and_escape_sequences_of_queries_as_text(
    sqlite_database: Database, tmp_path: Path
) -> None:
    query_log = QueryLog(sqlite_database, today=lambda: datetime.now(UTC).date())
    query_log.add([searched("[/x] [red]", index="tanstack"), searched("a\x1b[2jb", 0, index="tanstack")])
    ran = CliRunner().invoke(main, ["searches"], env={"KINFOLK_VAR": str(tmp_path)})
    assert ran.exit_code == 0, ran.output
    assert "[/x] [red]" in ran.output
    assert r"a\u001B[2jb" in ran.output
