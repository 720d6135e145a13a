"""Content for API functions. Each read records a dependency of the answer.

A function gets content from `SiteContent` only. `SiteFacts` has what is read once at start and never changes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Protocol, TypeVar

from kinfolk.accounts.accounts import Accounts
from kinfolk.branding import SiteBrand
from kinfolk.branding.palette import Palette
from kinfolk.config.catalog import AnnouncementBar, Catalog, Library
from kinfolk.config.catalog.releases import Release
from kinfolk.config.catalog.shown_period import Dated, any_dated, shown_period
from kinfolk.config.docs_address import Ref
from kinfolk.config.icons import IconSet
from kinfolk.config.settings import Settings
from kinfolk.content.blog import Blog, BlogPost
from kinfolk.content.dependencies import (
    BLOG,
    BLOG_EXISTS,
    DAY,
    PAGE_LIST,
    PROMOTIONS,
    SPONSORS,
    DependencyRecorder,
    prose_page,
)
from kinfolk.content.docs import ContentReader, DocsSnapshot
from kinfolk.content.landing.landing import Landing, LogoSprite
from kinfolk.content.landing.library_face import Faces
from kinfolk.content.pages.prose_pages import PageListing, ProsePage
from kinfolk.content.pull_requests.known_previews import KnownPreviews
from kinfolk.content.release_notes.release_page import FoundNotes, ReleaseNotes
from kinfolk.content.sources.file_reader import FileReader
from kinfolk.content.sponsors import SponsorPack
from kinfolk.maintenance.open_maintenance import MaintenanceParts
from kinfolk.maintenance.promotion import Promotion
from kinfolk.runtime.cache import LRUCache
from kinfolk.search.answers.answer_service import AnswerService
from kinfolk.search.open_search import SearchParts
from kinfolk.site.site import Site
from kinfolk.statistics.comparisons.comparison_chart import ComparisonChart
from kinfolk.statistics.figures.open_source_figures import FamilyFigures, OpenSourceFigures
from kinfolk.statistics.importing.import_coverage import ImportCoverage
from kinfolk.statistics.npm_statistics import NpmStatistics
from kinfolk.statistics.package_search import PackageSearch
from kinfolk.statistics.statistics_types import ComparisonChoices, LibraryDownloads, VersionAdoption

DatedItem = TypeVar("DatedItem", bound=Dated)


class ContentFacts(Protocol):
    """The parts of the content that no change of a file affects, and the reader of files."""

    @property
    def landings(self) -> Mapping[str, Landing]: ...

    @property
    def logos(self) -> LogoSprite: ...

    @property
    def framework_logos(self) -> LogoSprite: ...

    @property
    def partner_marks(self) -> LogoSprite: ...

    @property
    def faces(self) -> Faces: ...

    @property
    def reader(self) -> FileReader: ...

    def request_sync(self, ref: Ref) -> None: ...


class StatisticsFacts(Protocol):
    """The requests of packages and their search. Charts are content."""

    @property
    def npm(self) -> NpmStatistics: ...

    @property
    def package_search(self) -> PackageSearch | None: ...


class SiteFacts(Protocol):
    """The parts of a site that no content change affects, the search, and what maintainers read and set."""

    @property
    def settings(self) -> Settings: ...

    @property
    def is_static(self) -> bool: ...

    @property
    def catalog(self) -> Catalog: ...

    @property
    def palette(self) -> Palette: ...

    @property
    def brand(self) -> SiteBrand: ...

    @property
    def icons(self) -> IconSet: ...

    @property
    def shells(self) -> LRUCache[object, object]: ...

    @property
    def content(self) -> ContentFacts: ...

    @property
    def search(self) -> SearchParts: ...

    @property
    def statistics(self) -> StatisticsFacts: ...

    @property
    def previews(self) -> KnownPreviews | None: ...

    @property
    def answers(self) -> AnswerService | None: ...

    @property
    def maintenance(self) -> MaintenanceParts: ...

    @property
    def accounts(self) -> Accounts: ...

    @property
    def sign_in_by_mail(self) -> bool: ...

    @property
    def has_upgrades(self) -> bool: ...

    @property
    def content_source(self) -> str: ...

    def import_coverage(self) -> ImportCoverage: ...


class SiteContent:
    """The content of one docs snapshot, the blog, the sponsors and the site's own pages."""

    def __init__(self, site: Site, docs_snapshot: DocsSnapshot, *, today: date | None = None) -> None:
        self._site = site
        self._docs_snapshot = docs_snapshot
        self._today = today
        self.recorder = DependencyRecorder()
        self.docs = ContentReader(docs_snapshot, self.recorder)

    def for_next_call(self) -> SiteContent:
        """The same content with a new recorder."""
        return SiteContent(self._site, self._docs_snapshot, today=self._today)

    @property
    def blog(self) -> Blog:
        self.recorder.record(BLOG)
        return self._site.content.blog

    def post_body(self, post: BlogPost) -> str:
        """The HTML of a post, with the highlighted code that exists by now."""
        return self.blog.html(post, self.recorder)

    @property
    def sponsors(self) -> SponsorPack:
        self.recorder.record(SPONSORS)
        return self._site.content.sponsors.pack

    def release_notes(self, library: Library, release: Release) -> ReleaseNotes | None:
        """The rendered notes of a release; None without any. Blocks. Raises Unavailable."""
        notes = self._site.release_notes
        found = notes.find(self.docs, library, release)
        return None if found is None else notes.render(found)

    def release_summaries(self, library: Library) -> Mapping[str, str]:
        """Number of each release with notes -> a line about them. Blocks, at first for a second. Raises Unavailable."""
        return self._site.release_notes.summaries(self.docs, library)

    def newest_notes(self, library: Library, count: int) -> Iterator[FoundNotes]:
        """The notes of the last releases that have any. Blocks. Raises Unavailable."""
        return self._site.release_notes.newest(self.docs, library, count)

    def breaking_notes(self, library: Library, releases: Sequence[Release]) -> Iterator[FoundNotes]:
        """What the notes of these releases call breaking. Blocks. Raises Unavailable."""
        return self._site.release_notes.breaking(self.docs, library, releases)

    def render_notes(self, found: FoundNotes) -> ReleaseNotes:
        """Blocks. Raises Unavailable."""
        return self._site.release_notes.render(found)

    def prose_page(self, name: str) -> ProsePage:
        """One of the site's own pages. Raises NotFound. May block for some milliseconds."""
        self.recorder.record(prose_page(name))
        return self._site.content.pages.page(name)

    def prose_pages(self) -> Iterator[ProsePage]:
        """All of the site's own pages that can be shown."""
        self.recorder.record(PAGE_LIST)
        for page in self._site.content.pages.valid_pages:
            self.recorder.record(prose_page(page.name))
            yield page

    def page_listing(self) -> PageListing:
        """The names of the site's own pages, and their places in menus. May block for some milliseconds."""
        self.recorder.record(PAGE_LIST)
        return self._site.content.pages.listing()

    @property
    def has_posts(self) -> bool:
        """Whether the blog has any post."""
        self.recorder.record(BLOG_EXISTS)
        return self._site.content.blog.exists

    def prose_body(self, page: ProsePage) -> str:
        """The HTML of a page, with the highlighted code that exists by now."""
        return self._site.content.pages.html(page, self.recorder)

    def npm_chart(self, search: str, *, packages: str = "") -> ComparisonChart:
        """The chart of a comparison. May block for some milliseconds."""
        return self._site.statistics.npm.chart(search, packages=packages, today=self.today, recorder=self.recorder)

    def npm_feed_chart(self, search: str) -> ComparisonChart:
        """The chart of the comparison's feed. May block for some milliseconds."""
        return self._site.statistics.npm.feed_chart(search, today=self.today, recorder=self.recorder)

    def npm_choices(self) -> ComparisonChoices:
        """What the controls of the statistics offer."""
        return self._site.statistics.npm.choices(self.recorder)

    def npm_versions(self, package: str) -> VersionAdoption:
        """Downloads by major version. Raises NotFound."""
        return self._site.statistics.npm.versions(package, self.recorder)

    def npm_library(self, packages: Collection[str]) -> LibraryDownloads | None:
        """Downloads of a library's packages; None without real counts of all of them. May block."""
        return self._site.statistics.npm.library(packages, today=self.today, recorder=self.recorder)

    def library_figures(self, library: Library) -> OpenSourceFigures:
        """Stars, contributors, dependents and downloads of a library. May block."""
        return self._site.statistics.figures.library(library, today=self.today, recorder=self.recorder)

    def family_figures(self) -> FamilyFigures:
        """The sums of all libraries. May block for some milliseconds."""
        return self._site.statistics.figures.family(today=self.today, recorder=self.recorder)

    @property
    def promotions(self) -> tuple[Promotion, ...]:
        """The promotions of maintainers that are shown today."""
        self.recorder.record(PROMOTIONS)
        return self._shown(self._site.maintenance.overrides.promotions)

    @property
    def announcement(self) -> AnnouncementBar | None:
        """The announcement of the site, if it is shown today."""
        bar = self._site.catalog.announcement
        return next(iter(self._shown(() if bar is None else (bar,))), None)

    def _shown(self, items: tuple[DatedItem, ...]) -> tuple[DatedItem, ...]:
        """Those of today. Only with a dated one does each page depend on the day."""
        if not any_dated(items):
            return items
        today = self.today
        return tuple(item for item in items if shown_period(item, today) == "shown")

    @property
    def today(self) -> date:
        """The current date in UTC."""
        self.recorder.record(DAY)
        return self._today or datetime.now(UTC).date()
