"""The service that purges: order, batches, failures, several processes, and what was due before a crash."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
from tests.servers.cdn_apis import CdnKind, CdnStandIn, serve_cdn
from tests.sites.sample_site import SITE as SAMPLE

from kinfolk.config.settings import read_settings
from kinfolk.content.dependencies import PENDING_CODE, cdn_tag
from kinfolk.web.background.cdn.cdn_apis import CdnClient, cdn_of
from kinfolk.web.background.cdn.cdn_purger import CdnPurger, PurgeTiming
from kinfolk.web.background.cdn.purge_queue import PurgeBatch, PurgeQueue
from kinfolk.web.background.cdn.served_content import SITE

pytestmark = pytest.mark.anyio

FAST = PurgeTiming(coalesce_s=0.01, echo_s=0.05, repeat_s=0.2, poll_s=0.02, first_retry_s=0.02, longest_retry_s=0.1)
REVISIONS = {"acme/query@main": "1"}
TIMEOUT_S = 10.0


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def cdn() -> Iterator[CdnStandIn]:
    with serve_cdn("cloudflare") as cdn:
        yield cdn


@pytest.fixture
def queue(tmp_path: Path) -> PurgeQueue:
    """A queue of a server that has been running before."""
    queue = PurgeQueue(tmp_path / "cdn")
    queue.write_served({SITE: "digest", **REVISIONS})
    return queue


def purger_of(cdn: CdnStandIn, queue: PurgeQueue, *, timing: PurgeTiming = FAST) -> CdnPurger:
    api = cdn_of(read_settings({"KINFOLK_SITE": str(SAMPLE), **cdn.environment}))
    assert api is not None
    return CdnPurger(
        CdnClient(api), queue, revisions=lambda: REVISIONS, digest=lambda: "digest", timing=timing, clock=time.time
    )


@contextlib.asynccontextmanager
async def running(*purgers: CdnPurger) -> AsyncIterator[None]:
    tasks = [asyncio.create_task(purger.run()) for purger in purgers]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def until(state: Callable[[], object]) -> None:
    async with asyncio.timeout(TIMEOUT_S):
        while not state():  # noqa: ASYNC110 - the stand-in is in another thread
            await asyncio.sleep(0.005)


def purged(cdn: CdnStandIn, name: str) -> int:
    """How many purges had the tag of this name."""
    return sum(cdn_tag(name) in tags for tags in cdn.purges if tags is not None)


async def test_tags_are_purged_at_once_and_again_later(cdn: CdnStandIn, queue: PurgeQueue) -> None:
    purger = purger_of(cdn, queue)
    async with running(purger):
        purger.on_purge({"blog", "pages"})
        await until(lambda: not queue.batches() and cdn.purges)
    assert len(cdn.purges) == 2
    assert [purged(cdn, "blog"), purged(cdn, "pages")] == [2, 2]


async def test_tags_of_a_short_time_are_one_purge(cdn: CdnStandIn, queue: PurgeQueue) -> None:
    purger = purger_of(cdn, queue)
    for name in ("blog", "pages", "day"):
        purger.on_purge({name})
    async with running(purger):
        await until(lambda: cdn.purges)
    assert {cdn_tag(name) for name in ("blog", "pages", "day")} <= (cdn.purges[0] or set())


async def test_highlighted_code_purges_nothing(cdn: CdnStandIn, queue: PurgeQueue) -> None:
    purger = purger_of(cdn, queue)
    purger.on_purge({f"{PENDING_CODE}5d41"})
    async with running(purger):
        purger.on_purge({"blog"})
        await until(lambda: cdn.purges)
    assert purged(cdn, PENDING_CODE) == 0


async def test_many_files_are_purged_as_a_branch(cdn: CdnStandIn, queue: PurgeQueue) -> None:
    purger = purger_of(cdn, queue)
    async with running(purger):
        purger.on_purge({"blog", *(f"acme/query@main:docs/{number}.md" for number in range(300))})
        await until(lambda: cdn.purges)
    assert cdn.purges[0] is not None
    assert {cdn_tag("acme/query@main:**"), cdn_tag("blog")} <= cdn.purges[0]
    assert len(cdn.purges[0]) < 10


async def test_processes_send_each_purge_once(cdn: CdnStandIn, queue: PurgeQueue, tmp_path: Path) -> None:
    purgers = [purger_of(cdn, PurgeQueue(tmp_path / "cdn")) for _ in range(4)]
    # All are stored before the first one is sent: what comes later is sent again, after `echo_s`.
    for _ in purgers:
        queue.add(PurgeBatch(frozenset({"blog"})), due_s=time.time())
    async with running(*purgers):
        await until(lambda: cdn.purges and not queue.batches())
    assert len(cdn.purges) == 2  # the second one is the repetition


async def test_purge_follows_the_last_process_that_switches(cdn: CdnStandIn, queue: PurgeQueue, tmp_path: Path) -> None:
    first, last = purger_of(cdn, queue), purger_of(cdn, PurgeQueue(tmp_path / "cdn"))
    async with running(first, last):
        first.on_purge({"blog"})
        await until(lambda: cdn.purges)
        before = len(cdn.purges)
        last.on_purge({"blog"})
        await until(lambda: len(cdn.purges) > before and not queue.batches())


@pytest.mark.parametrize(
    "failure", [(500, {}, ""), (429, {"retry-after": "1"}, ""), (200, {}, "<html>"), (401, {}, "{}")]
)
async def test_failed_purge_is_repeated(
    cdn: CdnStandIn, queue: PurgeQueue, failure: tuple[int, dict[str, str], str]
) -> None:
    cdn.failures = [failure]
    purger = purger_of(cdn, queue)
    async with running(purger):
        purger.on_purge({"blog"})
        await until(lambda: purged(cdn, "blog"))
    assert cdn.refusals == [failure[0]]


async def test_refusal_is_honored_and_later_tags_wait_for_it(cdn: CdnStandIn, queue: PurgeQueue) -> None:
    cdn.failures = [(429, {"retry-after": "1"}, "")]
    purger = purger_of(cdn, queue)
    began = time.monotonic()
    async with running(purger):
        purger.on_purge({"blog"})
        await until(lambda: cdn.refusals)
        purger.on_purge({"pages"})
        await until(lambda: purged(cdn, "pages"))
    assert time.monotonic() - began >= 0.9
    assert cdn.purges[0] is not None
    assert {cdn_tag("blog"), cdn_tag("pages")} <= cdn.purges[0]


async def test_tags_that_the_cdn_does_not_accept_become_a_purge_of_everything(
    cdn: CdnStandIn, queue: PurgeQueue
) -> None:
    cdn.failures = [(400, {}, '{"success": false}')]
    purger = purger_of(cdn, queue)
    async with running(purger):
        purger.on_purge({"blog"})
        await until(lambda: None in cdn.purges)
    assert purged(cdn, "blog") == 0


async def test_tags_in_several_requests_become_a_purge_of_everything_when_requests_are_limited(
    queue: PurgeQueue,
) -> None:
    with serve_cdn("bunny") as cdn:
        cdn.failures = [(429, {"retry-after": "1"}, "")]
        purger = purger_of(cdn, queue)
        async with running(purger):
            purger.on_purge({"blog", "pages"})
            await until(lambda: None in cdn.purges)
    assert cdn.purges == [None]


async def test_purge_that_was_not_confirmed_is_sent_after_a_restart(cdn: CdnStandIn, queue: PurgeQueue) -> None:
    cdn.failures = [(500, {}, "")] * 1000
    first = purger_of(cdn, queue)
    async with running(first):
        first.on_purge({"blog"})
        await until(lambda: cdn.refusals)
    assert [each.batch for each in queue.batches()] == [PurgeBatch(frozenset({"blog"}))]
    cdn.failures = []
    async with running(purger_of(cdn, queue)):
        await until(lambda: purged(cdn, "blog"))


async def test_start_purges_branches_that_changed_while_the_server_was_down(cdn: CdnStandIn, queue: PurgeQueue) -> None:
    queue.write_served({SITE: "digest", "acme/query@main": "0"})
    async with running(purger_of(cdn, queue)):
        await until(lambda: purged(cdn, "acme/query@main:**"))
        await until(lambda: queue.read_served() == {SITE: "digest", **REVISIONS})
    assert None not in cdn.purges


async def test_first_start_purges_everything(cdn: CdnStandIn, tmp_path: Path) -> None:
    async with running(purger_of(cdn, PurgeQueue(tmp_path / "new"))):
        await until(lambda: None in cdn.purges)


async def test_purge_is_sent_while_nothing_can_be_stored(cdn: CdnStandIn, tmp_path: Path) -> None:
    (tmp_path / "cdn").write_text("no folder")
    cdn.failures = [(500, {}, "")]
    purger = purger_of(cdn, PurgeQueue(tmp_path / "cdn"))
    async with running(purger):
        await until(lambda: None in cdn.purges)
        purger.on_purge({"blog"})
        await until(lambda: purged(cdn, "blog"))


@pytest.mark.parametrize("kind", ["bunny", "fastly", "hook"])
async def test_purge_of_a_push_stays_within_the_limits_of_a_cdn(kind: CdnKind, queue: PurgeQueue) -> None:
    with serve_cdn(kind) as cdn:
        purger = purger_of(cdn, queue)
        async with running(purger):
            purger.on_purge({f"acme/query@main#{part}" for part in ("files", "front-matter", "dates", "revision")})
            await until(lambda: cdn.purges and not queue.batches())
    assert cdn.refusals == []
