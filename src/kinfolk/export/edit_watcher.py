"""Exports edits as they happen: a site in this process renders the pages that an edit has made stale."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Callable, Collection
from pathlib import Path

from kinfolk.dependencies import Dependency
from kinfolk.errors import SiteError
from kinfolk.export.addresses import first_addresses
from kinfolk.export.exporter import Exporter, ExportOptions, ExportResult, exported_target
from kinfolk.export.layout import kind_of
from kinfolk.export.search_files import search_files
from kinfolk.export.site_renderer import Exported, SiteRenderer
from kinfolk.export.tree import ExportManifest, replace_file
from kinfolk.http_headers import cache_tag
from kinfolk.npm.npm_config import load_npm_config
from kinfolk.search.docs_index.index_build import SearchableContent
from kinfolk.search.ranking_config import load_ranking_config

EVERY_S = 0.2
"""Seconds between two looks at the content."""
Report = Callable[[str], None]


def watch_edits(exporter: Exporter, result: ExportResult, options: ExportOptions, *, report: Report) -> None:
    """Export each edit until the process is interrupted."""
    try:
        asyncio.run(_watch(exporter, result, options, report))
    except KeyboardInterrupt:
        report("Stopped.")


async def _watch(exporter: Exporter, result: ExportResult, options: ExportOptions, report: Report) -> None:
    async with SiteRenderer.open(exporter.site.settings, share_images=options.share_images) as renderer:
        changes = _Changes(exporter, renderer, result)
        publisher = renderer.site.publisher
        publisher.on_purge(changes.collect)
        # What was edited during the export.
        await asyncio.to_thread(publisher.refresh_content)
        report("Ready.")
        while True:
            started = time.perf_counter()
            try:
                await asyncio.to_thread(publisher.refresh_content)
                await asyncio.to_thread(publisher.refresh_other_sources)
                exported = await changes.export()
            except SiteError as failure:
                report(failure.message)
                exported = []
            if exported:
                shown = ", ".join(exported[:3]) + (f" and {len(exported) - 3} more" if len(exported) > 3 else "")  # noqa: PLR2004 - as many as fit
                report(f"Exported {shown} in {time.perf_counter() - started:.2f} s")
                if await changes.export_texts():
                    report(
                        f"Texts about many pages and the search are current after {time.perf_counter() - started:.2f} s"
                    )
            await asyncio.sleep(EVERY_S)


class _Changes:
    """What edits have made stale, and the export of it."""

    def __init__(self, exporter: Exporter, renderer: SiteRenderer, result: ExportResult) -> None:
        self._folder = exporter.folder
        self._renderer = renderer
        self._records = exporter.records
        self._manifest = ExportManifest.read(exporter.folder)
        self._tags = {target: written.tags for target, written in result.addresses.items()}
        self._files = {target: tuple(written.digests) for target, written in result.addresses.items()}
        self._stale: set[str] = set()
        self._later: dict[str, None] = {}
        self._comparisons = load_npm_config(exporter.site.settings.site).categories

    def collect(self, tags: Collection[str] | Collection[Dependency]) -> None:
        """Note the tags of a purge. Called in other threads."""
        self._stale |= {cache_tag(str(tag)) for tag in tags}

    async def export(self) -> list[str]:
        """Export the stale addresses, and return those that have changed."""
        if not self._stale:
            return []
        stale, self._stale = self._stale, set()
        wanted = [target for target, tags in self._tags.items() if not stale.isdisjoint(tags)]
        first = map(exported_target, first_addresses(self._renderer.site, self._comparisons))
        every = dict.fromkeys([*wanted, *(target for target in first if target and target not in self._tags)])
        queue = [target for target in every if kind_of(target) == "page"]
        self._later |= dict.fromkeys(target for target in every if kind_of(target) != "page")
        changed = []
        for target in queue:
            exported = await self._renderer.export(target)
            if self._write(exported):
                changed.append(target)
            for link in map(exported_target, exported.links):
                if link and link not in self._tags and link not in queue:
                    queue.append(link)
        if changed:
            self._manifest.write(self._folder)
        return changed

    async def export_texts(self) -> bool:
        """Write sitemaps, other texts and the records of changed pages, which take longer than pages."""
        later, self._later = self._later, {}
        for target in later:
            self._write(await self._renderer.export(target))
        site = self._renderer.site
        content = SearchableContent(
            site.publisher.docs,
            site.blog.published,
            load_ranking_config(site.settings.site),
            tuple(site.pages.valid_pages),
        )
        files = await asyncio.to_thread(search_files, content, self._records)
        changed = [self._replace(name, text) for name, text in files.files.items()]
        self._manifest.write(self._folder)
        return any(changed)

    def _write(self, exported: Exported) -> bool:
        """Replace the files of an address. A page that does not exist any more is removed. Whether anything changed."""
        target = exported.target
        names = tuple(file.name for file in exported.files)
        changed = [self._replace(file.name, file.content) for file in exported.files]
        gone = [name for name in self._files.get(target, ()) if name not in names]
        for name in gone:
            (self._folder / name).unlink(missing_ok=True)
            self._manifest.digests.pop(name, None)
        self._tags[target], self._files[target] = exported.tags, names
        return any(changed) or bool(gone)

    def _replace(self, name: str, content: bytes) -> bool:
        digest = hashlib.blake2b(content, digest_size=12).hexdigest()
        if self._manifest.digests.get(name) == digest:
            return False
        replace_file(Path(self._folder / name), content)
        self._manifest.digests[name] = digest
        return True
