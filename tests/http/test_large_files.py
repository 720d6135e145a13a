"""Large files of repositories neither hold up other requests nor fill the memory."""

from __future__ import annotations

import asyncio
import dataclasses
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from tests.http.conftest import Ask
from tests.trees import Likewise

from kinfolk.budget import BUDGETS
from kinfolk.settings import Settings
from kinfolk.site import Site, open_site
from kinfolk.sources.snapshot import Ref, Snapshot, Tree
from kinfolk.web.app import Kinfolk

pytestmark = pytest.mark.anyio

QUERY = Ref("TanStack/query", "main")
FILE = {"repo": QUERY.repo, "branch": QUERY.branch}
EXAMPLE = "examples/react/basic"
RAW = "/_examples/query/latest/react/basic"


def opened(settings: Settings, folder: Path, files: dict[str, int]) -> Site:
    """A site with one example that has files of these sizes."""
    root = folder / "repos/TanStack/query/main"
    for name, size in {"docs/config.json": 0, "docs/overview.md": 10, **files}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(b"x" * size)
    (root / "docs/config.json").write_text('{"sections": []}')
    return open_site(dataclasses.replace(settings, content=folder / "repos", var=folder / "var"))


def asking(site: Site) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(Kinfolk(site)), base_url="http://kinfolk.test")


@pytest.fixture
async def client(settings: Settings, tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    most = BUDGETS["file"].answer_bytes
    files = {f"{EXAMPLE}/huge.txt": most + 1, f"{EXAMPLE}/huge.png": most + 1, f"{EXAMPLE}/large.txt": 9 << 20}
    site = opened(settings, tmp_path, {**files, f"{EXAMPLE}/small.txt": 5})
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(Kinfolk(site)), base_url="http://kinfolk.test"
    ) as client:
        yield client


@pytest.mark.parametrize("path", [f"{RAW}/huge.txt", f"{RAW}.zip", f"/_files/TanStack/query/main/{EXAMPLE}/huge.png"])
async def test_a_file_over_the_budget_is_refused_by_its_size(client: httpx.AsyncClient, path: str) -> None:
    answer = await client.get(path)
    assert answer.status_code == 503
    assert "larger than 33554432 bytes" in answer.text


@pytest.mark.parametrize("name", ["huge.txt", "large.txt"])
async def test_the_text_of_a_file_over_the_budget_of_functions_is_refused(ask: Ask, name: str) -> None:
    answer = await ask("repo.file", FILE | {"filePath": f"{EXAMPLE}/{name}"})
    assert (answer.status_code, answer.json()["code"]) == (503, "over_budget")
    assert answer.json()["message"].startswith(f"The file '{EXAMPLE}/{name}' is larger than 8388608 bytes")


async def test_a_file_within_the_budget_is_sent_as_it_is(client: httpx.AsyncClient, ask: Ask) -> None:
    assert len((await client.get(f"{RAW}/large.txt")).content) == 9 << 20
    assert (await ask("repo.file", FILE | {"filePath": f"{EXAMPLE}/small.txt"})).json()["data"] == "xxxxx"


@pytest.mark.parametrize(("name", "kind"), [("huge.txt", "large"), ("huge.png", "picture"), ("large.txt", "large")])
async def test_an_example_tells_of_a_file_that_is_too_large_to_be_shown(ask: Ask, name: str, kind: str) -> None:
    wanted = {"library": "query", "version": "latest", "framework": "react", "name": "basic"}
    answer = await ask("example.file", wanted | {"path": f"{EXAMPLE}/{name}"})
    assert answer.json()["data"]["kind"] == kind


@dataclasses.dataclass(frozen=True)
class Stuck(Likewise):
    """A tree on a disk that answers only when `go` is set."""

    go: threading.Event

    def read(self, path: str) -> bytes:
        if path.startswith("examples/"):
            assert self.go.wait(20)
        return super().read(path)


@pytest.fixture
def stuck(settings: Settings, tmp_path: Path) -> tuple[Site, threading.Event]:
    site, go = opened(settings, tmp_path, {f"{EXAMPLE}/a.txt": 5, f"{EXAMPLE}/b.txt": 5}), threading.Event()
    trees: dict[Ref, Tree] = {ref: Stuck(tree, go) for ref, tree in site.editions.docs.snapshot.trees.items()}
    site.editions.docs = site.editions.docs.succeed(Snapshot(trees))
    return site, go


@pytest.mark.parametrize(
    "target",
    [
        f'/_server/repo.file?payload={{"data":{{"repo":"TanStack/query","branch":"main","filePath":"{EXAMPLE}/a.txt"}}}}',
        '/_server/example.file?payload={"data":{"library":"query","version":"latest","framework":"react","name":"basic"}}',
        f"{RAW}/a.txt",
        f"{RAW}.zip",
        f"/_files/TanStack/query/main/{EXAMPLE}/a.txt",
    ],
)
async def test_others_are_answered_while_a_disk_does_not(stuck: tuple[Site, threading.Event], target: str) -> None:
    site, go = stuck
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(Kinfolk(site)), base_url="http://kinfolk.test"
    ) as client:
        reading = asyncio.create_task(client.get(target))
        assert (await client.get("/_server/theme.get")).status_code == 200
        assert not reading.done()
        go.set()
        assert (await reading).status_code == 200
