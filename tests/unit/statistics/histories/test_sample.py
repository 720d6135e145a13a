"""Synthetic histories."""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kinfolk.statistics.histories.history import FIRST_DAY
from kinfolk.statistics.histories.sample import LATEST_RELEASE, sample_history

names = st.text(max_size=30)
last_days = st.dates(date(2023, 1, 1), date(2045, 1, 1))


@given(names, last_days, st.integers(0, 2000))
def test_counts_of_earlier_days_do_not_change(name: str, last: date, more: int) -> None:
    short, long = sample_history(name, last), sample_history(name, last + timedelta(days=more))
    assert short.first == long.first
    np.testing.assert_array_equal(long.counts[: len(short.counts)], short.counts)
    assert len(long.counts) == len(short.counts) + more


@given(names, last_days)
def test_history_is_marked_and_ends_on_its_last_day(name: str, last: date) -> None:
    sample = sample_history(name, last)
    assert (sample.package, sample.source, sample.origin) == (name, "sample", "")
    assert FIRST_DAY <= sample.first <= LATEST_RELEASE
    assert sample.first + timedelta(days=len(sample.counts) - 1) == last
    assert (sample.counts >= 0).all()
    assert (sample.counts < 10**12).all()


def test_counts_are_the_same_on_all_machines() -> None:
    counts = sample_history("react", date(2024, 3, 1)).counts
    assert counts[-5:].tolist() == [901647, 994555, 1017579, 971533, 848585]
    assert int(counts.sum()) == 111266410


def test_packages_differ_and_have_a_quiet_weekend_and_christmas() -> None:
    first, second = (sample_history(name, date(2025, 12, 31)) for name in ("react", "vue"))
    assert not np.array_equal(first.counts[-30:], second.counts[-30:])
    week = first.counts[-38:-10]  # four weeks that end on Sunday, December 21
    days = week.reshape(4, 7).mean(axis=0)
    assert days[5:].max() < 0.5 * days[:5].min()
    christmas = first.counts[-7]  # Thursday, December 25
    assert christmas < 0.7 * first.counts[-14]


def test_registry_has_more_downloads_than_a_comparison_of_32_packages() -> None:
    last = date(2026, 1, 1)
    registry = sample_history("", last).counts[-365:]
    assert registry.min() > 10 * sum(sample_history(f"p{n}", last).counts[-365:].max() for n in range(32))


def test_history_before_the_first_release_has_one_day() -> None:
    assert len(sample_history("react", date(2015, 1, 1)).counts) == 1
