"""One commit of a tantivy index, with everything that a query reads from it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, cast

import orjson
import tantivy
from tantivy import Query

from kinfolk.runtime.errors import Unavailable
from kinfolk.search.filters import Record
from kinfolk.search.query import SearchQuery
from kinfolk.search.ranking.index_schema import (
    DEFINED,
    FACETS,
    GROUP,
    HEADING,
    PHRASE,
    RECORD,
    SUBHEADING,
    TIERS,
    path_key,
)
from kinfolk.search.ranking.search_scope import SearchScope
from kinfolk.search.ranking_config import IndexSettings
from kinfolk.search.text.vocabulary import Vocabulary

MAX_BOOSTING_VALUES = 1_000

Address: TypeAlias = "tuple[float, tantivy.DocAddress]"
"""The score of a record and its address."""


@dataclass(frozen=True)
class CommitView:
    """Immutable."""

    searcher: tantivy.Searcher
    scope: SearchScope
    generation: str

    @property
    def settings(self) -> IndexSettings:
        return self.scope.settings

    @property
    def count(self) -> int:
        return int(self.searcher.num_docs)

    def distinct(self, query: SearchQuery) -> int:
        """Records of one group among the hits; 0 for all."""
        if self.settings.attribute_for_distinct is None:
            return 0
        return max(0, self.settings.distinct) if query.distinct is None else query.distinct

    def groups(self, addresses: Sequence[Address]) -> list[object]:
        """The group of each record."""
        if not addresses:
            return []
        return list(self.searcher.fast_field_values(GROUP, [address for _, address in addresses]))

    def json(self, address: tantivy.DocAddress) -> bytes:
        return cast("bytes", self.searcher.doc(address).get_first(RECORD))

    def record(self, address: tantivy.DocAddress) -> Record:
        return cast("Record", orjson.loads(self.json(address)))


def view_commit(
    index: tantivy.Index, folder: Path, settings: IndexSettings, throttle: Callable[[], None]
) -> CommitView:
    """The last commit that `index` has loaded. `throttle` is called between steps of some 10 ms."""
    searcher = index.searcher()
    generation = hashlib.blake2s((folder / "meta.json").read_bytes(), digest_size=8).hexdigest()
    tiers = TIERS[: max(1, len(settings.tiers))]
    vocabulary = Vocabulary((searcher.terms_with_prefix(tier, "") for tier in tiers), throttle)
    throttle()
    facet_values = {
        boost.attribute: frozenset(_facet_values(searcher, boost.attribute)) for boost in settings.facet_boosts
    }
    throttle()
    headings = {
        field: frozenset(
            term for term, _ in searcher.terms_with_prefix(field, "") if not term.startswith((DEFINED, PHRASE))
        )
        for field in (HEADING, SUBHEADING)
    }
    scope = SearchScope(settings, vocabulary, index, index.schema, facet_values, headings, int(searcher.num_docs))
    return CommitView(searcher, scope, generation)


def _facet_values(searcher: tantivy.Searcher, attribute: str) -> list[str]:
    field = f"{FACETS}.{path_key(attribute)}"
    terms = {"terms": {"field": field, "size": MAX_BOOSTING_VALUES}}
    counted = searcher.aggregate(Query.all_query(), {"values": terms})
    return [bucket["key"] for bucket in counted["values"]["buckets"]]


@contextmanager
def panics_as_unavailable() -> Iterator[None]:
    """Convert tantivy's PanicException to Unavailable, so that the worker survives: it is not an Exception."""
    try:
        yield
    except BaseException as wrong:
        if type(wrong).__name__ != "PanicException":
            raise
        raise Unavailable("Search could not run this query") from wrong
