"""The ASGI application of `kinfolk dev`: the site's own, replaced after each change of the configuration."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import structlog
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from kinfolk.cli.dev.edited_docs import EditedDocs
from kinfolk.cli.dev.page_script import CLIENT, page_html, problem_page, script_of, with_client, without_encodings
from kinfolk.cli.dev.problems import (
    Problem,
    build_problems,
    configuration_problems,
    content_problems,
    most_important,
    problem_of,
    text_problems,
)
from kinfolk.cli.dev.reload_stream import PATH, ReloadStream
from kinfolk.cli.dev.watcher import TEXT_FOLDERS, Effect, branches_of, effect_of
from kinfolk.config.docs_address import Ref
from kinfolk.config.settings import Settings
from kinfolk.content.docs.docs_source import checkouts
from kinfolk.content.markdown.processes.process_pool import MarkdownProcessPool
from kinfolk.content.sources.file_changes import file_changes
from kinfolk.rendering.isolates.isolate_pool import IsolatePool
from kinfolk.runtime.errors import SiteError
from kinfolk.runtime.services.supervisor import Supervisor
from kinfolk.site.site import Site, open_site
from kinfolk.web.app import SiteApp, start_isolates

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

CLOSE_AFTER_S = 1.0
RELEASE_DELAY_S = 1.0
"""Seconds without a change after which the search index is built, and pages are highlighted and exported in advance."""
REPORT_AFTER_S = 0.1
"""Seconds without a change after which files are checked: threads that run at the same time delay the page."""
_CLIENT_FILE = Path(__file__).with_name("client.js")


@dataclass
class _RunningSite:
    """An open site, and the context in which its services run."""

    app: SiteApp
    stack: contextlib.AsyncExitStack
    docs: EditedDocs

    @property
    def site(self) -> Site:
        return self.app.site


class DevApp:
    """Serves the site, watches its files, and notifies browsers.

    After an invalid change, the last valid site stays, and browsers show what is wrong.
    """

    def __init__(self, read_settings: Callable[[], Settings], print_line: Callable[[str], None]) -> None:
        self._read_settings = read_settings
        self._settings = read_settings()
        self._print = print_line
        self._changes: asyncio.Queue[frozenset[Path]] = asyncio.Queue()
        self._watchers: dict[Path, asyncio.Task[None]] = {}
        self._stopping = asyncio.Event()
        self._purged = asyncio.Event()
        self._stream = ReloadStream(self._purged.set)
        self._running: _RunningSite | None = None
        self._unopened: list[Problem] = []
        """Why the site could not be opened after its last change; the previous one is shown, if there is one."""
        # Starting them takes longer than opening a site.
        self._markdown = MarkdownProcessPool()
        # Pages that browsers wait for are not behind those that are checked.
        self._checked_markdown = MarkdownProcessPool()
        self._isolates: IsolatePool | None = None
        self._built_at_ns = 0
        self._reporting: asyncio.Task[None] | None = None
        self._closing: set[asyncio.Task[None]] = set()
        self._client = _CLIENT_FILE.read_bytes()

    def stop_streams(self) -> None:
        """End the streams of browsers, which would keep the server from stopping."""
        self._stream.stop()
        if self._running is not None:
            self._running.app.live.streams.stop()

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
            response = problem_page(self._stream.problems, self._stream.change)
        if response is not None:
            await response(scope, receive, send)
        elif self._running is not None:
            script = partial(self._script_of, self._stream.change)
            await self._running.app(without_encodings(scope), receive, with_client(send, script))

    def _script_of(self, change: int, html: bytes) -> bytes:
        """The script for a page with this HTML, which was requested after this change."""
        return script_of(self._stream.add_version(html).digest, change)

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        async with self._watching():
            await send({"type": "lifespan.startup.complete"})
            await receive()
        await send({"type": "lifespan.shutdown.complete"})

    @contextlib.asynccontextmanager
    async def _watching(self) -> AsyncIterator[None]:
        # Before the files are read, so that no change is missed.
        self._update_watchers()
        await self._reopen()
        self._report_soon()
        tasks = [asyncio.create_task(self._watch()), asyncio.create_task(self._show_changes())]
        try:
            yield
        finally:
            tasks += [*self._watchers.values(), *([self._reporting] if self._reporting is not None else [])]
            if self._running is not None:
                self._running.docs.stop()
            for task in tasks:
                task.cancel()
            self._stopping.set()
            await asyncio.gather(*tasks, *self._closing, return_exceptions=True)
            if self._running is not None:
                await self._running.stack.aclose()
            await asyncio.to_thread(self.close_shared)

    def close_shared(self) -> None:
        """Close what outlives a site. Blocks."""
        self._markdown.close()
        self._checked_markdown.close()
        if self._isolates is not None:
            self._isolates.close()

    async def _watch(self) -> None:
        """Handle changes. Watches further folders after a change of the libraries."""
        while True:
            self._update_watchers()
            changed = await self._changes.get()
            try:
                await self._handle(changed)
            except Exception:
                log.exception("change not handled")

    def _update_watchers(self) -> None:
        folders = self._folders()
        for folder in self._watchers.keys() - folders:
            self._watchers.pop(folder).cancel()
        for folder in folders - self._watchers.keys():
            self._watchers[folder] = asyncio.create_task(self._watch_folder(folder))

    async def _watch_folder(self, folder: Path) -> None:
        async for changed in file_changes([folder], ignored=(self._settings.var,)):
            self._changes.put_nowait(changed)

    def _folders(self) -> frozenset[Path]:
        """The folders to watch, without those in another one."""
        settings = self._settings
        # A build of the frontend ends with its manifest.
        own = {settings.site, settings.content, settings.frontend / "ssr", *self._checkouts().values()}
        present = {folder for folder in own if folder.is_dir()}
        return frozenset(folder for folder in present if present.isdisjoint(folder.parents))

    def _checkouts(self) -> dict[Ref, Path]:
        if self._running is None:
            return {}
        return dict(checkouts(self._running.site.settings, self._running.site.catalog))

    async def _handle(self, changed: frozenset[Path]) -> None:
        settings = self._settings
        folders = self._checkouts()
        effect = max(effect_of(path, settings, folders.values()) for path in changed)
        if effect is Effect.NOTHING:
            return
        if effect is Effect.REOPEN or self._unopened or self._running is None:
            await self._reopen()
        else:
            await self._refresh(self._running.site, changed)
            if effect is Effect.RENDER:
                self._running.app.use_build(await asyncio.to_thread(self.isolates_of, settings))
                self._note_change()
        self._print(f"{', '.join(sorted(path.name for path in changed))} changed")
        self._report_soon()

    async def _refresh(self, site: Site, changed: frozenset[Path]) -> None:
        """Read the changed files. `_show_changes` shows the pages that this purges."""
        folders = {ref: site.settings.content / ref.repo / ref.branch for ref in site.catalog.refs} | self._checkouts()
        if any(path.is_relative_to(site.settings.site / folder) for path in changed for folder in TEXT_FOLDERS):
            await asyncio.to_thread(site.content.publisher.refresh_other_sources)
        if branches := branches_of(changed, folders):
            await asyncio.to_thread(site.content.publisher.refresh_content, branches)

    async def _show_changes(self) -> None:
        """Show the open pages as they are now, after each purge and to each new browser."""
        while True:
            await self._purged.wait()
            self._purged.clear()
            if self._running is None:
                continue
            app, change = self._running.app, self._stream.change
            for page in self._stream.stale_pages:
                try:
                    self._stream.show_page(page, await page_html(app, page), change)
                except Exception:
                    log.exception("page not shown", page=page)

    def _note_change(self) -> None:
        """The site has changed: compare the open pages with it."""
        self._stream.add_change()
        self._purged.set()

    async def _reopen(self) -> None:
        """Open the site as its files are now, and make browsers load it. The previous one stays when that fails."""
        stack = contextlib.AsyncExitStack()
        settings = self._settings
        try:
            self._settings = settings = self._read_settings()
            isolates = await asyncio.to_thread(self.isolates_of, settings)
            site = await asyncio.to_thread(open_site, settings, markdown_pool=self._markdown)
            app = SiteApp(site, isolates, development=True)
            await stack.enter_async_context(app.running())
        except SiteError as failure:
            await stack.aclose()
            problems = await asyncio.to_thread(configuration_problems, settings.site, settings.frontend)
            self._unopened = problems or [problem_of(failure, settings.site)]
            self._show_unopened()
            return
        self._unopened = []
        site.content.publisher.listener_delay_s = RELEASE_DELAY_S
        # After the listener of the application, so that the pages are purged when the event is set.
        site.content.publisher.on_purge(partial(_call_from_thread, asyncio.get_running_loop(), self._note_change))
        previous, self._running = self._running, _RunningSite(app, stack, self._edited_docs(site))
        self._stream.add_change()
        self._stream.reload()
        if previous is not None:
            previous.docs.stop()
            self._closing.add(task := asyncio.create_task(self._close_later(previous)))
            task.add_done_callback(self._closing.discard)

    async def _close_later(self, previous: _RunningSite) -> None:
        """Close the site after the requests in progress, and after browsers have loaded their page from the next."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_AFTER_S):
                await self._stopping.wait()
        await previous.stack.aclose()

    def _edited_docs(self, site: Site) -> EditedDocs:
        self._checked_markdown.first_framework = site.catalog.default_framework
        self._checked_markdown.link_schemes = site.catalog.link_schemes
        return EditedDocs(site, self._checked_markdown)

    def isolates_of(self, settings: Settings) -> IsolatePool:
        """The isolates of the built frontend: one, because the author is the only reader. Blocks."""
        built_at_ns = (settings.frontend / "ssr" / "manifest.json").stat().st_mtime_ns
        if self._isolates is None or built_at_ns != self._built_at_ns:
            previous, self._isolates = self._isolates, start_isolates(replace(settings, renderers=1), Supervisor())
            self._built_at_ns = built_at_ns
            if previous is not None:
                # After the requests in progress.
                closing = threading.Timer(CLOSE_AFTER_S, previous.close)
                closing.daemon = True
                closing.start()
        return self._isolates

    def _report_soon(self) -> None:
        """Look for problems when no file changes any more."""
        if self._reporting is not None:
            self._reporting.cancel()
        self._reporting = asyncio.create_task(self._report())

    async def _report(self) -> None:
        """Look for problems, and show them."""
        await asyncio.sleep(REPORT_AFTER_S)
        if self._running is None:
            return
        site = self._running.site
        problems = await asyncio.to_thread(configuration_problems, site.settings.site, site.settings.frontend)
        problems = problems or list(self._unopened)
        problems += await asyncio.to_thread(text_problems, site)
        problems += await asyncio.to_thread(build_problems, site.settings.frontend)
        docs = self._running.docs
        await asyncio.to_thread(docs.check_edits)
        self._show(problems + await asyncio.to_thread(_docs_problems, docs, site))
        if await asyncio.to_thread(docs.check_rest):
            self._show(problems + await asyncio.to_thread(_docs_problems, docs, site))

    def _show_unopened(self) -> None:
        """Show why the site cannot open: over the pages of the previous one, or on the page of the problems."""
        is_new = self._stream.problems != tuple(self._unopened)
        self._show(self._unopened)
        if self._running is None and is_new:
            self._stream.add_change()
            self._stream.reload()

    def _show(self, found: list[Problem]) -> None:
        problems = most_important(found)
        for problem in problems:
            if problem not in self._stream.problems:
                self._print(str(problem))
        if self._stream.problems and not problems:
            self._print("No problems")
        self._stream.show_problems(problems)


def _docs_problems(docs: EditedDocs, site: Site) -> list[Problem]:
    """What is known to be wrong with the content. Blocks."""
    return content_problems(docs.faults(), site)


def _call_from_thread(loop: asyncio.AbstractEventLoop, function: Callable[[], None], _: object) -> None:
    with contextlib.suppress(RuntimeError):  # the event loop has ended
        loop.call_soon_threadsafe(function)
