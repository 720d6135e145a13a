"""Search results in Algolia's format."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from kinfolk.search.algolia.call_budget import CallBudget
from kinfolk.search.algolia.formats.hit_format import HitWriter
from kinfolk.search.algolia.formats.parameters import ParsedFacetSearch, ParsedSearch
from kinfolk.search.analytics.query_id import query_id
from kinfolk.search.filters import Record
from kinfolk.search.query import SearchResult


def results(
    search: ParsedSearch, answer: SearchResult, settings: Mapping[str, object], budget: CallBudget | None = None
) -> dict[str, object]:
    """The result without the fields of `with_client_fields`. Counts its hits in the budget; raises OverBudget."""
    writer = HitWriter(
        answer,
        search.display,
        searchable=_texts(settings.get("searchableAttributes")),
        hidden=_texts(settings.get("unretrievableAttributes")),
        budget=budget,
    )
    reachable = min(answer.total, search.limited_to)
    written: dict[str, object] = {
        "hits": [writer.write(hit, is_first=search.offset + at == 0) for at, hit in enumerate(answer.hits)],
        "nbHits": answer.total,
        "page": search.page,
        "nbPages": math.ceil(reachable / search.hits_per_page) if search.hits_per_page else 0,
        "hitsPerPage": search.hits_per_page,
        "exhaustiveNbHits": answer.exhaustive,
        "exhaustiveTypo": True,
        "exhaustive": {"nbHits": answer.exhaustive, "typo": True},
        "query": search.query.text,
        "index": search.index,
        "renderingContent": settings.get("renderingContent") or {},
    }
    if search.windowed:
        for name in ("page", "nbPages", "hitsPerPage"):
            del written[name]
        written |= {"offset": search.offset, "length": search.query.length}
    if search.query.facets:
        written["facets"] = {
            name: _ordered(values, search.facet_order == "alpha") for name, values in answer.facets.items()
        }
        written["exhaustiveFacetsCount"] = answer.exhaustive
        written["exhaustive"] = {"nbHits": answer.exhaustive, "typo": True, "facetsCount": answer.exhaustive}
        if answer.stats:
            written["facets_stats"] = {
                name: {"min": s.least, "max": s.most, "avg": s.average, "sum": s.sum}
                for name, s in answer.stats.items()
            }
    if search.with_categories:
        written["extensions"] = {"queryCategorization": {}}
    return _requested_fields(search, written)


def with_client_fields(search: ParsedSearch, *, echo: str, took_ms: int, nonce: str) -> dict[str, object]:
    """The fields that differ between clients. `nonce` makes the query id unique."""
    written: dict[str, object] = {"params": echo, "processingTimeMS": took_ms}
    if search.with_query_id:
        written["queryID"] = query_id(search.query.text, nonce)
    return _requested_fields(search, written)


def _requested_fields(search: ParsedSearch, written: dict[str, object]) -> dict[str, object]:
    return written if search.fields is None else {n: v for n, v in written.items() if n in search.fields}


def skipped_result(search: ParsedSearch, echo: str) -> dict[str, object]:
    """For a search that was skipped because an earlier one of the request had enough results."""
    return {
        "hits": [],
        "nbHits": 0,
        "page": search.page,
        "nbPages": 0,
        "hitsPerPage": search.hits_per_page,
        "query": search.query.text,
        "params": echo,
        "index": search.index,
        "processed": False,
        "processingTimeMS": 0,
        "exhaustiveNbHits": False,
        "renderingContent": {},
    }


def facet_hits(
    search: ParsedFacetSearch,
    found: Sequence[tuple[str, int]],
    matched: SearchResult,
    *,
    took_ms: int,
    budget: CallBudget | None = None,
) -> dict[str, object]:
    """The result of a search for facet values. `matched` has the matches of its text."""
    writer = HitWriter(matched, search.display, searchable=(), budget=budget)
    return {
        "facetHits": [{"value": value, "highlighted": writer.marked(value), "count": count} for value, count in found],
        "exhaustiveFacetsCount": True,
        "processingTimeMS": took_ms,
    }


def browsed(
    records: Sequence[Record],
    *,
    total: int,
    page: int,
    hits_per_page: int,
    query: str,
    echo: str,
    cursor: str | None,
    took_ms: int,
) -> dict[str, object]:
    """A page of all records; the last one has no cursor."""
    written: dict[str, object] = {
        "hits": list(records),
        "nbHits": total,
        "page": page,
        "nbPages": math.ceil(total / hits_per_page) if hits_per_page else 0,
        "hitsPerPage": hits_per_page,
        "query": query,
        "params": echo,
        "processingTimeMS": took_ms,
    }
    return written | {"cursor": cursor} if cursor else written


def _ordered(values: Mapping[str, int], by_name: bool) -> dict[str, int]:
    return dict(sorted(values.items())) if by_name else dict(values)


def _texts(value: object) -> tuple[str, ...]:
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, (list, tuple)) else ()
