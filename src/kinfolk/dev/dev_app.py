"""The ASGI application of `kinfolk dev`: the site's own, replaced after each change of the configuration."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Collection
from dataclasses import dataclass
from html import escape
from pathlib import Path

import structlog
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import Message, Receive, Scope, Send

from kinfolk.content_source import checkouts
from kinfolk.dev.problems import Problem, configuration_problems, problem_of, text_problems
from kinfolk.dev.reload_stream import PATH, ReloadStream
from kinfolk.dev.watcher import Effect, effect_of, site_changes
from kinfolk.errors import SiteError
from kinfolk.markdown.process_pool import MarkdownProcessPool
from kinfolk.settings import Settings
from kinfolk.site import Site, open_site
from kinfolk.ssr.isolate_pool import IsolatePool
from kinfolk.supervisor import Supervisor
from kinfolk.web.app import SiteApp, start_isolates

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

CLIENT = "/_dev/client.js"
CLOSE_AFTER_S = 1.0
_SCRIPT = f'<script src="{CLIENT}" type="module"></script>'.encode()
_CLIENT_FILE = Path(__file__).with_name("client.js")
_HELD_HEADERS = frozenset({b"content-length", b"etag", b"cache-control"})


@dataclass
class _RunningSite:
    """An open site, and the context in which its services run."""

    app: SiteApp
    stack: contextlib.AsyncExitStack

    @property
    def site(self) -> Site:
        return self.app.site


class DevApp:
    """Serves the site, watches its files, and notifies browsers.

    After an invalid change, the last valid site stays, and browsers show what is wrong.
    """

    def __init__(self, read_settings: Callable[[], Settings], print_line: Callable[[str], None]) -> None:
        self._read_settings = read_settings
        self._print = print_line
        self._stream = ReloadStream()
        self._running: _RunningSite | None = None
        # Starting them takes longer than opening a site.
        self._markdown = MarkdownProcessPool()
        self._isolates: IsolatePool | None = None
        self._built_at_ns = 0
        self._closing: set[asyncio.Task[None]] = set()
        self._client = _CLIENT_FILE.read_bytes()

    def stop_streams(self) -> None:
        """End the streams of browsers, which would keep the server from stopping."""
        self._stream.stop()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        elif scope["type"] == "http":
            await self._respond(scope, receive, send)

    async def _respond(self, scope: Scope, receive: Receive, send: Send) -> None:
        response: Response | None = None
        if scope["path"] == PATH:
            response = await self._stream.respond(Request(scope))
        elif scope["path"] == CLIENT:
            response = Response(self._client, media_type="text/javascript", headers={"cache-control": "no-store"})
        elif self._running is None:
            response = _problem_page(self._stream.problems)
        if response is not None:
            await response(scope, receive, send)
        elif self._running is not None:
            await self._running.app(_without_encodings(scope), receive, with_client(send))

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        async with self._watching():
            await send({"type": "lifespan.startup.complete"})
            await receive()
        await send({"type": "lifespan.shutdown.complete"})

    @contextlib.asynccontextmanager
    async def _watching(self) -> AsyncIterator[None]:
        await self._reopen()
        watching = asyncio.create_task(self._watch())
        try:
            yield
        finally:
            watching.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await watching
            if self._running is not None:
                await self._running.stack.aclose()
            await asyncio.to_thread(self.close_shared)

    def close_shared(self) -> None:
        """Close what outlives a site. Blocks."""
        self._markdown.close()
        if self._isolates is not None:
            self._isolates.close()

    async def _watch(self) -> None:
        """Handle changes. Watches other folders after a change of the libraries."""
        while True:
            folders = self._folders()
            async for changed in site_changes(folders, self._read_settings().var):
                try:
                    await self._handle(changed)
                except Exception:
                    log.exception("change not handled")
                if self._folders() != folders:
                    break

    def _folders(self) -> frozenset[Path]:
        settings = self._read_settings()
        # A build of the frontend ends with its manifest.
        own = {settings.site, settings.content, settings.frontend / "ssr"}
        return frozenset(own | set(self._checkouts()))

    def _checkouts(self) -> Collection[Path]:
        if self._running is None:
            return ()
        return checkouts(self._running.site.settings, self._running.site.catalog).values()

    async def _handle(self, changed: frozenset[Path]) -> None:
        settings = self._read_settings()
        folders = self._checkouts()
        effect = max(effect_of(path, settings, folders) for path in changed)
        if effect is Effect.NOTHING:
            return
        if effect is Effect.REOPEN or self._running is None:
            await self._reopen()
        else:
            publisher = self._running.site.publisher
            await asyncio.to_thread(publisher.refresh_other_sources)
            await asyncio.to_thread(publisher.refresh_content)
            # Purges are scheduled on this loop before this task continues.
            await asyncio.sleep(0)
        self._stream.reload()
        names = ", ".join(sorted(path.name for path in changed))
        self._print(f"{names} changed")
        await self._report()

    async def _reopen(self) -> None:
        """Open the site as its files are now. The previous one stays when that fails."""
        settings = self._read_settings()
        stack = contextlib.AsyncExitStack()
        try:
            isolates = await asyncio.to_thread(self.isolates_of, settings)
            site = await asyncio.to_thread(open_site, settings, markdown_pool=self._markdown)
            app = SiteApp(site, isolates)
            await stack.enter_async_context(app.running())
        except SiteError as failure:
            await stack.aclose()
            problems = await asyncio.to_thread(configuration_problems, settings.site, settings.frontend)
            self._show(problems or [problem_of(failure, settings.site)])
            return
        previous, self._running = self._running, _RunningSite(app, stack)
        if previous is not None:
            self._closing.add(task := asyncio.create_task(_close_later(previous)))
            task.add_done_callback(self._closing.discard)

    def isolates_of(self, settings: Settings) -> IsolatePool:
        """The isolates of the built frontend. Blocks."""
        built_at_ns = (settings.frontend / "ssr" / "manifest.json").stat().st_mtime_ns
        if self._isolates is None or built_at_ns != self._built_at_ns:
            previous, self._isolates = self._isolates, start_isolates(settings, Supervisor())
            self._built_at_ns = built_at_ns
            if previous is not None:
                previous.close()
        return self._isolates

    async def _report(self) -> None:
        """Look for problems, and show them."""
        if self._running is None:
            return
        site = self._running.site
        problems = await asyncio.to_thread(configuration_problems, site.settings.site, site.settings.frontend)
        problems += await asyncio.to_thread(text_problems, site)
        self._show(problems)

    def _show(self, problems: list[Problem]) -> None:
        for problem in problems:
            if problem not in self._stream.problems:
                self._print(str(problem))
        if self._stream.problems and not problems:
            self._print("No problems")
        self._stream.show_problems(problems)


async def _close_later(previous: _RunningSite) -> None:
    """Close the site after the requests in progress, and after the browser has loaded the page from the next one."""
    await asyncio.sleep(CLOSE_AFTER_S)
    await previous.stack.aclose()


def _without_encodings(scope: Scope) -> Scope:
    """The request for an uncompressed response, because the script of this module is added to it."""
    return {**scope, "headers": [header for header in scope["headers"] if header[0] != b"accept-encoding"]}


def with_client(send: Send) -> Send:
    """A `send` that adds the script of this module to HTML."""
    held: Message | None = None
    body = bytearray()

    async def send_with_script(message: Message) -> None:
        nonlocal held
        if message["type"] == "http.response.start":
            headers = dict(message["headers"])
            if headers.get(b"content-type", b"").startswith(b"text/html") and message["status"] not in (304, 204):
                held = message
                return
        elif held is not None and message["type"] == "http.response.body":
            body.extend(message.get("body", b""))
            if message.get("more_body"):
                return
            html = bytes(body).replace(b"</body>", _SCRIPT + b"</body>") if body else b""
            other = [header for header in held["headers"] if header[0].lower() not in _HELD_HEADERS]
            length = [(b"content-length", b"%d" % len(html))] if html else []
            await send({**held, "headers": [*other, *length, (b"cache-control", b"no-store")]})
            held = None
            await send({"type": "http.response.body", "body": html})
            return
        await send(message)

    return send_with_script


def _problem_page(problems: Collection[Problem]) -> Response:
    """The page of a site that cannot open."""
    if not problems:
        return PlainTextResponse("The site is starting", 503, headers={"retry-after": "1"})
    rows = "".join(f"<li>{escape(str(problem))}</li>" for problem in problems)
    html = (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>The site cannot start</title></head>'
        f"<body><h1>The site cannot start</h1><ul>{rows}</ul>{_SCRIPT.decode()}</body></html>"
    )
    return HTMLResponse(html, 500, headers={"cache-control": "no-store"})
