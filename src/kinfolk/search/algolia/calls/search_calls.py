"""Calls that search: queries, facet values, recommendations, single records."""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping, Sequence

import orjson

from kinfolk.search.algolia.api_error import ApiError, no_object, too_many
from kinfolk.search.algolia.calls.call import (
    ApiContext,
    ApiRequest,
    ApiResponse,
    CachedResponse,
    elapsed_ms,
    find_index,
    object_body,
    request_items,
    search_parameters,
)
from kinfolk.search.algolia.calls.recommendations import recommend
from kinfolk.search.algolia.formats.hit_format import picked, shape_of, without
from kinfolk.search.algolia.formats.parameters import (
    MAX_ATTRIBUTES,
    MAX_REQUESTS,
    Parameters,
    flat,
    read_facet_search,
    read_search,
    where,
)
from kinfolk.search.algolia.formats.response_format import facet_hits, results, skipped_result, with_client_fields
from kinfolk.search.algolia.index_registry import IndexHandle
from kinfolk.search.analytics.query_sessions import LoggedQuery
from kinfolk.search.filters import Json, Record, matches
from kinfolk.search.query import SearchQuery, SearchResult, query_bytes

MAX_IDS = 1000
CACHED_RESPONSE_BYTES = 2_500
"""Memory of a cached response besides its body and its query."""


def run_queries(context: ApiContext, request: ApiRequest) -> ApiResponse:
    """`POST /1/indexes/*/queries`: several searches, of which some may be for facet values."""
    searches = request_items(request, "searches")
    if len(searches) > MAX_REQUESTS:
        raise too_many("requests", MAX_REQUESTS, "searches")
    strategy = object_body(request.body).get("strategy", "none")
    if strategy not in (None, "none", "stopIfEnoughMatches"):
        raise ApiError("strategy: expected none or stopIfEnoughMatches")
    found: list[object] = []
    logged: list[LoggedQuery] = []
    skip = False
    for search in searches:
        request.budget.deadline.check()
        given, echo = flat(search)
        index = find_index(context, request, given.get("indexName"))
        if given.get("type") == "facet":
            found.append(_facet_search(index, request, given, given.get("facet")))
            request.budget.size.add(len(echo))
            continue
        one, counted, is_full = _search(context, index, request, given, echo, skip=skip)
        found.append(one)
        logged += counted
        skip = strategy == "stopIfEnoughMatches" and is_full
    return ApiResponse({"results": found}, logged=_unique(logged))


def run_query(context: ApiContext, request: ApiRequest) -> ApiResponse:
    """`POST /1/indexes/{index}/query`, and GET with the parameters in the URL."""
    given, echo = flat(search_parameters(request))
    index = find_index(context, request, request.index_name)
    one, logged, _ = _search(context, index, request, given, echo)
    return ApiResponse(one, logged=_unique(logged))


def _search(
    context: ApiContext,
    index: IndexHandle,
    request: ApiRequest,
    given: Mapping[str, object],
    echo: str,
    *,
    skip: bool = False,
) -> tuple[object, list[LoggedQuery], bool]:
    """One result, the query to log, and whether the result fills its page."""
    start_s = time.perf_counter()
    if skip:
        search = read_search(index.name, given, index.settings, forced=request.access.forced)
        request.budget.size.add(len(echo))
        return skipped_result(search, echo), [], True
    cached = _cached_response(context, index, request, given)
    search = cached.search
    tail = with_client_fields(search, echo=echo, took_ms=elapsed_ms(start_s), nonce=secrets.token_hex(8))
    request.budget.size.add(len(echo))
    separator = b"," if len(cached.body) > len(b"{}") and tail else b""
    body = cached.body[:-1] + separator + orjson.dumps(tail)[1:]
    is_logged = bool(search.query.text.strip()) and search.counted and search.page == 0
    logged = [LoggedQuery(index.name, search.query.text, cached.total)] if is_logged else []
    return orjson.Fragment(body), logged, cached.total >= max(1, search.hits_per_page)


def _cached_response(
    context: ApiContext, index: IndexHandle, request: ApiRequest, given: Mapping[str, object]
) -> CachedResponse:
    """The response of the same search on the same generation: prefixes of queries repeat between clients."""
    parameters = {name: value for name, value in given.items() if name != "userToken"}
    is_docsearch = "docsearch" in request.agent.lower()
    parts = [index.name, index.index.generation, is_docsearch, dict(request.access.forced), parameters]
    key = orjson.dumps(parts, option=orjson.OPT_SORT_KEYS)
    cached = context.responses.get(key)
    size = request.budget.size
    before = size.bytes
    if cached is None:
        search = read_search(index.name, given, index.settings, forced=request.access.forced, agent=request.agent)
        result = index.index.search(search.query, request.budget.deadline)
        body = orjson.dumps(results(search, result, index.settings, request.budget))
        # orjson allocates twice the size of its result. A copy has no spare memory.
        cached = CachedResponse(bytes(memoryview(body)), search, result.total)
        memory = len(cached.body) + len(key) + query_bytes(search.query) + CACHED_RESPONSE_BYTES
        context.responses.put(key, cached, weight=memory)
    # The hits of a new response are in the budget already.
    size.add(len(cached.body) - (size.bytes - before))
    return cached


def _unique(logged: Sequence[LoggedQuery]) -> tuple[LoggedQuery, ...]:
    """The first search of each text in an index: the others of one request count facets only."""
    return tuple({(one.index, one.text): one for one in reversed(logged)}.values())


def search_facet_values(context: ApiContext, request: ApiRequest) -> ApiResponse:
    """`POST /1/indexes/{index}/facets/{facet}/query`"""
    given, _ = flat(object_body(request.body))
    index = find_index(context, request, request.index_name)
    return ApiResponse(_facet_search(index, request, given, request.path[3]))


def _facet_search(
    index: IndexHandle, request: ApiRequest, given: Mapping[str, object], facet: object
) -> dict[str, object]:
    start_s = time.perf_counter()
    if not isinstance(facet, str) or not facet:
        raise ApiError("facet: expected the name of an attribute")
    search = read_facet_search(
        index.name, facet, given, index.settings, forced=request.access.forced, agent=request.agent
    )
    deadline = request.budget.deadline
    found = index.index.facet_values(facet, search.text, search.query, limit=search.limit, deadline=deadline)
    matched = index.index.search(SearchQuery(text=search.text, length=0), deadline) if search.text else SearchResult()
    return facet_hits(search, found, matched, took_ms=elapsed_ms(start_s), budget=request.budget)


def get_recommendations(context: ApiContext, request: ApiRequest) -> ApiResponse:
    """`POST /1/indexes/*/recommendations`"""
    requests = request_items(request, "recommendations")
    if len(requests) > MAX_REQUESTS:
        raise too_many("requests", MAX_REQUESTS, "recommendations")
    found = []
    for one in requests:
        request.budget.deadline.check()
        index = find_index(context, request, one.get("indexName"))
        clicked = context.query_log.most_clicked(index.name)
        found.append(recommend(index, one, clicked, access=request.access, agent=request.agent, budget=request.budget))
    return ApiResponse({"results": found})


def get_objects(context: ApiContext, request: ApiRequest) -> ApiResponse:
    """`POST /1/indexes/*/objects`"""
    requests = request_items(request, "objects")
    if len(requests) > MAX_IDS:
        raise too_many("requests", MAX_IDS, "objects")
    found: list[object] = []
    for one in requests:
        id = one.get("objectID")
        if not isinstance(id, str) or not id:
            raise ApiError("objectID: expected a text")
        attributes = Parameters(one, {}).texts("attributesToRetrieve", most=MAX_ATTRIBUTES)
        index = find_index(context, request, one.get("indexName"))
        (record,) = index.index.get([id], request.budget.deadline)
        json = orjson.dumps(_visible(index, request, record, attributes) if record is not None else None)
        request.budget.size.add(len(json))
        found.append(orjson.Fragment(json))
    return ApiResponse({"results": found})


def get_object(context: ApiContext, request: ApiRequest) -> ApiResponse:
    """`GET /1/indexes/{index}/{objectID}`"""
    index = find_index(context, request, request.index_name)
    (record,) = index.index.get([request.path[2]], request.budget.deadline)
    if record is None:
        raise no_object()
    attributes = Parameters(dict(request.parameters), {}).texts("attributesToRetrieve", most=MAX_ATTRIBUTES)
    return ApiResponse(_visible(index, request, record, attributes))


def _visible(index: IndexHandle, request: ApiRequest, record: Record, attributes: Sequence[str] | None) -> Json:
    """The record without hidden attributes. Raises ApiError where the filters of the key exclude it."""
    required = where(request.access.forced)
    if required is not None and not matches(record, required):
        raise no_object()
    hidden = Parameters({}, index.settings).texts("unretrievableAttributes") or ()
    permitted = record if request.access.right == "admin" else without(record, hidden)
    chosen = picked(permitted, shape_of(attributes) if attributes else None)
    return {**(chosen if isinstance(chosen, Mapping) else {}), "objectID": record["objectID"]}
