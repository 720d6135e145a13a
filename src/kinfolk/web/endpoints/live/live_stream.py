"""`/api/live`: one event stream for each browser (Server-Sent Events), and `/api/live/snapshot` for browsers without.

    GET /api/live?q=<base64url of [{"name": ..., "args": {...}}]>&b=<random id of the browser>&last=<last event id>

Events: `hello`, `snapshot` (the whole state of a topic), `patch` (RFC 6902, from the version `base`), `bye` (reconnect
after `retryMs`), and a comment every 20 seconds. The id of an event has the versions of all topics of the stream, in
their order: a client that sends its last one gets only what has changed.

A stream is one task that waits for its client to leave. Events are written by the hub's calls, not by tasks.
"""

from __future__ import annotations

import asyncio
import random
import secrets
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from urllib.parse import parse_qs

import orjson
import structlog
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from kinfolk.config.settings import Settings
from kinfolk.live.hub import Hub
from kinfolk.live.topic_state import TopicState
from kinfolk.live.topics import Topic, parse_topics
from kinfolk.runtime import metrics
from kinfolk.runtime.errors import Refused, SiteError
from kinfolk.web.protocol.client_address import client_address, is_trusted
from kinfolk.web.protocol.http11_flow import EVENT_STREAM_PATH, IS_WRITE_PAUSED
from kinfolk.web.refusal_log import log_refusal
from kinfolk.web.responses import NO_STORE, content_response

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

PATH, SNAPSHOT_PATH = EVENT_STREAM_PATH, f"{EVENT_STREAM_PATH}/snapshot"
HEARTBEAT_S = 20
PER_BROWSER, PER_ADDRESS = 2, 20
FIRST_RETRY_MS, LAST_RETRY_MS = 1000, 10_000
"""Bounds of the random time after which a client reconnects: not all at once."""
BUSY_RETRY_S = 60
"""Retry-After of a refused stream. The client requests snapshots meanwhile."""
LONGEST_BROWSER, LONGEST_VERSIONS = 64, 1000
_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]

MaySee = Callable[[Request, Sequence[Topic]], Awaitable[bool]]
"""Whether the sender of a request may follow these topics. Raises Unavailable."""


class TooManyStreams(SiteError):
    code = "busy"
    status = 503


class Stream:
    """The open stream of one client."""

    __slots__ = ("_due", "_is_write_paused", "_send", "_versions", "address", "browser", "is_greeted", "topics")

    def __init__(
        self,
        topics: Sequence[Topic],
        send: Send,
        *,
        browser: str,
        address: str | None,
        is_write_paused: Callable[[], bool],
    ) -> None:
        self.topics = topics
        self.browser = browser
        self.address = address
        self._send = send
        self._is_write_paused = is_write_paused
        self._versions: dict[str, str] = {topic.key: "" for topic in topics}
        self._due: dict[str, TopicState] = {}
        self.is_greeted = False

    def set_versions(self, versions: Sequence[str]) -> None:
        """The versions that the client has."""
        self._versions.update(zip(self._versions, versions, strict=False))

    def changed(self, state: TopicState, before: TopicState) -> None:
        """Send a patch, or what is newest once the client can be written to again.

        Before `greet`, the response has no head yet: `greet` sends what is current then.
        """
        if not self.is_greeted:
            return
        if self._is_write_paused() or self._due:
            self._due[state.key] = state
        elif self._versions[state.key] == before.version:
            self._write(state.patch_from(before), state)
        else:
            self._write(state.snapshot, state)

    def greet(self, states: Sequence[TopicState]) -> None:
        """Send `hello`, and the current states that the client does not have. The head of the response was sent."""
        self.is_greeted = True
        hello = {"serverTime": int(time.time() * 1000), "heartbeatS": HEARTBEAT_S}
        retry_ms = random.randint(FIRST_RETRY_MS, LAST_RETRY_MS)  # noqa: S311 - no secret
        parts = [b"retry: %d\nevent: hello\ndata: %b\n\n" % (retry_ms, orjson.dumps(hello))]
        for state in states:
            if self._versions[state.key] != state.version:
                self._versions[state.key] = state.version
                parts.append(state.snapshot + self._id())
        self._put(b"".join(parts))

    def beat(self) -> None:
        """Send what is due, or a comment that keeps proxies from closing the connection."""
        if not self.is_greeted or self._is_write_paused():
            return
        due, self._due = self._due, {}
        for state in due.values():
            self._write(state.snapshot, state)
        if not due:
            self._put(b":\n\n")

    def say_goodbye(self) -> None:
        """Send `bye`, with a random time after which the client reconnects. The head of the response was sent."""
        retry_ms = random.randint(FIRST_RETRY_MS, LAST_RETRY_MS)  # noqa: S311 - no secret
        self._put(b'event: bye\ndata: {"retryMs":%d}\n\n' % retry_ms, last=True)

    def _write(self, event: bytes, state: TopicState) -> None:
        self._versions[state.key] = state.version
        self._put(event + self._id())
        metrics.LIVE_EVENTS.inc()

    def _id(self) -> bytes:
        return f"id: {','.join(self._versions.values())}\n\n".encode()

    def _put(self, body: bytes, *, last: bool = False) -> None:
        """Write without a task: `send` only waits for a client that reads slowly, which was checked."""
        sending = self._send({"type": "http.response.body", "body": body, "more_body": not last})
        try:
            sending.send(None)  # type: ignore[attr-defined]  # a coroutine
        except StopIteration:
            return
        sending.close()  # type: ignore[attr-defined]


class LiveStreams:
    """The ASGI application, and its service, which sends heartbeats."""

    def __init__(self, hub: Hub, settings: Settings, may_see: MaySee) -> None:
        self.hub = hub
        self._settings = settings
        self._may_see = may_see
        self._limit = settings.connections // 2
        self._streams: dict[Stream, None] = {}
        self._by_browser: Counter[str] = Counter()
        self._by_address: Counter[str] = Counter()
        self._stopping = False

    @staticmethod
    def has(path: str) -> bool:
        return path in (PATH, SNAPSHOT_PATH)

    def __len__(self) -> int:
        return len(self._streams)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope)
        response: Response | None = None
        try:
            if scope["method"] not in ("GET", "HEAD"):
                response = JSONResponse({"message": "Use GET"}, 405, headers={**NO_STORE, "allow": "GET"})
            else:
                topics = await self._requested(request)
                if scope["path"] == SNAPSHOT_PATH or scope["method"] == "HEAD":
                    response = await self._snapshots(request, topics)
                else:
                    await self._stream(request, topics, receive, send)
        except SiteError as refused:
            log_refusal("live", refused.code, address=self._address(request))
            headers = {**NO_STORE, **({"retry-after": str(BUSY_RETRY_S)} if refused.status == 503 else {})}  # noqa: PLR2004
            body = {"code": refused.code, "message": refused.message}
            response = JSONResponse(body, refused.status, headers=headers)
        except Exception:
            log.exception("request crashed", path=scope["path"])
            body = {"code": "internal", "message": "Something went wrong on our side"}
            response = JSONResponse(body, 500, headers=NO_STORE)
        if response is not None:
            await response(scope, receive, send)

    async def run(self) -> None:
        """The service: each stream gets a heartbeat every 20 s, a twentieth of them in each second."""
        second = 0
        while True:
            await asyncio.sleep(1)
            metrics.LIVE_STREAMS.set(len(self._streams))
            for stream in [each for at, each in enumerate(self._streams) if at % HEARTBEAT_S == second]:
                stream.beat()
            second = (second + 1) % HEARTBEAT_S

    def stop(self) -> None:
        """End all streams, because the server stops: clients reconnect to another process."""
        self._stopping = True
        for stream in tuple(self._streams):
            if stream.is_greeted:
                stream.say_goodbye()

    async def _requested(self, request: Request) -> tuple[Topic, ...]:
        """Raises Invalid, and Refused for topics that the sender may not see."""
        raw = request.scope["query_string"]
        parameters = parse_qs(raw.decode("latin-1"), max_num_fields=8) if len(raw) < 8192 else {}  # noqa: PLR2004
        topics = parse_topics(parameters.get("q", [""])[0])
        if any(topic.kind.scope != "public" for topic in topics) and not await self._may_see(request, topics):
            raise Refused("Only maintainers may follow this")
        return topics

    async def _snapshots(self, request: Request, topics: Sequence[Topic]) -> Response:
        """The states of the topics, for browsers without a stream."""
        visitor = _Visitor()
        try:
            states = await self.hub.follow(topics, visitor)
        finally:
            self.hub.leave(topics, visitor)
        content = [{"topic": each.key, "v": each.version, "data": each.data, "asOf": each.as_of} for each in states]
        digest = "-".join(state.version for state in states)[:200]
        public = all(topic.kind.scope == "public" for topic in topics)
        cache = "public, max-age=60" if public else "private, no-store"
        headers = {"content-type": "application/json", "cache-control": cache}
        return content_response(request, orjson.dumps(content), digest, headers)

    async def _stream(self, request: Request, topics: Sequence[Topic], receive: Receive, send: Send) -> None:
        parameters = request.query_params
        browser = parameters.get("b", "")[:LONGEST_BROWSER] or secrets.token_hex(8)
        stream = Stream(
            topics,
            send,
            browser=browser,
            address=self._limited_address(request),
            is_write_paused=request.scope.get(IS_WRITE_PAUSED, _never),
        )
        known = request.headers.get("last-event-id") or parameters.get("last", "")
        if known and len(known) <= LONGEST_VERSIONS:
            stream.set_versions(known.split(","))
        self._admit(stream)
        try:
            await self.hub.follow(topics, stream)
            await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
            if self._stopping:
                # Not an error, which browsers would write to the console during each deploy.
                stream.say_goodbye()
                return
            # A topic may have changed while another was read.
            stream.greet([state for topic in topics if (state := self.hub.state(topic.key))])
            await _until_gone(receive)
        finally:
            self.hub.leave(topics, stream)
            self._release(stream)

    def _admit(self, stream: Stream) -> None:
        """Raises TooManyStreams."""
        if len(self._streams) >= self._limit or self._by_browser[stream.browser] >= PER_BROWSER:
            raise TooManyStreams("Too many live streams: request snapshots instead")
        if stream.address is not None and self._by_address[stream.address] >= PER_ADDRESS:
            raise TooManyStreams("Too many live streams from this address: request snapshots instead")
        self._streams[stream] = None
        self._by_browser[stream.browser] += 1
        if stream.address is not None:
            self._by_address[stream.address] += 1

    def _release(self, stream: Stream) -> None:
        if stream not in self._streams:
            return
        del self._streams[stream]
        counted = [(self._by_browser, stream.browser)]
        if stream.address is not None:
            counted.append((self._by_address, stream.address))
        for counts, key in counted:
            counts[key] -= 1
            if not counts[key]:
                del counts[key]

    def _limited_address(self, request: Request) -> str | None:
        """The client's address; None for a trusted proxy that names no client."""
        peer = request.client.host if request.client else ""
        address = self._address(request)
        return None if address == peer and is_trusted(peer, self._settings.trusted_proxies) else address

    def _address(self, request: Request) -> str:
        peer = request.client.host if request.client else ""
        forwarded_for = ",".join(request.headers.getlist("x-forwarded-for"))
        return client_address(peer, forwarded_for, self._settings.trusted_proxies)


class _Visitor:
    """Reads states once."""

    def changed(self, state: TopicState, before: TopicState) -> None:
        """It does not stay."""


def _never() -> bool:
    return False


async def _until_gone(receive: Receive) -> None:
    """Until the client has left, or the response has ended."""
    while (await receive())["type"] != "http.disconnect":
        pass
