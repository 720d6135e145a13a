"""npm statistics of one site: what the functions and exports of `/stats/npm` read."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, timedelta

from kinfolk.cache import CacheBudget, CachePriority, LRUCache
from kinfolk.db.database import Database
from kinfolk.db.tables import PACKAGE_NAME_LENGTH
from kinfolk.dependencies import NPM, DependencyRecorder, npm_package
from kinfolk.errors import Invalid, Unavailable
from kinfolk.npm.chart_builder import ChartInputs, build_chart
from kinfolk.npm.comparison import Comparison, GroupPackage, PackageGroup
from kinfolk.npm.comparison_chart import ComparisonChart
from kinfolk.npm.comparison_feed import feed_comparison
from kinfolk.npm.comparison_query import comparison_query, package_names, parse_comparison
from kinfolk.npm.history_store import HistoryStore
from kinfolk.npm.npm_config import CategoryEntry, NpmConfig
from kinfolk.npm.package_name import is_package_name
from kinfolk.npm.sample import sample_history
from kinfolk.npm.statistics_types import (
    ComparisonCategory,
    ComparisonChoices,
    ImportStatus,
    LibraryDownloads,
    PackageSuggestion,
    VersionAdoption,
)
from kinfolk.npm.version_counts import version_adoption

REGISTRY = ""
"""The name of the history of all packages together."""
MAX_SUGGESTIONS = 10
CHART_CACHE_BYTES = 4 << 20
CHART_BYTES, VALUE_BYTES = 4000, 40
"""Estimated memory of a chart without its values, and of a value."""


class NpmStatistics:
    """The statistics of one site. All methods block, and raise Unavailable without the database."""

    def __init__(
        self, config: NpmConfig, database: Database, *, caches: CacheBudget | None = None, samples: bool = True
    ) -> None:
        """`samples`: comparisons without any real counts show synthetic ones."""
        caches = caches or CacheBudget(CHART_CACHE_BYTES)
        self._config = config
        self._database = database
        self._store = HistoryStore(database)
        self._samples = samples
        self._known = frozenset(config.packages)
        self._charts: LRUCache[tuple[str, str, int], ComparisonChart] = caches.add(
            "comparisons", CachePriority.TEXTS, LRUCache(CHART_CACHE_BYTES)
        )

    def chart(self, search: str, *, packages: str, today: date, recorder: DependencyRecorder) -> ComparisonChart:
        """The chart of a query."""
        groups = self._config.default_groups
        return self._chart(parse_comparison(search, default_groups=groups, packages=packages), today, recorder)

    def feed_chart(self, search: str, *, today: date, recorder: DependencyRecorder) -> ComparisonChart:
        """The chart of the feed of a query."""
        comparison = parse_comparison(search, default_groups=self._config.default_groups)
        return self._chart(feed_comparison(comparison), today, recorder)

    def choices(self, recorder: DependencyRecorder) -> ComparisonChoices:
        """What the controls of the page offer."""
        recorder.record(NPM)
        return ComparisonChoices(
            categories=tuple(self._category(entry) for entry in self._config.categories),
            indexes=tuple(self._category(entry) for entry in self._config.indexes),
            has_stars=False,
            has_registry=bool(self._store.histories([REGISTRY])),
        )

    def suggestions(self, text: str) -> tuple[PackageSuggestion, ...]:
        """Stored packages and those of the categories whose name has the text, those that begin with it first."""
        wanted = text.strip().lower()[:PACKAGE_NAME_LENGTH]
        if not wanted:
            return ()
        stored = self._store.stored_packages()
        named = sorted(
            (name for name in self._known | stored if wanted in name.lower()), key=lambda n: _rank(n, wanted)
        )
        return tuple(PackageSuggestion(name, "", name in stored) for name in named[:MAX_SUGGESTIONS])

    def request_import(self, name: str, *, client: str) -> ImportStatus:
        """Queue the import of a package. Raises Invalid for a name that no package can have, and Unavailable."""
        del client
        if not is_package_name(name):
            raise Invalid(f'"{name}" cannot be the name of a package on npm')
        raise Unavailable("This site does not fetch counts from npm")

    def versions(self, package: str, recorder: DependencyRecorder) -> VersionAdoption:
        """Downloads by major version. Raises NotFound."""
        recorder.record(npm_package(package))
        return version_adoption(self._database, package)

    def library(
        self, packages: Collection[str], *, today: date, recorder: DependencyRecorder
    ) -> LibraryDownloads | None:
        """Downloads of these packages; None without real counts of all of them."""
        recorder.update(map(npm_package, packages))
        histories = self._store.histories(packages)
        if not packages or set(histories) != set(packages):
            return None
        groups = tuple(PackageGroup((GroupPackage(name),)) for name in packages)
        chart = build_chart(Comparison(groups, range="all-time"), ChartInputs(self._config, histories, today))
        figures = [one.figures for one in chart.series if one.figures and one.figures.last_week is not None]
        if chart.last_day is None or len(figures) < len(groups):
            return None
        return LibraryDownloads(
            packages=len(groups),
            last_week=sum(one.last_week or 0 for one in figures),
            total=sum(int(history.counts[history.counts > 0].sum()) for history in histories.values()),
            since=min(history.first for history in histories.values()).isoformat(),
            last_day=chart.last_day,
            query=comparison_query(Comparison(groups), default_groups=self._config.default_groups),
        )

    def has_packages(self, query: str, path: str) -> bool:
        """Whether all packages of a query and of the end of a path are in the configuration. Does not block."""
        comparison = parse_comparison(query, default_groups=self._config.default_groups, packages=path)
        return self._known.issuperset(package_names(comparison))

    def _chart(self, comparison: Comparison, today: date, recorder: DependencyRecorder) -> ComparisonChart:
        names = package_names(comparison)
        recorder.record(NPM)
        recorder.update(map(npm_package, names))
        key = (repr(comparison), today.isoformat(), self._store.revision())
        chart = self._charts.get(key)
        if chart is None:
            chart = build_chart(comparison, self._inputs(names, today))
            weight = VALUE_BYTES * sum(len(one.values) for one in chart.series) + CHART_BYTES
            self._charts.put(key, chart, weight=weight)
        return chart

    def _inputs(self, names: Collection[str], today: date) -> ChartInputs:
        histories = self._store.histories([*names, REGISTRY])
        registry = histories.pop(REGISTRY, None)
        if not histories and self._samples:
            yesterday = today - timedelta(days=1)
            histories = {name: sample_history(name, yesterday) for name in names}
            registry = sample_history(REGISTRY, yesterday)
        return ChartInputs(self._config, histories, today, registry=registry, indexable=self._known.issuperset(names))

    def _category(self, entry: CategoryEntry) -> ComparisonCategory:
        groups = entry.package_groups
        query = comparison_query(Comparison(groups), default_groups=self._config.default_groups)
        return ComparisonCategory(entry.title, groups, query)


def _rank(name: str, wanted: str) -> tuple[bool, int, str]:
    """The order of suggestions: names that begin with the text, then short ones."""
    plain = name.lower()
    return not (plain.startswith(wanted) or plain.rpartition("/")[2].startswith(wanted)), len(name), name
