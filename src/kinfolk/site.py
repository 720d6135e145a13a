"""The composition root: with `site_services`, the only module that constructs long-lived objects."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import chain

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
from kinfolk.blog import Blog
from kinfolk.cache import CacheBudget, CachePriority, ThreadSafeLRUCache
from kinfolk.catalog import WHOLE_REPOSITORY, Catalog, load_catalog
from kinfolk.db.database import Database, database_url
from kinfolk.db.schema import upgrade
from kinfolk.db.schema_upgrade import SchemaUpgrade
from kinfolk.docs import DocsRelease, parse_config
from kinfolk.docs.publisher import DocsPublisher
from kinfolk.docs.snippets import docs_snippets
from kinfolk.docs_address import Ref
from kinfolk.errors import Invalid, InvalidFile, Unavailable
from kinfolk.examples.snippets import example_snippets
from kinfolk.feedback.feedback_store import FeedbackStore
from kinfolk.figures.figure_store import FigureStore
from kinfolk.figures.site_figures import SiteFigures
from kinfolk.highlight import Highlighter
from kinfolk.highlight.highlighter import Section
from kinfolk.landing import (
    Landing,
    LogoSprite,
    landing_snippets,
    load_framework_logos,
    load_landings,
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
from kinfolk.npm.npm_config import load_npm_config
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
from kinfolk.search.docs_index.index_build import SearchableContent
from kinfolk.search.docs_index.index_updater import IndexUpdater, InProcessBuilder
from kinfolk.search.docs_index.subprocess_builder import SubprocessBuilder
from kinfolk.search.engine.tantivy_index import RESULT_CACHE_BYTES, ResultCache
from kinfolk.search.ranking_config import RankingConfig, load_ranking_config
from kinfolk.search_analytics.query_log import QueryLog, SearchReport
from kinfolk.search_analytics.query_log_import import FORMER_FILE, import_query_log
from kinfolk.secret_tokens import SecretKey
from kinfolk.settings import Settings, environment_of, is_development
from kinfolk.sources.directory import DirectorySource
from kinfolk.sources.file_reader import FileReader
from kinfolk.sources.layered import LayeredSource
from kinfolk.sources.mirror import BranchRequirements, MirrorSource
from kinfolk.sources.published_commits import PUBLISHED_FILE as PUBLISHED
from kinfolk.sources.snapshot import ContentSource
from kinfolk.sources.sync_progress import RepoDone, SyncEvent
from kinfolk.sponsors import CurrentSponsors, GitHubSponsors, PartnerMarks, load_sponsor_config

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Site:
    """The website of one family of libraries."""

    settings: Settings
    catalog: Catalog
    palette: Palette
    landings: Mapping[str, Landing]
    logos: LogoSprite
    framework_logos: LogoSprite
    faces: Faces
    partner_marks: LogoSprite
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
    search_examples: tuple[str, ...] = ()
    """Queries that the empty search suggests."""
    reader: FileReader = field(default_factory=FileReader)

    @property
    def services(self) -> tuple[Service, ...]:
        """Services in the order in which they start."""
        schema = SchemaUpgrade(self.database, lambda: upgrade_database(self.database, self.settings))
        mail = self.accounts.sender
        services = (schema, self.algolia, self.search, self.highlighter, self.reader, self.markdown, mail)
        return tuple(service for service in services if service is not None)

    @property
    def sign_in_by_mail(self) -> bool:
        """Whether mail is sent, or shown in development."""
        return self.accounts.sender is not None or is_development(self.settings)

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


def open_site(settings: Settings, *, source: ContentSource | None = None) -> Site:
    """Read `data/` and open the docs. Raises InvalidFile for an error in `data/`, Unavailable if there are no docs.

    `source` supplies the docs; the default is the mirror, with the bundled docs for branches that it does not have.
    """
    catalog = load_catalog(settings.data)
    redirects = load_redirects(settings.data)
    # A subprocess reads the docs from settings, so it can build the index of the default source only.
    in_subprocess = source is None
    database = open_database(settings)
    syncs = ContentSyncs(database, now=utc_now)
    fetched: set[str] = set()
    if source is None:
        source = default_source(settings, catalog, on_progress=lambda event: record_sync(syncs, fetched, event))
    caches = CacheBudget(settings.memory_mb << 20)
    highlighter = open_highlighter(settings, caches)
    pool = MarkdownProcessPool()
    markdown = MarkdownRenderer(pool)
    docs = DocsRelease(catalog, redirects, source.open(), highlighter=highlighter, markdown=markdown, caches=caches)
    publisher = DocsPublisher(docs, source)
    blog = open_blog(settings, catalog, highlighter=highlighter, markdown=markdown)
    publisher.add_source(blog.refresh)
    pages = open_pages(settings, catalog, highlighter=highlighter, markdown=markdown)
    publisher.add_source(pages.stale)
    # Not `pages`: what has changed since a request read it decides what `stale` purges.
    searched_pages = open_pages(settings, catalog, markdown=markdown)
    ranking = load_ranking_config(settings.data)
    results: ResultCache = caches.add("search answers", CachePriority.SEARCH, ThreadSafeLRUCache(RESULT_CACHE_BYTES))
    search = (
        open_search(settings, ranking, publisher, blog, searched_pages, in_subprocess=in_subprocess, results=results)
        if settings.search
        else None
    )
    landings = load_landings(settings.data, catalog)
    palette = load_palette(settings.data, catalog)
    npm = open_statistics(settings, catalog, database, caches)
    partner_marks = load_partner_marks(settings.data, catalog)
    sponsors = open_sponsors(settings, catalog, partner_marks)
    site = Site(
        settings=settings,
        catalog=catalog,
        palette=palette,
        landings=landings,
        logos=LogoSprite.of({id: landing.logo for id, landing in landings.items()}),
        framework_logos=load_framework_logos(settings.data, catalog),
        faces=draw_faces(catalog, landings, palette),
        partner_marks=partner_marks,
        redirects=redirects,
        publisher=publisher,
        blog=blog,
        pages=pages,
        sponsors=sponsors,
        overrides=open_overrides(database, sponsors),
        algolia=open_algolia_api(
            settings, database, site_index(catalog, search) if search else {}, results=results, caches=caches
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
    )
    if highlighter is not None:
        highlighter.on_ready(publisher.purge)
        publisher.on_release(lambda _: highlighter.warm(site.sections))
    return site


def open_database(settings: Settings) -> Database:
    """The database, without a connection. Raises Invalid for an address that is none."""
    return Database(database_url(settings), lock_folder=settings.var)


def upgrade_database(database: Database, settings: Settings) -> None:
    """Create or change the tables, and import files of earlier versions. Raises Unavailable and NewerDatabase."""
    upgrade(database)
    import_query_log(database, settings.var / FORMER_FILE)
    try:
        load_bundled_history(database, settings.data)
    except InvalidFile as wrong:
        # The counts of a file are not worth a site without a database.
        log.warning("bundled download counts are not loaded", reason=wrong.message)


def open_accounts(settings: Settings, catalog: Catalog, database: Database) -> Accounts:
    """Accounts with the ways to sign in that are set up. Raises Invalid for a setting of mail that is wrong."""
    mail = MailQueue(database, now=utc_now)
    server = mail_server(settings.smtp, settings.mail_from) if settings.smtp else None
    return Accounts(
        database,
        SecretKey(settings.secret),
        Sessions(database, maintainers=settings.maintainers, now=utc_now),
        SavedItems(database),
        providers=configured_providers(settings),
        mail=mail,
        sender=MailSender(mail, server, database, now=utc_now) if server else None,
        family=catalog.family,
        origin=settings.origin,
        now=utc_now,
    )


def imported_packages(settings: Settings) -> tuple[str, ...]:
    """The packages whose counts are always kept current: those of comparisons, and those of libraries."""
    libraries = load_catalog(settings.data).libraries
    declared = (name for library in libraries for name in library.npm_packages)
    return tuple(dict.fromkeys((*load_npm_config(settings.data).packages, *declared)))


def package_repositories(catalog: Catalog) -> dict[str, str]:
    """The repository of each package that a library declares."""
    return {name: library.repo for library in catalog.libraries for name in library.npm_packages}


def open_statistics(settings: Settings, catalog: Catalog, database: Database, caches: CacheBudget) -> NpmStatistics:
    """The npm statistics of the site."""
    return NpmStatistics(
        load_npm_config(settings.data),
        database,
        caches=caches,
        imports=settings.npm_import,
        repositories=package_repositories(catalog),
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
    catalog = load_catalog(settings.data)
    markdown = MarkdownRenderer(MarkdownProcessPool())
    source = default_source(settings, catalog)
    docs = DocsRelease(catalog, load_redirects(settings.data), source.open(), markdown=markdown)
    return SearchableContent(
        docs,
        open_blog(settings, catalog, markdown=markdown).published,
        load_ranking_config(settings.data),
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


def site_index(catalog: Catalog, search: IndexUpdater) -> Mapping[str, SiteIndexSource]:
    """The index of this site's pages by its name, for the Algolia API."""
    name = site_index_name(catalog)
    return {name: lambda: IndexHandle.of_site(name, search.index, search.rules.settings)}


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
    return Blog(
        settings.site_content / "blog", libraries, drafts=settings.drafts, highlighter=highlighter, markdown=markdown
    )


def open_pages(
    settings: Settings,
    catalog: Catalog,
    *,
    highlighter: Highlighter | None = None,
    markdown: MarkdownRenderer | None = None,
) -> ProsePages:
    """The site's own pages, with the names of the family and the owner inserted."""
    values = {"family": catalog.family, "owner": catalog.owner, "contact": catalog.contact}
    return ProsePages(settings.site_content / "pages", values, highlighter=highlighter, markdown=markdown)


def open_sponsors(settings: Settings, catalog: Catalog, partner_marks: LogoSprite) -> CurrentSponsors:
    """The sponsors of `data/sponsors.toml`, and those on GitHub if there is a token."""
    login = catalog.sponsors_url.rsplit("/", 1)[-1]
    token, api = settings.github_token, settings.github_api
    return CurrentSponsors(
        load_sponsor_config(settings.data),
        catalog.partners,
        marks=PartnerMarks(partner_marks_address(partner_marks), partner_marks.rows),
        github=GitHubSponsors(login, token, api=api) if token else None,
        become_url=catalog.sponsors_url,
        folder=settings.var,
    )


def open_highlighter(settings: Settings, caches: CacheBudget | None = None) -> Highlighter | None:
    """None if highlighting is off or its bundle is not built."""
    bundle = settings.frontend / "ssr" / "highlight.js"
    if not settings.highlight or not bundle.exists():
        return None
    return Highlighter(bundle.read_text(encoding="utf-8"), settings.var / "highlight.sqlite", caches=caches)


def mirror_source(
    settings: Settings, catalog: Catalog, *, on_progress: Callable[[SyncEvent], None] | None = None
) -> MirrorSource:
    """The git mirrors of all libraries. Raises Invalid when mirrors are turned off."""
    if settings.mirror is None:
        raise Invalid("KINFOLK_MIRROR is off: name a folder for the mirrors")
    roots: dict[Ref, list[str]] = {ref: [] for ref in catalog.refs}
    for library in catalog.libraries:
        for version in library.versions:
            roots[Ref(library.repo, version.branch)].append(library.docs_root)

    # In docs of other programs, a file of this name may be anything.
    checked = {
        f"{library.docs_root}/config.json".removeprefix(f"{WHOLE_REPOSITORY}/")
        for library in catalog.libraries
        if library.dialect == "github"
    }

    def validate(path: str, content: bytes) -> None:
        if path in checked:
            parse_config(path, content)

    return MirrorSource(
        settings.mirror,
        {ref: BranchRequirements(tuple(dict.fromkeys(docs_roots))) for ref, docs_roots in roots.items()},
        validate,
        url_template=settings.upstream,
        timeout_s=settings.fetch_timeout_s,
        on_progress=on_progress,
    )


def record_sync(syncs: ContentSyncs, fetched: set[str], event: SyncEvent) -> None:
    """Store how the sync of a repository ended. Docs are served without the database, so a failure is only logged."""
    if isinstance(event, RepoDone) and event.updated:
        fetched.add(event.repo)
    try:
        match event:
            case RepoDone(repo=repo, outcome="failed", reason=reason):
                syncs.failed(repo, reason)
            case RepoDone(repo=repo, outcome=outcome):
                syncs.succeeded(repo, changed=outcome == "updated")
    except Unavailable as failure:
        log.warning("sync not recorded", reason=failure.message)


def default_source(
    settings: Settings, catalog: Catalog, *, on_progress: Callable[[SyncEvent], None] | None = None
) -> ContentSource:
    """The mirrored branches, and the bundled docs for all other branches."""
    bundled = DirectorySource(settings.content, catalog.refs, "the bundled docs")
    if settings.mirror is None:
        return bundled
    return LayeredSource(
        mirror_source(settings, catalog, on_progress=on_progress), bundled, (settings.mirror / PUBLISHED).exists
    )
