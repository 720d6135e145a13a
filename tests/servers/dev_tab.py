"""`kinfolk dev` within this process, and tabs that follow it as `client.js` does."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import re
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import httpx
import orjson
from starlette.types import Message, Scope

from kinfolk.cli.dev.dev_app import DevApp
from kinfolk.cli.dev.reload_stream import PATH
from kinfolk.config.settings import Settings

ORIGIN = "http://kinfolk.test"
PATIENCE_S = 30
"""Seconds that an event is waited for on a busy machine."""
_SCRIPT = re.compile(r'data-page-digest="(\w*)" data-page-change="(\d+)"')


@dataclass
class Tab:
    """A browser tab: the response that it shows, the parts that replaced some of it, and the current problems."""

    app: DevApp
    page: str
    navigations: int = 0
    html: str = ""
    status: int = 0
    policy: str = ""
    problems: list[dict[str, Any]] = field(default_factory=list)
    _changed: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def follow(self) -> None:
        """Open the page, and open it again whenever the stream of its events says so."""
        while True:
            digest, change = await self._navigate()
            async with contextlib.aclosing(self._events(digest, change)) as events:
                async for name, data in events:
                    if name == "reload":
                        break
                    async with self._changed:
                        if name == "update":
                            self.html += "".join(data["parts"].values())
                        else:
                            self.problems = data
                        self._changed.notify_all()

    async def until(self, reached: Callable[[Tab], bool]) -> None:
        """Wait until the tab is in this state."""
        async with asyncio.timeout(PATIENCE_S), self._changed:
            await self._changed.wait_for(lambda: reached(self))

    async def _navigate(self) -> tuple[str, str]:
        transport = httpx.ASGITransport(self.app)
        async with httpx.AsyncClient(transport=transport, base_url=ORIGIN, follow_redirects=True) as client:
            response = await client.get(self.page)
        script = _SCRIPT.search(response.text)
        assert script is not None, response.text
        async with self._changed:
            self.navigations += 1
            self.page, self.html, self.status = response.url.raw_path.decode(), response.text, response.status_code
            self.policy = response.headers.get("content-security-policy", "")
            self._changed.notify_all()
        return script[1], script[2]

    async def _events(self, digest: str, change: str) -> AsyncGenerator[tuple[str, Any]]:
        """The events of the stream of the page, which ends with the iteration."""
        queue: asyncio.Queue[bytes] = asyncio.Queue()
        query = urlencode({"page": self.page, "digest": digest, "change": change}).encode()
        scope: Scope = {"type": "http", "path": PATH, "method": "GET", "query_string": query, "headers": []}

        async def receive() -> Message:
            await asyncio.Event().wait()
            raise AssertionError("unreachable")

        async def send(message: Message) -> None:
            queue.put_nowait(message.get("body", b""))

        stream = asyncio.create_task(self.app(scope, receive, send))
        try:
            while True:
                for event in (await queue.get()).split(b"\n\n"):
                    if event.startswith(b"event: "):
                        name, _, data = event.partition(b"\ndata: ")
                        yield name.removeprefix(b"event: ").decode(), orjson.loads(data)
        finally:
            stream.cancel()
            await asyncio.gather(stream, return_exceptions=True)


@dataclass
class DevBrowser:
    """The tabs of one running site, and the lines of the terminal."""

    app: DevApp
    folder: Path
    lines: list[str]
    _tasks: list[asyncio.Task[None]] = field(default_factory=list)

    async def open(self, page: str) -> Tab:
        tab = Tab(self.app, page)
        self._tasks.append(asyncio.create_task(tab.follow()))
        await tab.until(lambda tab: tab.navigations > 0)
        return tab

    async def close(self) -> None:
        await close_all(self._tasks)


@contextlib.asynccontextmanager
async def dev_browser(settings: Settings) -> AsyncIterator[DevBrowser]:
    """Run `kinfolk dev` for the site of these settings, without a server."""
    lines: list[str] = []
    app = DevApp(lambda: settings, lines.append)
    messages: asyncio.Queue[Message] = asyncio.Queue()
    started = asyncio.Event()

    async def send(message: Message) -> None:
        assert message["type"] in {"lifespan.startup.complete", "lifespan.shutdown.complete"}
        started.set()

    messages.put_nowait({"type": "lifespan.startup"})
    lifespan = asyncio.create_task(app({"type": "lifespan"}, messages.get, send))
    await started.wait()
    browser = DevBrowser(app, settings.site, lines)
    try:
        yield browser
    finally:
        await browser.close()
        messages.put_nowait({"type": "lifespan.shutdown"})
        await lifespan
        # Closes the bodies of streams that were left, while their event loop runs.
        gc.collect()
        await asyncio.sleep(0)


async def close_all(tasks: Iterable[asyncio.Task[None]]) -> None:
    """End the tasks. Raises the error of one that has failed."""
    for task in tasks:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
