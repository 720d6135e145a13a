"""The HTTP/1.1 protocol class of uvicorn, extended by a short path for cached pages and by limits.

A cached page is sent before any request object exists: such a request costs little more than reading it and writing the
page, several times less than ASGI (decisions/0009-uvicorn.md). The limits are those that uvicorn lacks: of sizes, of
times, and of requests that servers parse in different ways.
"""

from __future__ import annotations

import re
from asyncio import AbstractEventLoop, Transport
from collections.abc import Iterable
from typing import Any, Protocol, runtime_checkable

import httptools
import structlog
from uvicorn._types import ASGI3Application
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from kinfolk.config.base_path import BasePath
from kinfolk.rendering.rendered_page import PageResponse
from kinfolk.web.protocol.client_limits import (
    BODY_TIMEOUT_S,
    HEAD_S,
    MAX_HEAD_BYTES,
    MAX_HEADERS,
    MAX_UNREAD_BYTES,
    STALLED_S,
    is_host,
)
from kinfolk.web.protocol.connections import Admission, Connections
from kinfolk.web.protocol.http11_flow import EVENT_STREAM_PATH, IS_WRITE_PAUSED, HeldFlow, RejectedRequest, RequestSize
from kinfolk.web.refusal_log import log_refusal
from kinfolk.web.security_headers import SecurityHeaders

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

HEAD_CHUNK = 2048
"""Bytes that are parsed at once: a request of a browser. It limits how many pipelined requests are queued."""
BODY_CHUNK = 16 << 10
BODY_S = BODY_TIMEOUT_S + 5
"""Seconds for a body. After BODY_TIMEOUT_S an application that reads it answers by itself."""
LINGER_S = 2.0
LINGER_BYTES = 1 << 20
"""Limits for reading on after the last response. After an immediate close the client's system would discard it."""
STOPPING_IDLE_S = 0.5
"""Idle time after which a connection is closed while the server stops: a request may be in transit."""
RETRY_S = 10
SEPARATE_BODY = 64 << 10
"""Larger bodies are written without a copy: it would stay in memory while a slow client reads."""
HEALTH_TARGETS = frozenset({b"/healthz", b"/readyz"})
_SPECIAL_HEADERS = frozenset({b"host", b"expect", b"transfer-encoding"})
_BODY_HEADERS = frozenset({b"content-length", b"transfer-encoding"})
_ABSOLUTE_TARGET = re.compile(rb"https?://([^/?#]*)(.*)", re.IGNORECASE | re.DOTALL)


class CachedPages(Protocol):
    """The pages that are sent without a call of the application."""

    def cached_response(self, target: bytes, headers: Iterable[tuple[bytes, bytes]]) -> PageResponse | None: ...


@runtime_checkable
class ServedApp(Protocol):
    """What the protocol class reads of the ASGI application."""

    @property
    def pages(self) -> CachedPages: ...
    @property
    def security(self) -> SecurityHeaders: ...
    @property
    def base(self) -> BasePath: ...
    @property
    def connections(self) -> Connections: ...


class Http11Protocol(HttpToolsProtocol):
    """One connection. uvicorn answers everything except a plain GET of a cached page.

    A connection is idle, in a head, in a body, or finished (`_finished`: later bytes are discarded). Independent of
    that a response may be in progress (`_active`), and requests may wait for it (`pipeline`).
    """

    flow: HeldFlow

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        if not isinstance(self.app, ServedApp):
            raise TypeError("the application lacks what this protocol class reads")
        self._pages = self.app.pages
        self._security = self.app.security
        self._base = self.app.base
        self._live = self._base.path.encode() + EVENT_STREAM_PATH.encode()
        self._registry = self.app.connections
        self._health_only = False
        self._closing = False
        """The next request is the last."""
        self._had_last = False
        """The last request has arrived."""
        self._finished = False
        self._finished_at_s: float | None = None
        self.url = b""
        self._since_s = 0.0
        """The time at which the current head, body or idle period began."""
        self._in_head = self._in_body = False
        self._hosts = 0
        self._is_plain = True
        """The request has no header that changes how it is parsed."""
        self._size: RequestSize | None = None
        self._unparsed = b""
        self._discarded = 0
        self._active: RequestResponseCycle | None = None
        self._refusal: RejectedRequest | None = None
        self.unsent_bytes = 0
        self.stalled = False
        self._wrote_at_s = 0.0

    # The connection

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.flow = HeldFlow(transport)
        self._since_s = self._wrote_at_s = self.loop.time()
        admission = self._registry.admit(self, self._address, self.loop)
        if admission is Admission.OPEN:
            return
        if admission is Admission.HEALTH_ONLY:
            self._health_only = self._closing = True
            return
        self._finished = True
        if admission is Admission.REFUSED:
            transport.write(
                self._serialize(RejectedRequest(503, "address_limit", "Too many connections from this address"))
            )
            transport.close()
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._registry.release(self)
        self._finished = True
        self._unparsed = b""
        self.pipeline.clear()
        # uvicorn notifies only the last request.
        if self._active is not None:
            _disconnect(self._active)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if len(data) > HEAD_CHUNK or self._unparsed or self._finished:
            self._receive(data)
        else:
            self._parse(data)

    def resume_writing(self) -> None:
        self.unsent_bytes = 0  # for `check`: the client has read most of it
        super().resume_writing()

    def shutdown(self) -> None:
        """Answer the requests that have arrived with `connection: close`, and close when idle."""
        self._registry.stop(self.loop)
        self._closing = True
        if self._active is not None:
            self.cycle.keep_alive = False
            self._had_last = True

    # Deadlines and limits, for `Connections`

    def waits_since_s(self) -> float | None:
        """The time since when the client must act: idle or in a head. None during a body or a response."""
        return self._since_s if self._is_idle() and not (self._in_body or self.unsent_bytes) else None

    def check(self, now_s: float) -> None:
        """Close the connection if the client has exceeded a deadline."""
        self._check_writing(now_s)
        waited_s = now_s - self._since_s
        if self.transport.is_closing():
            return  # it closes when the buffer is written
        if self._finished:
            if self._finished_at_s is not None and now_s - self._finished_at_s >= LINGER_S:
                self.transport.close()
        elif (self._in_head or self._in_body) and self.flow.read_paused:
            self._since_s = now_s  # the application delays the client
        elif self._in_head:
            if waited_s >= HEAD_S:
                self._refuse(RejectedRequest(408, "slow_head", "The request took too long to arrive"))
        elif self._in_body:
            if waited_s >= BODY_S:
                self._refuse(RejectedRequest(408, "slow_body", "The body took too long to arrive"))
        elif (
            self._is_idle()
            and not self.unsent_bytes
            and waited_s >= self._idle_timeout_s()
            and not self.flow.has_unread
        ):
            self._end()

    def drop(self, reason: str) -> None:
        """Close immediately and discard unsent data."""
        log_refusal("connection", reason, address=self._address)
        self._finished = True
        self.transport.abort()

    def _check_writing(self, now_s: float) -> None:
        """Drop a client that does not read: closing would wait until the buffer is written."""
        unsent = self.transport.get_write_buffer_size()
        # More may have been written since. Only a smaller buffer proves that the client has read.
        self.stalled = 0 < self.unsent_bytes <= unsent
        self.unsent_bytes = unsent
        if not self.stalled:
            self._wrote_at_s = now_s
        elif now_s - self._wrote_at_s >= STALLED_S:
            self.drop("stalled_write")

    def _idle_timeout_s(self) -> float:
        """Seconds that the connection may be idle."""
        if self._registry.stopping and self._registry.closes_idle:
            return STOPPING_IDLE_S
        return self.timeout_keep_alive if self.headers is not None else HEAD_S

    # Reading

    def _receive(self, data: bytes) -> None:
        """Parse in chunks until a request has to wait for an earlier response; buffer the rest."""
        if self._finished:
            self._discarded += len(data)
            if self._discarded > LINGER_BYTES:
                self.transport.abort()
            return
        data = self._unparsed + data
        at = 0
        while at < len(data) and not (self.pipeline or self._finished):
            size = BODY_CHUNK if self._in_body else HEAD_CHUNK
            self._parse(data[at : at + size])
            at += size
        self._unparsed = b"" if self._finished else data[at:]
        if self.pipeline:
            self.flow.hold()

    def _parse(self, data: bytes) -> None:
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            self._finished = True  # the following bytes are in another protocol
        except httptools.HttpParserError as error:
            self._stop(error)
        else:
            if self._in_head or self._in_body:
                self._measure(len(data))

    def _stop(self, error: httptools.HttpParserError) -> None:
        """Answer an invalid request, unless it follows the last request."""
        cause = error.__context__
        if self._had_last and not (self._in_head or self._in_body):
            self._finished = True
        elif isinstance(cause, RejectedRequest):
            self._refuse(cause)
        elif cause is None or isinstance(cause, httptools.HttpParserError):
            self._refuse(RejectedRequest(400, "malformed", "Invalid HTTP request received."))
        else:
            log.error("connection crashed", exc_info=cause)
            self._refuse(RejectedRequest(500, "crash", "Something went wrong on our side"))

    def _measure(self, size: int) -> None:
        if self._size is None:
            self._size = RequestSize()
        if not self._size.add(size):
            return
        if self._in_body:
            self._refuse(RejectedRequest(431, "framing_size", "Too much of the request is not its body"))
        elif len(self.url) > MAX_HEAD_BYTES // 2:
            self._refuse(RejectedRequest(414, "head_size", "This address is too long"))
        else:
            self._refuse(RejectedRequest(431, "head_size", "The headers are too large"))

    def on_message_begin(self) -> None:
        """Begin a request. The ASGI scope is created later, if at all."""
        if self._had_last:
            raise RejectedRequest(0, "after_last")
        self.url = b""
        self.headers = []
        self.expect_100_continue = False
        self._since_s = self.loop.time()
        self._in_head = self._is_plain = True
        self._hosts = 0
        self._size = None

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self._in_head:
            return  # a trailer, which must not count as a header (RFC 9110, 6.5.1)
        name = name.lower()
        if name in _SPECIAL_HEADERS:
            if name == b"host":
                self._hosts += 1 if is_host(value) else 2
            else:
                self._is_plain = False
                self.expect_100_continue |= name == b"expect" and value.lower() == b"100-continue"
        self.headers.append((name, value))

    def on_headers_complete(self) -> None:
        """Send a cached page, or start the application."""
        if self._hosts != 1 or len(self.headers) > MAX_HEADERS:
            self._check_headers()
        if not (self._is_plain and self._send_cached()):
            self._start_application()
        self._in_head, self._in_body = False, True

    def on_body(self, body: bytes) -> None:
        """Discard the body of a request that is answered."""
        if self._size is None:
            self._size = RequestSize()
        self._size.body += len(body)
        if self.cycle is not None and not self.cycle.response_complete:
            super().on_body(body)
        elif self._size.body > MAX_UNREAD_BYTES:
            raise RejectedRequest(0, "unread_body")

    def on_message_complete(self) -> None:
        self._in_body = False
        if self.cycle is not None:
            super().on_message_complete()

    # Answering

    def _is_idle(self) -> bool:
        """Whether no response is in progress."""
        return self._active is None

    def _check_headers(self) -> None:
        """Raises RejectedRequest unless there is one valid Host (or none in HTTP/1.0) and not too many headers."""
        if len(self.headers) > MAX_HEADERS:
            raise RejectedRequest(431, "head_size", "Too many headers")
        if self._hosts or self.parser.get_http_version() != "1.0":
            raise RejectedRequest(400, "host", "A request needs one valid Host header")

    def _send_cached(self) -> bool:
        parser = self.parser
        if parser.get_method() != b"GET" or self._active is not None or self.flow.write_paused or self._closing:
            return False
        if parser.get_http_version() != "1.1" or not parser.should_keep_alive() or parser.should_upgrade():
            return False
        target = self._base.strip(self.url) if self._base else self.url
        response = self._pages.cached_response(target, self.headers) if target is not None else None
        if response is None:
            return False
        ending = self._security.ending(self.server_state.default_headers)
        if len(response.body) < SEPARATE_BODY:
            # uvloop writes one buffer much faster than several.
            self.transport.write(b"".join((response.head, ending, response.body)))
        else:
            self.transport.write(response.head + ending)
            self.transport.write(response.body)
        self.cycle = None  # type: ignore[assignment]  # the state at the start of a connection
        self.server_state.total_requests += 1
        return True

    def _start_application(self) -> None:
        """Start the application. Raises RejectedRequest for requests that it must not receive."""
        version = self.parser.get_http_version()
        self._check_request(version)
        upgrade = self.parser.should_upgrade()
        url, headers, expects = self.url, self.headers, self.expect_100_continue
        super().on_message_begin()
        self.url, self.headers, self.expect_100_continue = url, headers, expects and version == "1.1"
        self.scope["headers"] = headers
        if url.startswith(self._live):
            self.scope[IS_WRITE_PAUSED] = lambda: self.flow.write_paused or self.transport.is_closing()  # type: ignore[literal-required]  # a key of our own
        super().on_headers_complete()
        if self._closing or upgrade or not self.cycle.keep_alive:
            self.cycle.keep_alive = False
            self._had_last = True

    def _check_request(self, version: str) -> None:
        if version not in ("1.1", "1.0"):
            raise RejectedRequest(505, "version", "Only HTTP/1.1 and HTTP/1.0 are spoken here")
        if not self._is_plain:
            self._check_transfer_coding(version)
        if not self.url.startswith(b"/"):
            self._take_authority()
        if self._health_only and self.url.partition(b"?")[0] not in HEALTH_TARGETS:
            self._health_only = not self._registry.has_room(self._since_s)
            if self._health_only:
                raise RejectedRequest(503, "limit", "Too many connections")
        if self.parser.should_upgrade() and any(
            name in _BODY_HEADERS and value != b"0" for name, value in self.headers
        ):
            # httptools would parse the body as the next request.
            raise RejectedRequest(400, "upgrade", "A request for another protocol cannot have a body")

    def _check_transfer_coding(self, version: str) -> None:
        codings = [value.strip().lower() for name, value in self.headers if name == b"transfer-encoding"]
        if codings and version == "1.0":
            raise RejectedRequest(400, "coding", "HTTP/1.0 has no transfer codings")
        if codings not in ([], [b"chunked"]):
            raise RejectedRequest(501, "coding", "Of transfer codings only chunked is known here")

    def _take_authority(self) -> None:
        """Reduce an absolute target to its path. Its host replaces the Host header (RFC 9112, 3.2.2)."""
        target = _ABSOLUTE_TARGET.fullmatch(self.url)
        if target is None or not is_host(target[1]):
            raise RejectedRequest(400, "target", "The target of the request is malformed")
        self.url = target[2] if target[2].startswith(b"/") else b"/" + target[2]
        self.headers[:] = [(name, target[1] if name == b"host" else value) for name, value in self.headers]

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self._active = cycle
        super()._start_asgi_task(cycle, app)

    def on_response_complete(self) -> None:
        """Start the next queued request, or read on."""
        self.server_state.total_requests += 1
        self._active = None
        if not (self._in_head or self._in_body):
            self._since_s = self.loop.time()
        if self.transport.is_closing():
            return
        if self.pipeline:
            cycle, app = self.pipeline.pop()
            self._start_asgi_task(cycle, app)
        elif self._refusal is not None:
            self._finish(self._refusal)
        elif self._in_body and self.expect_100_continue and not (self._size and self._size.body):
            # The server cannot determine whether the client still sends its body after this response.
            self._end()
        if not (self.pipeline or self._finished):
            self.loop.call_soon(self._read_on)

    def _read_on(self) -> None:
        if not (self.pipeline or self.transport.is_closing()):
            self.flow.release()
            if self._unparsed:
                self._receive(b"")

    def _refuse(self, refusal: RejectedRequest) -> None:
        """Stop reading, and send the rejection after the responses to earlier requests."""
        log_refusal("connection", refusal.reason, address=self._address, request_id=refusal.request_id)
        self._finished = True
        self._unparsed = b""
        if self._in_body:
            refusal = self._abort_body(refusal)
        if self._is_idle():
            self._finish(refusal)
        else:
            self._refusal = refusal

    def _abort_body(self, refusal: RejectedRequest) -> RejectedRequest:
        """The rejection of a request whose body is invalid: none if its response has begun."""
        cycle = self.cycle
        if cycle is None or cycle.response_complete:
            return RejectedRequest(0, refusal.reason)
        if cycle is self._active:
            self._active = None
        else:
            self.pipeline.popleft()  # the request that arrived last
        _disconnect(cycle)
        return RejectedRequest(0, refusal.reason) if cycle.response_started else refusal

    def _finish(self, refusal: RejectedRequest) -> None:
        if refusal.status:
            self.transport.write(self._serialize(refusal))
        self._end()

    def _end(self) -> None:
        """Close the sending side, and wait for the client to close the connection."""
        self._finished = True
        self._finished_at_s = self.loop.time()
        if not self.transport.is_closing():
            self.transport.write_eof()
            self.flow.release()

    def _serialize(self, refusal: RejectedRequest) -> bytes:
        retry_after_s = RETRY_S if refusal.status == 503 else None  # noqa: PLR2004
        headers = self.server_state.default_headers
        return self._security.refusal(
            refusal.status, refusal.text, headers, retry_after_s=retry_after_s, request_id=refusal.request_id
        )

    @property
    def _address(self) -> str | None:
        return self.client[0] if self.client else None


def _disconnect(cycle: RequestResponseCycle) -> None:
    """Notify the application that the client is gone."""
    cycle.disconnected = True
    cycle.message_event.set()
