"""Server-sent events for the browsers that show the site: changes of their page, and the current problems."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field

import orjson
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from kinfolk.cli.dev.page_version import PageVersion
from kinfolk.cli.dev.problems import Problem
from kinfolk.runtime.cache import LRUCache

PATH = "/_dev/events"
PING_S = 20.0
"""Seconds after which a silent stream gets a comment, so that closed connections are noticed."""
MAX_QUEUED = 16
MAX_VERSIONS = 64
"""Versions of pages that changes are computed from. A browser with an older one loads its page again."""


@dataclass(eq=False)
class _Stream:
    """The stream of one browser tab: the page that it shows, as path and query, and the digest of its version.

    `change` is the change of the site that the page shows: it is compared with the current page after a later one only.
    Two requests for a page may get different HTML, as for a page of an error, and then each comparison would load it
    again.
    """

    page: str
    digest: str
    change: int
    queue: asyncio.Queue[bytes | None] = field(default_factory=lambda: asyncio.Queue(MAX_QUEUED))

    def send(self, event: bytes | None) -> None:
        with contextlib.suppress(asyncio.QueueFull):  # the browser gets the next event
            self.queue.put_nowait(event)


class ReloadStream:
    """The open streams. For one event loop. `on_open` is called after each new stream."""

    def __init__(self, on_open: Callable[[], None] = lambda: None) -> None:
        self._on_open = on_open
        self._streams: set[_Stream] = set()
        self._versions: LRUCache[str, PageVersion] = LRUCache(MAX_VERSIONS)
        self._change = 0
        self._problems: tuple[Problem, ...] = ()

    @property
    def problems(self) -> tuple[Problem, ...]:
        return self._problems

    @property
    def change(self) -> int:
        """The number of changes of the site. Read it before a page is rendered: the page may lack a later change."""
        return self._change

    def add_change(self) -> None:
        """Count a change of the site that pages show from now on."""
        self._change += 1

    @property
    def stale_pages(self) -> frozenset[str]:
        """The pages in browsers since before the last change, as path and query."""
        return frozenset(stream.page for stream in self._streams if stream.change < self._change)

    def add_version(self, html: bytes) -> PageVersion:
        """Remember the HTML of a page that a browser gets."""
        version = PageVersion.of(html)
        self._versions.put(version.digest, version)
        return version

    def reload(self) -> None:
        """Make all browsers load their page again."""
        for stream in self._streams:
            stream.change = self._change
        self._send(_event("reload", {}))

    def show_page(self, page: str, html: bytes | None, change: int) -> None:
        """Make browsers show this HTML of the page, which has that change: in place where that is possible.

        None: they load the page again.
        """
        version = self.add_version(html) if html is not None else None
        for stream in self._streams:
            if stream.page != page or stream.change >= change:
                continue
            stream.change = change
            if version is not None and stream.digest == version.digest:
                continue
            old = self._versions.get(stream.digest)
            parts = old.changed_parts(version) if old is not None and version is not None else None
            if parts is None or version is None:
                stream.send(_event("reload", {}))
            else:
                stream.send(_event("update", {"digest": version.digest, "parts": parts}))
                stream.digest = version.digest

    def show_problems(self, problems: Sequence[Problem]) -> None:
        """Show these problems over the page, instead of earlier ones."""
        if self._problems != tuple(problems):
            self._problems = tuple(problems)
            self._send(self._problems_event())

    def stop(self) -> None:
        """End all streams."""
        for stream in self._streams:
            stream.send(None)

    async def respond(self, request: Request) -> Response:
        shown = request.query_params
        change = shown.get("change", "")
        stream = _Stream(
            shown.get("page", ""), shown.get("digest", ""), int(change) if re.fullmatch("[0-9]{1,15}", change) else -1
        )
        return StreamingResponse(
            self._events(stream), media_type="text/event-stream", headers={"cache-control": "no-store"}
        )

    async def _events(self, stream: _Stream) -> AsyncIterator[bytes]:
        self._streams.add(stream)
        self._on_open()
        try:
            yield b"retry: 500\n\n" + self._problems_event()
            while True:
                try:
                    async with asyncio.timeout(PING_S):
                        event = await stream.queue.get()
                except TimeoutError:
                    yield b": ping\n\n"
                    continue
                if event is None:
                    return
                yield event
        finally:
            self._streams.discard(stream)

    def _problems_event(self) -> bytes:
        return _event("problems", [problem.as_json() for problem in self._problems])

    def _send(self, event: bytes) -> None:
        for stream in self._streams:
            stream.send(event)


def _event(name: str, data: object) -> bytes:
    return b"event: %b\ndata: %b\n\n" % (name.encode(), orjson.dumps(data))
