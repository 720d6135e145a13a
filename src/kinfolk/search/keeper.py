"""Keeps the index of the site what the site is: builds it in the background, and exchanges it when it is good.

Any number of processes may keep one folder. Each asks for a build when its own pages are newer; builds wait for each
other, and the second finds nothing to do. Nobody who searches ever waits for one.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import structlog

from kinfolk.errors import SiteError, Unavailable
from kinfolk.search.build import Words, build, is_current, only_builder
from kinfolk.search.document import FORM
from kinfolk.search.engine import Answers, TantivyIndex
from kinfolk.search.publication import Published, discard, own_copy, published
from kinfolk.search.rules import SearchRules
from kinfolk.search.site_index import SiteIndex
from kinfolk.supervision import Supervisor
from kinfolk.throttle import Throttle, unthrottled

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

LOOK_S = 20.0
"""Seconds between two looks at the folder: another process may have published, or somebody deleted a file."""
SERVICE = "search index"
STOP_S = 5.0
"""How long `close` waits for a build that was broken off."""


class Builder(Protocol):
    """Makes the index current, by whatever way."""

    def build(self) -> None:
        """Blocks. Raises Unavailable where it did not succeed."""

    def stop(self) -> None:
        """Break off what is under way, if anything is. From any thread."""


class BuildHere:
    """Builds in the calling thread: for commands, and for pages that no other process could read."""

    def __init__(self, folder: Path, words: Callable[[], Words]) -> None:
        self._folder = folder
        self._words = words

    def build(self) -> None:
        with only_builder(self._folder):
            build(self._folder, self._words())

    def stop(self) -> None:
        """There is nothing that could be broken off safely; it is soon done."""


class SiteSearch:
    """The index as it is now. From any thread."""

    def __init__(
        self,
        folder: Path,
        rules: SearchRules,
        words: Callable[[], Words],
        builder: Builder,
        answers: Answers | None = None,
    ) -> None:
        self.rules = rules
        self._answers = answers
        self._folder = folder
        self._words = words
        self._builder = builder
        self._index: SiteIndex | None = None
        self._open: Published | None = None
        self._stopped = False
        self._changed = threading.Event()
        self._ready = threading.Event()
        self._supervisor: Supervisor | None = None
        self.current_at_s: float | None = None
        """When the index was last found to be current, by `time.monotonic`."""

    @property
    def is_published(self) -> bool:
        """Whether there is an index that this release can open."""
        one = published(self._folder)
        return one is not None and one.schema == FORM

    @property
    def is_ready(self) -> bool:
        """Whether there is an index to search."""
        return self._index is not None

    @property
    def index(self) -> SiteIndex:
        """Raises Unavailable until there is one."""
        if self._index is None:
            raise Unavailable("The search is being prepared. It answers as soon as the docs have been read.")
        return self._index

    def begin(self, supervisor: Supervisor | None = None) -> None:
        """Open what there is, and keep it current in a service of `supervisor`, or of one of its own, until `close`."""
        self._supervisor = supervisor or Supervisor()
        self._supervisor.start(SERVICE, self.run, stop=self.stop)

    def follow(self) -> None:
        """The pages are others now."""
        self._changed.set()

    def wait(self, timeout_s: float | None = None) -> bool:
        """Blocks until there is an index to search; whether there is."""
        return self._ready.wait(timeout_s)

    def close(self) -> None:
        """Break off what is under way. Blocks for at most STOP_S."""
        self.stop()
        if self._supervisor is not None:
            self._supervisor.stop(within_s=STOP_S, names=[SERVICE])

    def run(self) -> None:
        """The service: `update` after each `follow` and every LOOK_S. Raises what `update` raises."""
        while not self._stopped:
            self._changed.clear()
            self.update()
            self._changed.wait(LOOK_S)

    def stop(self) -> None:
        """Break off what is under way, for good. Does not block."""
        self._stopped = True
        self._changed.set()
        self._builder.stop()

    def keep(self) -> bool:
        """Do what `update` does once; whether all is current afterwards. The log says why not."""
        try:
            self.update()
        except (SiteError, OSError, ValueError) as wrong:
            if not self._stopped:
                log.warning("search index not built", reason=str(wrong))
            return False
        return True

    def update(self) -> None:
        """Open what is newer, and build where the pages are newer still.

        Raises Unavailable or OSError where there is no current index afterwards; the last good one stays open.
        """
        try:
            self._open_newer()
        except OSError as failure:
            # A build makes what is missing, and says better what is wrong if it cannot.
            log.warning("search index not opened", reason=str(failure))
        if not is_current(self._folder, self._words()):
            self._builder.build()
        self._open_newer()
        self.current_at_s = time.monotonic()

    def _open_newer(self) -> None:
        one = published(self._folder)
        # An index of another schema cannot be read by this release; the last good one stays.
        if one is None or one.schema != FORM or (self._open is not None and one.generation == self._open.generation):
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
        self._ready.set()
        log.info("search index opened", generation=opened.generation, records=index.count)
