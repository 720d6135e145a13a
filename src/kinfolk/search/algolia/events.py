"""What insights clients report, read into what is worth counting. Who it was is left out here and kept nowhere."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, cast, get_args

from kinfolk.search.algolia.fault import Fault

MOST_EVENTS = 1000
MOST_OBJECTS = 20
_UNREADABLE = 422

Kind = Literal["click", "conversion", "view"]
_TELEMETRY = "instantsearch"
"""A kind that InstantSearch sends about itself: accepted, and dropped."""
_QUERY_ID = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True)
class Event:
    """`positions` are counted from 1, one for each object; only clicks on hits of a search have them."""

    kind: Kind
    index: str
    objects: tuple[str, ...] = ()
    positions: tuple[int, ...] = ()
    query_id: str | None = None


def read_events(body: object) -> tuple[Event, ...]:
    """The events of a request. Raises Fault, naming the event, for one that makes no sense."""
    given = body.get("events") if isinstance(body, dict) else None
    if not isinstance(given, list) or not given:
        raise Fault("The request must contain a list of events", _UNREADABLE)
    if len(given) > MOST_EVENTS:
        raise Fault(f"The request contains more than {MOST_EVENTS} events", _UNREADABLE)
    return tuple(event for at, one in enumerate(given) if (event := _event(at, one)) is not None)


def _event(at: int, given: object) -> Event | None:
    if not isinstance(given, dict):
        raise _unreadable(at, "is not an object")
    kind = given.get("eventType")
    if kind == _TELEMETRY:
        return None
    if kind not in get_args(Kind):
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
    return Event(cast(Kind, kind), index, objects, positions, query_id)


def _texts(at: int, name: str, given: object) -> tuple[str, ...]:
    if given is None:
        return ()
    if not isinstance(given, list) or not all(isinstance(item, str) and item for item in given):
        raise _unreadable(at, f"{name} must be a list of texts")
    if len(given) > MOST_OBJECTS:
        raise _unreadable(at, f"{name} has more than {MOST_OBJECTS} items")
    return tuple(given)


def _positions(at: int, given: object) -> tuple[int, ...]:
    if given is None:
        return ()
    items: Sequence[object] = given if isinstance(given, list) else ()
    found = tuple(item for item in items if isinstance(item, int) and not isinstance(item, bool) and item > 0)
    if not isinstance(given, list) or len(found) != len(given):
        raise _unreadable(at, "positions must be a list of numbers from 1")
    return found


def _unreadable(at: int, reason: str) -> Fault:
    return Fault(f"Event {at}: {reason}", _UNREADABLE)
