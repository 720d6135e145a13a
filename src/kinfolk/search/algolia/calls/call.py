"""The request, the response and the route of an API call, and helpers that all handlers share."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from kinfolk.runtime.cache import ThreadSafeLRUCache
from kinfolk.search.algolia.api_error import ApiError, no_index
from kinfolk.search.algolia.api_keys import ApiKeys, KeyPermissions, Permission
from kinfolk.search.algolia.call_budget import CallBudget
from kinfolk.search.algolia.formats.parameters import ParsedSearch
from kinfolk.search.algolia.index_registry import IndexHandle, IndexRegistry
from kinfolk.search.analytics.query_log import QueryLog
from kinfolk.search.analytics.query_sessions import LoggedQuery


@dataclass(frozen=True)
class ApiRequest:
    """`path` is the decoded segments after `/1/`, `query` the parameters of the URL."""

    method: str
    path: tuple[str, ...]
    access: KeyPermissions
    body: object = None
    query: Mapping[str, str] | None = None
    agent: str = ""
    budget: CallBudget = field(default_factory=CallBudget)
    """Of all searches of the request together. Its time starts here."""

    @property
    def index_name(self) -> str:
        """Of paths such as `indexes/{name}/query`."""
        return self.path[1]

    @property
    def parameters(self) -> Mapping[str, str]:
        return self.query or {}


@dataclass(frozen=True)
class ApiResponse:
    """`logged` are the searches of the request that may count in the analytics."""

    body: object
    status: int = 200
    logged: tuple[LoggedQuery, ...] = ()


@dataclass(frozen=True)
class CachedResponse:
    """The JSON of a search result without the fields that differ between clients."""

    body: bytes
    search: ParsedSearch
    total: int


@dataclass(frozen=True)
class ApiContext:
    """What handlers read and write."""

    indexes: IndexRegistry
    query_log: QueryLog
    keys: ApiKeys
    responses: ThreadSafeLRUCache[bytes, CachedResponse]


@dataclass(frozen=True)
class ApiRoute:
    """In a pattern, `*` stands for itself and `{}` for any segment.

    A call counts as one search against the rate limit, or as one for every `counted_by` items of the list `counted` in
    its body.
    """

    method: str
    pattern: str
    right: Permission
    handler: Callable[[ApiContext, ApiRequest], ApiResponse]
    max_body_bytes: int = 1 << 20
    counted: str = ""
    counted_by: int = 1

    def cost(self, body: object) -> int:
        """The number of searches that a call with this body counts as, at least 1."""
        items = body.get(self.counted) if isinstance(body, dict) else None
        return max(1, -(-len(items) // self.counted_by)) if isinstance(items, list) else 1

    def matches(self, method: str, path: Sequence[str]) -> bool:
        parts = self.pattern.split("/")
        return (
            method == self.method
            and len(parts) == len(path)
            and all(part in ("{}", given) for part, given in zip(parts, path, strict=True))
        )


def find_index(context: ApiContext, request: ApiRequest, name: object) -> IndexHandle:
    """Raises ApiError for an index that does not exist or that the key does not permit."""
    wanted = index_name(name)
    request.access.require_index(wanted)
    index = context.indexes.find(wanted)
    if index is None:
        raise no_index(wanted)
    return index


def index_name(given: object, parameter: str = "indexName") -> str:
    if not isinstance(given, str) or not given:
        raise ApiError(f"{parameter}: expected the name of an index")
    return given.encode("utf-8", "replace").decode()


def object_body(body: object) -> dict[str, object]:
    if body is None:
        return {}
    if not isinstance(body, dict):
        raise ApiError("The body must be an object")
    return {str(name): value for name, value in body.items()}


def request_items(request: ApiRequest, items: str) -> list[dict[str, object]]:
    """The objects in `requests` of the body. `items` names them in the error message."""
    requests = object_body(request.body).get("requests")
    if not isinstance(requests, list) or not all(isinstance(one, dict) for one in requests):
        raise ApiError(f"requests: expected a list of {items}")
    return requests


def search_parameters(request: ApiRequest) -> dict[str, object]:
    """The body of a POST, the URL parameters of a GET."""
    if request.method == "POST":
        return object_body(request.body)
    return {name: value for name, value in request.parameters.items() if not name.lower().startswith("x-algolia-")}


def updated(task: int) -> ApiResponse:
    return ApiResponse({"taskID": task, "updatedAt": timestamp()})


def timestamp() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def new_object_id() -> str:
    return secrets.token_hex(10)


def elapsed_ms(start_s: float) -> int:
    return round((time.perf_counter() - start_s) * 1000)
