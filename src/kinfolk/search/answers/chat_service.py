"""A service with the chat protocol of OpenAI: its answer as pieces of text, while it writes them.

Its events are read by the parser of httpx2, which limits their size. Redirects are not followed.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from ssl import SSLContext

import httpx2
from pydantic import BaseModel, ValidationError

from kinfolk.runtime.errors import Unavailable
from kinfolk.runtime.upstream.pinned_transport import chat_transport

MAX_EVENT_BYTES = 64 << 10
MAX_EVENTS = 20_000
MAX_TOKENS = 700
"""Length of an answer that is requested from the service."""
_BUSY = (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE)
_DONE = "[DONE]"


@dataclass(frozen=True)
class ChatTimeouts:
    """Seconds: to connect, until the first piece of text, between two pieces, and for the whole answer."""

    connect_s: float = 5.0
    first_s: float = 20.0
    next_s: float = 10.0
    total_s: float = 60.0


class ChatFailed(Unavailable):
    """The service did not answer as it should. `reason` is for the log; the message is for readers."""

    def __init__(self, reason: str, message: str = "The answer could not be completed. Try again in a moment.") -> None:
        super().__init__(message)
        self.reason = reason


class _Delta(BaseModel):
    content: str | None = None


class _Choice(BaseModel):
    delta: _Delta | None = None
    finish_reason: str | None = None


class _Chunk(BaseModel):
    choices: tuple[_Choice, ...] = ()
    error: object = None


class ChatService:
    """Makes one request for each answer."""

    def __init__(self, url: str, *, key: str, model: str, timeouts: ChatTimeouts | None = None) -> None:
        self._address = f"{url.rstrip('/')}/chat/completions"
        self._key = key
        self._model = model
        self.timeouts = timeouts or ChatTimeouts()

    async def stream(self, messages: Sequence[Mapping[str, str]]) -> AsyncGenerator[str]:
        """The pieces of the answer. Raises ChatFailed, also after pieces of an answer that is not complete."""
        body = {
            "model": self._model or "default",
            "messages": list(messages),
            "stream": True,
            "temperature": 0,
            "max_tokens": MAX_TOKENS,
        }
        headers = {"accept": "text/event-stream", "accept-encoding": "identity", "user-agent": "kinfolk"}
        if self._key:
            headers["authorization"] = f"Bearer {self._key}"
        waits = _Waits(self.timeouts)
        try:
            async with self._client() as client:
                request = client.build_request("POST", self._address, json=body, headers=headers)
                async with waits.next():
                    response = await client.send(request, stream=True)
                async with aclosing(response):
                    _check_head(response)
                    pieces = _pieces(response)
                    while True:
                        # No timeout is open while the caller has the piece: it would cancel the caller.
                        async with waits.next():
                            piece = await anext(pieces, None)
                        if piece is None:
                            return
                        waits.has_begun = True
                        yield piece
        except TimeoutError:
            raise ChatFailed("time", "The answer took too long. Try again, or open one of the sections.") from None
        except (httpx2.HTTPError, httpx2.InvalidURL) as failed:
            raise ChatFailed(f"{type(failed).__name__}: {failed}"[:200]) from failed

    def _client(self) -> httpx2.AsyncClient:
        times = self.timeouts
        return httpx2.AsyncClient(
            transport=chat_transport(self._address, verify=_ssl_context()),
            verify=_ssl_context(),
            timeout=httpx2.Timeout(times.total_s, connect=times.connect_s),
        )


class _Waits:
    """The time that is left for the next step of one answer."""

    def __init__(self, times: ChatTimeouts) -> None:
        self._times = times
        now_s = asyncio.get_running_loop().time()
        self._first_at_s = now_s + times.first_s
        self._end_at_s = now_s + times.total_s
        self.has_begun = False

    def next(self) -> asyncio.Timeout:
        """Raises TimeoutError at the end of the block, if the step takes too long."""
        now_s = asyncio.get_running_loop().time()
        step_at_s = now_s + self._times.next_s if self.has_begun else self._first_at_s
        return asyncio.timeout_at(min(step_at_s, self._end_at_s))


def _check_head(response: httpx2.Response) -> None:
    """Raises ChatFailed."""
    status = response.status_code
    if status in _BUSY:
        raise ChatFailed(f"status {status}", "The answer service is busy. Try again in a minute.")
    if status != HTTPStatus.OK:
        raise ChatFailed(f"status {status}")
    if response.headers.get("content-encoding", "identity") != "identity":
        # A small body could decode to a large one.
        raise ChatFailed("the answer is compressed")


async def _pieces(response: httpx2.Response) -> AsyncGenerator[str]:
    """Raises ChatFailed for anything that is not a complete answer of the protocol."""
    count = 0
    async for event in httpx2.EventSource(response, max_event_size=MAX_EVENT_BYTES):
        count += 1
        if event.data.strip() == _DONE:
            return
        try:
            chunk = _Chunk.model_validate_json(event.data)
        except ValidationError:
            raise ChatFailed("an event is no JSON of the protocol") from None
        if chunk.error is not None or count > MAX_EVENTS:
            raise ChatFailed("the service reports an error" if chunk.error is not None else "too many events")
        choice = chunk.choices[0] if chunk.choices else _Choice()
        if choice.delta is not None and choice.delta.content:
            yield choice.delta.content
        if choice.finish_reason:
            return
    raise ChatFailed("the stream ended early")


@cache
def _ssl_context() -> SSLContext:
    """Created once: it takes 20 ms, in which the event loop is blocked."""
    return httpx2.create_ssl_context()
