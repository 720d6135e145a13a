"""Events of insights clients -> InsightsEvent. User identities are dropped here."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import cast, get_args

from kinfolk.search.algolia.api_error import ApiError
from kinfolk.search.analytics.insights_event import EventKind, InsightsEvent

MAX_EVENTS = 1000
MAX_OBJECTS = 20
_UNREADABLE = 422

_TELEMETRY = "instantsearch"
"""Telemetry of InstantSearch: accepted and dropped."""
_QUERY_ID = re.compile(r"[0-9a-f]{32}")


def read_events(body: object) -> tuple[InsightsEvent, ...]:
    """The events of a request. Raises ApiError with the position of an invalid event."""
    given = body.get("events") if isinstance(body, dict) else None
    if not isinstance(given, list) or not given:
        raise ApiError("The request must contain a list of events", _UNREADABLE)
    if len(given) > MAX_EVENTS:
        raise ApiError(f"The request contains more than {MAX_EVENTS} events", _UNREADABLE)
    return tuple(event for at, one in enumerate(given) if (event := _event(at, one)) is not None)


def _event(at: int, given: object) -> InsightsEvent | None:
    if not isinstance(given, dict):
        raise _unreadable(at, "is not an object")
    kind = given.get("eventType")
    if kind == _TELEMETRY:
        return None
    if kind not in get_args(EventKind):
        raise _unreadable(at, "eventType must be click, conversion or view")
    name, index = given.get("eventName"), given.get("index")
    if not isinstance(name, str) or not name:
        raise _unreadable(at, "eventName is missing")
    if not isinstance(index, str) or not index:
        raise _unreadable(at, "index is missing")
    objects = _texts(at, "objectIDs", given.get("objectIDs"))
    positions = _positions(at, given.get("positions"))
    query_id = given.get("queryID")
    if query_id is not None and not (isinstance(query_id, str) and _QUERY_ID.fullmatch(query_id)):
        raise _unreadable(at, "queryID must be 32 hexadecimal digits")
    if positions and len(positions) != len(objects):
        raise _unreadable(at, "positions and objectIDs differ in length")
    if kind == "click" and query_id is not None and objects and not positions:
        raise _unreadable(at, "positions are missing for a click after a search")
    return InsightsEvent(cast(EventKind, kind), index, objects, positions, query_id)


def _texts(at: int, name: str, given: object) -> tuple[str, ...]:
    if given is None:
        return ()
    if not isinstance(given, list) or not all(isinstance(item, str) and item for item in given):
        raise _unreadable(at, f"{name} must be a list of texts")
    if len(given) > MAX_OBJECTS:
        raise _unreadable(at, f"{name} has more than {MAX_OBJECTS} items")
    return tuple(given)


def _positions(at: int, given: object) -> tuple[int, ...]:
    if given is None:
        return ()
    items: Sequence[object] = given if isinstance(given, list) else ()
    found = tuple(item for item in items if isinstance(item, int) and not isinstance(item, bool) and item > 0)
    if not isinstance(given, list) or len(found) != len(given):
        raise _unreadable(at, "positions must be a list of numbers from 1")
    return found


def _unreadable(at: int, reason: str) -> ApiError:
    return ApiError(f"Event {at}: {reason}", _UNREADABLE)
