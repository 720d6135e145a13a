"""`/1/…`: the protocol of the search over HTTP, at the place where the official clients look for it.

They send JSON under any content type, keys in headers or in the address, bodies with gzip and without a length, and
take anything from 500 up, or an answer that begins after a second, for a host to stay away from.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import secrets
import time
import zlib
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from urllib.parse import parse_qsl, unquote

import brotli
import orjson
import structlog
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from kinfolk.cache import Recent
from kinfolk.errors import SiteError, Unavailable
from kinfolk.search.algolia.fault import Fault
from kinfolk.search.algolia.keys import LONGEST_KEY, access
from kinfolk.search.pauses import PAUSE_S, Pauses, Searched
from kinfolk.search.protocol import Ask, Protocol, Reply, Route, route_of
from kinfolk.site import Site
from kinfolk.ssr.page import preferred
from kinfolk.web.limits import read_body

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

BASE = "/1/"
LONGEST_QUERY = 16_384
"""Bytes of an address: a secured key is in it, and may name many filters."""
THREADS = 4
PATIENCE_S = 0.8
"""How long a search may wait for its turn. A browser gives up a host whose answer has not begun after one second."""
SMALLEST_PACKED = 1024
BURST_S = 10
"""Seconds' worth of searches that an address may make at once: someone who types makes many, and then none."""
MOST_ADDRESSES = 20_000
_GZIP_OR_ZLIB = 47
_ID, _KEY = "x-algolia-application-id", "x-algolia-api-key"

CORS = {
    "access-control-allow-origin": "*",
    "access-control-expose-headers": "correlation-id, retry-after",
}
PREFLIGHT = {
    **CORS,
    "access-control-allow-methods": "GET, POST, PUT, DELETE, OPTIONS",
    "access-control-max-age": "86400",
    "cache-control": "public, max-age=86400",
}


@dataclass(frozen=True)
class _Level:
    """How many searches an address has left, and when that was."""

    left: float
    at_s: float


class SearchApi:
    """The ASGI application of everything below `/1/`."""

    def __init__(self, site: Site, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._protocol: Protocol = site.protocol
        self._clock = clock
        self._rate = site.settings.search_rate
        self._levels: Recent[str, _Level] = Recent(MOST_ADDRESSES)
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="search")
        self._turns = {"search": asyncio.Semaphore(THREADS), "admin": asyncio.Semaphore(THREADS // 2)}
        self._pauses = Pauses()
        self._salt = secrets.token_bytes(16)
        self._settled: list[Searched] = []
        self._counting: set[asyncio.Task[None]] = set()
        self._closing = asyncio.Event()

    @staticmethod
    def has(path: str) -> bool:
        return path.startswith(BASE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        headers = {**CORS, "correlation-id": secrets.token_hex(16), "cache-control": "no-store"}
        try:
            response = await self._respond(request, headers)
        except ClientDisconnect:
            return
        await response(scope, receive, send)

    async def close(self) -> None:
        """Count what is still waiting to be counted."""
        self._closing.set()
        await asyncio.gather(*self._counting)
        await self._add(self._settled + self._pauses.all())
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _respond(self, request: Request, headers: dict[str, str]) -> Response:
        if request.method == "OPTIONS":
            asked = request.headers.get("access-control-request-headers", "*")
            return Response(None, headers={**PREFLIGHT, "access-control-allow-headers": asked})
        try:
            reply = await self._answer(request)
            body = orjson.dumps(reply.body)
            status = reply.status
        except Fault as fault:
            body, status = orjson.dumps(fault.body()), fault.status
            if fault.retry_after_s is not None:
                headers["retry-after"] = str(fault.retry_after_s)
        except Unavailable as away:
            log.warning("search is not ready", path=request.url.path, reason=away.message)
            body, status = orjson.dumps({"message": away.message, "status": away.status}), away.status
        except SiteError as wrong:
            body, status = orjson.dumps({"message": wrong.message, "status": wrong.status}), wrong.status
        except ClientDisconnect:
            raise
        except Exception:
            log.exception("search crashed", path=request.url.path)
            body, status = orjson.dumps({"message": "Something went wrong on our side", "status": 500}), 500
        return _packed(request, body, status, headers)

    async def _answer(self, request: Request) -> Reply:
        scope = request.scope
        raw_query: bytes = scope["query_string"]
        if len(raw_query) > LONGEST_QUERY:
            raise Fault("The address is too long", 414)
        query = dict(parse_qsl(raw_query.decode("latin-1"), keep_blank_values=True, errors="replace"))
        about = {name.lower(): value for name, value in query.items()}
        address = request.client.host if request.client else ""
        granted = access(
            self._protocol.keys,
            request.headers.get(_ID) or about.get(_ID, ""),
            (request.headers.get(_KEY) or about.get(_KEY, ""))[:LONGEST_KEY],
            now_s=time.time(),
            address=address,
        )
        self._limit(address)
        method = "GET" if request.method == "HEAD" else request.method
        path = _segments(scope)
        route = route_of(method, path)
        granted.require(route.right)
        ask = Ask(
            method,
            path,
            granted,
            await _body(request, route),
            query,
            request.headers.get("x-algolia-agent") or about.get("x-algolia-agent", ""),
        )
        reply = await self._carried_out(ask, route)
        self._hear(request, path, reply, address)
        return reply

    async def _carried_out(self, ask: Ask, route: Route) -> Reply:
        """In a thread, as soon as one is free; a reader is told to come back rather than kept waiting."""
        turn = self._turns[route.right]
        try:
            async with asyncio.timeout(PATIENCE_S if route.right == "search" else None):
                await turn.acquire()
        except TimeoutError:
            raise Fault("Too many searches at once, try again in a second", 429, retry_after_s=1) from None
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._threads, self._protocol.answer, ask)
        finally:
            turn.release()

    def _limit(self, address: str) -> None:
        """A bucket that fills with `rate` searches a second. Raises Fault when it is empty."""
        if not self._rate:
            return
        now_s, most = self._clock(), max(1.0, self._rate * BURST_S)
        level = self._levels.get(address) or _Level(most, now_s)
        left = min(most, level.left + (now_s - level.at_s) * self._rate)
        if left < 1:
            wait_s = max(1, round((1 - left) / self._rate))
            raise Fault("Too many searches from this address", 429, retry_after_s=wait_s)
        self._levels.put(address, _Level(left - 1, now_s))

    # What people search for

    def _hear(self, request: Request, path: tuple[str, ...], reply: Reply, address: str) -> None:
        clicked = path == ("events",)
        if not reply.searched and not clicked:
            return
        reader = self._reader(request, address)
        now_s = self._clock()
        if clicked:
            self._settled += self._pauses.clicked(reader, now_s)
        for search in reply.searched:
            self._settled += self._pauses.heard(reader, search, now_s)
        if not self._counting and (self._settled or self._pauses.waits):
            task = asyncio.get_running_loop().create_task(self._count())
            self._counting.add(task)
            task.add_done_callback(self._counting.discard)

    async def _count(self) -> None:
        """Count what is known to be complete, and what stands still, until nothing waits."""
        while not self._closing.is_set():
            settled, self._settled = self._settled, []
            await self._add(settled)
            if not self._pauses.waits and not self._settled:
                return
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._closing.wait(), PAUSE_S)
            self._settled += self._pauses.due(self._clock())

    async def _add(self, searched: list[Searched]) -> None:
        if searched:
            await asyncio.get_running_loop().run_in_executor(self._threads, self._protocol.searches.add, searched)

    def _reader(self, request: Request, address: str) -> str:
        """Tells one who types from another, for as long as this process lives."""
        seen = (address, request.headers.get("x-forwarded-for", ""), request.headers.get("user-agent", ""))
        return hashlib.blake2b("\n".join(seen).encode("utf-8", "replace"), key=self._salt, digest_size=8).hexdigest()


def _segments(scope: Scope) -> tuple[str, ...]:
    """The path after `/1/`, each part decoded for itself: the name of an index may hold a slash."""
    raw: bytes = scope.get("raw_path") or str(scope["path"]).encode()
    parts = raw.split(b"?")[0].decode("latin-1").removeprefix(BASE).split("/")
    return tuple(unquote(part, errors="replace") for part in parts)


async def _body(request: Request, route: Route) -> object:
    """The JSON that was sent; None for nothing. Raises Fault for anything else."""
    if request.method not in ("POST", "PUT", "DELETE"):
        return None
    sent = await read_body(request, route.largest)
    if request.headers.get("content-encoding", "").strip().lower() in ("gzip", "deflate"):
        sent = _unpacked(sent, route.largest)
    if not sent.strip():
        return None
    try:
        body: object = orjson.loads(sent)
    except orjson.JSONDecodeError as wrong:
        raise Fault(f"Invalid JSON: {str(wrong)[:120]}") from None
    return body


def _unpacked(packed: bytes, limit: int) -> bytes:
    stream = zlib.decompressobj(_GZIP_OR_ZLIB)
    try:
        body = stream.decompress(packed, limit + 1)
    except zlib.error:
        raise Fault("The body is not what its content-encoding says") from None
    if len(body) > limit:
        raise Fault(f"The body is larger than {limit} bytes", 413)
    if not stream.eof:
        raise Fault("The body ends too early")
    return body


def _packed(request: Request, body: bytes, status: int, headers: Mapping[str, str]) -> Response:
    about = {**headers, "content-type": "application/json; charset=utf-8", "vary": "accept-encoding"}
    encoding = preferred(request.headers.get("accept-encoding", "").encode("latin-1"))
    if len(body) >= SMALLEST_PACKED and encoding == "br":
        body = brotli.compress(body, mode=brotli.MODE_TEXT, quality=3)
        about["content-encoding"] = "br"
    elif len(body) >= SMALLEST_PACKED and encoding == "gzip":
        body = zlib.compress(body, 3, wbits=31)
        about["content-encoding"] = "gzip"
    return Response(body, status, headers=about)
