"""Large files of repositories block no other requests and do not fill the memory."""

from __future__ import annotations

import asyncio
import dataclasses
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from tests.http.conftest import Fetch
from tests.suite.delegating_tree import DelegatingTree

from kinfolk.config.docs_address import Ref
from kinfolk.config.settings import Settings
from kinfolk.content.sources.snapshot import Snapshot, Tree
from kinfolk.runtime.budget import BUDGETS
from kinfolk.site.site import Site, open_site
from kinfolk.web.app import SiteApp

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


def open_client(site: Site) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(SiteApp(site)), base_url="http://kinfolk.test")


@pytest.fixture(scope="module")
def site_with_large_files(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Site:
    most = BUDGETS["file"].answer_bytes
    files = {f"{EXAMPLE}/huge.txt": most + 1, f"{EXAMPLE}/huge.png": most + 1, f"{EXAMPLE}/large.txt": 9 << 20}
    return opened(settings, tmp_path_factory.mktemp("large"), {**files, f"{EXAMPLE}/small.txt": 5})


@pytest.fixture
async def client(site_with_large_files: Site) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(SiteApp(site_with_large_files)), base_url="http://kinfolk.test"
    ) as client:
        yield client


@pytest.mark.parametrize("path", [f"{RAW}/huge.txt", f"{RAW}.zip", f"/_files/TanStack/query/main/{EXAMPLE}/huge.png"])
async def test_too_large_file_is_rejected_by_its_size(client: httpx.AsyncClient, path: str) -> None:
    answer = await client.get(path)
    assert answer.status_code == 503
    assert "larger than 33554432 bytes" in answer.text


@pytest.mark.parametrize("name", ["huge.txt", "large.txt"])
async def test_too_large_file_text_is_rejected_by_functions(fetch: Fetch, name: str) -> None:
    answer = await fetch("repo.file", FILE | {"filePath": f"{EXAMPLE}/{name}"})
    assert (answer.status_code, answer.json()["code"]) == (503, "over_budget")
    assert answer.json()["message"].startswith(f"The file '{EXAMPLE}/{name}' is larger than 8388608 bytes")


async def test_file_within_the_budget_is_sent(client: httpx.AsyncClient, fetch: Fetch) -> None:
    assert len((await client.get(f"{RAW}/large.txt")).content) == 9 << 20
    assert (await fetch("repo.file", FILE | {"filePath": f"{EXAMPLE}/small.txt"})).json()["data"] == "xxxxx"


@pytest.mark.parametrize(("name", "kind"), [("huge.txt", "large"), ("huge.png", "picture"), ("large.txt", "large")])
async def test_example_names_a_file_that_is_too_large(fetch: Fetch, name: str, kind: str) -> None:
    wanted = {"library": "query", "version": "latest", "framework": "react", "name": "basic"}
    answer = await fetch("example.file", wanted | {"path": f"{EXAMPLE}/{name}"})
    assert answer.json()["data"]["kind"] == kind


@dataclasses.dataclass(frozen=True)
class BlockingTree(DelegatingTree):
    """A tree whose reads block until `go` is set."""

    go: threading.Event

    def read(self, path: str) -> bytes:
        if path.startswith("examples/"):
            assert self.go.wait(20)
        return super().read(path)


@pytest.fixture
def blocked_site(settings: Settings, tmp_path: Path) -> tuple[Site, threading.Event]:
    site, go = opened(settings, tmp_path, {f"{EXAMPLE}/a.txt": 5, f"{EXAMPLE}/b.txt": 5}), threading.Event()
    trees: dict[Ref, Tree] = {
        ref: BlockingTree(tree, go) for ref, tree in site.content.publisher.docs.snapshot.trees.items()
    }
    site.content.publisher.docs = site.content.publisher.docs.with_snapshot(Snapshot(trees))
    return site, go


@pytest.mark.no_cover
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
async def test_other_requests_are_answered_while_a_disk_blocks(
    blocked_site: tuple[Site, threading.Event], target: str
) -> None:
    site, go = blocked_site
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(SiteApp(site)), base_url="http://kinfolk.test"
    ) as client:
        reading = asyncio.create_task(client.get(target))
        assert (await client.get("/_server/theme.get")).status_code == 200
        assert not reading.done()
        go.set()
        assert (await reading).status_code == 200
