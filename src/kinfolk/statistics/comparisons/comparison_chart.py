"""What a comparison shows: series, figures and notes, ready to draw. The frontend gets it as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from kinfolk.statistics.comparisons.comparison import BinUnit, Comparison, GroupPackage

SeriesStatus = Literal["ready", "hidden", "waiting", "importing", "not-found", "not-imported", "no-data"]
"""`not-imported`: nothing is stored, and a reader may request the import. `no-data`: nothing can be imported."""
ValueKind = Literal["count", "percent", "signed-percent", "index"]


@dataclass(frozen=True)
class SeriesFigures:
    """Figures of downloads for the table, whatever the chart shows. Percentages are numbers such as 12.5.

    `total` adds up the complete bins of the range. `last_bin` is the newest complete bin. `last_week` is the last seven
    days; `week_change` and `year_change` compare it with the seven days before, and with those one year before.
    `yearly_growth` is the compound annual growth rate, for two years and more. `share` is that of `total` among all
    compared groups. `stars` is None where they are not known.
    """

    total: int
    last_bin: int | None
    last_week: int | None
    week_change: float | None
    year_change: float | None
    yearly_growth: float | None
    share: float | None
    stars: int | None = None


@dataclass(frozen=True)
class ChartSeries:
    """One group. `name` is its first package, by which the query names it.

    `values` has one value for each bin, None before the first and after the last day with data; it is empty unless the
    status is ready. `gaps` are indexes of bins in which days are missing, `fixed` those of scaled bins.
    `dash` is an SVG stroke-dasharray, so that series differ by more than their color; it is empty for a full line.
    `message` says in words why there is no series.
    """

    name: str
    label: str
    packages: tuple[GroupPackage, ...]
    color: str
    dash: str
    baseline: bool
    status: SeriesStatus
    message: str
    values: tuple[float | None, ...]
    gaps: tuple[int, ...]
    fixed: tuple[int, ...]
    figures: SeriesFigures | None


@dataclass(frozen=True)
class BinAxis:
    """The bins. `first` is the first day of the first one, such as 2025-01-05; weeks begin on Sunday, in UTC.

    Aligned bins count from the first release of each package: `first` is then empty. `partial` are the indexes of bins
    that are not complete because the range begins, or the data ends, inside them.
    """

    unit: BinUnit
    first: str
    count: int
    aligned: bool
    partial: tuple[int, ...]


@dataclass(frozen=True)
class ValueAxis:
    """`title` names the values, such as "Downloads per week"."""

    title: str
    kind: ValueKind


@dataclass(frozen=True)
class Outage:
    """Days on which npm's counts are wrong or missing. `package` is empty when all packages are affected."""

    first: str
    last: str
    package: str
    text: str


@dataclass(frozen=True)
class ComparisonChart:
    """`query` is the canonical query, without `?`: two queries that show the same have the same.

    `last_day` is the last day with data, `as_of` the time at which the oldest of the data was fetched, `source` a
    sentence that says where it comes from. `sample`: all data is synthetic. `summary` says in words what the chart
    shows. `indexable`: search engines may list the page.
    """

    comparison: Comparison
    query: str
    title: str
    axis: BinAxis
    value_axis: ValueAxis
    series: tuple[ChartSeries, ...]
    outages: tuple[Outage, ...]
    last_day: str | None
    as_of: str | None
    source: str
    sample: bool
    summary: str
    indexable: bool
