"""Responses to requests for pages: from the cache, else a redirect of an old address, else rendered."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Collection, Iterable
from html import escape
from http import HTTPStatus
from urllib.parse import parse_qsl, quote, unquote, urlsplit, urlunsplit

import structlog
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from kinfolk.api.all_functions import registry
from kinfolk.api.registry import Call, FunctionResult
from kinfolk.config.base_path import BasePath
from kinfolk.config.catalog import LATEST, Library
from kinfolk.content.dependencies import cdn_purge_tags
from kinfolk.content.docs.other_pages.docs_home import docs_home
from kinfolk.content.docs.snapshots.version_docs import find_version_docs
from kinfolk.content.redirects import ORIGIN, SAFE_IN_PATH, SAFE_IN_QUERY
from kinfolk.rendering.content_security_policy import AllowedSources, source_hash
from kinfolk.rendering.edge_headers import EdgeHeaders
from kinfolk.rendering.isolates.isolate_pool import TooBusy
from kinfolk.rendering.page_cache import PageCache, redirect_key
from kinfolk.rendering.page_key import page_key
from kinfolk.rendering.render_outcome import REDIRECTS
from kinfolk.rendering.rendered_page import PageOptions, PageResponse, RenderedPage, fill_page
from kinfolk.rendering.v8_renderer import HtmlDocument, PageRedirect, PageRenderer, RenderResult
from kinfolk.runtime import metrics
from kinfolk.runtime.budget import OverBudget, time_limit
from kinfolk.runtime.cache import DOCS, CachePriority, LRUCache
from kinfolk.runtime.errors import NotFound, SiteError, Unavailable
from kinfolk.site.site import Site
from kinfolk.web.background.counts.missed_request_counter import MissedRequestCounter
from kinfolk.web.endpoints.pages.page_addresses import AddressMatch, PageAddresses
from kinfolk.web.endpoints.pages.page_templates import COMPARISON, MissingPages, unknown_comparison
from kinfolk.web.endpoints.pages.release_fetcher import ReleaseFetcher
from kinfolk.web.protocol.fair_queue import RETRY_S, FairQueue, Lane, TooManyWaiting, client_of
from kinfolk.web.protocol.request_ids import current_request_id
from kinfolk.web.refusal_log import log_refusal
from kinfolk.web.security_headers import PAGE_HEADERS

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

ADDRESSES_BYTES = 4 << 20
"""Cache keys by request target: about 10,000."""
RECOMPRESS_EVERY_S = 2.0
PRERENDERER = "prerenderer"
"""The client whose turns renders ahead take."""
WAIT_AND_RETRY = frozenset({HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE})
"""Statuses of responses with Retry-After."""
MOST_LOGGED_TAGS = 100
"""Tags that the log names after a purge: as many as CDNs take in one request."""

_PREVIEW_VERSION = re.compile(r"(?:/api/md|/og)?/[^/]+/pr-\d+(?:[/.]|$)")

REQUEST_ID_PLACEHOLDER = "{request-id}"
"""What the error page of the frontend has in place of the id of its request (`components/shell/RequestId.tsx`)."""
_REQUEST = "<p>Request ID: <code>{id}</code><br>If you report this error, include this ID."
_ERROR_STYLE = """body{font:1rem/1.6 system-ui,sans-serif;max-width:34rem;margin:20vh auto;padding:0 1rem}
@media(prefers-color-scheme:dark){body{background:#111;color:#eee}a{color:#9cf}}"""
_ERROR_POLICY = (
    f"default-src 'none'; style-src '{source_hash(_ERROR_STYLE)}'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
_ERROR_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport"
content="width=device-width"> <title>{title}</title><style>{style}</style>
<h1>{title}</h1><p>{message}</p>{request}
<p>{retry}<a href="{home}">Go to the home page</a></p></html>"""
_RETRY = '<a href="{address}">Try Again</a> &middot; '


_TITLES = {404: "404 Not Found", 429: "Too many requests"}


def origin_of(address: str) -> str:
    """The origin of an address, as a Content-Security-Policy names it."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}"


class PageResponder:
    """The ASGI application for pages. `renderer` is None until the process has started it."""

    def __init__(self, site: Site, queue: FairQueue, *, compress: bool = True) -> None:
        self.renderer: PageRenderer | None = None
        self._queue = queue
        letter = site.catalog.newsletter
        sources = AllowedSources(
            script_src=site.catalog.promo.hosts,
            form_action=(
                *((letter.action,) if letter else ()),
                # A redirect of the form that begins a sign-in leads to the provider.
                *(provider.origin for provider in site.accounts.providers.values()),
            ),
            connect_src=tuple(origin_of(host) for host in site.settings.search_hosts),
        )
        self.edge = EdgeHeaders.of(site.settings)
        self.cache = PageCache(
            (site.settings.memory_mb << 20) * 3 // 5,
            options=PageOptions(PAGE_HEADERS, sources, compress=compress and not site.is_static, edge=self.edge),
            caches=site.caches,
        )
        self.missed = MissedRequestCounter(site.maintenance.missed_requests, site.settings.origin)
        self._site = site
        self._base = BasePath.of(site.settings.origin)
        self._addresses = PageAddresses(
            site.catalog,
            lambda: site.content.blog.posts,
            has_page=site.content.pages.has,
            has_statistics=site.statistics.npm.has_comparisons,
            has_upgrades=site.has_upgrades,
            has_notice=lambda name: site.content.redirects.notice(name) is not None,
        )
        docs = site.content.publisher.docs
        self.releases = ReleaseFetcher(docs.releases, site.settings.release_fetches) if docs.releases else None
        self._missing = MissingPages(site.catalog, site.content.pages.has)
        self._keys: LRUCache[bytes, str] = site.caches.add("addresses", CachePriority.PAGES, LRUCache(ADDRESSES_BYTES))
        self._cache_hits: dict[int, int] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        del receive  # requests for pages have no body
        raw = (scope.get("raw_path") or scope["path"].encode()).decode("latin-1")
        query = scope["query_string"].decode("latin-1")
        headers = dict(scope["headers"])
        accept_encoding, if_none_match = headers.get(b"accept-encoding", b""), headers.get(b"if-none-match", b"")
        try:
            client = client_of(scope, self._site.settings.trusted_proxies)
            response = await self._respond(raw, query, client, accept_encoding, if_none_match)
        except SiteError as failure:
            _log_refused(failure, raw)
            response = error_page(failure, self._base, current_request_id())
        except Exception:
            log.exception("page crashed", path=raw)
            response = error_page(SiteError("Something went wrong on our side"), self._base, current_request_id())
        status = HTTPStatus.NOT_FOUND if self._is_missing_docs_page(raw, response) else response.status
        # Scripts fetch ahead, also to learn whether a pinned version has a page. The browser opens what is missing.
        if status != HTTPStatus.NOT_FOUND or headers.get(b"sec-fetch-dest") != b"empty":
            self.missed.count(
                status,
                is_old_address=response.status in REDIRECTS and self._is_old_address(raw, query),
                path=raw,
                referrer=headers.get(b"referer", b"").decode("latin-1"),
            )
        await send_page(scope, send, response)
        if response.status == HTTPStatus.OK and self._site.content.publisher.docs.snapshot.trees:
            # Cached pages are sent with their headers as they are: not before there are docs, when none is stored.
            target, key = _target(scope), self._page_key(raw, query)[0]
            self._keys.put(target, key, weight=len(target) + len(key) + 200)

    @staticmethod
    def is_of_preview(path: str) -> bool:
        """Whether an address names a preview by its version: such texts, feeds and pictures do not exist."""
        return _PREVIEW_VERSION.match(path) is not None

    async def render_ahead(self, path: str) -> bool:
        """Render the page at a path before it is requested. False if it is cached, or cannot be rendered."""
        try:
            key, url = page_key(path, "")
            if key in self.cache:
                return False
            await self._obtain(key, url, PRERENDERER, "first")
        except SiteError:
            return False  # logged; the response to a request says what failed
        self.cache.get(key)  # a second request, so that crawlers of other pages do not evict it
        return True

    def cached_response(self, target: bytes, headers: Iterable[tuple[bytes, bytes]]) -> PageResponse | None:
        """The response to a GET request, if the same target was answered with a page that is still cached.

        Most requests end here, so it parses nothing twice.
        """
        key = self._keys.get(target)
        page = self.cache.get(key) if key is not None else None
        if page is None:
            return None
        accept_encoding = if_none_match = b""
        for name, value in headers:
            if name == b"accept-encoding":
                accept_encoding = value
            elif name == b"if-none-match":
                if_none_match = value
            elif name == b"accept" and b"markdown" in value.lower():
                return None
        response = page.response(accept_encoding, if_none_match)
        self._cache_hits[response.status] = self._cache_hits.get(response.status, 0) + 1
        return response

    def take_cache_hits(self) -> dict[int, int]:
        """Responses of `cached_response` by status since the last call."""
        counts, self._cache_hits = self._cache_hits, {}
        return counts

    async def send_cached(self, scope: Scope, send: Send) -> bool:
        """Send the response of `cached_response`, if there is one. For servers that did not call it before."""
        is_get = scope["method"] in ("GET", "HEAD")
        response = self.cached_response(_target(scope), scope["headers"]) if is_get else None
        if response is not None:
            await send_page(scope, send, response)
        return response is not None

    def purge(self, tags: Collection[str]) -> None:
        """Drop all pages that have any of these tags."""
        dropped = self.cache.purge(tags)
        of_cdn = cdn_purge_tags(tags)
        named = {"cache_tags": ",".join(sorted(of_cdn))} if len(of_cdn) <= MOST_LOGGED_TAGS else {}
        log.info("pages purged", tags=len(tags), pages=dropped, **named)

    async def recompress_forever(self) -> None:
        """A background task: compress popular pages at the best quality."""
        while True:
            await asyncio.sleep(RECOMPRESS_EVERY_S)
            await self.cache.recompress_popular()

    async def _respond(
        self, raw: str, query: str, client: str, accept_encoding: bytes, if_none_match: bytes
    ) -> PageResponse:
        key, url = self._page_key(raw, query)
        page = self.cache.get(key)
        if page is None:
            path = key.partition("?")[0]
            redirect = self._release_redirect(path, query)
            if redirect is None:
                is_release = await self._ensure_release(unquote(path), client)
                match = self._addresses.match(unquote(path), self._site.content.publisher.reader())
                # Redirects are written for today's docs: a page that a release still has is shown.
                redirect = None if is_release and match.page else self._redirect(path, query)
            if redirect is not None:
                return redirect
            if match.canonical is not None:
                return _redirect_response(match.canonical + (f"?{query}" if query else ""), 308)
            metrics.PAGE_CACHE.labels("miss").inc()
            lane: Lane = "first" if match.page else "last"
            try:
                page = await self._fill_template(unquote(path), key.partition("?")[2], match, client)
                page = page or await self._obtain(key, url, client, lane)
            except (TooBusy, TooManyWaiting):
                if f"?{ORIGIN}=" not in key:
                    raise
                # The page without its notice is better than no page.
                return await self._respond(raw, "", client, accept_encoding, if_none_match)
        else:
            metrics.PAGE_CACHE.labels("hit").inc()
        if page.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            page = fill_page(page, {REQUEST_ID_PLACEHOLDER: escape(current_request_id())}, page.tags)
        response = page.response(accept_encoding, if_none_match)
        if not query or response.status not in REDIRECTS:
            return response
        if f"?{ORIGIN}=" in key:
            return _with_query(query, response, wins=True)
        # A page that depends on its query has decided itself which parameters its redirect keeps.
        return response if "?" in key else _with_query(query, response)

    async def _ensure_release(self, path: str, client: str) -> bool:
        """Wait for the docs of the releases that a path is in; False for other paths.

        Raises TooManyWaiting and Unavailable.
        """
        refs = self._addresses.releases(path)
        if not refs or self.releases is None:
            return False
        await asyncio.gather(*(self.releases.ensure(ref, client) for ref in refs))
        return True

    async def _fill_template(self, path: str, query: str, match: AddressMatch, client: str) -> RenderedPage | None:
        """The page, if it differs from another only in words of its address."""
        if not match.page:
            page = self._missing.page(path, match.route)
        elif match.route.route.pattern == COMPARISON:
            is_unknown = self._site.statistics.npm.is_unknown
            async with self._queue.turn(client):
                page = await asyncio.to_thread(unknown_comparison, match.route, query, is_unknown=is_unknown)
        else:
            return None
        if page is None:
            return None
        return page.fill(await self._obtain(page.template, page.template, client, "first"))

    async def _obtain(self, key: str, url: str, client: str, lane: Lane) -> RenderedPage:
        """The page at an address that is not cached. Raises TooManyWaiting and TooBusy."""
        page = self.cache.get(key)
        if page is not None:
            return page
        async with self._queue.turn(client, lane):
            return await self.cache.obtain(key, lambda: self._make(key, url))

    def _page_key(self, raw: str, query: str) -> tuple[str, str]:
        """`page_key` without an origin that no notice is about, such as that of a newsletter."""
        if f"{ORIGIN}=" in query:
            pairs = (pair.partition("=") for pair in query.split("&"))
            shown = (pair for pair in pairs if pair[0] != ORIGIN or self._addresses.shows_notice(unquote(pair[2])))
            query = "&".join("".join(pair) for pair in shown)
        return page_key(raw, query)

    def _is_old_address(self, raw: str, query: str) -> bool:
        """Whether the address is redirected because content has moved."""
        return self._site.content.redirects.match(unquote(raw), query) is not None

    def _is_missing_docs_page(self, raw: str, response: PageResponse) -> bool:
        """Whether the response leads from a docs page that does not exist to the first page of its docs."""
        if response.status != HTTPStatus.TEMPORARY_REDIRECT:
            return False
        library, _, rest = unquote(raw).strip("/").partition("/")
        found = self._site.catalog.find_library(library)
        location = dict(response.headers).get(b"location", b"").decode("latin-1").partition("?")[0]
        if found is None or "/docs/" not in rest:
            return False
        return unquote(location).endswith(f"/docs/{self._docs_home(found, rest)}")

    def _docs_home(self, library: Library, rest: str) -> str:
        """The first page of the version that an address below a library names."""
        version = rest.partition("/")[0]
        if not library.is_known_version(version):
            version = LATEST
        try:
            known = library.docs_facts(version).default_docs
            if known is not None:
                return known
            return docs_home(find_version_docs(self._site.content.publisher.reader(), library, version)) or ""
        except SiteError:
            return ""

    def _release_redirect(self, path: str, query: str) -> PageResponse | None:
        """The redirect to a release, or to changes, that an address names in another way."""
        if "release=" in query or "older=" in query:
            fields = dict(parse_qsl(query))
            changes = self._addresses.requested_changes(unquote(path), fields.get("older", ""), fields.get("newer", ""))
            if changes is not None:
                return _redirect_response(changes, 307)
            name = fields.get("release", "")
            requested = self._addresses.requested_release(unquote(path), name, fields.get("page", ""))
            if requested is not None:
                return _redirect_response(requested, 307)
        release = self._addresses.of_release(unquote(path))
        if release is None:
            return None
        return _with_query(query, _redirect_response(quote(release, f"/{SAFE_IN_PATH}"), 307))

    def _redirect(self, path: str, query: str) -> PageResponse | None:
        """The redirect of an old address, or of an address that ends with a slash."""
        redirect = self._site.content.redirects.match(unquote(path), query)
        if redirect is not None:
            return _redirect_response(redirect.to, redirect.status)
        if len(path) > 1 and path.endswith("/"):
            return _redirect_response(path.rstrip("/") + (f"?{query}" if query else ""), 308)
        latest = self._addresses.in_latest_version(unquote(path))
        if latest is None:
            return None
        origin = quote(unquote(path))
        return _with_query(query, _redirect_response(f"{quote(latest, f'/{SAFE_IN_PATH}')}?{ORIGIN}={origin}", 307))

    async def _make(self, key: str, url: str) -> RenderResult:
        """Render the page within its time limit. Raises NotFound for a page that is rendered at a wrong address."""
        if self.renderer is None:
            raise Unavailable("The site is starting. Try again in a few seconds.")
        # After `PageCache.begin`, so that a purge during the render applies to the data that the call reads.
        call = Call.begin(self._site)
        path = key.partition("?")[0]
        match = self._addresses.match(unquote(path), call.docs)

        async def run_query(id: str, data: object) -> FunctionResult:
            return await registry.call(id, data, call, method="GET")

        async with time_limit("page"):
            rendered = await self.renderer.render(url, run_query)
        if match.page:
            return rendered
        match rendered:
            case HtmlDocument(status=HTTPStatus.OK):
                # A route of the frontend that is missing in the table of routes.
                log_refusal("page", "address", path=url)
                raise NotFound("There is no page at this address")
            case PageRedirect(location=location) if redirect_key(location) == key:
                # The router normalizes an address with a ^ in any encoding, and redirects it to itself.
                raise NotFound("There is no page at this address")
        return rendered


def _target(scope: Scope) -> bytes:
    """Path and query as the client sent them."""
    raw: bytes = scope.get("raw_path") or scope["path"].encode()
    return raw + b"?" + scope["query_string"] if scope["query_string"] else raw


async def send_page(scope: Scope, send: Send, response: PageResponse) -> None:
    await send({"type": "http.response.start", "status": response.status, "headers": response.headers})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else response.body})


def _with_query(query: str, redirect: PageResponse, *, wins: bool = False) -> PageResponse:
    """A redirect that keeps the query of the request. Of parameters that both have, those of the location remain, or
    with `wins` those of the request: after several redirects, the first one says where the reader came from.
    """

    def add_query(name: bytes, value: bytes) -> tuple[bytes, bytes]:
        if name != b"location" or not value.startswith(b"/"):
            return name, value
        to = urlsplit(value.decode("latin-1"))
        first, second = (query, to.query) if wins else (to.query, query)
        names = {pair.partition("=")[0] for pair in first.split("&")}
        added = (pair for pair in second.split("&") if pair.partition("=")[0] not in names)
        merged = quote("&".join(filter(None, (first, *added))), SAFE_IN_QUERY, errors="replace")
        return name, urlunsplit(("", "", to.path, merged, to.fragment)).encode("latin-1")

    return PageResponse(redirect.status, tuple(add_query(*header) for header in redirect.headers), redirect.body)


def _redirect_response(to: str, status: int) -> PageResponse:
    headers = [("location", to), *DOCS.headers(), ("content-length", "0")]
    return PageResponse(status, tuple((name.encode(), value.encode("latin-1")) for name, value in headers), b"")


def _log_refused(failure: SiteError, path: str) -> None:
    """Count and log a page that was not rendered because of a limit."""
    match failure:
        case TooManyWaiting():
            log_refusal("page", "client", path=path)
        case TooBusy():
            log_refusal("page", "busy", path=path)
        case OverBudget(limit=limit):
            log_refusal("page", limit, path=path)


def error_page(failure: SiteError, base: BasePath, request_id: str = "", *, retry: str | None = "") -> PageResponse:
    """A page without React, for an error during the render. It names the request, with which the log is searched.

    `retry` is the address of the link to try again, by default that of the page; None for no link.
    """
    named = request_id and failure.status >= HTTPStatus.INTERNAL_SERVER_ERROR
    title = _TITLES.get(failure.status, "Something went wrong")
    body = _ERROR_PAGE.format(
        title=title,
        style=_ERROR_STYLE,
        message=escape(failure.message),
        home=base.add("/"),
        request=_REQUEST.format(id=escape(request_id)) if named else "",
        retry="" if retry is None else _RETRY.format(address=escape(retry)),
    ).encode()
    headers = [
        ("content-type", "text/html; charset=utf-8"),
        ("cache-control", "no-store"),
        ("content-security-policy", _ERROR_POLICY),
        ("x-frame-options", "DENY"),
        ("content-length", str(len(body))),
        *((("retry-after", str(RETRY_S)),) if failure.status in WAIT_AND_RETRY else ()),
        *PAGE_HEADERS,
    ]
    return PageResponse(failure.status, tuple((name.encode(), value.encode()) for name, value in headers), body)


def unavailable_response(message: str, base: BasePath, *, retry: str | None = None) -> Response:
    """The page with status 503 for forms, which needs neither the database nor the renderer.

    `retry` is the address of the form: that of the response takes POST only.
    """
    page = error_page(Unavailable(message), base, current_request_id(), retry=retry)
    return Response(page.body, page.status, {name.decode(): value.decode() for name, value in page.headers})
