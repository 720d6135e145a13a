"""Synthetic histories, for a site that has not reached npm.

    sample_history("react", date(2026, 11, 22))

The shape is that of real packages: few downloads on weekends and at Christmas, growth that differs from year to year,
noise. Size, first day and growth follow from hashes of the name, not from the package: they are not estimates.

A count depends on the name and the day only, so the counts of earlier days do not change when the last day moves. All
machines give the same counts: hashes are BLAKE2b and SplitMix64, and the arithmetic is limited to operations that
IEEE 754 defines exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from hashlib import blake2b
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from kinfolk.statistics.comparisons.series import Days, Values, day_number, day_of
from kinfolk.statistics.histories.history import FIRST_DAY, DownloadHistory

LATEST_RELEASE = date(2022, 12, 31)
"""The newest first day of a sample."""
WEEKDAYS = (1.24, 1.31, 1.33, 1.33, 1.11, 0.34, 0.34)
"""Downloads of the days from Monday to Sunday, relative to the average: those of react, 2023 to 2025."""
HOLIDAYS = {
    (12, 24): 0.75, (12, 25): 0.47, (12, 26): 0.5, (12, 27): 0.62, (12, 28): 0.64, (12, 29): 0.64, (12, 30): 0.62,
    (12, 31): 0.56, (1, 1): 0.41, (1, 2): 0.75,
}  # fmt: skip
"""Downloads by month and day, relative to the days around Christmas."""
REGISTRY_PER_DAY = 4e9
"""Downloads of all packages together on 1 January 2015: far above the sum of a comparison."""
RAMP_DAYS = 500
"""Days from the first release to the usual size."""
DAILY_NOISE, MONTHLY_NOISE = 0.05, 0.06
_MONTH = 30
_MONDAY = 4
"""1 January 1970 is a Thursday: the day number of a Monday is 4 modulo 7."""

Hashes: TypeAlias = NDArray[np.uint64]
_GAMMA, _MIX_1, _MIX_2 = (np.uint64(number) for number in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))


def sample_history(package: str, last_day: date) -> DownloadHistory:
    """The synthetic history of a package up to `last_day`; of one day if its first release is later.

    Without a package, that of the whole registry. `as_of` is the end of the last day.
    """
    sample = _sample(package)
    first = day_number(sample.first)
    days = np.arange(first, max(day_number(last_day), first) + 1, dtype=np.int64)
    counts = np.floor(_counts(sample, days)).astype(np.int64)
    as_of = datetime.combine(last_day + timedelta(days=1), datetime.min.time())
    return DownloadHistory(package, "sample", sample.first, counts, as_of)


@dataclass(frozen=True)
class _Sample:
    """`seed` starts the hashes of days, `per_day` is the average of the first year, `first` the first day."""

    seed: int
    first: date
    per_day: float


def _sample(package: str) -> _Sample:
    digest = blake2b(package.encode(), digest_size=24, person=b"kinfolk-sample").digest()
    seed, size, release = (int.from_bytes(digest[at : at + 8], "little") for at in (0, 8, 16))
    if not package:
        return _Sample(seed, FIRST_DAY, REGISTRY_PER_DAY)
    # Sizes are spread over powers of ten: from 1,000 to 1,000,000 downloads a day.
    power = (1e3, 1e4, 1e5)[size % 3]
    # A third of the packages is older than npm's counts.
    days = (release // 3) % (LATEST_RELEASE - FIRST_DAY).days if release % 3 else 0
    return _Sample(seed, FIRST_DAY + timedelta(days=days), power * (1 + 9 * _fraction(size // 3)))


def _counts(sample: _Sample, days: Days) -> Values:
    weekday = np.array(WEEKDAYS)[(days - _MONDAY) % 7]
    daily = 1 + DAILY_NOISE * (_noise(sample.seed, days) + _noise(sample.seed + 1, days))
    calendar: Values = weekday * _holidays(days)
    return sample.per_day * _level(sample, days) * calendar * daily * _monthly(sample.seed + 2, days)


def _level(sample: _Sample, days: Days) -> Values:
    """The size relative to that of the first year: straight lines between the first days of years."""
    first, last = sample.first.year, day_of(int(days[-1])).year + 1
    starts = np.array([day_number(date(year, 1, 1)) for year in range(first, last + 1)])
    levels = np.array(_yearly_levels(sample.seed, first, last))
    # Not numpy.interp, which may round differently on machines that multiply and add in one step.
    year = np.searchsorted(starts, days, side="right") - 1
    within = (days - starts[year]) / (starts[year + 1] - starts[year])
    level: Values = levels[year] + (levels[year + 1] - levels[year]) * within
    age = np.minimum((days - days[0]) / RAMP_DAYS, 1) if sample.first > FIRST_DAY else 1
    return level * (0.02 + 0.98 * age * age)


def _yearly_levels(seed: int, first: int, last: int) -> Sequence[float]:
    levels = [1.0]
    for year in range(first + 1, last + 1):
        # From -10% to +60%; less for an old package.
        growth = (-0.1 + 0.7 * _fraction(_mixed(seed, year))) * 10 / (10 + year - first)
        levels.append(levels[-1] * (1 + growth))
    return levels


def _holidays(days: Days) -> Values:
    factors = np.ones(len(days))
    begin, end = int(days[0]), int(days[-1])
    for year in range(day_of(begin).year, day_of(end).year + 1):
        for (month, day), factor in HOLIDAYS.items():
            at = day_number(date(year, month, day)) - begin
            if 0 <= at < len(days):
                factors[at] = factor
    return factors


def _monthly(seed: int, days: Days) -> Values:
    """Slow noise: straight lines between a value for each 30 days."""
    month, within = days // _MONTH, (days % _MONTH) / _MONTH
    return 1 + MONTHLY_NOISE * (_noise(seed, month) * (1 - within) + _noise(seed, month + 1) * within)


def _noise(seed: int, numbers: Days) -> Values:
    """A value from -1 to 1 for each number."""
    hashes = _split_mix(np.uint64(seed % (1 << 64)) + numbers.astype(np.uint64) * _GAMMA)
    return (hashes >> np.uint64(11)).astype(np.float64) / (1 << 52) - 1


def _split_mix(state: Hashes) -> Hashes:
    """The output function of SplitMix64, modulo 2^64."""
    mixed = (state ^ (state >> np.uint64(30))) * _MIX_1
    mixed = (mixed ^ (mixed >> np.uint64(27))) * _MIX_2
    return mixed ^ (mixed >> np.uint64(31))


def _mixed(seed: int, number: int) -> int:
    return int.from_bytes(blake2b(f"{seed} {number}".encode(), digest_size=8).digest(), "little")


def _fraction(number: int) -> float:
    """A value from 0 to 1 from the lowest 32 bits."""
    return (number % (1 << 32)) / (1 << 32)
