"""Changes to records as the clients write them: batches, partial updates, and the limits of a record."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, cast, get_args

import orjson

from kinfolk.search.algolia.fault import Fault
from kinfolk.search.query import Json, Record

LARGEST_RECORD = 100_000
"""Bytes of JSON."""
DEEPEST_RECORD = 32
LARGEST_NUMBER = 2**63 - 1
LONGEST_ID = 512
MOST_OPERATIONS = 10_000

Action = Literal[
    "addObject", "updateObject", "partialUpdateObject", "partialUpdateObjectNoCreate", "deleteObject", "delete", "clear"
]


@dataclass(frozen=True)
class Operation:
    """One change. `body` is empty for those that name only an id, or nothing."""

    action: Action
    id: str = ""
    body: Record | None = None


def read_batch(body: object, new_id: Callable[[], str]) -> tuple[Operation, ...]:
    """The operations of a batch. Raises Fault, naming the position, for one that makes no sense."""
    requests = body.get("requests") if isinstance(body, dict) else None
    if not isinstance(requests, list):
        raise Fault("requests: expected a list of operations")
    if len(requests) > MOST_OPERATIONS:
        raise Fault(f"requests: more than {MOST_OPERATIONS} operations")
    return tuple(read_operation(at, one, new_id) for at, one in enumerate(requests))


def read_operation(at: int, given: object, new_id: Callable[[], str]) -> Operation:
    if not isinstance(given, dict):
        raise Fault(f"Invalid object at position {at}: expected an operation")
    action = given.get("action")
    if action not in get_args(Action):
        raise Fault(f"Invalid action at position {at}: {str(action)[:40]!r}")
    action = cast(Action, action)
    body = given.get("body", {})
    if action in ("delete", "clear"):
        return Operation(action)
    if not isinstance(body, dict):
        raise Fault(f"Invalid body at position {at}: expected an object")
    id = _id(body.get("objectID", given.get("objectID")), at)
    if not id:
        if action != "addObject":
            raise Fault(f"Missing objectID at position {at}")
        id = new_id()
    return Operation(action, id, None if action == "deleteObject" else read_record(body, id, at))


def read_record(body: Mapping[str, object], id: str, at: int = 0) -> Record:
    """The record under this id. Raises Fault when it is larger or deeper than records may be."""
    record = {**cast(Mapping[str, Json], body), "objectID": id}
    if depth_of(record, DEEPEST_RECORD) > DEEPEST_RECORD:
        raise Fault(f"Record at the position {at} objectID={id} has more than {DEEPEST_RECORD} levels")
    try:
        size = len(orjson.dumps(record))
    except TypeError as wrong:
        raise Fault(f"Record at the position {at} objectID={id}: {wrong}") from None
    if size > LARGEST_RECORD:
        raise Fault(
            f"Record at the position {at} objectID={id} is too big size={size}/{LARGEST_RECORD} bytes. "
            "Make it smaller, or several records of it"
        )
    return record


def _id(given: object, at: int) -> str:
    if given is None:
        return ""
    if isinstance(given, bool) or not isinstance(given, (str, int)):
        raise Fault(f"Invalid objectID at position {at}: expected a text")
    id = str(given)
    if len(id.encode("utf-8", "replace")) > LONGEST_ID:
        raise Fault(f"Invalid objectID at position {at}: longer than {LONGEST_ID} bytes")
    return id


def depth_of(value: object, most: int) -> int:
    """How many levels a value has, counted up to one more than `most`, without recursion: it has not been judged."""
    deepest, level = 0, [value]
    while level and deepest <= most:
        deepest += 1
        nested = [one for one in level if isinstance(one, (dict, list))]
        level = [item for one in nested for item in (one.values() if isinstance(one, dict) else one)]
    return deepest


def changed(before: Record | None, part: Record) -> Record:
    """The record with some attributes replaced, or worked on by the operations that the protocol knows."""
    after: dict[str, Json] = dict(before or {})
    for name, value in part.items():
        if isinstance(value, Mapping) and "_operation" in value:
            _work(after, name, value)
        else:
            after[name] = value
    return after


def _work(record: dict[str, Json], name: str, given: Mapping[str, Json]) -> None:
    operation, value, now = given.get("_operation"), given.get("value"), record.get(name)
    items = list(now) if isinstance(now, Sequence) and not isinstance(now, str) else []
    match operation:
        case "Increment" | "Decrement" | "IncrementFrom" | "IncrementSet":
            record[name] = _counted(str(operation), name, value, now)
        case "Add":
            record[name] = [*items, value]
        case "AddUnique":
            record[name] = items if value in items else [*items, value]
        case "Remove":
            record[name] = [item for item in items if item != value]
        case _:
            raise Fault(f"Invalid operation for attribute {name}: {str(operation)[:40]!r}")


def _counted(operation: str, name: str, value: Json, now: Json) -> Json:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise Fault(f"Invalid value for attribute {name}: expected a number")
    have = now if isinstance(now, (int, float)) and not isinstance(now, bool) else 0
    match operation:
        case "Increment" | "Decrement":
            made = have + value if operation == "Increment" else have - value
            if abs(made) > LARGEST_NUMBER:
                raise Fault(f"Invalid value for attribute {name}: too large")
            return made
        case "IncrementFrom":
            # Counts only from the number that the writer has seen.
            if have != value:
                raise Fault(f"IncrementFrom value {value} does not match the attribute {name}", 409)
            return have + 1
        case _:
            return max(have, value)
