"""One search as the clients write it, in any of three shapes, read into a Question and how to show its answer.

    {"indexName": "tanstack", "query": "cancel", "hitsPerPage": 5}              what clients send today
    {"indexName": "tanstack", "params": "query=cancel&hitsPerPage=5"}           older ones
    {"indexName": "tanstack", "params": {"query": "cancel", "hitsPerPage": 5}}

What a search does not say, the settings of its index say, and then the protocol's defaults.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal
from urllib.parse import parse_qsl, urlencode

import orjson

from kinfolk.search.algolia.fault import Fault, too_long, too_many
from kinfolk.search.algolia.filters import (
    facet_filters,
    numeric_filters,
    optional_filters,
    parse_filters,
    tag_filters,
)
from kinfolk.search.query import (
    EVERY_FACET,
    LONGEST_TEXT,
    MOST_CONDITIONS,
    All,
    Beginnings,
    Equals,
    Filter,
    Question,
    conditions,
)

HITS_PER_PAGE = 20
MOST_HITS = 1000
MOST_FACET_HITS = 100
FEWEST_FACET_HITS = 10
MOST_FACETS = 1000
MOST_REQUESTS = 50
"""Searches in one call. A dialog with two refined facets asks three."""
MOST_PAGINATION = 20_000
"""Hits that can be reached by turning pages, whatever the settings say. It is the protocol's own limit."""
LONGEST_LIST = 1000
LONGEST_ITEM = 512
"""Characters of a text in a list: the name of an attribute, or an optional word."""
MOST_ATTRIBUTES = 100
"""Attributes in each of the lists that say what of a hit is shown: each is looked at in every hit."""
LONGEST_TAG = 256
"""Characters of a tag around what was found, which stands in the answer as often as something was."""
LONGEST_PARAMETERS = 1000
"""Parameters in a form-encoded text."""
LONGEST_WRITTEN_NUMBER = 40
SNIPPET_WORDS = 10
MOST_SNIPPET_WORDS = 1000
LARGEST_NUMBER = 2**31 - 1
_NOT_ECHOED = frozenset({"indexName", "params", "type", "facet", "facetQuery", "maxFacetHits"})

Order = Literal["count", "alpha"]


@dataclass(frozen=True)
class Snippet:
    """How many words of which attribute; `*` is every attribute."""

    attribute: str
    words: int


@dataclass(frozen=True)
class Display:
    """What of a hit is shown, and how what was found in it is marked."""

    retrieve: tuple[str, ...] = ("*",)
    highlight: tuple[str, ...] | None = None
    """None for the searchable attributes."""
    snippets: tuple[Snippet, ...] = ()
    before: str = "<em>"
    after: str = "</em>"
    ellipsis: str = "…"
    only_marked: bool = False
    """Of lists, only the values in which something was found."""
    escaped: bool = False
    """Whether values become HTML: for a client that puts them into its page as they come."""
    ranking: bool = False


@dataclass(frozen=True)
class Search:
    """One search for records."""

    index: str
    question: Question
    display: Display
    page: int
    hits_per_page: int
    limited_to: int
    """No further hits than these can be reached by turning pages."""
    windowed: bool
    """Asked by offset and length, and answered so."""
    offset: int
    """As it was asked for: the question's own is never beyond what can be reached."""
    facet_order: Order
    counted: bool
    """Whether the one who asks agrees that this is counted among what people search for."""
    with_query_id: bool
    with_categories: bool
    """Asked for the categories of its text. They are learnt from what people do, so none are known here."""
    fields: frozenset[str] | None
    """Keys of the answer that are wanted; None for all."""


@dataclass(frozen=True)
class FacetSearch:
    """One search for values of a facet."""

    index: str
    facet: str
    text: str
    most: int
    question: Question
    display: Display


class Parameters:
    """Named values that may have come as JSON or as texts, with an index's settings behind them."""

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
            raise Fault(f"{name}: expected a text")
        if longest is not None and isinstance(value, str) and len(value) > longest:
            raise too_long(name, longest)
        return str(value)

    def number(self, name: str, default: int, *, least: int = 0, most: int = LARGEST_NUMBER) -> int:
        value = self.get(name)
        if value is None or value == "":
            return default
        if isinstance(value, str) and len(value) > LONGEST_WRITTEN_NUMBER:
            raise Fault(f"{name}: expected a whole number")
        try:
            number = float(value) if isinstance(value, (str, int, float)) and not isinstance(value, bool) else None
        except (ValueError, OverflowError):
            number = None
        if number is None or not math.isfinite(number) or number != int(number):
            raise Fault(f"{name}: expected a whole number")
        if not least <= number <= most:
            raise Fault(f"{name}: expected a number from {least} to {most}")
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
        raise Fault(f"{name}: expected true or false")

    def texts(self, name: str, *, most: int = LONGEST_LIST) -> tuple[str, ...] | None:
        """A list of texts, also as its JSON or with commas; None when nothing is said."""
        value = self.get(name)
        if value is None:
            return None
        if isinstance(value, str):
            if value.lstrip().startswith("["):
                try:
                    value = orjson.loads(value)
                except orjson.JSONDecodeError:
                    raise Fault(f"{name}: invalid JSON") from None
            else:
                value = [part.strip() for part in value.split(",")]
        if not isinstance(value, list) or not all(isinstance(part, str) for part in value):
            raise Fault(f"{name}: expected a list of texts")
        if len(value) > most:
            raise too_many(name, most, "texts")
        if any(len(part) > LONGEST_ITEM for part in value):
            raise too_long(f"{name}: a text", LONGEST_ITEM)
        return tuple(part for part in value if part)


def flat(request: Mapping[str, object]) -> tuple[dict[str, object], str]:
    """A request's parameters in one object, and the form-encoded echo of them that its answer carries."""
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
        raise Fault("params: expected a text or an object")
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
) -> Search:
    """A search with these parameters. `forced` are those of a secured key: nobody can get around them."""
    forced = forced or {}
    wanted = Parameters({**given, **{n: v for n, v in forced.items() if n not in _FILTERS}}, settings)
    hits_per_page = wanted.number("hitsPerPage", HITS_PER_PAGE, most=MOST_HITS)
    page = wanted.number("page", 0)
    windowed = given.get("offset") is not None and given.get("length") is not None
    limited_to = min(Parameters({}, settings).number("paginationLimitedTo", MOST_HITS), MOST_PAGINATION)
    offset = wanted.number("offset", 0) if windowed else page * hits_per_page
    length = wanted.number("length", 0, most=MOST_HITS) if windowed else hits_per_page
    # Beyond what can be reached a page is empty, and no number that was sent reaches the engine.
    reached = min(offset, limited_to)
    length = min(length, limited_to - reached)
    display = read_display(wanted, agent)
    fields = wanted.texts("responseFields", most=MOST_ATTRIBUTES)
    return Search(
        index=index,
        question=_question(wanted, forced, offset=reached, length=length),
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
) -> FacetSearch:
    """A search among the values of `facet`."""
    wanted = Parameters(given, settings)
    forced = forced or {}
    return FacetSearch(
        index=index,
        facet=facet,
        text=wanted.text("facetQuery")[:LONGEST_TEXT],
        most=wanted.number("maxFacetHits", FEWEST_FACET_HITS, most=MOST_FACET_HITS),
        question=_question(wanted, forced, offset=0, length=0),
        display=read_display(wanted, agent),
    )


def where(given: Mapping[str, object]) -> Filter | None:
    """What all four kinds of filters say together."""
    filters = given.get("filters")
    if filters is not None and not isinstance(filters, str):
        raise Fault("filters: expected a text")
    found = (
        parse_filters(filters) if filters else None,
        facet_filters(given.get("facetFilters")),
        numeric_filters(given.get("numericFilters")),
        tag_filters(given.get("tagFilters")),
    )
    parts = tuple(part for part in found if part is not None)
    return (parts[0] if len(parts) == 1 else All(parts)) if parts else None


_FILTERS = frozenset({"filters", "facetFilters", "numericFilters", "tagFilters"})


def _question(wanted: Parameters, forced: Mapping[str, object], *, offset: int, length: int) -> Question:
    asked, must = where(wanted.given), where(forced)
    preferred = optional_filters(wanted.given.get("optionalFilters"))
    _check_conditions(asked, must, preferred)
    facets = wanted.texts("facets") or () if wanted.given.get("facets") is not None else ()
    return Question(
        text=wanted.text("query")[:LONGEST_TEXT],
        where=All((asked, must)) if asked is not None and must is not None else asked if must is None else must,
        preferred=preferred,
        facets=EVERY_FACET if "*" in facets else facets,
        values_per_facet=wanted.number("maxValuesPerFacet", 100, most=MOST_FACETS),
        offset=offset,
        length=length,
        beginnings=_beginnings(wanted),
        most_typos=_most_typos(wanted),
        fields=wanted.texts("restrictSearchableAttributes", most=MOST_ATTRIBUTES) or None,
        distinct=_distinct(wanted),
        synonyms=wanted.flag("synonyms", default=True),
        optional_words=_optional_words(wanted),
        last_resort=None if wanted.get("removeWordsIfNoResults") is None else _last_resort(wanted),
        stop_words=None if wanted.get("removeStopWords") is None else _stop_words(wanted),
    )


def _check_conditions(asked: Filter | None, must: Filter | None, preferred: tuple[Equals, ...]) -> None:
    sent = sum(conditions(part) for part in (asked, must) if part is not None) + len(preferred)
    if sent > MOST_CONDITIONS:
        raise too_many("filters", MOST_CONDITIONS, "conditions in all filters together")


def _beginnings(wanted: Parameters) -> Beginnings:
    match wanted.get("queryType"):
        case None | "" | "prefixLast":
            return "last"
        case "prefixAll":
            return "all"
        case "prefixNone":
            return "none"
    raise Fault("queryType: expected prefixLast, prefixAll or prefixNone")


def _most_typos(wanted: Parameters) -> int:
    match wanted.get("typoTolerance"):
        case None | "" | True | "true" | "min":
            return 2
        case "strict":
            return 1
        case False | "false":
            return 0
    raise Fault("typoTolerance: expected true, false, min or strict")


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


def _last_resort(wanted: Parameters) -> bool:
    value = wanted.text("removeWordsIfNoResults")
    if value not in ("", "none", "lastWords", "firstWords", "allOptional"):
        raise Fault("removeWordsIfNoResults: expected none, lastWords, firstWords or allOptional")
    return value not in ("", "none")


def _stop_words(wanted: Parameters) -> bool:
    """True, or a list of languages: ours are English."""
    value = wanted.get("removeStopWords")
    return (
        bool(wanted.texts("removeStopWords")) if isinstance(value, list) else value in (True, "true") or value == "en"
    )


def read_display(wanted: Parameters, agent: str = "") -> Display:
    """How hits are to be shown."""
    before = wanted.text("highlightPreTag", "<em>", longest=LONGEST_TAG)
    retrieve = wanted.texts("attributesToRetrieve", most=MOST_ATTRIBUTES)
    snippets = (_snippet(text) for text in wanted.texts("attributesToSnippet", most=MOST_ATTRIBUTES) or ())
    return Display(
        retrieve=("*",) if retrieve is None else retrieve,
        highlight=wanted.texts("attributesToHighlight", most=MOST_ATTRIBUTES),
        # Of an attribute that is named twice, the last one says how long it is.
        snippets=tuple({snippet.attribute: snippet for snippet in snippets}.values()),
        before=before,
        after=wanted.text("highlightPostTag", "</em>", longest=LONGEST_TAG),
        ellipsis=wanted.text("snippetEllipsisText", "…", longest=LONGEST_TAG),
        only_marked=wanted.flag("restrictHighlightAndSnippetArrays", default=False),
        # DocSearch writes what it gets into its page; InstantSearch, with tags of its own, escapes it itself.
        escaped="docsearch" in agent.lower() or before == "<mark>",
        ranking=wanted.flag("getRankingInfo", default=False),
    )


def _snippet(text: str) -> Snippet:
    attribute, colon, words = text.rpartition(":")
    if not colon:
        return Snippet(text, SNIPPET_WORDS)
    if not words.isascii() or not words.isdigit() or len(words) > 9:  # noqa: PLR2004 - digits of a number we can hold
        raise Fault(f"attributesToSnippet: expected attribute:words, not {text[:60]!r}")
    return Snippet(attribute, max(1, min(int(words), MOST_SNIPPET_WORDS)))
