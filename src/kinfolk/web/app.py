"""The ASGI application: dispatches each request to the code that answers it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Collection, Sequence

import structlog
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from kinfolk.config.base_path import BasePath
from kinfolk.config.settings import Settings
from kinfolk.content.dependencies import Dependency
from kinfolk.content.sources.snapshot import ContentSource
from kinfolk.rendering.chart_pictures import ChartPictures
from kinfolk.rendering.isolates.isolate_pool import IsolatePool
from kinfolk.rendering.shared_results import BASE as SHARED_BASE
from kinfolk.rendering.styles.stylesheets import Stylesheets
from kinfolk.rendering.v8_renderer import V8Renderer, renderer_manifest
from kinfolk.runtime.services.allocator import release_free_memory
from kinfolk.runtime.services.lifecycle import running
from kinfolk.runtime.services.supervisor import Supervisor, reason_of
from kinfolk.runtime.telemetry.telemetry_export import trace_services
from kinfolk.site.site import Site, open_site
from kinfolk.site.telemetry import collector_of
from kinfolk.statistics.open_statistics import open_figure_refresher, open_importer, open_star_refresher
from kinfolk.web.background.cdn.cdn_purger import start_cdn_purges
from kinfolk.web.background.daily_purge import purge_daily
from kinfolk.web.background.docs_checks.code_check_service import start_code_checks
from kinfolk.web.background.docs_checks.code_reports import start_code_reports
from kinfolk.web.background.docs_checks.link_check import start_link_check
from kinfolk.web.background.gauges.loop_lag import measure_loop_lag
from kinfolk.web.background.gauges.resource_gauges import measure_resources
from kinfolk.web.background.prerenderer import Prerenderer
from kinfolk.web.background.previews.preview_queue import start_previews
from kinfolk.web.background.refresher import Refresher, refresh_sponsors, start_refreshing
from kinfolk.web.background.release_notes_refresh import start_release_notes
from kinfolk.web.background.revision_purge import RevisionPurge
from kinfolk.web.background.statistics_purge import StatisticsPurge
from kinfolk.web.base_path_middleware import BasePathMiddleware
from kinfolk.web.endpoints.accounts.sign_in import PREFIX as SIGN_IN
from kinfolk.web.endpoints.accounts.sign_in import SignInEndpoints
from kinfolk.web.endpoints.diagnostics import DiagnosticEndpoint
from kinfolk.web.endpoints.feedback_endpoint import ADDRESS as FEEDBACK
from kinfolk.web.endpoints.feedback_endpoint import FeedbackEndpoint
from kinfolk.web.endpoints.files.brand_files import BrandFiles
from kinfolk.web.endpoints.files.example_files import example_routes
from kinfolk.web.endpoints.files.library_face_files import library_face_routes
from kinfolk.web.endpoints.files.public_responses import PublicResponses
from kinfolk.web.endpoints.files.repository_files import repository_routes
from kinfolk.web.endpoints.files.share_image_responses import ShareImageResponses
from kinfolk.web.endpoints.files.static_files import ASSETS, BuildFiles, check_built
from kinfolk.web.endpoints.files.web_manifest import MANIFEST, OPENSEARCH, manifest_route, opensearch_route
from kinfolk.web.endpoints.health import TARGETS, Health
from kinfolk.web.endpoints.live.live_topics import LiveTopics
from kinfolk.web.endpoints.machine_readable.blog_feeds import BlogFeeds
from kinfolk.web.endpoints.machine_readable.crawler_files import MachineReadableTexts
from kinfolk.web.endpoints.machine_readable.docs_feeds import DocsFeeds
from kinfolk.web.endpoints.machine_readable.docs_markdown import DocsMarkdown
from kinfolk.web.endpoints.machine_readable.site_page_markdown import SitePageMarkdown
from kinfolk.web.endpoints.machine_readable.text_cache import MachineReadableCache
from kinfolk.web.endpoints.mcp.mcp_endpoint import McpEndpoint
from kinfolk.web.endpoints.pages.page_responses import PageResponder
from kinfolk.web.endpoints.pages.prefetch_hints import prefetch_hints
from kinfolk.web.endpoints.pages.server_functions import BASE, SHARED, answer_function, answer_shared
from kinfolk.web.endpoints.pages.upgrade_form import UpgradeForm
from kinfolk.web.endpoints.search.algolia_endpoint import AlgoliaEndpoint
from kinfolk.web.endpoints.search.answer_endpoint import AnswerEndpoint
from kinfolk.web.endpoints.statistics.public_comparisons import PREFIX as SAVED_COMPARISONS
from kinfolk.web.endpoints.statistics.public_comparisons import PublicComparisons
from kinfolk.web.endpoints.statistics.statistics_exports import StatisticsExports
from kinfolk.web.endpoints.webhooks.webhook_endpoint import webhook_routes
from kinfolk.web.protocol.client_limits import MAX_TARGET_BYTES, is_clean_target
from kinfolk.web.protocol.connections import Connections
from kinfolk.web.protocol.fair_queue import FairQueue, client_of
from kinfolk.web.protocol.request_ids import identified
from kinfolk.web.request_metrics import Kind, RequestMetrics, sample_metrics
from kinfolk.web.responses import without_storing
from kinfolk.web.security_headers import SecurityHeaders

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

STOP_S = 2.0
"""Seconds for all background services together to stop."""
CLOSE_S = 0.75
"""Seconds for open services to close, twice. A stop takes 3.5 s in total at most: with `worker_process.DRAIN_S` less
than `process_supervisor.STOP_S`, after which the parent kills a worker."""
EXPORT_SLOTS = 1000
"""Requests that are served at a time during an export: it is the only client, and limits its requests itself."""
INDEX_S = 2.0
"""Seconds that the start waits until an existing index is open."""
FILE_PREFIXES = (
    "/_files/",
    "/_brand/",
    "/_theme.css",
    "/_examples/",
    "/_icons/",
    "/_patterns/",
    "/_logos.svg",
    "/_frameworks.svg",
    "/_partners.svg",
    "/og/",
    "/stats/npm.",
)
"""Beginnings of addresses of files that are not part of the build."""


CHARTS = "/stats/npm."
"""Pictures that V8 draws, as it renders pages."""


class SiteApp:
    """The ASGI application. It answers pages itself; a Starlette application routes everything else."""

    def __init__(self, site: Site, isolates: IsolatePool | None = None, *, development: bool = False) -> None:
        """`isolates` are used and not closed; without them, the application starts its own.

        In `development` pages are not compressed, since no client requests it, and contain whole stylesheets, since
        parts of a page are replaced in place.
        """
        self.site = site
        self._development = development
        self._shared_isolates = isolates
        self.base = BasePath.of(site.settings.origin)
        self._edge: ASGIApp = BasePathMiddleware(self._answer, self.base) if self.base else self._answer
        self.queue = FairQueue(EXPORT_SLOTS if site.is_static else max(2, site.settings.renderers))
        self.pages = PageResponder(site, self.queue, compress=not development)
        self.security = SecurityHeaders(site.settings.hsts_s)
        self.connections = Connections(site.settings)
        self._build_files = BuildFiles(site.settings)
        self._brand_files = BrandFiles(site)
        self._public_files = PublicResponses(site)
        self._text_cache = MachineReadableCache(site)
        self._texts = MachineReadableTexts(site, self._text_cache)
        self._markdown = DocsMarkdown(site, self._text_cache, self.queue)
        self._feeds = DocsFeeds(site, self._text_cache)
        self._blog = BlogFeeds(site)
        self._page_markdown = SitePageMarkdown(site, self._text_cache)
        self._statistics = StatisticsExports(site)
        self._public_comparisons = PublicComparisons(site)
        self.search = AlgoliaEndpoint(site)
        self.mcp = McpEndpoint(site)
        self.answers = AnswerEndpoint(site.answers, site.settings) if site.answers is not None else None
        self.live = LiveTopics(site)
        self.connections.on_stop(self.live.streams.stop)
        if self.answers is not None:
            self.connections.on_stop(self.answers.stop)
        self.before_serving = self._open_published_search
        """Awaited before the first request."""
        self.supervisor = Supervisor()
        self.refresher: Refresher | None = None
        self.health = Health(site, self.supervisor)
        self._metrics = RequestMetrics(site.settings.slow_request_s)
        self.router = self._router_of(self._other_routes())
        # Of its own: the table of all routes takes half of the time of a cached text.
        self._text_router = self._router_of(
            [
                *self._markdown.routes(),
                *self._texts.routes(),
                *self._feeds.routes(),
                *self._blog.routes(),
                *self._page_markdown.routes(),
            ]
        )

    def _router_of(self, routes: Sequence[Route]) -> Starlette:
        handlers = {HTTPException: _http_error, ClientDisconnect: _client_disconnected, Exception: _internal_error}
        router = Starlette(routes=routes, exception_handlers=handlers)
        router.state.site = self.site
        return router

    def _other_routes(self) -> list[Route]:
        """The routes of everything but pages and texts."""
        return [
            Route(f"{BASE}/{{id}}", answer_function, methods=["GET", "POST"]),
            Route(f"{SHARED_BASE}/{{digest}}/{{id}}", answer_shared),
            *repository_routes(),
            *library_face_routes(),
            *self._brand_files.routes(),
            *example_routes(),
            *webhook_routes(),
            *DiagnosticEndpoint(self.site.settings).routes(),
            *ShareImageResponses(self.site).routes(),
            *(SignInEndpoints(self.site).routes() if self.site.catalog.accounts else ()),
            *(FeedbackEndpoint(self.site).routes() if self.site.catalog.accounts else ()),
            *(UpgradeForm(self.site).routes() if self.site.has_upgrades else ()),
            *self._statistics.routes(),
            manifest_route(self.site),
            opensearch_route(self.site),
            Route("/{path:path}", self._file),
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            with identified(scope, self.site.settings.trusted_proxies) as request_id:
                send = self.security.wrap(self.pages.edge.wrap(send), request_id)
                if not self.site.content.publisher.docs.snapshot.trees:
                    # Before the first sync: a CDN would keep lists without docs for minutes.
                    send = without_storing(send)
                await self._edge(scope, receive, send)
        elif scope["type"] == "lifespan":
            await self._lifespan(receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        path: str = scope["path"]
        if path in TARGETS:
            await self._metrics.answer(self.health, "health", scope, receive, send)
        elif self.search.has(path):
            await self._metrics.answer(self.search, "search", scope, receive, send)
        elif self.live.streams.has(path):
            # Not measured as a request: a stream lasts as long as its reader stays.
            await self.live.streams(scope, receive, send)
        elif self.mcp.has(path):
            await self._metrics.answer(self.mcp, "mcp", scope, receive, send)
        elif self.answers is not None and self.answers.has(path):
            # Not measured as a request: it lasts as long as the service writes.
            await self.answers(scope, receive, send)
        elif not await self.pages.send_cached(scope, send):
            app = self._select_app(scope)
            kind = self._kind(app, path)
            if _takes_turn(kind, scope):
                client = client_of(scope, self.site.settings.trusted_proxies)
                app = self.queue.in_turn(app, client, "last" if kind == "file" else "first")
            await self._metrics.answer(app, kind, scope, receive, send)

    def _select_app(self, scope: Scope) -> ASGIApp:
        """The application that answers a request which no cached page answers."""
        path: str = scope["path"]
        raw: bytes = scope.get("raw_path") or path.encode()
        if len(raw) + len(scope["query_string"]) > MAX_TARGET_BYTES and not path.startswith(BASE):
            return PlainTextResponse("This address is too long", 414)
        if not is_clean_target(raw) or not path.isprintable():
            return PlainTextResponse("This address is malformed", 400)
        is_of_accounts = path == FEEDBACK or path.startswith(SIGN_IN)
        if (is_of_accounts and not self.site.catalog.accounts) or self.pages.is_of_preview(path):
            return self.pages
        if (
            scope["method"] not in ("GET", "HEAD")
            or path.startswith(("/_", "/og/", ASSETS, SIGN_IN))
            or self._build_files.has(path)
            or self._brand_files.has(path)
            or self._public_files.has(path)
        ):
            return self.router
        if self._is_text(path):
            return self._text_router
        if path in (MANIFEST, OPENSEARCH) or self._statistics.has(path):
            return self.router
        if path.startswith(SAVED_COMPARISONS):
            return self._public_comparisons
        if self._markdown.accepts(scope):
            return self._markdown.negotiated
        if self._blog.accepts(scope):
            return self._blog.negotiated
        return self.pages

    def _is_text(self, path: str) -> bool:
        responders = (self._texts, self._markdown, self._feeds, self._blog, self._page_markdown)
        return any(texts.has(path) for texts in responders)

    def _kind(self, app: ASGIApp, path: str) -> Kind:
        """The label in metrics of a request for `path` that `app` answers."""
        if app is self.pages:
            return "page"
        if app in (self._markdown.negotiated, self._blog.negotiated) or self._is_text(path):
            return "markdown"
        if path.startswith((BASE, SHARED_BASE)):
            return "function"
        is_file = path.startswith(FILE_PREFIXES) or any(
            files.has(path) for files in (self._build_files, self._brand_files, self._public_files)
        )
        return "file" if is_file else "other"

    async def _file(self, request: Request) -> Response:
        """A file of the site's folder `public`, else one of the build."""
        files = self._public_files if self._public_files.has(request.url.path) else self._build_files
        return await files.respond(request)

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Run the renderer and the background services."""
        settings = self.site.settings
        check_built(settings)
        pool = await self._start_renderer()
        loop = asyncio.get_running_loop()
        self.site.content.publisher.on_purge(lambda tags: _call_soon(loop, self.pages.purge, tags))
        start_cdn_purges(self.site, self.supervisor)
        log.info("serving", docs=self.site.content.publisher.source.description, pages=settings.origin)
        services = [
            *trace_services(collector_of(settings)),
            *self.site.services,
            self._text_cache,
            *(() if self._shared_isolates else (pool,)),
        ]
        async with running(self.supervisor, services, stop_s=STOP_S, close_s=CLOSE_S):
            if self.site.content.highlighter is not None:
                self.site.content.highlighter.warm(self.site.content.sections)
            self._start_refreshing()
            self.supervisor.start_task("compression", self.pages.recompress_forever)
            self.supervisor.start_task("midnight", lambda: purge_daily(self.site.content.publisher.purge))
            self.supervisor.start_task("mcp", self.mcp.run)
            self._start_prerendering()
            self._start_statistics()
            start_release_notes(self.site, self.supervisor, self.live.on_data_change)
            self._start_overrides()
            self._start_reports()
            self._start_live()
            if not self._development and not self.site.is_static:
                self._build_files.start_storing(self.supervisor)
            self.supervisor.start_task("loop lag", measure_loop_lag)
            self.supervisor.start_task("free memory", release_free_memory)
            self.supervisor.start_task("resources", lambda: measure_resources(self.site.database, settings.var))
            self.supervisor.start_task("measuring", lambda: sample_metrics(self.pages, self.health, self.site.caches))
            await self.before_serving()
            try:
                yield
            finally:
                await self._flush_counts()
                if self.pages.releases is not None:
                    await self.pages.releases.stop()

    async def _open_published_search(self) -> None:
        """Otherwise a replacement worker would reject searches until its index is open."""
        search = self.site.search.updater
        if search is not None and search.is_published:
            await asyncio.to_thread(search.wait, INDEX_S)

    def use_build(self, isolates: IsolatePool) -> None:
        """Render with isolates of another build of the frontend, and drop the pages of the previous one."""
        self._build_files = BuildFiles(self.site.settings)
        self._render_with(isolates)
        self.pages.cache.clear()

    async def _start_renderer(self) -> IsolatePool:
        pool = self._shared_isolates
        if pool is None:
            pool = await asyncio.to_thread(start_isolates, self.site.settings, self.supervisor)
        self._render_with(pool)
        return pool

    def _render_with(self, pool: IsolatePool) -> None:
        self.health.pool = pool
        self._statistics.pictures = ChartPictures(
            pool, self.site.settings.frontend / "fonts", self.site.catalog.brand.corners
        )
        self.pages.renderer = V8Renderer(
            pool,
            prefetch_hints=prefetch_hints(self.site.catalog),
            shared=SHARED,
            rewrite_html=self.base.add_to_html,
            stylesheets=Stylesheets.of_build(self.site.settings.frontend, self.base, whole=self._development),
        )

    def _start_prerendering(self) -> None:
        """Start the service that renders pages of the latest versions before they are requested."""
        content = self.site.content
        if not self.site.settings.prerender or self._development or self.site.is_static:
            return
        highlighter = content.highlighter
        prerenderer = Prerenderer(
            self._texts.latest_addresses,
            self.pages.render_ahead,
            # Pages with plain code are purged when it is highlighted.
            is_idle=lambda: self.queue.is_idle and (highlighter is None or highlighter.wait_until_idle(0)),
            has_room=lambda: self.pages.cache.has_room,
        )
        loop = asyncio.get_running_loop()
        content.publisher.on_purge(lambda _: _call_soon(loop, prerenderer.wake))
        self.supervisor.start_task("prerendering", prerenderer.run)

    def _start_statistics(self) -> None:
        """Start the services that fetch downloads, stars and other figures, and that purge pages which show them."""
        site = self.site
        self.supervisor.start_task("statistics", StatisticsPurge(site.statistics.npm, self._purge_figures).run)
        if site.settings.npm_import:
            self.supervisor.start_task(
                "npm import", open_importer(site.settings, site.database, on_progress=self.live.import_progressed).run
            )
        stars = open_star_refresher(site.settings, site.catalog, site.database)
        if stars is not None:
            self.supervisor.start("stars", stars.run, stop=stars.stop)
        purge = RevisionPurge(site.statistics.figures.stale_since, self._purge_figures)
        self.live.on_data_change("figures", purge.check)
        self.supervisor.start_task("figures purge", purge.run)
        figures = open_figure_refresher(
            site.settings,
            site.catalog,
            site.database,
            on_change=lambda subjects: self._purge_figures(site.statistics.figures.dependencies(subjects)),
        )
        if figures is not None:
            self.supervisor.start_task("figures", figures.run)

    def _purge_figures(self, stale: Collection[Dependency]) -> None:
        """Purge pages that show figures, and notify the readers of these pages."""
        self.site.content.publisher.purge(frozenset(stale))
        self.live.refresh_figures()

    def _start_overrides(self) -> None:
        """Start the service that reads sponsors and promotions which maintainers set."""
        purge = RevisionPurge(self.site.maintenance.overrides.stale_since, self.site.content.publisher.purge)
        self.live.on_data_change("overrides", purge.check)
        self.supervisor.start_task("overrides", purge.run)

    def _start_reports(self) -> None:
        """Start the services that count missing pages and check the links of the docs."""
        self.supervisor.start_task("missing pages", self.pages.missed.run)
        self.supervisor.start_task("search counts", self.search.store_waiting)
        start_link_check(self.site, self.supervisor)

    def _start_live(self) -> None:
        """Start the services of live events."""
        self.live.start()
        self.supervisor.start("live changes", self.live.listener.run, stop=self.live.listener.stop)
        self.supervisor.start_task("live streams", self.live.streams.run)

    async def _flush_counts(self) -> None:
        """Write the last counts, before the database is closed."""
        for name, flush in (("searches", self.search.flush), ("missing pages", self.pages.missed.flush)):
            try:
                async with asyncio.timeout(CLOSE_S):
                    await flush()
            except Exception as failure:
                log.exception("not counted", counts=name, reason=reason_of(failure))

    def _start_refreshing(self) -> None:
        """Start the services that refresh content."""
        follower = self.live.follower
        self.refresher = refresher = start_refreshing(self.site, self.supervisor, follower)
        self.health.followed_s = lambda: None if follower.is_behind else refresher.followed_s
        self.router.state.refresher = self.refresher
        check_code = start_code_checks(self.site, self.supervisor)
        start_code_reports(self.site, self.supervisor)
        start_previews(self.site, self.supervisor, self.live.on_data_change, on_fetched=check_code)
        if self.site.content.sponsors.github is not None:
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


def start_isolates(settings: Settings, supervisor: Supervisor) -> IsolatePool:
    """The isolates that render the pages of the built frontend. Blocks."""
    return IsolatePool(
        settings.frontend / "ssr" / "ssr.js",
        renderer_manifest(settings.frontend / "ssr" / "manifest.json", BasePath.of(settings.origin)),
        size=settings.renderers,
        timeout_s=settings.render_timeout_s,
        supervisor=supervisor,
    )


def _call_soon(loop: asyncio.AbstractEventLoop, call: Callable[..., object], *arguments: object) -> None:
    """Call it in the event loop, from any thread."""
    with contextlib.suppress(RuntimeError):  # the event loop has ended during a refresh
        loop.call_soon_threadsafe(call, *arguments)


def create_app(settings: Settings, *, source: ContentSource | None = None) -> SiteApp:
    """The application for these settings. Raises the errors of `open_site`."""
    return SiteApp(open_site(settings, source=source))


def _takes_turn(kind: Kind, scope: Scope) -> bool:
    """Whether a request waits for a turn as a whole. Pages and texts take theirs when they are not cached."""
    return scope["method"] in ("GET", "HEAD") and (
        kind == "function" or (kind == "file" and scope["path"].startswith(CHARTS))
    )


async def _http_error(_: Request, failure: Exception) -> Response:
    if not isinstance(failure, HTTPException):
        raise failure
    return PlainTextResponse(failure.detail, failure.status_code, headers=failure.headers)


async def _client_disconnected(_: Request, __: Exception) -> Response:
    """No client receives this response: it closed the connection before its request body was complete."""
    return Response(status_code=400)


async def _internal_error(request: Request, failure: Exception) -> Response:
    log.error("request crashed", path=request.url.path, exc_info=failure)
    return PlainTextResponse("Something went wrong on our side", 500)
