"""The files of an export that an edit has made stale, and the order in which they are written again."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from enum import IntEnum

import structlog

from kinfolk.cli.export.addresses import first_addresses
from kinfolk.cli.export.exporter import Exporter, ExportResult, exported_target
from kinfolk.cli.export.file_names import kind_of
from kinfolk.cli.export.search_files import search_files
from kinfolk.cli.export.site_renderer import Exported, SiteRenderer
from kinfolk.cli.export.tree import ExportManifest, content_digest, replace_file
from kinfolk.content.dependencies import (
    BranchDates,
    BranchFrontMatter,
    BranchRevision,
    Collection,
    Dependency,
    DirectoryListing,
    ExampleContents,
    FrameworkTitles,
    cdn_purge_tags,
    cdn_tag,
    purge_tags,
)
from kinfolk.search.docs_index.index_build import SearchableContent
from kinfolk.search.ranking_config import load_ranking_config
from kinfolk.statistics.npm_config import load_npm_config

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

GROUP = 12
"""Addresses that are exported at once."""
_OF_A_BRANCH = BranchDates | BranchFrontMatter | BranchRevision | DirectoryListing | ExampleContents | FrameworkTitles


class Order(IntEnum):
    EDITED = 0
    """Pages and their Markdown that show the content of an edited file, and new pages."""
    OTHER = 1
    """Pages that depend on the titles of a branch or on which files it has. Few of them change."""
    TEXT = 2
    """Texts about many pages."""
    SEARCH = 3


class StaleFiles:
    """Collects what is stale, and exports it in groups."""

    def __init__(self, exporter: Exporter, renderer: SiteRenderer, result: ExportResult) -> None:
        self._folder = exporter.folder
        self._renderer = renderer
        self._records = exporter.records
        self._manifest = ExportManifest.read(exporter.folder)
        # A missing address without tags is exported with the next ones that are new.
        known = {target: written for target, written in result.addresses.items() if written.tags or not written.fault}
        self._tags = {target: written.tags for target, written in known.items()}
        self._files = {target: tuple(written.digests) for target, written in known.items()}
        self._purged: set[str] = set()
        self._pending: dict[str, Order] = {}
        self._is_search_stale = False
        self._comparisons = load_npm_config(exporter.site.settings.site).categories

    def collect(self, tags: Iterable[str]) -> None:
        """Note the tags of a purge."""
        self._purged.update(tags)

    def add(self, edited: frozenset[Dependency]) -> None:
        """Schedule the addresses with the tags of these dependencies, and those whose tags were purged otherwise."""
        stale, self._purged = self._purged | purge_tags(edited), set()
        if not stale:
            return
        purged = cdn_purge_tags(stale)
        of_branches = purge_tags(one for one in edited if isinstance(one, _OF_A_BRANCH))
        exact = frozenset(map(cdn_tag, stale - of_branches))
        found = {
            target: _order(target, is_edited=not exact.isdisjoint(tags))
            for target, tags in self._tags.items()
            if not purged.isdisjoint(tags)
        }
        if any(isinstance(one, DirectoryListing | Collection) for one in edited):
            found |= {target: _order(target, is_edited=True) for target in self._unknown_addresses()}
        # The latest edit comes first.
        earlier = {target: order for target, order in self._pending.items() if order < found.get(target, Order.SEARCH)}
        self._pending = found | earlier
        self._is_search_stale |= bool(edited)

    def next_order(self) -> Order | None:
        """The order of the next group. None when all files are current."""
        return min(self._pending.values(), default=Order.SEARCH if self._is_search_stale else None)

    async def export_group(self, order: Order) -> list[str]:
        """Export some addresses of an order. Returns those whose files have changed."""
        changed: list[str] = []
        if order is Order.SEARCH:
            self._is_search_stale = False
            await self._export_search()
        group = [target for target, its in self._pending.items() if its is order][:GROUP]
        for target in group:
            del self._pending[target]

        async def export(target: str) -> None:
            exported = await self._renderer.export(target)
            if self._write(exported):
                changed.append(target)
            for link in map(exported_target, exported.links):
                if link and link not in self._tags:
                    self._pending.setdefault(link, _order(link, is_edited=True))

        await asyncio.gather(*map(export, group))
        if changed or order is Order.SEARCH:
            self._manifest.write(self._folder)
        return changed

    def _unknown_addresses(self) -> Iterable[str]:
        first = map(exported_target, first_addresses(self._renderer.site, self._comparisons))
        return (target for target in first if target and target not in self._tags)

    async def _export_search(self) -> None:
        site = self._renderer.site
        content = SearchableContent(
            site.content.publisher.docs,
            site.content.blog.published,
            load_ranking_config(site.settings.site),
            tuple(site.content.pages.valid_pages),
        )
        files = await asyncio.to_thread(search_files, content, self._records)
        for name, text in files.files.items():
            self._replace(name, text)

    def _write(self, exported: Exported) -> bool:
        """Replace the files of an address. A page that does not exist any more is removed. Whether anything changed."""
        target = exported.target
        if exported.fault and not exported.is_missing:
            log.warning("not exported", address=target, reason=exported.fault)
            return False
        names = tuple(file.name for file in exported.files)
        changed = [self._replace(file.name, file.content) for file in exported.files]
        gone = [name for name in self._files.get(target, ()) if name not in names]
        for name in gone:
            (self._folder / name).unlink(missing_ok=True)
            self._manifest.digests.pop(name, None)
        self._tags[target], self._files[target] = exported.tags, names
        if exported.is_missing and not exported.tags:
            del self._tags[target]
        return any(changed) or bool(gone)

    def _replace(self, name: str, content: bytes) -> bool:
        digest = content_digest(content)
        if self._manifest.digests.get(name) == digest:
            return False
        replace_file(self._folder / name, content)
        self._manifest.digests[name] = digest
        return True


def _order(target: str, *, is_edited: bool) -> Order:
    if kind_of(target) == "page" or target.endswith(".md"):
        return Order.EDITED if is_edited else Order.OTHER
    return Order.TEXT
