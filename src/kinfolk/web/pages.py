"""Pages: from the cache as they lie there, else a redirect of old, else rendered once for all who wait."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable
from html import escape
from http import HTTPStatus
from urllib.parse import quote, unquote, urlsplit

import structlog
from starlette.types import Receive, Scope, Send

from kinfolk import metrics
from kinfolk.budget import OverBudget, time_limit
from kinfolk.cache import DOCS, Recent, Worth
from kinfolk.errors import NotFound, SiteError, Unavailable
from kinfolk.functions import registry
from kinfolk.redirects import SAFE_IN_QUERY
from kinfolk.rpc import Answer, Call
from kinfolk.site import Site
from kinfolk.ssr.address import page_key
from kinfolk.ssr.outcome import REDIRECTS
from kinfolk.ssr.page import Reply
from kinfolk.ssr.pages import PageCache, leads_to
from kinfolk.ssr.pool import Lane, TooBusy
from kinfolk.ssr.renderer import Document, Moved, Rendered, Renderer
from kinfolk.web.addresses import Addresses
from kinfolk.web.refusals import refuse_log

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

ADDRESSES_BYTES = 4 << 20
"""Spellings of addresses whose keys are remembered: some 10,000."""
MOST_INVENTED = 16
"""Invented addresses that wait to be rendered, one after the other. In a quarter of a second they are through."""
RETRY_S = 10
"""After which to come again when there was too much to render."""
IDLE_S = 2.0
"""Pause between two rounds of thorough compression."""

HEADERS = (
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "strict-origin-when-cross-origin"),
    ("permissions-policy", "camera=(), geolocation=(), microphone=()"),
    ("cross-origin-opener-policy", "same-origin"),
)

_FAILED = """<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}</title><style>body{{font:1rem/1.6 system-ui,sans-serif;max-width:34rem;margin:20vh auto;padding:0 1rem}}
@media(prefers-color-scheme:dark){{body{{background:#111;color:#eee}}a{{color:#9cf}}}}</style>
<h1>{title}</h1><p>{message}</p><p><a href="">Try Again</a> &middot; <a href="/">Start Over</a></p></html>"""


def origin_of(address: str) -> str:
    """An address without its path: what a policy takes with all that is below it."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}"


class CrowdedOut(TooBusy):
    """So many invented addresses wait already that this one is not rendered."""


class Pages:
    """The ASGI application for everything a reader sees. `renderer` is set when the process has started one."""

    def __init__(self, site: Site) -> None:
        self.renderer: Renderer | None = None
        letter = site.catalog.newsletter
        self.cache = PageCache(
            (site.settings.memory_mb << 20) * 3 // 5,
            headers=HEADERS,
            hosts=site.catalog.promo.hosts,
            form_actions=[letter.action] if letter else [],
            asked=[origin_of(host) for host in site.settings.search_hosts],
            caches=site.caches,
        )
        self._site = site
        self._addresses = Addresses(site)
        self._invented = asyncio.Semaphore(1)
        self._inventing = 0
        self._keys: Recent[bytes, str] = site.caches.add("addresses", Worth.PAGES, Recent(ADDRESSES_BYTES))
        self._kept_counts: dict[int, int] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        del receive  # a page takes no body
        raw = (scope.get("raw_path") or scope["path"].encode()).decode("latin-1")
        query = scope["query_string"].decode("latin-1")
        accept_encoding = if_none_match = b""
        for name, value in scope["headers"]:
            if name == b"accept-encoding":
                accept_encoding = value
            elif name == b"if-none-match":
                if_none_match = value
        try:
            reply = await self._reply(raw, query, accept_encoding, if_none_match)
        except SiteError as failure:
            _count(failure, raw)
            reply = _failed(failure)
        except Exception:
            log.exception("page crashed", path=raw)
            reply = _failed(SiteError("Something went wrong on our side"))
        await _send(scope, send, reply)
        if reply.status == HTTPStatus.OK:
            target, key = _target(scope), page_key(raw, query)[0]
            self._keys.put(target, key, weight=len(target) + len(key) + 200)

    def kept(self, target: bytes, headers: Iterable[tuple[bytes, bytes]]) -> Reply | None:
        """The answer to a GET of exactly this target, if it was answered with a page before that is still kept.

        This is what most requests come to, so it looks at nothing twice.
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
        reply = page.reply(accept_encoding, if_none_match)
        self._kept_counts[reply.status] = self._kept_counts.get(reply.status, 0) + 1
        return reply

    def take_kept_counts(self) -> dict[int, int]:
        """How often `kept` has answered with each status since the last call."""
        counts, self._kept_counts = self._kept_counts, {}
        return counts

    async def send_kept(self, scope: Scope, send: Send) -> bool:
        """Answer at once if `kept` can, for a server that has not asked it itself."""
        reply = self.kept(_target(scope), scope["headers"]) if scope["method"] in ("GET", "HEAD") else None
        if reply is not None:
            await _send(scope, send, reply)
        return reply is not None

    def purge(self, tags: Collection[str]) -> None:
        """Let go of every page that was made of any of these."""
        gone = self.cache.purge(tags)
        log.info("pages purged", tags=len(tags), pages=gone)

    async def improve(self) -> None:
        """For ever: compress thoroughly what is read often, while nothing else is to do."""
        while True:
            await asyncio.sleep(IDLE_S)
            await self.cache.improve()

    async def _reply(self, raw: str, query: str, accept_encoding: bytes, if_none_match: bytes) -> Reply:
        key, url = page_key(raw, query)
        page = self.cache.get(key)
        if page is None:
            path, _, chosen = key.partition("?")
            moved = self._moved(path, query)
            if moved is not None:
                return moved
            named = self._addresses.named(unquote(path), chosen, self._site.editions.docs)
            if named.to is not None:
                return _redirect(named.to + (f"?{query}" if query else ""), 308)
            metrics.PAGE_CACHE.labels("miss").inc()
            page = await self.cache.obtain(key, lambda: self._make(key, url))
        else:
            metrics.PAGE_CACHE.labels("hit").inc()
        reply = page.reply(accept_encoding, if_none_match)
        # What the page was made of it has seen, and left out of its redirect for a reason.
        return _carrying(query, reply) if query and "?" not in key and reply.status in REDIRECTS else reply

    def _moved(self, path: str, query: str) -> Reply | None:
        """Where an old address leads today; an address that ends in a slash is the one without."""
        moved = self._site.redirects.match(unquote(path), query)
        if moved is not None:
            return _redirect(moved.to, moved.status)
        if len(path) > 1 and path.endswith("/"):
            return _redirect(path.rstrip("/") + (f"?{query}" if query else ""), 308)
        return None

    async def _make(self, key: str, url: str) -> Rendered:
        """The page within its budget. Raises NotFound where there is one, but the address is not the one it has."""
        # Not before: what changes after the cache began to wait for this page must be seen by it.
        call = Call.begin(self._site)
        path, _, chosen = key.partition("?")
        named = self._addresses.named(unquote(path), chosen, call.docs)
        async with time_limit("page"):
            rendered = await (self._render(url, call, "real") if named.real else self._render_invented(url, call))
        if named.page:
            return rendered
        match rendered:
            case Document(status=HTTPStatus.OK):
                # The frontend has a route that `Addresses` does not know.
                refuse_log("page", "address", path=url)
                raise NotFound("There is no page at this address")
            case Moved(location=location) if leads_to(location) == key:
                # The router takes every spelling of an address with a ^ for the wrong one.
                raise NotFound("There is no page at this address")
        return rendered

    async def _render_invented(self, url: str, call: Call) -> Rendered:
        """One at a time, and behind all pages that are real. Raises CrowdedOut when too many wait already."""
        if self._inventing >= MOST_INVENTED:
            raise CrowdedOut("The site is too busy to look for this page now")
        self._inventing += 1
        try:
            with metrics.RENDER_QUEUE.labels("invented").track_inprogress():
                await self._invented.acquire()
            try:
                return await self._render(url, call, "invented")
            finally:
                self._invented.release()
        finally:
            self._inventing -= 1

    async def _render(self, url: str, call: Call, lane: Lane) -> Rendered:
        if self.renderer is None:
            raise Unavailable("The site is starting")

        async def ask(id: str, data: object) -> Answer:
            return await registry.call(id, data, call, method="GET")

        return await self.renderer.render(url, ask, lane=lane)


def _target(scope: Scope) -> bytes:
    """Path and query as they came over the wire."""
    raw: bytes = scope.get("raw_path") or scope["path"].encode()
    return raw + b"?" + scope["query_string"] if scope["query_string"] else raw


async def _send(scope: Scope, send: Send, reply: Reply) -> None:
    await send({"type": "http.response.start", "status": reply.status, "headers": reply.headers})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else reply.body})


def _carrying(query: str, moved: Reply) -> Reply:
    """A redirect with the visitor's query, of which the page knew nothing. One that has a query of its own stays."""

    def carry(name: bytes, value: bytes) -> tuple[bytes, bytes]:
        if name != b"location" or b"?" in value or not value.startswith(b"/"):
            return name, value
        path, hash, part = value.partition(b"#")
        return name, b"%b?%b%b%b" % (path, quote(query, SAFE_IN_QUERY, errors="replace").encode(), hash, part)

    return Reply(moved.status, tuple(carry(*header) for header in moved.headers), moved.body)


def _redirect(to: str, status: int) -> Reply:
    headers = [("location", to), *DOCS.headers(), ("content-length", "0")]
    return Reply(status, tuple((name.encode(), value.encode("latin-1")) for name, value in headers), b"")


def _count(failure: SiteError, path: str) -> None:
    """Count and log what was refused for its cost."""
    match failure:
        case CrowdedOut():
            refuse_log("page", "invented", path=path)
        case TooBusy():
            refuse_log("page", "busy", path=path)
        case OverBudget(limit=limit):
            refuse_log("page", limit, path=path)


def _failed(failure: SiteError) -> Reply:
    """The page of last resort, when React could not make one."""
    title = "404 Not Found" if failure.status == 404 else "Something went wrong"  # noqa: PLR2004
    body = _FAILED.format(title=title, message=escape(failure.message)).encode()
    headers = [
        ("content-type", "text/html; charset=utf-8"),
        ("cache-control", "no-store"),
        ("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'"),
        ("content-length", str(len(body))),
        *((("retry-after", str(RETRY_S)),) if failure.status == HTTPStatus.SERVICE_UNAVAILABLE else ()),
        *HEADERS,
    ]
    return Reply(failure.status, tuple((name.encode(), value.encode()) for name, value in headers), body)
