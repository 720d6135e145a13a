"""Builds the chart of a comparison from stored histories.

    build_chart(comparison, ChartInputs(config, histories, today=today))

The steps are those of every chart: days of each group, bins, measure, baseline, transform.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from kinfolk.statistics.comparisons.chart_figures import WEEK, YEAR, series_figures, with_shares
from kinfolk.statistics.comparisons.chart_words import (
    DataNote,
    chart_summary,
    is_relative_to_baseline,
    source_sentence,
    value_title,
)
from kinfolk.statistics.comparisons.comparison import Comparison, PackageGroup, RangeName
from kinfolk.statistics.comparisons.comparison_chart import (
    BinAxis,
    ChartSeries,
    ComparisonChart,
    Outage,
    SeriesFigures,
    SeriesStatus,
    ValueAxis,
    ValueKind,
)
from kinfolk.statistics.comparisons.comparison_query import comparison_query, comparison_title, group_label
from kinfolk.statistics.comparisons.series import (
    YEAR_OF_BINS,
    Binned,
    Days,
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
    void_days,
)
from kinfolk.statistics.histories.history import FIRST_DAY, NO_COUNT, DownloadHistory
from kinfolk.statistics.npm_config import NpmConfig

DASHES = ("", "8 3", "2 3", "8 3 2 3", "12 4", "4 4", "1 4", "12 3 3 3", "6 2 1 2 1 2", "16 4")
"""Patterns of lines by the place of a series, so that it can be told apart without its color."""


@dataclass(frozen=True)
class MissingPackage:
    """Why a package has no history."""

    status: SeriesStatus
    message: str


@dataclass(frozen=True)
class ChartInputs:
    """Everything that a chart is made of. `histories` are all real, or all samples.

    `missing` says why a package has no history, `partial` why one is incomplete. `registry` is the history of all
    packages together. `stars` are the new stars a day of each package's repository, `star_counts` its stars.
    `mirror_floors` are the downloads a day that mirrors make of each package.
    """

    config: NpmConfig
    histories: Mapping[str, DownloadHistory]
    today: date
    missing: Mapping[str, MissingPackage] = field(default_factory=dict)
    partial: Mapping[str, str] = field(default_factory=dict)
    registry: DownloadHistory | None = None
    stars: Mapping[str, DownloadHistory] = field(default_factory=dict)
    star_counts: Mapping[str, int] = field(default_factory=dict)
    mirror_floors: Mapping[str, float] = field(default_factory=dict)
    indexable: bool = True


def build_chart(comparison: Comparison, inputs: ChartInputs) -> ComparisonChart:
    """The chart. Packages without a history have a message instead of values."""
    return _ChartBuilder(comparison, inputs).chart()


class _ChartBuilder:
    """One chart. Days are numbers, as in `series`."""

    def __init__(self, comparison: Comparison, inputs: ChartInputs) -> None:
        self._comparison = comparison
        self._inputs = inputs
        self._shown = inputs.stars if comparison.measure == "stars" else inputs.histories

    def chart(self) -> ComparisonChart:
        comparison, inputs, axis = self._comparison, self._inputs, self._axis
        title, value_axis = comparison_title(comparison), ValueAxis(value_title(comparison, self._kind), self._kind)
        series = self._all_series()
        histories = [self._shown[name] for name in self._drawn_names if name in self._shown]
        sample = any(one.source == "sample" for one in histories)
        last_day = day_of(self._last).isoformat() if histories else None
        query = comparison_query(comparison, default_groups=inputs.config.default_groups)
        return ComparisonChart(
            comparison=comparison,
            query=query,
            title=title,
            axis=axis,
            value_axis=value_axis,
            series=series,
            outages=tuple(self._outages()),
            last_day=last_day,
            as_of=min(one.as_of for one in histories).isoformat() if histories else None,
            source=source_sentence(histories),
            sample=sample,
            summary=chart_summary(title, axis, value_axis, series, DataNote(last_day, sample=sample)),
            # The page without a query is in the sitemap, whatever it shows.
            indexable=query == "" or (inputs.indexable and bool(histories) and not sample),
        )

    # The window

    @cached_property
    def _drawn_names(self) -> tuple[str, ...]:
        """Packages that count in a drawn group or a baseline."""
        groups = [group for group in self._comparison.groups if self._is_baseline(group) or not self._is_hidden(group)]
        return tuple(dict.fromkeys(name for group in groups for name in _counted(group)))

    @cached_property
    def _last(self) -> int:
        """The last day: the newest with data, at most yesterday. npm answers 0 for days that it has not counted yet."""
        ends = [self._end(name) for name in self._drawn_names if name in self._shown]
        yesterday = day_number(self._inputs.today) - 1
        return min(max(ends), yesterday) if ends else yesterday

    @cached_property
    def _first(self) -> int:
        """The first day of the range, before it is extended to a whole bin."""
        begins = [self._begin(name) for name in self._drawn_names if name in self._shown]
        earliest = min(begins, default=day_number(FIRST_DAY))
        length = _days_of(self._comparison.range)
        # The aligned range begins with the release of each package.
        if length is None or self._comparison.align == "first-release":
            return min(earliest, self._last)
        return max(self._last - length + 1, day_number(FIRST_DAY))

    def _begin(self, name: str) -> int:
        """The first day with a download."""
        history = self._shown[name]
        found = np.flatnonzero(history.counts > 0)
        return day_number(history.first) + (int(found[0]) if found.size else 0)

    def _expected_since(self, name: str, first: int) -> int:
        """The day from which on counts are expected: the first release, or `first` if a file may have left it out."""
        history = self._shown[name]
        is_cut = bool(history.origin) and history.counts[0] > 0
        return min(first, self._begin(name)) if is_cut else self._begin(name)

    def _end(self, name: str) -> int:
        """The last day with a count, above zero if it is one of downloads."""
        history = self._shown[name]
        found = np.flatnonzero(history.counts > (NO_COUNT if self._comparison.measure == "stars" else 0))
        return day_number(history.first) + (int(found[-1]) if found.size else 0)

    @cached_property
    def _edges(self) -> Days:
        return bin_edges(self._first, self._last, self._comparison.bin)

    @cached_property
    def _extended_edges(self) -> Days:
        """The edges with those of the year before, which changes over a year need."""
        back = YEAR_OF_BINS[self._comparison.bin] if self._comparison.measure == "year-over-year" else 0
        if not back:
            return self._edges
        return bin_edges(int(self._edges[0]) - 372, self._last, self._comparison.bin)

    @cached_property
    def _is_complete(self) -> NDArray[np.bool_]:
        """Of the extended bins, those that end before or on the last day."""
        return self._extended_edges[1:] - 1 <= self._last

    @property
    def _axis(self) -> BinAxis:
        aligned = self._comparison.align == "first-release"
        count = self._bin_count
        complete = self._is_complete[-len(self._edges) + 1 :]
        partial = () if aligned else tuple(int(index) for index in np.flatnonzero(~complete[:count]))
        first = "" if aligned else day_of(int(self._edges[0])).isoformat()
        return BinAxis(self._comparison.bin, first, count, aligned, partial)

    @cached_property
    def _bin_count(self) -> int:
        """Bins that are shown: without a partial one if only complete ones are asked for."""
        count = len(self._edges) - 1
        length = _days_of(self._comparison.range)
        if self._comparison.align == "first-release" and length is not None:
            count = min(count, len(bin_edges(0, length - 1, self._comparison.bin)) - 1)
        hidden = self._comparison.bins == "complete" and count == len(self._edges) - 1 and not self._is_complete[-1]
        return count - 1 if hidden and count > 1 else count

    # Values

    @property
    def _kind(self) -> ValueKind:
        if self._comparison.transform == "normalize-y" or self._comparison.measure == "year-over-year":
            return "signed-percent"
        return "percent" if self._comparison.measure == "share" else "count"

    def _binned(self, group: PackageGroup) -> Binned | None:
        """The bins of a group; None without any history."""
        names = self._shown_names(group)
        if not names:
            return None
        edges = self._extended_edges
        first, last = int(edges[0]), self._last
        days = add_up([self._days(name, first, last) for name in names])
        binned = bin_sums(days, first, edges, since=min(self._expected_since(name, first) for name in names))
        return Binned(scale_gaps(binned), binned.present, binned.expected) if self._comparison.fix == "zero" else binned

    def _shown_names(self, group: PackageGroup) -> Sequence[str]:
        """Packages of a group that count and have a history: one of those that share a repository and its stars."""
        names = [name for name in _counted(group) if name in self._shown]
        return list({self._shown[name].package: name for name in reversed(names)}.values())

    def _days(self, name: str, first: int, last: int) -> Values:
        void = None if self._comparison.measure == "stars" else self._void_days(name)
        days = daily_values(self._shown[name], first, last, void_days=void)
        floor = self._inputs.mirror_floors.get(name, 0.0)
        return np.maximum(days - floor, 0) if self._comparison.without_mirrors and floor else days

    def _void_days(self, name: str) -> Days:
        """Days on which a count of 0 is no count."""
        return void_days(self._inputs.config.outages_of(name))

    @cached_property
    def _divisor(self) -> Values | None:
        """The growth of the baselines, by which counts are divided."""
        if not self._comparison.normalize_baseline or not is_relative_to_baseline(self._comparison):
            return None
        chosen = [group for group in self._comparison.groups if self._is_baseline(group)]
        binned = [(group, one) for group in chosen if (one := self._binned(group)) is not None]
        if not binned:
            return None
        usable: NDArray[np.bool_] = np.all([self._usable(group) for group, _ in binned], axis=0)
        return baseline_index([one.values for _, one in binned], usable)

    def _usable(self, group: PackageGroup) -> NDArray[np.bool_]:
        """Of the extended bins, those with which others can be compared: complete, and not before the first release."""
        begin = min(self._begin(name) for name in _counted(group) if name in self._shown)
        return self._is_complete & (self._extended_edges[:-1] >= begin)

    def _measured(self, group: PackageGroup, binned: Binned) -> Values:
        """The measure, baseline and transform of a group, in the shown bins."""
        comparison, usable, shown = self._comparison, self._usable(group), slice(-len(self._edges) + 1, None)
        values = self._related(binned.values, usable)[shown]
        if comparison.measure in ("cumulative", "stars"):
            values = running_total(values) + (self._stars_before(group) if comparison.measure == "stars" else 0)
        # Before the change, which has no first release.
        start = _first_above_zero(values)
        if comparison.transform == "normalize-y" and comparison.measure != "year-over-year":
            values = change_since(values, first_known(values, usable[shown]))
        if comparison.align == "first-release":
            # Partial bins of the series would end at different places, as drops that are none.
            values = np.where(self._is_complete[shown], values, np.nan)
            values = np.concatenate((values[start:], np.full(start, np.nan)))
        return values[: self._bin_count]

    def _related(self, values: Values, usable: NDArray[np.bool_]) -> Values:
        """The values in relation to the registry, to the year before or to the baselines."""
        if self._comparison.measure == "share":
            return 100 * divide(values, self._registry_bins)
        if self._comparison.measure == "year-over-year":
            return change_over(np.where(usable, values, np.nan), YEAR_OF_BINS[self._comparison.bin])
        return values if self._divisor is None else divide(values, self._divisor)

    def _stars_before(self, group: PackageGroup) -> float:
        """The stars that the repositories of a group had before the first bin."""
        first = int(self._edges[0])
        known = [
            daily_values(self._shown[name], day_number(self._shown[name].first), first - 1)
            for name in self._shown_names(group)
            if day_number(self._shown[name].first) < first
        ]
        return float(sum(np.nansum(days) for days in known))

    @cached_property
    def _registry_bins(self) -> Values:
        registry = self._inputs.registry
        edges = self._extended_edges
        if registry is None:
            return np.full(len(edges) - 1, np.nan)
        first = int(edges[0])
        return bin_sums(daily_values(registry, first, self._last), first, edges).values

    # Series

    def _all_series(self) -> tuple[ChartSeries, ...]:
        groups = self._comparison.groups
        series = [self._series(group, place) for place, group in enumerate(groups)]
        counts = self._inputs.star_counts
        # Several packages of a group may be in one repository.
        stars = [max((counts[name] for name in _counted(group) if name in counts), default=None) for group in groups]
        return with_shares(series, stars)

    def _is_baseline(self, group: PackageGroup) -> bool:
        return group_label(group) in self._comparison.baseline

    def _is_hidden(self, group: PackageGroup) -> bool:
        return group.packages[0].hidden and not (self._is_baseline(group) and self._comparison.show_baseline)

    def _series(self, group: PackageGroup, place: int) -> ChartSeries:
        binned = self._binned(group)
        status, message = self._status(group, binned)
        ready = status == "ready" and binned is not None
        values = known_values(self._measured(group, binned)) if ready and binned is not None else ()
        gaps = self._gap_indexes(binned) if ready and binned is not None else ()
        fixing = self._comparison.fix == "zero"
        return ChartSeries(
            name=group_label(group),
            label=group_label(group),
            packages=group.packages,
            color=self._color(group, place),
            dash=DASHES[place % len(DASHES)],
            baseline=self._is_baseline(group),
            status=status,
            message=message,
            values=values,
            gaps=() if fixing else gaps,
            fixed=gaps if fixing else (),
            figures=self._figures(group) if ready else None,
        )

    def _status(self, group: PackageGroup, binned: Binned | None) -> tuple[SeriesStatus, str]:
        if self._is_hidden(group):
            return "hidden", ""
        counted = _counted(group)
        absent = [self._missing(name) for name in counted if name not in self._shown]
        if self._comparison.measure == "share" and self._inputs.registry is None:
            return "no-data", "The downloads of all packages on npm together are not known here."
        if binned is not None:
            # The others are drawn; the messages say which member is not counted yet, or not completely.
            partial = [self._inputs.partial[name] for name in counted if name in self._inputs.partial]
            return "ready", " ".join([*(one.message for one in absent), *partial])
        first = absent[0] if absent else MissingPackage("no-data", "")
        return first.status, first.message

    def _missing(self, name: str) -> MissingPackage:
        if self._comparison.measure == "stars":
            return MissingPackage("no-data", f"The stars of {name} are not known here.")
        default = MissingPackage("no-data", f"There are no downloads of {name} here.")
        return self._inputs.missing.get(name, default)

    def _gap_indexes(self, binned: Binned) -> tuple[int, ...]:
        if self._comparison.align == "first-release":
            return ()
        gaps = binned.gaps[-len(self._edges) + 1 :][: self._bin_count]
        return tuple(int(index) for index in np.flatnonzero(gaps))

    def _color(self, group: PackageGroup, place: int) -> str:
        config = self._inputs.config
        known = group.color or config.colors.get(group_label(group))
        return known or config.palette[place % len(config.palette)]

    def _figures(self, group: PackageGroup) -> SeriesFigures | None:
        """Figures of downloads, whatever the chart shows; None without any downloads."""
        names = [name for name in _counted(group) if name in self._inputs.histories]
        if not names:
            return None
        begin = min(int(self._edges[0]), self._last - YEAR - WEEK)
        histories = self._inputs.histories
        days = add_up(
            [daily_values(histories[name], begin, self._last, void_days=self._void_days(name)) for name in names]
        )
        binned = bin_sums(days, begin, self._edges)
        complete = self._is_complete[-len(self._edges) + 1 :]
        return series_figures(days, self._last - int(self._edges[0]) + 1, binned.values, complete)

    def _outages(self) -> Iterator[Outage]:
        if self._comparison.align == "first-release" or self._comparison.measure == "stars":
            return
        window = day_of(int(self._edges[0])), day_of(self._last)
        for outage in self._inputs.config.outages:
            first, last = outage.days
            if first <= window[1] and last >= window[0] and outage.package in (None, *self._drawn_names):
                yield Outage(outage.first, outage.last, outage.package or "", outage.text)


def _counted(group: PackageGroup) -> tuple[str, ...]:
    """Names of packages that count: the first always, the others unless they are hidden."""
    first, *others = group.packages
    return (first.name, *(package.name for package in others if not package.hidden))


def _days_of(range_name: RangeName) -> int | None:
    """Days of a range; None for all time."""
    number = range_name.partition("-")[0]
    return int(number) if number.isdigit() else None


def _first_above_zero(values: Values) -> int:
    found = np.flatnonzero(np.nan_to_num(values) > 0)
    return int(found[0]) if found.size else 0
