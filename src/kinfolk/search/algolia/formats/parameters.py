"""The parameters of a search, in any of three forms -> SearchQuery and HitDisplay.

    {"indexName": "acme", "query": "cancel", "hitsPerPage": 5}              what clients send today
    {"indexName": "acme", "params": "query=cancel&hitsPerPage=5"}           older ones
    {"indexName": "acme", "params": {"query": "cancel", "hitsPerPage": 5}}

Defaults of missing parameters are the settings of the index, then those of Algolia.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal
from urllib.parse import parse_qsl, urlencode

import orjson

from kinfolk.search.algolia.api_error import ApiError, too_long, too_many
from kinfolk.search.algolia.formats.filter_syntax import (
    facet_filters,
    numeric_filters,
    optional_filters,
    parse_filters,
    tag_filters,
)
from kinfolk.search.filters import MAX_CONDITIONS, AllOf, AnyOf, Equals, Filter, count_conditions
from kinfolk.search.query import ALL_FACETS, MAX_QUERY_LENGTH, PrefixMode, SearchQuery

HITS_PER_PAGE = 20
MAX_HITS = 1000
MAX_FACET_HITS = 100
FEWEST_FACET_HITS = 10
MAX_FACETS = 1000
MAX_REQUESTS = 50
"""Searches of one request. A dialog with two refined facets sends three."""
MAX_PAGINATION = 20_000
"""Limit of `paginationLimitedTo`, as in Algolia."""
LONGEST_LIST = 1000
LONGEST_ITEM = 512
"""Characters of an item: the name of an attribute, or an optional word."""
MAX_ATTRIBUTES = 100
"""Attributes of a list that selects parts of each hit."""
LONGEST_TAG = 256
"""Characters of a highlight tag, which is repeated for each match."""
LONGEST_PARAMETERS = 1000
"""Parameters of a form-encoded string."""
LONGEST_WRITTEN_NUMBER = 40
SNIPPET_WORDS = 10
MAX_SNIPPET_WORDS = 1000
LARGEST_NUMBER = 2**31 - 1
_NOT_ECHOED = frozenset({"indexName", "params", "type", "facet", "facetQuery", "maxFacetHits"})

Order = Literal["count", "alpha"]


@dataclass(frozen=True)
class SnippetLength:
    """The length of the snippet of an attribute; `*` is every attribute."""

    attribute: str
    words: int


@dataclass(frozen=True)
class HitDisplay:
    """The attributes of a hit in a response, and the highlighting of matches."""

    retrieve: tuple[str, ...] = ("*",)
    highlight: tuple[str, ...] | None = None
    """None for the searchable attributes."""
    snippets: tuple[SnippetLength, ...] = ()
    before: str = "<em>"
    after: str = "</em>"
    ellipsis: str = "…"
    only_marked: bool = False
    """Only the matching items of lists."""
    escaped: bool = False
    """Whether values are HTML-escaped: for clients that insert them into a page as they are."""
    ranking: bool = False


@dataclass(frozen=True)
class ParsedSearch:
    """One search for records."""

    index: str
    query: SearchQuery
    display: HitDisplay
    page: int
    hits_per_page: int
    limited_to: int
    """Hits above this number are not reachable by paging."""
    windowed: bool
    """Whether the request has offset and length instead of page and hitsPerPage."""
    offset: int
    """As requested. That of the query is limited to reachable hits."""
    facet_order: Order
    counted: bool
    """Whether the client permits analytics."""
    with_query_id: bool
    with_categories: bool
    """Whether query categories are requested. They need user data, so they are empty."""
    fields: frozenset[str] | None
    """Requested keys of the response; None for all."""


@dataclass(frozen=True)
class ParsedFacetSearch:
    """One search for values of a facet."""

    index: str
    facet: str
    text: str
    limit: int
    query: SearchQuery
    display: HitDisplay


class Parameters:
    """Parameters as JSON values or strings, with the settings of the index as defaults."""

    def __init__(self, given: Mapping[str, object], settings: Mapping[str, object]) -> None:
        self.given = given
        self._settings = settings

    def get(self, name: str) -> object:
        value = self.given.get(name)
        return self._settings.get(name) if value is None else value

    def text(self, name: str, default: str = "", *, longest: int | None = None) -> str:
        value = self.get(name)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, (str, int, float)):
            raise ApiError(f"{name}: expected a text")
        if longest is not None and isinstance(value, str) and len(value) > longest:
            raise too_long(name, longest)
        return str(value)

    def number(self, name: str, default: int, *, least: int = 0, most: int = LARGEST_NUMBER) -> int:
        value = self.get(name)
        if value is None or value == "":
            return default
        if isinstance(value, str) and len(value) > LONGEST_WRITTEN_NUMBER:
            raise ApiError(f"{name}: expected a whole number")
        try:
            number = float(value) if isinstance(value, (str, int, float)) and not isinstance(value, bool) else None
        except (ValueError, OverflowError):
            number = None
        if number is None or not math.isfinite(number) or number != int(number):
            raise ApiError(f"{name}: expected a whole number")
        if not least <= number <= most:
            raise ApiError(f"{name}: expected a number from {least} to {most}")
        return int(number)

    def flag(self, name: str, *, default: bool) -> bool:
        match self.get(name):
            case None | "":
                return default
            case bool() as value:
                return value
            case "true" | "1" | 1:
                return True
            case "false" | "0" | 0:
                return False
        raise ApiError(f"{name}: expected true or false")

    def texts(self, name: str, *, most: int = LONGEST_LIST) -> tuple[str, ...] | None:
        """A list of strings, as a list, as JSON or with commas; None where it is missing."""
        value = self.get(name)
        if value is None:
            return None
        if isinstance(value, str):
            if value.lstrip().startswith("["):
                try:
                    value = orjson.loads(value)
                except orjson.JSONDecodeError:
                    raise ApiError(f"{name}: invalid JSON") from None
            else:
                value = [part.strip() for part in value.split(",")]
        if not isinstance(value, list) or not all(isinstance(part, str) for part in value):
            raise ApiError(f"{name}: expected a list of texts")
        if len(value) > most:
            raise too_many(name, most, "texts")
        if any(len(part) > LONGEST_ITEM for part in value):
            raise too_long(f"{name}: a text", LONGEST_ITEM)
        return tuple(part for part in value if part)


def flat(request: Mapping[str, object]) -> tuple[dict[str, object], str]:
    """The parameters of a request in one object, and their form-encoded echo for the response."""
    params = request.get("params")
    own = {name: value for name, value in request.items() if name not in _NOT_ECHOED}
    if params is None:
        inner: dict[str, object] = {}
    elif isinstance(params, str):
        try:
            pairs = parse_qsl(params, keep_blank_values=True, max_num_fields=LONGEST_PARAMETERS, errors="replace")
        except ValueError:
            raise too_many("params", LONGEST_PARAMETERS, "parameters") from None
        inner = dict(pairs)
    elif isinstance(params, dict):
        inner = {str(name): value for name, value in params.items()}
    else:
        raise ApiError("params: expected a text or an object")
    both = {**inner, **own}
    echo = params if isinstance(params, str) and not own else urlencode({n: _echoed(v) for n, v in both.items()})
    whole = {**inner, **{name: value for name, value in request.items() if name != "params"}}
    return whole, echo


def _echoed(value: object) -> bytes:
    if isinstance(value, str):
        return value.encode()
    return orjson.dumps(value)


def read_search(
    index: str,
    given: Mapping[str, object],
    settings: Mapping[str, object],
    *,
    forced: Mapping[str, object] | None = None,
    agent: str = "",
) -> ParsedSearch:
    """A search with these parameters. `forced` are those of a secured key, which override all others."""
    forced = forced or {}
    wanted = Parameters({**given, **{n: v for n, v in forced.items() if n not in _FILTERS}}, settings)
    hits_per_page = wanted.number("hitsPerPage", HITS_PER_PAGE, most=MAX_HITS)
    page = wanted.number("page", 0)
    windowed = given.get("offset") is not None and given.get("length") is not None
    limited_to = min(Parameters({}, settings).number("paginationLimitedTo", MAX_HITS), MAX_PAGINATION)
    offset = wanted.number("offset", 0) if windowed else page * hits_per_page
    length = wanted.number("length", 0, most=MAX_HITS) if windowed else hits_per_page
    # Pages above the limit are empty. The engine gets only limited numbers.
    reached = min(offset, limited_to)
    length = min(length, limited_to - reached)
    display = read_display(wanted, agent)
    fields = wanted.texts("responseFields", most=MAX_ATTRIBUTES)
    return ParsedSearch(
        index=index,
        query=_read_query(wanted, forced, offset=reached, length=length),
        display=display,
        page=page,
        hits_per_page=hits_per_page,
        limited_to=limited_to,
        windowed=windowed,
        offset=offset,
        facet_order="alpha" if wanted.get("sortFacetValuesBy") == "alpha" else "count",
        counted=wanted.flag("analytics", default=True) and hits_per_page > 0,
        with_query_id=wanted.flag("clickAnalytics", default=False),
        with_categories=_wants_categories(given.get("extensions")),
        fields=None if fields is None or "*" in fields else frozenset(fields),
    )


def _wants_categories(extensions: object) -> bool:
    return isinstance(extensions, dict) and isinstance(extensions.get("queryCategorization"), dict)


def read_facet_search(
    index: str,
    facet: str,
    given: Mapping[str, object],
    settings: Mapping[str, object],
    *,
    forced: Mapping[str, object] | None = None,
    agent: str = "",
) -> ParsedFacetSearch:
    """A search among the values of `facet`."""
    wanted = Parameters(given, settings)
    forced = forced or {}
    return ParsedFacetSearch(
        index=index,
        facet=facet,
        text=wanted.text("facetQuery")[:MAX_QUERY_LENGTH],
        limit=wanted.number("maxFacetHits", FEWEST_FACET_HITS, most=MAX_FACET_HITS),
        query=_read_query(wanted, forced, offset=0, length=0),
        display=read_display(wanted, agent),
    )


def where(given: Mapping[str, object]) -> Filter | None:
    """The conjunction of all four kinds of filters."""
    filters = given.get("filters")
    if filters is not None and not isinstance(filters, str):
        raise ApiError("filters: expected a text")
    found = (
        parse_filters(filters) if filters else None,
        facet_filters(given.get("facetFilters")),
        numeric_filters(given.get("numericFilters")),
        tag_filters(given.get("tagFilters")),
    )
    parts = tuple(part for part in found if part is not None)
    return (parts[0] if len(parts) == 1 else AllOf(parts)) if parts else None


_NOTHING = AnyOf(())
_FILTERS = frozenset({"filters", "facetFilters", "numericFilters", "tagFilters"})


def _read_query(wanted: Parameters, forced: Mapping[str, object], *, offset: int, length: int) -> SearchQuery:
    requested, must = where(wanted.given), where(forced)
    preferred = optional_filters(wanted.given.get("optionalFilters"))
    _check_conditions(requested, must, preferred)
    text = wanted.text("query")[:MAX_QUERY_LENGTH]
    if text.isspace():
        # Only an empty query lists all records.
        must = _NOTHING
    facets = wanted.texts("facets") or () if wanted.given.get("facets") is not None else ()
    return SearchQuery(
        text=text,
        where=AllOf((requested, must))
        if requested is not None and must is not None
        else requested
        if must is None
        else must,
        optional_filters=preferred,
        facets=ALL_FACETS if "*" in facets else facets,
        max_values_per_facet=wanted.number("maxValuesPerFacet", 100, most=MAX_FACETS),
        offset=offset,
        length=length,
        prefix_mode=_prefix_mode(wanted),
        max_typos=_max_typos(wanted),
        restrict_attributes=wanted.texts("restrictSearchableAttributes", most=MAX_ATTRIBUTES) or None,
        distinct=_distinct(wanted),
        synonyms=wanted.flag("synonyms", default=True),
        optional_words=_optional_words(wanted),
        remove_words_if_no_results=None if wanted.get("removeWordsIfNoResults") is None else _removes_words(wanted),
        remove_stop_words=None if wanted.get("removeStopWords") is None else _stop_words(wanted),
    )


def _both(requested: Filter | None, forced: Filter | None) -> Filter | None:
    if requested is None or forced is None:
        return forced if requested is None else requested
    return AllOf((requested, forced))


def _check_conditions(requested: Filter | None, must: Filter | None, preferred: tuple[Equals, ...]) -> None:
    sent = sum(count_conditions(part) for part in (requested, must) if part is not None) + len(preferred)
    if sent > MAX_CONDITIONS:
        raise too_many("filters", MAX_CONDITIONS, "conditions in all filters together")


def _prefix_mode(wanted: Parameters) -> PrefixMode:
    match wanted.get("queryType"):
        case None | "" | "prefixLast":
            return "last"
        case "prefixAll":
            return "all"
        case "prefixNone":
            return "none"
    raise ApiError("queryType: expected prefixLast, prefixAll or prefixNone")


def _max_typos(wanted: Parameters) -> int:
    match wanted.get("typoTolerance"):
        case None | "" | True | "true" | "min":
            return 2
        case "strict":
            return 1
        case False | "false":
            return 0
    raise ApiError("typoTolerance: expected true, false, min or strict")


def _distinct(wanted: Parameters) -> int | None:
    value = wanted.get("distinct")
    if value is None or value == "":
        return None
    if isinstance(value, bool) or value in ("true", "false"):
        return int(value in (True, "true"))
    return wanted.number("distinct", 0, most=4)


def _optional_words(wanted: Parameters) -> tuple[str, ...]:
    value = wanted.get("optionalWords")
    if isinstance(value, str) and not value.lstrip().startswith("["):
        return tuple(word[:LONGEST_ITEM] for word in value.split(None, LONGEST_LIST)[:LONGEST_LIST])
    return wanted.texts("optionalWords") or ()


def _removes_words(wanted: Parameters) -> bool:
    value = wanted.text("removeWordsIfNoResults")
    if value not in ("", "none", "lastWords", "firstWords", "allOptional"):
        raise ApiError("removeWordsIfNoResults: expected none, lastWords, firstWords or allOptional")
    return value not in ("", "none")


def _stop_words(wanted: Parameters) -> bool:
    """True, or a list of languages: the stop words are English."""
    value = wanted.get("removeStopWords")
    return (
        bool(wanted.texts("removeStopWords")) if isinstance(value, list) else value in (True, "true") or value == "en"
    )


def read_display(wanted: Parameters, agent: str = "") -> HitDisplay:
    """The display parameters."""
    before = wanted.text("highlightPreTag", "<em>", longest=LONGEST_TAG)
    retrieve = wanted.texts("attributesToRetrieve", most=MAX_ATTRIBUTES)
    snippets = (_snippet(text) for text in wanted.texts("attributesToSnippet", most=MAX_ATTRIBUTES) or ())
    return HitDisplay(
        retrieve=("*",) if retrieve is None else retrieve,
        highlight=wanted.texts("attributesToHighlight", most=MAX_ATTRIBUTES),
        # The last entry of an attribute wins.
        snippets=tuple({snippet.attribute: snippet for snippet in snippets}.values()),
        before=before,
        after=wanted.text("highlightPostTag", "</em>", longest=LONGEST_TAG),
        ellipsis=wanted.text("snippetEllipsisText", "…", longest=LONGEST_TAG),
        only_marked=wanted.flag("restrictHighlightAndSnippetArrays", default=False),
        # DocSearch inserts values into its page. InstantSearch escapes them itself, and sends its own tags.
        escaped="docsearch" in agent.lower() or before == "<mark>",
        ranking=wanted.flag("getRankingInfo", default=False),
    )


def _snippet(text: str) -> SnippetLength:
    attribute, colon, words = text.rpartition(":")
    if not colon:
        return SnippetLength(text, SNIPPET_WORDS)
    if not words.isascii() or not words.isdigit() or len(words) > 9:  # noqa: PLR2004 - digits of a number we can hold
        raise ApiError(f"attributesToSnippet: expected attribute:words, not {text[:60]!r}")
    return SnippetLength(attribute, max(1, min(int(words), MAX_SNIPPET_WORDS)))
