"""Releases as versions: found by their numbers, opened on demand, dropped when others are read."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from pathlib import Path

import pytest

from kinfolk.config.catalog import Catalog, load_catalog
from kinfolk.config.catalog.releases import Tag
from kinfolk.config.docs_address import Ref
from kinfolk.content.dependencies import releases_of_library
from kinfolk.content.docs import ContentReader, DocsSnapshot
from kinfolk.content.docs.snapshots.release_docs import ReleaseDocs
from kinfolk.content.markdown.processes.plain_text_fallback import MarkdownRenderer
from kinfolk.content.redirects import Redirects
from kinfolk.content.sources.directory import DirectorySource
from kinfolk.content.sources.git.tags.tag_contents import TagContents
from kinfolk.content.sources.snapshot import Snapshot
from kinfolk.runtime.errors import NotFound, Refused, Unavailable

REPO = "acme/tiles"
TILES = """
repo = "acme/tiles"
latest_version = "v2"
versions = [{ name = "v2" }, { name = "v1", branch = "v1" }]
frameworks = ["solid", "react"]
packages = [{ name = "@acme/solid-tiles@2", framework = "solid" }, { name = "@acme/tiles@2", framework = "react" }]
"""
FAMILY = """
family = "Acme"
first_framework = "react"
frameworks = [
    { value = "solid", label = "Solid", color = "blue-500" },
    { value = "react", label = "React", color = "sky-500" },
]
"""


class Contents(TagContents):
    """Tags whose docs are folders. Only fetched ones can be opened."""

    def __init__(self, root: Path) -> None:
        super().__init__(root, lambda repo: repo, timeout_s=1, limit_bytes=1)
        self.listed: list[Tag] = []
        self.fetched: set[str] = set()
        self.opened: list[str] = []
        self.deletions = 0
        self.folder = root

    def add(self, *names: str) -> None:
        for name in names:
            page = self.folder / REPO / name / "docs/page.md"
            page.parent.mkdir(parents=True)
            page.write_text(f"# Page of {name}\n\n[other](./other.md)\n")
            self.listed.append(Tag(name, f"commit of {name}", date(2026, 1, 1), {"docs": f"tree of {name}"}))

    def tags(self, repo: str) -> tuple[Tag, ...]:
        return tuple(self.listed) if repo == REPO else ()

    def listed_at_ns(self, repo: str) -> int | None:
        return len(self.tags(repo))

    def generation(self, repo: str) -> int:
        return self.deletions if repo == REPO else 0

    def open(self, ref: Ref, commit: str, folders: Iterable[str]) -> object:  # type: ignore[override]
        assert (commit, tuple(folders)) == (f"commit of {ref.branch}", ("docs",))
        self.opened.append(ref.branch)
        if ref.branch not in self.fetched:
            return None
        return DirectorySource(self.folder, [ref], "tags").open().tree(ref)

    def fetch(self, ref: Ref, commit: str, folders: Iterable[str]) -> object:  # type: ignore[override]
        self.fetched.add(ref.branch)
        return self.open(ref, commit, folders)


@pytest.fixture
def catalog(tmp_path: Path) -> Catalog:
    (tmp_path / "libraries").mkdir()
    (tmp_path / "kinfolk.toml").write_text(FAMILY)
    (tmp_path / "libraries/tiles.toml").write_text(TILES)
    return load_catalog(tmp_path)


@pytest.fixture
def contents(tmp_path: Path) -> Contents:
    found = Contents(tmp_path / "tags")
    found.add("v2.0.0", "v2.1.0", "@acme/solid-tiles@2.2.0", "v1.0.0")
    return found


@pytest.fixture
def releases(catalog: Catalog, contents: Contents) -> ReleaseDocs:
    opened = ReleaseDocs(catalog, contents, MarkdownRenderer(), most_open=2)
    opened.update()
    return opened


def reader(catalog: Catalog, releases: ReleaseDocs) -> ContentReader:
    return ContentReader(DocsSnapshot(catalog, Redirects({}, {}, (), {}), Snapshot({}), releases=releases))


def test_changed_list_of_tags_is_read_again(catalog: Catalog, contents: Contents, releases: ReleaseDocs) -> None:
    library = catalog.library("tiles")
    assert [each.number for each in library.releases.table.all] == ["solid@2.2.0", "2.1.0", "2.0.0", "1.0.0"]
    assert releases.update() == frozenset()
    contents.add("v2.3.0")
    assert releases.update() == {releases_of_library("tiles")}
    assert library.releases.table.newest == library.releases.table.find("2.3.0")


def test_page_of_a_fetched_release_keeps_its_number(catalog: Catalog, releases: ReleaseDocs) -> None:
    ref = catalog.library("tiles").ref("2.0.0")
    releases.fetch(ref)
    docs = reader(catalog, releases)
    location = docs.locate(ref, "docs/page.md", "2.0.0")
    assert str(location.address) == "/tiles/2.0.0/docs/page"
    assert docs.page(location).title == "Page of v2.0.0"


def test_release_that_is_not_fetched_is_unavailable(catalog: Catalog, releases: ReleaseDocs) -> None:
    docs = reader(catalog, releases)
    ref = catalog.library("tiles").ref("2.0.0")
    assert docs.find_branch(ref) is None
    with pytest.raises(Unavailable):
        docs.branch(ref)


def test_other_tags_are_no_sources(catalog: Catalog, releases: ReleaseDocs) -> None:
    with pytest.raises(Refused):
        reader(catalog, releases).branch(Ref(REPO, "v9.9.9"))
    with pytest.raises(NotFound):
        releases.fetch(Ref(REPO, "v9.9.9"))
    assert releases.find(Ref("acme/other", "v2.0.0")) is None


def test_releases_are_closed_when_others_are_read(catalog: Catalog, contents: Contents, releases: ReleaseDocs) -> None:
    first, second, third = (Ref(REPO, tag) for tag in ("v2.0.0", "v2.1.0", "v1.0.0"))
    for ref in (first, second, third):
        releases.fetch(ref)
        assert releases.find(ref) is releases.find(ref)
    contents.opened.clear()
    assert releases.find(second) is not None
    assert contents.opened == []
    assert releases.find(first) is not None
    assert contents.opened == ["v2.0.0"]


def test_release_whose_contents_were_deleted_is_opened_again(
    catalog: Catalog, contents: Contents, releases: ReleaseDocs
) -> None:
    ref = catalog.library("tiles").ref("2.0.0")
    releases.fetch(ref)
    first = releases.find(ref)
    contents.deletions += 1
    contents.fetched.clear()
    assert releases.find(ref) is None
    assert not releases.is_fetched(ref)
    releases.fetch(ref)
    assert releases.find(ref) not in (None, first)


def test_path_of_a_file_begins_with_its_tag(catalog: Catalog, releases: ReleaseDocs) -> None:
    del releases
    for tag in ("v2.0.0", "@acme/solid-tiles@2.2.0", "v1"):
        assert catalog.ref_of_path(REPO, f"{tag}/docs/a/b.png") == (Ref(REPO, tag), "docs/a/b.png")
    assert catalog.ref_of_path(REPO, "v9.9.9/docs/a.png") is None
    assert catalog.ref_of_path("acme/other", "v2.0.0/docs/a.png") is None
