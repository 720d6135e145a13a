"""The queue of requests that no cache answers: a few at a time, and in turns for each client.

    async with queue.turn(client_of(scope, trusted)):
        ...                                    # render, export, search

Cached pages never wait in it. A client that sends many requests waits behind its own: other clients get their turns
between them. A client with too many waiting requests is refused (429) before the site is too busy for others (503).
"""

from __future__ import annotations

import asyncio
import re
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from http import HTTPStatus
from typing import Literal

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kinfolk.config.settings import Network
from kinfolk.rendering.isolates.isolate_pool import TooBusy
from kinfolk.runtime import metrics
from kinfolk.runtime.errors import SiteError
from kinfolk.web.protocol.client_address import client_address
from kinfolk.web.refusal_log import log_refusal

PATIENCE_S = 10.0
"""Seconds that a request waits for its turn."""
MAX_WAITING = 64
"""Requests of one client that wait. A browser sends at most a hundred at once, of which few are uncached."""
REFUSAL_PAUSE_S = 1.0
"""Seconds until a request above MAX_WAITING is refused: a client that repeats it at once sends one a second."""
RETRY_S = 10
"""Retry-After of a refused request."""

Lane = Literal["first", "last"]
"""`last`: addresses without content, whose number is unlimited, and pictures of charts. One of them is served at a
time, and only while no request of the lane `first` waits."""
_LANES: tuple[Lane, ...] = ("first", "last")


class TooManyWaiting(SiteError):
    """One client has too many requests that wait."""

    code = "too_many_requests"
    status = HTTPStatus.TOO_MANY_REQUESTS


class FairQueue:
    """Serves `slots` requests at a time. For one event loop."""

    def __init__(self, slots: int) -> None:
        self._slots = self._free = slots
        self._serves_last = False
        self._waiting: dict[Lane, OrderedDict[str, deque[asyncio.Future[None]]]] = {
            lane: OrderedDict() for lane in _LANES
        }

    @asynccontextmanager
    async def turn(self, client: str, lane: Lane = "first") -> AsyncIterator[None]:
        """Wait for a turn, and keep it during the block. Raises TooManyWaiting, or TooBusy."""
        if self._can_start(lane):
            self._start(lane)
        else:
            await self._wait(client, lane)
        try:
            yield
        finally:
            self._end(lane)

    def in_turn(self, app: ASGIApp, client: str, lane: Lane) -> ASGIApp:
        """The ASGI application in a turn that ends when its response begins. A slow client keeps no turn."""

        async def answer(scope: Scope, receive: Receive, send: Send) -> None:
            async with AsyncExitStack() as stack:
                try:
                    await stack.enter_async_context(self.turn(client, lane))
                except SiteError as refusal:
                    log_refusal("request", refusal.code, path=scope["path"])
                    headers = {"cache-control": "no-store", "retry-after": str(RETRY_S)}
                    await PlainTextResponse(refusal.message, refusal.status, headers=headers)(scope, receive, send)
                    return

                async def send_after_turn(message: Message) -> None:
                    await stack.aclose()
                    await send(message)

                await app(scope, receive, send_after_turn)

        return answer

    @property
    def is_idle(self) -> bool:
        """Whether no request is served or waits."""
        return self._free == self._slots and not any(self._waiting.values())

    def _can_start(self, lane: Lane) -> bool:
        if not self._free or self._waiting["first"]:
            return False
        return lane == "first" or not (self._serves_last or self._waiting["last"])

    def _start(self, lane: Lane) -> None:
        self._free -= 1
        self._serves_last |= lane == "last"

    def _end(self, lane: Lane) -> None:
        self._free += 1
        if lane == "last":
            self._serves_last = False
        self._start_next()

    def _start_next(self) -> None:
        while self._free:
            lane: Lane = "first" if self._waiting["first"] else "last"
            if not self._waiting[lane] or (lane == "last" and self._serves_last):
                return
            turn = self._take(lane)
            if not turn.done():
                self._start(lane)
                turn.set_result(None)

    def _take(self, lane: Lane) -> asyncio.Future[None]:
        """The first request of the client whose turn it is. Its next request waits behind those of other clients."""
        waiting = self._waiting[lane]
        client, requests = waiting.popitem(last=False)
        turn = requests.popleft()
        if requests:
            waiting[client] = requests
        metrics.WAITING_REQUESTS.labels(lane).dec()
        return turn

    async def _wait(self, client: str, lane: Lane) -> None:
        requests = self._waiting[lane].setdefault(client, deque())
        if len(requests) >= MAX_WAITING:
            await asyncio.sleep(REFUSAL_PAUSE_S)
            raise TooManyWaiting("Too many requests from your address. Wait before the next one.")
        turn = asyncio.get_running_loop().create_future()
        requests.append(turn)
        metrics.WAITING_REQUESTS.labels(lane).inc()
        try:
            async with asyncio.timeout(PATIENCE_S):
                await turn
        except BaseException as failure:
            if turn.done() and not turn.cancelled():
                self._end(lane)  # the turn began as the client left
            else:
                self._withdraw(client, lane, turn)
            if isinstance(failure, TimeoutError):
                raise self._refusal(client, lane) from None
            raise

    def _withdraw(self, client: str, lane: Lane, turn: asyncio.Future[None]) -> None:
        requests = self._waiting[lane].get(client)
        if requests is not None and turn in requests:
            requests.remove(turn)
            metrics.WAITING_REQUESTS.labels(lane).dec()
            if not requests:
                del self._waiting[lane][client]

    def _refusal(self, client: str, lane: Lane) -> SiteError:
        if self._waiting[lane].get(client):
            return TooManyWaiting("Too many requests from your address. Wait before the next one.")
        return TooBusy("The site is too busy to answer now")


_NAMES = re.compile(r"[^a-z0-9._-]+")
_ROBOT_WORDS = ("bot", "crawl", "spider")
_MAX_AGENT = 300
_MAX_NAME = 60


def client_of(scope: Scope, trusted: Sequence[Network]) -> str:
    """Whose turn a request takes: a robot that identifies itself, from all of its addresses; else a client address."""
    agent, forwarded = "", []
    for name, value in scope["headers"]:
        if name == b"user-agent":
            agent = value.decode("latin-1")[:_MAX_AGENT].lower()
        elif name == b"x-forwarded-for":
            forwarded.append(value.decode("latin-1"))
    if any(word in agent for word in _ROBOT_WORDS):
        robot = next(name for name in _NAMES.split(agent) if any(word in name for word in _ROBOT_WORDS))
        return f"robot {robot[:_MAX_NAME]}"
    peer = scope.get("client")
    return client_address(peer[0] if peer else "", ",".join(forwarded), trusted)
