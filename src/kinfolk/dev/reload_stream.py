"""Server-sent events for the browsers that show the site: reload, and the current problems."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence

import orjson
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from kinfolk.dev.problems import Problem

PATH = "/_dev/events"
PING_S = 20.0
"""Seconds after which a silent stream gets a comment, so that closed connections are noticed."""
MAX_QUEUED = 16


class ReloadStream:
    """The open streams. For one event loop."""

    def __init__(self) -> None:
        self._queues: set[asyncio.Queue[bytes | None]] = set()
        self._problems: tuple[Problem, ...] = ()

    @property
    def problems(self) -> tuple[Problem, ...]:
        return self._problems

    def reload(self) -> None:
        """Make all browsers load their page again."""
        self._send(_event("reload", {}))

    def show_problems(self, problems: Sequence[Problem]) -> None:
        """Show these problems over the page, instead of earlier ones."""
        if self._problems != tuple(problems):
            self._problems = tuple(problems)
            self._send(self._problems_event())

    def stop(self) -> None:
        """End all streams."""
        for queue in self._queues:
            with contextlib.suppress(asyncio.QueueFull):
                queue.put_nowait(None)

    async def respond(self, request: Request) -> Response:
        del request
        return StreamingResponse(self._events(), media_type="text/event-stream", headers={"cache-control": "no-store"})

    async def _events(self) -> AsyncIterator[bytes]:
        queue: asyncio.Queue[bytes | None] = asyncio.Queue(MAX_QUEUED)
        self._queues.add(queue)
        try:
            yield b"retry: 500\n\n" + self._problems_event()
            while True:
                try:
                    async with asyncio.timeout(PING_S):
                        event = await queue.get()
                except TimeoutError:
                    yield b": ping\n\n"
                    continue
                if event is None:
                    return
                yield event
        finally:
            self._queues.discard(queue)

    def _problems_event(self) -> bytes:
        return _event("problems", [problem.as_json() for problem in self._problems])

    def _send(self, event: bytes) -> None:
        for queue in self._queues:
            with contextlib.suppress(asyncio.QueueFull):  # the browser gets the next event
                queue.put_nowait(event)


def _event(name: str, data: object) -> bytes:
    return b"event: %b\ndata: %b\n\n" % (name.encode(), orjson.dumps(data))
