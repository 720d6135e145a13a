"""`/1/…`: Algolia's API over HTTP, at the path that the official clients use.

Clients send JSON under any content type, keys in headers or in the URL, and bodies with gzip and without a length. They
avoid a host for minutes after a status of 500 or above, or a response that starts after more than a second.
"""

from __future__ import annotations

import asyncio
import secrets
import time
import zlib
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from urllib.parse import parse_qsl, unquote

import brotli
import orjson
import structlog
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from kinfolk.config.settings import Network
from kinfolk.runtime.budget import OverBudget, check_shape
from kinfolk.runtime.errors import SiteError, Unavailable
from kinfolk.runtime.http_headers import preferred_encoding
from kinfolk.search.algolia.api import AlgoliaApi, find_route
from kinfolk.search.algolia.api_error import ApiError, over_budget
from kinfolk.search.algolia.api_keys import MAX_KEY_LENGTH, KeyPermissions, access
from kinfolk.search.algolia.calls.call import ApiRequest, ApiResponse, ApiRoute
from kinfolk.search.algolia.formats.record_operations import MAX_RECORD_DEPTH, depth_of
from kinfolk.site.site import Site
from kinfolk.web.background.counts.search_counter import SearchCounter
from kinfolk.web.endpoints.search.search_rate_limit import SearchRateLimit
from kinfolk.web.protocol.client_address import client_address, exact_client_address
from kinfolk.web.protocol.client_limits import TooLarge, TooSlow, read_body
from kinfolk.web.refusal_log import log_refusal

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

BASE = "/1/"
MAX_QUERY_STRING_BYTES = 16_384
"""It may contain a secured key with many filters."""
THREADS = 4
MAX_WAIT_S = 0.8
"""How long a search waits for a thread. Clients in a browser give up after one second."""
MIN_COMPRESSED_BYTES = 1024
SEARCH_CPU_S = 0.05
"""CPU time of one search in the rate limit. A request that takes more counts as more searches."""
MAX_BODY_DEPTH = MAX_RECORD_DEPTH + 4
"""With the admin key: a record, within an operation, within a batch."""
MAX_INLINE_BYTES = 64 << 10
"""JSON up to this size is parsed on the event loop, in less than a millisecond. Larger bodies go to a thread."""
_GZIP_OR_ZLIB = 47
_ENCODINGS = ("gzip", "deflate")
_ID, _KEY = "x-algolia-application-id", "x-algolia-api-key"

CORS = {
    "access-control-allow-origin": "*",
    "access-control-expose-headers": "correlation-id, retry-after, x-request-id",
}
PREFLIGHT = {
    **CORS,
    "access-control-allow-methods": "GET, POST, PUT, DELETE, OPTIONS",
    "access-control-max-age": "86400",
    "cache-control": "public, max-age=86400",
}


class AlgoliaEndpoint:
    """The ASGI application below `/1/`."""

    def __init__(self, site: Site, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._api: AlgoliaApi = site.search.algolia
        self._trusted = site.settings.trusted_proxies
        self._rate_limit = SearchRateLimit(site.settings.search_rate, clock)
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="search")
        self._slots = {"search": asyncio.Semaphore(THREADS), "admin": asyncio.Semaphore(THREADS // 2)}
        # Its own thread: while the database is slow, counting must not take one of the threads that search.
        self._counting = ThreadPoolExecutor(1, thread_name_prefix="search-counts")
        self._search_counter = SearchCounter(self._api.query_log, self._counting, clock)

    @staticmethod
    def has(path: str) -> bool:
        return path.startswith(BASE) or path == BASE.removesuffix("/")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        headers = {**CORS, "correlation-id": secrets.token_hex(16), "cache-control": "no-store"}
        try:
            response = await self._respond(request, headers)
        except ClientDisconnect:
            return
        await response(scope, receive, send)

    async def store_waiting(self) -> None:
        """A background task: store counts that wait for the database."""
        await self._search_counter.store_waiting()

    async def flush(self) -> None:
        """Count all pending searches."""
        await self._search_counter.flush()
        for threads in (self._threads, self._counting):
            threads.shutdown(wait=False, cancel_futures=True)

    async def _respond(self, request: Request, headers: dict[str, str]) -> Response:
        if request.method == "OPTIONS":
            requested = request.headers.get("access-control-request-headers", "*")
            return Response(None, headers={**PREFLIGHT, "access-control-allow-headers": requested})
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
        reason = _exceeded_limit(wrong)
        if reason:
            log_refusal("search", reason, path=request.url.path, address=address, message=wrong.message)
        if isinstance(wrong, ApiError) and wrong.retry_after_s is not None:
            headers["retry-after"] = str(wrong.retry_after_s)
        body = orjson.dumps({"message": wrong.message, "status": wrong.status})
        return _response(*_compressed(_encoding(request), body), wrong.status, headers)

    async def _answer(self, request: Request, address: str, headers: Mapping[str, str]) -> Response:
        scope = request.scope
        raw_query: bytes = scope["query_string"]
        if len(raw_query) > MAX_QUERY_STRING_BYTES:
            raise ApiError("The address is too long", 414)
        query = dict(parse_qsl(raw_query.decode("latin-1"), keep_blank_values=True, errors="replace"))
        about = {name.lower(): value for name, value in query.items()}
        permissions = self._access(request, about, address)
        method = "GET" if request.method == "HEAD" else request.method
        path = _segments(scope)
        route = find_route(method, path)
        permissions.require(route.right)
        body = await self._body(request, route)
        self._rate_limit.charge(address, permissions, route.cost(body) - 1, charged=1)
        api_request = ApiRequest(
            method,
            path,
            permissions,
            body,
            query,
            request.headers.get("x-algolia-agent") or about.get("x-algolia-agent", ""),
        )
        call = _Call(self._api, api_request, _encoding(request))
        try:
            reply, sent, encoding = await self._run_in_thread(call, route)
        finally:
            self._rate_limit.debit(address, permissions, call.cpu_s / SEARCH_CPU_S - route.cost(body))
        user_agent = request.headers.get("user-agent", "")
        self._search_counter.add(address, user_agent, reply.logged, clicked=path == ("events",))
        return _response(sent, encoding, reply.status, headers)

    def _access(self, request: Request, about: Mapping[str, str], address: str) -> KeyPermissions:
        """The permissions of the request's key. A request costs at least one search, also with a wrong key."""
        try:
            permissions = access(
                self._api.keys,
                request.headers.get(_ID) or about.get(_ID, ""),
                (request.headers.get(_KEY) or about.get(_KEY, ""))[:MAX_KEY_LENGTH],
                now_s=time.time(),
                address=self._address_of(request, exact_client_address),
            )
        except ApiError:
            self._rate_limit.charge(address, KeyPermissions("search"), 1)
            raise
        self._rate_limit.charge(address, permissions, 1)
        return permissions

    def _address_of(self, request: Request, read: Callable[[str, str, Sequence[Network]], str]) -> str:
        forwarded_for = ",".join(request.headers.getlist("x-forwarded-for"))
        return read(request.client.host if request.client else "", forwarded_for, self._trusted)

    async def _body(self, request: Request, route: ApiRoute) -> object:
        """The JSON that was sent; None without a body. Raises ApiError for anything else, OverBudget above a limit."""
        if request.method not in ("POST", "PUT", "DELETE"):
            return None
        sent = await read_body(request, route.max_body_bytes)
        encoding = request.headers.get("content-encoding", "").strip().lower()
        if len(sent) <= MAX_INLINE_BYTES and encoding not in _ENCODINGS:
            return _parse(sent, encoding, route)
        return await asyncio.get_running_loop().run_in_executor(self._threads, _parse, sent, encoding, route)

    async def _run_in_thread(self, call: _Call, route: ApiRoute) -> tuple[ApiResponse, bytes, str]:
        """Raises ApiError with status 429 where no thread is free in time."""
        slot = self._slots[route.right]
        try:
            async with asyncio.timeout(MAX_WAIT_S if route.right == "search" else None):
                await slot.acquire()
        except TimeoutError:
            raise ApiError(
                "Too many searches at once, try again in a second", 429, retry_after_s=1, limit="busy"
            ) from None
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, copy_context().run, call.run)
        finally:
            slot.release()


def _segments(scope: Scope) -> tuple[str, ...]:
    """The segments of the path after `/1/`, decoded one by one: the name of an index may contain a slash."""
    raw: bytes = scope.get("raw_path") or str(scope["path"]).encode()
    parts = raw.split(b"?")[0].decode("latin-1").removeprefix(BASE).split("/")
    return tuple(unquote(part, errors="replace") for part in parts)


class _Call:
    """One request, from the handler to the encoded body, in one thread."""

    def __init__(self, api: AlgoliaApi, api_request: ApiRequest, encoding: str) -> None:
        self._api = api
        self._api_request = api_request
        self._encoding = encoding
        self.cpu_s = 0.0
        """CPU time of the handler and the encoding."""

    def run(self) -> tuple[ApiResponse, bytes, str]:
        """The response, its body, and the encoding of the body."""
        start_s = time.thread_time()
        try:
            reply = self._api.handle(self._api_request)
            return reply, *_compressed(self._encoding, orjson.dumps(reply.body))
        finally:
            self.cpu_s = time.thread_time() - start_s


def _exceeded_limit(wrong: SiteError) -> str:
    """The name of the exceeded limit, for the log; empty for other errors."""
    match wrong:
        case ApiError():
            return wrong.limit
        case TooLarge() | TooSlow():
            return wrong.code
        case Unavailable():
            return "unavailable"
    return ""


def _parse(sent: bytes, encoding: str, route: ApiRoute) -> object:
    if encoding in _ENCODINGS:
        sent = _decompressed(sent, route.max_body_bytes)
    if not sent.strip():
        return None
    try:
        body: object = orjson.loads(sent)
    except orjson.JSONDecodeError as wrong:
        raise ApiError(f"Invalid JSON: {str(wrong)[:120]}") from None
    if route.right == "search":
        check_shape("search", body)
    elif depth_of(body, MAX_BODY_DEPTH) > MAX_BODY_DEPTH:
        raise ApiError(f"The body is nested deeper than {MAX_BODY_DEPTH} levels", limit="depth")
    return body


def _decompressed(packed: bytes, limit: int) -> bytes:
    stream = zlib.decompressobj(_GZIP_OR_ZLIB)
    try:
        body = stream.decompress(packed, limit + 1)
    except zlib.error:
        raise ApiError("The body is not what its content-encoding says") from None
    if len(body) > limit:
        raise ApiError(f"The body is larger than {limit} bytes", 413, limit="too_large")
    if not stream.eof:
        raise ApiError("The body ends too early")
    return body


def _encoding(request: Request) -> str:
    return preferred_encoding(request.headers.get("accept-encoding", "").encode("latin-1")) or ""


def _compressed(encoding: str, body: bytes) -> tuple[bytes, str]:
    """The encoded body and its encoding; empty for none."""
    if len(body) < MIN_COMPRESSED_BYTES:
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
