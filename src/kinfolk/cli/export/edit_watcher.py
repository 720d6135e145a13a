"""Exports edits as they happen: a site in this process renders what an edit has made stale."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from kinfolk.cli.export.exporter import Exporter, ExportOptions, ExportResult
from kinfolk.cli.export.site_renderer import SiteRenderer
from kinfolk.cli.export.stale_files import Order, StaleFiles
from kinfolk.content.dependencies import Dependency
from kinfolk.content.docs.docs_source import checkouts
from kinfolk.content.docs.snapshots.docs_snapshot import DocsSnapshot
from kinfolk.content.docs.snapshots.publisher import DocsPublisher
from kinfolk.content.docs.snapshots.stale_dependencies import stale_dependencies
from kinfolk.content.sources.file_changes import file_changes
from kinfolk.content.sources.snapshot import changes
from kinfolk.runtime.errors import SiteError

CHECK_EVERY_S = 60
"""Seconds after which content is read again without an event: mirrors and some network file systems report none."""
RELEASE_DELAY_S = 3
"""Seconds until code of the docs is highlighted in advance after an edit: that reads all pages of the branch."""
MOST_SHOWN = 3
"""Addresses that one line of the report names."""
Report = Callable[[str], None]


def watch_edits(exporter: Exporter, result: ExportResult, options: ExportOptions, *, report: Report) -> None:
    """Export each edit until the process is interrupted."""
    try:
        asyncio.run(_watch(exporter, result, options, report))
    except KeyboardInterrupt:
        report("Stopped.")


async def _watch(exporter: Exporter, result: ExportResult, options: ExportOptions, report: Report) -> None:
    async with SiteRenderer.open(exporter.site.settings, share_images=options.share_images) as renderer:
        stale = StaleFiles(exporter, renderer, result)
        loop, changed = asyncio.get_running_loop(), asyncio.Event()

        def collect(tags: frozenset[str]) -> None:
            stale.collect(tags)
            changed.set()

        def on_purge(tags: frozenset[str]) -> None:
            loop.call_soon_threadsafe(collect, tags)

        publisher = renderer.site.content.publisher
        publisher.listener_delay_s = RELEASE_DELAY_S
        publisher.on_purge(on_purge)
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(_watch_files(exporter, changed))
            stale.add(await asyncio.to_thread(_edited_meanwhile, exporter.site.content.publisher.docs, publisher.docs))
            # The files are watched by now: this refresh finds what was edited before.
            stale.add(await asyncio.to_thread(_refresh, publisher, report))
            report("Ready.")
            await _export_changes(stale, publisher, changed, report)


async def _watch_files(exporter: Exporter, changed: asyncio.Event) -> None:
    """Set the event after each change of a file. The site folder may contain the folder of the export."""
    settings = exporter.site.settings
    folders = {settings.site, settings.content, *checkouts(settings, exporter.site.catalog).values()}
    async for _ in file_changes(folders, ignored=(settings.var, exporter.folder)):
        changed.set()


async def _export_changes(stale: StaleFiles, publisher: DocsPublisher, changed: asyncio.Event, report: Report) -> None:
    """Export what is stale, in its order. An edit meanwhile is exported before the rest of an earlier one."""
    started, written = time.perf_counter(), list[str]()
    while True:
        order = stale.next_order()
        if order is None:
            await _wait(changed, CHECK_EVERY_S)
            started = time.perf_counter()
        if order is None or changed.is_set():
            changed.clear()
            stale.add(await asyncio.to_thread(_refresh, publisher, report))
            continue
        written += await stale.export_group(order)
        if stale.next_order() != order:
            took = f"{time.perf_counter() - started:.2f} s"
            if order is Order.SEARCH:
                report(f"Texts about many pages and the search are current after {took}")
            elif written and order is not Order.TEXT:
                report(f"Exported {_shown(written)} in {took}")
            written = []


async def _wait(event: asyncio.Event, seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        pass


def _edited_meanwhile(exported: DocsSnapshot, current: DocsSnapshot) -> frozenset[Dependency]:
    """What edits of docs during the export have made stale."""
    return stale_dependencies(changes(exported.snapshot, current.snapshot), exported, current)


def _refresh(publisher: DocsPublisher, report: Report) -> frozenset[Dependency]:
    """Read the content again, and return what is stale. Blocks."""
    stale = frozenset[Dependency]()
    for refresh in (publisher.refresh_content, publisher.refresh_other_sources):
        try:
            stale |= refresh()
        except SiteError as failure:
            report(failure.message)
    return stale


def _shown(addresses: list[str]) -> str:
    more = len(addresses) - MOST_SHOWN
    return ", ".join(addresses[:MOST_SHOWN]) + (f" and {more} more" if more > 0 else "")
