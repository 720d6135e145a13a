"""Atom feeds of changes in the docs, and of releases.

`/{library}/changes.atom` has the pages that changed last, `{page}.atom` the changes of one page. Of releases,
`/{library}/release-changes.atom` has those that changed pages, and `/{library}/releases.atom` the notes.
`/{library}/code-checks.atom` has what is wrong in the code of the docs, on a site that checks it.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from kinfolk.api.content import SiteContent
from kinfolk.config.catalog import LATEST, Library
from kinfolk.config.docs_address import DocsAddress
from kinfolk.content.dependencies import DependencyRecorder
from kinfolk.content.docs import ContentReader, DocsSnapshot
from kinfolk.content.docs.machine_readable.change_feed import library_feed, page_feed, page_feed_path
from kinfolk.content.docs.machine_readable.finding_feed import finding_feed
from kinfolk.content.docs.machine_readable.release_change_feed import release_change_feed
from kinfolk.content.docs.snapshots.version_docs import find_version_docs
from kinfolk.content.redirects import Redirect
from kinfolk.content.release_notes.release_feed import ENTRIES, releases_feed
from kinfolk.runtime.atom import TYPE
from kinfolk.runtime.cache import DOCS
from kinfolk.runtime.errors import NotFound, SiteError
from kinfolk.site.site import Site
from kinfolk.web.endpoints.machine_readable.text_cache import MachineReadableCache, TaggedText, tagged
from kinfolk.web.responses import cache_headers, markdown_error, packed_response, redirect_response

_DOCS_PAGE = re.compile(r"/[^/]+/[^/]+/docs/.*[^/]")
_OWN_ADDRESS = re.compile(
    r"/[^/]+/(?:changes|release-changes|releases|code-checks|[^/]+/docs/(?!framework/[^/]+/examples/).+)\.atom"
)


class DocsFeeds:
    """Responses with feeds of changes. A push that changes a file, and its history, purge those that show it."""

    def __init__(self, site: Site, texts: MachineReadableCache) -> None:
        self._site, self._texts = site, texts
        self._origin, self._author = site.settings.origin, site.catalog.product

    def routes(self) -> list[Route]:
        return [
            Route("/{library}/changes.atom", self._library),
            Route("/{library}/release-changes.atom", self._changes),
            Route("/{library}/releases.atom", self._releases),
            Route("/{library}/code-checks.atom", self._findings),
            Route("/{library}/{version}/docs/{inside:path}.atom", self._page),
        ]

    @staticmethod
    def has(path: str) -> bool:
        """Whether a route of this class has the address."""
        return _OWN_ADDRESS.fullmatch(path) is not None

    async def _library(self, request: Request) -> Response:
        def feed(content: SiteContent, library: Library) -> bytes:
            return library_feed(find_version_docs(content.docs, library, LATEST), self._origin, author=self._author)

        return await self._listing(request, feed)

    async def _changes(self, request: Request) -> Response:
        def feed(content: SiteContent, library: Library) -> bytes:
            return release_change_feed(content.docs, library, self._origin, author=self._author)

        return await self._listing(request, feed)

    async def _releases(self, request: Request) -> Response:
        def feed(content: SiteContent, library: Library) -> bytes:
            if not content.docs.releases(library).all:
                raise NotFound(f"{library.name} has no releases")
            notes = map(content.render_notes, content.newest_notes(library, ENTRIES))
            return releases_feed(library, notes, self._origin, author=self._author)

        return await self._listing(request, feed)

    async def _findings(self, request: Request) -> Response:
        docs_snapshot = self._site.content.publisher.docs
        try:
            library = self._site.catalog.library(request.path_params["library"])
            # Not a listing: those are generated again with each snapshot of the docs only.
            text = await self._texts.page(
                docs_snapshot, f"code checks {library.id}", lambda: self._generate_findings(docs_snapshot, library)
            )
        except SiteError as failure:
            return markdown_error(failure)
        return _response(request, text)

    def _generate_findings(self, docs_snapshot: DocsSnapshot, library: Library) -> TaggedText:
        recorder = DependencyRecorder()
        feed = finding_feed(ContentReader(docs_snapshot, recorder), library, self._origin, author=self._author)
        return tagged([feed.decode()], recorder)

    async def _listing(self, request: Request, feed: Callable[[SiteContent, Library], bytes]) -> Response:
        def generate(content: SiteContent) -> Iterable[str]:
            return [feed(content, self._site.catalog.library(request.path_params["library"])).decode()]

        try:
            text = await self._texts.listing(request.url.path, generate)
        except SiteError as failure:
            return markdown_error(failure)
        return _response(request, text)

    async def _page(self, request: Request) -> Response:
        params = request.path_params
        docs_snapshot = self._site.content.publisher.docs
        try:
            library = self._site.catalog.library(params["library"])
            address = DocsAddress(library.id, params["version"], params["inside"])
            if not library.is_known_version(address.version):
                return redirect_response(page_feed_path(address.with_version(LATEST)))
            text = await self._texts.page(
                docs_snapshot, f"feed {address}", lambda: self._generate(docs_snapshot, address)
            )
        except NotFound as failure:
            moved = await self._redirect(docs_snapshot, params)
            return moved or markdown_error(failure)
        except SiteError as failure:
            return markdown_error(failure)
        return _response(request, text)

    async def _redirect(self, docs_snapshot: DocsSnapshot, params: dict[str, str]) -> Response | None:
        """To the feed of the page that a missing page moved to."""
        library = self._site.catalog.find_library(params["library"])
        if library is None or not library.is_known_version(params["version"]):
            return None
        address = DocsAddress(library.id, params["version"], params["inside"])
        # In a thread: the first call reads the front matter of all pages.
        found: Redirect | None = await asyncio.to_thread(ContentReader(docs_snapshot).redirect, address)
        path = re.split("[?#]", found.to)[0] if found else ""
        if found is None or not _DOCS_PAGE.fullmatch(path):
            return None
        return redirect_response(f"{quote(path, safe='/%')}.atom", found.status)

    def _generate(self, docs_snapshot: DocsSnapshot, address: DocsAddress) -> TaggedText:
        recorder = DependencyRecorder()
        docs = ContentReader(docs_snapshot, recorder)
        version_docs = find_version_docs(docs, docs.catalog.library(address.library), address.version)
        feed = page_feed(version_docs, address.path, self._origin, author=self._author)
        return tagged([feed.decode()], recorder)


def _response(request: Request, text: TaggedText) -> Response:
    return packed_response(request, text.packed, {"content-type": TYPE, **cache_headers(DOCS, text.tags)})
