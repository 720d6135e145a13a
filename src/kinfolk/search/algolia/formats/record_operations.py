"""Batches of record operations in Algolia's format, and the limits of a record."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast, get_args

import orjson

from kinfolk.search.algolia.api_error import ApiError
from kinfolk.search.filters import Json, Record
from kinfolk.search.pushed_indexes.operations import Action, RecordOperation

MAX_RECORD_BYTES = 100_000
"""Bytes of JSON."""
MAX_RECORD_DEPTH = 32
MAX_ID_BYTES = 512
MAX_OPERATIONS = 10_000


def read_batch(body: object, new_id: Callable[[], str]) -> tuple[RecordOperation, ...]:
    """The operations of a batch. Raises ApiError with the position of an invalid one."""
    requests = body.get("requests") if isinstance(body, dict) else None
    if not isinstance(requests, list):
        raise ApiError("requests: expected a list of operations")
    if len(requests) > MAX_OPERATIONS:
        raise ApiError(f"requests: more than {MAX_OPERATIONS} operations")
    return tuple(read_operation(at, one, new_id) for at, one in enumerate(requests))


def read_operation(at: int, given: object, new_id: Callable[[], str]) -> RecordOperation:
    if not isinstance(given, dict):
        raise ApiError(f"Invalid object at position {at}: expected an operation")
    action = given.get("action")
    if action not in get_args(Action):
        raise ApiError(f"Invalid action at position {at}: {str(action)[:40]!r}")
    action = cast(Action, action)
    body = given.get("body", {})
    if action in ("delete", "clear"):
        return RecordOperation(action)
    if not isinstance(body, dict):
        raise ApiError(f"Invalid body at position {at}: expected an object")
    id = _id(body.get("objectID", given.get("objectID")), at)
    if not id:
        if action != "addObject":
            raise ApiError(f"Missing objectID at position {at}")
        id = new_id()
    return RecordOperation(action, id, None if action == "deleteObject" else read_record(body, id, at))


def read_record(body: Mapping[str, object], id: str, at: int = 0) -> Record:
    """The record with this id. Raises ApiError above the limits of size and depth."""
    record = {**cast(Mapping[str, Json], body), "objectID": id}
    if depth_of(record, MAX_RECORD_DEPTH) > MAX_RECORD_DEPTH:
        raise ApiError(f"Record at the position {at} objectID={id} has more than {MAX_RECORD_DEPTH} levels")
    try:
        size = len(orjson.dumps(record))
    except TypeError as wrong:
        raise ApiError(f"Record at the position {at} objectID={id}: {wrong}") from None
    if size > MAX_RECORD_BYTES:
        raise ApiError(
            f"Record at the position {at} objectID={id} is too big size={size}/{MAX_RECORD_BYTES} bytes. "
            "Make it smaller, or several records of it"
        )
    return record


def _id(given: object, at: int) -> str:
    if given is None:
        return ""
    if isinstance(given, bool) or not isinstance(given, (str, int)):
        raise ApiError(f"Invalid objectID at position {at}: expected a text")
    id = str(given)
    if len(id.encode("utf-8", "replace")) > MAX_ID_BYTES:
        raise ApiError(f"Invalid objectID at position {at}: longer than {MAX_ID_BYTES} bytes")
    return id


def depth_of(value: object, most: int) -> int:
    """The number of levels of an unvalidated value, counted up to `most` + 1, without recursion."""
    deepest, level = 0, [value]
    while level and deepest <= most:
        deepest += 1
        nested = [one for one in level if isinstance(one, (dict, list))]
        level = [item for one in nested for item in (one.values() if isinstance(one, dict) else one)]
    return deepest
