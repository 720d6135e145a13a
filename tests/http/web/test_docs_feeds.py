"""Atom feeds of changes in the docs."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import feedparser
import httpx
import pytest
from lxml import etree
from tests.inputs.docs_pages import write_docs
from tests.suite.delegating_tree import DelegatingTree
from tests.suite.snapshot_source import SnapshotSource

from kinfolk.config.catalog import Catalog
from kinfolk.config.settings import Settings
from kinfolk.content.dependencies import cdn_purge_tags
from kinfolk.content.docs import DocsSnapshot
from kinfolk.content.sources.directory import DirectorySource
from kinfolk.content.sources.snapshot import FileHistory, Snapshot, Tree
from kinfolk.site.site import Site, open_site
from kinfolk.web.app import SiteApp

pytestmark = pytest.mark.anyio

ORIGIN = "http://127.0.0.1:8000"
SCHEMA = Path(__file__).parents[2] / "samples/atom.rng"
BASE = "TanStack/query/main/docs"
FILES = {
    f"{BASE}/overview.md": "---\ntitle: Overview\ndescription: What it <b>does</b> & why.\n---\n\nText.\n",
    f"{BASE}/guides/caching.md": "# How \x0bcaching works\n\nText.\n",
    f"{BASE}/framework/react/guides/caching.md": "---\nref: docs/guides/caching.md\n---\n",
    f"{BASE}/install.md": "---\nredirect_from: [setup]\ntitle: Install\n---\n\nText.\n",
    "TanStack/query/v4/docs/overview.md": "# Old overview\n",
}
DATES = {
    "docs/overview.md": (datetime(2026, 3, 1, 12, tzinfo=UTC), ("Ada Lovelace", "Grace Hopper")),
    "docs/guides/caching.md": (datetime(2026, 3, 5, 8, 30, tzinfo=UTC), ()),
    "docs/framework/react/guides/caching.md": (datetime(2025, 1, 1, tzinfo=UTC), ("Grace Hopper",)),
}

Dates = Mapping[str, tuple[datetime, tuple[str, ...]]]


@dataclass(frozen=True)
class DatedTree(DelegatingTree):
    """A tree with the given histories of files."""

    dates: Dates

    def history(self, path: str) -> FileHistory | None:
        return FileHistory(*self.dates[path]) if path in self.dates else None


def dated(snapshot: Snapshot, dates: Dates) -> Snapshot:
    trees: dict[Any, Tree] = {ref: DatedTree(tree, dates) for ref, tree in snapshot.trees.items()}
    return Snapshot(trees)


@asynccontextmanager
async def reading(site: Site) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(SiteApp(site)), base_url="http://k") as client:
        yield client


@pytest.fixture(scope="module")
def snapshot(catalog: Catalog, tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    root = tmp_path_factory.mktemp("feeds") / "repos"
    write_docs(root, FILES)
    return dated(DirectorySource(root, catalog.refs, "test docs").open(), DATES)


@pytest.fixture(scope="module")
def site(settings: Settings, snapshot: Snapshot) -> Site:
    """A site whose docs stay as they are."""
    return open_site(settings, source=SnapshotSource(snapshot))


async def parsed(client: httpx.AsyncClient, path: str) -> Any:
    """The feed, after it has been validated by the schema of RFC 4287."""
    answer = await client.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/atom+xml; charset=utf-8")
    schema = etree.RelaxNG(etree.parse(SCHEMA))
    schema.assertValid(etree.fromstring(answer.content))
    feed = feedparser.parse(answer.content)
    assert not feed.bozo
    return feed


async def test_library_feed_lists_pages_by_their_last_change(site: Site) -> None:
    async with reading(site) as client:
        feed = await parsed(client, "/query/changes.atom")
    base = f"{ORIGIN}/query/latest/docs"
    assert [(entry.title, entry.updated, entry.link) for entry in feed.entries] == [
        ("How caching works", "2026-03-05T08:30:00Z", f"{base}/framework/react/guides/caching"),
        ("How caching works", "2026-03-05T08:30:00Z", f"{base}/guides/caching"),
        ("Overview", "2026-03-01T12:00:00Z", f"{base}/overview"),
    ]
    assert (feed.feed.updated, feed.feed.id) == ("2026-03-05T08:30:00Z", f"{ORIGIN}/query/changes.atom")
    assert len({entry.id for entry in feed.entries}) == 3


async def test_entry_names_authors_description_and_the_history_of_its_text(site: Site) -> None:
    async with reading(site) as client:
        feed = await parsed(client, "/query/changes.atom")
    first, _, last = feed.entries
    assert [author.name for author in last.authors] == ["Ada Lovelace", "Grace Hopper"]
    assert [author.name for author in first.authors] == [site.catalog.product]
    assert last.content[0].value == "What it <b>does</b> & why."
    related = [link.href for link in first.links if link.rel == "related"]
    assert related == ["https://github.com/TanStack/query/commits/main/docs/guides/caching.md"]


async def test_page_feed_has_the_entry_of_the_library_feed(site: Site) -> None:
    async with reading(site) as client:
        of_page = await parsed(client, "/query/latest/docs/overview.atom")
        of_library = await parsed(client, "/query/changes.atom")
    (entry,) = of_page.entries
    assert entry.id == of_library.entries[-1].id == f"{ORIGIN}/query/latest/docs/overview#2026-03-01T12:00:00Z"
    assert of_page.feed.title == "Changes to Overview"


async def test_page_without_known_history_has_an_empty_feed(site: Site) -> None:
    async with reading(site) as client:
        feed = await parsed(client, "/query/latest/docs/install.atom")
    assert feed.entries == []
    assert feed.feed.updated


async def test_feed_of_an_old_version(site: Site) -> None:
    async with reading(site) as client:
        feed = await parsed(client, "/query/v4/docs/overview.atom")
        latest = await parsed(client, "/query/v5/docs/overview.atom")
    assert feed.entries[0].link == f"{ORIGIN}/query/v4/docs/overview"
    assert latest.entries[0].link == f"{ORIGIN}/query/latest/docs/overview"


async def test_new_change_replaces_the_entry_and_purges_the_feeds(settings: Settings, snapshot: Snapshot) -> None:
    source = SnapshotSource(snapshot)
    site = open_site(settings, source=source)
    purged: set[str] = set()
    site.content.publisher.on_purge(purged.update)
    async with reading(site) as client:
        tags = [
            set((await client.get(path)).headers["cache-tag"].split(","))
            for path in ("/query/changes.atom", "/query/latest/docs/overview.atom")
        ]
        untouched = set((await client.get("/query/latest/docs/guides/caching.atom")).headers["cache-tag"].split(","))
        later = {**DATES, "docs/overview.md": (datetime(2026, 4, 1, tzinfo=UTC), ("Ada Lovelace",))}
        source.snapshot = dated(source.snapshot, later)
        site.content.publisher.refresh()
        feed = await parsed(client, "/query/changes.atom")
        page = await parsed(client, "/query/latest/docs/overview.atom")
    assert all(cdn_purge_tags(purged) & each for each in tags)
    assert not cdn_purge_tags(purged) & untouched
    assert feed.entries[0].id == page.entries[0].id == f"{ORIGIN}/query/latest/docs/overview#2026-04-01T00:00:00Z"


async def test_feeds_are_cached_and_revalidated_like_pages(site: Site) -> None:
    async with reading(site) as client:
        first = await client.get("/query/changes.atom")
        assert first.headers["cdn-cache-control"] == "max-age=300, stale-while-revalidate=300, stale-if-error=86400"
        again = await client.get("/query/changes.atom", headers={"if-none-match": first.headers["etag"]})
        head = await client.head("/query/latest/docs/overview.atom")
    assert again.status_code == 304
    assert (head.status_code, head.content) == (200, b"")


async def test_library_feed_has_at_most_50_entries(
    settings: Settings, docs_from_files: Callable[[dict[str, str]], DocsSnapshot]
) -> None:
    names = [f"page-{number:03}" for number in range(60)]
    snapshot = docs_from_files({f"{BASE}/{name}.md": f"# {name}\n" for name in names}).snapshot
    dates = {f"docs/{name}.md": (datetime(2026, 1, 1, 0, at, tzinfo=UTC), ()) for at, name in enumerate(names)}
    site = open_site(settings, source=SnapshotSource(dated(snapshot, dates)))
    async with reading(site) as client:
        feed = await parsed(client, "/query/changes.atom")
    assert [entry.title for entry in feed.entries] == [f"page-{number:03}" for number in range(59, 9, -1)]


@pytest.mark.parametrize(
    ("path", "status", "location"),
    [
        ("/query/v99/docs/overview.atom", 307, "/query/latest/docs/overview.atom"),
        ("/query/latest/docs/setup.atom", 301, "/query/latest/docs/install.atom"),
        ("/query/latest/docs/nope.atom", 404, None),
        ("/query/latest/docs/%20/..hidden.atom", 404, None),
        ("/nope/changes.atom", 404, None),
        ("/query/release-changes.atom", 404, None),
        ("/nope/latest/docs/overview.atom", 404, None),
        ("/query/v3/docs/overview.atom", 503, None),
        ("/router/changes.atom", 503, None),
    ],
)
async def test_missing_feeds(site: Site, path: str, status: int, location: str | None) -> None:
    async with reading(site) as client:
        answer = await client.get(path)
    assert (answer.status_code, answer.headers.get("location")) == (status, location)


async def test_llms_txt_names_the_feed_of_the_latest_version(site: Site) -> None:
    async with reading(site) as client:
        assert f"{ORIGIN}/query/changes.atom" in (await client.get("/query/latest/llms.txt")).text
        assert "changes.atom" not in (await client.get("/query/v4/llms.txt")).text
