"""A comparison as CSV and as an Atom feed."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path

import feedparser
import pytest
from lxml import etree

from kinfolk.statistics.comparisons.comparison import BinUnit, Comparison, GroupPackage, PackageGroup
from kinfolk.statistics.comparisons.comparison_chart import BinAxis, ChartSeries, ComparisonChart, ValueAxis
from kinfolk.statistics.comparisons.comparison_feed import FeedAddresses, comparison_feed, feed_comparison
from kinfolk.statistics.comparisons.comparison_table import comparison_csv

ADDRESSES = FeedAddresses("https://kinfolk.example/stats/npm.atom", "https://kinfolk.example/stats/npm", "Kinfolk")
SCHEMA = Path(__file__).parents[3] / "samples/atom.rng"


def series(name: str, *values: float | None) -> ChartSeries:
    return ChartSeries(
        name=name,
        label=name,
        packages=(GroupPackage(name),),
        color="#1f77b4",
        dash="",
        baseline=False,
        status="ready",
        message="",
        values=values,
        gaps=(),
        fixed=(),
        figures=None,
    )


def chart(*shown: ChartSeries, unit: BinUnit = "weekly", first: str = "2026-10-04") -> ComparisonChart:
    groups = tuple(PackageGroup(one.packages) for one in shown)
    return ComparisonChart(
        comparison=Comparison(groups),
        query="",
        title=" vs ".join(one.label for one in shown),
        axis=BinAxis(unit, first, max((len(one.values) for one in shown), default=0), aligned=False, partial=()),
        value_axis=ValueAxis("Downloads per week", "count"),
        series=shown,
        outages=(),
        last_day="2026-10-24",
        as_of="2026-10-25T01:00:00",
        source="Counted by npm.",
        sample=False,
        summary="",
        indexable=True,
    )


def rows(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


def test_csv_has_the_first_day_of_each_bin() -> None:
    text = comparison_csv(chart(series("swr", 10, None, 30)))
    assert rows(text) == [["date", "package", "downloads"], ["2026-10-04", "swr", "10"], ["2026-10-18", "swr", "30"]]


@pytest.mark.parametrize(
    ("unit", "first", "days"),
    [
        ("daily", "2024-02-28", ["2024-02-28", "2024-02-29", "2024-03-01"]),
        ("weekly", "2023-12-31", ["2023-12-31", "2024-01-07", "2024-01-14"]),
        ("monthly", "2024-12-01", ["2024-12-01", "2025-01-01", "2025-02-01"]),
        ("yearly", "2023-01-01", ["2023-01-01", "2024-01-01", "2025-01-01"]),
    ],
)
def test_bins_of_csv_follow_the_calendar(unit: BinUnit, first: str, days: list[str]) -> None:
    text = comparison_csv(chart(series("swr", 1, 2, 3), unit=unit, first=first))
    assert [row[0] for row in rows(text)[1:]] == days


def test_csv_of_aligned_bins_numbers_them() -> None:
    shown = chart(series("swr", 1, 2))
    aligned = replace(shown, axis=replace(shown.axis, first="", aligned=True))
    assert rows(comparison_csv(aligned)) == [["bin", "package", "downloads"], ["0", "swr", "1"], ["1", "swr", "2"]]


def test_csv_of_sample_data_says_so_in_each_row() -> None:
    sample = replace(chart(series("swr", 1)), sample=True)
    assert rows(comparison_csv(sample)) == [
        ["date", "package", "downloads", "synthetic"],
        ["2026-10-04", "swr", "1", "yes"],
    ]


def test_feed_has_an_entry_for_each_complete_week() -> None:
    shown = chart(series("swr", 100, 110, 50), series("react-query", 90, 120, 60))
    feed = comparison_feed(replace(shown, axis=replace(shown.axis, partial=(2,))), ADDRESSES)
    entries = feedparser.parse(feed).entries
    assert [entry.title for entry in entries] == [
        "Week to 2026-10-17: react-query leads with 120 downloads",
        "Week to 2026-10-10: swr leads with 100 downloads",
    ]
    assert "react-query: 120 (+33.3%)" in entries[0].content[0].value
    assert "react-query is now ahead of swr." in entries[0].content[0].value


def test_feed_is_valid_atom() -> None:
    schema = etree.RelaxNG(etree.parse(SCHEMA))
    feed = comparison_feed(chart(series("<b>&", 1, 0), series("other", None, 2)), ADDRESSES)
    schema.assertValid(etree.fromstring(feed))


def test_feed_of_sample_data_has_no_entries() -> None:
    feed = comparison_feed(replace(chart(series("swr", 1, 2)), sample=True), ADDRESSES)
    assert feedparser.parse(feed).entries == []


def test_feed_shows_weekly_downloads_whatever_the_page_shows() -> None:
    shown = Comparison((PackageGroup((GroupPackage("swr"),)),), bin="daily", measure="share", baseline=("swr",))
    shown_by_feed = feed_comparison(shown)
    assert (shown_by_feed.bin, shown_by_feed.measure, shown_by_feed.baseline, shown_by_feed.groups) == (
        "weekly",
        "downloads",
        (),
        shown.groups,
    )
