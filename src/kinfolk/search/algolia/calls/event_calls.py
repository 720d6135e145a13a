"""`POST /1/events`: clicks, conversions and views that insights clients report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kinfolk.search.algolia.calls.call import ApiContext, ApiRequest, ApiResponse
from kinfolk.search.algolia.formats.event_format import read_events
from kinfolk.search.analytics.insights_event import InsightsEvent

_RECORDS_PER_READ = 100


def count_events(context: ApiContext, request: ApiRequest) -> ApiResponse:
    """Events on unknown indexes or records are not counted."""
    events = read_events(request.body)
    reported: dict[str, dict[str, None]] = {}
    for event in events:
        reported.setdefault(event.index, {}).update(dict.fromkeys(event.objects))
    known = {index: _existing_ids(context, request, index, list(ids)) for index, ids in reported.items()}
    counted = []
    for event in events:
        ids = known[event.index]
        if ids is not None:
            counted.append(_only_known(event, ids))
    context.query_log.add_events(counted)
    return ApiResponse({"status": 200, "message": "OK"})


def _only_known(event: InsightsEvent, ids: frozenset[str]) -> InsightsEvent:
    at_known = [at for at, id in enumerate(event.objects) if id in ids]
    return replace(
        event,
        objects=tuple(event.objects[at] for at in at_known),
        positions=tuple(event.positions[at] for at in at_known) if event.positions else (),
    )


def _existing_ids(context: ApiContext, request: ApiRequest, name: str, ids: Sequence[str]) -> frozenset[str] | None:
    """The ids that the index has; None where there is no such index."""
    request.access.require_index(name)
    index = context.indexes.find(name)
    if index is None:
        return None
    existing: set[str] = set()
    # In batches: whole records are read, and only their ids are needed.
    for start in range(0, len(ids), _RECORDS_PER_READ):
        batch = ids[start : start + _RECORDS_PER_READ]
        records = index.index.get(batch, request.budget.deadline)
        existing.update(id for id, record in zip(batch, records, strict=True) if record is not None)
    return frozenset(existing)
