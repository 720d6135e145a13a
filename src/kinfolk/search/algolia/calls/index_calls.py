"""Calls on whole indexes: list, delete, copy, move, settings, tasks; and on keys."""

from __future__ import annotations

from typing import cast

from kinfolk.search.algolia.api_error import ApiError
from kinfolk.search.algolia.calls.call import (
    ApiContext,
    ApiRequest,
    ApiResponse,
    find_index,
    index_name,
    object_body,
    timestamp,
    updated,
)
from kinfolk.search.algolia.formats.parameters import MAX_HITS, Parameters
from kinfolk.search.algolia.formats.settings_format import read_settings, with_defaults
from kinfolk.search.pushed_indexes.record_store import SCOPES, Scope

MAX_TASK_DIGITS = 18
"""The largest integer of SQLite has 19 digits."""
ADMIN_ACL = ["search", "browse", "addObject", "deleteObject", "deleteIndex", "listIndexes", "settings", "editSettings"]


def list_indexes(context: ApiContext, request: ApiRequest) -> ApiResponse:
    wanted = Parameters(dict(request.parameters), {})
    page, size = wanted.number("page", 0), wanted.number("hitsPerPage", 100, least=1, most=MAX_HITS)
    items = [
        {
            "name": each.name,
            "createdAt": each.created,
            "updatedAt": each.updated,
            "entries": each.entries,
            "dataSize": each.size,
            "fileSize": each.size,
            "lastBuildTimeS": 0,
            "numberOfPendingTasks": int(each.pending),
            "pendingTask": each.pending,
        }
        for each in context.indexes.summaries()
    ]
    listed = items[page * size : (page + 1) * size] if "page" in request.parameters else items
    return ApiResponse({"items": listed, "nbPages": -(-len(items) // size)})


def delete_index(context: ApiContext, request: ApiRequest) -> ApiResponse:
    return ApiResponse({"deletedAt": timestamp(), "taskID": context.indexes.pushed(request.index_name).delete()})


def copy_or_move(context: ApiContext, request: ApiRequest) -> ApiResponse:
    body = object_body(request.body)
    destination = index_name(body.get("destination"), "destination")
    scope = body.get("scope") or []
    if not isinstance(scope, list) or any(part not in SCOPES for part in scope):
        raise ApiError(f"scope: expected a list of {', '.join(SCOPES)}")
    context.indexes.pushed(destination)  # raises ApiError for a read-only index
    match body.get("operation"):
        case "copy":
            task = context.indexes.copy(request.index_name, destination, cast(list[Scope], scope))
        case "move":
            task = context.indexes.pushed(request.index_name).move(destination)
        case _:
            raise ApiError("operation: expected copy or move")
    return updated(task)


def get_settings(context: ApiContext, request: ApiRequest) -> ApiResponse:
    return ApiResponse(with_defaults(find_index(context, request, request.index_name).settings))


def set_settings(context: ApiContext, request: ApiRequest) -> ApiResponse:
    return updated(context.indexes.pushed(request.index_name).set_settings(read_settings(request.body)))


def get_task(context: ApiContext, request: ApiRequest) -> ApiResponse:
    number = request.path[-1]
    if not number.isascii() or not number.isdigit() or len(number) > MAX_TASK_DIGITS:
        raise ApiError("taskID: expected a number")
    done = context.indexes.is_done(int(number))
    return ApiResponse({"status": "published" if done else "notPublished", "pendingTask": not done})


def get_key(context: ApiContext, request: ApiRequest) -> ApiResponse:
    key = request.path[1]
    if key == context.keys.search:
        acl = ["search"]
    elif key == context.keys.admin:
        acl = ADMIN_ACL
    else:
        raise ApiError("Key does not exist", 404)
    return ApiResponse({"value": key, "acl": acl, "createdAt": 0, "validity": 0})


def is_alive(context: ApiContext, request: ApiRequest) -> ApiResponse:  # noqa: ARG001 - the parameters of a handler
    return ApiResponse({"message": "server is alive"})
