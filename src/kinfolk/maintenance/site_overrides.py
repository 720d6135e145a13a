"""The overrides that this process shows: checked, stored, and read again after a change by any process."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import orjson
import structlog
from pydantic import TypeAdapter, ValidationError

from kinfolk.content.dependencies import PROMOTIONS, SPONSORS, Dependency
from kinfolk.content.sponsors import CurrentSponsors, SponsorEntry, entry_fault
from kinfolk.maintenance.override_store import OverrideKind, OverrideStore
from kinfolk.maintenance.promotion import Promotion, check_promotion
from kinfolk.runtime.errors import Invalid

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

LONGEST_NAME, LONGEST_ADDRESS = 100, 500
"""Characters."""
MOST_DOLLARS = 1_000_000
_ADAPTERS: Mapping[OverrideKind, TypeAdapter[Any]] = {
    "sponsor": TypeAdapter(SponsorEntry),
    "promotion": TypeAdapter(Promotion),
}


@dataclass(frozen=True)
class Overrides:
    """All stored overrides by their id, the oldest change first."""

    sponsors: dict[str, SponsorEntry]
    promotions: dict[str, Promotion]


class SiteOverrides:
    """For any number of threads. All methods block. While the database is away, the last overrides stay."""

    def __init__(self, store: OverrideStore, sponsors: CurrentSponsors) -> None:
        self._store = store
        self._sponsors = sponsors
        self._lock = threading.Lock()
        self.promotions: tuple[Promotion, ...] = ()
        """The promotions that pages show, when it is their time."""

    def stale_since(self, revision: int) -> tuple[int, frozenset[Dependency]]:
        """Read what changed after `revision`. Returns the number of the last change, and what became stale.

        Raises Unavailable.
        """
        if self._store.last_revision() == revision:
            return revision, frozenset()
        with self._lock:
            newest, overrides = self._read()
            stale: set[Dependency] = set()
            promotions = tuple(overrides.promotions.values())
            if promotions != self.promotions:
                self.promotions = promotions
                stale.add(PROMOTIONS)
            if self._sponsors.override(tuple(overrides.sponsors.values())):
                stale.add(SPONSORS)
        return newest, frozenset(stale)

    def stored(self) -> Overrides:
        """The overrides in the database. Raises Unavailable."""
        return self._read()[1]

    def put_sponsor(self, id: str, fields: Mapping[str, object]) -> str:
        """Store a sponsor, a new one if `id` is empty. Returns its id. Raises Invalid, Refused and Unavailable."""
        entry: SponsorEntry = _validated("sponsor", fields)
        _check_sponsor(entry)
        return self._put(id, "sponsor", entry)

    def put_promotion(self, id: str, fields: Mapping[str, object], *, slots: Iterable[str]) -> str:
        """Store a promotion, a new one if `id` is empty. Returns its id. Raises Invalid, Refused and Unavailable."""
        promotion: Promotion = _validated("promotion", fields)
        check_promotion(promotion, slots)
        return self._put(id, "promotion", promotion)

    def remove(self, id: str) -> None:
        """Raises NotFound and Unavailable."""
        self._store.remove(id)

    def _put(self, id: str, kind: OverrideKind, override: SponsorEntry | Promotion) -> str:
        id = id or secrets.token_hex(8)
        self._store.put(id, kind, _ADAPTERS[kind].dump_json(override, exclude_none=True).decode())
        return id

    def _read(self) -> tuple[int, Overrides]:
        newest, stored = self._store.read()
        found: dict[OverrideKind, dict[str, Any]] = {"sponsor": {}, "promotion": {}}
        for row in stored:
            try:
                found[row.kind][row.id] = _ADAPTERS[row.kind].validate_json(row.data)
            except ValidationError as failure:
                # Stored by a version of the site that knows more fields.
                log.warning("override left out", id=row.id, kind=row.kind, reason=_reason(failure))
        return newest, Overrides(found["sponsor"], found["promotion"])


def _validated(kind: OverrideKind, fields: Mapping[str, object]) -> Any:
    """The override with these fields; empty text is a missing value. Raises Invalid."""
    given = {name: value for name, value in fields.items() if value not in ("", None)}
    try:
        # Through JSON: only there strict mode accepts dates and lists.
        return _ADAPTERS[kind].validate_json(orjson.dumps(given))
    except (TypeError, ValueError) as failure:
        raise Invalid(_reason(failure)) from failure


def _check_sponsor(entry: SponsorEntry) -> None:
    """Raises Invalid, with the name of the field and what to do."""
    faults = (f"{field}: {reason}" for field, reason in _sponsor_faults(entry))
    fault = next(faults, None)
    if fault is not None:
        raise Invalid(fault)


def _sponsor_faults(entry: SponsorEntry) -> Iterator[tuple[str, str]]:
    fault = entry_fault(entry)
    if fault is not None:
        yield fault
    for field, limit in (("name", LONGEST_NAME), ("link_url", LONGEST_ADDRESS), ("image_url", LONGEST_ADDRESS)):
        if len(getattr(entry, field) or "") > limit:
            yield field, f"use at most {limit} characters"
    if (entry.weight or 0) > MOST_DOLLARS:
        yield "weight", f"use at most {MOST_DOLLARS}"


def _reason(failure: Exception) -> str:
    if not isinstance(failure, ValidationError):
        return "data: this cannot be stored"
    first = failure.errors(include_url=False, include_input=False, include_context=False)[0]
    return f"{'.'.join(str(part) for part in first['loc'][:1])}: {first['msg']}"
