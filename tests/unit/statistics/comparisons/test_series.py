"""Sums, bins and changes of daily counts."""

from __future__ import annotations

import csv
import sqlite3
from collections.abc import Sequence
from datetime import date, timedelta
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.inputs.npm_histories import COUNTS, history, real_histories

from kinfolk.statistics.comparisons.comparison import BinUnit
from kinfolk.statistics.comparisons.series import (
    Values,
    add_up,
    baseline_index,
    bin_edges,
    bin_sums,
    change_over,
    change_since,
    daily_values,
    day_number,
    day_of,
    divide,
    first_known,
    known_values,
    running_total,
    scale_gaps,
)

UNITS: tuple[BinUnit, ...] = ("daily", "weekly", "monthly", "yearly")
counts = st.lists(st.one_of(st.none(), st.integers(0, 10**9)), min_size=1, max_size=800)
begins = st.integers(day_number(date(2015, 1, 10)), day_number(date(2030, 1, 1)))
units = st.sampled_from(UNITS)


def as_days(given: Sequence[int | None]) -> Values:
    return np.array([np.nan if count is None else count for count in given], dtype=np.float64)


@given(counts, begins, units)
def test_binning_conserves_totals(given: list[int | None], first: int, unit: BinUnit) -> None:
    days = as_days(given)
    binned = bin_sums(days, first, bin_edges(first, first + len(days) - 1, unit))
    assert np.nansum(binned.values) == np.nansum(days)
    assert binned.present.sum() == sum(count is not None for count in given)


@pytest.mark.no_cover
@given(st.lists(counts, min_size=1, max_size=4), begins, units)
def test_merging_commutes_with_binning(members: list[list[int | None]], first: int, unit: BinUnit) -> None:
    length = max(map(len, members))
    padded = [as_days([*member, *[None] * (length - len(member))]) for member in members]
    edges = bin_edges(first, first + length - 1, unit)
    merged_first = bin_sums(add_up(padded), first, edges).values
    binned_first = add_up([bin_sums(member, first, edges).values for member in padded])
    np.testing.assert_array_equal(merged_first, binned_first)


@given(counts, begins, units)
def test_series_relative_to_itself_is_flat(given: list[int | None], first: int, unit: BinUnit) -> None:
    edges = bin_edges(first, first + len(given) - 1, unit)
    values = bin_sums(as_days(given), first, edges).values
    usable = np.ones(len(values), dtype=bool)
    start = first_known(values, usable)
    flat = divide(values, baseline_index([values], usable))
    known = flat[~np.isnan(flat)]
    assert (start is None) == (not known.size)
    if start is not None:
        np.testing.assert_allclose(known, values[start], rtol=1e-12)


@given(st.lists(counts, min_size=1, max_size=3), begins, units)
def test_no_value_is_infinite_or_not_a_number(members: list[list[int | None]], first: int, unit: BinUnit) -> None:
    length = min(map(len, members))
    edges = bin_edges(first, first + length - 1, unit)
    binned = [bin_sums(as_days(member[:length]), first, edges) for member in members]
    values, usable = binned[0].values, np.ones(len(edges) - 1, dtype=bool)
    results = (
        scale_gaps(binned[0]),
        divide(values, baseline_index([one.values for one in binned], usable)),
        change_since(values, first_known(values, usable)),
        change_over(values, 12),
        running_total(values),
        divide(values, binned[-1].values),
    )
    for result in results:
        assert all(value is None or np.isfinite(value) for value in known_values(result))


@given(begins, st.integers(1, 1200), units)
def test_edges_contain_the_days_and_follow_the_calendar(first: int, length: int, unit: BinUnit) -> None:
    edges = bin_edges(first, first + length - 1, unit)
    assert edges[0] <= first < edges[1]
    assert edges[-2] <= first + length - 1 < edges[-1]
    starts = [day_of(int(edge)) for edge in edges]
    assert all(later > earlier for earlier, later in pairwise(starts))
    if unit == "weekly":
        assert {day.isoweekday() for day in starts} == {7}
    if unit == "monthly":
        assert {day.day for day in starts} == {1}
    if unit == "yearly":
        assert {(day.month, day.day) for day in starts} == {(1, 1)}


@pytest.mark.parametrize(
    ("first", "last", "unit", "starts"),
    [
        ("2024-02-28", "2024-03-01", "daily", ["2024-02-28", "2024-02-29", "2024-03-01"]),
        ("2024-02-29", "2024-03-01", "monthly", ["2024-02-01", "2024-03-01"]),
        ("2024-12-31", "2025-01-01", "weekly", ["2024-12-29"]),
        ("2024-12-28", "2024-12-29", "weekly", ["2024-12-22", "2024-12-29"]),
        ("2023-12-31", "2024-01-01", "yearly", ["2023-01-01", "2024-01-01"]),
        ("2015-01-10", "2015-01-10", "weekly", ["2015-01-04"]),
    ],
)
def test_bins_at_leap_days_and_at_the_edges_of_weeks_and_years(
    first: str, last: str, unit: BinUnit, starts: list[str]
) -> None:
    edges = bin_edges(day_number(date.fromisoformat(first)), day_number(date.fromisoformat(last)), unit)
    assert [day_of(int(edge)).isoformat() for edge in edges[:-1]] == starts


def test_days_of_an_outage_have_no_value_if_npm_counted_nothing() -> None:
    first = date(2023, 11, 1)
    known = history("react", first.isoformat(), [5, 2, 0, 6])
    void = np.array([day_number(first + timedelta(days=n)) for n in (1, 2, 3)])
    days = daily_values(known, day_number(first), day_number(first) + 3, void_days=void)
    assert known_values(days) == (5, 2, None, 6)


def test_bin_with_missing_days_is_a_gap_and_can_be_scaled() -> None:
    first = day_number(date(2024, 1, 7))
    days = as_days([10] * 7 + [10, None, None, 10, 10, 10, 10] + [10] * 7)
    binned = bin_sums(days, first, bin_edges(first, first + 20, "weekly"))
    assert known_values(binned.values) == (70, 50, 70)
    assert binned.gaps.tolist() == [False, True, False]
    assert known_values(scale_gaps(binned)) == (70, 70, 70)


def test_days_before_the_first_release_are_no_gap() -> None:
    first = day_number(date(2024, 1, 7))
    binned = bin_sums(as_days([None] * 5 + [3] * 9), first, bin_edges(first, first + 13, "weekly"))
    assert binned.gaps.tolist() == [False, False]


def test_index_gives_each_baseline_the_same_weight() -> None:
    small, large = as_days([1, 2, 4]), as_days([1000, 1000, 1000])
    assert known_values(baseline_index([small, large], np.ones(3, dtype=bool))) == (1, 1.5, 2.5)


SQL_BINS: dict[BinUnit, str] = {
    "weekly": "CAST(julianday(start) - julianday('2000-01-02') AS INTEGER) / 7",
    "monthly": "strftime('%Y-%m', start)",
    "yearly": "strftime('%Y', start)",
}
"""Bins of the column `start` in SQLite. 2 January 2000 is a Sunday."""


def sums_by_sql(unit: BinUnit) -> dict[str, list[int]]:
    """The sums of each package, computed by SQLite from the file."""
    bins = SQL_BINS[unit]
    query = f"SELECT package, sum(downloads) FROM days GROUP BY package, {bins} ORDER BY package, min(start)"  # noqa: S608
    with COUNTS.open(newline="") as lines, sqlite3.connect(":memory:") as database:
        rows = [
            (row["package"], row["start"], row["downloads"]) for row in csv.DictReader(lines) if row["kind"] == "day"
        ]
        database.execute("CREATE TABLE days (package, start, downloads INTEGER)")
        database.executemany("INSERT INTO days VALUES (?, ?, ?)", rows)
        sums: dict[str, list[int]] = {}
        for package, total in database.execute(query):
            sums.setdefault(package, []).append(total)
    return sums


@pytest.mark.parametrize("unit", SQL_BINS)
def test_bins_of_real_counts_equal_sums_of_a_database(unit: BinUnit) -> None:
    assert len(real_histories()) == 14
    expected = sums_by_sql(unit)
    for package, known in real_histories().items():
        first = day_number(known.first)
        last = first + len(known.counts) - 1
        binned = bin_sums(daily_values(known, first, last), first, bin_edges(first, last, unit))
        assert [value for value in known_values(binned.values) if value is not None] == expected[package], package
