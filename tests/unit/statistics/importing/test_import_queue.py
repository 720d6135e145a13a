"""The queue of packages that readers requested."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import datetime, timedelta

import pytest
from sqlalchemy import select

from kinfolk.db.database import Database
from kinfolk.db.tables import npm_packages
from kinfolk.runtime.errors import Refused
from kinfolk.statistics.importing.import_queue import MAX_WAITING, PER_HOUR, ImportQueue, QueuedPackage


class Clock:
    def __init__(self) -> None:
        self.now = datetime(2026, 11, 22, 12)  # noqa: DTZ001 - as the database stores times

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def queue(database: Database, clock: Clock) -> ImportQueue:
    return ImportQueue(database, now=clock)


def test_packages_wait_in_the_order_of_their_requests(queue: ImportQueue, clock: Clock) -> None:
    for number, name in enumerate(["zod", "arktype", "valibot"]):
        clock.now += timedelta(seconds=1)
        queue.add(name, client=f"192.0.2.{number}")
    assert queue.waiting() == ["zod", "arktype", "valibot"]
    assert queue.statuses(["valibot", "yup"]) == {"valibot": QueuedPackage("waiting", None, 2)}


def test_one_address_adds_few_packages_an_hour(queue: ImportQueue, clock: Clock) -> None:
    for number in range(PER_HOUR):
        queue.add(f"p{number}", client="192.0.2.1")
    # Verified packages count, too.
    queue.set_status(["p0"], "importing")
    queue.set_status(["p1"], "not_found")
    with pytest.raises(Refused, match="You can add 3 packages per hour"):
        queue.add("another", client="192.0.2.1")
    queue.add("another", client="192.0.2.2")
    clock.now += timedelta(hours=1)
    queue.add("later", client="192.0.2.1")


def test_clock_that_is_set_back_does_not_extend_the_limit_of_an_address(queue: ImportQueue, clock: Clock) -> None:
    clock.now += timedelta(days=1)
    for number in range(PER_HOUR):
        queue.add(f"p{number}", client="192.0.2.1")
    clock.now -= timedelta(days=1)
    queue.add("another", client="192.0.2.1")


def test_few_packages_wait(queue: ImportQueue) -> None:
    for number in range(MAX_WAITING):
        queue.add(f"p{number}", client=str(number))
    with pytest.raises(Refused, match="100 packages are already waiting"):
        queue.add("another", client="another")
    queue.set_status(["p0"], "complete")
    queue.add("another", client="another")


def test_requests_at_the_same_time_stay_within_the_limit(queue: ImportQueue) -> None:
    def add(number: int) -> None:
        with suppress(Refused):
            queue.add(f"p{number}", client="192.0.2.1")

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(add, range(24)))
    assert len(queue.waiting()) == PER_HOUR


def test_a_second_request_does_not_change_a_package(queue: ImportQueue) -> None:
    queue.add("zod", client="192.0.2.1")
    queue.set_status(["zod"], "complete")
    queue.add("zod", client="192.0.2.2")
    assert queue.statuses(["zod"])["zod"].status == "complete"


def test_a_package_that_was_not_found_may_be_requested_a_day_later(queue: ImportQueue, clock: Clock) -> None:
    queue.add("no-such", client="192.0.2.1")
    queue.set_status(["no-such"], "not_found")
    assert queue.not_found() == {"no-such"}
    clock.now += timedelta(hours=25)
    assert queue.not_found() == set()
    queue.forget()
    assert queue.statuses(["no-such"]) == {}
    queue.add("no-such", client="192.0.2.1")
    assert queue.waiting() == ["no-such"]


def test_addresses_are_stored_as_digests_for_an_hour(queue: ImportQueue, clock: Clock, database: Database) -> None:
    queue.add("zod", client="192.0.2.1")

    def digest() -> str | None:
        with database.reading() as connection:
            return connection.scalar(select(npm_packages.c.requested_by))

    first = digest()
    assert first is not None
    assert len(first) == 32
    assert set(first) <= set("0123456789abcdef")
    queue.forget()
    assert digest() == first
    clock.now += timedelta(hours=1, seconds=1)
    queue.forget()
    assert digest() is None


def test_a_package_without_a_row_gets_a_status(queue: ImportQueue, clock: Clock) -> None:
    queue.set_status(["auto-animate"], "not_found")
    assert queue.statuses(["auto-animate"]) == {"auto-animate": QueuedPackage("not_found", clock.now, 0)}
    queue.set_status([], "complete")
    assert queue.imported() == {}
