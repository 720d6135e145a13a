"""The site's index for clients of a site with a base path: addresses in records are those that browsers request."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kinfolk.config.base_path import BasePath
from kinfolk.runtime.budget import Deadline
from kinfolk.search.docs_index.site_index import SiteIndex
from kinfolk.search.filters import Record
from kinfolk.search.query import SearchQuery, SearchResult
from kinfolk.search.ranking_config import IndexSettings

ADDRESSES = ("url", "url_without_anchor")


class BasedIndex:
    """The index with the base path in its records."""

    def __init__(self, index: SiteIndex, base: BasePath) -> None:
        self._index = index
        self._base = base

    @property
    def generation(self) -> str:
        return self._index.generation

    @property
    def count(self) -> int:
        return self._index.count

    @property
    def settings(self) -> IndexSettings:
        return self._index.settings

    def search(self, query: SearchQuery, deadline: Deadline | None = None) -> SearchResult:
        result = self._index.search(query, deadline)
        return replace(result, hits=tuple(hit._replace(record=self._with_base(hit.record)) for hit in result.hits))

    def facet_values(
        self, attribute: str, text: str, query: SearchQuery, *, limit: int, deadline: Deadline | None = None
    ) -> tuple[tuple[str, int], ...]:
        return self._index.facet_values(attribute, text, query, limit=limit, deadline=deadline)

    def get(self, ids: Sequence[str], deadline: Deadline | None = None) -> tuple[Record | None, ...]:
        return tuple(record and self._with_base(record) for record in self._index.get(ids, deadline))

    def browse(
        self, cursor: str | None, query: SearchQuery, *, limit: int, deadline: Deadline | None = None
    ) -> tuple[tuple[Record, ...], str | None]:
        records, after = self._index.browse(cursor, query, limit=limit, deadline=deadline)
        return tuple(map(self._with_base, records)), after

    def _with_base(self, record: Record) -> Record:
        addresses = {name: self._base.add(str(record[name])) for name in ADDRESSES if record.get(name)}
        return {**record, **addresses}
