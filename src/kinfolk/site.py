"""The composition root: with `site_services`, the only module that constructs long-lived objects."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import chain
from urllib.parse import urlsplit

import structlog

from kinfolk.accounts.accounts import Accounts
from kinfolk.accounts.oauth import configured_providers
from kinfolk.accounts.outgoing_mail import MailQueue, MailSender, mail_server
from kinfolk.accounts.saved_items import SavedItems
from kinfolk.accounts.sessions import Sessions
from kinfolk.algolia.api import AlgoliaApi
from kinfolk.algolia.api_keys import ApiKeys
from kinfolk.algolia.index_registry import IndexHandle, IndexRegistry, SiteIndexSource
from kinfolk.algolia.settings_format import AlgoliaSettingsReader
from kinfolk.base_path import BasePath
from kinfolk.blog import Blog
from kinfolk.branding import SiteBrand, load_brand
from kinfolk.cache import CacheBudget, CachePriority, ThreadSafeLRUCache
from kinfolk.catalog import Catalog, icon_names, load_catalog
from kinfolk.configuration_check import read_configuration
from kinfolk.content_source import default_source, record_sync
from kinfolk.db.database import Database, database_url
from kinfolk.db.schema import upgrade
from kinfolk.db.schema_upgrade import SchemaUpgrade
from kinfolk.docs import DocsRelease
from kinfolk.docs.publisher import DocsPublisher
from kinfolk.docs.snippets import docs_snippets
from kinfolk.docs_address import Ref
from kinfolk.errors import InvalidFile, Unavailable
from kinfolk.examples.snippets import example_snippets
from kinfolk.feedback.feedback_store import FeedbackStore
from kinfolk.figures.figure_store import FigureStore
from kinfolk.figures.site_figures import SiteFigures
from kinfolk.highlight import Highlighter
from kinfolk.highlight.highlighter import Section
from kinfolk.icons import IconSet, load_icons
from kinfolk.landing import (
    Landing,
    LogoSprite,
    landing_snippets,
    load_framework_logos,
    load_partner_marks,
    partner_marks_address,
)
from kinfolk.library_face import Faces, draw_faces
from kinfolk.lifecycle import Service
from kinfolk.live.topic_store import TopicStore
from kinfolk.markdown.plain_text_fallback import MarkdownRenderer
from kinfolk.markdown.process_pool import MarkdownProcessPool
from kinfolk.npm.history_file import load_bundled_history
from kinfolk.npm.import_coverage import ImportCoverage, import_coverage
from kinfolk.npm.importer import utc_now
from kinfolk.npm.npm_config import NpmConfig, load_npm_config, with_library_category
from kinfolk.npm.package_search import PackageSearch
from kinfolk.npm.statistics import NpmStatistics
from kinfolk.overrides.override_store import OverrideStore
from kinfolk.overrides.site_overrides import SiteOverrides
from kinfolk.palette import Palette, load_palette
from kinfolk.prose_pages import ProsePages
from kinfolk.pushed_indexes import PushedIndexes
from kinfolk.redirects import Redirects, load_redirects
from kinfolk.reports.content_faults import ContentFaults
from kinfolk.reports.content_syncs import ContentSyncs
from kinfolk.reports.missed_requests import MissedRequestLog
from kinfolk.routes import reserved_segments
from kinfolk.search.docs_index.based_index import BasedIndex
from kinfolk.search.docs_index.index_build import SearchableContent
from kinfolk.search.docs_index.index_updater import IndexUpdater, InProcessBuilder
from kinfolk.search.docs_index.subprocess_builder import SubprocessBuilder
from kinfolk.search.engine.tantivy_index import RESULT_CACHE_BYTES, ResultCache
from kinfolk.search.ranking_config import RankingConfig, load_ranking_config
from kinfolk.search_analytics.query_log import QueryLog, SearchReport
from kinfolk.search_analytics.query_log_import import FORMER_FILE, import_query_log
from kinfolk.secret_tokens import SecretKey
from kinfolk.settings import Settings, environment_of, is_development
from kinfolk.sources.file_reader import FileReader
from kinfolk.sources.snapshot import ContentSource, Snapshot
from kinfolk.sponsors import CurrentSponsors, GitHubSponsors, PartnerMarks, load_sponsor_config, sponsored_account

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Site:
    """The website of one family of libraries."""

    settings: Settings
    catalog: Catalog
    palette: Palette
    brand: SiteBrand
    landings: Mapping[str, Landing]
    logos: LogoSprite
    framework_logos: LogoSprite
    faces: Faces
    partner_marks: LogoSprite
    icons: IconSet
    redirects: Redirects
    publisher: DocsPublisher
    blog: Blog
    pages: ProsePages
    sponsors: CurrentSponsors
    overrides: SiteOverrides
    algolia: AlgoliaApi
    markdown: MarkdownProcessPool
    database: Database
    npm: NpmStatistics
    figures: SiteFigures
    package_search: PackageSearch | None
    """None without a search service."""
    accounts: Accounts
    feedback: FeedbackStore
    missed_requests: MissedRequestLog
    syncs: ContentSyncs
    fetched: set[str]
    """Repositories that this process has fetched a new commit of since its last release."""
    topics: TopicStore
    faults: ContentFaults
    caches: CacheBudget
    """The common memory limit of all caches."""
    highlighter: Highlighter | None = None
    search: IndexUpdater | None = None
    """None where the site has no search index of its own."""
    is_static: bool = False
    """Whether pages are rendered for an export, whose readers have no server."""
    search_examples: tuple[str, ...] = ()
    """Queries that the empty search suggests."""
    reader: FileReader = field(default_factory=FileReader)
    shared: tuple[Service, ...] = ()
    """Services that outlive this site: their owner starts and closes them."""

    @property
    def services(self) -> tuple[Service, ...]:
        """Services in the order in which they start."""
        schema = SchemaUpgrade(self.database, lambda: upgrade_database(self.database, self.settings))
        mail = self.accounts.sender
        services = (schema, self.algolia, self.search, self.highlighter, self.reader, self.markdown, mail)
        return tuple(service for service in services if service is not None and service not in self.shared)

    @property
    def sign_in_by_mail(self) -> bool:
        """Whether mail is sent, or shown in development."""
        return self.catalog.accounts and (self.accounts.sender is not None or is_development(self.settings))

    @property
    def content_source(self) -> str:
        """Where the docs come from, in words."""
        return self.publisher.source.description

    def request_sync(self, ref: Ref) -> None:
        """Sync a branch as soon as possible. Does not block."""
        self.publisher.request_refresh([ref])

    def search_report(self, days: int) -> SearchReport:
        """Searches of this site's pages in the last days. Blocks."""
        return self.algolia.query_log.report(site_index_name(self.catalog), days=days)

    def import_coverage(self) -> ImportCoverage:
        """Which download counts are stored. Blocks. Raises Unavailable."""
        return import_coverage(self.database, imported_packages(self.settings))

    def sections(self, *, on_page: Callable[[], None] = lambda: None) -> Iterator[Section]:
        """All code of the site, to highlight in advance."""
        docs = self.publisher.docs
        other: list[Section] = [landing_snippets(self.landings), self.blog.section()]
        return chain(docs_snippets(docs, on_page=on_page), other, example_snippets(self.catalog, docs.branches))


def open_catalog(settings: Settings) -> Catalog:
    """The catalog of the site folder; the host of the origin is one of its hosts. Raises InvalidFile."""
    return _with_own_host(load_catalog(settings.site), settings)


def _with_own_host(catalog: Catalog, settings: Settings) -> Catalog:
    return replace(catalog, site_hosts=(*catalog.site_hosts, urlsplit(settings.origin).netloc.lower()))


def open_site(
    settings: Settings, *, source: ContentSource | None = None, markdown_pool: MarkdownProcessPool | None = None
) -> Site:
    """Read the site folder and open the docs. What is invalid is left out, and named in the log.

    Raises InvalidSite if nothing can be served, Unavailable if there are no docs.

    `source` supplies the docs; the default is the mirror, with the bundled docs for branches that it does not have.
    A `markdown_pool` is used and not closed.
    """
    configuration = read_configuration(settings.site, settings.frontend)
    for fault in configuration.faults:
        log.warning("left out of the site", reason=fault.message)
    catalog = _with_own_host(configuration.catalog, settings)
    redirects, landings = configuration.redirects, configuration.landings
    # A subprocess reads the docs from settings, so it can build the index of the default source only.
    in_subprocess = source is None
    database = open_database(settings)
    syncs = ContentSyncs(database, now=utc_now)
    fetched: set[str] = set()
    if source is None:
        source = default_source(settings, catalog, on_progress=lambda event: record_sync(syncs, fetched, event))
    caches = CacheBudget(settings.memory_mb << 20)
    highlighter = open_highlighter(settings, caches)
    pool = markdown_pool or MarkdownProcessPool()
    pool.first_framework = catalog.default_framework
    markdown = MarkdownRenderer(pool)
    docs = DocsRelease(
        catalog, redirects, _first_snapshot(settings, source), highlighter=highlighter, markdown=markdown, caches=caches
    )
    publisher = DocsPublisher(docs, source)
    blog = open_blog(settings, catalog, highlighter=highlighter, markdown=markdown)
    publisher.add_source(blog.refresh)
    pages = open_pages(settings, catalog, highlighter=highlighter, markdown=markdown)
    publisher.add_source(pages.stale)
    # Not `pages`: what has changed since a request read it decides what `stale` purges.
    searched_pages = open_pages(settings, catalog, markdown=markdown)
    ranking = load_ranking_config(settings.site, family=catalog.family)
    results: ResultCache = caches.add("search answers", CachePriority.SEARCH, ThreadSafeLRUCache(RESULT_CACHE_BYTES))
    search = (
        open_search(settings, ranking, publisher, blog, searched_pages, in_subprocess=in_subprocess, results=results)
        if settings.search
        else None
    )
    palette = load_palette(settings.site, catalog)
    npm = open_statistics(settings, catalog, database, caches)
    partner_marks = load_partner_marks(settings.site, catalog)
    sponsors = open_sponsors(settings, catalog, partner_marks)
    site = Site(
        settings=settings,
        catalog=catalog,
        palette=palette,
        brand=load_brand(settings.site, catalog, palette),
        landings=landings,
        logos=LogoSprite.of({id: landing.logo for id, landing in landings.items()}),
        framework_logos=load_framework_logos(settings.site, catalog),
        faces=draw_faces(catalog, landings, palette),
        partner_marks=partner_marks,
        icons=load_icons(settings.frontend, icon_names(catalog)),
        redirects=redirects,
        publisher=publisher,
        blog=blog,
        pages=pages,
        sponsors=sponsors,
        overrides=open_overrides(database, sponsors),
        algolia=open_algolia_api(
            settings,
            database,
            site_index(catalog, search, BasePath.of(settings.origin)) if search else {},
            results=results,
            caches=caches,
        ),
        markdown=pool,
        database=database,
        npm=npm,
        figures=SiteFigures(catalog, open_figure_store(database), read_histories=npm.complete_histories),
        package_search=PackageSearch(settings.npm_search_api) if settings.npm_search_api else None,
        accounts=open_accounts(settings, catalog, database),
        feedback=FeedbackStore(database, SecretKey(settings.secret), now=utc_now),
        missed_requests=MissedRequestLog(database, today=lambda: utc_now().date()),
        syncs=syncs,
        fetched=fetched,
        topics=TopicStore(database, now=utc_now),
        faults=ContentFaults(database, now=utc_now),
        caches=caches,
        highlighter=highlighter,
        search=search,
        search_examples=ranking.examples,
        shared=() if markdown_pool is None else (markdown_pool,),
    )
    if highlighter is not None:
        highlighter.on_ready(publisher.purge)
        publisher.on_release(lambda _: highlighter.warm(site.sections))
    return site


def _first_snapshot(settings: Settings, source: ContentSource) -> Snapshot:
    """The docs at the start: none before the first sync. Raises Unavailable if there will not be any."""
    try:
        return source.open()
    except Unavailable as failure:
        if settings.mirror is None:
            raise
        log.warning("no docs yet", reason=failure.message)
        return Snapshot({})


def open_database(settings: Settings) -> Database:
    """The database, without a connection. Raises Invalid for an address that is none."""
    return Database(database_url(settings), lock_folder=settings.var)


def upgrade_database(database: Database, settings: Settings) -> None:
    """Create or change the tables, and import files of earlier versions. Raises Unavailable and NewerDatabase."""
    upgrade(database)
    import_query_log(database, settings.var / FORMER_FILE)
    try:
        load_bundled_history(database, settings.site)
    except InvalidFile as wrong:
        # The counts of a file are not worth a site without a database.
        log.warning("bundled download counts are not loaded", reason=wrong.message)


def open_accounts(settings: Settings, catalog: Catalog, database: Database) -> Accounts:
    """Accounts with the ways to sign in that are set up; with none, where readers have no accounts.

    Raises Invalid for a setting of mail that is wrong.
    """
    mail = MailQueue(database, now=utc_now)
    server = mail_server(settings.smtp, settings.mail_from) if settings.smtp and catalog.accounts else None
    return Accounts(
        database,
        SecretKey(settings.secret),
        Sessions(database, maintainers=settings.maintainers, now=utc_now),
        SavedItems(database),
        providers=configured_providers(settings) if catalog.accounts else (),
        mail=mail,
        sender=MailSender(mail, server, database, now=utc_now) if server else None,
        are_open=catalog.accounts,
        family=catalog.family,
        origin=settings.origin,
        now=utc_now,
    )


def imported_packages(settings: Settings) -> tuple[str, ...]:
    """The packages whose counts are always kept current: those of comparisons, and those of libraries."""
    libraries = load_catalog(settings.site).libraries
    declared = (name for library in libraries for name in library.npm_packages)
    return tuple(dict.fromkeys((*load_npm_config(settings.site).packages, *declared)))


def npm_config(settings: Settings, catalog: Catalog) -> NpmConfig:
    """The comparisons of `npm.toml`; without any, a comparison of the libraries."""
    packages = (library.npm_packages for library in catalog.libraries)
    return with_library_category(load_npm_config(settings.site), catalog.family, packages)


def open_statistics(settings: Settings, catalog: Catalog, database: Database, caches: CacheBudget) -> NpmStatistics:
    """The npm statistics of the site."""
    return NpmStatistics(
        npm_config(settings, catalog),
        database,
        caches=caches,
        imports=settings.npm_import,
        repositories=catalog.package_repositories,
    )


def open_figure_store(database: Database) -> FigureStore:
    """The stored figures. All processes are notified of a change."""
    return FigureStore(database, now=utc_now, on_revision=announcer(database, "figures"))


def open_overrides(database: Database, sponsors: CurrentSponsors) -> SiteOverrides:
    """The sponsors and promotions that maintainers set. All processes are notified of a change."""
    return SiteOverrides(OverrideStore(database, announcer(database, "overrides"), now=utc_now), sponsors)


def announcer(database: Database, source: str) -> Callable[[int], None]:
    """Notifies all processes of a change of rows that pages show, by its number."""
    topics = TopicStore(database, now=utc_now)
    return lambda revision: topics.announce(source, revision)


def open_searchable_content(settings: Settings) -> SearchableContent:
    """The content of the search index, without the rest of the site: for the process that builds it."""
    catalog = open_catalog(settings)
    pool = MarkdownProcessPool()
    pool.first_framework = catalog.default_framework
    markdown = MarkdownRenderer(pool)
    source = default_source(settings, catalog)
    docs = DocsRelease(catalog, load_redirects(settings.site), source.open(), markdown=markdown)
    return SearchableContent(
        docs,
        open_blog(settings, catalog, markdown=markdown).published,
        load_ranking_config(settings.site, family=catalog.family),
        tuple(open_pages(settings, catalog, markdown=markdown).valid_pages),
    )


def open_search(
    settings: Settings,
    ranking: RankingConfig,
    publisher: DocsPublisher,
    blog: Blog,
    pages: ProsePages,
    *,
    in_subprocess: bool,
    results: ResultCache | None = None,
) -> IndexUpdater:
    """The search index of this site's pages, built in a subprocess or in this process."""
    folder = settings.var / "search"

    def content() -> SearchableContent:
        return SearchableContent(publisher.docs, blog.published, ranking, tuple(pages.valid_pages))

    builder = SubprocessBuilder(environment_of(settings)) if in_subprocess else InProcessBuilder(folder, content)
    search = IndexUpdater(folder, ranking, content, builder, results)
    publisher.on_release(lambda _: search.notify_change())
    return search


def site_index(catalog: Catalog, search: IndexUpdater, base: BasePath) -> Mapping[str, SiteIndexSource]:
    """The index of this site's pages by its name, for the Algolia API."""
    name = site_index_name(catalog)

    def open_index() -> IndexHandle:
        index = BasedIndex(search.index, base) if base else search.index
        return IndexHandle.of_site(name, index, search.rules.settings)

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
        QueryLog(database, today=lambda: datetime.now(UTC).date()),
        ApiKeys(settings.search_app_id, settings.search_key, settings.search_admin_key),
        caches=caches,
    )


def open_blog(
    settings: Settings,
    catalog: Catalog,
    *,
    highlighter: Highlighter | None = None,
    markdown: MarkdownRenderer | None = None,
) -> Blog:
    """The blog, with drafts if the settings say so."""
    libraries = [library.id for library in catalog.libraries]
    return Blog(settings.site / "blog", libraries, drafts=settings.drafts, highlighter=highlighter, markdown=markdown)


def open_pages(
    settings: Settings,
    catalog: Catalog,
    *,
    highlighter: Highlighter | None = None,
    markdown: MarkdownRenderer | None = None,
) -> ProsePages:
    """The site's own pages, with the names of the family and the owner inserted."""
    values = {"family": catalog.family, "owner": catalog.owner, "contact": catalog.contact or ""}
    reserved = reserved_segments(library.id for library in catalog.libraries)
    folder = settings.site / "pages"
    return ProsePages(folder, values, reserved=reserved, highlighter=highlighter, markdown=markdown)


def open_sponsors(settings: Settings, catalog: Catalog, partner_marks: LogoSprite) -> CurrentSponsors:
    """The sponsors of `sponsors.toml`, and those on GitHub if there is a token."""
    login = sponsored_account(catalog.sponsors_url)
    token, api = settings.github_token, settings.github_api
    return CurrentSponsors(
        load_sponsor_config(settings.site),
        catalog.partners,
        marks=PartnerMarks(partner_marks_address(partner_marks), partner_marks.rows),
        github=GitHubSponsors(login, token, api=api) if token and login else None,
        become_url=catalog.sponsors_url,
        folder=settings.var,
    )


def open_highlighter(settings: Settings, caches: CacheBudget | None = None) -> Highlighter | None:
    """None if highlighting is off or its bundle is not built."""
    bundle = settings.frontend / "ssr" / "highlight.js"
    if not settings.highlight or not bundle.exists():
        return None
    return Highlighter(bundle.read_text(encoding="utf-8"), settings.var / "highlight.sqlite", caches=caches)
