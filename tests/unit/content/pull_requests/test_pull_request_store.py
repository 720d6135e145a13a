"""The table of pull requests: its bound, and how long rows stay."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from kinfolk.content.pull_requests.pull_request import PullRequest
from kinfolk.content.pull_requests.pull_request_store import PreviewLimits, PullRequestStore
from kinfolk.db.database import Database

START = datetime(2026, 11, 1)  # noqa: DTZ001 - all times of the database are in UTC
REQUEST = PullRequest("acme/tiles", 1, "main", "a" * 40, "Better words", "ada", "open")


class StoreClock:
    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> StoreClock:
    return StoreClock()


@pytest.fixture
def announced() -> list[int]:
    return []


@pytest.fixture
def store(database: Database, clock: StoreClock, announced: list[int]) -> PullRequestStore:
    limits = PreviewLimits(most=3, days=30, closed_days=2)
    return PullRequestStore(database, limits, now=clock, announce=announced.append)


def numbers(store: PullRequestStore) -> list[int]:
    return [each.pull_request.number for each in store.read()]


def test_later_event_replaces_the_former_one(store: PullRequestStore, announced: list[int]) -> None:
    assert store.put(REQUEST)
    pushed = replace(REQUEST, head="b" * 40)
    assert store.put(pushed)
    assert [each.pull_request for each in store.read()] == [pushed]
    assert announced == [1, 2]


def test_longest_unchanged_pull_request_goes_above_the_limit(store: PullRequestStore, clock: StoreClock) -> None:
    for number in (1, 2, 3):
        clock.now += timedelta(minutes=1)
        store.put(replace(REQUEST, number=number))
    clock.now += timedelta(minutes=1)
    store.put(replace(REQUEST, head="b" * 40))
    store.put(replace(REQUEST, number=4))
    assert sorted(numbers(store)) == [1, 3, 4]


def test_pull_requests_expire(store: PullRequestStore, clock: StoreClock) -> None:
    store.put(REQUEST)
    store.put(replace(REQUEST, number=2))
    store.put(replace(REQUEST, number=2, state="merged"))
    clock.now += timedelta(days=1)
    assert numbers(store) == [2, 1]
    clock.now += timedelta(days=2)
    assert numbers(store) == [1]
    clock.now += timedelta(days=28)
    assert numbers(store) == []


def test_closed_pull_request_without_a_preview_gets_none(store: PullRequestStore, announced: list[int]) -> None:
    assert not store.put(replace(REQUEST, state="closed"))
    assert (numbers(store), announced) == ([], [])
