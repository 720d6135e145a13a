"""All indexes by name: those of the site, which are read-only, and those that clients push."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from kinfolk.runtime.errors import Unavailable
from kinfolk.runtime.services.supervisor import Supervisor
from kinfolk.search.algolia.api_error import ApiError
from kinfolk.search.algolia.formats.settings_format import wire_settings
from kinfolk.search.pushed_indexes import IndexSummary, PushedIndex, PushedIndexes
from kinfolk.search.pushed_indexes.record_store import Scope
from kinfolk.search.query import SearchableIndex
from kinfolk.search.ranking_config import IndexSettings

READ_ONLY = 403


@dataclass(frozen=True)
class IndexHandle:
    """A searchable index with its settings in Algolia's format.

    `rules` are the complete settings of an index of the site, some of which Algolia does not have. `published` is when
    it was made, in Algolia's format, and `size` the bytes of its files.
    """

    name: str
    index: SearchableIndex
    settings: Mapping[str, object]
    rules: IndexSettings | None = None
    published: str = ""
    size: int = 0

    @classmethod
    def of_site(
        cls, name: str, index: SearchableIndex, rules: IndexSettings, *, published: str = "", size: int = 0
    ) -> IndexHandle:
        return cls(name, index, wire_settings(rules), rules, published, size)

    @property
    def summary(self) -> IndexSummary:
        return IndexSummary(
            self.name, self.published, self.published, entries=self.index.count, size=self.size, pending=False
        )


SiteIndexSource = Callable[[], IndexHandle]
"""Returns the current index of the site, which changes with the docs."""


class IndexRegistry:
    """Thread-safe."""

    def __init__(self, site_indexes: Mapping[str, SiteIndexSource], pushed: PushedIndexes) -> None:
        self._site_indexes = site_indexes
        self._pushed = pushed

    def start(self, supervisor: Supervisor | None = None) -> None:
        """Resume unfinished tasks of earlier processes, in a service of this supervisor."""
        self._pushed.start(supervisor)

    def close(self) -> None:
        self._pushed.close()

    @property
    def damaged(self) -> tuple[Path, ...]:
        """Damaged files of pushed indexes."""
        return self._pushed.damaged

    def find(self, name: str) -> IndexHandle | None:
        """Raises Unavailable for an index that is not ready, or may be lost."""
        source = self._site_indexes.get(name)
        if source is not None:
            return source()
        found = self._pushed.find(name)
        return IndexHandle(name, found, found.settings) if found is not None else None

    def pushed(self, name: str) -> PushedIndex:
        """The index to write to, which may not exist yet. Raises ApiError for an index of the site."""
        if name in self._site_indexes:
            raise ApiError(f"Index {name} is made from this site's pages, and cannot be written", READ_ONLY)
        return self._pushed.named(name)

    def copy(self, name: str, destination: str, scope: Sequence[Scope]) -> int:
        """Copy a pushed index over another. Returns the task."""
        if name in self._site_indexes:
            raise ApiError(f"Index {name} is made from this site's pages, and cannot be copied", READ_ONLY)
        return self._pushed.copy(name, destination, scope)

    def is_done(self, task: int) -> bool:
        return self._pushed.is_done(task)

    def summaries(self) -> list[IndexSummary]:
        """Of all indexes, by name, except those of the site that are not ready."""
        found = list(self._pushed.summaries())
        for source in self._site_indexes.values():
            with suppress(Unavailable):
                found.append(source().summary)
        return sorted(found, key=lambda each: each.name)
