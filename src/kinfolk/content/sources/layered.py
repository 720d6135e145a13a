"""Combines two sources: git mirrors, and a directory of docs for branches without a mirror."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field

import structlog

from kinfolk.config.docs_address import Ref
from kinfolk.content.sources.snapshot import ContentSource, Snapshot
from kinfolk.runtime.errors import Unavailable

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)


@dataclass
class LayeredSource:
    """Takes each branch from `upper`, else from `lower`.

    Uses `upper` only if `present` returns true, so that no mirror is created by accident. Once it has given branches,
    it stays in use: a mirror that was deleted is fetched again, and its branches are not replaced by older ones.
    """

    upper: ContentSource
    lower: ContentSource
    present: Callable[[], bool]
    _was_used: bool = field(default=False, init=False)

    @property
    def description(self) -> str:
        above = self._above(self.upper.open)
        if not above.trees:
            return self.lower.description
        missing = len(self._below().trees.keys() - above.trees.keys())
        rest = f", {self.lower.description} for {missing} branches it lacks" if missing else ""
        return f"{self.upper.description}{rest}"

    def open(self) -> Snapshot:
        return self._both(self._above(self.upper.open), self._below())

    def refresh(self, refs: Collection[Ref] | None = None) -> Snapshot:
        try:
            below = self.lower.refresh(refs)
        except (Unavailable, OSError) as failure:
            # Its previous trees stay in use, and the mirror is still refreshed.
            log.warning("bundled docs not refreshed", reason=str(failure))
            below = self._below()
        return self._both(self._above(lambda: self.upper.refresh(refs)), below)

    def synced_at_s(self, ref: Ref | None = None) -> float | None:
        return (self.upper if self._is_used() else self.lower).synced_at_s(ref)

    def fetch_history(self, refs: Collection[Ref] | None = None) -> Snapshot:
        return self._both(self._above(lambda: self.upper.fetch_history(refs)), self._below())

    def tidy(self) -> None:
        if self._is_used():
            self.upper.tidy()

    def stop(self) -> None:
        self.upper.stop()
        self.lower.stop()

    def _both(self, above: Snapshot, below: Snapshot) -> Snapshot:
        trees = {**below.trees, **above.trees}
        if not trees:
            raise Unavailable(f"There are no docs in {self.upper.description} nor in {self.lower.description}")
        return Snapshot(trees)

    def _above(self, read: Callable[[], Snapshot]) -> Snapshot:
        if not self._is_used():
            return Snapshot({})
        try:
            snapshot = read()
        except Unavailable as failure:
            log.warning("mirror not served", reason=failure.message)
            return Snapshot({})
        self._was_used |= bool(snapshot.trees)
        return snapshot

    def _is_used(self) -> bool:
        return self._was_used or self.present()

    def _below(self) -> Snapshot:
        try:
            return self.lower.open()
        except Unavailable:
            return Snapshot({})
