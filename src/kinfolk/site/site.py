"""The site: joins what the packages open, from settings."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import structlog

from kinfolk.accounts.accounts import Accounts
from kinfolk.accounts.open_accounts import open_accounts
from kinfolk.branding import SiteBrand, load_brand
from kinfolk.branding.palette import Palette, load_palette
from kinfolk.config.catalog import Catalog, with_own_host
from kinfolk.config.icons import IconSet, load_icons
from kinfolk.config.icons.icon_names import icon_names
from kinfolk.config.settings import Settings, is_development
from kinfolk.content.docs.docs_source import default_source
from kinfolk.content.markdown.processes.process_pool import MarkdownProcessPool
from kinfolk.content.open_content import ContentParts, markdown_renderer, open_content, open_library_notes
from kinfolk.content.pull_requests.known_previews import KnownPreviews
from kinfolk.content.pull_requests.pull_request_store import PreviewLimits, PullRequestStore
from kinfolk.content.release_notes.library_notes import LibraryNotes
from kinfolk.content.sources.snapshot import ContentSource
from kinfolk.db.database import Database, open_database, utc_now
from kinfolk.db.schema import upgrade
from kinfolk.db.schema_upgrade import SchemaUpgrade
from kinfolk.live.topic_store import TopicStore, announcer
from kinfolk.maintenance.content_syncs import ContentSyncs, record_sync
from kinfolk.maintenance.open_maintenance import MaintenanceParts, open_maintenance
from kinfolk.runtime.cache import CacheBudget, ThreadSafeLRUCache
from kinfolk.runtime.errors import InvalidFile
from kinfolk.runtime.services.lifecycle import Service
from kinfolk.search.analytics.query_log_import import FORMER_FILE, import_query_log
from kinfolk.search.answers.answer_service import AnswerService
from kinfolk.search.answers.open_answers import open_answers
from kinfolk.search.open_search import SearchParts, open_search
from kinfolk.site.configuration_check import read_configuration
from kinfolk.site.preview_code_checks import has_previews
from kinfolk.statistics.histories.history_file import load_bundled_history
from kinfolk.statistics.importing.import_coverage import ImportCoverage, import_coverage
from kinfolk.statistics.open_statistics import StatisticsParts, imported_packages, open_statistics

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

MOST_SHELLS = 4
"""Pages of menus and promotions change rarely. A request that began before a change uses the shell before it."""


@dataclass(frozen=True)
class Site:
    """The website of one family of libraries."""

    settings: Settings
    catalog: Catalog
    palette: Palette
    brand: SiteBrand
    icons: IconSet
    database: Database
    content: ContentParts
    release_notes: LibraryNotes
    search: SearchParts
    statistics: StatisticsParts
    accounts: Accounts
    maintenance: MaintenanceParts
    topics: TopicStore
    caches: CacheBudget
    """The common memory limit of all caches."""
    shells: ThreadSafeLRUCache[object, object] = field(default_factory=lambda: ThreadSafeLRUCache(MOST_SHELLS))
    """What all pages show around their content, by the facts of it that change while the site is open."""
    previews: KnownPreviews | None = None
    """None on a site without previews of pull requests."""
    answers: AnswerService | None = None
    """None on a site that answers no questions."""
    is_static: bool = False
    """Whether pages are rendered for an export, whose readers have no server."""

    @property
    def services(self) -> tuple[Service, ...]:
        """Services in the order in which they start."""
        schema = SchemaUpgrade(self.database, lambda: upgrade_database(self.database, self.settings))
        mail = self.accounts.sender
        deliveries = self.maintenance.deliveries
        services = (schema, self.search.algolia, self.search.updater, *self.content.services, mail, deliveries)
        return tuple(service for service in services if service is not None)

    @cached_property
    def sign_in_by_mail(self) -> bool:
        """Whether mail is sent, or shown in development."""
        return self.catalog.accounts and (self.accounts.sender is not None or is_development(self.settings))

    @property
    def has_upgrades(self) -> bool:
        """Whether the page exists that reads a project's packages. An export has no server that compares them."""
        return bool(self.catalog.npm_names) and not self.is_static

    @property
    def content_source(self) -> str:
        """Where the docs come from, in words."""
        return self.content.publisher.source.description

    def import_coverage(self) -> ImportCoverage:
        """Which download counts are stored. Blocks. Raises Unavailable."""
        return import_coverage(self.database, imported_packages(self.settings))


def open_site(
    settings: Settings, *, source: ContentSource | None = None, markdown_pool: MarkdownProcessPool | None = None
) -> Site:
    """Read the site folder and open the docs. What is invalid is left out, and named in the log.

    Raises InvalidSite if nothing can be served, Unavailable if there are no docs.

    `source` supplies the docs; the default is the mirror, with the bundled docs for branches that it does not have.
    A `markdown_pool` is used and not closed.
    """
    configuration = read_configuration(settings.site, settings.frontend)
    catalog = with_own_host(configuration.catalog, settings)
    for fault in configuration.faults:
        log.warning("left out of the site", reason=fault.message)
    # A subprocess reads the docs from settings, so it can build the index of the default source only.
    in_subprocess = source is None
    database = open_database(settings)
    syncs = ContentSyncs(database, now=utc_now)
    fetched: set[str] = set()
    if source is None:
        source = default_source(settings, catalog, on_progress=lambda event: record_sync(syncs, fetched, event))
    caches = CacheBudget(settings.memory_mb << 20)
    palette = load_palette(settings.site, catalog)
    content = open_content(
        settings,
        catalog,
        palette,
        configuration.redirects,
        configuration.landings,
        source=source,
        caches=caches,
        markdown_pool=markdown_pool,
    )
    release_notes = open_library_notes(catalog, database, markdown_renderer(catalog, content.markdown))
    search = open_search(settings, catalog, database, content, caches, notes=release_notes, in_subprocess=in_subprocess)
    return Site(
        settings=settings,
        catalog=catalog,
        palette=palette,
        brand=load_brand(settings.site, catalog, palette),
        icons=load_icons(settings.frontend, icon_names(catalog)),
        database=database,
        content=content,
        release_notes=release_notes,
        search=search,
        statistics=open_statistics(settings, catalog, database, caches),
        accounts=open_accounts(settings, catalog, database),
        maintenance=open_maintenance(
            settings,
            database,
            content.sponsors,
            syncs,
            fetched,
            publisher=content.publisher,
        ),
        topics=TopicStore(database, now=utc_now),
        caches=caches,
        previews=open_previews(settings, catalog, database),
        answers=open_answers(settings, catalog, database, search),
    )


def open_previews(settings: Settings, catalog: Catalog, database: Database) -> KnownPreviews | None:
    """The pull requests with previews; None for a site that shows none. All processes are notified of a change."""
    if not has_previews(settings):
        return None
    limits = PreviewLimits(settings.previews, settings.preview_days, settings.closed_preview_days)
    announce = announcer(database, "previews")
    return KnownPreviews(catalog, PullRequestStore(database, limits, now=utc_now, announce=announce))


def upgrade_database(database: Database, settings: Settings) -> None:
    """Create or change the tables, and import files of earlier versions. Raises Unavailable and NewerDatabase."""
    upgrade(database)
    import_query_log(database, settings.var / FORMER_FILE)
    try:
        load_bundled_history(database, settings.site)
    except InvalidFile as wrong:
        # The counts of a file are not worth a site without a database.
        log.warning("bundled download counts are not loaded", reason=wrong.message)
