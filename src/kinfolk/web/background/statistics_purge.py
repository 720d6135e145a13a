"""Purges pages of npm statistics when counts change, and when they begin or cease to be samples."""

from __future__ import annotations

from collections.abc import Callable

from kinfolk.content.dependencies import NPM, Dependency
from kinfolk.statistics.npm_statistics import NpmStatistics
from kinfolk.web.background.revision_purge import RevisionPurge


class StatisticsPurge(RevisionPurge):
    """A background task."""

    def __init__(self, npm: NpmStatistics, purge: Callable[[frozenset[Dependency]], None]) -> None:
        super().__init__(self._find_stale, purge)
        self._npm = npm
        self._sampled: bool | None = None

    def _find_stale(self, revision: int) -> tuple[int, frozenset[Dependency]]:
        newest, stale = self._npm.stale_since(revision)
        sampled = self._npm.uses_samples()
        if self._sampled is not None and sampled != self._sampled:
            stale |= {NPM}
        self._sampled = sampled
        return newest, stale
