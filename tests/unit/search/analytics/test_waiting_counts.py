"""Counts that wait for the database are bounded in number and time."""

from __future__ import annotations

from datetime import date
from typing import cast

from sqlalchemy import Connection

from kinfolk.runtime.errors import Unavailable
from kinfolk.search.analytics.waiting_counts import LONGEST_WAIT_S, MOST_WAITING, Store, WaitingCounts

TODAY = date(2026, 11, 28)


class FailingStore:
    """Writes counts unless `is_away`."""

    def __init__(self) -> None:
        self.is_away = True
        self.stored: list[str] = []
        self.now_s = 0.0
        self.counts = WaitingCounts(self._write, clock=lambda: self.now_s)

    def _write(self, store: Store, day: date) -> None:
        assert day == TODAY
        if self.is_away:
            raise Unavailable("The database is away")
        store(cast(Connection, None), day)

    def add(self, name: str, size: int = 1) -> None:
        self.counts.add(TODAY, size, lambda _, __: self.stored.append(name))


def test_further_counts_are_refused_above_the_bound() -> None:
    store = FailingStore()
    store.add("first", MOST_WAITING - 1)
    store.add("second")
    store.add("third")
    store.is_away = False
    store.counts.store()
    assert store.stored == ["first", "second"]
    assert not store.counts


def test_counts_that_fail_for_long_are_given_up() -> None:
    store = FailingStore()
    store.add("old")
    store.now_s = LONGEST_WAIT_S + 1
    store.add("new")
    assert store.stored == []
    store.is_away = False
    store.counts.store()
    assert store.stored == ["new"]
