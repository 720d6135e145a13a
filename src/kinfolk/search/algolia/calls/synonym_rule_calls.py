"""Calls on the synonyms and rules of an index: two lists of entries with the same operations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from kinfolk.search.algolia.api_error import ApiError, no_object
from kinfolk.search.algolia.calls.call import ApiContext, ApiRequest, ApiResponse, object_body, timestamp, updated
from kinfolk.search.algolia.formats.parameters import MAX_HITS, Parameters
from kinfolk.search.filters import Json
from kinfolk.search.pushed_indexes.record_store import Entries

MAX_ENTRIES = 20_000
MAX_ENTRY_ID_LENGTH = 512


def search_entries(context: ApiContext, request: ApiRequest) -> ApiResponse:
    kind = _kind(request)
    wanted = Parameters(object_body(request.body), {})
    page, size = wanted.number("page", 0), wanted.number("hitsPerPage", 20, least=1, most=MAX_HITS)
    text, type = wanted.text("query").casefold(), wanted.text("type")
    anchoring, enabled = wanted.text("anchoring"), wanted.get("enabled")
    found = [
        entry
        for entry in context.indexes.pushed(request.index_name).entries(kind)
        if text in _strings(entry).casefold()
        and (not type or entry.get("type") == type)
        and (not anchoring or f"'anchoring': '{anchoring}'" in str(entry))
        and (enabled is None or entry.get("enabled", True) == enabled)
    ]
    body: dict[str, object] = {"hits": found[page * size : (page + 1) * size], "nbHits": len(found)}
    return ApiResponse(body | {"page": page, "nbPages": -(-len(found) // size)} if kind == "rules" else body)


def save_entries(context: ApiContext, request: ApiRequest) -> ApiResponse:
    kind = _kind(request)
    if not isinstance(request.body, list) or not all(isinstance(entry, dict) for entry in request.body):
        raise ApiError(f"Expected a list of {kind}")
    if len(request.body) > MAX_ENTRIES:
        raise ApiError(f"More than {MAX_ENTRIES} {kind}")
    entries = {_entry_id(entry.get("objectID")): entry for entry in request.body}
    flags = (request.parameters.get(name) for name in ("replaceExistingSynonyms", "clearExistingRules"))
    index = context.indexes.pushed(request.index_name)
    return updated(index.put_entries(kind, entries, replace="true" in flags))


def clear_entries(context: ApiContext, request: ApiRequest) -> ApiResponse:
    return updated(context.indexes.pushed(request.index_name).put_entries(_kind(request), {}, replace=True))


def get_entry(context: ApiContext, request: ApiRequest) -> ApiResponse:
    found = context.indexes.pushed(request.index_name).entry(_kind(request), request.path[3])
    if found is None:
        raise no_object()
    return ApiResponse(found)


def put_entry(context: ApiContext, request: ApiRequest) -> ApiResponse:
    id = request.path[3]
    entry = cast(Mapping[str, Json], {**object_body(request.body), "objectID": _entry_id(id)})
    task = context.indexes.pushed(request.index_name).put_entries(_kind(request), {id: entry})
    return ApiResponse({"taskID": task, "updatedAt": timestamp(), "id": id, "objectID": id})


def delete_entry(context: ApiContext, request: ApiRequest) -> ApiResponse:
    task = context.indexes.pushed(request.index_name).delete_entry(_kind(request), request.path[3])
    return ApiResponse({"taskID": task, "updatedAt": timestamp(), "deletedAt": timestamp()})


def _kind(request: ApiRequest) -> Entries:
    return "synonyms" if request.path[2] == "synonyms" else "rules"


def _strings(entry: Mapping[str, Json]) -> str:
    """All strings of an entry, one per line."""
    strings: list[str] = []
    rest: list[Json] = [entry]
    while rest:
        value = rest.pop()
        if isinstance(value, Mapping):
            rest += value.values()
        elif isinstance(value, (list, tuple)):
            rest += value
        elif isinstance(value, str):
            strings.append(value)
    return "\n".join(strings)


def _entry_id(given: object) -> str:
    if not isinstance(given, str) or not given or len(given) > MAX_ENTRY_ID_LENGTH:
        raise ApiError("objectID: expected a text")
    return given
