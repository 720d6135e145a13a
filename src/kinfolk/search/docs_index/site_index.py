"""The index of the site: its hits link to the framework that the query prefers, and have the source of an excerpt."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import cast

from kinfolk.runtime.budget import Deadline
from kinfolk.search.docs_index.excerpt_attribute import with_excerpt, without_excerpt
from kinfolk.search.engine.tantivy_index import TantivyIndex
from kinfolk.search.filters import Record, required_values
from kinfolk.search.query import Hit, SearchQuery, SearchResult
from kinfolk.search.ranking_config import IndexSettings

FRAMEWORK = "framework"


class SiteIndex:
    """One generation. Immutable."""

    def __init__(self, engine: TantivyIndex, generation: str) -> None:
        self._engine = engine
        self._generation = generation

    @property
    def generation(self) -> str:
        return self._generation

    @property
    def count(self) -> int:
        return self._engine.count

    @property
    def settings(self) -> IndexSettings:
        return self._engine.settings

    def search(self, query: SearchQuery, deadline: Deadline | None = None) -> SearchResult:
        result = self._engine.search(query, deadline)
        wanted = tuple(
            dict.fromkeys((*required_values(query.where, (FRAMEWORK,)), *result.words, *_preferred_frameworks(query)))
        )
        return replace(result, hits=tuple(with_excerpt(_with_framework_url(hit, wanted)) for hit in result.hits))

    def facet_values(
        self, attribute: str, text: str, query: SearchQuery, *, limit: int, deadline: Deadline | None = None
    ) -> tuple[tuple[str, int], ...]:
        return self._engine.facet_values(attribute, text, query, limit=limit, deadline=deadline)

    def get(self, ids: Sequence[str], deadline: Deadline | None = None) -> tuple[Record | None, ...]:
        return tuple(record and without_excerpt(record) for record in self._engine.get(ids, deadline))

    def browse(
        self, cursor: str | None, query: SearchQuery, *, limit: int, deadline: Deadline | None = None
    ) -> tuple[tuple[Record, ...], str | None]:
        records, after = self._engine.browse(cursor, query, limit=limit, deadline=deadline)
        return tuple(map(without_excerpt, records)), after


def _with_framework_url(hit: Hit, wanted: Sequence[str]) -> Hit:
    """The hit with the URL of the first of these frameworks that has the text."""
    variants = hit.record.get("variants")
    if not variants:
        return hit
    places = cast("Mapping[str, str]", variants)
    about = cast("Sequence[str]", hit.record.get("about", ()))
    own = [name for name in about if name not in places]
    for name in wanted:
        if name in own:
            return hit
        if name in places:
            url = places[name]
            return hit._replace(record={**hit.record, "url": url, "url_without_anchor": url.partition("#")[0]})
    return hit


def _preferred_frameworks(query: SearchQuery) -> Iterator[str]:
    yield from (equals.value for equals in query.optional_filters if equals.attribute == FRAMEWORK)
