"""The interface between an index and its callers.

SearchQuery  ->  SearchableIndex.search  ->  SearchResult
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, Protocol

from kinfolk.runtime.budget import Deadline
from kinfolk.search.filters import OBJECT_BYTES, Equals, Filter, Record, filter_bytes

MAX_QUERY_LENGTH = 512
"""Characters of a query that are read (spec section 5)."""
ALL_FACETS = ("*",)
PrefixMode = Literal["last", "all", "none"]


@dataclass(frozen=True)
class SearchQuery:
    """A value of None takes the setting of the index."""

    text: str = ""
    where: Filter | None = None
    optional_filters: tuple[Equals, ...] = ()
    """Records that match rank higher by the score of the filter. No record is excluded."""
    facets: tuple[str, ...] = ()
    """Attributes whose values are counted, or ALL_FACETS."""
    max_values_per_facet: int = 100
    offset: int = 0
    length: int = 20
    prefix_mode: PrefixMode = "last"
    """Which words match longer terms. A space after the last word ends it."""
    max_typos: int = 2
    """Typos per word. Short words allow fewer."""
    restrict_attributes: tuple[str, ...] | None = None
    """The searchable attributes to search; None for all."""
    distinct: int | None = None
    """Records of one group among the hits; 0 for all."""
    synonyms: bool = True
    optional_words: tuple[str, ...] = ()
    remove_words_if_no_results: bool | None = None
    """Whether records with some of the words follow where too few have all of them."""
    remove_stop_words: bool | None = None
    """Whether words such as `how` and `the` are optional."""


def query_bytes(query: SearchQuery) -> int:
    """Approximate memory of a query as part of a cache key."""
    texts = (query.text, *query.facets, *(query.restrict_attributes or ()), *query.optional_words)
    size = sum(len(text) + OBJECT_BYTES for text in texts)
    size += sum(map(filter_bytes, query.optional_filters))
    return size + (filter_bytes(query.where) if query.where else 0)


class RankingInfo(NamedTuple):
    """The parts of the score of a hit."""

    words: int
    typos: int
    filters: int
    exact: int
    score: float


class ExcerptSource(NamedTuple):
    """What an excerpt of a section is made of besides its content.

    `breaks` are the offsets in the content where a paragraph, an item or a row ends. `code` are its short code blocks,
    each with the offset where the text before it ends. `lead` is the first paragraph below a section without content.
    """

    breaks: tuple[int, ...] = ()
    code: tuple[tuple[int, str], ...] = ()
    lead: str = ""


class Hit(NamedTuple):
    """`size` is the approximate number of bytes of the record's JSON; 0 if unknown.

    Only hits of the site's own index have an `excerpt`.
    """

    id: str
    record: Record
    ranking: RankingInfo
    size: int = 0
    excerpt: ExcerptSource | None = None


class Span(NamedTuple):
    """A range of a text, without `end` itself, and the words of the query that match there."""

    start: int
    end: int
    words: tuple[str, ...]


class MatchFinder(Protocol):
    """Finds the words of a query in a text: verbatim, prefixes, inflected forms, typos, parts of identifiers."""

    def spans(self, text: str) -> Iterator[Span]:
        """In order, without overlaps, lazily: a caller may stop early in a long text."""


class _NoMatches:
    def spans(self, text: str) -> Iterator[Span]:  # noqa: ARG002 - the parameter of MatchFinder
        return iter(())


NO_MATCHES: MatchFinder = _NoMatches()


@dataclass(frozen=True)
class FacetStats:
    """Of a facet whose values are numbers."""

    least: float
    most: float
    average: float
    sum: float


@dataclass(frozen=True)
class SearchResult:
    """Immutable. `total` counts one hit per group where hits are distinct."""

    hits: tuple[Hit, ...] = ()
    total: int = 0
    exhaustive: bool = True
    """Whether `total` and the counts of the facets are exact."""
    facets: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Attribute -> value -> count, the largest first."""
    stats: Mapping[str, FacetStats] = field(default_factory=dict)
    words: tuple[str, ...] = ()
    """The normalized words of the query, in order, without duplicates."""
    match_finder: MatchFinder = NO_MATCHES
    word_weights: Mapping[str, float] = field(default_factory=dict)
    """Inverse document frequency of each word; 0 for a stop word beside other words."""

    def spans(self, text: str) -> tuple[Span, ...]:
        """All matches in `text`, for highlighting."""
        return tuple(self.match_finder.spans(text))


class SearchableIndex(Protocol):
    """Thread-safe. No method blocks on a writer. Each raises OverBudget after the deadline.

    The default deadline is the budget of a whole search.
    """

    @property
    def generation(self) -> str:
        """Changes whenever a result may change: part of the key of every cache of results."""

    @property
    def count(self) -> int:
        """The number of records."""

    def search(self, query: SearchQuery, deadline: Deadline | None = None) -> SearchResult:
        """Raises Invalid for an invalid query, such as a filter with a NaN."""

    def facet_values(
        self, attribute: str, text: str, query: SearchQuery, *, limit: int, deadline: Deadline | None = None
    ) -> tuple[tuple[str, int], ...]:
        """Values of the attribute with a word that begins with `text`, with their counts, the largest first.

        Raises Invalid where the attribute is not a searchable facet.
        """

    def get(self, ids: Sequence[str], deadline: Deadline | None = None) -> tuple[Record | None, ...]:
        """The records with these ids, in this order; None for an unknown id."""

    def browse(
        self, cursor: str | None, query: SearchQuery, *, limit: int, deadline: Deadline | None = None
    ) -> tuple[tuple[Record, ...], str | None]:
        """At most `limit` records that match, unranked, and the cursor of the next ones; None at the end.

        Raises Invalid for a cursor of another index.
        """
