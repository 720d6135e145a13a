"""Stored figures on both databases: values, times, revisions, and the migration of their table."""

from __future__ import annotations

import threading
from datetime import datetime, timedelta

import pytest
from sqlalchemy import insert, inspect, select

from kinfolk.db.database import Database
from kinfolk.db.schema import downgrade, upgrade
from kinfolk.db.tables import figures, npm_state
from kinfolk.runtime.errors import Unavailable
from kinfolk.runtime.upstream.upstream_client import MAX_COUNT, FetchedCount
from kinfolk.statistics.figures.figure_store import (
    FigureKey,
    FigureStore,
    StoredFigure,
    package_subject,
    repository_subject,
)

NOON = datetime(2026, 3, 18, 12)  # noqa: DTZ001 - all times of the database are in UTC
HOUR = timedelta(hours=1)
SUBJECT = repository_subject("TanStack/query")
STARS = FigureKey(SUBJECT, "stars")
PEOPLE = FigureKey(SUBJECT, "contributors")
DEPENDENTS = FigureKey(package_subject("@tanstack/react-query"), "dependents")


class Clock:
    def __init__(self) -> None:
        self.time = NOON

    def __call__(self) -> datetime:
        return self.time


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(database: Database, clock: Clock) -> FigureStore:
    return FigureStore(database, now=clock)


def put(store: FigureStore, key: FigureKey, value: int, at: datetime = NOON, *, etag: str = "") -> bool:
    return store.put(key, FetchedCount(value, etag), requested_at=at, due_at=at + HOUR)


def stored(store: FigureStore, key: FigureKey) -> StoredFigure:
    return store.read([key.subject])[key]


def test_figures_of_a_subject_are_read(store: FigureStore) -> None:
    put(store, STARS, 45_123, etag='"x"')
    put(store, PEOPLE, 0)
    put(store, DEPENDENTS, MAX_COUNT)
    assert store.read([SUBJECT]) == {
        STARS: StoredFigure(45_123, NOON, etag='"x"', etag_at=NOON, due_at=NOON + HOUR),
        PEOPLE: StoredFigure(0, NOON, due_at=NOON + HOUR),
    }
    assert stored(store, DEPENDENTS).value == MAX_COUNT
    assert store.read([]) == {}


def test_failure_keeps_the_value_and_its_time(store: FigureStore) -> None:
    put(store, STARS, 45_123, etag='"x"')
    store.put_failure(STARS, failures=3, due_at=NOON + 8 * HOUR)
    kept_figure = stored(store, STARS)
    assert (kept_figure.value, kept_figure.as_of, kept_figure.etag) == (45_123, NOON, '"x"')
    assert (kept_figure.failures, kept_figure.due_at) == (3, NOON + 8 * HOUR)


def test_failure_before_the_first_success_is_stored(store: FigureStore) -> None:
    store.put_failure(STARS, failures=1, due_at=NOON + HOUR)
    assert stored(store, STARS) == StoredFigure(failures=1, due_at=NOON + HOUR)
    assert store.changed_since(0) == (0, frozenset())


def test_missing_figure_keeps_its_former_value(store: FigureStore) -> None:
    put(store, STARS, 45_123)
    assert store.put_absent(STARS, due_at=NOON + HOUR)
    missing = stored(store, STARS)
    assert (missing.value, missing.as_of, missing.absent) == (45_123, NOON, True)
    assert put(store, STARS, 45_123, NOON + HOUR)
    assert not stored(store, STARS).absent


def test_postponed_figures_are_due_later_but_never_earlier(store: FigureStore) -> None:
    put(store, STARS, 5)
    store.postpone([STARS, PEOPLE], NOON + HOUR / 2)
    assert stored(store, STARS).due_at == NOON + HOUR
    assert stored(store, PEOPLE) == StoredFigure(due_at=NOON + HOUR / 2)
    store.postpone([STARS], NOON + 2 * HOUR)
    assert stored(store, STARS).due_at == NOON + 2 * HOUR


# Pushed values


def test_answer_that_is_older_than_a_pushed_value_is_dropped(store: FigureStore, clock: Clock) -> None:
    put(store, STARS, 100, etag='"x"')
    clock.time = NOON + 2 * HOUR
    assert store.put_pushed(STARS, 102)
    assert stored(store, STARS) == StoredFigure(102, clock.time, due_at=NOON + HOUR)
    assert not put(store, STARS, 101, NOON + HOUR, etag='"y"')
    assert not store.confirm(STARS, requested_at=NOON + HOUR, due_at=NOON + 3 * HOUR)
    assert stored(store, STARS) == StoredFigure(102, clock.time, due_at=NOON + 3 * HOUR)


def test_answer_304_does_not_confirm_a_pushed_value(store: FigureStore, clock: Clock) -> None:
    put(store, STARS, 100, etag='"x"')
    store.put_pushed(STARS, 102)
    clock.time += HOUR
    store.confirm(STARS, requested_at=clock.time, due_at=clock.time + HOUR)
    assert stored(store, STARS).as_of == NOON


def test_value_of_a_clock_in_the_future_is_replaced(store: FigureStore, clock: Clock) -> None:
    clock.time = NOON + timedelta(days=4000)
    store.put_pushed(STARS, 7)
    clock.time = NOON
    assert put(store, STARS, 8)
    assert stored(store, STARS).value == 8


# Revisions


def test_revision_grows_with_what_pages_show(store: FigureStore) -> None:
    assert store.changed_since(0) == (0, frozenset())
    assert put(store, STARS, 1)
    assert put(store, DEPENDENTS, 1)
    assert store.changed_since(0) == (2, frozenset({STARS.subject, DEPENDENTS.subject}))
    assert store.changed_since(1) == (2, frozenset({DEPENDENTS.subject}))
    assert put(store, STARS, 2, NOON + HOUR)
    assert store.changed_since(2) == (3, frozenset({STARS.subject}))
    assert store.changed_since(3) == (3, frozenset())


@pytest.mark.parametrize(("hours", "is_change"), [(1, False), (11.9, False), (12, True), (72, True)])
def test_same_value_is_a_change_on_another_day_only(store: FigureStore, hours: float, is_change: bool) -> None:
    put(store, STARS, 5, etag='"x"')
    at = NOON + hours * HOUR
    assert store.confirm(STARS, requested_at=at, due_at=at + HOUR) is is_change
    assert stored(store, STARS).as_of == at
    assert stored(store, STARS).etag_at == NOON


def test_concurrent_writers_lose_no_revision(store: FigureStore) -> None:
    """A reader that knows revision n has seen all changes up to n."""
    seen: set[str] = set()
    stopping = threading.Event()
    keys = [FigureKey(repository_subject(f"a/{writer}-{n}"), "stars") for writer in range(4) for n in range(10)]

    def write(writer: int) -> None:
        for key in keys[writer * 10 : writer * 10 + 10]:
            put(store, key, 1)

    def read() -> None:
        revision = 0
        while True:
            last = stopping.is_set()
            revision, subjects = store.changed_since(revision)
            seen.update(subjects)
            if last:
                return

    reader = threading.Thread(target=read)
    reader.start()
    writers = [threading.Thread(target=write, args=(writer,)) for writer in range(4)]
    for thread in writers:
        thread.start()
    for thread in writers:
        thread.join()
    stopping.set()
    reader.join()
    assert seen == {key.subject for key in keys}
    assert store.changed_since(0)[0] == len(keys)


def test_failure_of_the_database_is_unavailable(store: FigureStore, database: Database) -> None:
    database.refusal = "The tables are newer than this version"
    with pytest.raises(Unavailable):
        store.read([SUBJECT])
    with pytest.raises(Unavailable):
        store.changed_since(0)
    with pytest.raises(Unavailable):
        put(store, STARS, 1)


# The migration


def test_migration_goes_down_and_up_with_rows(empty_database: Database, clock: Clock) -> None:
    upgrade(empty_database)
    store = FigureStore(empty_database, now=clock)
    put(store, STARS, 5, etag="x" * 200)
    put(store, FigureKey(package_subject("a" * 214), "dependents"), MAX_COUNT)
    with empty_database.transaction() as connection:
        connection.execute(insert(npm_state).values(name="other", value="stays"))
    downgrade(empty_database, "0001")
    with empty_database.reading() as connection:
        assert not inspect(connection).has_table(figures.name)
        assert connection.scalar(select(npm_state.c.value)) == "stays"
    upgrade(empty_database)
    assert store.read([SUBJECT]) == {}
    assert put(store, STARS, 6)
    assert store.changed_since(0) == (1, frozenset({SUBJECT}))
