"""Recommendations: similar records and most clicked records, without user profiles.

`related-products`, `looking-similar` and `bought-together` return the records whose headings share most words with the
heading of the record; `trending-items` and `recommended-for-you` the most clicked records, followed by those first in
the custom ranking; `trending-facets` the most frequent values of a facet.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

from kinfolk.search.algolia.api_error import ApiError
from kinfolk.search.algolia.api_keys import KeyPermissions
from kinfolk.search.algolia.call_budget import CallBudget
from kinfolk.search.algolia.formats.hit_format import attribute_names
from kinfolk.search.algolia.formats.parameters import Parameters, ParsedSearch, read_search
from kinfolk.search.algolia.formats.response_format import results, with_client_fields
from kinfolk.search.algolia.index_registry import IndexHandle
from kinfolk.search.filters import Equals, Record, attribute_values, matches
from kinfolk.search.query import Hit, RankingInfo, SearchResult

MOST = 30
MAX_WORDS = 8
_LIKE = frozenset({"related-products", "looking-similar", "bought-together"})
_TRENDING = frozenset({"trending-items", "recommended-for-you"})
_UNRANKED = RankingInfo(0, 0, 0, 0, 0.0)


def recommend(
    handle: IndexHandle,
    request: Mapping[str, object],
    popular: Sequence[tuple[str, int]],
    *,
    access: KeyPermissions,
    agent: str = "",
    budget: CallBudget | None = None,
) -> dict[str, object]:
    """The result of one request. `popular` are ids of clicked records with their number of clicks."""
    budget = budget or CallBudget()
    started = time.perf_counter()
    wanted = Parameters(request, {})
    most = wanted.number("maxRecommendations", MOST, most=MOST) or MOST
    threshold = wanted.number("threshold", 0, most=100) if wanted.get("threshold") is not None else 0
    search = _search(handle, request, access.forced, agent, most)
    model = wanted.text("model")
    if model in _LIKE:
        id = wanted.text("objectID")
        if not id:
            raise ApiError("objectID: expected a text")
        scored = _like(handle, search, id, budget)
    elif model in _TRENDING:
        scored = _trending(handle, search, popular, budget)
    elif model == "trending-facets":
        return _facets(handle, search, wanted.text("facetName"), most, budget)
    else:
        raise ApiError(f"model: there is no model {model[:40]!r}")
    scored = [(hit, score) for hit, score in scored if score >= threshold][:most]
    answer = SearchResult(tuple(hit for hit, _ in scored), len(scored))
    took_ms = round((time.perf_counter() - started) * 1000)
    written = results(search, answer, handle.settings, budget) | with_client_fields(
        search, echo="", took_ms=took_ms, nonce=""
    )
    for hit, (_, score) in zip(cast(list[dict[str, object]], written["hits"]), scored, strict=True):
        hit["_score"] = score
    return written


def _search(
    handle: IndexHandle, request: Mapping[str, object], forced: Mapping[str, object], agent: str, most: int
) -> ParsedSearch:
    parameters = request.get("queryParameters") or {}
    if not isinstance(parameters, dict):
        raise ApiError("queryParameters: expected an object")
    given = {str(name): value for name, value in parameters.items()} | {"hitsPerPage": most, "page": 0}
    search = read_search(handle.name, given, handle.settings, forced=forced, agent=agent)
    facet, value = request.get("facetName"), request.get("facetValue")
    if isinstance(facet, str) and isinstance(value, str):
        only = Equals(facet, value)
        both = only if search.query.where is None else search.query.where
        search = replace(search, query=replace(search.query, where=both))
    return search


def _like(handle: IndexHandle, search: ParsedSearch, id: str, budget: CallBudget) -> list[tuple[Hit, float]]:
    """Records by the share of the words of this record's heading in theirs, in percent."""
    (record,) = handle.index.get([id], budget.deadline)
    if record is None:
        return []
    words = _heading(handle, record).split()[:MAX_WORDS]
    query = replace(
        search.query,
        text=" ".join(words),
        optional_words=tuple(words),
        prefix_mode="none",
        max_typos=0,
        remove_words_if_no_results=True,
        length=search.query.length + 1,
    )
    answer = handle.index.search(query, budget.deadline)
    scored = []
    for hit in answer.hits:
        budget.deadline.check()
        found = {word for span in answer.spans(_heading(handle, hit.record)) for word in span.words}
        share = len(found) / len(answer.words) if answer.words else 0.0
        if hit.id != id:
            scored.append((hit, round(100 * share, 2)))
    return sorted(scored, key=lambda one: -one[1])


def _heading(handle: IndexHandle, record: Record) -> str:
    """The texts of the most important attribute; without settings, of the first attribute with a text."""
    searchable = handle.settings.get("searchableAttributes")
    names = attribute_names(searchable) if isinstance(searchable, (list, tuple)) else ()
    for name in names or [name for name in record if name != "objectID"]:
        texts = [value for value in attribute_values(record, name) if isinstance(value, str) and value.strip()]
        if texts:
            return " ".join(texts)
    return ""


def _trending(
    handle: IndexHandle, search: ParsedSearch, popular: Sequence[tuple[str, int]], budget: CallBudget
) -> list[tuple[Hit, float]]:
    """Clicked records in percent of the most clicked one, then the first of the index with a score of 0."""
    must = search.query.where
    most = max((count for _, count in popular), default=1)
    records = handle.index.get([id for id, _ in popular], budget.deadline)
    scored = [
        (Hit(id, record, _UNRANKED), round(100 * count / most, 2))
        for (id, count), record in zip(popular, records, strict=True)
        if record is not None and (must is None or matches(record, must))
    ]
    known = {hit.id for hit, _ in scored}
    if len(scored) < search.query.length:
        answer = handle.index.search(replace(search.query, text="", offset=0), budget.deadline)
        scored += [(hit, 0.0) for hit in answer.hits if hit.id not in known]
    return scored


def _facets(handle: IndexHandle, search: ParsedSearch, facet: str, most: int, budget: CallBudget) -> dict[str, object]:
    if not facet:
        raise ApiError("facetName: expected a text")
    query = replace(search.query, facets=(facet,), length=0)
    counted = handle.index.search(query, budget.deadline).facets.get(facet, {})
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
