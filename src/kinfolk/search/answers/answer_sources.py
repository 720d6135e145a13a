"""The sections that a question is answered from: the best of this site's own search."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from kinfolk.search.answers.answer_events import ReaderQuestion, SourceSection
from kinfolk.search.docs_index.results_view import chosen_filter
from kinfolk.search.query import ExcerptSource, Hit, SearchableIndex, SearchQuery

MAX_SECTIONS = 6
PER_PAGE = 2
"""Sections of one page."""
MAX_SECTION_LENGTH = 1800
"""Characters of a section that are sent, its code included."""
_SEARCHED = 12
_HEADINGS = range(2, 7)


def find_sources(index: SearchableIndex, question: ReaderQuestion) -> tuple[SourceSection, ...]:
    """At most MAX_SECTIONS sections with a text, the best first. Blocks. Raises Unavailable and OverBudget."""
    chosen = {"library": question.library, "framework": question.framework, "version": question.version}
    query = SearchQuery(text=question.text, where=chosen_filter(chosen), length=_SEARCHED, distinct=PER_PAGE)
    texts = ((hit, section_text(hit)) for hit in index.search(query).hits)
    found = [(hit, text) for hit, text in texts if text][:MAX_SECTIONS]
    return tuple(_section(number, hit, text) for number, (hit, text) in enumerate(found, start=1))


def section_text(hit: Hit) -> str:
    """The content of a section with its code blocks where they are; empty without both."""
    content = str(hit.record.get("content") or "")
    return "\n".join(_parts(content, hit.excerpt or ExcerptSource()))[:MAX_SECTION_LENGTH].strip()


def _parts(content: str, source: ExcerptSource) -> Iterator[str]:
    at = 0
    for end, code in source.code:
        if content[at:end].strip():
            yield content[at:end].strip()
        yield code
        at = end
    if content[at:].strip() or not source.code:
        yield content[at:].strip() or source.lead


def _section(number: int, hit: Hit, text: str) -> SourceSection:
    record = hit.record
    levels = cast("Mapping[str, str | None]", record.get("hierarchy") or {})
    library = record.get("library")
    names: Sequence[object] = library if isinstance(library, (list, tuple)) else (library,)
    return SourceSection(
        number=number,
        title=str(levels.get("lvl1") or levels.get("lvl0") or ""),
        trail=tuple(str(levels[f"lvl{level}"]) for level in _HEADINGS if levels.get(f"lvl{level}")),
        library=str(names[0] or "") if len(names) == 1 else "",
        to=str(record.get("url")),
        text=text,
    )
