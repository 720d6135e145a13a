"""Results as a page shows them that has no script: texts in pieces, those that answer the question marked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from kinfolk.search.query import All, Answer, Either, Equals, Filter, Hit, Index, Question, Span

ON_A_PAGE = 20
MOST_PAGES = 50
AROUND = 90
"""Characters of a text before and after what was found in it."""


@dataclass(frozen=True)
class Piece:
    """A part of a text; `found` where it is what was asked for."""

    text: str
    found: bool


@dataclass(frozen=True)
class FoundPage:
    """`trail` are the headings below the page's title that lead to what was found."""

    to: str
    title: tuple[Piece, ...]
    trail: tuple[str, ...]
    text: tuple[Piece, ...]
    library: str
    kind: str


@dataclass(frozen=True)
class Choice:
    """A value that a search can be narrowed to, and how much there is of it."""

    value: str
    count: int


@dataclass(frozen=True)
class Results:
    total: int
    pages: int
    found: tuple[FoundPage, ...]
    libraries: tuple[Choice, ...]
    frameworks: tuple[Choice, ...]


NOTHING = Results(0, 0, (), (), ())


def find(index: Index, text: str, chosen: Mapping[str, str], *, page: int) -> Results:
    """The results on a page, counted from zero. `chosen` narrows by attribute; choices leave out their own."""
    if not text.strip():
        return NOTHING
    page = min(max(page, 0), MOST_PAGES - 1)
    where = _filter(chosen)
    facets = ("library", "framework")
    answer = index.search(Question(text=text, where=where, facets=facets, offset=page * ON_A_PAGE, length=ON_A_PAGE))
    # What a facet could be widened to, only a search without it knows.
    libraries, frameworks = (
        _choices(_without(index, text, chosen, facet) if chosen.get(facet) else answer, facet) for facet in facets
    )
    return Results(
        total=answer.total,
        pages=min(MOST_PAGES, -(-answer.total // ON_A_PAGE)),
        found=tuple(_shown(answer, hit) for hit in answer.hits),
        libraries=libraries,
        frameworks=frameworks,
    )


def _filter(chosen: Mapping[str, str]) -> Filter:
    return All(tuple(Either((Equals(attribute, value),)) for attribute, value in chosen.items() if value))


def _without(index: Index, text: str, chosen: Mapping[str, str], facet: str) -> Answer:
    others = _filter({name: value for name, value in chosen.items() if name != facet})
    return index.search(Question(text=text, where=others, facets=(facet,), length=0))


def _choices(answer: Answer, facet: str) -> tuple[Choice, ...]:
    return tuple(Choice(value, count) for value, count in answer.facets.get(facet, {}).items())


def _shown(answer: Answer, hit: Hit) -> FoundPage:
    record = hit.record
    hierarchy = record.get("hierarchy")
    levels = hierarchy if isinstance(hierarchy, Mapping) else {}
    title = str(levels.get("lvl1") or levels.get("lvl0") or record.get("url"))
    content = str(record.get("content") or "")
    return FoundPage(
        to=str(record.get("url")),
        title=tuple(pieces(title, answer.spans(title))),
        trail=tuple(str(levels[f"lvl{n}"]) for n in range(2, 7) if levels.get(f"lvl{n}")),
        text=tuple(excerpt(content, answer.spans(content))),
        library=str(record.get("library") or ""),
        kind=str(record.get("kind") or ""),
    )


def pieces(text: str, spans: Iterable[Span]) -> Iterable[Piece]:
    """The text in pieces, found and not; together they are the text."""
    end = 0
    for span in spans:
        if span.start > end:
            yield Piece(text[end : span.start], found=False)
        yield Piece(text[span.start : span.end], found=True)
        end = span.end
    if end < len(text):
        yield Piece(text[end:], found=False)


def excerpt(text: str, spans: tuple[Span, ...]) -> Iterable[Piece]:
    """What stands around the first thing that was found, cut at spaces; the beginning where nothing was."""
    first = spans[0].start if spans else 0
    start = 0 if first <= AROUND else text.find(" ", first - AROUND, first) + 1 or first - AROUND
    end = len(text) if len(text) <= first + AROUND else max(text.rfind(" ", first, first + AROUND), first + 1)
    end = max(end, spans[0].end if spans else end)
    inside = [Span(s.start - start, s.end - start, s.words) for s in spans if start <= s.start and s.end <= end]
    cut = text[start:end]
    if start:
        yield Piece("… ", found=False)
    yield from pieces(cut, inside)
    if end < len(text):
        yield Piece(" …", found=False)
