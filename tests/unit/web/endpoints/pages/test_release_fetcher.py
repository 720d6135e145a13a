"""The docs of a release are fetched once for all readers who wait, and within limits."""

from __future__ import annotations

import asyncio
import threading

import pytest

from kinfolk.config.docs_address import Ref
from kinfolk.content.docs.snapshots.release_docs import ReleaseDocs
from kinfolk.runtime.errors import Unavailable
from kinfolk.web.endpoints.pages.release_fetcher import MOST_AT_ONCE, MOST_WAITING, ReleaseFetcher
from kinfolk.web.protocol.fair_queue import TooManyWaiting

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def release(number: int) -> Ref:
    return Ref("acme/tiles", f"v{number}.0.0")


class Releases(ReleaseDocs):
    """Releases whose fetches last until they are let go, or fail."""

    def __init__(self) -> None:
        self.fetched: list[Ref] = []
        self.running = 0
        self.most_running = 0
        self.go_on = threading.Event()
        self.fault: Unavailable | None = None
        self._counting = threading.Lock()

    def is_fetched(self, ref: Ref) -> bool:
        return ref in self.fetched

    def fetch(self, ref: Ref) -> None:
        with self._counting:
            self.running += 1
            self.most_running = max(self.most_running, self.running)
        self.go_on.wait(10)
        with self._counting:
            self.running -= 1
        if self.fault is not None:
            raise self.fault
        self.fetched.append(ref)

    def stop(self) -> None:
        self.fault = Unavailable("stopped")
        self.go_on.set()


@pytest.fixture
def releases() -> Releases:
    return Releases()


def fetcher(releases: Releases, per_minute: int = 6000) -> ReleaseFetcher:
    return ReleaseFetcher(releases, per_minute, clock=lambda: 0.0)


async def test_readers_of_one_release_wait_for_one_fetch(releases: Releases) -> None:
    fetches = fetcher(releases)
    waiting = [asyncio.create_task(fetches.ensure(release(1), f"client {at}")) for at in range(5)]
    await asyncio.sleep(0.05)
    assert not any(task.done() for task in waiting)
    releases.go_on.set()
    await asyncio.gather(*waiting)
    assert releases.fetched == [release(1)]
    await fetches.ensure(release(1), "client 9")
    assert releases.fetched == [release(1)]


async def test_few_releases_are_fetched_at_once(releases: Releases) -> None:
    fetches = fetcher(releases)
    waiting = [asyncio.create_task(fetches.ensure(release(at), "client")) for at in range(6)]
    await asyncio.sleep(0.1)
    assert releases.running == MOST_AT_ONCE
    releases.go_on.set()
    await asyncio.gather(*waiting)
    assert releases.most_running == MOST_AT_ONCE
    assert len(releases.fetched) == 6


async def test_reader_is_asked_to_come_back_while_a_fetch_goes_on(releases: Releases) -> None:
    fetches = fetcher(releases)
    with pytest.raises(Unavailable, match=r"v1\.0\.0 are being fetched"):
        await fetches.ensure(release(1), "client", wait_s=0.01)
    releases.go_on.set()
    await fetches.ensure(release(1), "client")
    assert releases.fetched == [release(1)]


async def test_failed_fetch_is_tried_again_by_the_next_reader(releases: Releases) -> None:
    fetches = fetcher(releases)
    releases.go_on.set()
    releases.fault = Unavailable("The code host does not answer")
    with pytest.raises(Unavailable, match="does not answer"):
        await fetches.ensure(release(1), "client")
    releases.fault = None
    await fetches.ensure(release(1), "client")
    assert releases.fetched == [release(1)]


async def test_client_that_opens_many_releases_has_to_wait(releases: Releases) -> None:
    fetches = fetcher(releases, per_minute=60)
    releases.go_on.set()
    for number in range(2):
        await fetches.ensure(release(number), "crawler")
    with pytest.raises(TooManyWaiting):
        await fetches.ensure(release(2), "crawler")
    # What is here already costs nothing, and others are not affected.
    await fetches.ensure(release(0), "crawler")
    await fetches.ensure(release(3), "reader")


async def test_all_clients_together_cause_a_limited_number_of_fetches(releases: Releases) -> None:
    fetches = fetcher(releases, per_minute=60)
    releases.go_on.set()
    for number in range(10):
        await fetches.ensure(release(number), f"client {number}")
    with pytest.raises(Unavailable, match="Too many releases"):
        await fetches.ensure(release(11), "another")


async def test_queue_of_releases_is_bounded(releases: Releases) -> None:
    fetches = fetcher(releases)
    waiting = [asyncio.create_task(fetches.ensure(release(at), f"client {at}")) for at in range(MOST_WAITING)]
    await asyncio.sleep(0.1)
    with pytest.raises(Unavailable, match="Too many releases"):
        await fetches.ensure(release(MOST_WAITING), "another")
    await fetches.stop()
    assert all(isinstance(result, Unavailable) for result in await asyncio.gather(*waiting, return_exceptions=True))
