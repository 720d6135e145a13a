"""The cache of machine-readable texts, while docs change."""

from __future__ import annotations

import asyncio
import gzip
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace

import httpx
import pytest
from starlette.applications import Starlette
from tests.suite.delegating_tree import DelegatingTree
from tests.suite.snapshot_source import SnapshotSource

from kinfolk.api.content import SiteContent
from kinfolk.config.settings import Settings
from kinfolk.content.dependencies import DependencyRecorder
from kinfolk.content.docs import ContentReader, DocsSnapshot
from kinfolk.content.docs.snapshots.version_docs import list_version_docs
from kinfolk.content.sources.snapshot import Snapshot
from kinfolk.runtime.services.supervisor import Supervisor
from kinfolk.site.site import open_site
from kinfolk.web.endpoints.machine_readable.crawler_files import MachineReadableTexts
from kinfolk.web.endpoints.machine_readable.docs_markdown import DocsMarkdown
from kinfolk.web.endpoints.machine_readable.text_cache import MachineReadableCache, TaggedText, tagged
from kinfolk.web.protocol.fair_queue import FairQueue

pytestmark = pytest.mark.anyio


@dataclass(frozen=True)
class BlockingTree(DelegatingTree):
    """A tree whose reads block until the gate is open, except in the threads that refresh."""

    gate: threading.Event
    refreshing: set[int]

    def read(self, path: str) -> bytes:
        assert threading.get_ident() in self.refreshing or self.gate.wait(30)
        return super().read(path)


LISTINGS = ("/query/latest/llms.txt", "/query/latest/llms-full.txt", "/llms-full.txt")


def three_pages(docs_from_files: Callable[[dict[str, str]], DocsSnapshot], word: str) -> Snapshot:
    return docs_from_files({f"TanStack/query/main/docs/{page}.md": f"It is {word}." for page in "abc"}).snapshot


@pytest.mark.parametrize("path", LISTINGS)
async def test_listings_of_a_static_site_are_never_those_of_the_previous_snapshot(
    settings: Settings, docs_from_files: Callable[[dict[str, str]], DocsSnapshot], path: str
) -> None:
    source = SnapshotSource(three_pages(docs_from_files, "old"), three_pages(docs_from_files, "new"))
    site = replace(open_site(settings, source=source), is_static=True)
    cache, supervisor = MachineReadableCache(site), Supervisor()
    transport = httpx.ASGITransport(Starlette(routes=MachineReadableTexts(site, cache).routes()))
    cache.start(supervisor)
    async with httpx.AsyncClient(transport=transport, base_url="http://k") as client:
        assert (await client.get(path)).text.count("It is old.") == 3
        await asyncio.to_thread(site.content.publisher.refresh)
        assert (await client.get(path)).text.count("It is new.") == 3
    assert await supervisor.close(within_s=30) == []
    cache.close()


@pytest.mark.parametrize("path", LISTINGS)
async def test_previous_listing_is_served_during_regeneration(
    settings: Settings, docs_from_files: Callable[[dict[str, str]], DocsSnapshot], path: str
) -> None:
    gate, refreshing = threading.Event(), set[int]()
    old, new = (three_pages(docs_from_files, word) for word in ("old", "new"))
    blocking = Snapshot({ref: BlockingTree(tree, gate, refreshing) for ref, tree in new.trees.items()})
    site = open_site(settings, source=SnapshotSource(old, blocking))

    def refresh() -> None:
        refreshing.add(threading.get_ident())
        site.content.publisher.refresh()
        refreshing.clear()

    cache = MachineReadableCache(site)
    texts = MachineReadableTexts(site, cache)
    transport = httpx.ASGITransport(Starlette(routes=texts.routes()))
    supervisor = Supervisor()
    cache.start(supervisor)
    try:
        async with httpx.AsyncClient(transport=transport, base_url="http://k") as client, asyncio.timeout(30):
            before = (await client.get(path)).text
            await asyncio.to_thread(refresh)
            assert (await client.get(path)).text == before
            gate.set()
            while (after := (await client.get(path)).text) == before:  # noqa: ASYNC110 no event signals the new text
                await asyncio.sleep(0)
    finally:
        gate.set()
        assert await supervisor.close(within_s=30) == []
        cache.close()
    assert (before.count("It is old."), before.count("It is new.")) == (3, 0)
    assert (after.count("It is old."), after.count("It is new.")) == (0, 3)


@pytest.mark.parametrize("export_after_s", [0, 3600])
async def test_pages_are_exported_in_advance_a_while_after_the_start(
    settings: Settings, docs_from_files: Callable[[dict[str, str]], DocsSnapshot], export_after_s: float
) -> None:
    site = open_site(settings, source=SnapshotSource(*(three_pages(docs_from_files, word) for word in ("old", "new"))))
    query = next(list_version_docs(ContentReader(site.content.publisher.docs)))
    cache, supervisor = MachineReadableCache(site, export_after_s=export_after_s), Supervisor()

    def exported() -> list[str]:
        return [path for path in query.pages().values() if query.docs.is_export_cached(query.locate(path))]

    cache.start(supervisor)
    async with asyncio.timeout(30):
        while export_after_s == 0 and len(exported()) < 3:  # noqa: ASYNC110 no event signals the end
            await asyncio.sleep(0.01)
    # The service of the other case has started and waits: it stops at once.
    assert await supervisor.close(within_s=30) == []
    cache.close()
    assert len(exported()) == (3 if export_after_s == 0 else 0)


@pytest.mark.parametrize("runs", [False, True])
async def test_snapshot_drops_only_texts_that_show_what_changed(
    settings: Settings, docs_from_files: Callable[[dict[str, str]], DocsSnapshot], runs: bool
) -> None:
    def docs_at(word: str) -> Snapshot:
        same = {"TanStack/store/main/docs/a.md": "It stays.", "TanStack/query/main/docs/b.md": "It stays, too."}
        return docs_from_files(same | {"TanStack/query/main/docs/a.md": f"It is {word}."}).snapshot

    site = open_site(settings, source=SnapshotSource(docs_at("old"), docs_at("new")))
    cache, supervisor = MachineReadableCache(site), Supervisor()
    texts = MachineReadableTexts(site, cache)
    pages = DocsMarkdown(site, cache, FairQueue(1))
    transport = httpx.ASGITransport(Starlette(routes=[*texts.routes(), *pages.routes()]))
    if runs:
        cache.start(supervisor)
    unchanged = [f"/api/md/{page}" for page in ("store/latest/docs/a", "query/latest/docs/b")]
    changed = "/api/md/query/latest/docs/a"
    listings = [f"/{library}/latest/llms-full.txt" for library in ("store", "query")]
    async with httpx.AsyncClient(transport=transport, base_url="http://k") as client, asyncio.timeout(30):
        for path in (*unchanged, changed, *listings):
            assert (await client.get(path)).status_code == 200
        before = {path: cache.cached_page(path.removeprefix("/api/md")) for path in (*unchanged, changed)}
        assert None not in before.values()
        store = await cache.listing(listings[0], never)
        await asyncio.to_thread(site.content.publisher.refresh)
        assert [cache.cached_page(path.removeprefix("/api/md")) for path in unchanged] == [
            before[path] for path in unchanged
        ]
        assert cache.cached_page(changed.removeprefix("/api/md")) is None
        assert "It is new." in (await client.get(changed)).text
        while "It is new." not in (await client.get(listings[1])).text:  # noqa: ASYNC110 no event signals the new text
            await asyncio.sleep(0)
        if runs:
            # The service has passed the listing of the other library, which is the older one.
            assert await cache.listing(listings[0], never) is store
    assert await supervisor.close(within_s=30) == []
    cache.close()


def never(content: SiteContent) -> list[str]:
    raise AssertionError(f"generated again from {content}")


async def test_text_that_was_generated_during_a_refresh_is_not_cached(
    settings: Settings, docs_from_files: Callable[[dict[str, str]], DocsSnapshot]
) -> None:
    site = open_site(settings, source=SnapshotSource(*(three_pages(docs_from_files, word) for word in ("old", "new"))))
    cache = MachineReadableCache(site)

    def generate() -> TaggedText:
        site.content.publisher.refresh()
        return tagged(["It is old."], DependencyRecorder())

    text = await cache.page(site.content.publisher.docs, "a", generate)
    assert gzip.decompress(text.packed.content) == b"It is old."
    assert cache.cached_page("a") is None
