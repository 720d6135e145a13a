"""Which files of an export an edit makes stale, and in which order they are written."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from kinfolk.cli.export.exporter import Exporter, ExportResult
from kinfolk.cli.export.site_renderer import Exported, ExportedFile, SiteRenderer
from kinfolk.cli.export.stale_files import Order, StaleFiles
from kinfolk.cli.export.tree import ExportManifest
from kinfolk.cli.export.worker import Written
from kinfolk.config.docs_address import Ref
from kinfolk.config.site_folder import DEFAULTS
from kinfolk.content.dependencies import BranchRevision, Dependency, FileContent, FrameworkTitles, cdn_tag, purge_tags

pytestmark = pytest.mark.anyio

REF = Ref("acme/lib", "main")
A, B = FileContent(REF, "docs/a.md"), FileContent(REF, "docs/b.md")
TITLES, REVISION = FrameworkTitles(REF, "react", is_reference=False), BranchRevision(REF)
TAGS: dict[str, set[Dependency]] = {
    "/lib/latest/docs/a": {A},
    "/lib/latest/docs/a.md": {A},
    "/lib/latest/docs/b": {B, TITLES},
    "/llms-full.txt": {REVISION},
}


def header_tags(dependencies: Iterable[Dependency]) -> frozenset[str]:
    """The tags in the header of a response with these dependencies."""
    return frozenset(map(cdn_tag, purge_tags(dependencies)))


class FakeRenderer:
    """Exports each address as one file with a counter."""

    def __init__(self) -> None:
        self.exported: list[str] = []
        self.faults: dict[str, Exported] = {}
        self.links: tuple[str, ...] = ()

    async def export(self, target: str) -> Exported:
        self.exported.append(target)
        if target in self.faults:
            return self.faults[target]
        tags = header_tags(TAGS.get(target, ()))
        content = f"version {len(self.exported)}".encode()
        return Exported(target, (ExportedFile(file_name(target), content),), self.links, tags)


def file_name(target: str) -> str:
    return target[1:].replace("/", "-")


class Export:
    """A folder with one file for each of TAGS."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        names = {target: file_name(target) for target in TAGS}
        for name in names.values():
            (folder / name).write_text("version 0")
        ExportManifest(dict.fromkeys(names.values(), "")).write(folder)
        addresses = {
            target: Written(target, {name: ""}, (), header_tags(TAGS[target]), "", "") for target, name in names.items()
        }
        self.renderer = FakeRenderer()
        settings = SimpleNamespace(site=DEFAULTS)
        exporter = SimpleNamespace(folder=folder, records={}, site=SimpleNamespace(settings=settings))
        self.stale = StaleFiles(
            cast("Exporter", exporter),
            cast("SiteRenderer", self.renderer),
            ExportResult(addresses, len(names), 0, 0, ()),
        )

    def edit(self, *stale: Dependency) -> None:
        self.stale.add(frozenset(stale))

    async def export(self) -> list[tuple[Order, list[str]]]:
        """Export everything but the search. Returns the groups."""
        groups: list[tuple[Order, list[str]]] = []
        while (order := self.stale.next_order()) not in (Order.SEARCH, None):
            groups.append((order, await self.stale.export_group(order)))
        return groups


@pytest.fixture
def export(tmp_path: Path) -> Export:
    return Export(tmp_path)


async def test_pages_of_the_edited_file_are_exported_first(export: Export) -> None:
    export.edit(A, TITLES, REVISION)
    assert await export.export() == [
        (Order.EDITED, ["/lib/latest/docs/a", "/lib/latest/docs/a.md"]),
        (Order.OTHER, ["/lib/latest/docs/b"]),
        (Order.TEXT, ["/llms-full.txt"]),
    ]
    assert export.stale.next_order() is Order.SEARCH


async def test_latest_edit_is_exported_before_the_rest_of_an_earlier_one(export: Export) -> None:
    export.edit(A, TITLES, REVISION)
    export.edit(B)
    await export.export()
    assert export.renderer.exported == [
        "/lib/latest/docs/b",
        "/lib/latest/docs/a",
        "/lib/latest/docs/a.md",
        "/llms-full.txt",
    ]


async def test_page_that_a_later_edit_makes_stale_again_keeps_its_order(export: Export) -> None:
    export.edit(B)
    export.edit(TITLES)
    assert [order for order, _ in await export.export()] == [Order.EDITED]


async def test_purge_without_an_edit_leaves_the_search_alone(export: Export) -> None:
    export.stale.collect(purge_tags([A]))
    export.stale.add(frozenset())
    assert [order for order, _ in await export.export()] == [Order.EDITED]
    assert export.stale.next_order() is None


async def test_new_links_are_exported(export: Export) -> None:
    export.renderer.links = ("/lib/latest/docs/new/", "/lib/latest/docs/b/")
    export.edit(A)
    await export.export()
    assert export.renderer.exported == ["/lib/latest/docs/a", "/lib/latest/docs/a.md", "/lib/latest/docs/new"]


async def test_missing_page_is_removed_and_exported_again_when_it_exists(export: Export) -> None:
    page = "/lib/latest/docs/a"
    tags = header_tags([A])
    export.renderer.faults[page] = Exported(page, tags=tags, fault="status 404", is_missing=True)
    export.edit(A)
    await export.export()
    assert not (export.folder / file_name(page)).exists()
    assert file_name(page) not in ExportManifest.read(export.folder).digests
    export.renderer.faults.clear()
    export.edit(A)
    await export.export()
    assert (export.folder / file_name(page)).exists()


async def test_page_that_cannot_be_rendered_now_stays(export: Export) -> None:
    page = "/lib/latest/docs/a"
    export.renderer.faults[page] = Exported(page, fault="status 503")
    export.edit(A)
    await export.export()
    assert (export.folder / file_name(page)).read_text() == "version 0"
    export.renderer.faults.clear()
    export.edit(A)
    await export.export()
    assert (export.folder / file_name(page)).read_text() != "version 0"
