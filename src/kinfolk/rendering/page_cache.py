"""The page cache: pages stay until content that they show changes. Pages that are requested often stay longest.

key, url = page_key(path, query)
page = pages.get(key) or await pages.obtain(key, lambda: renderer.render(url, run_query))
response = page.response(accept_encoding, if_none_match)
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import urlsplit

import structlog

from kinfolk.config.docs_address import PREVIEWS
from kinfolk.config.routes import match_route
from kinfolk.rendering.page_key import page_key
from kinfolk.rendering.rendered_page import PageOptions, RenderedPage, build_page, recompress
from kinfolk.rendering.v8_renderer import PageRedirect, RenderResult
from kinfolk.runtime.cache import CacheBudget, CachePriority, LRUCache, SegmentedLRUCache
from kinfolk.runtime.errors import SiteError
from kinfolk.runtime.single_flight import SingleFlight

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

RECOMPRESS_AFTER_HITS = 3
MISSING_SHARE = 16
"""Redirects, missing pages and pages with a query get a sixteenth of the cache: requests for made-up addresses do not
evict existing pages."""
PRERENDERED_SHARE = 0.75
"""Share of the cache up to which pages are rendered ahead. The rest is for requested pages of other versions."""


@dataclass(frozen=True)
class RenderStart:
    """The purge generation at which a render began."""

    generation: int


@dataclass
class _CachedPage:
    page: RenderedPage
    hits: int = 0
    recompressed: bool = False


class PageCache:
    """The pages that are used most, up to `limit_bytes` for all encodings together. For one event loop."""

    def __init__(
        self, limit_bytes: int, *, options: PageOptions | None = None, caches: CacheBudget | None = None
    ) -> None:
        budget = caches or CacheBudget(limit_bytes)
        missing_bytes = limit_bytes // MISSING_SHARE
        self.misses = 0
        self._options = options or PageOptions()
        budget.add("encoded pages", CachePriority.PICTURES, self._options.encoded)
        self._found: LRUCache[str, _CachedPage] = budget.add(
            "pages", CachePriority.PAGES, SegmentedLRUCache(limit_bytes - missing_bytes)
        )
        self._missing: LRUCache[str, _CachedPage] = budget.add(
            "missing pages", CachePriority.MISSING, LRUCache(missing_bytes)
        )
        self._flights: SingleFlight[str, RenderedPage] = SingleFlight()
        self._generation = 0
        self._cleared = 0
        self._purged: dict[str, int] = {}
        self._rendering = 0

    def get(self, key: str) -> RenderedPage | None:
        """The cached page."""
        entry = self._found.get(key) or self._missing.get(key)
        if entry is None:
            self.misses += 1
            return None
        entry.hits += 1
        return entry.page

    @property
    def has_room(self) -> bool:
        """Whether more pages fit that nothing has requested yet."""
        return self._found.weight < self._found.limit * PRERENDERED_SHARE

    def __contains__(self, key: str) -> bool:
        """Whether the page is cached. Does not count as a request."""
        return key in self._found or key in self._missing

    async def obtain(self, key: str, render: Callable[[], Awaitable[RenderResult]]) -> RenderedPage:
        """The cached page, else the one that `render` returns. Concurrent calls for a key share one render."""
        entry = self._found.get(key) or self._missing.get(key)
        if entry is not None:
            return entry.page

        async def make() -> RenderedPage:
            start = self.begin()
            self._rendering += 1
            try:
                return await self.put(start, key, await render())
            finally:
                self._rendering -= 1
                if not self._rendering:
                    self._purged.clear()  # only renders that began before a purge compare with it

        return await self._flights.do(key, make)

    def begin(self) -> RenderStart:
        """Call this before the render reads its first data."""
        return RenderStart(self._generation)

    async def put(self, start: RenderStart, key: str, rendered: RenderResult) -> RenderedPage:
        """Build the page in a thread. Cache it unless it is private, failed, or was purged since `start`."""
        if isinstance(rendered, PageRedirect) and redirect_key(rendered.location) == key:
            log.error("page redirects to itself", key=key, location=rendered.location)
            raise SiteError("This page could not be rendered")
        path, query, _ = key.partition("?")
        route = match_route(path).route
        robots = "noindex" if query and not route.indexed_query else ""
        if path.startswith(PREVIEWS):
            # Authors of pull requests write these pages, and their links, before they are reviewed.
            robots = "noindex, nofollow"
        page = await asyncio.to_thread(build_page, rendered, route=route, options=self._options, robots=robots)
        if page.shared and page.status < HTTPStatus.INTERNAL_SERVER_ERROR and self._is_current(start, page):
            self._store(key, _CachedPage(page))
        return page

    def purge(self, tags: Iterable[str]) -> int:
        """Drop every page with any of these tags, also pages that are being rendered. Returns how many were cached."""
        stale = frozenset(tags)
        self._generation += 1
        self._purged |= dict.fromkeys(stale, self._generation)
        self._flights.forget()
        dropped = 0
        # A scan of 2,000 pages takes two milliseconds, so there is no index by tag.
        for pages in (self._found, self._missing):
            for key, entry in pages.items():
                if not stale.isdisjoint(entry.page.tags):
                    pages.remove(key)
                    dropped += 1
        return dropped

    def clear(self) -> None:
        """Drop all pages, also those that are being rendered."""
        self._generation += 1
        self._cleared = self._generation
        self._flights.forget()
        for pages in (self._found, self._missing):
            pages.clear()

    async def recompress_popular(self, limit: int = 4) -> int:
        """Compress the most requested pages at the best quality, one at a time in a thread. Returns how many."""
        popular = [
            entry
            for _, entry in self._found.items()
            if entry.hits >= RECOMPRESS_AFTER_HITS and not entry.recompressed and entry.page.encoding == "br"
        ]
        popular.sort(key=lambda entry: entry.hits, reverse=True)
        for entry in popular[:limit]:
            entry.recompressed = True
            # Its weight in the cache stays that of the larger page: it may have been purged meanwhile.
            entry.page = await asyncio.to_thread(recompress, entry.page)
        return len(popular[:limit])

    @property
    def weight(self) -> int:
        """Bytes in memory."""
        return self._found.weight + self._missing.weight

    def __len__(self) -> int:
        return len(self._found) + len(self._missing)

    def _store(self, key: str, entry: _CachedPage) -> None:
        target, other = self._found, self._missing
        if entry.page.status != HTTPStatus.OK or "?" in key:
            target, other = other, target
        other.remove(key)
        target.put(key, entry, weight=entry.page.weight + len(key))

    def _is_current(self, start: RenderStart, page: RenderedPage) -> bool:
        last_purge = max((self._purged.get(tag, 0) for tag in page.tags), default=0)
        return max(last_purge, self._cleared) <= start.generation


def redirect_key(location: str) -> str | None:
    """The cache key of a redirect's target; None for a target on another site."""
    if not location.startswith("/"):
        return None
    target = urlsplit(location)
    try:
        return page_key(target.path, target.query)[0]
    except SiteError:
        return None
