"""Keeps the index of the site current: builds it in the background and opens each new generation.

Several processes may update one folder. Each starts a build when its own pages are newer. Builds run one after another,
and the second one has nothing to do. Searches do not block on a build: the previous generation is served.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import structlog

from kinfolk.runtime.errors import SiteError, Unavailable
from kinfolk.runtime.services.lifecycle import Service
from kinfolk.runtime.services.supervisor import Supervisor
from kinfolk.runtime.services.throttle import Throttle, unthrottled
from kinfolk.runtime.telemetry.spans import background_span
from kinfolk.search.docs_index.generations import Generation, discard, own_copy, published, published_at_s
from kinfolk.search.docs_index.index_build import SearchableContent, build, is_current, only_builder
from kinfolk.search.docs_index.site_index import SiteIndex
from kinfolk.search.engine.tantivy_index import ResultCache, TantivyIndex
from kinfolk.search.ranking_config import RankingConfig

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

POLL_S = 20.0
"""Interval of checks of the folder: another process may have published a generation, or a file may be deleted."""
SERVICE = "search index"
OTHERS_S = 600.0
"""Seconds for which an index of a server with other code or settings is not replaced."""
STOP_S = 5.0
"""Limit of `close` for a stopped build."""


class IndexBuilder(Protocol):
    """Builds the current index."""

    def build(self) -> None:
        """Blocks. Raises Unavailable where the build fails."""

    def stop(self) -> None:
        """Stop a running build. Thread-safe."""


class InProcessBuilder:
    """Builds in the calling thread: for commands, and for content that other processes cannot read."""

    def __init__(self, folder: Path, content: Callable[[], SearchableContent]) -> None:
        self._folder = folder
        self._content = content

    def build(self) -> None:
        with only_builder(self._folder):
            build(self._folder, self._content())

    def stop(self) -> None:
        """A build in a thread cannot be stopped safely, and takes seconds."""


class IndexUpdater(Service):
    """The current index. Thread-safe."""

    def __init__(
        self,
        folder: Path,
        rules: RankingConfig,
        content: Callable[[], SearchableContent],
        builder: IndexBuilder,
        answers: ResultCache | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.rules = rules
        self._answers = answers
        self._folder = folder
        self._content = content
        self._builder = builder
        self._index: SiteIndex | None = None
        self._open: Generation | None = None
        self._clock = clock
        self._others: tuple[Generation, float] | None = None
        """An index of other code or settings, and when this process found it."""
        self._published_form: str | None = None
        """The form of this process's content when the index was last current."""
        self._stopped = False
        self._changed = threading.Event()
        self._ready = threading.Event()
        self._supervisor: Supervisor | None = None
        self.current_at_s: float | None = None
        """When the index was last current, by `time.monotonic`."""
        self.published_at_s = 0.0
        """When the open index was published, in seconds since 1970."""

    @property
    def is_published(self) -> bool:
        """Whether the folder has an index."""
        return published(self._folder) is not None

    @property
    def is_ready(self) -> bool:
        """Whether an index is open."""
        return self._index is not None

    @property
    def index(self) -> SiteIndex:
        """Raises Unavailable until there is one."""
        if self._index is None:
            raise Unavailable("Search is starting up. Try again in a minute.")
        return self._index

    @property
    def size(self) -> int:
        """Bytes of the files of the open index."""
        return sum(size for size, _ in self._open.files.values()) if self._open else 0

    def start(self, supervisor: Supervisor | None = None) -> None:
        """Open what there is, and keep it current in a service of `supervisor`, or of one of its own, until `close`."""
        self._supervisor = supervisor or Supervisor()
        self._supervisor.start(SERVICE, self.run, stop=self.stop)

    def notify_change(self) -> None:
        """The pages have changed."""
        self._changed.set()

    def wait(self, timeout_s: float | None = None) -> bool:
        """Blocks until an index is open. Returns whether one is."""
        return self._ready.wait(timeout_s)

    def close(self) -> None:
        """Stop the service. Blocks for at most STOP_S."""
        self.stop()
        if self._supervisor is not None:
            self._supervisor.stop(within_s=STOP_S, names=[SERVICE])

    def run(self) -> None:
        """The service: `update` after each `follow` and every POLL_S. Raises what `update` raises."""
        while not self._stopped:
            self._changed.clear()
            self.update()
            self._changed.wait(POLL_S)

    def stop(self) -> None:
        """Stop the service and a running build. Does not block."""
        self._stopped = True
        self._changed.set()
        self._builder.stop()

    def try_update(self) -> bool:
        """Run `update` once and log a failure. Returns whether the index is current."""
        try:
            self.update()
        except (SiteError, OSError, ValueError) as wrong:
            if not self._stopped:
                log.warning("search index not built", reason=str(wrong))
            return False
        return True

    def update(self) -> None:
        """Open a newer generation, and build one where the pages are newer.

        Raises Unavailable or OSError where the index is not current afterwards. The previous one stays open.
        """
        try:
            self._open_newer()
        except OSError as failure:
            # The build replaces missing files, or fails with the cause.
            log.warning("search index not opened", reason=str(failure))
        content = self._content()
        if not is_current(self._folder, content) and not self._is_left_to_another(content):
            with background_span("index build"):
                self._builder.build()
        self._open_newer()
        self.current_at_s = time.monotonic()
        self._published_form = content.form

    def _is_left_to_another(self, content: SearchableContent) -> bool:
        """Whether a server with other code or settings has published its index in place of this one's.

        During a deploy, each of the two would otherwise build the whole index again and again. If the other one has
        ended, it publishes nothing more, and this one continues after OTHERS_S.
        """
        one = published(self._folder)
        if one is None or one.form == content.form or content.form != self._published_form:
            self._others = None
            return False
        if self._others is None or self._others[0] != one:
            self._others = one, self._clock()
        return self._clock() - self._others[1] < OTHERS_S

    def _open_newer(self) -> None:
        one = published(self._folder)
        if one is None or (self._open is not None and one.generation == self._open.generation):
            return
        try:
            with own_copy(self._folder) as (opened, copy):
                # Until the first index is open, searches are refused.
                throttle = unthrottled if self._index is None else Throttle().sleep
                engine = TantivyIndex(copy, self.rules.settings, self._answers, throttle=throttle)
                index = SiteIndex(engine, opened.generation)
        except Unavailable as damaged:
            log.warning("search index not opened", reason=damaged.message)
            discard(self._folder, one)
            return
        self._index, self._open = index, opened
        self.published_at_s = published_at_s(self._folder)
        self._ready.set()
        log.info("search index opened", generation=opened.generation, records=index.count)
