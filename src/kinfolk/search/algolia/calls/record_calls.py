"""Calls that write and browse the records of an index."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import cast

from kinfolk.search.algolia.api_error import ApiError
from kinfolk.search.algolia.calls.call import (
    ApiContext,
    ApiRequest,
    ApiResponse,
    elapsed_ms,
    find_index,
    index_name,
    new_object_id,
    object_body,
    request_items,
    search_parameters,
    timestamp,
    updated,
)
from kinfolk.search.algolia.formats.hit_format import HitWriter
from kinfolk.search.algolia.formats.parameters import MAX_HITS, flat, read_search, where
from kinfolk.search.algolia.formats.record_operations import read_batch, read_operation
from kinfolk.search.algolia.formats.response_format import browsed
from kinfolk.search.filters import Record, matches
from kinfolk.search.pushed_indexes.operations import RecordOperation
from kinfolk.search.query import Hit, RankingInfo, SearchResult

_UNRANKED = RankingInfo(0, 0, 0, 0, 0.0)


def browse_index(context: ApiContext, request: ApiRequest) -> ApiResponse:
    start_s = time.perf_counter()
    index = find_index(context, request, request.index_name)
    given, echo = flat(search_parameters(request))
    request.budget.size.add(len(echo))
    cursor = given.pop("cursor", None)
    if cursor is not None and not isinstance(cursor, str):
        raise ApiError("cursor: expected a text")
    search = read_search(index.name, {"hitsPerPage": MAX_HITS, **given}, {}, forced=request.access.forced)
    query = replace(search.query, offset=0, length=0, distinct=0)
    limit = max(1, search.hits_per_page)
    deadline = request.budget.deadline
    records, next_cursor = index.index.browse(cursor or None, query, limit=limit, deadline=deadline)
    total = index.index.search(query, deadline).total if query.text or query.where else index.index.count
    display = replace(search.display, highlight=(), snippets=())
    writer = HitWriter(SearchResult(), display, searchable=(), budget=request.budget)
    hits = [cast(Record, writer.write(Hit(str(record["objectID"]), record, _UNRANKED))) for record in records]
    return ApiResponse(
        browsed(
            hits,
            total=total,
            page=search.page,
            hits_per_page=limit,
            query=query.text,
            echo=echo if set(given) - {"hitsPerPage"} else "",
            cursor=next_cursor,
            took_ms=elapsed_ms(start_s),
        )
    )


def write_batch(context: ApiContext, request: ApiRequest) -> ApiResponse:
    operations = read_batch(request.body, new_object_id)
    task = context.indexes.pushed(request.index_name).apply(operations)
    return ApiResponse({"taskID": task, "objectIDs": [each.id for each in operations if each.id]})


def write_multiple_batch(context: ApiContext, request: ApiRequest) -> ApiResponse:
    """Operations on several indexes."""
    batches: dict[str, list[RecordOperation]] = {}
    ids: list[str] = []
    for at, one in enumerate(request_items(request, "operations")):
        name = index_name(one.get("indexName"))
        operation = read_operation(at, one, new_object_id)
        batches.setdefault(name, []).append(operation)
        ids += [operation.id] if operation.id else []
    tasks = {name: context.indexes.pushed(name).apply(batch) for name, batch in batches.items()}
    return ApiResponse({"taskID": tasks, "objectIDs": ids})


def _write_one(context: ApiContext, request: ApiRequest, action: str, id: str | None, body: object) -> tuple[int, str]:
    """The number of the task and the id of the record."""
    given = {**object_body(body), **({"objectID": id} if id is not None else {})}
    operation = read_operation(0, {"action": action, "body": given}, new_object_id)
    return context.indexes.pushed(request.index_name).apply([operation]), operation.id


def add_object(context: ApiContext, request: ApiRequest) -> ApiResponse:
    task, id = _write_one(context, request, "addObject", None, request.body)
    return ApiResponse({"createdAt": timestamp(), "taskID": task, "objectID": id}, 201)


def put_object(context: ApiContext, request: ApiRequest) -> ApiResponse:
    task, id = _write_one(context, request, "updateObject", request.path[2], request.body)
    return ApiResponse({"updatedAt": timestamp(), "taskID": task, "objectID": id})


def update_object(context: ApiContext, request: ApiRequest) -> ApiResponse:
    creates = request.parameters.get("createIfNotExists", "true") != "false"
    action = "partialUpdateObject" if creates else "partialUpdateObjectNoCreate"
    task, id = _write_one(context, request, action, request.path[2], request.body)
    return ApiResponse({"updatedAt": timestamp(), "taskID": task, "objectID": id})


def delete_object(context: ApiContext, request: ApiRequest) -> ApiResponse:
    task, _ = _write_one(context, request, "deleteObject", request.path[2], {})
    return ApiResponse({"deletedAt": timestamp(), "taskID": task})


def delete_by_filter(context: ApiContext, request: ApiRequest) -> ApiResponse:
    given, _ = flat(object_body(request.body))
    condition = where(given)
    if condition is None:
        raise ApiError("deleteByQuery needs a filter; to delete all records, clear the index")
    index = context.indexes.pushed(request.index_name)
    return updated(index.delete_records(lambda record: matches(record, condition)))


def clear_index(context: ApiContext, request: ApiRequest) -> ApiResponse:
    return updated(context.indexes.pushed(request.index_name).apply([RecordOperation("clear")]))
