"""What importers know from earlier requests: stored, because any process of the site may make the next one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy import delete, select

from kinfolk.db.database import Database
from kinfolk.db.tables import npm_state

PAUSED_UNTIL, FAILURES = "paused_until", "failures"
LAST_SUCCESS, LAST_FAILURE, LAST_FAILURE_AT = "last_success_at", "last_failure", "last_failure_at"
COUNTED_DAY, COUNTED_AT = "counted_day", "counted_at"
_NAMES = (PAUSED_UNTIL, FAILURES, LAST_SUCCESS, LAST_FAILURE, LAST_FAILURE_AT, COUNTED_DAY, COUNTED_AT)


@dataclass(frozen=True)
class Counted:
    """The newest day that npm has counted, and since when that is known."""

    day: date
    since: datetime


@dataclass(frozen=True)
class ImporterState:
    """Times are in UTC, without a time zone. `failures` is the number of failed requests since the last success."""

    paused_until: datetime | None = None
    failures: int = 0
    last_success_at: datetime | None = None
    last_failure: str = ""
    last_failure_at: datetime | None = None
    counted: Counted | None = None


class ImporterStateStore:
    """Reads and writes the state. Raises Unavailable."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def read(self) -> ImporterState:
        columns = npm_state.c
        with self._database.reading() as connection:
            rows = connection.execute(select(columns.name, columns.value).where(columns.name.in_(_NAMES)))
            values = {row.name: row.value for row in rows}
        return ImporterState(
            paused_until=_time(values, PAUSED_UNTIL),
            failures=int(values.get(FAILURES, 0)),
            last_success_at=_time(values, LAST_SUCCESS),
            last_failure=values.get(LAST_FAILURE, ""),
            last_failure_at=_time(values, LAST_FAILURE_AT),
            counted=_counted(values),
        )

    def succeeded(self, at: datetime) -> None:
        """Record a successful request, which ends a pause."""
        self._put({LAST_SUCCESS: at.isoformat(), FAILURES: "0"}, remove=[PAUSED_UNTIL])

    def failed(self, reason: str, at: datetime, *, failures: int, paused_until: datetime) -> None:
        """Record a failed request, and that no process makes one until `paused_until`."""
        self._put(
            {
                LAST_FAILURE: reason,
                LAST_FAILURE_AT: at.isoformat(),
                FAILURES: str(failures),
                PAUSED_UNTIL: paused_until.isoformat(),
            }
        )

    def put_counted(self, counted: Counted) -> None:
        self._put({COUNTED_DAY: counted.day.isoformat(), COUNTED_AT: counted.since.isoformat()})

    def _put(self, values: Mapping[str, str], *, remove: list[str] | None = None) -> None:
        with self._database.transaction() as connection:
            for name, value in values.items():
                insert = self._database.insert(npm_state).values(name=name, value=value)
                connection.execute(insert.on_conflict_do_update(index_elements=["name"], set_={"value": value}))
            connection.execute(delete(npm_state).where(npm_state.c.name.in_(remove or [])))


def _counted(values: Mapping[str, str]) -> Counted | None:
    since = _time(values, COUNTED_AT)
    return None if since is None else Counted(date.fromisoformat(values[COUNTED_DAY]), since)


def _time(values: Mapping[str, str], name: str) -> datetime | None:
    return datetime.fromisoformat(values[name]) if name in values else None
