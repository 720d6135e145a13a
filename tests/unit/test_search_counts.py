"""What people search for: which of all searches count, and how they are counted without anybody's identity."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
import structlog
from click.testing import CliRunner
from structlog.testing import capture_logs

from kinfolk.cli import main
from kinfolk.search.algolia.events import Event
from kinfolk.search.pauses import AGAIN_S, PAUSE_S, Pauses, Searched, is_continued
from kinfolk.search.query_id import WITHHELD, kept_text, query_id, text_digest
from kinfolk.search.searches import KEPT_DAYS, MOST_ROWS, OTHERS, SearchDay, SearchedText, Searches

TODAY = date(2026, 11, 21)


def searched(text: str, hits: int = 3, index: str = "docs") -> Searched:
    return Searched(index, text, hits)


def typed(pauses: Pauses, text: str, *, at_s: float = 0.0, reader: str = "a") -> list[Searched]:
    """Every beginning of the text, one key press after the other."""
    done: list[Searched] = []
    for length in range(1, len(text) + 1):
        done += pauses.heard(reader, searched(text[:length]), at_s + length * 0.1)
    return done


def test_beginnings_do_not_count_and_what_stands_still_does() -> None:
    pauses = Pauses()
    assert typed(pauses, "cancel") == []
    assert pauses.due(PAUSE_S) == []
    assert pauses.due(0.6 + PAUSE_S) == [searched("cancel")]
    assert not pauses.waits


def test_another_text_shows_that_the_one_before_was_complete() -> None:
    pauses = Pauses()
    typed(pauses, "cancel")
    assert pauses.heard("a", searched("mutations"), 1.0) == [searched("cancel")]


@pytest.mark.parametrize(
    ("before", "after", "does"),
    [
        ("canc", "cancel", True),
        ("cancel", "can", True),
        ("cancle query", "cancel query", False),
        ("cancel qury", "cancel query", True),
        ("cancel", "mutations", False),
        ("use", "infinite", False),
    ],
)
def test_a_text_that_is_typed_on_or_mended_continues_the_one_before(before: str, after: str, does: bool) -> None:
    assert is_continued(before, after) is does


def test_readers_do_not_complete_each_others_texts() -> None:
    pauses = Pauses()
    typed(pauses, "can", reader="a")
    assert typed(pauses, "table", reader="b") == []
    assert typed(pauses, "cancel", reader="a", at_s=1.0) == []
    assert sorted(one.text for one in pauses.all()) == ["cancel", "table"]


def test_the_same_text_again_counts_after_a_while_only() -> None:
    pauses = Pauses()
    typed(pauses, "cancel")
    pauses.due(10.0)
    assert pauses.heard("a", searched("cancel"), 11.0) == []
    assert not pauses.waits
    pauses.heard("a", searched("cancel"), 12.0 + AGAIN_S)
    assert pauses.waits


def test_a_click_completes_a_text_and_a_single_letter_is_none() -> None:
    pauses = Pauses()
    typed(pauses, "cancel")
    assert pauses.clicked("a", 0.7) == [searched("cancel")]
    assert pauses.clicked("a", 0.8) == []
    typed(pauses, "c", reader="b")
    assert pauses.all() == []


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
def searches(tmp_path: Path, calendar: Calendar) -> Iterator[Searches]:
    made = Searches(tmp_path / "deep" / "searches.sqlite", today=calendar)
    yield made
    made.close()


def click(text: str, position: int, record: str = "1") -> Event:
    return Event("click", "docs", (record,), (position,), query_id(text, "ab" * 8))


def test_searches_are_counted_by_text_and_by_day(searches: Searches, calendar: Calendar) -> None:
    searches.add([searched("cancel"), searched("Cancel "), searched("nope", 0), searched("x", index="other")])
    calendar.day += timedelta(days=1)
    searches.add([searched("cancel")])
    searches.add_events([click("cancel", 1), click("CANCEL", 4)])
    report = searches.report("docs")
    assert report.texts == (SearchedText("cancel", 3, 0, 2, 2.5), SearchedText("nope", 1, 1, 0, None))
    assert report.without_result == (SearchedText("nope", 1, 1, 0, None),)
    assert report.days == (SearchDay(TODAY, 3, 1, 0), SearchDay(TODAY + timedelta(days=1), 1, 0, 2))
    assert [(place.place, place.clicks) for place in report.places] == [(1, 1), (4, 1)]


def test_a_report_looks_back_as_far_as_it_is_told(searches: Searches, calendar: Calendar) -> None:
    searches.add([searched("old")])
    calendar.day += timedelta(days=7)
    searches.add([searched("new")])
    assert [each.text for each in searches.report("docs", days=7).texts] == ["new"]
    assert len(searches.report("docs", days=8, most=1).texts) == 1


def test_counts_are_kept_for_ninety_days(searches: Searches, calendar: Calendar, tmp_path: Path) -> None:
    searches.add([searched("old")])
    searches.add_events([click("old", 1)])
    calendar.day += timedelta(days=KEPT_DAYS)
    searches.add([searched("new")])
    with sqlite3.connect(tmp_path / "deep" / "searches.sqlite") as db:
        for table in ("searches", "clicks", "chosen", "events"):
            assert db.execute(f"SELECT count(*) FROM {table} WHERE day < '2026-12-01'").fetchone() == (0,)  # noqa: S608
    db.close()


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("  Cancel   QUERY ", "cancel query"),
        ("me@example.com", WITHHELD),
        ("why does jane.doe@mail.example not work", WITHHELD),
        ("+49 (170) 1234-5678", WITHHELD),
        ("@tanstack/react-query", "@tanstack/react-query"),
        ("v5.90.2", "v5.90.2"),
        ("useQuery 2024", "usequery 2024"),
        ("x" * 500, "x" * 80),
    ],
)
def test_what_may_tell_who_somebody_is_is_not_written_down(text: str, kept: str) -> None:
    assert kept_text(text) == kept


def test_nothing_in_the_file_is_what_somebody_typed_about_themselves(searches: Searches, tmp_path: Path) -> None:
    searches.add([searched("my mail is me@example.com")])
    searches.add_events([click("my mail is me@example.com", 1)])
    searches.close()
    for file in (tmp_path / "deep").iterdir():
        assert b"example.com" not in file.read_bytes()
        assert text_digest(WITHHELD).encode() in file.read_bytes() or file.stat().st_size == 0


def test_nobody_can_fill_the_disk_with_texts(searches: Searches) -> None:
    searches.add(searched(f"text {at}") for at in range(MOST_ROWS + 5))
    assert [(each.text, each.searches) for each in searches.report("docs", most=1).texts] == [(OTHERS, 5)]


def rows(file: Path, table: str) -> int:
    with sqlite3.connect(file) as db:
        (count,) = db.execute(f"SELECT count(*) FROM {table}").fetchone()  # noqa: S608
    db.close()
    return int(count)


def test_clicks_of_made_up_searches_are_counted_together_when_there_are_many(
    searches: Searches, tmp_path: Path
) -> None:
    several = [
        Event("click", "docs", (f"record {at}",), (at % 20 + 1,), f"{at:032x}") for at in range(MOST_ROWS + 1000)
    ]
    for start in range(0, len(several), 1000):
        searches.add_events(several[start : start + 1000])
    file = tmp_path / "deep" / "searches.sqlite"
    assert rows(file, "clicks") == MOST_ROWS + 20
    assert rows(file, "chosen") == MOST_ROWS
    assert rows(file, "events") == 1
    assert sum(place.clicks for place in searches.report("docs").places) == MOST_ROWS + 1000
    searches.add_events([several[0], several[0]])
    assert searches.popular("docs", most=1) == (("record 0", 3),)


def test_many_events_of_one_call_are_added_up(searches: Searches, tmp_path: Path) -> None:
    searches.add_events([click("cancel", 3)] * 1000)
    file = tmp_path / "deep" / "searches.sqlite"
    assert [rows(file, table) for table in ("clicks", "chosen", "events")] == [1, 1, 1]
    assert searches.popular("docs") == (("1", 1000),)


def test_oldest_days_give_way_where_the_file_is_too_large(calendar: Calendar, tmp_path: Path) -> None:
    file = tmp_path / "searches.sqlite"
    searches = Searches(file, today=calendar, largest_file=300_000)
    for _ in range(5):
        searches.add(searched(f"{'text' * 15} {at}") for at in range(1000))
        calendar.day += timedelta(days=1)
    for at in range(100):
        searches.add([searched(f"today {at}")])
    assert file.stat().st_size < 1_000_000
    assert 100 <= rows(file, "searches") < 3100
    assert searches.report("docs", days=1).days == (SearchDay(calendar.day, 100, 0, 0),)
    searches.close()


def test_popular_records_are_the_clicked_ones(searches: Searches) -> None:
    searches.add_events([click("a", 1, "x"), click("b", 1, "y"), click("c", 2, "y")])
    searches.add_events([Event("view", "docs", ("z",))])
    assert searches.popular("docs") == (("y", 2), ("x", 1))


def test_a_damaged_file_is_begun_anew(tmp_path: Path) -> None:
    file = tmp_path / "searches.sqlite"
    file.write_bytes(b"This is no database, although it is long enough to be taken for one. " * 50)
    searches = Searches(file, today=lambda: TODAY)
    searches.add([searched("lost")])
    searches.add([searched("kept")])
    assert [each.text for each in searches.report("docs").texts] == ["kept"]
    searches.close()


@pytest.mark.parametrize("content", [b"", bytes(4096), b"This is no database. " * 500])
def test_loss_of_earlier_counts_is_logged(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "searches.sqlite"
    file.write_bytes(content)
    structlog.reset_defaults()
    with capture_logs() as lines:
        searches = Searches(file, today=lambda: TODAY)
        searches.add([searched("lost")])
        searches.add([searched("kept")])
        searches.close()
    assert any("the file of counted searches" in line["event"] for line in lines)


def test_the_command_shows_what_was_searched_for(tmp_path: Path) -> None:
    made = Searches(tmp_path / "searches.sqlite", today=lambda: datetime.now(UTC).date())
    made.add([searched("cancel", index="tanstack"), searched("teleport", 0, index="tanstack")])
    made.add_events([Event("click", "tanstack", ("a",), (7,), query_id("cancel", "ab" * 8))] * 3)
    made.close()
    ran = CliRunner().invoke(main, ["searches", "--days", "2"], env={"KINFOLK_VAR": str(tmp_path)})
    assert ran.exit_code == 0
    assert re.search(r"cancel\s+│\s+1 │\s+0 │\s+3 │\s+7.0 │", ran.output)
    assert re.search(r"7\s+│\s+3 │", ran.output.split("Opened at")[1])
    assert re.search(r"teleport\s+│\s+1 │\s+1 │", ran.output.split("What finds nothing")[1])
