"""The figures of checked code by week."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from kinfolk.content.code_checks.check_report import CheckCounts, VersionReport
from kinfolk.db.database import Database
from kinfolk.maintenance.code_check_weeks import KEPT_WEEKS, CodeCheckWeek, CodeCheckWeeks

SUNDAY = date(2027, 1, 3)
"""Of week 53 of 2026."""


class Calendar:
    day = SUNDAY

    def __call__(self) -> date:
        return self.day


@pytest.fixture
def calendar() -> Calendar:
    return Calendar()


@pytest.fixture
def weeks(database: Database, calendar: Calendar) -> CodeCheckWeeks:
    return CodeCheckWeeks(database, today=calendar)


def report(right: int, wrong: int = 0, version: str = "v4") -> VersionReport:
    counts = CheckCounts(right=right, wrong=wrong, ignored=1, not_checkable=2)
    return VersionReport("tiles", version, "2027-01-03T10:00:00", 3, counts, wrong)


def test_last_check_of_a_week_counts(weeks: CodeCheckWeeks, calendar: Calendar) -> None:
    weeks.record(report(7, 3))
    weeks.record(report(9, 1))
    calendar.day += timedelta(days=1)
    weeks.record(report(10))
    assert weeks.newest(2) == (
        CodeCheckWeek("tiles", "v4", date(2026, 12, 28), 10, 9, 1, 2, 1),
        CodeCheckWeek("tiles", "v4", date(2027, 1, 4), 10, 10, 0, 2, 1),
    )
    assert [each.week for each in weeks.newest(1)] == [date(2027, 1, 4)]


def test_versions_have_figures_of_their_own_and_old_weeks_are_deleted(
    weeks: CodeCheckWeeks, calendar: Calendar
) -> None:
    weeks.record(report(1, version="v3"))
    weeks.record(report(2))
    assert [(each.version, each.right) for each in weeks.newest(1)] == [("v3", 1), ("v4", 2)]
    calendar.day += timedelta(weeks=KEPT_WEEKS + 1)
    weeks.record(report(3))
    assert {each.right for each in weeks.newest(KEPT_WEEKS * 2)} == {3}


def test_check_counts_until_the_next_one(weeks: CodeCheckWeeks, calendar: Calendar) -> None:
    weeks.record(report(7))
    calendar.day += timedelta(weeks=3)
    weeks.record(report(8))
    assert [each.right for each in weeks.newest(6)] == [7, 7, 7, 8]
    assert [each.right for each in weeks.newest(2)] == [7, 8]


def test_check_without_blocks_is_not_recorded(weeks: CodeCheckWeeks) -> None:
    weeks.record(VersionReport("tiles", "v4", "2027-01-03T10:00:00", 3, CheckCounts(), 0))
    assert weeks.newest(1) == ()
