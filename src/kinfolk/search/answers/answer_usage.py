"""What a day's answers have used: questions and characters, of all processes together. Nothing about readers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta

from sqlalchemy import Connection, delete, select

from kinfolk.db.database import Database
from kinfolk.db.tables import answer_usage
from kinfolk.runtime.errors import SiteError

KEPT_DAYS = 31
_columns = answer_usage.c


class BudgetSpent(SiteError):
    """The day's budget does not suffice for another question."""

    code = "budget"
    status = 429


@dataclass(frozen=True)
class DailyUsage:
    """`characters` were sent to the service or received from it."""

    questions: int
    characters: int


class AnswerBudget:
    """For any number of threads and processes. All methods block. Raises Unavailable. A limit of 0 is none."""

    def __init__(self, database: Database, *, questions: int, characters: int, today: Callable[[], date]) -> None:
        self._database = database
        self._limits = DailyUsage(questions, characters)
        self._today = today

    def take(self, characters: int) -> None:
        """Count a question that sends this many characters. Raises BudgetSpent, and counts nothing then."""
        today, limits = self._today(), self._limits
        with self._database.transaction() as connection:
            self._database.serialize(connection, "answers")
            row = connection.execute(
                select(_columns.questions, _columns.characters).where(_columns.day == today)
            ).first()
            used = DailyUsage(*row) if row is not None else DailyUsage(0, 0)
            if (limits.questions and used.questions >= limits.questions) or (
                limits.characters and used.characters + characters > limits.characters
            ):
                raise BudgetSpent("No more questions are answered today. The search still works; ask again tomorrow.")
            connection.execute(delete(answer_usage).where(_columns.day < today - timedelta(days=KEPT_DAYS - 1)))
            self._add(connection, today, DailyUsage(1, characters))

    def add(self, characters: int) -> None:
        """Count characters that were received."""
        with self._database.transaction() as connection:
            self._add(connection, self._today(), DailyUsage(0, characters))

    def used(self) -> DailyUsage:
        """What was used today."""
        query = select(_columns.questions, _columns.characters).where(_columns.day == self._today())
        with self._database.reading() as connection:
            row = connection.execute(query).first()
        return DailyUsage(*row) if row is not None else DailyUsage(0, 0)

    def _add(self, connection: Connection, day: date, more: DailyUsage) -> None:
        insert = self._database.insert(answer_usage).values(
            day=day, questions=more.questions, characters=more.characters
        )
        sums = {name: _columns[name] + insert.excluded[name] for name in ("questions", "characters")}
        connection.execute(insert.on_conflict_do_update(index_elements=["day"], set_=sums))
