"""Caches generated texts (llms.txt, docs.zip, sitemaps, Markdown of pages) until content that they show changes.

Texts are generated off the event loop.
"""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from kinfolk.api.content import SiteContent
from kinfolk.config.catalog import LATEST
from kinfolk.content.dependencies import DependencyRecorder
from kinfolk.content.docs import ContentReader, DocsSnapshot
from kinfolk.content.docs.snapshots.version_docs import list_version_docs
from kinfolk.runtime.cache import CachePriority, LRUCache, ThreadSafeLRUCache
from kinfolk.runtime.errors import SiteError
from kinfolk.runtime.services.lifecycle import Service
from kinfolk.runtime.services.supervisor import FailureLog, Supervisor
from kinfolk.runtime.services.throttle import Throttle, unthrottled
from kinfolk.runtime.single_flight import SingleFlight
from kinfolk.site.site import Site
from kinfolk.web.compression import GzippedText, ZipArchive, compress

CACHE_NAME = "machine-readable texts"
LISTINGS_BYTES = 12 << 20
"""For listings: llms-full.txt of every version of every library has 5 MB compressed."""
RESERVED_BYTES = 4 << 20
"""Listings that stay when other caches need memory: to generate one again takes all pages."""
PAGES_BYTES = 4 << 20
ENTRY_BYTES = 1000
"""Memory of an entry besides its text."""
EXPORT_AFTER_S = 10.0
"""Seconds from the start until pages are exported in advance. First requests would take longer beside the export."""


@dataclass(frozen=True)
class TaggedText:
    """A text or an archive of texts, and the cache tags of the content that it shows."""

    packed: GzippedText | ZipArchive
    tags: frozenset[str]


def tagged(parts: Iterable[str], recorder: DependencyRecorder) -> TaggedText:
    """The whole text, with the tags of what `recorder` has recorded until its end."""
    text = _compressed(parts)
    return TaggedText(text, recorder.cache_tags)


def _compressed(parts: Iterable[str]) -> GzippedText:
    return compress(part.encode(errors="replace") for part in parts)


Generate = Callable[[SiteContent], Iterable[str] | ZipArchive]
"""Returns the parts of a listing, or an archive."""


@dataclass
class _Listing:
    """A listing with the docs snapshot and the blog version that it shows."""

    text: TaggedText
    docs: DocsSnapshot
    """The newest snapshot with the same content of these tags as the one that the text was generated from."""
    blog: str
    generate: Generate
    is_stale: bool = False
    """Whether a later docs snapshot has other content."""


class MachineReadableCache(Service):
    """Listings (texts about many pages) and texts of single pages.

    Between `start` and `close` a background service exports all pages in advance, and after each docs snapshot
    regenerates the listings with stale content that were requested before. Until then clients get the listing of the
    previous snapshot: complete, and from one commit of each repository. A static site has no such clients: its listings
    are always those of the current one.
    """

    def __init__(self, site: Site, *, export_after_s: float = EXPORT_AFTER_S) -> None:
        self._site = site
        self._export_after_s = export_after_s
        self._listings: ThreadSafeLRUCache[str, _Listing] = site.caches.add(
            CACHE_NAME, CachePriority.TEXTS, ThreadSafeLRUCache(LISTINGS_BYTES), reserve=RESERVED_BYTES
        )
        self._listing_flights: SingleFlight[tuple[DocsSnapshot, str, str], _Listing] = SingleFlight()
        self._pages: LRUCache[str, TaggedText] = site.caches.add(CACHE_NAME, CachePriority.TEXTS, LRUCache(PAGES_BYTES))
        self._page_flights: SingleFlight[tuple[DocsSnapshot, str], TaggedText] = SingleFlight()
        # A thread of its own: llms-full.txt takes seconds, and would delay pages in the executor of the event loop.
        self._generator = _generator_thread()
        self._regenerates = False
        self._work_available = threading.Event()
        self._failures = FailureLog("listing not made")
        self._stopping = threading.Event()
        site.content.publisher.on_snapshot(lambda _: self._work_available.set())
        site.content.publisher.on_purge(self._drop_stale)

    def start(self, supervisor: Supervisor) -> None:
        """Start the background service, except for a static site."""
        self._stopping.clear()
        if self._site.is_static:
            return
        self._regenerates = True
        supervisor.start(CACHE_NAME, self._run, stop=self._stop)

    def close(self) -> None:
        """Call it after the supervisor has stopped. Does not block."""
        self._stop()
        self._regenerates = False
        generator, self._generator = self._generator, _generator_thread()
        generator.shutdown(wait=False, cancel_futures=True)

    async def listing(self, name: str, generate: Generate, *, with_blog: bool = False) -> TaggedText:
        """The text of a listing. `with_blog`: it depends on posts, too, which have versions of their own."""
        docs = self._site.content.publisher.docs
        blog = self._site.content.blog.version if with_blog else ""
        cached = self._listings.get(name)
        if cached is None or cached.blog != blog or (cached.docs is not docs and not self._regenerates):
            loop, context = asyncio.get_running_loop(), contextvars.copy_context()
            cached = await self._listing_flights.do(
                (docs, name, blog),
                lambda: loop.run_in_executor(self._generator, context.run, self._generate, name, docs, blog, generate),
            )
        return cached.text

    def cached_page(self, name: str) -> TaggedText | None:
        """The text of a page, if it is cached."""
        return self._pages.get(name)

    async def page(self, docs: DocsSnapshot, name: str, generate: Callable[[], TaggedText]) -> TaggedText:
        """The text of a page, generated from this snapshot unless it is cached."""
        text = self._pages.get(name)
        if text is None:
            text = await self._page_flights.do((docs, name), lambda: asyncio.to_thread(generate))
            self._pages.put(name, text, weight=len(text.packed.content) + ENTRY_BYTES)
            # A snapshot that appears after this line drops the text itself if it is stale.
            if docs is not self._site.content.publisher.docs:
                self._pages.remove(name)
        return text

    def _generate(
        self,
        name: str,
        docs: DocsSnapshot,
        blog: str,
        generate: Generate,
        pause: Callable[[], None] = unthrottled,
    ) -> _Listing:
        """Generate a listing and store it. `pause` is called after each part."""
        content = SiteContent(self._site, docs)
        made = generate(content)
        packed = made if isinstance(made, ZipArchive) else _compressed(_with_pauses(made, pause))
        # The parts have been generated: the tags are complete.
        listing = _Listing(TaggedText(packed, content.recorder.cache_tags), docs, blog, generate)
        self._listings.put(name, listing, weight=len(listing.text.packed.content) + ENTRY_BYTES)
        if docs is not self._site.content.publisher.docs:
            # A snapshot has appeared meanwhile, and the service may have finished with it.
            listing.is_stale = True
            self._work_available.set()
        return listing

    def _drop_stale(self, tags: frozenset[str]) -> None:
        """Drop texts of pages with stale content, and listings with stale content outside of the docs.

        Those of an older docs snapshot are marked: the service replaces them.
        """
        for name, text in self._pages.items():
            if not tags.isdisjoint(text.tags):
                self._pages.remove(name)
        for name, listing in self._listings.items():
            if tags.isdisjoint(listing.text.tags):
                continue
            if listing.docs is self._site.content.publisher.docs:
                self._listings.remove(name)
            else:
                listing.is_stale = True

    # The background service

    def _stop(self) -> None:
        self._stopping.set()
        self._work_available.set()

    def _run(self) -> None:
        """The service. Work that raised an exception is repeated by the next call."""
        while True:
            self._work_available.clear()
            if self._stopping.is_set():
                return
            self._regenerate_listings()
            if self._work_available.wait(self._export_after_s):
                continue
            self._export_after_s = 0
            self._export_pages(self._site.content.publisher.docs)
            self._work_available.wait()

    def _regenerate_listings(self) -> None:
        """Generate the stale listings from the current docs, throttled."""
        throttle = Throttle(self._stopping.wait)
        for name, old in self._listings.items():
            docs = self._site.content.publisher.docs
            if old.docs is docs or self._stopping.is_set():
                continue
            if not old.is_stale:
                old.docs = docs
                continue
            try:
                blog = self._site.content.blog.version if old.blog else ""
                self._generate(name, docs, blog, old.generate, throttle.sleep)
            except SiteError:
                self._listings.remove(name)  # the next request generates it, or returns the error
            except Exception as failure:  # noqa: BLE001 - the next request generates it, or fails
                self._failures.failed(failure, listing=name)
                self._listings.remove(name)
            throttle.sleep()

    def _export_pages(self, docs: DocsSnapshot) -> None:
        """Export all pages, latest versions first, so that generating a listing only resolves links.

        Pages that fail are skipped. Raises the error of the first one afterwards.
        """
        failures: list[Exception] = []
        throttle = Throttle(self._work_available.wait)
        for version_docs in sorted(list_version_docs(ContentReader(docs)), key=lambda each: each.segment != LATEST):
            for path in version_docs.pages().values():
                if version_docs.docs.is_export_cached(version_docs.locate(path)):
                    continue
                try:
                    version_docs.export(path, self._site.settings.origin)
                except Exception as failure:  # noqa: BLE001 - raised after the other pages
                    self._failures.failed(failure, ref=str(version_docs.ref), path=path)
                    failures.append(failure)
                throttle.sleep()
                if self._work_available.is_set():
                    return
        if failures:
            raise failures[0]


def _with_pauses(parts: Iterable[str], pause: Callable[[], None]) -> Iterator[str]:
    for part in parts:
        yield part
        pause()


def _generator_thread() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, thread_name_prefix="texts")
