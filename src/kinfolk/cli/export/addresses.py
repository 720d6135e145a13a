"""The addresses that an export begins with: every page, old addresses, and files that no page links to."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

from kinfolk.branding.site_brand import APP_ICONS
from kinfolk.cli.export.file_names import MISSING_PAGE, kind_of
from kinfolk.cli.export.link_form import SITE_IMAGE
from kinfolk.config.catalog import LATEST
from kinfolk.config.routes import ROUTES
from kinfolk.content.docs.machine_readable.sitemap import canonical_pages
from kinfolk.content.docs.snapshots.content_reader import ContentReader
from kinfolk.content.docs.snapshots.version_docs import list_version_docs
from kinfolk.site.site import Site
from kinfolk.statistics.npm_config import CategoryEntry

TEXTS = (
    "/robots.txt",
    "/sitemap.xml",
    "/sitemap-site.xml",
    "/llms.txt",
    "/llms-full.txt",
    "/blog/feed.xml",
    "/blog/feed.json",
    "/site.webmanifest",
    "/opensearch.xml",
)
VERSION_FILES = ("llms.txt", "llms-full.txt", "docs.zip")


def first_addresses(site: Site, comparisons: tuple[CategoryEntry, ...]) -> Iterator[str]:
    """All addresses that are known without reading pages."""
    yield from (route.pattern for route in ROUTES if route.exists == "always" and kind_of(route.pattern) == "page")
    yield from TEXTS
    yield from (*APP_ICONS, site.brand.favicon_path, *site.brand.files)
    if not site.brand.is_inlined:
        yield site.brand.css_address
    yield from (MISSING_PAGE, SITE_IMAGE)
    if site.statistics.npm.has_comparisons:
        yield "/stats"
    yield from (f"/blog/{post.slug}" for post in site.content.blog.published)
    for library in site.catalog.libraries:
        yield library.to
        yield f"{library.to}/changes.atom"
        yield from (f"{library.to}/{LATEST}/{name}" for name in VERSION_FILES)
        # The latest version is exported once: its name leads to `latest`.
        yield from (
            f"{library.to}/{version.name}" for version in library.versions if version.name != library.latest_version
        )
    docs = ContentReader(site.content.publisher.docs)
    for version_docs in list_version_docs(docs):
        base = f"/{version_docs.library.id}/{version_docs.segment}"
        yield from (base, f"{base}/docs", f"{base}/docs/examples", f"{base}/docs/framework")
        yield from (f"{base}/{name}" for name in VERSION_FILES)
        if canonical_pages(version_docs):
            yield f"/sitemap-{version_docs.library.id}-{version_docs.segment}.xml"
        for path in version_docs.pages():
            yield f"{base}/docs/{quote(path)}"
            yield f"{base}/docs/{quote(path)}.md"
        yield from (f"{base}/docs/{quote(path)}" for path in version_docs.examples())
    yield from (quote(old) for old, _ in site.content.redirects.moves())
    for category in comparisons:
        names = [group.packages[0] for group in category.groups]
        yield "/stats/npm/" + "-vs-".join(quote(name, safe="@/") for name in names)


def latest_names(site: Site) -> Iterator[tuple[str, str]]:
    """The address of each latest version with its name, and with `latest`."""
    for library in site.catalog.libraries:
        yield f"{library.to}/{library.latest_version}", f"{library.to}/{LATEST}"
