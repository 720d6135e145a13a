"""Opens the search of a site: the index of its pages, and the Algolia API over all indexes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from kinfolk.config.base_path import BasePath
from kinfolk.config.catalog import Catalog, open_catalog
from kinfolk.config.settings import Settings, environment_of
from kinfolk.content.blog import Blog
from kinfolk.content.docs import DocsSnapshot
from kinfolk.content.docs.docs_source import default_source
from kinfolk.content.docs.snapshots.publisher import DocsPublisher
from kinfolk.content.markdown.processes.process_pool import MarkdownProcessPool
from kinfolk.content.open_content import (
    ContentParts,
    markdown_renderer,
    open_blog,
    open_library_notes,
    open_pages,
    open_releases,
)
from kinfolk.content.pages.prose_pages import ProsePages
from kinfolk.content.redirects import load_redirects
from kinfolk.content.release_notes.library_notes import LibraryNotes
from kinfolk.db.database import Database, open_database, utc_now
from kinfolk.db.schema import upgrade
from kinfolk.runtime.cache import CacheBudget, CachePriority, ThreadSafeLRUCache
from kinfolk.search.algolia.api import AlgoliaApi
from kinfolk.search.algolia.api_keys import ApiKeys
from kinfolk.search.algolia.formats.settings_format import AlgoliaSettingsReader
from kinfolk.search.algolia.index_registry import IndexHandle, IndexRegistry, SiteIndexSource
from kinfolk.search.analytics.query_log import QueryLog, SearchReport
from kinfolk.search.docs_index.based_index import BasedIndex
from kinfolk.search.docs_index.generations import index_folder
from kinfolk.search.docs_index.index_build import SearchableContent
from kinfolk.search.docs_index.index_updater import IndexUpdater, InProcessBuilder
from kinfolk.search.docs_index.meanings import Meanings
from kinfolk.search.docs_index.subprocess_builder import SubprocessBuilder
from kinfolk.search.engine.tantivy_index import RESULT_CACHE_BYTES, ResultCache
from kinfolk.search.pushed_indexes import PushedIndexes
from kinfolk.search.ranking_config import RankingConfig, load_ranking_config


@dataclass(frozen=True)
class SearchParts:
    """The search of a site."""

    algolia: AlgoliaApi
    updater: IndexUpdater | None
    """None where the site has no search index of its own."""
    index_name: str
    """The name of the index of this site's pages."""
    examples: tuple[str, ...] = ()
    """Queries that the empty search suggests."""
    ignored_words: tuple[str, ...] = ()
    """Words of queries that say nothing about a page."""

    def report(self, days: int) -> SearchReport:
        """Searches of this site's pages in the last days. Blocks."""
        return self.algolia.query_log.report(self.index_name, days=days)


def open_search(
    settings: Settings,
    catalog: Catalog,
    database: Database,
    content: ContentParts,
    caches: CacheBudget,
    *,
    notes: LibraryNotes,
    in_subprocess: bool,
) -> SearchParts:
    """The search of the site. Its index is built in a subprocess or in this process."""
    ranking = load_ranking_config(settings.site, family=catalog.family)
    results: ResultCache = caches.add("search answers", CachePriority.SEARCH, ThreadSafeLRUCache(RESULT_CACHE_BYTES))
    updater = None
    if settings.search:
        # Not `content.pages`: what has changed since a request read it decides what `stale` purges.
        pages = open_pages(settings, catalog, markdown=markdown_renderer(catalog, content.markdown))
        updater = open_index_updater(
            settings,
            ranking,
            content.publisher,
            content.blog,
            pages,
            notes=notes,
            in_subprocess=in_subprocess,
            results=results,
        )
    indexes = site_index(catalog, updater, BasePath.of(settings.origin)) if updater else {}
    algolia = open_algolia_api(settings, database, indexes, results=results, caches=caches)
    ignored = (*ranking.index.stop_words, *ranking.index.optional_words)
    return SearchParts(algolia, updater, site_index_name(catalog), ranking.examples, ignored)


def open_index_updater(
    settings: Settings,
    ranking: RankingConfig,
    publisher: DocsPublisher,
    blog: Blog,
    pages: ProsePages,
    *,
    notes: LibraryNotes,
    in_subprocess: bool,
    results: ResultCache | None = None,
) -> IndexUpdater:
    """The search index of this site's pages, built in a subprocess or in this process."""
    folder = index_folder(settings.var)

    def content() -> SearchableContent:
        return SearchableContent(
            publisher.docs, blog.published, ranking, tuple(pages.valid_pages), Meanings(settings.site), notes
        )

    builder = SubprocessBuilder(environment_of(settings)) if in_subprocess else InProcessBuilder(folder, content)
    search = IndexUpdater(folder, ranking, content, builder, results)
    publisher.on_snapshot(lambda _: search.notify_change())
    return search


def site_index(catalog: Catalog, search: IndexUpdater, base: BasePath) -> Mapping[str, SiteIndexSource]:
    """The index of this site's pages by its name, for the Algolia API."""
    name = site_index_name(catalog)

    def open_index() -> IndexHandle:
        index = BasedIndex(search.index, base) if base else search.index
        published = datetime.fromtimestamp(search.published_at_s, UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z")
        return IndexHandle.of_site(name, index, search.rules.settings, published=published, size=search.size)

    return {name: open_index}


def site_index_name(catalog: Catalog) -> str:
    """The name of the index of this site's pages."""
    return catalog.family.lower().replace(" ", "-")


def open_algolia_api(
    settings: Settings,
    database: Database,
    site_indexes: Mapping[str, SiteIndexSource],
    *,
    results: ResultCache | None = None,
    caches: CacheBudget | None = None,
) -> AlgoliaApi:
    """The Algolia API over the indexes of the site and the pushed indexes."""
    return AlgoliaApi(
        IndexRegistry(
            site_indexes,
            PushedIndexes(
                settings.var / "pushed", AlgoliaSettingsReader(), now=lambda: datetime.now(UTC), results=results
            ),
        ),
        QueryLog(database, today=lambda: utc_now().date()),
        ApiKeys(settings.search_app_id, settings.search_key, settings.search_admin_key),
        caches=caches,
    )


def open_searchable_content(settings: Settings) -> SearchableContent:
    """The content of the search index, without the rest of the site: for the process that builds it.

    Raises Unavailable.
    """
    catalog = open_catalog(settings)
    markdown = markdown_renderer(catalog, MarkdownProcessPool())
    source = default_source(settings, catalog)
    open_releases(settings, catalog, markdown)
    database = open_database(settings)
    if any(library.releases.table.all for library in catalog.libraries):
        upgrade(database)
    docs = DocsSnapshot(catalog, load_redirects(settings.site), source.open(), markdown=markdown)
    return SearchableContent(
        docs,
        open_blog(settings, catalog, markdown=markdown).published,
        load_ranking_config(settings.site, family=catalog.family),
        tuple(open_pages(settings, catalog, markdown=markdown).valid_pages),
        Meanings(settings.site),
        open_library_notes(catalog, database, markdown),
    )
