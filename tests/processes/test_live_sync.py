"""Docs change while they are being read: no error, no page of two commits, and nothing lost to SIGKILL."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import itertools
import json
import time
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from tests.processes.family import (
    PATIENCE_S,
    RANGER,
    REVISED,
    STORE,
    Family,
    eventually,
    example,
    html_of,
    kill,
    revision_of,
    revisions,
    showing,
    upstream_family,
)
from tests.serving import Server, serving

from kinfolk.catalog import Catalog
from kinfolk.settings import Settings
from kinfolk.sources.publication import FILE as PUBLISHED
from kinfolk.sources.snapshot import Ref

REQUESTS_A_SECOND = 50
LEAST_REQUESTS = 300
TABLE = Ref("TanStack/table", "v8")


@pytest.fixture(scope="module")
def mirrored(tmp_path_factory: pytest.TempPathFactory, settings: Settings, catalog: Catalog, built: Path) -> Family:
    """Mirrored at revision 1; for copying."""
    assert built
    family = upstream_family(tmp_path_factory.mktemp("mirrored"), settings, catalog)
    synced = family.sync()
    assert synced.returncode == 0, synced.stderr
    return family


@pytest.fixture
def family(tmp_path: Path, mirrored: Family) -> Family:
    return mirrored.copied(tmp_path / "family")


@dataclass(frozen=True)
class Visit:
    path: str
    began: float
    ended: float
    status: int
    html: str

    @property
    def page(self) -> str:
        return self.path.partition("?")[0]


async def visit(client: httpx.AsyncClient, path: str) -> Visit:
    began = time.monotonic()
    answer = await client.get(path)
    return Visit(path, began, time.monotonic(), answer.status_code, answer.text)


async def load(server: Server, changing: asyncio.Task[None]) -> list[Visit]:
    """Requests at a steady rate, however long answers take, for as long as the docs change.

    Most meet a page that is kept; every fourth has one rendered, so that some are half done at any moment.
    """
    visits = []
    started = time.monotonic()
    limits = httpx.Limits(max_connections=None)
    async with (
        httpx.AsyncClient(base_url=server.url, timeout=PATIENCE_S, limits=limits) as client,
        asyncio.TaskGroup() as group,
    ):
        for number in itertools.count():
            if changing.done() and number >= LEAST_REQUESTS:
                break
            await asyncio.sleep(started + number / REQUESTS_A_SECOND - time.monotonic())
            addresses = (*REVISED, example(number))
            visits.append(group.create_task(visit(client, addresses[number % len(addresses)])))
    return [task.result() for task in visits]


def change(family: Family, server: Server, last: int) -> None:
    """Push one revision after the other; half of them are for the server alone to notice."""
    for revision in range(2, last + 1):
        family.push(revision)
        if revision % 2:
            synced = family.sync()
            assert synced.returncode == 0, synced.stderr
        else:
            eventually(showing(server, revision), f"revision {revision} on every page")


@pytest.mark.anyio
async def test_readers_notice_nothing_of_a_sync_but_the_new_pages(family: Family) -> None:
    last = 8
    with family.serving() as server:
        changing = asyncio.create_task(asyncio.to_thread(change, family, server, last))
        visits = await load(server, changing)
        await changing
        assert set(revisions(server).values()) == {last}
    assert {v.status for v in visits} == {200}
    shown = [(v, revision_of(v.html)) for v in visits]  # fails for a page of two commits
    seconds = visits[-1].ended - visits[0].began
    slowest = max(v.ended - v.began for v in visits)
    print(f"{len(visits)} requests in {seconds:.1f} s, the slowest took {slowest * 1000:.0f} ms")
    print(f"revisions seen: {sorted({revision for _, revision in shown})}")

    assert len({revision for _, revision in shown}) > 2
    for later, revision in shown:
        before = [r for v, r in shown if v.page == later.page and v.ended <= later.began]
        assert revision >= max(before, default=1), "the docs went back in time"


def test_a_sync_killed_in_the_middle_leaves_whole_pages(family: Family) -> None:
    with family.serving() as server:
        for revision, lines in enumerate((1, 4, 8), start=2):
            family.push(revision)
            with family.start_sync() as doomed:
                assert doomed.stderr is not None
                for _ in range(lines):  # a line or two a repository, as each of them is done
                    doomed.stderr.readline()
                doomed.kill()
            assert set(revisions(server).values()) <= {revision - 1, revision}
            eventually(showing(server, revision), f"a refresh shows revision {revision}")


def test_a_sync_killed_while_upstream_keeps_it_waiting_leaves_whole_pages(family: Family) -> None:
    with family.serving() as server:
        family.push(2)
        with family.silent(TABLE) as somebody_waits, family.start_sync() as doomed:
            eventually(somebody_waits, "a fetch hangs")
            doomed.kill()
            assert set(revisions(server).values()) <= {1, 2}
        eventually(showing(server, 2), "the next refresh shows revision 2")


def test_a_server_killed_in_the_middle_of_a_refresh_starts_with_what_was_published(family: Family) -> None:
    published = family.folder / "mirror" / PUBLISHED
    with family.serving() as server:
        family.push(2)
        tips = [family.upstreams.tip(ref) for ref in (RANGER, STORE)]
        with family.silent(TABLE) as somebody_waits:
            eventually(somebody_waits, "the refresh hangs")
            eventually(lambda: all(tip in published.read_text() for tip in tips), "all others are published")
            assert set(revisions(server).values()) <= {1, 2}
            kill(server)
    with family.serving() as server:
        assert f"Serving the mirror in {published.parent}" in server.log
        assert set(revisions(server).values()) == {2}


def test_a_server_killed_as_it_publishes_starts_with_whole_pages(family: Family) -> None:
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


def test_a_push_that_one_worker_hears_of_is_shown_by_all(family: Family) -> None:
    secret = {"KINFOLK_WEBHOOK_SECRET": "tell nobody", "KINFOLK_REFRESH_S": "0"}
    with serving(family.folder, "--workers", "2", environment=family.environment | secret) as server:
        family.push(2)
        body = json.dumps({"ref": "refs/heads/main", "repository": {"full_name": STORE.repo}}).encode()
        digest = hmac.new(b"tell nobody", body, hashlib.sha256).hexdigest()
        headers = {"x-hub-signature-256": f"sha256={digest}", "x-github-event": "push"}
        hook = f"{server.url}/_hooks/github"
        assert httpx.post(hook, content=body, headers=headers, timeout=PATIENCE_S).status_code == 202
        # The system gives each connection to one of the workers: sixteen hardly ever all meet the same.
        path = next(path for path in REVISED if path.startswith("/store/"))
        eventually(
            lambda: {revision_of(html_of(server, path)) for _ in range(16)} == {2}, "both workers show it", within_s=120
        )
