"""Docs pages as Markdown: `/api/md/…`, `{page}.md`, and the address of a page with `Accept: text/markdown`."""

from __future__ import annotations

import asyncio
import re
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from kinfolk.config.catalog import LATEST, Library
from kinfolk.config.docs_address import DocsAddress
from kinfolk.content.dependencies import DependencyRecorder
from kinfolk.content.docs import ContentReader, DocsSnapshot
from kinfolk.content.docs.other_pages.docs_home import docs_home
from kinfolk.content.docs.snapshots.version_docs import find_version_docs
from kinfolk.content.redirects import Redirect
from kinfolk.runtime.cache import DOCS
from kinfolk.runtime.errors import NotFound, SiteError, Unavailable
from kinfolk.runtime.http_headers import accept_of, prefers_markdown
from kinfolk.site.site import Site
from kinfolk.web.endpoints.machine_readable.text_cache import MachineReadableCache, TaggedText, tagged
from kinfolk.web.protocol.fair_queue import FairQueue, client_of
from kinfolk.web.responses import (
    MARKDOWN,
    as_negotiated,
    cache_headers,
    markdown_error,
    packed_response,
    redirect_response,
)

_DOCS = re.compile(r"/([^/]+)/([^/]+)/docs(?:/(.*[^/]))?")
_OWN_ADDRESS = re.compile(r"/(?:api/md/.*|[^/]+/[^/]+/docs/(?!framework/[^/]+/examples/).+\.md)")
_FRAMEWORK_PAGE = re.compile(r"framework/[^/]+/.")


class DocsMarkdown:
    """Responses with the Markdown of docs pages."""

    def __init__(self, site: Site, texts: MachineReadableCache, queue: FairQueue) -> None:
        self._queue = queue
        self._site = site
        self._texts = texts
        self._origin = site.settings.origin

    def routes(self) -> list[Route]:
        return [
            Route("/api/md/{library}/{version}/docs/{inside:path}", self._api),
            Route("/{library}/{version}/docs/{inside:path}.md", self._md_file),
        ]

    @staticmethod
    def has(path: str) -> bool:
        """Whether a route of this class has the address."""
        return _OWN_ADDRESS.fullmatch(path) is not None

    def accepts(self, scope: Scope) -> bool:
        """Whether a request prefers Markdown at the address of a page that exists."""
        if "/docs" not in scope["path"] or not prefers_markdown(accept_of(scope["headers"])):
            return False
        try:
            address = self._address(scope["path"])
            return (
                address is not None and self._site.content.publisher.reader().locate_address(address).file is not None
            )
        except SiteError:
            return False  # the HTML page explains the error

    async def negotiated(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The ASGI application for requests for which `accepts` is true."""
        address = self._address(scope["path"])
        if address is None:
            response = markdown_error(NotFound("There is no page"))
        else:
            response = await self._respond(Request(scope, receive), address)
            response.headers["content-location"] = f"/api/md{address}"
        await as_negotiated(response)(scope, receive, send)

    def _address(self, path: str) -> DocsAddress | None:
        """The page at a path of the site. Raises NotFound for an unknown library."""
        found = _DOCS.fullmatch(path)
        if found is None:
            return None
        library = self._site.catalog.library(found[1])
        if not library.is_known_version(found[2]):
            return None
        return DocsAddress(library.id, found[2], found[3] or self._home(library, found[2]))

    def _home(self, library: Library, version: str) -> str:
        """The path of the first page of a version."""
        if not library.is_known_version(version):
            version = LATEST
        try:
            return docs_home(find_version_docs(self._site.content.publisher.reader(), library, version)) or "overview"
        except Unavailable:
            return library.docs_facts(version).default_docs or "overview"

    async def _api(self, request: Request) -> Response:
        """`/api/md/{library}/{version}/docs/{inside}`."""
        params = request.path_params
        inside = params["inside"].rstrip("/").removesuffix(".md")
        try:
            library = self._site.catalog.library(params["library"])
        except SiteError as failure:
            return markdown_error(failure)
        address = DocsAddress(library.id, params["version"], inside or self._home(library, params["version"]))
        if not library.is_known_version(address.version):
            redirect = self._site.content.redirects.match(address.decoded)
            return _redirect(redirect) if redirect else redirect_response(f"/api/md{address.with_version(LATEST)}")
        return await self._respond(request, address)

    async def _md_file(self, request: Request) -> Response:
        """`{page}.md`: the text itself; for a page of a framework, a redirect that the specification requires."""
        params = request.path_params
        if _FRAMEWORK_PAGE.match(params["inside"]):
            path = "/".join(quote(params[key]) for key in ("library", "version"))
            return redirect_response(f"/api/md/{path}/docs/{quote(params['inside'])}")
        return await self._api(request)

    async def _respond(self, request: Request, address: DocsAddress) -> Response:
        docs_snapshot = self._site.content.publisher.docs
        try:
            text = self._texts.cached_page(str(address))
            if text is None:
                async with self._queue.turn(client_of(request.scope, self._site.settings.trusted_proxies)):
                    text = await self._texts.page(
                        docs_snapshot, str(address), lambda: self._export(docs_snapshot, address)
                    )
        except NotFound as failure:
            # In a thread: the first call reads the front matter of all pages.
            redirect = await asyncio.to_thread(ContentReader(docs_snapshot).redirect, address)
            return _redirect(redirect) if redirect else markdown_error(failure, see=self._llms_txt(address))
        except SiteError as failure:
            return markdown_error(failure)
        name = re.sub(r"[^A-Za-z0-9._-]+", "-", address.path)
        headers = {
            "content-type": MARKDOWN,
            **cache_headers(DOCS, text.tags),
            "content-disposition": f'inline; filename="{name}.md"',
            "link": f'<{self._origin}{_canonical(ContentReader(docs_snapshot), address)}>; rel="canonical"',
            "x-robots-tag": "noindex",
        }
        return packed_response(request, text.packed, headers)

    def _export(self, docs_snapshot: DocsSnapshot, address: DocsAddress) -> TaggedText:
        recorder = DependencyRecorder()
        docs = ContentReader(docs_snapshot, recorder)
        # The link header depends on the latest version, too.
        _canonical(docs, address)
        return tagged([docs.export(docs.locate_address(address), origin=self._origin).text], recorder)

    def _llms_txt(self, address: DocsAddress) -> str:
        return f"{self._origin}/{address.library}/{address.version}/llms.txt"


def _canonical(docs: ContentReader, address: DocsAddress) -> DocsAddress:
    """The canonical address of a page: in the latest version, if that has the page."""
    library = docs.catalog.library(address.library)
    facts = library.docs_facts(LATEST)
    latest = docs.find_branch(facts.ref)
    exists = latest is not None and latest.page_file(f"{facts.docs_root}/{address.path}") is not None
    return address.with_version(LATEST) if exists else address


def _redirect(redirect: Redirect) -> Response:
    """To the Markdown of the target page; to the target itself if that is no docs page."""
    path = re.split("[?#]", redirect.to)[0]
    return redirect_response(f"/api/md{path}" if _DOCS.fullmatch(path) else redirect.to, redirect.status)
