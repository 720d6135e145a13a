"""Constructs the background services of web workers that fetch figures from npm and GitHub."""

from __future__ import annotations

from collections.abc import Callable

from kinfolk.config.catalog import Catalog
from kinfolk.config.settings import Settings
from kinfolk.db.database import Database
from kinfolk.site.site import imported_packages, open_figure_store
from kinfolk.statistics.figures.figure_refresh import FigureRefresher, package_sources, repository_sources
from kinfolk.statistics.figures.github_repository import GitHubRepository
from kinfolk.statistics.figures.npm_dependents import NpmDependents
from kinfolk.statistics.figures.site_figures import main_packages
from kinfolk.statistics.importing.downloads_api import DownloadsApi
from kinfolk.statistics.importing.importer import Importer, ImportProgress, Pace, utc_now
from kinfolk.statistics.stars.github_stars import GitHubStars
from kinfolk.statistics.stars.star_refresh import StarRefresher
from kinfolk.statistics.stars.star_store import StarStore


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
