"""Recommendations: records like one record, and records that are clicked most. Nothing is learnt from anybody.

`related-products`, `looking-similar` and `bought-together` all answer with the records whose headings share most words
with the record's own; `trending-items` and `recommended-for-you` with what is clicked most, and where nothing was
clicked, with what the index itself puts first; `trending-facets` with a facet's most frequent values.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

from kinfolk.search.algolia.answers import results, stamp
from kinfolk.search.algolia.fault import Fault
from kinfolk.search.algolia.hits import attribute_names
from kinfolk.search.algolia.keys import Access
from kinfolk.search.algolia.parameters import Parameters, Search, read_search
from kinfolk.search.call_budget import CallBudget
from kinfolk.search.indexes import Shelf
from kinfolk.search.matching import passes, values
from kinfolk.search.query import Answer, Equals, Hit, Ranking, Record

MOST = 30
MOST_WORDS = 8
_LIKE = frozenset({"related-products", "looking-similar", "bought-together"})
_TRENDING = frozenset({"trending-items", "recommended-for-you"})
_UNRANKED = Ranking(0, 0, 0, 0, 0.0)


def recommend(
    shelf: Shelf,
    request: Mapping[str, object],
    popular: Sequence[tuple[str, int]],
    *,
    access: Access,
    agent: str = "",
    budget: CallBudget | None = None,
) -> dict[str, object]:
    """The answer to one request. `popular` are ids of clicked records with how often they were."""
    budget = budget or CallBudget()
    started = time.perf_counter()
    wanted = Parameters(request, {})
    most = wanted.number("maxRecommendations", MOST, most=MOST) or MOST
    threshold = wanted.number("threshold", 0, most=100) if wanted.get("threshold") is not None else 0
    search = _search(shelf, request, access.forced, agent, most)
    model = wanted.text("model")
    if model in _LIKE:
        id = wanted.text("objectID")
        if not id:
            raise Fault("objectID: expected a text")
        scored = _like(shelf, search, id, budget)
    elif model in _TRENDING:
        scored = _trending(shelf, search, popular, budget)
    elif model == "trending-facets":
        return _facets(shelf, search, wanted.text("facetName"), most, budget)
    else:
        raise Fault(f"model: there is no model {model[:40]!r}")
    scored = [(hit, score) for hit, score in scored if score >= threshold][:most]
    answer = Answer(tuple(hit for hit, _ in scored), len(scored))
    took_ms = round((time.perf_counter() - started) * 1000)
    written = results(search, answer, shelf.settings, budget) | stamp(search, echo="", took_ms=took_ms, nonce="")
    for hit, (_, score) in zip(cast(list[dict[str, object]], written["hits"]), scored, strict=True):
        hit["_score"] = score
    return written


def _search(shelf: Shelf, request: Mapping[str, object], forced: Mapping[str, object], agent: str, most: int) -> Search:
    parameters = request.get("queryParameters") or {}
    if not isinstance(parameters, dict):
        raise Fault("queryParameters: expected an object")
    given = {str(name): value for name, value in parameters.items()} | {"hitsPerPage": most, "page": 0}
    search = read_search(shelf.name, given, shelf.settings, forced=forced, agent=agent)
    facet, value = request.get("facetName"), request.get("facetValue")
    if isinstance(facet, str) and isinstance(value, str):
        only = Equals(facet, value)
        both = only if search.question.where is None else search.question.where
        search = replace(search, question=replace(search.question, where=both))
    return search


def _like(shelf: Shelf, search: Search, id: str, budget: CallBudget) -> list[tuple[Hit, float]]:
    """Records by how many of the words of this one's heading are in theirs, in percent."""
    (record,) = shelf.index.get([id], budget.deadline)
    if record is None:
        return []
    words = _heading(shelf, record).split()[:MOST_WORDS]
    question = replace(
        search.question,
        text=" ".join(words),
        optional_words=tuple(words),
        beginnings="none",
        most_typos=0,
        last_resort=True,
        length=search.question.length + 1,
    )
    answer = shelf.index.search(question, budget.deadline)
    scored = []
    for hit in answer.hits:
        budget.deadline.check()
        found = {word for span in answer.spans(_heading(shelf, hit.record)) for word in span.words}
        share = len(found) / len(answer.words) if answer.words else 0.0
        if hit.id != id:
            scored.append((hit, round(100 * share, 2)))
    return sorted(scored, key=lambda one: -one[1])


def _heading(shelf: Shelf, record: Record) -> str:
    """The texts of the most important attributes; without settings, of the first text there is."""
    searchable = shelf.settings.get("searchableAttributes")
    names = attribute_names(searchable) if isinstance(searchable, (list, tuple)) else ()
    for name in names or [name for name in record if name != "objectID"]:
        texts = [value for value in values(record, name) if isinstance(value, str) and value.strip()]
        if texts:
            return " ".join(texts)
    return ""


def _trending(
    shelf: Shelf, search: Search, popular: Sequence[tuple[str, int]], budget: CallBudget
) -> list[tuple[Hit, float]]:
    """What was clicked, in percent of the most clicked; then, with nothing, what the index puts first."""
    must = search.question.where
    most = max((count for _, count in popular), default=1)
    records = shelf.index.get([id for id, _ in popular], budget.deadline)
    scored = [
        (Hit(id, record, _UNRANKED), round(100 * count / most, 2))
        for (id, count), record in zip(popular, records, strict=True)
        if record is not None and (must is None or passes(record, must))
    ]
    known = {hit.id for hit, _ in scored}
    if len(scored) < search.question.length:
        answer = shelf.index.search(replace(search.question, text="", offset=0), budget.deadline)
        scored += [(hit, 0.0) for hit in answer.hits if hit.id not in known]
    return scored


def _facets(shelf: Shelf, search: Search, facet: str, most: int, budget: CallBudget) -> dict[str, object]:
    if not facet:
        raise Fault("facetName: expected a text")
    question = replace(search.question, facets=(facet,), length=0)
    counted = shelf.index.search(question, budget.deadline).facets.get(facet, {})
    largest = max(counted.values(), default=1)
    return {
        "hits": [
            {"facetName": facet, "facetValue": value, "_score": round(100 * count / largest, 2)}
            for value, count in list(counted.items())[:most]
        ],
        "nbHits": min(len(counted), most),
        "page": 0,
        "nbPages": 1 if counted else 0,
        "hitsPerPage": most,
        "processingTimeMS": 0,
        "exhaustiveNbHits": True,
    }
