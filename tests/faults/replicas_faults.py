"""Faults of replicas: PostgreSQL stops answering for 30 s, and a replica is killed, during requests."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import httpx
from tests.faults.site import Site, expect, fault
from tests.processes.family import eventually, kill
from tests.servers.cdn_apis import KINDS, REFILL, CdnStandIn, serve_cdn
from tests.servers.databases import PostgresServer, postgresql_programs
from tests.servers.replicas import PAGE, ReplicatedSite, replicated

OUTAGE_S = 30.0
PUSHES = 5
VISIBLE_S = 2.0
WATCHED_S = 8.0
"""Seconds after a push for which the CDN is watched: each purge is repeated after six."""
MOST_LATENCY = 3.0
"""Of the median during an outage, to that before."""
GUIDE = "/tiles/latest/docs/guide"


@contextlib.contextmanager
def two_replicas(folder: Path, **environment: str) -> Iterator[tuple[ReplicatedSite, PostgresServer]]:
    """Two replicas of two workers each behind nginx, and their PostgreSQL server."""
    folder.mkdir(parents=True, exist_ok=True)
    server = PostgresServer(postgresql_programs())
    try:
        server.start()
        url = server.create().render_as_string(hide_password=False)
        with replicated(folder, url, KINFOLK_REFRESH_S="0", **environment) as site:
            yield site, server
    finally:
        server.remove()


@contextlib.contextmanager
def reading(get: Callable[[], httpx.Response]) -> Iterator[list[tuple[float, int | str]]]:
    """Request in a thread until the end of the block: seconds and status of each response."""
    answers: list[tuple[float, int | str]] = []
    done = threading.Event()

    def read() -> None:
        while not done.wait(0.01):
            began_s = time.monotonic()
            try:
                status: int | str = get().status_code
            except httpx.TransportError as failure:
                status = type(failure).__name__
            answers.append((time.monotonic() - began_s, status))

    thread = threading.Thread(target=read)
    thread.start()
    try:
        yield answers
    finally:
        done.set()
        thread.join()


def median_ms(answers: list[tuple[float, int | str]]) -> float:
    return sorted(seconds for seconds, _ in answers)[len(answers) // 2] * 1000


@fault("R1", "Pushes to two replicas of two workers: webhook at the proxy to the last worker")
def pushes_to_replicas(site: Site) -> str:
    with two_replicas(site.folder) as (two, _):
        taken = []
        for revision in range(2, 2 + PUSHES):
            began = datetime.now(UTC)
            commit = two.push(revision)
            times = eventually(partial(two.shown_by_all, commit), "all workers show the commit")
            taken.append([(datetime.fromisoformat(each) - began).total_seconds() for each in times])
    ranks = [f"{min(each):.1f} to {max(each):.1f}" for each in zip(*taken, strict=True)]
    figure = f"{PUSHES} pushes: the four workers show them after {', '.join(ranks)} s"
    return expect(max(each[-1] for each in taken) <= VISIBLE_S, figure)


def _push_behind(cdn: CdnStandIn, two: ReplicatedSite, revision: int) -> tuple[float, bool]:
    """Seconds until the CDN has the new page, and whether the old one came back."""

    def is_new() -> bool:
        return f"This is revision {revision}." in httpx.get(cdn.url + PAGE, timeout=30).text

    if cdn.kind in REFILL:
        eventually(lambda: cdn.lacking_requests == 0, "the account may send all requests again", within_s=120)
    is_new()
    began_s = time.monotonic()
    two.push(revision)
    eventually(is_new, "the CDN has the new page")
    taken_s = time.monotonic() - began_s
    came_back = False
    while time.monotonic() - began_s < WATCHED_S:
        came_back |= not is_new()
        time.sleep(0.05)
    return taken_s, came_back


@fault("R4", "Pushes to two replicas of two workers behind a CDN that stores pages for a day")
def pushes_behind_cdn(site: Site) -> str:
    figures, slowest, is_stale = [], 0.0, False
    for kind in KINDS:
        with serve_cdn(kind) as cdn, two_replicas(site.folder / kind, **cdn.environment) as (two, _):
            cdn.origin = two.url
            eventually(lambda: cdn.purges, "the first start purges everything")
            found = [_push_behind(cdn, two, revision) for revision in range(2, 2 + PUSHES)]
        taken = [seconds for seconds, _ in found]
        figures.append(f"{kind} {min(taken):.1f} to {max(taken):.1f} s")
        slowest, is_stale = max(slowest, *taken), is_stale or any(came_back for _, came_back in found)
    figure = f"{PUSHES} pushes: {', '.join(figures)}; the old page {'came' if is_stale else 'never came'} back"
    return expect(slowest <= VISIBLE_S and not is_stale, figure)


@fault("R2", "PostgreSQL does not answer for 30 s")
def database_stops_answering(site: Site) -> str:
    with two_replicas(site.folder) as (two, postgresql), contextlib.ExitStack() as stack:
        server = two.replicas[0]
        headers = {"origin": two.url, "host": two.url.removeprefix("http://")}
        pages, posts = (
            stack.enter_context(httpx.Client(base_url=server.url, timeout=30, headers=headers)) for _ in range(2)
        )
        pages.get(GUIDE)
        with reading(lambda: pages.get(GUIDE)) as before:
            eventually(lambda: len(before) >= 100, "pages are read")
        refused: list[tuple[float, int]] = []
        with postgresql.frozen(), reading(lambda: pages.get(GUIDE)) as during:
            began_s = time.monotonic()
            two.push(2, to=server.url)
            while time.monotonic() - began_s < OUTAGE_S:
                post_s = time.monotonic()
                status = posts.post("/auth/email", data={"email": "ada@example.com"}).status_code
                refused.append((time.monotonic() - post_s, status))
                time.sleep(0.5)
        back_s = time.monotonic()
        eventually(
            lambda: posts.post("/auth/email", data={"email": "ada@example.com"}).status_code == 303, "sign-in is back"
        )
        sign_in_s = time.monotonic() - back_s
        eventually(lambda: "revision 2." in httpx.get(two.replicas[1].url + PAGE).text, "the other replica follows")
        follows_s = time.monotonic() - back_s
    failed = sum(status != 200 for _, status in during)
    figure = (
        f"{failed} of {len(during)} pages failed, median {median_ms(before):.1f} -> {median_ms(during):.1f} ms; "
        f"{len(refused)} sign-ins refused in at most {max(seconds for seconds, _ in refused):.1f} s; afterwards "
        f"sign-in works after {sign_in_s:.1f} s, and the other replica has a push of the outage after {follows_s:.1f} s"
    )
    slower = median_ms(during) / median_ms(before)
    return expect(failed == 0 and slower < MOST_LATENCY and {status for _, status in refused} == {503}, figure)


@fault("R3", "SIGKILL of one of two replicas during requests")
def replica_is_killed(site: Site) -> str:
    with (
        two_replicas(site.folder) as (two, _),
        httpx.Client(base_url=two.url, timeout=30) as client,
        reading(lambda: client.get(PAGE)) as answers,
    ):
        eventually(lambda: len(answers) >= 200, "pages are read")
        kill(two.replicas[1])
        after = len(answers)
        eventually(lambda: len(answers) >= after + 500, "the other replica answers")
        with two.replica(1):
            returned = len(answers)
            eventually(lambda: len(answers) >= returned + 200, "the replica is back")
    failed = sum(status != 200 for _, status in answers)
    figure = f"{failed} of {len(answers)} requests failed; the longest took {max(s for s, _ in answers):.2f} s"
    return expect(failed == 0, figure)
