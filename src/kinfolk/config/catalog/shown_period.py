"""On which days something is shown: a promotion of maintainers, or the announcement of a site."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Literal, Protocol

ShownPeriod = Literal["planned", "shown", "over"]


class Dated(Protocol):
    """It is shown from `starts` to `ends`, both included, in UTC; without them, from now on or forever."""

    @property
    def starts(self) -> date | None: ...

    @property
    def ends(self) -> date | None: ...


def any_dated(items: Iterable[Dated]) -> bool:
    """Whether what is shown depends on the day."""
    return any(item.starts is not None or item.ends is not None for item in items)


def has_valid_days(item: Dated) -> bool:
    """Whether the last day is not before the first one."""
    return item.starts is None or item.ends is None or item.starts <= item.ends


def shown_period(item: Dated, today: date) -> ShownPeriod:
    """Whether its days are to come, include today, or are over."""
    if item.starts is not None and today < item.starts:
        return "planned"
    return "over" if item.ends is not None and item.ends < today else "shown"
