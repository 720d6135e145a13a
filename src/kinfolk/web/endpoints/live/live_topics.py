"""Where the states of topics come from, and what a change causes: the part of live events that knows the site."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Sequence
from hashlib import blake2b
from typing import Any

import orjson
import structlog
from starlette.requests import Request

from kinfolk.config.docs_address import DocsAddress, Ref
from kinfolk.content.dependencies import DependencyRecorder
from kinfolk.content.docs import DocsSnapshot
from kinfolk.content.docs.docs_source import refreshed_refs
from kinfolk.db.database import utc_now
from kinfolk.live.change_listener import ChangeListener
from kinfolk.live.hub import Hub
from kinfolk.live.topic_state import TopicState
from kinfolk.live.topic_store import DATA_CHANGED, StoredTopic, TopicData
from kinfolk.live.topics import KINDS, Topic, topic_key
from kinfolk.runtime.errors import SiteError, Unavailable
from kinfolk.site.site import Site
from kinfolk.statistics.figures.open_source_figures import flat_figures
from kinfolk.statistics.importing.importer import ImportProgress
from kinfolk.web.background.commit_follower import CommitFollower
from kinfolk.web.endpoints.accounts.session_cookie import SessionCookies
from kinfolk.web.endpoints.live.live_stream import LiveStreams

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

PAGE, IMPORT = "docs.page", "statistics.import"
FAMILY_FIGURES, LIBRARY_FIGURES = "figures.family", "figures.library"
DATA_SOURCES = ("content", "figures", "overrides")
"""The sources of `data.changed`."""
PROGRESS_S = 2.0
"""Seconds between two stored steps of the importer."""


class LiveTopics:
    """For one event loop. `streams` is the ASGI application."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._cookies = SessionCookies(site.settings)
        self.hub = Hub(self._resolve)
        self.streams = LiveStreams(self.hub, site.settings, self._may_see)
        self.listener = ChangeListener(site.topics, self._stored_changed, on_ready=self._refresh_all)
        self.follower = CommitFollower(
            site.topics,
            site.content.publisher,
            site.catalog.refs,
            is_fetched=lambda ref: bool(
                refreshed_refs(site.settings, site.catalog, [ref], site.content.publisher.docs.snapshot)
            ),
            lock_folder=site.settings.mirror,
            on_announced=self.listener.wake,
        )
        self._loop: asyncio.AbstractEventLoop | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._progress_s = 0.0
        self._on_data_change: dict[str, Callable[[], Coroutine[Any, Any, None]]] = {}

    def on_data_change(self, source: str, notice: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Call `notice` in the event loop when any process has announced a change of a source of data."""
        self._on_data_change[topic_key(DATA_CHANGED, source=source)] = notice

    def refresh_figures(self) -> None:
        """Notify readers whose page shows figures that have changed. Call it in the event loop. Does not block."""
        self._start_task(self.hub.refresh(FAMILY_FIGURES, LIBRARY_FIGURES))

    def start(self) -> None:
        """Follow the snapshots of the docs. Call it in the event loop."""
        self._loop = asyncio.get_running_loop()
        self._site.content.publisher.on_snapshot(self._snapshot_changed)

    def publish(self, name: str, data: TopicData, **arguments: str) -> None:
        """Store the state of a topic and notify its followers. Blocks. A failure is logged: the site works without."""
        try:
            if self._site.topics.publish(topic_key(name, **arguments), data):
                self.listener.wake()
        except Unavailable as failure:
            log.warning("live event not published", topic=name, reason=failure.message)

    def import_progressed(self, progress: ImportProgress) -> None:
        """Publish a step of the importer of download counts, at most every PROGRESS_S. Does not block."""
        now_s = asyncio.get_running_loop().time()
        if now_s - self._progress_s < PROGRESS_S and progress.done < progress.total:
            return
        self._progress_s = now_s
        data: TopicData = {
            "subject": progress.subject[:200],
            "done": progress.done,
            "total": progress.total,
            "failure": (progress.failure or "")[:200],
        }
        self._start_task(asyncio.to_thread(self.publish, IMPORT, data))

    async def _resolve(self, topic: Topic) -> TopicState | None:
        if topic.kind.name == PAGE:
            return await asyncio.to_thread(self._page_state, topic)
        if not self._exists(topic):
            return None
        if topic.kind.name in (FAMILY_FIGURES, LIBRARY_FIGURES):
            return await asyncio.to_thread(self._figures_state, topic)
        stored = await asyncio.to_thread(self._site.topics.get, topic.key)
        # Nothing is known yet: the first change is a patch of it.
        return _state(stored) if stored is not None else TopicState(topic.key, "0", {}, "")

    def _exists(self, topic: Topic) -> bool:
        arguments, catalog = topic.arguments, self._site.catalog
        if "library" in arguments:
            return any(library.id == arguments["library"] for library in catalog.libraries)
        if "source" in arguments:
            return arguments["source"] in DATA_SOURCES
        return "repo" not in arguments or Ref(arguments["repo"], arguments["branch"]) in catalog.refs

    def _page_state(self, topic: Topic) -> TopicState | None:
        """The digest of a page's text; None for a page that does not exist."""
        arguments = topic.arguments
        address = DocsAddress(arguments["library"], arguments["version"], arguments["path"])
        docs = self._site.content.publisher.reader()
        try:
            page = docs.page(docs.locate_address(address))
        except Unavailable:
            raise
        except SiteError:
            return None
        return TopicState(topic.key, page.digest, {"digest": page.digest, "updated": page.updated}, _now())

    def _figures_state(self, topic: Topic) -> TopicState:
        """The figures that pages show now. The version is a digest of them."""
        figures, today, recorder = self._site.statistics.figures, utc_now().date(), DependencyRecorder()
        if topic.kind.name == LIBRARY_FIGURES:
            library = self._site.catalog.library(topic.arguments["library"])
            data = flat_figures(figures.library(library, today=today, recorder=recorder))
        else:
            data = flat_figures(figures.family(today=today, recorder=recorder))
        version = blake2b(orjson.dumps(data, option=orjson.OPT_SORT_KEYS), digest_size=8).hexdigest()
        return TopicState(topic.key, version, data, _now())

    def _snapshot_changed(self, docs_snapshot: DocsSnapshot) -> None:
        """In the thread that refreshed: publish what this process has fetched, and compare followed pages."""
        fetched = self._site.maintenance.fetched
        repos = {fetched.pop() for _ in range(len(fetched))}
        self.follower.announce([ref for ref in docs_snapshot.snapshot.trees if ref.repo in repos])
        self._call_soon(lambda: self._start_task(self.hub.refresh(PAGE)))

    def _refresh_all(self) -> None:
        """In the thread of the listener."""
        self._call_soon(lambda: self._start_task(self.hub.refresh(*KINDS)))

    def _stored_changed(self, stored: StoredTopic) -> None:
        """In the thread of the listener."""
        self._call_soon(lambda: self.hub.change(_state(stored)))
        self.follower.notice(stored)
        notice = self._on_data_change.get(stored.key)
        if notice is not None:
            self._call_soon(lambda: self._start_task(notice()))

    async def _may_see(self, request: Request, topics: Sequence[Topic]) -> bool:
        """Whether the sender is a maintainer: the only other scope."""
        del topics  # the caller has found one that is not public
        token = self._cookies.session_token(request.cookies)
        account = await asyncio.to_thread(self._site.accounts.account, token) if token else None
        return account is not None and account.role == "maintainer"

    def _call_soon(self, callback: Callable[[], None]) -> None:
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # the event loop has ended
                self._loop.call_soon_threadsafe(callback)

    def _start_task(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(_logged(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _logged(work: Coroutine[Any, Any, None]) -> None:
    try:
        await work
    except SiteError as failure:
        log.warning("live event failed", reason=failure.message)
    except Exception:
        log.exception("live event crashed")


def _state(stored: StoredTopic) -> TopicState:
    return TopicState(stored.key, str(stored.version), stored.data, f"{stored.as_of.isoformat(timespec='seconds')}Z")


def _now() -> str:
    return f"{utc_now().isoformat(timespec='seconds')}Z"
