"""Opens the statistics of a site: what pages read, and the background services that fetch counts and figures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kinfolk.config.catalog import Catalog, load_catalog
from kinfolk.config.settings import Settings
from kinfolk.db.database import Database, utc_now
from kinfolk.live.topic_store import announcer
from kinfolk.runtime.cache import CacheBudget
from kinfolk.statistics.figures.figure_refresh import FigureRefresher, package_sources, repository_sources
from kinfolk.statistics.figures.figure_store import FigureStore
from kinfolk.statistics.figures.github_repository import GitHubRepository
from kinfolk.statistics.figures.npm_dependents import NpmDependents
from kinfolk.statistics.figures.site_figures import SiteFigures, main_packages
from kinfolk.statistics.importing.downloads_api import DownloadsApi
from kinfolk.statistics.importing.importer import Importer, ImportProgress, Pace
from kinfolk.statistics.npm_config import NpmConfig, load_npm_config, with_library_category
from kinfolk.statistics.npm_statistics import NpmStatistics
from kinfolk.statistics.package_search import PackageSearch
from kinfolk.statistics.stars.github_stars import GitHubStars
from kinfolk.statistics.stars.star_refresh import StarRefresher
from kinfolk.statistics.stars.star_store import StarStore


@dataclass(frozen=True)
class StatisticsParts:
    """The download counts and figures that pages show."""

    npm: NpmStatistics
    figures: SiteFigures
    package_search: PackageSearch | None
    """None without a search service."""


def open_statistics(settings: Settings, catalog: Catalog, database: Database, caches: CacheBudget) -> StatisticsParts:
    """The statistics of the site."""
    npm = NpmStatistics(
        npm_config(settings, catalog),
        database,
        caches=caches,
        imports=settings.npm_import,
        repositories=catalog.package_repositories,
    )
    return StatisticsParts(
        npm,
        SiteFigures(catalog, open_figure_store(database), read_histories=npm.complete_histories),
        PackageSearch(settings.npm_search_api) if settings.npm_search_api else None,
    )


def npm_config(settings: Settings, catalog: Catalog) -> NpmConfig:
    """The comparisons of `npm.toml`; without any, a comparison of the libraries."""
    packages = (library.npm_packages for library in catalog.libraries)
    return with_library_category(load_npm_config(settings.site), catalog.family, packages)


def imported_packages(settings: Settings) -> tuple[str, ...]:
    """The packages whose counts are always kept current: those of comparisons, and those of libraries."""
    libraries = load_catalog(settings.site).libraries
    declared = (name for library in libraries for name in library.npm_packages)
    return tuple(dict.fromkeys((*load_npm_config(settings.site).packages, *declared)))


def open_figure_store(database: Database) -> FigureStore:
    """The stored figures. All processes are notified of a change."""
    return FigureStore(database, now=utc_now, on_revision=announcer(database, "figures"))


def open_importer(
    settings: Settings, database: Database, *, on_progress: Callable[[ImportProgress], None] = lambda _: None
) -> Importer:
    """The importer of download counts from npm."""
    return Importer(
        database,
        DownloadsApi(settings.npm_downloads_api),
        imported_packages(settings),
        pace=Pace(settings.npm_interval_s),
        on_progress=on_progress,
    )


def open_star_refresher(settings: Settings, catalog: Catalog, database: Database) -> StarRefresher | None:
    """The service that fetches stars of the libraries' repositories. None without a token."""
    if not settings.github_token:
        return None
    client = GitHubStars(settings.github_token, now=utc_now, api=settings.github_api)
    repositories = catalog.package_repositories.values()
    return StarRefresher(StarStore(database), client, repositories, database=database, now=utc_now)


def open_figure_refresher(
    settings: Settings, catalog: Catalog, database: Database, *, on_change: Callable[[frozenset[str]], None]
) -> FigureRefresher | None:
    """The service that fetches stars, contributors and dependents. None if the settings turn it off."""
    if not settings.figures:
        return None
    github = GitHubRepository(settings.github_token, now=utc_now, api=settings.github_api)
    sources = repository_sources(github, catalog.on_github.values())
    if settings.npm_search_api:
        sources += package_sources(NpmDependents(settings.npm_search_api, now=utc_now), main_packages(catalog))
    store = open_figure_store(database)
    return FigureRefresher(store, sources, database=database, now=utc_now, on_change=on_change)
