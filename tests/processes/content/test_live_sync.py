"""Docs change during requests: no errors, no page with two commits, and no loss after SIGKILL."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import itertools
import json
import sqlite3
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from tests.processes.family import (
    RANGER,
    REVISED,
    STORE,
    TIMEOUT_S,
    Family,
    eventually,
    example,
    html_of,
    kill,
    mirrored_family,
    revision_of,
    revisions,
    showing,
)
from tests.servers.serving import Server, serving

from kinfolk.config.docs_address import Ref
from kinfolk.content.sources.git.published_commits import PUBLISHED_FILE as PUBLISHED
from kinfolk.web.protocol.fair_queue import MAX_WAITING

REQUESTS_PER_SECOND = 50
MIN_REQUESTS = 300
MAX_CONCURRENT = MAX_WAITING // 2
"""The server refuses more than MAX_WAITING requests of one address, which a slow machine reaches at a constant rate."""
TABLE = Ref("TanStack/table", "v8")


@pytest.fixture
def family(tmp_path: Path, built: Path) -> Family:
    assert built
    return mirrored_family(tmp_path / "family")


@dataclass(frozen=True)
class TimedResponse:
    path: str
    began: float
    ended: float
    status: int
    html: str

    @property
    def page(self) -> str:
        return self.path.partition("?")[0]


async def timed_get(client: httpx.AsyncClient, path: str, concurrent: asyncio.Semaphore) -> TimedResponse:
    async with concurrent:
        began = time.monotonic()
        answer = await client.get(path)
        return TimedResponse(path, began, time.monotonic(), answer.status_code, answer.text)


async def load(server: Server, changing: asyncio.Task[None]) -> list[TimedResponse]:
    """Send requests at a constant rate while the docs change. Above MAX_CONCURRENT they wait for earlier responses.

    Three of four are for cached pages. Each fourth page is rendered, so that renders run at all times.
    """
    responses = []
    concurrent = asyncio.Semaphore(MAX_CONCURRENT)
    started = time.monotonic()
    limits = httpx.Limits(max_connections=None)
    async with (
        httpx.AsyncClient(base_url=server.url, timeout=TIMEOUT_S, limits=limits) as client,
        asyncio.TaskGroup() as group,
    ):
        for number in itertools.count():
            if changing.done() and number >= MIN_REQUESTS:
                break
            await asyncio.sleep(started + number / REQUESTS_PER_SECOND - time.monotonic())
            addresses = (*REVISED, example(number))
            responses.append(group.create_task(timed_get(client, addresses[number % len(addresses)], concurrent)))
    return [task.result() for task in responses]


def change(family: Family, server: Server, last: int) -> None:
    """Push the revisions in order. `kinfolk sync` fetches half of them, the server's refresh the others."""
    for revision in range(2, last + 1):
        family.push(revision)
        if revision % 2:
            synced = family.sync()
            assert synced.returncode == 0, synced.stderr
        else:
            eventually(showing(server, revision), f"revision {revision} on every page")


@pytest.mark.anyio
async def test_sync_causes_no_errors_and_no_mixed_pages(family: Family) -> None:
    last = 8
    with family.serving() as server:
        changing = asyncio.create_task(asyncio.to_thread(change, family, server, last))
        responses = await load(server, changing)
        await changing
        assert set(revisions(server).values()) == {last}
    assert {v.status for v in responses} == {200}
    found = [(v, revision_of(v.html)) for v in responses]  # fails for a page with two commits
    seconds = responses[-1].ended - responses[0].began
    slowest = max(v.ended - v.began for v in responses)
    print(f"{len(responses)} requests in {seconds:.1f} s, the slowest took {slowest * 1000:.0f} ms")
    print(f"revisions seen: {sorted({revision for _, revision in found})}")

    assert len({revision for _, revision in found}) > 2
    for later, revision in found:
        before = [r for v, r in found if v.page == later.page and v.ended <= later.began]
        assert revision >= max(before, default=1), "the docs went back in time"


def test_killed_sync_leaves_consistent_pages(family: Family) -> None:
    with family.serving() as server:
        for revision, lines in enumerate((1, 4, 8), start=2):
            family.push(revision)
            with family.start_sync() as killed:
                # One or two lines per completed repository.
                while killed.errors.count("\n") < lines and killed.poll() is None:
                    time.sleep(0.002)
                killed.kill()
            assert set(revisions(server).values()) <= {revision - 1, revision}
            eventually(showing(server, revision), f"a refresh shows revision {revision}")


def test_sync_killed_while_upstream_hangs_leaves_consistent_pages(family: Family) -> None:
    with family.serving() as server:
        family.push(2)
        with family.blocked(TABLE) as count_blocked, family.start_sync() as killed:
            eventually(count_blocked, "a fetch hangs")
            killed.kill()
            assert set(revisions(server).values()) <= {1, 2}
        eventually(showing(server, 2), "the next refresh shows revision 2")


def test_server_killed_during_a_refresh_starts_with_published_commits(family: Family) -> None:
    published = family.folder / "mirror" / PUBLISHED
    with family.serving() as server:
        family.push(2)
        tips = [family.upstreams.tip(ref) for ref in (RANGER, STORE)]
        with family.blocked(TABLE) as count_blocked:
            eventually(count_blocked, "the refresh hangs")
            eventually(lambda: all(tip in published.read_text() for tip in tips), "all others are published")
            assert set(revisions(server).values()) <= {1, 2}
            kill(server)
    with family.serving() as server:
        assert f"Serving the mirror in {published.parent}" in server.log
        assert set(revisions(server).values()) == {2}


def test_server_killed_while_publishing_starts_with_consistent_pages(family: Family) -> None:
    published = family.folder / "mirror" / PUBLISHED
    with family.serving() as server:
        before = published.read_bytes()
        family.push(2)
        eventually(lambda: published.read_bytes() != before, "the server publishes a commit")
        kill(server)
    with family.serving() as server:
        assert set(revisions(server).values()) <= {1, 2}
        eventually(showing(server, 2), "the next refresh shows revision 2")
    assert family.sync().returncode == 0


def test_all_workers_show_a_push_received_by_one(family: Family) -> None:
    secret = {"KINFOLK_WEBHOOK_SECRET": "secret", "KINFOLK_REFRESH_S": "0"}
    with serving(family.folder, "--workers", "2", environment=family.environment | secret) as server:
        family.push(2)
        body = json.dumps({"ref": "refs/heads/main", "repository": {"full_name": STORE.repo}}).encode()
        digest = hmac.new(b"secret", body, hashlib.sha256).hexdigest()
        headers = {"x-hub-signature-256": f"sha256={digest}", "x-github-event": "push"}
        hook = f"{server.url}/_hooks/github"
        assert httpx.post(hook, content=body, headers=headers, timeout=TIMEOUT_S).status_code == 202
        # The kernel assigns each connection to one of two workers; the chance that 16 get the same one is 1 in 32,768.
        path = next(path for path in REVISED if path.startswith("/store/"))
        eventually(
            lambda: all(revision_of(html_of(server, path)) == 2 for _ in range(16)),
            "both workers show it",
            within_s=120,
        )
        file = next(family.folder.rglob("kinfolk.sqlite"))
        eventually(lambda: served_pushes(file) != [], "the delivery has the result of its sync")
        ((outcome, commit, after_ms),) = served_pushes(file)
    assert (outcome, commit) == ("served", family.upstreams.tip(STORE))
    assert 0 < after_ms < 120_000


def served_pushes(file: Path) -> list[tuple[str, str, int]]:
    """How the syncs after recorded pushes ended, the commit that is served since, and after how long."""
    with closing(sqlite3.connect(file)) as database:
        query = "SELECT sync, sync_commit, sync_ms FROM webhook_deliveries WHERE outcome = 'push' AND sync IS NOT NULL"
        return database.execute(query).fetchall()
