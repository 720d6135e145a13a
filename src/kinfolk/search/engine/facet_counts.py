"""Counts of facet values, the number of groups, and statistics of numeric facets."""

from __future__ import annotations

from collections.abc import Sequence

from tantivy import Query

from kinfolk.search.engine.commit_view import CommitView
from kinfolk.search.query import ALL_FACETS, FacetStats, SearchQuery
from kinfolk.search.ranking.index_schema import FACETS, GROUP, NUMBERS, path_key

_GROUPS = {"cardinality": {"field": GROUP}}


def requested_facets(view: CommitView, query: SearchQuery) -> tuple[str, ...]:
    """The facets of the query that the index has and counts."""
    counted = {name for name, modifier in view.settings.facets.items() if modifier != "filterOnly"}
    if ALL_FACETS[0] in query.facets:
        return tuple(name for name in view.settings.facets if name in counted)
    return tuple(dict.fromkeys(name for name in query.facets if name in counted))


def count_facets(
    view: CommitView, match: Query, facets: Sequence[str], limit: int, distinct: int, *, count_groups: bool = False
) -> tuple[dict[str, dict[str, int]], int | None]:
    """Hits of each value, the largest first, and with `count_groups` the number of groups.

    Where one record represents a group, groups are counted: tantivy's sketch is exact for small numbers and within one
    percent for large ones.
    """
    inner = {"aggs": {"groups": _GROUPS}} if distinct else {}
    wanted: dict[str, object] = {
        f"f{at}": {"terms": {"field": f"{FACETS}.{path_key(name)}", "size": max(1, limit)}, **inner}
        for at, name in enumerate(facets)
    }
    if count_groups:
        wanted["groups"] = _GROUPS
    if not wanted:
        return {}, None
    result = view.searcher.aggregate(match, wanted)
    counted = {}
    for at, name in enumerate(facets):
        buckets = result.get(f"f{at}", {}).get("buckets", [])
        counts = [(b["key"], round(b["groups"]["value"]) if distinct else b["doc_count"]) for b in buckets]
        if counts:
            counted[name] = dict(sorted(counts, key=lambda one: (-one[1], one[0])))
    return counted, round(result["groups"]["value"]) if count_groups else None


def facet_stats(
    view: CommitView, match: Query, facets: Sequence[str], counted: dict[str, dict[str, int]]
) -> dict[str, FacetStats]:
    """Of the facets whose values are numbers."""
    numeric = [name for name in facets if name in counted and _is_number(next(iter(counted[name])))]
    if not numeric:
        return {}
    wanted = {f"s{at}": {"stats": {"field": f"{NUMBERS}.{path_key(name)}"}} for at, name in enumerate(numeric)}
    result = view.searcher.aggregate(match, wanted)
    found = {}
    for at, name in enumerate(numeric):
        stats = result.get(f"s{at}", {})
        if stats.get("count"):
            found[name] = FacetStats(stats["min"], stats["max"], stats["avg"], stats["sum"])
    return found


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
