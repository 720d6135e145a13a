"""`/1/…`: the protocol of the search over HTTP, at the place where the official clients look for it.

They send JSON under any content type, keys in headers or in the address, bodies with gzip and without a length, and
take anything from 500 up, or an answer that begins after a second, for a host to stay away from.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import math
import secrets
import time
import zlib
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from urllib.parse import parse_qsl, unquote

import brotli
import orjson
import structlog
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from kinfolk.budget import OverBudget, check_shape
from kinfolk.cache import Recent
from kinfolk.errors import SiteError, Unavailable
from kinfolk.search.algolia.fault import Fault, over_budget
from kinfolk.search.algolia.keys import LONGEST_KEY, Access, access
from kinfolk.search.algolia.records import DEEPEST_RECORD, depth_of
from kinfolk.search.pauses import PAUSE_S, Pauses, Searched
from kinfolk.search.protocol import Ask, Protocol, Reply, Route, route_of
from kinfolk.settings import Network
from kinfolk.site import Site
from kinfolk.ssr.page import preferred
from kinfolk.web.client_address import client_address, exact_client_address
from kinfolk.web.limits import TooLarge, TooSlow, read_body
from kinfolk.web.refusals import refuse_log

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
SEARCH_CPU_S = 0.05
"""Processor time that the price of a search covers. A call that takes more counts as more searches."""
DEEPEST_BODY = DEEPEST_RECORD + 4
"""Levels of what may be written with the admin key: a record, within an operation, within a batch."""
QUICKLY_PARSED = 64 << 10
"""Bytes of JSON that are parsed on the event loop. That takes less than a millisecond; more goes to a thread."""
MOST_ADDRESSES = 20_000
_GZIP_OR_ZLIB = 47
_ENCODINGS = ("gzip", "deflate")
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
        self._trusted = site.settings.trusted_proxies
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
        address = self._address_of(request, client_address)
        try:
            return await self._answer(request, address, headers)
        except OverBudget as exceeded:
            wrong: SiteError = over_budget(exceeded)
        except SiteError as failed:
            wrong = failed
        except ClientDisconnect:
            raise
        except Exception:
            log.exception("search crashed", path=request.url.path[:200])
            wrong = SiteError("Something went wrong on our side")
        reason = _refusal(wrong)
        if reason:
            refuse_log("search", reason, path=request.url.path, address=address, message=wrong.message)
        if isinstance(wrong, Fault) and wrong.retry_after_s is not None:
            headers["retry-after"] = str(wrong.retry_after_s)
        body = orjson.dumps({"message": wrong.message, "status": wrong.status})
        return _response(*_packed(_encoding(request), body), wrong.status, headers)

    async def _answer(self, request: Request, address: str, headers: Mapping[str, str]) -> Response:
        scope = request.scope
        raw_query: bytes = scope["query_string"]
        if len(raw_query) > LONGEST_QUERY:
            raise Fault("The address is too long", 414)
        query = dict(parse_qsl(raw_query.decode("latin-1"), keep_blank_values=True, errors="replace"))
        about = {name.lower(): value for name, value in query.items()}
        granted = self._access(request, about, address)
        method = "GET" if request.method == "HEAD" else request.method
        path = _segments(scope)
        route = route_of(method, path)
        granted.require(route.right)
        body = await self._body(request, route)
        self._charge(address, granted, route.cost(body) - 1, charged=1)
        ask = Ask(
            method,
            path,
            granted,
            body,
            query,
            request.headers.get("x-algolia-agent") or about.get("x-algolia-agent", ""),
        )
        work = _Work(self._protocol, ask, _encoding(request))
        try:
            reply, sent, encoding = await self._carried_out(work, route)
        finally:
            self._debit(address, granted, work.processor_s / SEARCH_CPU_S - route.cost(body))
        self._hear(request, path, reply, address)
        return _response(sent, encoding, reply.status, headers)

    def _access(self, request: Request, about: Mapping[str, str], address: str) -> Access:
        """What the key of the request may do. Every call counts as one search at least, also one with a wrong key."""
        try:
            granted = access(
                self._protocol.keys,
                request.headers.get(_ID) or about.get(_ID, ""),
                (request.headers.get(_KEY) or about.get(_KEY, ""))[:LONGEST_KEY],
                now_s=time.time(),
                address=self._address_of(request, exact_client_address),
            )
        except Fault:
            self._charge(address, Access("search"), 1)
            raise
        self._charge(address, granted, 1)
        return granted

    def _address_of(self, request: Request, read: Callable[[str, str, Sequence[Network]], str]) -> str:
        forwarded_for = ",".join(request.headers.getlist("x-forwarded-for"))
        return read(request.client.host if request.client else "", forwarded_for, self._trusted)

    async def _body(self, request: Request, route: Route) -> object:
        """The JSON that was sent; None for nothing. Raises Fault for anything else, OverBudget for too much of it."""
        if request.method not in ("POST", "PUT", "DELETE"):
            return None
        sent = await read_body(request, route.largest)
        encoding = request.headers.get("content-encoding", "").strip().lower()
        if len(sent) <= QUICKLY_PARSED and encoding not in _ENCODINGS:
            return _parsed(sent, encoding, route)
        return await asyncio.get_running_loop().run_in_executor(self._threads, _parsed, sent, encoding, route)

    async def _carried_out(self, work: _Work, route: Route) -> tuple[Reply, bytes, str]:
        """In a thread, as soon as one is free; a reader is told to come back rather than kept waiting."""
        turn = self._turns[route.right]
        try:
            async with asyncio.timeout(PATIENCE_S if route.right == "search" else None):
                await turn.acquire()
        except TimeoutError:
            raise Fault(
                "Too many searches at once, try again in a second", 429, retry_after_s=1, limit="busy"
            ) from None
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work.run)
        finally:
            turn.release()

    def _charge(self, address: str, granted: Access, searches: int, *, charged: int = 0) -> None:
        """Take so many searches from the address. Raises Fault, with the seconds to wait, where it has too few.

        A bucket fills with `rate` searches a second. A call that counts as more than a full bucket is allowed when that
        is full, and leaves a debt. `charged` were taken for the same call before. The admin key is not limited.
        """
        if not self._rate or searches < 1 or granted.right == "admin":
            return
        most = max(1.0, self._rate * BURST_S)
        left, wanted = self._left(address), min(most - charged, searches)
        if left < wanted:
            wait_s = max(1, math.ceil((wanted - left) / self._rate))
            raise Fault("Too many searches from this address", 429, retry_after_s=wait_s, limit="rate")
        self._levels.put(address, _Level(left - searches, self._clock()))

    def _debit(self, address: str, granted: Access, searches: float) -> None:
        """Take what a call has cost more than was known before it; never more than a full bucket holds."""
        if self._rate and searches > 0 and granted.right != "admin":
            left = self._left(address) - min(searches, self._rate * BURST_S)
            self._levels.put(address, _Level(left, self._clock()))

    def _left(self, address: str) -> float:
        most, now_s = max(1.0, self._rate * BURST_S), self._clock()
        level = self._levels.get(address) or _Level(most, now_s)
        return min(most, level.left + (now_s - level.at_s) * self._rate)

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
        seen = (address, request.headers.get("user-agent", ""))
        return hashlib.blake2b("\n".join(seen).encode("utf-8", "replace"), key=self._salt, digest_size=8).hexdigest()


def _segments(scope: Scope) -> tuple[str, ...]:
    """The path after `/1/`, each part decoded for itself: the name of an index may hold a slash."""
    raw: bytes = scope.get("raw_path") or str(scope["path"]).encode()
    parts = raw.split(b"?")[0].decode("latin-1").removeprefix(BASE).split("/")
    return tuple(unquote(part, errors="replace") for part in parts)


class _Work:
    """One call, from the protocol to the bytes that are sent: everything that takes time, in one thread."""

    def __init__(self, protocol: Protocol, ask: Ask, encoding: str) -> None:
        self._protocol = protocol
        self._ask = ask
        self._encoding = encoding
        self.processor_s = 0.0
        """What it has taken of a processor."""

    def run(self) -> tuple[Reply, bytes, str]:
        """The reply, its body, and how that is encoded."""
        began_s = time.thread_time()
        try:
            reply = self._protocol.answer(self._ask)
            return reply, *_packed(self._encoding, orjson.dumps(reply.body))
        finally:
            self.processor_s = time.thread_time() - began_s


def _refusal(wrong: SiteError) -> str:
    """The limit that was exceeded; empty for a mistake that is not worth a line in the log."""
    match wrong:
        case Fault():
            return wrong.limit
        case TooLarge() | TooSlow():
            return wrong.code
        case Unavailable():
            return "unavailable"
    return ""


def _parsed(sent: bytes, encoding: str, route: Route) -> object:
    if encoding in _ENCODINGS:
        sent = _unpacked(sent, route.largest)
    if not sent.strip():
        return None
    try:
        body: object = orjson.loads(sent)
    except orjson.JSONDecodeError as wrong:
        raise Fault(f"Invalid JSON: {str(wrong)[:120]}") from None
    if route.right == "search":
        check_shape("search", body)
    elif depth_of(body, DEEPEST_BODY) > DEEPEST_BODY:
        raise Fault(f"The body is nested deeper than {DEEPEST_BODY} levels", limit="depth")
    return body


def _unpacked(packed: bytes, limit: int) -> bytes:
    stream = zlib.decompressobj(_GZIP_OR_ZLIB)
    try:
        body = stream.decompress(packed, limit + 1)
    except zlib.error:
        raise Fault("The body is not what its content-encoding says") from None
    if len(body) > limit:
        raise Fault(f"The body is larger than {limit} bytes", 413, limit="too_large")
    if not stream.eof:
        raise Fault("The body ends too early")
    return body


def _encoding(request: Request) -> str:
    return preferred(request.headers.get("accept-encoding", "").encode("latin-1")) or ""


def _packed(encoding: str, body: bytes) -> tuple[bytes, str]:
    """The body as it is sent, and its encoding; empty where that is none."""
    if len(body) < SMALLEST_PACKED:
        return body, ""
    if encoding == "br":
        return brotli.compress(body, mode=brotli.MODE_TEXT, quality=3), encoding
    if encoding == "gzip":
        return zlib.compress(body, 3, wbits=31), encoding
    return body, ""


def _response(body: bytes, encoding: str, status: int, headers: Mapping[str, str]) -> Response:
    about = {**headers, "content-type": "application/json; charset=utf-8", "vary": "accept-encoding"}
    if encoding:
        about["content-encoding"] = encoding
    return Response(body, status, headers=about)
