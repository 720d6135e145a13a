"""`/mcp`: the Model Context Protocol over Streamable HTTP, for agents that read the docs.

Anonymous, read-only, without sessions: each POST is answered with one JSON document, by any worker process. The
official SDK speaks the protocol; this module adds limits of size, time, rate and concurrency. The SDK is imported for
the first request: the import takes a fifth of the start of a server.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, date, datetime
from http import HTTPStatus
from typing import TYPE_CHECKING

import orjson
import structlog
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import Message, Receive, Scope, Send

from kinfolk.api.mcp_tools.context import ToolContext
from kinfolk.runtime.errors import SiteError, Unavailable
from kinfolk.site.site import Site
from kinfolk.web.endpoints.mcp.mcp_messages import CollectedResponse, InvalidMessage, TooManyRequests, check_message
from kinfolk.web.protocol.client_address import client_address
from kinfolk.web.protocol.client_limits import read_body
from kinfolk.web.protocol.token_buckets import TokenBuckets
from kinfolk.web.refusal_log import log_refusal
from kinfolk.web.responses import NO_STORE, NOSNIFF

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

    from kinfolk.api.mcp_tools.tools import JsonObject, Tool

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

PATH = "/mcp"
MAX_BODY_BYTES = 64 << 10
MAX_REQUESTS = 32
"""Requests at the same time in a worker process. The 33rd gets status 429."""
THREADS = 4
DATABASE_THREADS = 1
"""Its own thread: while the database is slow, tools that do not need it must not wait."""
TOOL_S = 10.0
"""Seconds of a call, waiting for a thread included."""
REQUEST_S = 15.0
"""Seconds of a request after its body has arrived."""
START_S = 2.0
"""Seconds that a request waits for the service to start, or to restart."""
CALL_CPU_S = 0.05
"""CPU time of one call in the rate limit. A call that takes more counts as more calls."""
SERVER_ERROR = -32000
"""The first code that JSON-RPC leaves to servers."""
_REASONS = {413: "too_large", 403: "origin", 421: "host"}
"""Reasons in the log and the metrics by status of the SDK's responses. Others are invalid requests."""


@dataclass(frozen=True)
class _Service:
    """What exists while the service runs."""

    manager: StreamableHTTPSessionManager
    threads: ThreadPoolExecutor
    database_threads: ThreadPoolExecutor


class McpEndpoint:
    """The ASGI application at `/mcp`. `run` is its service."""

    def __init__(
        self,
        site: Site,
        *,
        clock: Callable[[], float] = time.monotonic,
        today: Callable[[], date] = lambda: datetime.now(UTC).date(),
        tool_s: float = TOOL_S,
        start_s: float = START_S,
    ) -> None:
        self._site = site
        self._today = today
        self._tool_s = tool_s
        self._start_s = start_s
        self._buckets = TokenBuckets(site.settings.mcp_rate, clock)
        self._service: _Service | None = None
        self._loading = asyncio.Lock()
        self._loaded = asyncio.Event()
        self._started = asyncio.Event()
        self._open = 0

    @staticmethod
    def has(path: str) -> bool:
        return path == PATH

    async def run(self) -> None:
        """The service: the SDK's task group and the threads of tools. Runs until it is cancelled."""
        await self._loaded.wait()
        from kinfolk.web.endpoints.mcp.mcp_server import make_manager

        manager = make_manager(
            self._site.catalog, self._site.settings.origin, self._run_tool, max_body_bytes=MAX_BODY_BYTES
        )
        service = _Service(
            manager,
            ThreadPoolExecutor(THREADS, thread_name_prefix="mcp"),
            ThreadPoolExecutor(DATABASE_THREADS, thread_name_prefix="mcp-database"),
        )
        try:
            async with manager.run():
                self._service = service
                self._started.set()
                await asyncio.Event().wait()
        finally:
            self._started.clear()
            self._service = None
            for threads in (service.threads, service.database_threads):
                threads.shutdown(wait=False, cancel_futures=True)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        if request.method != "POST":
            await self._explanation()(scope, receive, send)
            return
        try:
            response = await self._respond(request)
        except ClientDisconnect:
            return
        except SiteError as refused:
            response = self._refusal(request, refused)
        await response(scope, receive, send)

    async def _respond(self, request: Request) -> Response:
        """Raises SiteError."""
        wait_s = self._buckets.take(self._address(request), 1)
        if wait_s:
            raise TooManyRequests("Too many requests from this address", limit="rate", retry_after_s=wait_s)
        body = await read_body(request, MAX_BODY_BYTES)
        check_message(body)
        # After the body has arrived: clients that send slowly must not occupy the places of others.
        if self._open >= MAX_REQUESTS:
            raise TooManyRequests("Too many requests at once, try again in a second", limit="busy", retry_after_s=1)
        self._open += 1
        try:
            await self._load()
            service = await self._running_service()
            response = await _answer(service.manager, request, body)
        finally:
            self._open -= 1
        if response.status_code >= HTTPStatus.BAD_REQUEST:
            reason = _REASONS.get(response.status_code, "invalid")
            log_refusal("mcp", reason, address=self._address(request), status=response.status_code)
        return response

    async def _load(self) -> None:
        """Import the SDK in a thread, before the first request. Raises Unavailable."""
        if self._loaded.is_set():
            return
        try:
            # Requests that arrive during the import wait for it, and occupy no other thread.
            async with asyncio.timeout(REQUEST_S), self._loading:
                if not self._loaded.is_set():
                    await asyncio.to_thread(import_sdk)
                    self._loaded.set()
        except TimeoutError:
            raise Unavailable("This service is starting. Try again in a few seconds.") from None
        except (ImportError, OSError) as failure:
            # The process has no free file descriptor, for example. The next request tries again.
            log.exception("mcp not imported", reason=str(failure))
            raise Unavailable("This service cannot start") from None

    async def _running_service(self) -> _Service:
        try:
            async with asyncio.timeout(self._start_s):
                await self._started.wait()
        except TimeoutError:
            raise Unavailable("This service is starting. Try again in a few seconds.") from None
        if self._service is None:
            raise Unavailable("This service is stopping")
        return self._service

    async def _run_tool(self, tool: Tool, arguments: Mapping[str, object], request: Request | None) -> JsonObject:
        """The answer of a tool, made in a thread. Raises SiteError."""
        service = await self._running_service()
        call = _ToolCall(tool, ToolContext(self._site, self._site.content.publisher.docs, self._today()), arguments)
        threads = service.database_threads if tool.reads_database else service.threads
        try:
            async with asyncio.timeout(self._tool_s):
                return await asyncio.get_running_loop().run_in_executor(threads, call.run)
        except TimeoutError:
            raise Unavailable(f"{tool.name} took longer than {self._tool_s:g} seconds") from None
        finally:
            if request is not None:
                self._buckets.debit(self._address(request), call.cpu_s / CALL_CPU_S - 1)

    def _address(self, request: Request) -> str:
        forwarded_for = ",".join(request.headers.getlist("x-forwarded-for"))
        peer = request.client.host if request.client else ""
        return client_address(peer, forwarded_for, self._site.settings.trusted_proxies)

    def _refusal(self, request: Request, refused: SiteError) -> Response:
        """The error as JSON-RPC. Its id is null, because the body was not read, or not understood."""
        limit = refused.limit if isinstance(refused, TooManyRequests) else refused.code
        log_refusal("mcp", limit, address=self._address(request), message=refused.message)
        headers = {**NO_STORE, **NOSNIFF, "content-type": "application/json"}
        if isinstance(refused, TooManyRequests):
            headers["retry-after"] = str(refused.retry_after_s)
        rpc_code = refused.rpc_code if isinstance(refused, InvalidMessage) else SERVER_ERROR
        error = {"code": rpc_code, "message": refused.message}
        return Response(orjson.dumps({"jsonrpc": "2.0", "id": None, "error": error}), refused.status, headers=headers)

    def _explanation(self) -> Response:
        """For people who open the address. The protocol requires 405 where a server sends no events."""
        text = (
            f"This is the MCP endpoint of {self._site.catalog.family}, for agents that read the docs.\n"
            f"Add {self._site.settings.origin}{PATH} to your client as a server with Streamable HTTP.\n"
        )
        return PlainTextResponse(text, 405, headers={"allow": "POST", **NO_STORE, **NOSNIFF})


class _ToolCall:
    """One call of a tool in one thread."""

    def __init__(self, tool: Tool, context: ToolContext, arguments: Mapping[str, object]) -> None:
        self._tool = tool
        self._context = context
        self._arguments = arguments
        self.cpu_s = 0.0

    def run(self) -> JsonObject:
        start_s = time.thread_time()
        try:
            return self._tool.call(self._context, self._arguments)
        finally:
            self.cpu_s = time.thread_time() - start_s


async def _answer(manager: StreamableHTTPSessionManager, request: Request, body: bytes) -> Response:
    """The response of the SDK, complete. Raises SiteError after an error, and when it takes too long."""
    collected = CollectedResponse()
    unread: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        return unread.pop() if unread else await request.receive()

    try:
        async with asyncio.timeout(REQUEST_S):
            await manager.handle_request(request.scope, receive, collected.send)
    except TimeoutError:
        raise Unavailable("The request took too long") from None
    except Exception:
        log.exception("request crashed", path=PATH)
        raise SiteError("Something went wrong on our side") from None
    return collected.response()


def import_sdk() -> None:
    """Import what `run` uses in the event loop, where the import must not block."""
    import kinfolk.web.endpoints.mcp.mcp_server  # noqa: F401
