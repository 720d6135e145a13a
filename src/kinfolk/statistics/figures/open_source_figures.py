"""The figures that the site shows of a library and of the whole family, and how they are added up."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date, timedelta
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from pydantic.alias_generators import to_camel

from kinfolk.statistics.figures.figure_store import FigureKey, StoredFigure

OLD_AFTER_DAYS = 3
"""A figure whose day is earlier than this many days before today is old."""
WEEK = 7
_NO_COUNT = -1


@dataclass(frozen=True)
class Figure:
    """A number that was true on the day `as_of`, in UTC. `is_old`: that is more than three days ago."""

    value: int
    as_of: str
    is_old: bool


@dataclass(frozen=True)
class OpenSourceFigures:
    """The figures of a library; None for those that are not known.

    Stars and contributors are those of its repository, which other libraries may share. `dependents` are the packages
    that depend on its main package. `downloads_per_day` is the mean of seven counted days.
    """

    stars: Figure | None = None
    contributors: Figure | None = None
    dependents: Figure | None = None
    downloads_total: Figure | None = None
    downloads_per_day: Figure | None = None


@dataclass(frozen=True)
class FamilyFigures:
    """Sums over the family; None for those that are not known. Each repository and package counts once.

    `contributors_per_repository` and `dependents_per_package` are not numbers of persons and of packages: who
    contributed to two repositories, and what depends on two packages, is counted twice.
    """

    stars: Figure | None = None
    contributors_per_repository: Figure | None = None
    dependents_per_package: Figure | None = None
    downloads_total: Figure | None = None
    downloads_per_day: Figure | None = None


def flat_figures(figures: OpenSourceFigures | FamilyFigures) -> dict[str, int | str | bool]:
    """The known figures as a flat object: `{"stars": 100, "starsAsOf": "2026-05-01", "starsIsOld": false}`."""
    found = ((to_camel(field.name), getattr(figures, field.name)) for field in fields(figures))
    return {
        name: value
        for key, figure in found
        if figure is not None
        for name, value in ((key, figure.value), (f"{key}AsOf", figure.as_of), (f"{key}IsOld", figure.is_old))
    }


class CountedHistory(Protocol):
    """Downloads of a package on each day from `first`; a day without a count has a negative number."""

    @property
    def first(self) -> date: ...

    @property
    def counts(self) -> NDArray[np.int64]: ...


def sum_figures(keys: Collection[FigureKey], stored: Mapping[FigureKey, StoredFigure], *, today: date) -> Figure | None:
    """The sum of these figures, as of the oldest. None before each has a value, or is known not to exist."""
    found = [stored.get(key, StoredFigure()) for key in dict.fromkeys(keys)]
    if any(one.value is None and not one.absent for one in found):
        return None
    known = [(one.value, one.as_of.date()) for one in found if one.value is not None and one.as_of is not None]
    if not known:
        return None
    return _figure(sum(value for value, _ in known), min(day for _, day in known), today)


def downloads_figures(
    histories: Sequence[CountedHistory] | None, *, today: date
) -> tuple[Figure | None, Figure | None]:
    """All downloads of these packages, and the mean of a day.

    The mean is that of each package's last seven counted days, added up. A day without any download of all packages is
    one that npm could not count.
    """
    counted = [history for history in histories or () if (history.counts > 0).any()]
    if not counted:
        return None, None
    first = min(history.first for history in counted)
    counts = _aligned(counted, first)
    counts[:, (counts <= 0).all(axis=0)] = _NO_COUNT
    last_days = [int(np.flatnonzero(row != _NO_COUNT)[-1]) for row in counts]
    day = first + timedelta(days=min(last_days))
    total = int(counts[counts > 0].sum())
    per_day = sum(float(row[row != _NO_COUNT][-WEEK:].mean()) for row in counts)
    return _figure(total, day, today), _figure(round(per_day), day, today)


def _aligned(histories: Sequence[CountedHistory], first: date) -> NDArray[np.int64]:
    """A row for each history and a column for each day from `first`."""
    offsets = [(history.first - first).days for history in histories]
    days = max(offset + len(history.counts) for offset, history in zip(offsets, histories, strict=True))
    counts = np.full((len(histories), days), _NO_COUNT, dtype=np.int64)
    for row, offset, history in zip(counts, offsets, histories, strict=True):
        row[offset : offset + len(history.counts)] = np.maximum(history.counts, _NO_COUNT)
    return counts


def _figure(value: int, day: date, today: date) -> Figure:
    return Figure(value, day.isoformat(), is_old=(today - day).days > OLD_AFTER_DAYS)
