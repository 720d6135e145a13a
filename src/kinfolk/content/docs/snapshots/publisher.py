"""Publishes docs snapshots: switches to new content and purges the cached responses that depend on changed files."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable
from functools import partial
from typing import TypeVar

import structlog

from kinfolk.config.docs_address import Ref
from kinfolk.content.dependencies import Dependency, purge_tags
from kinfolk.content.docs.snapshots.content_reader import ContentReader
from kinfolk.content.docs.snapshots.docs_snapshot import DocsSnapshot
from kinfolk.content.docs.snapshots.stale_dependencies import stale_dependencies
from kinfolk.content.sources.snapshot import ContentSource, Snapshot, changes

log = structlog.get_logger()

T = TypeVar("T")

Purge = Callable[[frozenset[str]], None]
"""Gets the cache tags of stale content, after the site has switched to the new content."""
Refresh = Callable[[], frozenset[Dependency]]
"""Reads content again and returns the stale dependencies."""
OnSnapshot = Callable[[DocsSnapshot], None]
"""Gets the docs snapshot that has become current."""


class DocsPublisher:
    """Holds the current docs snapshot and replaces it when the source has newer content.

    A caller reads `docs` once per request and uses that snapshot to the end.
    """

    def __init__(self, docs: DocsSnapshot, source: ContentSource) -> None:
        self.docs = docs
        self.source = source
        self.listener_delay_s = 0.0
        """Seconds from a new docs snapshot to the calls of its listeners. A later one in that time replaces it: the
        work of listeners, such as the search index, then does not delay the pages of an author who saves often.
        """
        self._listener_timer: threading.Timer | None = None
        self._purge_listeners: list[Purge] = []
        self._snapshot_listeners: list[OnSnapshot] = []
        self._other_sources: list[Refresh] = []
        self._refresh_listeners: list[Callable[[Collection[Ref]], None]] = []
        self._lock = threading.Lock()
        self._other_sources_lock = threading.Lock()

    def reader(self) -> ContentReader:
        """Reads the current docs, for a response that is not cached."""
        return ContentReader(self.docs)

    def on_purge(self, listener: Purge) -> None:
        """Call `listener` with the stale tags after each change, from the thread that refreshed."""
        self._purge_listeners.append(listener)

    def on_snapshot(self, listener: OnSnapshot) -> None:
        """Call `listener` with each new docs snapshot, from the thread that refreshed or, with a delay, another."""
        self._snapshot_listeners.append(listener)

    def on_refresh_request(self, listener: Callable[[Collection[Ref]], None]) -> None:
        """Call `listener` with the branches of each request for a refresh. It must not block."""
        self._refresh_listeners.append(listener)

    def request_refresh(self, refs: Collection[Ref]) -> None:
        """Refresh these branches as soon as possible. Does not block."""
        _call_each(self._refresh_listeners, refs)

    def add_source(self, refresh: Refresh) -> None:
        """Add content other than docs: `refresh` reads it again and returns the stale dependencies."""
        self._other_sources.append(refresh)

    def purge(self, stale: frozenset[Dependency]) -> None:
        """Call the purge listeners with the cache tags of these dependencies. Thread-safe."""
        _call_each(self._purge_listeners, purge_tags(stale))

    def refresh(self, refs: Collection[Ref] | None = None) -> frozenset[Dependency]:
        """Refresh other sources, docs and file histories, and return the stale dependencies. Blocks.

        A part that fails does not stop the next ones. Raises the error of the first part that failed.
        """
        stale, failures = _refresh_each(
            (self.refresh_other_sources, partial(self.refresh_content, refs), partial(self.fetch_histories, refs))
        )
        if failures:
            raise failures[0]
        return stale

    def refresh_content(self, refs: Collection[Ref] | None = None) -> frozenset[Dependency]:
        """Refresh the source, switch to its new snapshot, and return the stale dependencies. Blocks."""
        with self._lock:
            return self._switch(self.source.refresh(refs)) | self._update_releases()

    def fetch_histories(self, refs: Collection[Ref] | None = None) -> frozenset[Dependency]:
        """Fetch dates and authors of files, and return the stale dependencies. Blocks, sometimes for minutes."""
        with self._lock:
            stale = self._switch(self.source.fetch_history(refs)) | self._update_releases()
            return stale | self._update_sections()

    def refresh_other_sources(self) -> frozenset[Dependency]:
        """Refresh the content that `add_source` added, and return the stale dependencies. Blocks.

        A source that fails does not stop the next ones. Raises the error of the first source that failed.
        """
        with self._other_sources_lock:
            stale, failures = _refresh_each(self._other_sources)
            if stale:
                self.purge(stale)
        if failures:
            raise failures[0]
        return stale

    def _update_releases(self) -> frozenset[Dependency]:
        """Read which releases there are, make the marks of pages, and return the stale dependencies."""
        releases = self.docs.releases
        stale = releases.update() if releases is not None else frozenset()
        if releases is not None and releases.marks is not None:
            stale |= releases.marks.update(self.docs.branches)
        if stale:
            self.purge(stale)
        return stale

    def _update_sections(self) -> frozenset[Dependency]:
        """Make the marks of sections, for which contents of releases are fetched, and return the stale dependencies."""
        marks = self.docs.releases.marks if self.docs.releases is not None else None
        stale = marks.update_sections(self.docs.branches) if marks is not None else frozenset()
        if stale:
            self.purge(stale)
        return stale

    def _switch(self, snapshot: Snapshot) -> frozenset[Dependency]:
        before = self.docs
        changed = changes(before.snapshot, snapshot)
        if not changed:
            return frozenset()
        after = before.with_snapshot(snapshot)
        stale = stale_dependencies(changed, before, after)
        self.docs = after
        for change in changed:
            tree = snapshot.trees.get(change.ref)
            log.info(
                "docs changed",
                ref=str(change.ref),
                files=len(change.paths),
                revision=tree.revision[:12] if tree else "gone",
            )
        self.purge(stale)
        self._notify_listeners(after)
        return stale

    def _notify_listeners(self, docs_snapshot: DocsSnapshot) -> None:
        if self._listener_timer is not None:
            self._listener_timer.cancel()
        if not self.listener_delay_s:
            _call_each(self._snapshot_listeners, docs_snapshot)
            return
        self._listener_timer = threading.Timer(
            self.listener_delay_s, _call_each, (tuple(self._snapshot_listeners), docs_snapshot)
        )
        self._listener_timer.daemon = True
        self._listener_timer.start()


def _refresh_each(refreshes: Iterable[Refresh]) -> tuple[frozenset[Dependency], list[Exception]]:
    """The stale dependencies and the errors of all calls."""
    stale: set[Dependency] = set()
    failures: list[Exception] = []
    for refresh in refreshes:
        try:
            stale |= refresh()
        except Exception as failure:  # noqa: BLE001 - the caller raises it
            failures.append(failure)
    return frozenset(stale), failures


def _call_each(listeners: Iterable[Callable[[T], None]], value: T) -> None:
    """Call all listeners. An error of one is logged and does not stop the next ones."""
    for listener in tuple(listeners):
        try:
            listener(value)
        except Exception:
            log.exception("listener failed", listener=getattr(listener, "__qualname__", repr(listener)))
