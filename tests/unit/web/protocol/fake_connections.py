"""Connections to the protocol class without sockets, on an event loop with an adjustable clock."""

from __future__ import annotations

import asyncio
import dataclasses
import re
import socket
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, TypeVar

from starlette.types import Receive, Scope, Send
from uvicorn import Config
from uvicorn.server import ServerState

from kinfolk.config.settings import Settings
from kinfolk.rendering.v8_renderer import HtmlDocument, QueryFunction, RenderResult
from kinfolk.runtime.cache import DOCS
from kinfolk.site.site import Site
from kinfolk.web.app import SiteApp
from kinfolk.web.protocol.http11 import Http11Protocol

T = TypeVar("T")
Handler = Callable[[Receive, Send], Awaitable[None]]

PEER = "192.0.2.1"
HIGH_WATER = 65536
PAGE = "/ranger/latest/docs/overview"


class AdjustableClockLoop(asyncio.SelectorEventLoop):
    """An event loop whose timers fire when the clock is set past them."""

    def __init__(self) -> None:
        super().__init__()
        self._skipped_s = 0.0
        self.in_threads: set[asyncio.Future[Any]] = set()
        """Work in threads that is not done."""

    def run_in_executor(  # type: ignore[override]  # its variadic type cannot be repeated in Python 3.11
        self, executor: Any, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        future = super().run_in_executor(executor, func, *args)
        self.in_threads.add(future)
        future.add_done_callback(self.in_threads.discard)
        return future

    def time(self) -> float:
        return super().time() + self._skipped_s

    def skip(self, seconds: float) -> None:
        self._skipped_s += seconds

    def close(self) -> None:
        """End all tasks and threads. A task destroyed while it is pending is logged in whichever test runs then."""
        if not self.is_closed():
            self.run_until_complete(self._end_tasks())
            self.run_until_complete(self.shutdown_default_executor())
        super().close()

    async def _end_tasks(self) -> None:
        tasks = asyncio.all_tasks(self) - {asyncio.current_task(self)}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class FakeRenderer:
    """Renders each address as a page that contains it."""

    async def render(self, url: str, query: QueryFunction) -> RenderResult:  # noqa: ARG002 - of the interface
        status = 404 if "nowhere" in url else 200
        return HtmlDocument(status, f"<!doctype html><title>{url}</title>", frozenset({"made"}), DOCS)


class FakeRendererApp(SiteApp):
    """The site with a one-line renderer, and addresses that a test answers itself."""

    def __init__(self, site: Site, settings: Settings | None = None) -> None:
        super().__init__(dataclasses.replace(site, settings=settings or site.settings))
        self.pages.renderer = FakeRenderer()
        self.handlers: dict[str, Handler] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        handler = self.handlers.get(scope.get("path", ""))
        if handler is not None:
            await handler(receive, send)
        else:
            await super().__call__(scope, receive, send)


@dataclass
class Response:
    status: int
    headers: dict[str, str]
    body: bytes


class FakeConnection(asyncio.Transport):
    """Both ends of a connection; `received` is the data that the client has read."""

    def __init__(self, loop: asyncio.AbstractEventLoop, peer: str | None) -> None:
        super().__init__()
        self.sent = b""
        self.received = b""
        self.reads_all = True
        """Whether the client reads; otherwise data stays in the server's buffer."""
        self.is_lost = False
        self.has_eof = False
        self.is_paused = False
        self.socket: socket.socket | None = None
        """What the kernel has received, for tests in which the event loop is late."""
        self._loop = loop
        self._peer = peer
        self._closing = False
        self._unsent = b""
        self._is_writing_paused = False

    def begin(self, protocol: Http11Protocol) -> None:
        self.protocol = protocol
        protocol.connection_made(self)

    # The client's side

    def send(self, data: bytes) -> None:
        """While the server has paused reading, data waits in the kernel."""
        if data and not (self._closing or self.is_lost):
            self.sent += data
            self.protocol.data_received(data)

    def read(self, size: int) -> None:
        """Read a part of the server's buffer."""
        self.received, self._unsent = self.received + self._unsent[:size], self._unsent[size:]
        if self._is_writing_paused and not self._unsent:
            self._is_writing_paused = False
            self.protocol.resume_writing()
        if self._closing and not self._unsent:
            self._loop.call_soon(self._lose, None)

    def close_from_client(self) -> None:
        if not (self._closing or self.is_lost):
            self.protocol.eof_received()
            self.close()

    def reset_from_client(self) -> None:
        self._closing = True
        self._unsent = b""
        self._lose(ConnectionResetError())

    def responses(self, most: int | None = None) -> list[Response]:
        """The first `most` responses in order. Raises AssertionError for invalid HTTP."""
        found: list[Response] = []
        rest = self.received
        while rest and (most is None or len(found) < most):
            head, blank, rest = rest.partition(b"\r\n\r\n")
            assert blank, head[:200]
            line, *lines = head.decode("latin-1").split("\r\n")
            status = re.fullmatch(r"HTTP/1\.1 (\d{3}) [A-Za-z -]+", line)
            assert status is not None, line
            if status[1] == "100":
                continue
            pairs = [(name, value) for name, _, value in (one.partition(": ") for one in lines)]
            headers = dict(pairs)
            assert len(headers) == len(lines), lines
            size = int(headers.get("content-length", "0")) if status[1] != "304" else 0
            assert len(rest) >= size
            found.append(Response(int(status[1]), headers, rest[:size]))
            rest = rest[size:]
        return found

    def statuses(self) -> list[int]:
        return [answer.status for answer in self.responses()]

    # The transport's side

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if self.has_eof:
            raise RuntimeError("Cannot call write() after write_eof()")
        if self.is_lost or self._closing:
            return
        if self.reads_all:
            self.received += bytes(data)
            return
        self._unsent += bytes(data)
        if len(self._unsent) > HIGH_WATER and not self._is_writing_paused:
            self._is_writing_paused = True
            self.protocol.pause_writing()

    def get_write_buffer_size(self) -> int:
        return len(self._unsent)

    def write_eof(self) -> None:
        self.has_eof = True

    def is_closing(self) -> bool:
        return self._closing

    def close(self) -> None:
        if not self._closing:
            self._closing = True
            if not self._unsent:
                self._loop.call_soon(self._lose, None)

    def abort(self) -> None:
        self._closing = True
        self._unsent = b""
        self._loop.call_soon(self._lose, None)

    def pause_reading(self) -> None:
        assert not self.is_lost
        self.is_paused = True

    def resume_reading(self) -> None:
        assert not self.is_lost
        self.is_paused = False

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        peer = self._peer and (self._peer, 4711)
        return {"peername": peer, "sockname": ("192.0.2.80", 80), "socket": self.socket}.get(name, default)

    def _lose(self, exc: Exception | None) -> None:
        if not self.is_lost:
            self.is_lost = True
            self.protocol.connection_lost(exc)


@dataclass
class FakeServer:
    """The connections of a server with one process."""

    app: FakeRendererApp
    loop: AdjustableClockLoop
    state: ServerState = field(default_factory=ServerState)

    def __post_init__(self) -> None:
        self.config = Config(
            self.app,
            interface="asgi3",
            ws="none",
            lifespan="off",
            proxy_headers=False,
            log_config=None,
            access_log=False,
        )
        self.config.timeout_keep_alive = 30
        self.config.load()
        self.state.default_headers = [(b"date", b"Sun, 22 Nov 2026 12:00:00 GMT")]

    def connect(self, peer: str | None = PEER, *, reads_all: bool = True) -> FakeConnection:
        connection = FakeConnection(self.loop, peer)
        connection.reads_all = reads_all
        connection.begin(Http11Protocol(self.config, self.state, {}, self.loop))
        return connection

    def run_until_idle(self) -> None:
        """Run the loop until all responses are sent or blocked."""
        self.run(self._until_idle())

    def wait(self, seconds: float, *, step_s: float = 1.0) -> None:
        """Advance the clock in steps."""
        passed = 0.0
        while passed < seconds:
            self.loop.skip(min(step_s, seconds - passed))
            passed += step_s
            self.run_until_idle()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self.loop.run_until_complete(work)

    async def _until_idle(self) -> None:
        quiet = 0
        while quiet < 5:
            before = len(self.state.tasks), self.state.total_requests
            if self.loop.in_threads:
                # Without a timeout: a busy machine may take long.
                await asyncio.wait(self.loop.in_threads)
                quiet = 0
                continue
            running = [task for task in self.state.tasks if not task.done()]
            if running:
                await asyncio.wait(running, timeout=0.002)
            await asyncio.sleep(0)
            quiet = quiet + 1 if (len(self.state.tasks), self.state.total_requests) == before else 0


def get(target: str = PAGE, *headers: str, version: str = "1.1") -> bytes:
    return f"GET {target} HTTP/{version}\r\nhost: kinfolk.test\r\n{''.join(headers)}\r\n".encode()


def post(target: str, body: bytes, *headers: str) -> bytes:
    head = f"POST {target} HTTP/1.1\r\nhost: kinfolk.test\r\ncontent-length: {len(body)}\r\n{''.join(headers)}\r\n"
    return head.encode() + body
