"""The budget of a day, and the questions that readers share, on both databases."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from kinfolk.db.database import Database
from kinfolk.search.analytics.query_log import RETENTION_DAYS
from kinfolk.search.answers.answer_usage import AnswerBudget, BudgetSpent, DailyUsage
from kinfolk.search.answers.question_log import MAX_PER_DAY, QuestionLog, SharedQuestion

TODAY = date(2026, 11, 27)


class Calendar:
    day = TODAY

    def __call__(self) -> date:
        return self.day


@pytest.fixture
def calendar() -> Calendar:
    return Calendar()


def test_budget_counts_questions_until_it_is_spent(database: Database, calendar: Calendar) -> None:
    first, second = (AnswerBudget(database, questions=3, characters=0, today=calendar) for _ in range(2))
    first.take(10)
    second.take(20)
    first.add(5)
    first.take(10)
    assert second.used() == DailyUsage(3, 45)
    with pytest.raises(BudgetSpent, match="ask again tomorrow"):
        second.take(1)
    assert first.used() == DailyUsage(3, 45)
    calendar.day += timedelta(days=1)
    second.take(1)
    assert second.used() == DailyUsage(1, 1)


def test_budget_of_characters_includes_what_was_received(sqlite_database: Database, calendar: Calendar) -> None:
    budget = AnswerBudget(sqlite_database, questions=0, characters=100, today=calendar)
    budget.take(60)
    budget.add(30)
    with pytest.raises(BudgetSpent):
        budget.take(11)
    budget.take(10)
    assert budget.used() == DailyUsage(2, 100)


def test_budget_without_limits_is_never_spent(sqlite_database: Database, calendar: Calendar) -> None:
    budget = AnswerBudget(sqlite_database, questions=0, characters=0, today=calendar)
    for _ in range(3):
        budget.take(1 << 40)
    assert budget.used() == DailyUsage(3, 3 << 40)


def test_shared_questions_are_listed_and_deleted_after_the_retention(database: Database, calendar: Calendar) -> None:
    log = QuestionLog(database, today=calendar)
    log.add("Why\0 does it refetch?", "answered", sentences=2, hidden=1)
    log.add("x" * 2000, "not_in_docs", sentences=0, hidden=0)
    newest, oldest = log.newest(days=30)
    assert oldest == SharedQuestion(TODAY, "Why  does it refetch?", "answered", 2, 1)
    assert (newest.outcome, len(newest.text)) == ("not_in_docs", 512)
    calendar.day += timedelta(days=RETENTION_DAYS)
    assert log.newest(days=30) == []
    log.add("New", "failed", sentences=0, hidden=0)
    assert [each.text for each in log.newest(days=1000)] == ["New"]


@pytest.mark.parametrize("text", ["Write to grace@example.com please", "Call me at +1 (555) 123-4567"])
def test_question_that_may_identify_a_person_is_withheld(
    sqlite_database: Database, calendar: Calendar, text: str
) -> None:
    log = QuestionLog(sqlite_database, today=calendar)
    log.add(text, "answered", sentences=1, hidden=0)
    assert [each.text for each in log.newest(days=1)] == ["(withheld)"]


def test_a_day_has_a_limit_of_shared_questions(sqlite_database: Database, calendar: Calendar) -> None:
    log = QuestionLog(sqlite_database, today=calendar)
    for at in range(MAX_PER_DAY + 2):
        log.add(f"Question {at}", "answered", sentences=1, hidden=0)
    questions = log.newest(days=1, limit=MAX_PER_DAY + 10)
    assert (len(questions), questions[0].text) == (MAX_PER_DAY, f"Question {MAX_PER_DAY - 1}")
