"""The checks of code by library, version and week."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import groupby

from sqlalchemy import delete, select

from kinfolk.content.code_checks.check_report import VersionReport
from kinfolk.db.database import Database
from kinfolk.db.maintenance_tables import code_check_weeks

KEPT_WEEKS = 2 * 52
LONGEST_NAME = 64


@dataclass(frozen=True)
class CodeCheckWeek:
    """The last check of a version in a week, which its Monday names. `checked` blocks are right or wrong."""

    library: str
    version: str
    week: date
    checked: int
    right: int
    wrong: int
    not_checkable: int
    ignored: int


class CodeCheckWeeks:
    """For any number of threads and processes. All methods block. Raises Unavailable."""

    def __init__(self, database: Database, *, today: Callable[[], date]) -> None:
        """`today` is the date in UTC."""
        self._database = database
        self._today = today

    def record(self, report: VersionReport) -> None:
        """Store a check as that of this week, in place of a former one. A check of no blocks is left out."""
        counts = report.counts
        if not counts.blocks:
            return
        week = monday(self._today())
        key = {"library": report.library[:LONGEST_NAME], "version": report.version[:LONGEST_NAME], "week": week}
        figures = {
            "checked": counts.checked,
            "right": counts.right,
            "wrong": counts.wrong,
            "not_checkable": counts.not_checkable,
            "ignored": counts.ignored,
        }
        table = code_check_weeks
        with self._database.transaction() as connection:
            insert = self._database.insert(table).values(**key, **figures)
            connection.execute(insert.on_conflict_do_update(index_elements=list(key), set_=figures))
            connection.execute(delete(table).where(table.c.week < week - timedelta(weeks=KEPT_WEEKS)))

    def newest(self, weeks: int) -> tuple[CodeCheckWeek, ...]:
        """The last check of each version at the end of each of the last weeks: by version, the oldest week first.

        A version is checked when its docs or packages change, so a check counts until the next one.
        """
        table = code_check_weeks
        this = monday(self._today())
        with self._database.reading() as connection:
            rows = connection.execute(select(table).order_by(table.c.library, table.c.version, table.c.week))
            checks = [CodeCheckWeek(*row) for row in rows]
        shown = [this - timedelta(weeks=ago) for ago in reversed(range(weeks))]
        found = []
        for _, group in groupby(checks, key=lambda each: (each.library, each.version)):
            own = list(group)
            for week in shown:
                last = next((each for each in reversed(own) if each.week <= week), None)
                if last is not None:
                    found.append(replace(last, week=week))
        return tuple(found)


def monday(day: date) -> date:
    """The first day of its ISO week."""
    return day - timedelta(days=day.weekday())
