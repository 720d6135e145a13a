"""Algolia's API: one table of routes. Each call maps a method, a path and a body to a status and a body.

`web.algolia_endpoint` serves it over HTTP.
"""

from __future__ import annotations

from collections.abc import Sequence

from kinfolk.runtime.budget import OverBudget
from kinfolk.runtime.cache import CacheBudget, CachePriority, ThreadSafeLRUCache
from kinfolk.runtime.services.lifecycle import Service
from kinfolk.runtime.services.supervisor import Supervisor
from kinfolk.search.algolia.api_error import ApiError, over_budget
from kinfolk.search.algolia.api_keys import ApiKeys
from kinfolk.search.algolia.calls.call import ApiContext, ApiRequest, ApiResponse, ApiRoute
from kinfolk.search.algolia.calls.event_calls import count_events
from kinfolk.search.algolia.calls.index_calls import (
    copy_or_move,
    delete_index,
    get_key,
    get_settings,
    get_task,
    is_alive,
    list_indexes,
    set_settings,
)
from kinfolk.search.algolia.calls.record_calls import (
    add_object,
    browse_index,
    clear_index,
    delete_by_filter,
    delete_object,
    put_object,
    update_object,
    write_batch,
    write_multiple_batch,
)
from kinfolk.search.algolia.calls.search_calls import (
    get_object,
    get_objects,
    get_recommendations,
    run_queries,
    run_query,
    search_facet_values,
)
from kinfolk.search.algolia.calls.synonym_rule_calls import (
    clear_entries,
    delete_entry,
    get_entry,
    put_entry,
    save_entries,
    search_entries,
)
from kinfolk.search.algolia.index_registry import IndexRegistry
from kinfolk.search.analytics.query_log import QueryLog

RESPONSE_CACHE_BYTES = 8 << 20
"""About 700 responses of twenty hits."""
MAX_BATCH_BYTES = 64 << 20
"""Clients can split larger batches."""


class AlgoliaApi(Service):
    """Thread-safe."""

    def __init__(
        self, indexes: IndexRegistry, query_log: QueryLog, keys: ApiKeys, *, caches: CacheBudget | None = None
    ) -> None:
        self.indexes = indexes
        self.query_log = query_log
        self.keys = keys
        self._context = ApiContext(indexes, query_log, keys, ThreadSafeLRUCache(RESPONSE_CACHE_BYTES))
        if caches is not None:
            caches.add("search answers", CachePriority.SEARCH, self._context.responses)

    def start(self, supervisor: Supervisor | None = None) -> None:
        """Start updating the pushed indexes."""
        self.indexes.start(supervisor)

    def close(self) -> None:
        """Close the pushed indexes."""
        self.indexes.close()

    def handle(self, request: ApiRequest) -> ApiResponse:
        """Raises ApiError for a mistake of the client, SiteError for a failure of the server."""
        route = find_route(request.method, request.path)
        request.access.require(route.right)
        try:
            return route.handler(self._context, request)
        except OverBudget as exceeded:
            raise over_budget(exceeded) from None


def find_route(method: str, path: Sequence[str]) -> ApiRoute:
    """Raises ApiError where there is no such call."""
    route = next((route for route in ROUTES if route.matches(method, path)), None)
    if route is None:
        others = [each.method for each in ROUTES if each.matches(each.method, path)]
        if others:
            raise ApiError(f"Method not allowed: this path is called with {', '.join(dict.fromkeys(others))}", 405)
        raise ApiError("There is no such call here", 404)
    return route


ROUTES = (
    ApiRoute("POST", "indexes/*/queries", "search", run_queries, counted="requests"),
    ApiRoute("POST", "indexes/*/objects", "search", get_objects, counted="requests", counted_by=10),
    ApiRoute("POST", "indexes/*/recommendations", "search", get_recommendations, counted="requests"),
    ApiRoute("POST", "indexes/*/batch", "admin", write_multiple_batch, MAX_BATCH_BYTES),
    ApiRoute("POST", "indexes/{}/query", "search", run_query),
    ApiRoute("GET", "indexes/{}", "search", run_query),
    ApiRoute("POST", "indexes/{}/facets/{}/query", "search", search_facet_values),
    ApiRoute("POST", "events", "search", count_events, counted="events", counted_by=10),
    ApiRoute("GET", "indexes", "admin", list_indexes),
    ApiRoute("POST", "indexes/{}/browse", "admin", browse_index),
    ApiRoute("GET", "indexes/{}/browse", "admin", browse_index),
    ApiRoute("POST", "indexes/{}/batch", "admin", write_batch, MAX_BATCH_BYTES),
    ApiRoute("POST", "indexes/{}/deleteByQuery", "admin", delete_by_filter),
    ApiRoute("POST", "indexes/{}/clear", "admin", clear_index),
    ApiRoute("POST", "indexes/{}/operation", "admin", copy_or_move),
    ApiRoute("GET", "indexes/{}/settings", "admin", get_settings),
    ApiRoute("PUT", "indexes/{}/settings", "admin", set_settings),
    ApiRoute("GET", "indexes/{}/task/{}", "admin", get_task),
    ApiRoute("GET", "task/{}", "admin", get_task),
    *(
        route
        for kind in ("synonyms", "rules")
        for route in (
            ApiRoute("POST", f"indexes/{{}}/{kind}/search", "admin", search_entries),
            ApiRoute("POST", f"indexes/{{}}/{kind}/batch", "admin", save_entries, MAX_BATCH_BYTES),
            ApiRoute("POST", f"indexes/{{}}/{kind}/clear", "admin", clear_entries),
            ApiRoute("GET", f"indexes/{{}}/{kind}/{{}}", "admin", get_entry),
            ApiRoute("PUT", f"indexes/{{}}/{kind}/{{}}", "admin", put_entry),
            ApiRoute("DELETE", f"indexes/{{}}/{kind}/{{}}", "admin", delete_entry),
        )
    ),
    ApiRoute("POST", "indexes/{}/{}/partial", "admin", update_object),
    ApiRoute("POST", "indexes/{}", "admin", add_object),
    ApiRoute("DELETE", "indexes/{}", "admin", delete_index),
    ApiRoute("GET", "indexes/{}/{}", "search", get_object),
    ApiRoute("PUT", "indexes/{}/{}", "admin", put_object),
    ApiRoute("DELETE", "indexes/{}/{}", "admin", delete_object),
    ApiRoute("GET", "keys/{}", "search", get_key),
    ApiRoute("GET", "isalive", "search", is_alive),
)
