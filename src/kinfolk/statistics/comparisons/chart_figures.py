"""The figures of a group in the table of a comparison."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from kinfolk.statistics.comparisons.comparison_chart import ChartSeries, SeriesFigures
from kinfolk.statistics.comparisons.series import Values

WEEK, YEAR = 7, 364
"""Days. A year of whole weeks compares the same weekdays."""
GROWTH_DAYS = 730
"""Days of data from which a growth rate is computed."""
_YEAR_DAYS = 365


def series_figures(days: Values, window: int, bins: Values, complete: NDArray[np.bool_]) -> SeriesFigures:
    """The figures of a group, without its share and its stars.

    `days` end with the last day of the range; the last `window` of them belong to the range. `bins` are the sums of its
    bins: those marked `complete` count.
    """
    known = bins[complete & ~np.isnan(bins)]
    this_week = _sum(days, 0, WEEK)
    return SeriesFigures(
        total=round(float(known.sum())),
        last_bin=round(float(known[-1])) if known.size and complete.any() else None,
        last_week=None if this_week is None else round(this_week),
        week_change=_change(this_week, _sum(days, WEEK, WEEK)),
        year_change=_change(this_week, _sum(days, YEAR, WEEK)),
        yearly_growth=_yearly_growth(days[-window:]),
        share=None,
    )


def with_shares(series: Sequence[ChartSeries], stars: Sequence[int | None]) -> tuple[ChartSeries, ...]:
    """The series with the share of each in the total of all, in percent, and the stars of each."""
    total = sum(one.figures.total for one in series if one.figures)
    return tuple(
        one if one.figures is None else replace(one, figures=_completed(one.figures, total, count))
        for one, count in zip(series, stars, strict=True)
    )


def _completed(figures: SeriesFigures, total: int, stars: int | None) -> SeriesFigures:
    share = round(100 * figures.total / total, 2) if total else None
    return replace(figures, share=share, stars=stars)


def _sum(days: Values, ago: int, length: int) -> float | None:
    """The sum of the `length` days that end `ago` days before the last; None if one of them is not known."""
    end = len(days) - ago
    part = days[max(end - length, 0) : max(end, 0)]
    return None if len(part) < length or np.isnan(part).any() else float(part.sum())


def _change(now: float | None, before: float | None) -> float | None:
    return None if now is None or not before else round(100 * (now / before - 1), 2)


def _yearly_growth(days: Values) -> float | None:
    """The compound annual growth rate between the first and the last year of the data, in percent."""
    known = np.flatnonzero(np.nan_to_num(days) > 0)
    if not known.size or len(days) - known[0] < GROWTH_DAYS:
        return None
    data = days[known[0] :]
    first, last = _mean(data[:_YEAR_DAYS]), _mean(data[-_YEAR_DAYS:])
    years = (len(data) - _YEAR_DAYS) / _YEAR_DAYS
    return round(100 * ((last / first) ** (1 / years) - 1), 2) if first > 0 and last > 0 else None


def _mean(days: Values) -> float:
    """The mean of the known days; 0 without any."""
    known = days[~np.isnan(days)]
    return float(known.mean()) if known.size else 0.0
