"""The ASGI application: what answers which address."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import multiprocessing
import os
import signal
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from multiprocessing.connection import wait
from typing import TextIO

import structlog
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from kinfolk.settings import Settings, settings_here
from kinfolk.site import Site, open_site
from kinfolk.sources.publication import FILE as PUBLISHED
from kinfolk.sources.snapshot import Source
from kinfolk.ssr.pool import IsolatePool
from kinfolk.ssr.renderer import V8Renderer
from kinfolk.ssr.shared import BASE as SHARED_BASE
from kinfolk.supervision import OnDemand, Supervisor, reason_of
from kinfolk.web.blog import BlogTexts
from kinfolk.web.cards import Cards
from kinfolk.web.connections import Connections
from kinfolk.web.examples import example_routes
from kinfolk.web.files import Assets, check_built, library_logos, repository_file
from kinfolk.web.foresight import foresee
from kinfolk.web.functions import BASE, SHARED, answer_function, answer_shared
from kinfolk.web.health import TARGETS, Health
from kinfolk.web.installed import MANIFEST, OPENSEARCH, manifest_route, opensearch_route
from kinfolk.web.limits import LONGEST_TARGET, is_clean_target
from kinfolk.web.measuring import Kind, Requests, measure
from kinfolk.web.midnight import each_midnight
from kinfolk.web.pages import Pages
from kinfolk.web.refresher import HistoryRefresher, Refresher, refresh_sponsors
from kinfolk.web.search import SearchApi
from kinfolk.web.security_headers import SecurityHeaders
from kinfolk.web.text import Texts
from kinfolk.web.webhook import github_webhook

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

STOP_S = 2.0
"""How long the background services have to end, all together."""
CLOSE_S = 0.75
"""How long what remains open may take to close, twice. Stopping takes 3.5 s at most, whatever is stuck: together with
`worker.DRAIN_S` less than the `workers.STOP_S` after which a worker is killed.
"""
INDEX_S = 2.0
"""Seconds that the start waits for an index that only has to be opened."""
FILES = ("/_files/", "/_examples/", "/_logos.svg", "/og/")
"""How addresses of files begin that are not files of the build."""


class Kinfolk:
    """Pages are answered here, in front of the framework; everything else by Starlette behind it."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.pages = Pages(site)
        self.security = SecurityHeaders(site.settings.hsts_s)
        self.connections = Connections(site.settings)
        self._assets = Assets(site)
        self._texts = Texts(site)
        self._blog = BlogTexts(site)
        self.search = SearchApi(site)
        self.supervisor = Supervisor()
        self.refresher: Refresher | None = None
        self.health = Health(site, self.supervisor)
        self._requests = Requests(site.settings.slow_request_s)
        self.behind = Starlette(
            routes=[
                Route(f"{BASE}/{{id}}", answer_function, methods=["GET", "POST"]),
                Route(f"{SHARED_BASE}/{{digest}}/{{id}}", answer_shared),
                Route("/_files/{owner}/{repo}/{rest:path}", repository_file),
                Route("/_logos.svg", library_logos),
                *example_routes(),
                Route("/_hooks/github", github_webhook, methods=["POST"]),
                *self._blog.routes(),
                *self._texts.routes(),
                *Cards(site).routes(),
                manifest_route(site),
                opensearch_route(site),
                Route("/{path:path}", self._assets.answer),
            ],
            exception_handlers={HTTPException: _plain, ClientDisconnect: _disconnected, Exception: _crashed},
        )
        self.behind.state.site = site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            send = self.security.around(send)
            path: str = scope["path"]
            if path in TARGETS:
                await self._requests.answer(self.health, "health", scope, receive, send)
            elif self.search.has(path):
                await self._requests.answer(self.search, "search", scope, receive, send)
            elif not await self.pages.send_kept(scope, send):
                app = self._behind(scope)
                await self._requests.answer(app, self._kind(app, path), scope, receive, send)
        elif scope["type"] == "lifespan":
            await self._lifespan(receive, send)

    def _behind(self, scope: Scope) -> ASGIApp:
        path: str = scope["path"]
        raw: bytes = scope.get("raw_path") or path.encode()
        if len(raw) + len(scope["query_string"]) > LONGEST_TARGET and not path.startswith(BASE):
            return PlainTextResponse("This address is too long", 414)
        if not is_clean_target(raw) or not path.isprintable():
            return PlainTextResponse("This address is malformed", 400)
        if scope["method"] not in ("GET", "HEAD") or path.startswith(("/_", "/og/")) or self._assets.has(path):
            return self.behind
        if path in (MANIFEST, OPENSEARCH) or self._texts.has(path) or self._blog.has(path):
            return self.behind
        if self._texts.is_wanted(scope):
            return self._texts.negotiated
        if self._blog.is_wanted(scope):
            return self._blog.negotiated
        return self.pages

    def _kind(self, app: ASGIApp, path: str) -> Kind:
        """How requests for this path are counted, which `app` answers."""
        if app is self.pages:
            return "page"
        if app in (self._texts.negotiated, self._blog.negotiated) or self._texts.has(path) or self._blog.has(path):
            return "markdown"
        if path.startswith((BASE, SHARED_BASE)):
            return "function"
        return "file" if path.startswith(FILES) or self._assets.has(path) else "other"

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """The renderer and the background services, from the first request to the last."""
        settings = self.site.settings
        check_built(settings)
        pool = await asyncio.to_thread(
            IsolatePool,
            settings.frontend / "ssr" / "ssr.js",
            settings.frontend / "ssr" / "manifest.json",
            size=settings.renderers,
            timeout_s=settings.render_timeout_s,
            supervisor=self.supervisor,
        )
        self.health.pool = pool
        loop = asyncio.get_running_loop()
        self.site.editions.on_purge(lambda tags: _soon(loop, self.pages, tags))
        self.pages.renderer = V8Renderer(pool, foresee=foresee(self.site.catalog), shared=SHARED)
        log.info("serving", docs=self.site.editions.source.description, pages=settings.origin)
        try:
            await asyncio.to_thread(self.site.begin, self.supervisor)
            self._texts.begin(self.supervisor)
            self._start_refreshing()
            self.supervisor.start_task("compression", self.pages.improve)
            self.supervisor.start_task("midnight", lambda: each_midnight(self.pages.purge))
            self.supervisor.start_task("measuring", lambda: measure(self.pages, self.health, self.site.caches))
            search = self.site.search
            if search is not None and search.is_published:
                # A worker that replaces another one would refuse searches that the other one has answered.
                await asyncio.to_thread(search.wait, INDEX_S)
            yield
        finally:
            await self.supervisor.close(within_s=STOP_S)
            # It counts what was searched last, which the site then closes.
            await _within(CLOSE_S, "search", self.search.close())
            ends = {"texts": self._texts.end, "site": self.site.end, "isolates": pool.close}
            await asyncio.gather(*(_within(CLOSE_S, name, _in_thread(end, name)) for name, end in ends.items()))

    def _start_refreshing(self) -> None:
        """The services that look for newer content."""
        settings, editions = self.site.settings, self.site.editions
        history = HistoryRefresher(editions)
        besides = OnDemand(_ignoring_result(editions.refresh_besides), every_s=settings.refresh_s or None)
        published = settings.mirror / PUBLISHED if settings.mirror is not None else None
        self.refresher = Refresher(
            editions, settings.refresh_s, published=published, before=besides.wake, after=history.wake
        )
        self.behind.state.refresher = self.health.refresher = self.refresher
        self.supervisor.start("sync", self.refresher.run, stop=self.refresher.stop)
        self.supervisor.start("history", history.run, stop=history.stop)
        self.supervisor.start("blog", besides.run, stop=besides.stop)
        if self.site.sponsors.github is not None:
            self.supervisor.start_task("sponsors", lambda: refresh_sponsors(self.site))

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        async with contextlib.AsyncExitStack() as stack:
            try:
                await stack.enter_async_context(self.running())
            except Exception as failure:
                log.exception("start failed")
                await send({"type": "lifespan.startup.failed", "message": str(failure)})
                return
            await send({"type": "lifespan.startup.complete"})
            await receive()
        await send({"type": "lifespan.shutdown.complete"})


async def _within(limit_s: float, what: str, closing: Awaitable[None]) -> None:
    """Wait for `closing`, but not longer than this, and never raise: everything else is to be closed too."""
    try:
        async with asyncio.timeout(limit_s):
            await closing
    except Exception as failure:
        log.exception("not closed", what=what, reason=reason_of(failure))


async def _in_thread(close: Callable[[], None], name: str) -> None:
    """Call `close` in a thread of its own: those of the executor may be stuck, and the process would wait for them."""
    done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    loop = asyncio.get_running_loop()

    def settle(failure: BaseException | None) -> None:
        if done.done():
            return
        if failure is None:
            done.set_result(None)
        else:
            done.set_exception(failure)

    def run() -> None:
        failure: BaseException | None = None
        try:
            close()
        except BaseException as raised:  # noqa: BLE001 - it is raised where it is awaited
            failure = raised
        with contextlib.suppress(RuntimeError):  # the loop has ended meanwhile
            loop.call_soon_threadsafe(settle, failure)

    threading.Thread(target=run, name=f"close {name}", daemon=True).start()
    await done


def _ignoring_result(work: Callable[[], object]) -> Callable[[], None]:
    def run() -> None:
        work()

    return run


def _soon(loop: asyncio.AbstractEventLoop, pages: Pages, tags: frozenset[str]) -> None:
    with contextlib.suppress(RuntimeError):  # the loop has ended while a refresh was still running
        loop.call_soon_threadsafe(pages.purge, tags)


def create_app(settings: Settings, *, source: Source | None = None) -> Kinfolk:
    """The application for these settings. Raises what `open_site` raises."""
    return Kinfolk(open_site(settings, source=source))


def application(log_file: TextIO | None = None) -> Kinfolk:
    """What a server process loads: set up by its environment alone. It logs to standard error unless told otherwise."""
    from kinfolk.web.logs import log_uncaught, set_up_logs

    settings = settings_here()
    set_up_logs(settings.log, log_file)
    log_uncaught()
    _end_with_parent()
    app = create_app(settings)
    # What a process begins with stays. Else every full collection walks through all of it: a tenth of a second.
    gc.collect()
    gc.freeze()
    return app


def _end_with_parent() -> None:
    """A worker whose parent was killed would go on answering on the port, beside the next server, for ever."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch(sentinel: int) -> None:
        wait([sentinel])
        log.error("worker ends", reason="the server that started it is gone")
        os.kill(os.getpid(), signal.SIGKILL)

    threading.Thread(target=watch, args=(parent.sentinel,), name="parent-watch", daemon=True).start()


async def _plain(_: Request, failure: Exception) -> Response:
    if not isinstance(failure, HTTPException):
        raise failure
    return PlainTextResponse(failure.detail, failure.status_code, headers=failure.headers)


async def _disconnected(_: Request, __: Exception) -> Response:
    """Nothing reads this answer: the client closed the connection before its body was complete."""
    return Response(status_code=400)


async def _crashed(request: Request, failure: Exception) -> Response:
    log.error("request crashed", path=request.url.path, exc_info=failure)
    return PlainTextResponse("Something went wrong on our side", 500)
