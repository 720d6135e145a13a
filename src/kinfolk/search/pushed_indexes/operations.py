"""Operations on the records of a pushed index, and partial updates of one record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from kinfolk.runtime.errors import Invalid, SiteError
from kinfolk.search.filters import Json, Record

LARGEST_NUMBER = 2**63 - 1

Action = Literal[
    "addObject", "updateObject", "partialUpdateObject", "partialUpdateObjectNoCreate", "deleteObject", "delete", "clear"
]


class Conflict(SiteError):
    """The record differs from the version that the client assumes."""

    code = "conflict"
    status = 409


@dataclass(frozen=True)
class RecordOperation:
    """`id` is empty for operations on all records, `body` is None for operations without a record."""

    action: Action
    id: str = ""
    body: Record | None = None


def merged_settings(settings: Mapping[str, object], change: Mapping[str, object]) -> dict[str, object]:
    """The settings after a change. A None removes its setting."""
    return {name: value for name, value in {**settings, **change}.items() if value is not None}


def with_update(record: Record | None, update: Record) -> Record:
    """The record with the attributes of `update` replaced, or changed by their `_operation`."""
    after: dict[str, Json] = dict(record or {})
    for name, value in update.items():
        if isinstance(value, Mapping) and "_operation" in value:
            _apply_operation(after, name, value)
        else:
            after[name] = value
    return after


def _apply_operation(record: dict[str, Json], name: str, change: Mapping[str, Json]) -> None:
    operation, value, current = change.get("_operation"), change.get("value"), record.get(name)
    items = list(current) if isinstance(current, Sequence) and not isinstance(current, str) else []
    match operation:
        case "Increment" | "Decrement" | "IncrementFrom" | "IncrementSet":
            record[name] = _updated_number(str(operation), name, value, current)
        case "Add":
            record[name] = [*items, value]
        case "AddUnique":
            record[name] = items if value in items else [*items, value]
        case "Remove":
            record[name] = [item for item in items if item != value]
        case _:
            raise Invalid(f"Invalid operation for attribute {name}: {str(operation)[:40]!r}")


def _updated_number(operation: str, name: str, value: Json, current: Json) -> Json:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise Invalid(f"Invalid value for attribute {name}: expected a number")
    number = current if isinstance(current, (int, float)) and not isinstance(current, bool) else 0
    match operation:
        case "Increment" | "Decrement":
            result = number + value if operation == "Increment" else number - value
            if abs(result) > LARGEST_NUMBER:
                raise Invalid(f"Invalid value for attribute {name}: too large")
            return result
        case "IncrementFrom":
            # Optimistic locking: applies only when the record still has the number that the client read.
            if number != value:
                raise Conflict(f"IncrementFrom value {value} does not match the attribute {name}")
            return number + 1
        case _:
            return max(number, value)
