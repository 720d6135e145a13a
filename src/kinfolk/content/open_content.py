"""Opens the content of a site: docs, posts, pages, landing pages, sponsors, and what renders them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

import structlog

from kinfolk.branding.palette import Palette
from kinfolk.config.catalog import Catalog
from kinfolk.config.docs_address import Ref
from kinfolk.config.routes import reserved_segments
from kinfolk.config.settings import Settings
from kinfolk.content.blog import Blog
from kinfolk.content.code_checks.check_store import CheckStore
from kinfolk.content.docs import DocsSnapshot
from kinfolk.content.docs.docs_source import head_contents, tag_contents
from kinfolk.content.docs.snapshots.docs_snippets import docs_snippets
from kinfolk.content.docs.snapshots.publisher import DocsPublisher
from kinfolk.content.docs.snapshots.release_docs import ReleaseDocs
from kinfolk.content.examples.example_snippets import example_snippets
from kinfolk.content.highlight import Highlighter
from kinfolk.content.highlight.highlighter import Section
from kinfolk.content.landing.landing import (
    Landing,
    LogoSprite,
    landing_snippets,
    load_framework_logos,
    load_partner_marks,
    partner_marks_address,
)
from kinfolk.content.landing.library_face import Faces, draw_faces
from kinfolk.content.markdown.processes.plain_text_fallback import MarkdownRenderer
from kinfolk.content.markdown.processes.process_pool import MarkdownProcessPool
from kinfolk.content.pages.prose_pages import ProsePages
from kinfolk.content.redirects import Redirects
from kinfolk.content.release_notes.hosts.host_release_store import HostReleaseStore
from kinfolk.content.release_notes.hosts.host_releases import ReleaseRefresher
from kinfolk.content.release_notes.hosts.release_client import ReleaseClient, listed_repositories
from kinfolk.content.release_notes.library_notes import LibraryNotes
from kinfolk.content.sources.file_reader import FileReader
from kinfolk.content.sources.snapshot import ContentSource, Snapshot
from kinfolk.content.sponsors import (
    CurrentSponsors,
    GitHubSponsors,
    PartnerMarks,
    load_sponsor_config,
    sponsored_account,
)
from kinfolk.db.database import Database, utc_now
from kinfolk.runtime.cache import CacheBudget
from kinfolk.runtime.errors import Unavailable
from kinfolk.runtime.services.lifecycle import Service

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)


@dataclass(frozen=True)
class ContentParts:
    """What the pages of a site are made of."""

    catalog: Catalog
    redirects: Redirects
    publisher: DocsPublisher
    blog: Blog
    pages: ProsePages
    landings: Mapping[str, Landing]
    logos: LogoSprite
    framework_logos: LogoSprite
    partner_marks: LogoSprite
    faces: Faces
    sponsors: CurrentSponsors
    markdown: MarkdownProcessPool
    highlighter: Highlighter | None = None
    reader: FileReader = field(default_factory=FileReader)
    shared: tuple[Service, ...] = ()
    """Services that outlive this site: their owner starts and closes them."""

    @property
    def services(self) -> tuple[Service, ...]:
        """Services in the order in which they start."""
        services = (self.highlighter, self.reader, self.markdown)
        return tuple(service for service in services if service is not None and service not in self.shared)

    def request_sync(self, ref: Ref) -> None:
        """Sync a branch as soon as possible. Does not block."""
        self.publisher.request_refresh([ref])

    def sections(self, *, on_page: Callable[[], None] = lambda: None) -> Iterator[Section]:
        """All code of the site, to highlight in advance."""
        docs = self.publisher.docs
        other: list[Section] = [landing_snippets(self.landings), self.blog.section()]
        return chain(docs_snippets(docs, on_page=on_page), other, example_snippets(self.catalog, docs.branches))


def open_content(
    settings: Settings,
    catalog: Catalog,
    palette: Palette,
    redirects: Redirects,
    landings: Mapping[str, Landing],
    *,
    source: ContentSource,
    caches: CacheBudget,
    markdown_pool: MarkdownProcessPool | None = None,
) -> ContentParts:
    """Open the docs that `source` supplies, and the content of the site folder.

    A `markdown_pool` is used and not closed. Raises InvalidSite and InvalidFile, and Unavailable if there are no docs.
    """
    highlighter = open_highlighter(settings, caches)
    pool = markdown_pool or MarkdownProcessPool()
    markdown = markdown_renderer(catalog, pool)
    docs = DocsSnapshot(
        catalog,
        redirects,
        _first_snapshot(settings, source),
        highlighter=highlighter,
        markdown=markdown,
        caches=caches,
        releases=open_releases(settings, catalog, markdown),
        code_checks=open_check_store(settings),
    )
    publisher = DocsPublisher(docs, source)
    blog = open_blog(settings, catalog, highlighter=highlighter, markdown=markdown)
    publisher.add_source(blog.refresh)
    pages = open_pages(settings, catalog, highlighter=highlighter, markdown=markdown)
    publisher.add_source(pages.stale)
    partner_marks = load_partner_marks(settings.site, catalog)
    content = ContentParts(
        catalog=catalog,
        redirects=redirects,
        publisher=publisher,
        blog=blog,
        pages=pages,
        landings=landings,
        logos=LogoSprite.of({id: landing.logo for id, landing in landings.items()}),
        framework_logos=load_framework_logos(settings.site, catalog),
        partner_marks=partner_marks,
        faces=draw_faces(catalog, landings, palette),
        sponsors=open_sponsors(settings, catalog, partner_marks),
        markdown=pool,
        highlighter=highlighter,
        shared=() if markdown_pool is None else (markdown_pool,),
    )
    if highlighter is not None:
        highlighter.on_ready(publisher.purge)
        publisher.on_snapshot(lambda _: highlighter.warm(content.sections))
    return content


def open_releases(settings: Settings, catalog: Catalog, markdown: MarkdownRenderer) -> ReleaseDocs | None:
    """The docs of the releases that the mirror knows, and of pull requests; None without mirrors."""
    contents, heads = tag_contents(settings, catalog), head_contents(settings, catalog)
    if contents is None and heads is None:
        return None
    releases = ReleaseDocs(catalog, contents, markdown, most_open=settings.open_releases, heads=heads)
    releases.update()
    return releases


def check_store_file(settings: Settings) -> Path:
    """The file with the checks of code."""
    return settings.var / "code_checks.sqlite"


def open_check_store(settings: Settings) -> CheckStore | None:
    """The checks of code; None on a site that checks none."""
    if not settings.code_checks or not settings.npm_registry:
        return None
    return CheckStore(check_store_file(settings))


def open_library_notes(catalog: Catalog, database: Database, markdown: MarkdownRenderer) -> LibraryNotes:
    """The notes of releases that are stored, or in changelogs."""
    return LibraryNotes(catalog, HostReleaseStore(database), markdown)


def open_release_refresher(
    settings: Settings, catalog: Catalog, database: Database, *, on_revision: Callable[[int], None]
) -> ReleaseRefresher | None:
    """The service that fetches the releases of code hosts. None if the settings turn it off, or without mirrors: then
    no page shows releases.

    `on_revision` gets the number of each change.
    """
    if not settings.release_notes or tag_contents(settings, catalog) is None:
        return None
    client = ReleaseClient(settings.github_token, now=utc_now, github_api=settings.github_api)
    store = HostReleaseStore(database, on_revision=on_revision)
    return ReleaseRefresher(store, client, listed_repositories(catalog), database=database, now=utc_now)


def markdown_renderer(catalog: Catalog, pool: MarkdownProcessPool) -> MarkdownRenderer:
    """Renders Markdown in the processes of the pool."""
    pool.first_framework, pool.link_schemes = catalog.default_framework, catalog.link_schemes
    return MarkdownRenderer(pool)


def _first_snapshot(settings: Settings, source: ContentSource) -> Snapshot:
    """The docs at the start: none before the first sync. Raises Unavailable if there will not be any."""
    try:
        return source.open()
    except Unavailable as failure:
        if settings.mirror is None:
            raise
        log.warning("no docs yet", reason=failure.message)
        return Snapshot({})


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
