"""Sums, bins and changes of daily counts: pure functions on arrays.

Inside this module a value that is not known is NaN, which sums and comparisons propagate; `known_values` turns it into
None. No function returns an infinity. Days are numbers: the days since 1 January 1970. Days and bins are in UTC, weeks
begin on Sunday.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from kinfolk.statistics.comparisons.comparison import BinUnit
from kinfolk.statistics.histories.history import NO_COUNT, DownloadHistory

Values: TypeAlias = NDArray[np.float64]
Days: TypeAlias = NDArray[np.int64]
SIGNIFICANT_DIGITS = 6
"""Digits of values that are no counts."""
_EXACT = 2.0**53
"""Below this, floating-point numbers are exact integers."""
_MOST_PLACES = 22
"""The largest power of ten that is an exact floating-point number."""
_POWERS = np.array([float(f"1e{number}") for number in range(_MOST_PLACES + 1)])
_SUNDAY = 3
"""1 January 1970 is a Thursday, so the day number of a Sunday is 3 modulo 7."""
_NUMPY_UNITS: dict[BinUnit, Literal["M", "Y"]] = {"monthly": "M", "yearly": "Y"}
YEAR_OF_BINS: dict[BinUnit, int] = {"daily": 364, "weekly": 52, "monthly": 12, "yearly": 1}
"""Bins between a bin and that of the year before; days and weeks keep their weekday."""


@dataclass(frozen=True)
class Binned:
    """`values` of bins, and in how many days of each bin a count is `present` or was `expected`."""

    values: Values
    present: Days
    expected: Days

    @property
    def gaps(self) -> NDArray[np.bool_]:
        """Bins in which some days are missing."""
        return (self.present > 0) & (self.present < self.expected)


def day_number(day: date) -> int:
    return (day - date(1970, 1, 1)).days


def day_of(number: int) -> date:
    return date.fromordinal(date(1970, 1, 1).toordinal() + number)


def bin_edges(first: int, last: int, unit: BinUnit) -> Days:
    """The first days of the bins that contain the days from `first` to `last`, and the day after the last bin."""
    if unit == "daily":
        return np.arange(first, last + 2, dtype=np.int64)
    if unit == "weekly":
        return np.arange(first - (first - _SUNDAY) % 7, last + 8 - (last - _SUNDAY) % 7, 7, dtype=np.int64)
    numpy_unit = _NUMPY_UNITS[unit]
    months = np.array([first, last], dtype="datetime64[D]").astype(f"datetime64[{numpy_unit}]").astype(np.int64)
    starts = np.arange(months[0], months[1] + 2, dtype=np.int64).astype(f"datetime64[{numpy_unit}]")
    return starts.astype("datetime64[D]").astype(np.int64)


def daily_values(history: DownloadHistory, first: int, last: int, *, void_days: Days | None = None) -> Values:
    """The counts of the days from `first` to `last`; NaN outside the history.

    A count of 0 on a day of `void_days` is unknown: npm counted nothing at all on these days.
    """
    days = np.full(last - first + 1, np.nan)
    begin = day_number(history.first)
    low, high = max(first, begin), min(last, begin + len(history.counts) - 1)
    if low <= high:
        counts = history.counts[low - begin : high - begin + 1]
        days[low - first : high - first + 1] = np.where(counts == NO_COUNT, np.nan, counts)
    if void_days is not None:
        void = void_days[(void_days >= first) & (void_days <= last)] - first
        days[void[days[void] == 0]] = np.nan
    return days


def void_days(spans: Iterable[tuple[date, date]]) -> Days:
    """The days of these spans, first and last ones included."""
    days = [np.arange(day_number(first), day_number(last) + 1, dtype=np.int64) for first, last in spans]
    return np.concatenate(days) if days else np.empty(0, dtype=np.int64)


def add_up(members: Sequence[Values]) -> Values:
    """The sum of each day: NaN only where no member has a count."""
    if len(members) == 1:
        return members[0]
    stacked = np.vstack(members)
    return np.where(np.isnan(stacked).all(axis=0), np.nan, np.nansum(stacked, axis=0))


def bin_sums(days: Values, first: int, edges: Days, *, since: int | None = None) -> Binned:
    """Sums of `days`, which begin on the day `first`, in bins. A bin without any count is NaN.

    Days from `since` on are expected to have a count. By default, those between the first count and the last.
    """
    known = ~np.isnan(days)
    span = np.zeros(len(days), dtype=np.int64)
    found = np.flatnonzero(known)
    if since is not None:
        span[max(since - first, 0) :] = 1
    elif found.size:
        span[found[0] : found[-1] + 1] = 1
    present = _sums_between(known.astype(np.float64), first, edges).astype(np.int64)
    expected = _sums_between(span.astype(np.float64), first, edges).astype(np.int64)
    sums = _sums_between(np.where(known, days, 0.0), first, edges)
    return Binned(np.where(present > 0, sums, np.nan), present, expected)


def _sums_between(values: Values, first: int, edges: Days) -> Values:
    running = np.concatenate(([0.0], np.cumsum(values)))
    at = np.clip(edges - first, 0, len(values))
    return running[at[1:]] - running[at[:-1]]


def scale_gaps(binned: Binned) -> Values:
    """The values, with those of bins with gaps scaled to all expected days."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(binned.gaps, binned.values * (binned.expected / binned.present), binned.values)


def first_known(values: Values, usable: NDArray[np.bool_]) -> int | None:
    """The first usable bin whose value is above zero."""
    found = np.flatnonzero(usable & (np.nan_to_num(values) > 0))
    return int(found[0]) if found.size else None


def baseline_index(baselines: Sequence[Values], usable: NDArray[np.bool_]) -> Values:
    """The average growth of the baselines since the first usable bin in which all have a value: 1 there.

    NaN everywhere without such a bin, and where a baseline has no value or zero.
    """
    all_above = np.vstack([np.nan_to_num(one) > 0 for one in baselines]).all(axis=0)
    found = np.flatnonzero(all_above & usable)
    if not found.size:
        return np.full(len(usable), np.nan)
    growth = np.vstack([one / one[found[0]] for one in baselines]).mean(axis=0)
    return np.where(all_above, growth, np.nan)


def divide(values: Values, divisor: Values) -> Values:
    """NaN where the divisor is unknown or zero, and where the quotient is too large for a number."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        quotient = values / divisor
    return np.where(np.isfinite(quotient), quotient, np.nan)


def change_since(values: Values, start: int | None) -> Values:
    """Change in percent against the bin `start`; NaN everywhere without one."""
    if start is None:
        return np.full(len(values), np.nan)
    return 100 * (divide(values, np.full(len(values), values[start])) - 1)


def change_over(values: Values, bins: int) -> Values:
    """Change in percent against the value that many bins before."""
    before = np.full(len(values), np.nan)
    before[bins:] = values[:-bins] if bins < len(values) else []
    return 100 * (divide(values, before) - 1)


def running_total(values: Values) -> Values:
    """Totals since the first value; NaN before it, and after the last value."""
    known = np.flatnonzero(~np.isnan(values))
    total = np.nancumsum(values)
    inside = np.zeros(len(values), dtype=bool)
    if known.size:
        inside[known[0] : known[-1] + 1] = True
    return np.where(inside, total, np.nan)


def known_values(values: Values) -> tuple[float | None, ...]:
    """Values for JSON: whole numbers as integers, others with SIGNIFICANT_DIGITS, NaN as None."""
    unknown = np.isnan(values)
    whole = (np.floor(values) == values) & (np.abs(values) < _EXACT)
    if (whole | unknown).all():
        found: list[float | None] = np.where(unknown, 0, values).astype(np.int64).tolist()
    else:
        found = _rounded(values).tolist()
        for index in np.flatnonzero(whole).tolist():
            found[index] = int(values[index])
    for index in np.flatnonzero(unknown).tolist():
        found[index] = None
    return tuple(found)


def _rounded(values: Values) -> Values:
    """With SIGNIFICANT_DIGITS: each result is the floating-point number next to its decimal digits."""
    with np.errstate(divide="ignore", invalid="ignore"):
        digits = np.nan_to_num(SIGNIFICANT_DIGITS - 1 - np.floor(np.log10(np.abs(values))))
    places = np.clip(digits, -_MOST_PLACES, _MOST_PLACES).astype(np.int64)
    up, down = _POWERS[np.maximum(places, 0)], _POWERS[np.maximum(-places, 0)]
    rounded: Values = np.rint(values * up / down) * down / up
    return rounded
