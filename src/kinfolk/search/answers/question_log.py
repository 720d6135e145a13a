"""Questions that readers share with the maintainers, without anything about the readers.

A question is stored only with the reader's consent. The text is all that is known of it, and its day.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from sqlalchemy import delete, func, select

from kinfolk.db.database import Database
from kinfolk.db.tables import shared_questions
from kinfolk.search.analytics.query_id import WITHHELD, logged_text
from kinfolk.search.analytics.query_log import RETENTION_DAYS, storable
from kinfolk.search.answers.answer_events import MAX_QUESTION_LENGTH

MAX_PER_DAY = 1000
"""Questions of a day that are stored."""
QuestionOutcome = Literal["answered", "not_in_docs", "failed", "stopped"]
_columns = shared_questions.c


@dataclass(frozen=True)
class SharedQuestion:
    """`sentences` is the number of sentences that were shown, `hidden` of those that failed the check."""

    day: date
    text: str
    outcome: str
    sentences: int
    hidden: int


class QuestionLog:
    """For any number of threads and processes. All methods block. Raises Unavailable."""

    def __init__(self, database: Database, *, today: Callable[[], date]) -> None:
        self._database = database
        self._today = today

    def add(self, text: str, outcome: QuestionOutcome, *, sentences: int, hidden: int) -> None:
        """Store a question whose reader consents. Deletes those before RETENTION_DAYS."""
        today = self._today()
        with self._database.transaction() as connection:
            self._database.serialize(connection, "shared questions")
            oldest = today - timedelta(days=RETENTION_DAYS - 1)
            connection.execute(delete(shared_questions).where(_columns.day < oldest))
            count = select(func.count()).select_from(shared_questions).where(_columns.day == today)
            if (connection.scalar(count) or 0) < MAX_PER_DAY:
                # As in the query log: readers write addresses and telephone numbers.
                shown = WITHHELD if logged_text(text) == WITHHELD else storable(text)[:MAX_QUESTION_LENGTH]
                row = {"day": today, "text": shown, "outcome": outcome}
                connection.execute(shared_questions.insert().values(**row, sentences=sentences, hidden=hidden))

    def newest(self, *, days: int, limit: int = 200) -> list[SharedQuestion]:
        """The questions of the last days, the newest first."""
        query = select(_columns.day, _columns.text, _columns.outcome, _columns.sentences, _columns.hidden)
        recent = query.where(_columns.day > self._today() - timedelta(days=days)).order_by(_columns.id.desc())
        with self._database.reading() as connection:
            return [SharedQuestion(*row) for row in connection.execute(recent.limit(limit))]
