"""npm statistics of one site: what the functions and exports of `/stats/npm` read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date, datetime, timedelta

from kinfolk.content.dependencies import NPM, Dependency, DependencyRecorder, npm_package
from kinfolk.db.database import Database, utc_now
from kinfolk.db.tables import PACKAGE_NAME_LENGTH
from kinfolk.runtime.cache import CacheBudget, CachePriority, LRUCache
from kinfolk.runtime.errors import Invalid, Unavailable
from kinfolk.statistics.comparisons.chart_builder import ChartInputs, MissingPackage, build_chart
from kinfolk.statistics.comparisons.comparison import Comparison, GroupPackage, PackageGroup
from kinfolk.statistics.comparisons.comparison_chart import ComparisonChart
from kinfolk.statistics.comparisons.comparison_feed import feed_comparison
from kinfolk.statistics.comparisons.comparison_query import comparison_query, package_names, parse_comparison
from kinfolk.statistics.histories.history import REGISTRY, DownloadHistory
from kinfolk.statistics.histories.history_store import HistoryStore
from kinfolk.statistics.histories.sample import sample_history
from kinfolk.statistics.histories.version_counts import newest_floors, version_adoption
from kinfolk.statistics.importing.import_queue import ImportQueue
from kinfolk.statistics.importing.import_words import import_status, missing_package
from kinfolk.statistics.importing.importer_state import ImporterStateStore
from kinfolk.statistics.npm_config import CategoryEntry, NpmConfig
from kinfolk.statistics.package_name import is_package_name
from kinfolk.statistics.recent_downloads import RecentDownloads, recent_downloads
from kinfolk.statistics.stars.star_store import StarStore
from kinfolk.statistics.statistics_types import (
    ComparisonCategory,
    ComparisonChoices,
    ImportStatus,
    LibraryDownloads,
    PackageSuggestion,
    VersionAdoption,
)

MAX_SUGGESTIONS = 10
CHART_CACHE_BYTES = 4 << 20
CHART_BYTES, VALUE_BYTES = 4000, 40
"""Estimated memory of a chart without its values, and of a value."""


class NpmStatistics:
    """The statistics of one site. All methods block, and raise Unavailable without the database."""

    def __init__(
        self,
        config: NpmConfig,
        database: Database,
        *,
        caches: CacheBudget | None = None,
        imports: bool = False,
        repositories: Mapping[str, str] | None = None,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        """`imports`: this site fetches counts from npm. `repositories` are those of packages, for their stars."""
        caches = caches or CacheBudget(CHART_CACHE_BYTES)
        self._config = config
        self._database = database
        self._store = HistoryStore(database)
        self._imports = imports
        self._repositories = repositories or {}
        self._star_store = StarStore(database)
        self._importer_state = ImporterStateStore(database)
        self._queue = ImportQueue(database, now=now)
        self._known = frozenset(config.packages)
        self._charts: LRUCache[tuple[str, str, int, bool], ComparisonChart] = caches.add(
            "comparisons", CachePriority.TEXTS, LRUCache(CHART_CACHE_BYTES)
        )

    @property
    def has_comparisons(self) -> bool:
        """Whether the site compares packages."""
        return bool(self._config.categories)

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
            has_stars=bool(self._star_store.as_of(frozenset(self._repositories.values()))),
            has_registry=bool(self._store.histories([REGISTRY])),
        )

    def suggestions(self, text: str, found: Collection[PackageSuggestion] = ()) -> tuple[PackageSuggestion, ...]:
        """Stored packages and those of the categories whose name has the text, then those that a service found.

        Names that begin with the text come first.
        """
        wanted = text.strip().lower()[:PACKAGE_NAME_LENGTH]
        if not wanted:
            return ()
        stored = self._store.stored_packages()
        named = sorted(
            (name for name in self._known | stored if wanted in name.lower()), key=lambda n: _rank(n, wanted)
        )
        descriptions = {one.name: one.description for one in found}
        names = list(dict.fromkeys((*named, *descriptions)))[:MAX_SUGGESTIONS]
        return tuple(PackageSuggestion(name, descriptions.get(name, ""), name in stored) for name in names)

    def request_import(self, name: str, *, client: str) -> ImportStatus:
        """Queue the import of a package, unless it is queued or stored.

        Raises Invalid for a name that no package can have, Refused above a limit, and Unavailable.
        """
        if not is_package_name(name):
            raise Invalid(f'"{name}" cannot be the name of a package on npm')
        if not self._imports:
            raise Unavailable("This site does not fetch counts from npm")
        queued = self._queue.statuses([name])
        if name not in self._known and name not in queued:
            self._queue.add(name, client=client)
            queued = self._queue.statuses([name])
        return import_status(name, queued.get(name))

    def versions(self, package: str, recorder: DependencyRecorder) -> VersionAdoption:
        """Downloads by major version."""
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

    def recent(self, packages: Sequence[str], *, days: int, today: date) -> RecentDownloads:
        """Real downloads of these packages in the last `days` days with counts."""
        histories = self._store.histories(packages)
        missing, _ = self._notes(packages, histories)
        groups = tuple(PackageGroup((GroupPackage(name),)) for name in packages)
        return recent_downloads(
            packages,
            histories,
            self._config,
            days=days,
            today=today,
            missing=missing,
            query=comparison_query(Comparison(groups), default_groups=self._config.default_groups),
        )

    def complete_histories(
        self, packages: Collection[str], recorder: DependencyRecorder
    ) -> tuple[DownloadHistory, ...] | None:
        """The stored histories of these packages. None while one of them is missing or being imported.

        Packages that npm does not have are left out.
        """
        recorder.update(map(npm_package, packages))
        queued = self._queue.statuses(packages)
        # Without imports, counts are loaded from files, whole packages at once.
        if self._imports and any(one.status in ("waiting", "importing") for one in queued.values()):
            return None
        histories = self._store.histories(packages)
        not_found = {name for name, one in queued.items() if one.status == "not_found"}
        return tuple(histories.values()) if set(packages) <= histories.keys() | not_found else None

    def is_unknown(self, packages: Collection[str]) -> bool:
        """Whether no counts of any of these packages are stored or requested, and comparisons show no samples."""
        known = not self._known.isdisjoint(packages) or bool(self._queue.statuses(packages))
        return not (known or self.uses_samples() or self._store.histories(packages))

    def _chart(self, comparison: Comparison, today: date, recorder: DependencyRecorder) -> ComparisonChart:
        names = package_names(comparison)
        recorder.record(NPM)
        recorder.update(map(npm_package, names))
        sampled = self.uses_samples()
        key = (repr(comparison), today.isoformat(), self._store.revision(), sampled)
        chart = self._charts.get(key)
        if chart is None:
            chart = build_chart(comparison, self._inputs(comparison, today, sampled=sampled))
            weight = VALUE_BYTES * sum(len(one.values) for one in chart.series) + CHART_BYTES
            self._charts.put(key, chart, weight=weight)
        return chart

    def uses_samples(self) -> bool:
        """Whether comparisons without any real counts show samples: this site has never reached npm."""
        state = self._importer_state.read()
        return not self._imports or (state.last_success_at is None and state.failures > 0)

    def stale_since(self, revision: int) -> tuple[int, frozenset[Dependency]]:
        """The number of the last change, and the dependencies that changed after `revision`."""
        newest, packages = self._store.changed_since(revision)
        tags: frozenset[Dependency] = frozenset(map(npm_package, packages))
        return newest, tags | {NPM} if REGISTRY in packages else tags

    def _inputs(self, comparison: Comparison, today: date, *, sampled: bool) -> ChartInputs:
        names = package_names(comparison)
        histories = self._store.histories([*names, REGISTRY])
        registry = histories.pop(REGISTRY, None)
        indexable = self._known.issuperset(names)
        stars, star_counts = self._stars(names)
        if not histories and sampled and not (stars and comparison.measure == "stars"):
            yesterday = today - timedelta(days=1)
            histories = {name: sample_history(name, yesterday) for name in names}
            registry = sample_history(REGISTRY, yesterday)
            return ChartInputs(self._config, histories, today, registry=registry, indexable=indexable)
        missing, partial = self._notes(names, histories)
        floors = newest_floors(self._database, names) if comparison.without_mirrors else {}
        return ChartInputs(
            self._config,
            histories,
            today,
            missing=missing,
            partial=partial,
            registry=registry,
            stars=stars,
            star_counts=star_counts,
            mirror_floors=floors,
            indexable=indexable,
        )

    def _stars(self, names: Collection[str]) -> tuple[dict[str, DownloadHistory], dict[str, int]]:
        """New stars a day, and all stars, of the repositories of packages."""
        repositories = {name: self._repositories[name] for name in names if name in self._repositories}
        if not repositories:
            return {}, {}
        found = self._star_store.histories(set(repositories.values()))
        counts = self._star_store.totals(set(repositories.values()))
        known = {name: repository for name, repository in repositories.items() if repository in found}
        return (
            {name: found[repository] for name, repository in known.items()},
            {name: counts[repository] for name, repository in known.items()},
        )

    def _notes(
        self, names: Collection[str], histories: Collection[str]
    ) -> tuple[dict[str, MissingPackage], dict[str, str]]:
        """Why packages have no history, and why they have an incomplete one."""
        if not self._imports:
            return {}, {}
        queued = self._queue.statuses(names)
        known = {name: import_status(name, queued.get(name)) for name in names if name in queued or name in self._known}
        missing = {name: missing_package(name, known.get(name)) for name in names if name not in histories}
        unfinished = [name for name in histories if name in known and known[name].state == "importing"]
        return missing, {name: f"Earlier years of {name} are not fetched yet." for name in unfinished}

    def _category(self, entry: CategoryEntry) -> ComparisonCategory:
        groups = entry.package_groups
        query = comparison_query(Comparison(groups), default_groups=self._config.default_groups)
        return ComparisonCategory(entry.title, groups, query)


def _rank(name: str, wanted: str) -> tuple[bool, int, str]:
    """The order of suggestions: names that begin with the text, then short ones."""
    plain = name.lower()
    return not (plain.startswith(wanted) or plain.rpartition("/")[2].startswith(wanted)), len(name), name
