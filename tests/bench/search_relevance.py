"""Judged queries, and how well a search answers them."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

DEEPEST = 10
"""Place after which a page counts as not found."""
SHOWN = 3
"""Places among which a page counts as seen while a query is typed."""
QUESTIONS = Path(__file__).with_name("search_questions.jsonl")
_FRAMEWORK = re.compile(r"/framework/[^/]+/")


@dataclass(frozen=True)
class JudgedQuery:
    text: str
    expected: Mapping[str, frozenset[str]]
    """Page -> the headings of its sections that answer, empty where any does. A page whose path has `framework/*` is
    right in every framework; the heading of a page's first section is empty."""
    library: str = ""
    framework: str = ""
    ignored: frozenset[str] = field(default=frozenset())
    """Pages that count neither as right nor as wrong."""

    def expected_page(self, page: str) -> str | None:
        """The page as `expected` names it; None for a wrong page."""
        general = _FRAMEWORK.sub("/framework/*/", page)
        return page if page in self.expected else general if general in self.expected else None


@dataclass(frozen=True)
class Found:
    """A result: a page, such as `query/framework/react/guides/caching`, and the heading of the section."""

    page: str
    heading: str = ""


@dataclass(frozen=True)
class Relevance:
    """Relevance figures, computed from the place of the first expected page."""

    queries: int
    mrr: float
    first: float
    five: float
    section: float
    """Share of queries whose first result is an expected section."""
    nothing: int

    def __str__(self) -> str:
        shares = f"MRR@10 {self.mrr:.3f}   s@1 {self.first:.3f}   s@5 {self.five:.3f}   section {self.section:.3f}"
        return f"{self.queries:4} queries   {shares}   without a result {self.nothing}"


def judged_queries(path: Path) -> list[JudgedQuery]:
    """JSON lines with `query` and its expected pages, `expect`."""
    entries = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [JudgedQuery(entry["query"], {page: frozenset() for page in entry["expect"]}) for entry in entries]


def natural_questions(path: Path = QUESTIONS) -> list[JudgedQuery]:
    """Questions in people's own words, with the sections that answer, and the library and framework that are read."""
    entries = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [
        JudgedQuery(
            text=entry["query"],
            expected={page: frozenset(headings) for page, headings in entry["answers"].items()},
            library=entry.get("library", ""),
            framework=entry.get("framework", ""),
            ignored=frozenset(entry.get("also", ())),
        )
        for entry in entries
    ]


def is_set_aside(query: JudgedQuery) -> bool:
    """Whether the query belongs to the half whose results nobody looks at one by one."""
    return hashlib.sha256(query.text.encode()).digest()[0] % 2 == 1


def measure_relevance(queries: Sequence[JudgedQuery], find: Callable[[JudgedQuery], Sequence[Found]]) -> Relevance:
    places = []
    sections = nothing = 0
    for query in queries:
        results = [found for found in find(query) if found.page not in query.ignored]
        nothing += not results
        places.append(place_of(query, results))
        sections += bool(results) and is_expected_section(query, results[0])
    count = max(1, len(places))
    return Relevance(
        queries=len(places),
        mrr=sum(1 / place for place in places if place) / count,
        first=sum(place == 1 for place in places) / count,
        five=sum(0 < place <= 5 for place in places) / count,
        section=sections / count,
        nothing=nothing,
    )


def place_of(query: JudgedQuery, results: Sequence[Found]) -> int:
    """The place of the first expected page, from 1; 0 if it is not among the first DEEPEST."""
    pages = list(dict.fromkeys(found.page for found in results))[:DEEPEST]
    return next((at for at, page in enumerate(pages, start=1) if query.expected_page(page)), 0)


def is_expected_section(query: JudgedQuery, found: Found) -> bool:
    page = query.expected_page(found.page)
    return page is not None and (not query.expected[page] or found.heading in query.expected[page])


def measure_stability(queries: Sequence[JudgedQuery], find: Callable[[JudgedQuery, str], Sequence[Found]]) -> float:
    """Share of keys after which an expected page is among the first SHOWN, of all keys since it first was there.

    `find` searches for the beginning of a query.
    """
    keys = stayed = 0
    for query in queries:
        seen = False
        for end in range(1, len(query.text) + 1):
            results = [found for found in find(query, query.text[:end]) if found.page not in query.ignored]
            is_shown = 0 < place_of(query, results) <= SHOWN
            keys += seen
            stayed += seen and is_shown
            seen = seen or is_shown
    return stayed / max(1, keys)
