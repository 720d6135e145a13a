"""Search results for pages without JavaScript: texts as fragments, with the matches highlighted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from kinfolk.config.catalog import LATEST
from kinfolk.search.filters import AllOf, AnyOf, Equals, Filter, Json, Not
from kinfolk.search.query import ExcerptSource, Hit, SearchableIndex, SearchQuery, SearchResult, Span
from kinfolk.search.text.answer_excerpt import answer_excerpt

HITS_PER_PAGE = 20
MAX_PAGES = 50
MAX_OTHERS = 3
CONTEXT = 90
"""Characters of context before and after the first match."""


OMITTED: Mapping[str, bool] = {"omit_empty": True}
"""Metadata of a field that the API leaves out of its JSON if it is empty (`api.registry`)."""


@dataclass(frozen=True)
class TextFragment:
    """A part of a text; `found` marks a match."""

    text: str
    found: bool


@dataclass(frozen=True)
class AnswerFragments:
    """The sentences and the code of a section that answer the query. One of both may be empty."""

    text: tuple[TextFragment, ...]
    code: tuple[TextFragment, ...]


@dataclass(frozen=True)
class ResultPage:
    """`trail` are the headings between the page's title and the match.

    `library` is empty for a page of the site, or of several libraries. Only the first result has an `answer`.
    `deprecated` and `deprecated_page` are lines about the section and about the page, if they are deprecated.
    """

    to: str
    title: tuple[TextFragment, ...]
    trail: tuple[str, ...]
    text: tuple[TextFragment, ...]
    library: str
    kind: str
    answer: AnswerFragments | None = None
    deprecated: str = field(default="", metadata=OMITTED)
    deprecated_page: str = field(default="", metadata=OMITTED)


@dataclass(frozen=True)
class FacetChoice:
    """A facet value and its number of hits."""

    value: str
    count: int


@dataclass(frozen=True)
class SearchResultsView:
    """`others` are the best results of the latest versions of libraries that are not chosen, on the first page."""

    total: int
    pages: int
    found: tuple[ResultPage, ...]
    others: tuple[ResultPage, ...]
    libraries: tuple[FacetChoice, ...]
    frameworks: tuple[FacetChoice, ...]


NO_RESULTS = SearchResultsView(0, 0, (), (), (), ())


def search_page(index: SearchableIndex, text: str, chosen: Mapping[str, str], *, page: int) -> SearchResultsView:
    """The results of a page, counted from zero. `chosen` filters by attribute; counts of a facet ignore its filter."""
    if not text.strip():
        return NO_RESULTS
    page = min(max(page, 0), MAX_PAGES - 1)
    where = chosen_filter(chosen)
    facets = ("library", "framework")
    result = index.search(
        SearchQuery(text=text, where=where, facets=facets, offset=page * HITS_PER_PAGE, length=HITS_PER_PAGE)
    )
    # The counts of a filtered facet come from a search without its filter.
    libraries, frameworks = (
        _choices(_without(index, text, chosen, facet) if chosen.get(facet) else result, facet) for facet in facets
    )
    return SearchResultsView(
        total=result.total,
        pages=min(MAX_PAGES, -(-result.total // HITS_PER_PAGE)),
        found=tuple(
            result_page(result, hit, has_answer=page == 0 and place == 0) for place, hit in enumerate(result.hits)
        ),
        others=_others(index, text, chosen.get("library", "")) if page == 0 else (),
        libraries=libraries,
        frameworks=frameworks,
    )


def _others(index: SearchableIndex, text: str, library: str) -> tuple[ResultPage, ...]:
    if not library:
        return ()
    where = AllOf((Equals("version", LATEST), Not(Equals("library", library))))
    result = index.search(SearchQuery(text=text, where=where, length=MAX_OTHERS))
    return tuple(result_page(result, hit) for hit in result.hits)


def chosen_filter(chosen: Mapping[str, str]) -> Filter:
    """Records that have all of these values of attributes. An empty value does not filter."""
    return AllOf(tuple(AnyOf((Equals(attribute, value),)) for attribute, value in chosen.items() if value))


def _without(index: SearchableIndex, text: str, chosen: Mapping[str, str], facet: str) -> SearchResult:
    others = chosen_filter({name: value for name, value in chosen.items() if name != facet})
    return index.search(SearchQuery(text=text, where=others, facets=(facet,), length=0))


def _choices(result: SearchResult, facet: str) -> tuple[FacetChoice, ...]:
    return tuple(FacetChoice(value, count) for value, count in result.facets.get(facet, {}).items())


def result_page(result: SearchResult, hit: Hit, *, has_answer: bool = False) -> ResultPage:
    """A hit as texts and an address, on request with the answer to the query."""
    record = hit.record
    hierarchy = record.get("hierarchy")
    levels = hierarchy if isinstance(hierarchy, Mapping) else {}
    title = str(levels.get("lvl1") or levels.get("lvl0") or record.get("url"))
    content = str(record.get("content") or "")
    return ResultPage(
        to=str(record.get("url")),
        title=tuple(fragments(title, result.spans(title))),
        trail=tuple(str(levels[f"lvl{n}"]) for n in range(2, 7) if levels.get(f"lvl{n}")),
        text=tuple(excerpt(content, result.spans(content))),
        library=_only(record.get("library")),
        kind=str(record.get("kind") or ""),
        deprecated=str(record.get("deprecated") or ""),
        deprecated_page=str(record.get("deprecated_page") or ""),
        answer=_answer(result, content, hit.excerpt) if has_answer and hit.excerpt is not None else None,
    )


def _answer(result: SearchResult, content: str, source: ExcerptSource) -> AnswerFragments | None:
    found = answer_excerpt(content, source, result.match_finder.spans, result.word_weights)
    if found is None:
        return None
    text, code = (tuple(fragments(part.text, part.spans)) if part else () for part in (found.sentences, found.code))
    return AnswerFragments(text, code)


def _only(value: Json) -> str:
    """The value itself, or the only one of a list."""
    values = [value] if isinstance(value, str) else value
    return str(values[0]) if isinstance(values, list) and len(values) == 1 else ""


def fragments(text: str, spans: Iterable[Span]) -> Iterable[TextFragment]:
    """The text as fragments, in order and complete."""
    end = 0
    for span in spans:
        if span.start > end:
            yield TextFragment(text[end : span.start], found=False)
        yield TextFragment(text[span.start : span.end], found=True)
        end = span.end
    if end < len(text):
        yield TextFragment(text[end:], found=False)


def excerpt(text: str, spans: tuple[Span, ...]) -> Iterable[TextFragment]:
    """The text around the first match, cut at spaces; its beginning without a match."""
    first = spans[0].start if spans else 0
    start = 0 if first <= CONTEXT else text.find(" ", first - CONTEXT, first) + 1 or first - CONTEXT
    end = len(text) if len(text) <= first + CONTEXT else max(text.rfind(" ", first, first + CONTEXT), first + 1)
    end = max(end, spans[0].end if spans else end)
    inside = [Span(s.start - start, s.end - start, s.words) for s in spans if start <= s.start and s.end <= end]
    cut = text[start:end]
    if start:
        yield TextFragment("… ", found=False)
    yield from fragments(cut, inside)
    if end < len(text):
        yield TextFragment(" …", found=False)
