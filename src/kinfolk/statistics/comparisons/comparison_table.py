"""A comparison as CSV: a row for each bin of each group."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from datetime import date, timedelta

from kinfolk.statistics.comparisons.comparison import BinUnit
from kinfolk.statistics.comparisons.comparison_chart import ComparisonChart


def comparison_csv(chart: ComparisonChart) -> str:
    """`date,package,downloads`, with the first day of each bin and the name of each group's first package.

    Measures other than downloads name the third column; aligned bins have their number instead of a date. Bins without
    data have no row. Sample data has a fourth column that says so.
    """
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    mark = ("synthetic",) if chart.sample else ()
    writer.writerow(("bin" if chart.axis.aligned else "date", "package", chart.comparison.measure, *mark))
    days = list(bin_days(chart))
    for series in chart.series:
        for day, value in zip(days, series.values, strict=False):
            if value is not None:
                writer.writerow((day, series.name, value, *("yes" for _ in mark)))
    return file.getvalue()


def bin_days(chart: ComparisonChart) -> Iterator[str | int]:
    """The first day of each bin; numbers from 0 for aligned bins."""
    if not chart.axis.first:
        yield from range(chart.axis.count)
        return
    day = date.fromisoformat(chart.axis.first)
    for _ in range(chart.axis.count):
        yield day.isoformat()
        day = next_bin(day, chart.axis.unit)


def next_bin(day: date, unit: BinUnit) -> date:
    """The first day of the bin after the one that begins on `day`."""
    match unit:
        case "daily":
            return day + timedelta(days=1)
        case "weekly":
            return day + timedelta(weeks=1)
        case "monthly":
            return (day.replace(day=1) + timedelta(days=31)).replace(day=1)
        case "yearly":
            return date(day.year + 1, 1, 1)
