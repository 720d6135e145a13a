"""Requests to one server, with limits on time and size, and pauses while the server limits their rate."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from http import HTTPStatus
from ssl import SSLContext
from typing import Any, Literal

import httpx
import orjson

from kinfolk.runtime.errors import NotFound, Unavailable
from kinfolk.runtime.telemetry.spans import background_span
from kinfolk.runtime.upstream.pinned_transport import async_transport
from kinfolk.runtime.upstream.upstream_rate_limit import LONGEST_PAUSE_S, REFUSALS, pause_s

TIMEOUT_S = 10.0
ANSWER_S = 30.0
"""Seconds for a whole answer, redirects included: TIMEOUT_S does not limit one that arrives a byte at a time."""
LONGEST_ANSWER = 1 << 20
MAX_REDIRECTS = 3
MAX_COUNT = (1 << 53) - 1
"""The largest integer that JavaScript represents exactly."""
MAX_ETAG = 200
"""Characters of a stored ETag. GitHub's have 70."""
_ANSWERED = (HTTPStatus.OK, HTTPStatus.CREATED, HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED)
_MISSING = (HTTPStatus.NOT_FOUND, HTTPStatus.GONE, HTTPStatus.UNAVAILABLE_FOR_LEGAL_REASONS)


class UnexpectedStatus(Unavailable):
    """The server answers `status`, which is no answer to the request."""

    def __init__(self, name: str, status: int) -> None:
        super().__init__(f"{name} answers {status}")
        self.status = status


class RequestsRefused(Unavailable):
    """The server refuses requests for `retry_after_s`."""

    def __init__(self, name: str, retry_after_s: float) -> None:
        super().__init__(f"{name} limits the rate of requests")
        self.retry_after_s = retry_after_s


@dataclass(frozen=True)
class FetchedCount:
    """A count that a server answered. `etag` is empty if the answer has none that can be stored."""

    value: int
    etag: str = ""


@dataclass(frozen=True)
class UpstreamAnswer:
    """An answer 200, 201, 204 or 304. `links` are the targets of its Link header by their relation.

    `redirected` says whether it comes from another address of the same server.
    """

    status: int
    body: bytes
    links: Mapping[str, str]
    etag: str
    redirected: bool


class UpstreamClient:
    """For one event loop. `name` is the server's name in messages."""

    def __init__(
        self,
        name: str,
        *,
        now: Callable[[], datetime],
        headers: Mapping[str, str] | None = None,
        timeout_s: float = TIMEOUT_S,
        answer_s: float = ANSWER_S,
        longest_answer: int = LONGEST_ANSWER,
    ) -> None:
        """`now` is in UTC, without a time zone. `longest_answer` is in bytes."""
        self.name = name
        self._now = now
        # A compressed answer could be much longer than what is received.
        self._headers = {"user-agent": "kinfolk", "accept-encoding": "identity", **(headers or {})}
        self._timeout_s = timeout_s
        self._answer_s = answer_s
        self._longest_answer = longest_answer
        self._paused_until: datetime | None = None

    async def get(self, address: str, parameters: Mapping[str, str | int], *, etag: str = "") -> UpstreamAnswer:
        """One request, conditional with an `etag`. Follows redirects to the same server only.

        Raises RequestsRefused, NotFound, and Unavailable for all other failures, also for 304 without an `etag`.
        """
        self._check_pause()
        conditions = {"if-none-match": etag} if etag else {}
        response, body = await self._request("GET", address, headers=conditions, parameters=parameters)
        return self._answer_of(response, body, is_conditional=bool(etag))

    async def send(
        self,
        method: Literal["POST", "PATCH", "PUT", "BAN"],
        address: str,
        data: object,
        *,
        headers: Mapping[str, str] | None = None,
    ) -> UpstreamAnswer:
        """One request that changes something, with `data` as JSON, and no body for None. Follows no redirects.

        Raises what `get` raises.
        """
        self._check_pause()
        sent = {**({} if data is None else {"content-type": "application/json"}), **(headers or {})}
        response, body = await self._request(method, address, headers=sent, data=data)
        return self._answer_of(response, body, is_conditional=False)

    def _answer_of(self, response: httpx.Response, body: bytes, *, is_conditional: bool) -> UpstreamAnswer:
        status, now = response.status_code, self._now()
        wait_s = pause_s(status, response.headers, body, now)
        if wait_s:
            self._paused_until = now + timedelta(seconds=wait_s)
        if status in REFUSALS and wait_s:
            raise RequestsRefused(self.name, wait_s)
        if status in _MISSING:
            raise NotFound(f"{self.name} answers {status}")
        if status not in _ANSWERED or (status == HTTPStatus.NOT_MODIFIED and not is_conditional):
            raise UnexpectedStatus(self.name, status)
        links = {relation: link.get("url", "") for relation, link in response.links.items() if relation}
        return UpstreamAnswer(status, body, links, _etag(response), redirected=bool(response.history))

    def _check_pause(self) -> None:
        left_s = 0.0 if self._paused_until is None else (self._paused_until - self._now()).total_seconds()
        # A clock that was set back does not extend the pause.
        if 0 < left_s <= LONGEST_PAUSE_S:
            raise RequestsRefused(self.name, left_s)

    async def _request(
        self,
        method: str,
        address: str,
        *,
        headers: Mapping[str, str],
        parameters: Mapping[str, str | int] | None = None,
        data: object = None,
    ) -> tuple[httpx.Response, bytes]:
        is_read = method == "GET"
        content = None if data is None else orjson.dumps(data)
        request: dict[str, Any] = {"params": dict(parameters or {})} if is_read else {"content": content}
        try:
            async with (
                _sending(self.name, method),
                asyncio.timeout(self._answer_s),
                self._connect(httpx.URL(address)) as client,
                client.stream(method, address, headers=headers, follow_redirects=is_read, **request) as response,
            ):
                return response, await self._body(response)
        except TimeoutError:
            raise Unavailable(f"{self.name} did not answer within {self._answer_s:g} seconds") from None
        except (httpx.HTTPError, httpx.InvalidURL) as failed:
            raise Unavailable(f"{self.name} cannot be reached: {type(failed).__name__}") from failed

    def _connect(self, origin: httpx.URL) -> httpx.AsyncClient:
        async def check_origin(request: httpx.Request) -> None:
            url = request.url
            if (url.scheme, url.host, url.port) != (origin.scheme, origin.host, origin.port):
                raise Unavailable(f"{self.name} redirects to another server")

        return httpx.AsyncClient(
            transport=async_transport(str(origin), verify=ssl_context()),
            verify=ssl_context(),
            headers=self._headers,
            timeout=self._timeout_s,
            follow_redirects=True,
            max_redirects=MAX_REDIRECTS,
            event_hooks={"request": [check_origin]},
        )

    async def _body(self, response: httpx.Response) -> bytes:
        body = bytearray()
        async for part in response.aiter_raw():
            body += part
            if len(body) > self._longest_answer:
                raise Unavailable(f"The answer of {self.name} is longer than {self._longest_answer} bytes")
        return bytes(body)


@asynccontextmanager
async def _sending(server: str, method: str) -> AsyncIterator[None]:
    """The span of a request. The server gets no header of it: it is not part of this site."""
    with background_span("outgoing request", {"kinfolk.upstream": server, "http.request.method": method}):
        yield


def is_count(value: object) -> bool:
    """Whether a value from a server is a count: an integer from 0 to MAX_COUNT."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_COUNT


def _etag(response: httpx.Response) -> str:
    value: str = response.headers.get("etag", "")
    return value if len(value) <= MAX_ETAG and value.isascii() and value.isprintable() else ""


@cache
def ssl_context() -> SSLContext:
    """Created once: it takes 20 ms, in which the event loop is blocked."""
    return httpx.create_ssl_context()
