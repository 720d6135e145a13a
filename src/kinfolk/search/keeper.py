"""Keeps the index of the site what the site is: builds it in the background, and exchanges it when it is good.

Any number of processes may keep one folder. Each asks for a build when its own pages are newer; builds wait for each
other, and the second finds nothing to do. Nobody who searches ever waits for one.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import structlog

from kinfolk.errors import SiteError, Unavailable
from kinfolk.search.build import Words, build, is_current, only_builder
from kinfolk.search.document import FORM
from kinfolk.search.engine import TantivyIndex
from kinfolk.search.publication import Published, discard, own_copy, published
from kinfolk.search.rules import SearchRules
from kinfolk.search.site_index import SiteIndex

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

LOOK_S = 20.0
"""Seconds between two looks at the folder: another process may have published, or somebody deleted a file."""
RETRY_S = 60.0
"""Seconds until a build that has failed is tried again."""


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

    def __init__(self, folder: Path, rules: SearchRules, words: Callable[[], Words], builder: Builder) -> None:
        self.rules = rules
        self._folder = folder
        self._words = words
        self._builder = builder
        self._index: SiteIndex | None = None
        self._open: Published | None = None
        self._stopped = False
        self._changed = threading.Event()
        self._ready = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def index(self) -> SiteIndex:
        """Raises Unavailable until there is one."""
        if self._index is None:
            raise Unavailable("The search is being prepared. It answers as soon as the docs have been read.")
        return self._index

    def begin(self) -> None:
        """Open what there is, and keep it current in the background until `close`."""
        self._thread = threading.Thread(target=self._keep, name="search index", daemon=True)
        self._thread.start()

    def follow(self) -> None:
        """The pages are others now."""
        self._changed.set()

    def wait(self, timeout_s: float | None = None) -> bool:
        """Blocks until there is an index to search; whether there is."""
        return self._ready.wait(timeout_s)

    def close(self) -> None:
        """Blocks until what is under way has been broken off."""
        self._stopped = True
        self._builder.stop()
        self._changed.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def keep(self) -> bool:
        """Open what is newer, and build where the pages are newer still; whether all is current afterwards."""
        self._open_newer()
        if is_current(self._folder, self._words()):
            return True
        try:
            self._builder.build()
        except (SiteError, OSError, ValueError) as wrong:
            if not self._stopped:
                log.warning("search index not built", reason=str(wrong))
            return False
        self._open_newer()
        return True

    def _keep(self) -> None:
        while not self._stopped:
            self._changed.clear()
            fine = self.keep()
            self._changed.wait(LOOK_S if fine else RETRY_S)

    def _open_newer(self) -> None:
        one = published(self._folder)
        # An index of another schema cannot be read by this release; the last good one stays.
        if one is None or one.schema != FORM or (self._open is not None and one.generation == self._open.generation):
            return
        try:
            with own_copy(self._folder) as (opened, copy):
                index = SiteIndex(TantivyIndex(copy, self.rules.settings), opened.generation)
        except Unavailable as damaged:
            log.warning("search index not opened", reason=damaged.message)
            discard(self._folder, one)
            return
        self._index, self._open = index, opened
        self._ready.set()
        log.info("search index opened", generation=opened.generation, records=index.count)
