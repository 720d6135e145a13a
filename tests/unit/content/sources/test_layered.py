"""Branches of the mirror take precedence over the bundled docs."""

from __future__ import annotations

from pathlib import Path

from kinfolk.config.catalog import Catalog
from kinfolk.config.docs_address import Ref
from kinfolk.config.settings import Settings
from kinfolk.content.sources.directory import DirectorySource
from kinfolk.content.sources.layered import LayeredSource
from kinfolk.content.sources.snapshot import Snapshot
from kinfolk.runtime.errors import Unavailable

QUERY = Ref("TanStack/query", "main")


class FixedSource:
    """A source with a fixed snapshot, or without docs."""

    def __init__(self, description: str, trees: Snapshot | None) -> None:
        self.description = description
        self.trees = trees
        self.opened = 0
        self.synced_s: float | None = None

    def open(self) -> Snapshot:
        self.opened += 1
        if self.trees is None:
            raise Unavailable("nothing")
        return self.trees

    def refresh(self, refs: object = None) -> Snapshot:
        del refs
        if self.trees is None:
            raise Unavailable("nothing")
        return self.trees

    def fetch_history(self, refs: object = None) -> Snapshot:
        return self.refresh(refs)

    def synced_at_s(self, ref: object = None) -> float | None:
        del ref
        return self.synced_s

    def tidy(self) -> None:
        pass

    def stop(self) -> None:
        pass


def test_mirrored_branch_takes_precedence(tmp_path: Path, catalog: Catalog, settings: Settings) -> None:
    file = tmp_path / "TanStack/query/main/docs/a.md"
    file.parent.mkdir(parents=True)
    file.write_text("# A")
    mirror = DirectorySource(tmp_path, catalog.refs, "test docs").open()
    bundled = DirectorySource(settings.content, catalog.refs, "the bundled docs")
    layered = LayeredSource(FixedSource("the mirror", mirror), bundled, lambda: True)
    trees = layered.open().trees
    assert trees[QUERY] is mirror.trees[QUERY]
    assert len(trees) == len(bundled.open().trees)
    assert layered.description.startswith("the mirror, the bundled docs for ")


def test_bundled_docs_are_used_without_a_mirror(settings: Settings, catalog: Catalog) -> None:
    bundled = DirectorySource(settings.content, catalog.refs, "the bundled docs")
    layered = LayeredSource(FixedSource("the mirror", None), bundled, lambda: False)
    assert layered.open().trees == bundled.open().trees
    assert layered.description == "the bundled docs"


def test_time_of_the_last_sync_is_that_of_the_served_source() -> None:
    mirror, bundled = FixedSource("the mirror", None), FixedSource("the bundled docs", None)
    mirror.synced_s, bundled.synced_s = 1.0, 2.0
    assert LayeredSource(mirror, bundled, lambda: True).synced_at_s() == 1
    assert LayeredSource(mirror, bundled, lambda: False).synced_at_s() == 2


def test_refresh_does_not_read_the_bundled_docs_again(settings: Settings, catalog: Catalog) -> None:
    bundled = FixedSource("the bundled docs", DirectorySource(settings.content, catalog.refs, "docs").open())
    layered = LayeredSource(FixedSource("the mirror", None), bundled, lambda: False)
    assert layered.refresh([QUERY]) == bundled.trees
    assert bundled.opened == 0


def test_mirror_that_was_deleted_stays_in_use(tmp_path: Path, catalog: Catalog, settings: Settings) -> None:
    file = tmp_path / "TanStack/query/main/docs/a.md"
    file.parent.mkdir(parents=True)
    file.write_text("# A")
    mirror = DirectorySource(tmp_path, catalog.refs, "test docs").open()
    bundled = DirectorySource(settings.content, catalog.refs, "the bundled docs")
    present = [True]
    layered = LayeredSource(FixedSource("the mirror", mirror), bundled, lambda: present[0])
    layered.open()
    present[0] = False

    assert layered.refresh().trees[QUERY] is mirror.trees[QUERY]
