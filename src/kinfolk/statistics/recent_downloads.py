"""Downloads of packages in the last days, as totals and weeks: pure functions of their histories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np

from kinfolk.statistics.comparisons.chart_builder import MissingPackage
from kinfolk.statistics.comparisons.comparison_chart import SeriesStatus
from kinfolk.statistics.comparisons.series import bin_edges, bin_sums, daily_values, day_number, day_of, void_days
from kinfolk.statistics.histories.history import DownloadHistory
from kinfolk.statistics.npm_config import NpmConfig

NO_COUNTS = MissingPackage("no-data", "This site has no download counts of this package.")

NO_COUNTS_IN_RANGE = MissingPackage("no-data", "This site has no download counts of this package in these days.")


@dataclass(frozen=True)
class WeekDownloads:
    """A week from Sunday on, within the range. `days` have a count; a complete week has 7."""

    first_day: str
    downloads: int
    days: int


@dataclass(frozen=True)
class PackageDownloads:
    """`days` is the number of days with a count. Without any, `total` is None and `message` says why."""

    package: str
    status: SeriesStatus
    message: str
    total: int | None
    days: int
    weeks: tuple[WeekDownloads, ...]
    origin: str
    """Where the counts come from, if not from npm's API."""
    as_of: str | None
    """When the oldest of the counts was fetched, in UTC."""


@dataclass(frozen=True)
class RecentDownloads:
    """The same range for all packages; None without any counts. `query` is that of `/stats/npm`."""

    first_day: str | None
    last_day: str | None
    packages: tuple[PackageDownloads, ...]
    query: str


def recent_downloads(
    names: Sequence[str],
    histories: Mapping[str, DownloadHistory],
    config: NpmConfig,
    *,
    days: int,
    today: date,
    missing: Mapping[str, MissingPackage],
    query: str,
) -> RecentDownloads:
    """Downloads in `days` days up to the last day with a count of any package.

    `missing` says why a package has no history.
    """
    ends = [one.first + timedelta(days=len(one.counts) - 1) for one in histories.values()]
    if not ends:
        return RecentDownloads(None, None, tuple(_missing(name, missing) for name in names), query)
    last = day_number(min(max(ends), today - timedelta(days=1)))
    first = last - days + 1
    packages = tuple(
        _package(histories[name], config, first, last) if name in histories else _missing(name, missing)
        for name in names
    )
    return RecentDownloads(day_of(first).isoformat(), day_of(last).isoformat(), packages, query)


def _package(history: DownloadHistory, config: NpmConfig, first: int, last: int) -> PackageDownloads:
    values = daily_values(history, first, last, void_days=void_days(config.outages_of(history.package)))
    counted = int((~np.isnan(values)).sum())
    if not counted:
        return _missing(history.package, {history.package: NO_COUNTS_IN_RANGE})
    edges = bin_edges(first, last, "weekly")
    weekly = bin_sums(values, first, edges)
    weeks = tuple(
        WeekDownloads(day_of(int(start)).isoformat(), int(value), int(present))
        for start, value, present in zip(edges[:-1], weekly.values, weekly.present, strict=True)
        if present
    )
    total = int(np.nansum(values))
    return PackageDownloads(
        history.package, "ready", "", total, counted, weeks, history.origin, history.as_of.isoformat()
    )


def _missing(name: str, missing: Mapping[str, MissingPackage]) -> PackageDownloads:
    why = missing.get(name, NO_COUNTS)
    return PackageDownloads(name, why.status, why.message, None, 0, (), "", None)
