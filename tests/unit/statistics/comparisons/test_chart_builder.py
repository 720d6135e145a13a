"""The chart of a comparison: window, bins, measures, baselines, messages and description."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import date, timedelta
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.inputs.npm_histories import history, real_histories

from kinfolk.statistics.comparisons import comparison as model
from kinfolk.statistics.comparisons.chart_builder import ChartInputs, MissingPackage, build_chart
from kinfolk.statistics.comparisons.comparison import Comparison, GroupPackage, PackageGroup
from kinfolk.statistics.comparisons.comparison_chart import ChartSeries, ComparisonChart
from kinfolk.statistics.comparisons.comparison_query import BINS
from kinfolk.statistics.histories.history import DownloadHistory
from kinfolk.statistics.histories.sample import sample_history
from kinfolk.statistics.npm_config import CategoryEntry, GroupEntry, NpmConfig, OutageEntry

CONFIG = NpmConfig(
    palette=("#111111", "#222222"),
    categories=(CategoryEntry("Frameworks", (GroupEntry(("vue",), "#41b883"), GroupEntry(("react",)))),),
    outages=(
        OutageEntry("2023-11-02", "2023-11-03", "npm counted nothing on the second day."),
        OutageEntry("2022-11-28", "2022-12-22", "One build downloaded it often.", "vue"),
    ),
)
SUNDAY = "2024-01-07"


def group(*names: str, hidden: bool = False, color: str | None = None) -> PackageGroup:
    first, *others = names
    return PackageGroup((GroupPackage(first, hidden), *map(GroupPackage, others)), color)


def comparison(*names: str, **fields: object) -> Comparison:
    return replace(Comparison(tuple(map(group, names))), **fields)  # type: ignore[arg-type]  # the fields of a test


def build(
    compared: Comparison, *histories: DownloadHistory, today: str = "2030-01-01", **inputs: object
) -> ComparisonChart:
    by_name = {one.package: one for one in histories}
    return build_chart(
        compared,
        ChartInputs(CONFIG, by_name, date.fromisoformat(today), **inputs),  # type: ignore[arg-type]  # the fields of a test
    )


def constant(package: str, first: str, last: str, count: int) -> DownloadHistory:
    days = (date.fromisoformat(last) - date.fromisoformat(first)).days + 1
    return history(package, first, [count] * days)


def values(chart: ComparisonChart, index: int = 0) -> list[float | None]:
    return list(chart.series[index].values)


# Window and bins


def test_weeks_begin_on_sunday_and_the_first_and_last_are_filled_or_partial() -> None:
    chart = build(comparison("vue"), constant("vue", "2020-01-01", "2024-12-31", 10))
    assert (chart.axis.first, chart.axis.count, chart.last_day) == ("2023-12-31", 53, "2024-12-31")
    # Seven days in the first week, though the range begins on Tuesday; the last week has three.
    assert values(chart) == [70] * 52 + [30]
    assert chart.axis.partial == (52,)
    assert chart.series[0].gaps == ()


def test_last_day_is_the_newest_with_a_count_and_at_most_yesterday() -> None:
    counted_until_friday = history("vue", SUNDAY, [5] * 6 + [0, 0])
    assert build(comparison("vue"), counted_until_friday).last_day == "2024-01-12"
    assert build(comparison("vue"), counted_until_friday, today="2024-01-10").last_day == "2024-01-09"


def test_hidden_group_does_not_change_the_window() -> None:
    compared = Comparison((group("vue"), group("react", hidden=True)), range="all-time")
    chart = build(compared, constant("vue", SUNDAY, "2024-01-20", 1), constant("react", "2016-01-01", "2024-03-01", 1))
    assert (chart.axis.first, chart.last_day, chart.axis.count) == (SUNDAY, "2024-01-20", 2)
    assert [one.status for one in chart.series] == ["ready", "hidden"]
    assert chart.series[1].values == ()
    assert chart.series[1].figures is None


def test_range_does_not_begin_before_the_first_day_of_npm() -> None:
    chart = build(comparison("vue", range="1825-days", bin="daily"), constant("vue", "2015-01-10", "2016-01-01", 1))
    assert chart.axis.first == "2015-01-10"


def test_partial_bin_is_left_out_on_request() -> None:
    chart = build(comparison("vue", bins="complete"), constant("vue", "2020-01-01", "2024-12-31", 10))
    assert values(chart) == [70] * 52
    assert chart.axis.partial == ()


def test_series_has_no_value_before_its_release_and_after_its_end() -> None:
    compared = comparison("vue", "react", range="all-time")
    young = constant("react", "2024-01-14", "2024-01-27", 2)
    chart = build(compared, constant("vue", SUNDAY, "2024-02-03", 1), young)
    assert values(chart, 1) == [None, 14, 14, None]


def test_group_adds_its_packages_up_except_hidden_ones() -> None:
    packages = (GroupPackage("vue"), GroupPackage("nuxt"), GroupPackage("react", hidden=True))
    compared = Comparison((PackageGroup(packages),), range="all-time", bin="daily")
    chart = build(
        compared,
        history("vue", SUNDAY, [1, None, None, 4]),
        history("nuxt", SUNDAY, [10, 20, None, 40]),
        history("react", SUNDAY, [7] * 4),
    )
    assert values(chart) == [11, 20, None, 44]


# Outages and gaps


def test_day_on_which_npm_counted_nothing_has_no_value() -> None:
    chart = build(comparison("vue", range="all-time", bin="daily"), history("vue", "2023-11-01", [9, 3, 0, 4]))
    assert values(chart) == [9, 3, None, 4]
    assert [(outage.first, outage.package) for outage in chart.outages] == [("2023-11-02", "")]


def test_zero_outside_of_an_outage_is_a_count() -> None:
    chart = build(comparison("vue", range="all-time", bin="daily"), history("vue", "2023-12-01", [9, 3, 0, 4]))
    assert values(chart) == [9, 3, 0, 4]
    assert chart.outages == ()


@pytest.mark.parametrize(("name", "packages"), [("vue", ["vue"]), ("react", [])])
def test_outage_of_a_package_is_noted_where_it_is_shown(name: str, packages: list[str]) -> None:
    chart = build(comparison(name), constant(name, "2020-01-01", "2023-01-01", 3))
    assert [outage.package for outage in chart.outages] == packages


def test_week_with_missing_days_is_a_gap_and_scaled_on_request() -> None:
    known = history("vue", SUNDAY, [10] * 7 + [10, None, None, 10, 10, 10, 10] + [10] * 7)
    raw, fixed = (build(comparison("vue", range="all-time", fix=fix), known).series[0] for fix in ("none", "zero"))
    assert (raw.values, raw.gaps, raw.fixed) == ((70, 50, 70), (1,), ())
    assert (fixed.values, fixed.gaps, fixed.fixed) == ((70, 70, 70), (), (1,))


def test_days_before_the_counts_of_a_file_are_a_gap() -> None:
    whole = constant("vue", "2024-01-09", "2024-01-20", 1)
    part = replace(whole, source="file", origin="a file")
    shown = [build(comparison("vue", range="all-time"), one).series[0] for one in (whole, part)]
    assert [(one.values, one.gaps) for one in shown] == [((5, 7), ()), ((5, 7), (0,))]


def test_days_that_are_not_stored_yet_are_a_gap() -> None:
    compared = comparison("vue", "react", range="all-time")
    chart = build(compared, constant("vue", SUNDAY, "2024-01-20", 1), constant("react", SUNDAY, "2024-01-17", 1))
    assert values(chart, 1) == [7, 4]
    assert chart.series[1].gaps == (1,)


# Measures, baselines, transforms


def test_values_are_divided_by_the_growth_of_the_baseline() -> None:
    compared = comparison("vue", "react", range="all-time", bin="daily", baseline=("react",))
    chart = build(compared, history("vue", SUNDAY, [6, 6, 6, 9]), history("react", SUNDAY, [100, 200, 0, 150]))
    assert values(chart) == [6, 3, None, 6]
    assert values(chart, 1) == [100, 100, None, 100]
    assert [one.baseline for one in chart.series] == [False, True]
    assert chart.value_axis.title == "Downloads per day, relative to the baseline"


def test_several_baselines_weigh_the_same() -> None:
    compared = comparison("a", "b", "c", range="all-time", bin="daily", baseline=("b", "c"))
    chart = build(
        compared,
        history("a", SUNDAY, [30, 30]),
        history("b", SUNDAY, [1, 3]),
        history("c", SUNDAY, [1000, 1000]),
    )
    assert values(chart) == [30, 15]


def test_hidden_baseline_still_divides_and_is_drawn_on_request() -> None:
    compared = Comparison((group("vue"), group("react", hidden=True)), "all-time", "daily", baseline=("react",))
    histories = history("vue", SUNDAY, [6, 6]), history("react", SUNDAY, [1, 2])
    assert [one.values for one in build(compared, *histories).series] == [(6, 3), ()]
    shown = build(replace(compared, show_baseline=True), *histories)
    assert [one.values for one in shown.series] == [(6, 3), (1, 1)]
    raw = build(replace(compared, show_baseline=True, normalize_baseline=False), *histories)
    assert [one.values for one in raw.series] == [(6, 6), (1, 2)]


def test_relative_change_begins_with_the_first_complete_bin() -> None:
    # Released on Thursday: the first week has three days.
    released = history("vue", "2024-01-11", [1] * 3 + [1] * 7 + [2] * 7)
    chart = build(comparison("vue", range="all-time", transform="normalize-y"), released)
    assert values(chart) == [pytest.approx(-57.1429), 0, 100]
    assert chart.value_axis.kind == "signed-percent"


def test_change_over_a_year_compares_whole_weeks() -> None:
    two_years = constant("vue", "2022-01-02", "2022-12-31", 10), constant("vue", "2023-01-01", "2023-12-30", 15)
    counts = [*two_years[0].counts.tolist(), *two_years[1].counts.tolist()]
    chart = build(comparison("vue", measure="year-over-year"), history("vue", "2022-01-02", counts))
    assert set(values(chart)[1:]) == {50}


def test_change_over_a_year_has_no_value_for_a_partial_bin() -> None:
    chart = build(comparison("vue", measure="year-over-year"), constant("vue", "2020-01-01", "2024-12-31", 10))
    assert values(chart) == [0] * 52 + [None]


def test_share_of_the_registry() -> None:
    compared = comparison("vue", range="all-time", bin="daily", measure="share")
    registry = history("", SUNDAY, [200, 0, None, 400])
    assert values(build(compared, history("vue", SUNDAY, [1, 1, 1, 1]), registry=registry)) == [0.5, None, None, 0.25]


def test_share_without_counts_of_the_registry_is_not_known() -> None:
    series = build(comparison("vue", measure="share"), constant("vue", SUNDAY, "2024-02-03", 1)).series[0]
    assert (series.status, series.values) == ("no-data", ())
    assert series.message == "The downloads of all packages on npm together are not known here."


def test_cumulative_downloads() -> None:
    compared = comparison("vue", range="all-time", bin="daily", measure="cumulative")
    assert values(build(compared, history("vue", SUNDAY, [1, 2, None, 4]))) == [1, 3, 3, 7]


def test_stars_include_those_before_the_range() -> None:
    compared = comparison("vue", "react", range="7-days", bin="daily", measure="stars")
    stars = {"vue": history("vue", "2023-12-01", [3] * 40)}
    chart = build(compared, constant("vue", SUNDAY, "2024-01-20", 1), stars=stars, star_counts={"vue": 120})
    assert values(chart) == [102, 105, 108, 111, 114, 117, 120]
    figures = chart.series[0].figures
    assert figures is not None
    assert figures.stars == 120
    assert chart.series[1].message == "The stars of react are not known here."


def test_aligned_series_begin_with_their_release_and_have_complete_bins_only() -> None:
    compared = comparison("vue", "react", range="all-time", align="first-release")
    chart = build(compared, constant("vue", SUNDAY, "2024-01-30", 1), constant("react", "2024-01-14", "2024-01-30", 2))
    assert (chart.axis.first, chart.axis.aligned, chart.axis.partial) == ("", True, ())
    assert [value for value in values(chart) if value is not None] == [7, 7, 7]
    assert [value for value in values(chart, 1) if value is not None] == [14, 14]
    assert values(chart, 1)[0] == 14


def test_mirrors_are_subtracted_each_day() -> None:
    compared = comparison("vue", range="all-time", bin="daily", without_mirrors=True)
    known = history("vue", SUNDAY, [10, 3, None, 5])
    assert values(build(compared, known, mirror_floors={"vue": 4})) == [6, 0, None, 1]
    assert values(build(replace(compared, without_mirrors=False), known, mirror_floors={"vue": 4})) == [10, 3, None, 5]


# Messages, colors, figures, description


def test_package_without_a_history_has_its_message() -> None:
    missing = {"nope": MissingPackage("not-found", 'Package "nope" not found on npm')}
    chart = build(comparison("vue", "nope"), constant("vue", SUNDAY, "2024-02-03", 1), missing=missing)
    nope = chart.series[1]
    assert (nope.status, nope.message) == ("not-found", 'Package "nope" not found on npm')
    assert (nope.values, nope.figures) == ((), None)


def test_group_with_a_missing_member_is_drawn_with_a_message() -> None:
    missing = {"nope": MissingPackage("importing", "The counts of nope are being fetched.")}
    compared = Comparison((group("vue", "nope"),))
    series = build(compared, constant("vue", SUNDAY, "2024-02-03", 1), missing=missing).series[0]
    assert (series.status, series.message) == ("ready", "The counts of nope are being fetched.")


def test_chart_without_any_history() -> None:
    chart = build(comparison("vue", "react"))
    assert [one.status for one in chart.series] == ["no-data", "no-data"]
    assert (chart.last_day, chart.as_of, chart.indexable, chart.sample) == (None, None, False, False)
    assert chart.summary == "Chart of vue vs react: no data yet."


def test_color_is_chosen_or_of_the_category_or_of_the_palette() -> None:
    compared = Comparison((group("react", color="#abcdef"), group("vue"), group("react"), group("a"), group("b")))
    assert [one.color for one in build(compared).series] == ["#abcdef", "#41b883", "#111111", "#222222", "#111111"]


def test_lines_differ_without_color() -> None:
    dashes = [one.dash for one in build(comparison(*(f"p{n}" for n in range(10)))).series]
    assert len(set(dashes)) == 10
    assert dashes[0] == ""


def figures_of(series: ChartSeries) -> tuple[object, ...]:
    assert series.figures is not None
    return tuple(asdict(series.figures).values())


def test_figures_of_the_table() -> None:
    counts = [10] * 359 + [20] * 7 + [10] * 350 + [15] * 7 + [30] * 7
    known = history("vue", "2022-12-31", counts)  # to December 29, 2024, a Sunday
    chart = build(comparison("vue", "react", range="730-days"), known, constant("react", "2024-01-01", "2024-12-29", 1))
    vue, react = chart.series
    assert vue.figures is not None
    assert (vue.figures.last_week, vue.figures.week_change, vue.figures.year_change) == (210, 100, 50)
    assert vue.figures.total == sum(counts[:-1])
    assert vue.figures.last_bin == 15 + 6 * 30
    assert vue.figures.yearly_growth is not None
    assert react.figures is not None
    assert react.figures.year_change is None
    assert react.figures.yearly_growth is None
    assert vue.figures.share is not None
    assert react.figures.share is not None
    assert vue.figures.share + react.figures.share == pytest.approx(100, abs=0.01)


def test_figures_do_not_depend_on_what_the_chart_shows() -> None:
    known = constant("vue", "2020-01-01", "2024-12-28", 10), constant("react", "2020-01-01", "2024-12-28", 30)
    plain = build(comparison("vue", "react"), *known)
    for fields in ({"transform": "normalize-y"}, {"measure": "cumulative"}, {"baseline": ("react",)}):
        changed = build(comparison("vue", "react", **fields), *known)
        assert list(map(figures_of, changed.series)) == list(map(figures_of, plain.series))


def test_description_says_what_the_chart_shows() -> None:
    chart = build(
        comparison("vue", "react", range="all-time", bin="daily"),
        history("vue", SUNDAY, [1000, 1200, 1500]),
        history("react", SUNDAY, [5000, 5000, 4000]),
    )
    assert chart.summary == (
        "Line chart of vue vs react. Downloads per day, January 7, 2024 to January 9, 2024. react leads with 4,000. "
        "react: from 5,000 to 4,000 (-20%); vue: from 1,000 to 1,500 (+50%). Largest change: vue, +50%."
    )


def test_description_of_relative_changes_has_signed_percentages() -> None:
    compared = comparison("vue", "react", range="all-time", bin="daily", transform="normalize-y")
    chart = build(compared, history("vue", SUNDAY, [10, 25]), history("react", SUNDAY, [10, 9]))
    assert "vue has the highest last value, +150.0%." in chart.summary
    assert "react: from +0.0% to -10.0%" in chart.summary
    assert chart.summary.endswith("Largest change: vue, +150%.")


def test_sample_data_is_named_in_description_and_source() -> None:
    chart = build(comparison("vue"), sample_history("vue", date(2026, 1, 1)))
    assert chart.sample
    assert not chart.indexable
    assert chart.summary.startswith("Sample data, not real counts.")
    assert chart.source.startswith("Sample data")


def test_source_names_the_file() -> None:
    known = replace(constant("vue", SUNDAY, "2024-02-03", 1), source="file", origin="a file of counts")
    assert "a file of counts" in build(comparison("vue"), known).source


# Properties


counts = st.lists(st.none() | st.integers(0, 10**9), min_size=1, max_size=500).map(lambda days: [1, *days, 1])
histories = st.builds(
    lambda days, start: (days, (date(2015, 1, 10) + timedelta(days=start)).isoformat()), counts, st.integers(0, 4000)
)


@st.composite
def comparisons(draw: st.DrawFn, names: Sequence[str]) -> Comparison:
    range_name = draw(st.sampled_from(get_args(model.RangeName)))
    return Comparison(
        tuple(group(name, hidden=draw(st.booleans())) for name in names),
        range=range_name,
        bin=draw(st.sampled_from(BINS[range_name])),
        transform=draw(st.sampled_from(get_args(model.Transform))),
        baseline=tuple(draw(st.lists(st.sampled_from(names), unique=True))),
        show_baseline=draw(st.booleans()),
        normalize_baseline=draw(st.booleans()),
        bins=draw(st.sampled_from(get_args(model.BinChoice))),
        measure=draw(st.sampled_from(get_args(model.Measure))),
        align=draw(st.sampled_from(get_args(model.Alignment))),
        fix=draw(st.sampled_from(get_args(model.Fix))),
        without_mirrors=draw(st.booleans()),
    )


@given(comparisons(("vue", "react", "missing")), st.tuples(histories, histories, histories), st.integers(0, 6000))
def test_chart_of_any_comparison_can_be_drawn(
    compared: Comparison, given: tuple[tuple[list[int | None], str], ...], age: int
) -> None:
    vue, react, registry = (
        history(name, first, days) for name, (days, first) in zip(("vue", "react", ""), given, strict=True)
    )
    chart = build_chart(
        compared,
        ChartInputs(
            CONFIG,
            {"vue": vue, "react": react},
            date(2015, 1, 12) + timedelta(days=age),
            registry=registry,
            stars={"vue": vue},
            mirror_floors={"react": 12.5},
        ),
    )
    json.dumps(asdict(chart), allow_nan=False)
    assert chart.axis.count > 0
    assert set(chart.axis.partial) <= set(range(chart.axis.count))
    for series in chart.series:
        assert len(series.values) == (chart.axis.count if series.status == "ready" else 0)
        assert all(value is None or math.isfinite(value) for value in series.values)
        assert {*series.gaps, *series.fixed} <= set(range(chart.axis.count))
        assert series.status in {"ready", "hidden"} or series.message


# Real counts


def test_monthly_sums_of_real_packages_are_those_that_were_measured() -> None:
    known = real_histories()
    names = ("react", "vue", "svelte", "esbuild")
    compared = comparison(*names, range="all-time", bin="monthly")
    chart = build_chart(compared, ChartInputs(CONFIG, known, date(2026, 1, 1)))
    september = 1  # the counts begin in August 2023
    millions = {
        one.name: [round((one.values[september + n] or 0) / 1e6, 2) for n in (0, 3, 6, 9, 12, 13)]
        for one in chart.series
    }
    assert millions == {
        "react": [88.03, 81.51, 98.36, 99.09, 107.14, 117.56],
        "vue": [16.54, 16.18, 20.03, 20.42, 22.67, 24.46],
        "svelte": [3.00, 3.19, 4.06, 4.68, 5.65, 6.36],
        "esbuild": [78.17, 79.62, 113.17, 127.53, 151.27, 174.76],
    }
