"""A click, conversion or view that a client reports. User identities are not part of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

EventKind: TypeAlias = Literal["click", "conversion", "view"]


@dataclass(frozen=True)
class InsightsEvent:
    """`positions` count from 1, one per object; only clicks on search hits have them."""

    kind: EventKind
    index: str
    objects: tuple[str, ...] = ()
    positions: tuple[int, ...] = ()
    query_id: str | None = None
