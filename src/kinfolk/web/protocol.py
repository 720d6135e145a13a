"""HTTP/1.1 as uvicorn speaks it, except that a page which is kept is sent before anything is built to answer it.

A request then costs little more than reading it and writing the page: several times less than through ASGI, which most
readers never get to (decisions/0009-uvicorn.md). The class also has the limits that uvicorn lacks: of what a client may
send, of the time it may take, and of requests that mean different things to different servers.
"""

from __future__ import annotations

import re
from asyncio import AbstractEventLoop, Transport
from typing import Any

import httptools
import structlog
from uvicorn._types import ASGI3Application
from uvicorn.config import Config
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from kinfolk.web.app import Kinfolk
from kinfolk.web.connections import Admission
from kinfolk.web.limits import (
    HEAD_S,
    LARGEST_HEAD,
    LARGEST_UNREAD,
    MOST_HEADERS,
    PATIENCE_S,
    STALLED_S,
    is_host,
)
from kinfolk.web.refusals import refuse_log

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

PIECE = 2048
"""Bytes that are parsed at once: a request of a browser. No more requests than fit into it wait for their answers."""
BODY_PIECE = 16 << 10
BODY_S = PATIENCE_S + 5
"""How long a body may take in all: an application that waits for it answers by itself after PATIENCE_S."""
LINGER_S = 2.0
LINGER_BYTES = 1 << 20
"""How long and how much we read on after the last answer: closing at once would make the client's system discard it."""
QUIET_S = 0.5
"""How long a connection has to be idle before it is closed while the server stops: a request may be on its way."""
RETRY_S = 10
SEPARATE_BODY = 64 << 10
"""Larger pages are written on their own, not copied behind their head: a client may not take them for a while."""
HEALTH = frozenset({b"/healthz", b"/readyz"})
_WATCHED = frozenset({b"host", b"expect", b"transfer-encoding"})
_BODIES = frozenset({b"content-length", b"transfer-encoding"})
_ABSOLUTE = re.compile(rb"https?://([^/?#]*)(.*)", re.IGNORECASE | re.DOTALL)


class _Refused(Exception):
    """Ends parsing. Status 0 is for what gets no answer: bytes after the last request, or one that was answered."""

    def __init__(self, status: int, reason: str, text: str = "") -> None:
        super().__init__(text)
        self.status, self.reason, self.text = status, reason, text


class _Flow(FlowControl):
    """Reading stays paused while it is held, also when the application asks for more of a body."""

    def __init__(self, transport: Transport) -> None:
        super().__init__(transport)
        self._transport = transport
        self._held = False

    def hold(self) -> None:
        self._held = True
        self.pause_reading()

    def release(self) -> None:
        self._held = False
        self.resume_reading()

    def pause_reading(self) -> None:
        if not self._transport.is_closing():
            super().pause_reading()

    def resume_reading(self) -> None:
        if not self._held and not self._transport.is_closing():
            super().resume_reading()


class _Size:
    """Bytes of a request so far. `body` is what was in its body."""

    def __init__(self) -> None:
        self.body = 0
        self._body_before = 0
        self._around = 0
        self._without_body = 0

    def add(self, size: int) -> bool:
        """Count what was parsed, and say whether too much of the request is not its body.

        httptools gathers the name and value of a header until they are complete, and that of each trailer. Chunks of a
        byte cost a call each, so that there must be at least as much in chunks as there is around them.
        """
        body, self._body_before = self.body - self._body_before, self.body
        self._around += size - body
        self._without_body = 0 if body else self._without_body + size
        return self._without_body > LARGEST_HEAD or self._around > LARGEST_HEAD + self.body


class ReaderProtocol(HttpToolsProtocol):
    """One connection. Whatever is not a plain GET of a kept page is uvicorn's to answer.

    A connection is in one of these states: idle; in a head; in a body; `_is_over`, when nothing that arrives is read
    any more. Apart from that there may be an answer under way (`_active`) and requests that wait for it (`pipeline`).
    """

    flow: _Flow

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        if not isinstance(self.app, Kinfolk):
            raise TypeError("this protocol serves Kinfolk only")
        self._pages = self.app.pages
        self._security = self.app.security
        self._registry = self.app.connections
        self._health_only = False
        self._closing = False
        """Whether the next request is the last."""
        self._had_last = False
        """Whether the last request has come."""
        self._is_over = False
        self._over_since_s: float | None = None
        self.url = b""
        self._since_s = 0.0
        """When the client began what it is doing: a head, a body, or to be idle."""
        self._in_head = self._in_body = False
        self._hosts = 0
        self._is_plain = True
        """Whether a request has no header that changes how it is read."""
        self._size: _Size | None = None
        self._unparsed = b""
        self._discarded = 0
        self._active: RequestResponseCycle | None = None
        self._refusal: _Refused | None = None
        self.unsent_bytes = 0
        self.stalled = False
        self._wrote_at_s = 0.0

    # The connection

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.flow = _Flow(transport)
        self._since_s = self._wrote_at_s = self.loop.time()
        admission = self._registry.admit(self, self._address, self.loop)
        if admission is Admission.OPEN:
            return
        if admission is Admission.HEALTH_ONLY:
            self._health_only = self._closing = True
            return
        self._is_over = True
        if admission is Admission.REFUSED:
            transport.write(self._written(_Refused(503, "address_limit", "Too many connections from this address")))
            transport.close()
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._registry.release(self)
        self._is_over = True
        self._unparsed = b""
        self.pipeline.clear()
        # uvicorn tells the last request only.
        if self._active is not None:
            _disconnect(self._active)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if len(data) > PIECE or self._unparsed or self._is_over:
            self._receive(data)
        else:
            self._parse(data)

    def resume_writing(self) -> None:
        self.unsent_bytes = 0  # for `check`: the client has taken most of it
        super().resume_writing()

    def shutdown(self) -> None:
        """Answer what has arrived, say that the connection closes, and close it when it is idle for a moment."""
        self._registry.stop(self.loop)
        self._closing = True
        if self._active is not None:
            self.cycle.keep_alive = False
            self._had_last = True

    # Deadlines and limits, for `Connections`

    def waits_since_s(self) -> float | None:
        """Since when a head is incomplete or no request has come; None while a body is read or an answer is sent."""
        return self._since_s if self._is_idle() and not (self._in_body or self.unsent_bytes) else None

    def check(self, now_s: float) -> None:
        """Close the connection if the client has taken too long for what it must do next."""
        self._check_writing(now_s)
        waited_s = now_s - self._since_s
        if self.transport.is_closing():
            return  # as soon as all is written
        if self._is_over:
            if self._over_since_s is not None and now_s - self._over_since_s >= LINGER_S:
                self.transport.close()
        elif (self._in_head or self._in_body) and self.flow.read_paused:
            self._since_s = now_s  # it is the application that takes its time
        elif self._in_head:
            if waited_s >= HEAD_S:
                self._refuse(_Refused(408, "slow_head", "The request took too long to arrive"))
        elif self._in_body:
            if waited_s >= BODY_S:
                self._refuse(_Refused(408, "slow_body", "The body took too long to arrive"))
        elif self._is_idle() and not self.unsent_bytes and waited_s >= self._patience_s():
            self._end()

    def drop(self, reason: str) -> None:
        """Close at once, whatever has not been sent."""
        refuse_log("connection", reason, address=self._address)
        self._is_over = True
        self.transport.abort()

    def _check_writing(self, now_s: float) -> None:
        """Drop a client that takes nothing: closing would wait until it takes what has been written."""
        unsent = self.transport.get_write_buffer_size()
        # More may have been written since. Only less of it shows that some was taken.
        self.stalled = 0 < self.unsent_bytes <= unsent
        self.unsent_bytes = unsent
        if not self.stalled:
            self._wrote_at_s = now_s
        elif now_s - self._wrote_at_s >= STALLED_S:
            self.drop("stalled_write")

    def _patience_s(self) -> float:
        """How long the connection may be idle."""
        if self._registry.stopping:
            return QUIET_S
        return self.timeout_keep_alive if self.headers is not None else HEAD_S

    # Reading

    def _receive(self, data: bytes) -> None:
        """Parse in pieces until a request has to wait for the answer to an earlier one; keep the rest until then."""
        if self._is_over:
            self._discarded += len(data)
            if self._discarded > LINGER_BYTES:
                self.transport.abort()
            return
        data = self._unparsed + data
        at = 0
        while at < len(data) and not (self.pipeline or self._is_over):
            size = BODY_PIECE if self._in_body else PIECE
            self._parse(data[at : at + size])
            at += size
        self._unparsed = b"" if self._is_over else data[at:]
        if self.pipeline:
            self.flow.hold()

    def _parse(self, data: bytes) -> None:
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            self._is_over = True  # what follows is in a protocol that we do not speak
        except httptools.HttpParserError as error:
            self._stop(error)
        else:
            if self._in_head or self._in_body:
                self._measure(len(data))

    def _stop(self, error: httptools.HttpParserError) -> None:
        """Answer what cannot be read, unless it comes after the last request."""
        cause = error.__context__
        if self._had_last and not (self._in_head or self._in_body):
            self._is_over = True
        elif isinstance(cause, _Refused):
            self._refuse(cause)
        elif cause is None or isinstance(cause, httptools.HttpParserError):
            self._refuse(_Refused(400, "malformed", "Invalid HTTP request received."))
        else:
            log.error("connection crashed", exc_info=cause)
            self._refuse(_Refused(500, "crash", "Something went wrong on our side"))

    def _measure(self, size: int) -> None:
        if self._size is None:
            self._size = _Size()
        if not self._size.add(size):
            return
        if self._in_body:
            self._refuse(_Refused(431, "framing_size", "Too much of the request is not its body"))
        elif len(self.url) > LARGEST_HEAD // 2:
            self._refuse(_Refused(414, "head_size", "This address is too long"))
        else:
            self._refuse(_Refused(431, "head_size", "The headers are too large"))

    def on_message_begin(self) -> None:
        """Begin a request. Its scope is made when it is needed."""
        if self._had_last:
            raise _Refused(0, "after_last")
        self.url = b""
        self.headers = []
        self.expect_100_continue = False
        self._since_s = self.loop.time()
        self._in_head = self._is_plain = True
        self._hosts = 0
        self._size = None

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self._in_head:
            return  # a trailer, which must not be taken for a header (RFC 9110, 6.5.1)
        name = name.lower()
        if name in _WATCHED:
            if name == b"host":
                self._hosts += 1 if is_host(value) else 2
            else:
                self._is_plain = False
                self.expect_100_continue |= name == b"expect" and value.lower() == b"100-continue"
        self.headers.append((name, value))

    def on_headers_complete(self) -> None:
        """Answer at once where that is possible."""
        if self._hosts != 1 or len(self.headers) > MOST_HEADERS:
            self._check_headers()
        if not (self._is_plain and self._answer_kept()):
            self._hand_over()
        self._in_head, self._in_body = False, True

    def on_body(self, body: bytes) -> None:
        """What comes with a request that is answered is thrown away."""
        if self._size is None:
            self._size = _Size()
        self._size.body += len(body)
        if self.cycle is not None and not self.cycle.response_complete:
            super().on_body(body)
        elif self._size.body > LARGEST_UNREAD:
            raise _Refused(0, "unread_body")

    def on_message_complete(self) -> None:
        self._in_body = False
        if self.cycle is not None:
            super().on_message_complete()

    # Answering

    def _is_idle(self) -> bool:
        """Whether no answer is under way."""
        return self._active is None

    def _check_headers(self) -> None:
        """Raises _Refused unless there is one valid Host, or none in HTTP/1.0, and a sensible number of headers."""
        if len(self.headers) > MOST_HEADERS:
            raise _Refused(431, "head_size", "Too many headers")
        if self._hosts or self.parser.get_http_version() != "1.0":
            raise _Refused(400, "host", "A request needs one valid Host header")

    def _answer_kept(self) -> bool:
        parser = self.parser
        if parser.get_method() != b"GET" or self._active is not None or self.flow.write_paused or self._closing:
            return False
        if parser.get_http_version() != "1.1" or not parser.should_keep_alive() or parser.should_upgrade():
            return False
        reply = self._pages.kept(self.url, self.headers)
        if reply is None:
            return False
        ending = self._security.ending(self.server_state.default_headers)
        if len(reply.body) < SEPARATE_BODY:
            # In one piece: uvloop writes a single one much faster than several.
            self.transport.write(b"".join((reply.head, ending, reply.body)))
        else:
            self.transport.write(reply.head + ending)
            self.transport.write(reply.body)
        self.cycle = None  # type: ignore[assignment]  # as at the start of a connection
        self.server_state.total_requests += 1
        return True

    def _hand_over(self) -> None:
        """Let the application answer. Raises _Refused for what it must not see."""
        version = self.parser.get_http_version()
        if version not in ("1.1", "1.0"):
            raise _Refused(505, "version", "Only HTTP/1.1 and HTTP/1.0 are spoken here")
        if not self._is_plain:
            self._check_coding(version)
        if not self.url.startswith(b"/"):
            self._take_authority()
        if self._health_only and self.url.partition(b"?")[0] not in HEALTH:
            self._health_only = not self._registry.has_room(self._since_s)
            if self._health_only:
                raise _Refused(503, "limit", "Too many connections")
        upgrade = self.parser.should_upgrade()
        if upgrade and any(name in _BODIES and value != b"0" for name, value in self.headers):
            # httptools would take the body for the next request.
            raise _Refused(400, "upgrade", "A request for another protocol cannot have a body")
        url, headers, expects = self.url, self.headers, self.expect_100_continue
        super().on_message_begin()
        self.url, self.headers, self.expect_100_continue = url, headers, expects and version == "1.1"
        self.scope["headers"] = headers
        super().on_headers_complete()
        if self._closing or upgrade or not self.cycle.keep_alive:
            self.cycle.keep_alive = False
            self._had_last = True

    def _check_coding(self, version: str) -> None:
        codings = [value.strip().lower() for name, value in self.headers if name == b"transfer-encoding"]
        if codings and version == "1.0":
            raise _Refused(400, "coding", "HTTP/1.0 has no transfer codings")
        if codings not in ([], [b"chunked"]):
            raise _Refused(501, "coding", "Of transfer codings only chunked is known here")

    def _take_authority(self) -> None:
        """Make a target with a host of its own one without; that host counts, not the header (RFC 9112, 3.2.2)."""
        target = _ABSOLUTE.fullmatch(self.url)
        if target is None or not is_host(target[1]):
            raise _Refused(400, "target", "The target of the request is malformed")
        self.url = target[2] if target[2].startswith(b"/") else b"/" + target[2]
        self.headers[:] = [(name, target[1] if name == b"host" else value) for name, value in self.headers]

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self._active = cycle
        super()._start_asgi_task(cycle, app)

    def on_response_complete(self) -> None:
        """Start the answer to the next request that waits, or read on."""
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
            # Whether the client sends its body now that it knows the answer, it alone knows.
            self._end()
        if not (self.pipeline or self._is_over):
            self.loop.call_soon(self._read_on)

    def _read_on(self) -> None:
        if not (self.pipeline or self.transport.is_closing()):
            self.flow.release()
            if self._unparsed:
                self._receive(b"")

    def _refuse(self, refusal: _Refused) -> None:
        """Read no more, and answer in turn: after the answers to earlier requests."""
        refuse_log("connection", refusal.reason, address=self._address)
        self._is_over = True
        self._unparsed = b""
        if self._in_body:
            refusal = self._give_up_body(refusal)
        if self._is_idle():
            self._finish(refusal)
        else:
            self._refusal = refusal

    def _give_up_body(self, refusal: _Refused) -> _Refused:
        """What to answer a request whose body cannot be read: nothing where an answer was begun."""
        cycle = self.cycle
        if cycle is None or cycle.response_complete:
            return _Refused(0, refusal.reason)
        if cycle is self._active:
            self._active = None
        else:
            self.pipeline.popleft()  # the last that came
        _disconnect(cycle)
        return _Refused(0, refusal.reason) if cycle.response_started else refusal

    def _finish(self, refusal: _Refused) -> None:
        if refusal.status:
            self.transport.write(self._written(refusal))
        self._end()

    def _end(self) -> None:
        """Send no more, and wait for a moment until the client closes the connection too."""
        self._is_over = True
        self._over_since_s = self.loop.time()
        if not self.transport.is_closing():
            self.transport.write_eof()
            self.flow.release()

    def _written(self, refusal: _Refused) -> bytes:
        retry_after_s = RETRY_S if refusal.status == 503 else None  # noqa: PLR2004
        headers = self.server_state.default_headers
        return self._security.refusal(refusal.status, refusal.text, headers, retry_after_s=retry_after_s)

    @property
    def _address(self) -> str | None:
        return self.client[0] if self.client else None


def _disconnect(cycle: RequestResponseCycle) -> None:
    """Tell the application that nothing it sends arrives, and no more of the body comes."""
    cycle.disconnected = True
    cycle.message_event.set()
