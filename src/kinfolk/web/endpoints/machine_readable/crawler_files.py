"""Texts for crawlers and language models: robots.txt, sitemaps, llms.txt, llms-full.txt, docs.zip."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from kinfolk.api.content import SiteContent
from kinfolk.config.base_path import BasePath
from kinfolk.config.catalog import LATEST, Library
from kinfolk.config.docs_address import PREVIEWS
from kinfolk.config.routes import BLOG, STATISTICS, UPGRADE
from kinfolk.content.blog.post_markdown import posts_markdown
from kinfolk.content.docs.machine_readable.docs_archive import archive_files
from kinfolk.content.docs.machine_readable.llms_txt import (
    family_full_heading,
    family_llms_txt,
    version_full_text,
    version_llms_txt,
)
from kinfolk.content.docs.machine_readable.sitemap import canonical_pages, site_sitemap, sitemap_index, version_sitemap
from kinfolk.content.docs.snapshots.version_docs import VersionDocs, find_version_docs, list_version_docs
from kinfolk.content.pages.prose_markdown import pages_markdown
from kinfolk.content.release_notes.release_feed import release_address
from kinfolk.runtime.cache import DOCS
from kinfolk.runtime.errors import NotFound, SiteError
from kinfolk.site.site import Site
from kinfolk.web.compression import ZipArchive, compress, zip_files
from kinfolk.web.endpoints.machine_readable.text_cache import Generate, MachineReadableCache
from kinfolk.web.responses import (
    MARKDOWN,
    cache_headers,
    gzip_response,
    markdown_error,
    packed_response,
    redirect_response,
)

_MARKDOWN_TYPE = {"content-type": MARKDOWN}
_XML_TYPE = {"content-type": "application/xml; charset=utf-8"}
HOME = "/"
_OWN_ADDRESS = re.compile(
    r"/(?:robots\.txt|sitemap[^/]*\.xml|(?:[^/]+/){0,2}llms(?:-full)?\.txt|(?:[^/]+/){1,2}docs\.zip)"
)


class MachineReadableTexts:
    """Responses with texts about many pages."""

    def __init__(self, site: Site, texts: MachineReadableCache) -> None:
        self._site = site
        self._texts = texts
        self._origin = site.settings.origin

    def routes(self) -> list[Route]:
        return [
            Route("/robots.txt", self._robots),
            Route("/sitemap.xml", self._sitemap_index),
            Route("/sitemap-{name}.xml", self._sitemap),
            Route("/llms.txt", self._family_llms_txt),
            Route("/llms-full.txt", self._family_full_text),
            Route("/{library}/llms.txt", self._latest),
            Route("/{library}/llms-full.txt", self._latest),
            Route("/{library}/docs.zip", self._latest),
            Route("/{library}/{version}/llms.txt", self._version_llms_txt),
            Route("/{library}/{version}/llms-full.txt", self._version_full_text),
            Route("/{library}/{version}/docs.zip", self._version_archive),
        ]

    @staticmethod
    def has(path: str) -> bool:
        """Whether a route of this class has the address."""
        return _OWN_ADDRESS.fullmatch(path) is not None

    # llms.txt

    async def _family_llms_txt(self, request: Request) -> Response:
        def generate(content: SiteContent) -> Iterable[str]:
            posts = posts_markdown(content.blog.published, self._origin)
            pages = pages_markdown(content.prose_pages(), self._origin)
            more = [(label, items) for label, items in (("Pages", pages), ("Blog", posts)) if items]
            return [family_llms_txt(content.docs, self._origin, more=more)]

        return await self._listing(request, generate, with_blog=True)

    async def _family_full_text(self, request: Request) -> Response:
        def generate(content: SiteContent) -> Iterable[str]:
            yield family_full_heading(content.docs)
            for version_docs in list_version_docs(content.docs):
                if version_docs.segment == LATEST:
                    yield "\n---\n\n"
                    yield from version_full_text(version_docs, self._origin)

        return await self._listing(request, generate)

    async def _latest(self, request: Request) -> Response:
        """Redirects an address without a version to that of the latest version."""
        try:
            library = self._site.catalog.library(request.path_params["library"])
        except SiteError as failure:
            return markdown_error(failure)
        return redirect_response(f"{library.to}/{LATEST}/{request.url.path.rpartition('/')[2]}")

    async def _version_llms_txt(self, request: Request) -> Response:
        return await self._version(request, lambda version_docs: [version_llms_txt(version_docs, self._origin)])

    async def _version_full_text(self, request: Request) -> Response:
        return await self._version(request, lambda version_docs: version_full_text(version_docs, self._origin))

    async def _version_archive(self, request: Request) -> Response:
        library, version = (str(request.path_params[key]) for key in ("library", "version"))
        headers = {
            "content-type": "application/zip",
            "content-disposition": f"attachment; filename*=UTF-8''{quote(f'{library}-{version}-docs.zip', safe='')}",
            "x-robots-tag": "noindex",
        }
        return await self._version(
            request, lambda version_docs: zip_files(archive_files(version_docs, self._origin)), headers
        )

    async def _version(
        self,
        request: Request,
        write: Callable[[VersionDocs], Iterable[str] | ZipArchive],
        headers: Mapping[str, str] = _MARKDOWN_TYPE,
    ) -> Response:
        library, version = (str(request.path_params[key]) for key in ("library", "version"))

        def generate(content: SiteContent) -> Iterable[str] | ZipArchive:
            return write(find_version_docs(content.docs, self._site.catalog.library(library), version))

        return await self._listing(request, generate, headers)

    # robots.txt and sitemaps

    async def _robots(self, request: Request) -> Response:
        base = BasePath.of(self._origin)
        releases = (path for library in self._site.catalog.libraries for path in release_prefixes(library))
        previews = (PREVIEWS,) if self._site.previews is not None else ()
        paths = ("/_server", "/_hooks", "/auth/", *previews, *releases)
        disallowed = "".join(f"Disallow: {base.add(path)}\n" for path in paths)
        text = f"User-agent: *\nAllow: {base.add('/')}\n{disallowed}\nSitemap: {self._origin}/sitemap.xml\n"
        headers = {"content-type": "text/plain; charset=utf-8", **cache_headers(DOCS)}
        return gzip_response(request, compress([text.encode()]), headers)

    async def _sitemap_index(self, request: Request) -> Response:
        def generate(content: SiteContent) -> Iterable[str]:
            changed = max((post.changed for post in content.blog.published), default=None)
            with_notes = [one.id for one in self._site.catalog.libraries if content.release_summaries(one)]
            return [sitemap_index(content.docs, self._origin, site_changed=changed, with_notes=with_notes)]

        return await self._listing(request, generate, _XML_TYPE, with_blog=True)

    async def _sitemap(self, request: Request) -> Response:
        """`/sitemap-site.xml`, `/sitemap-{library}-{version}.xml` and `/sitemap-{library}-releases.xml`."""
        name: str = request.path_params["name"]

        def generate(content: SiteContent) -> Iterable[str]:
            if name == "site":
                return [site_sitemap(self._site_pages(content), self._origin)]
            all_docs = list_version_docs(content.docs)
            found = next((each for each in all_docs if f"{each.library.id}-{each.segment}" == name), None)
            library = self._site.catalog.find_library(name.removesuffix("-releases"))
            if found is None and library is not None and (noted := content.release_summaries(library)):
                return [site_sitemap(((release_address(library.id, each), None) for each in noted), self._origin)]
            if found is None or not canonical_pages(found):
                raise NotFound("This sitemap does not exist")
            return [version_sitemap(found, self._origin)]

        return await self._listing(request, generate, _XML_TYPE, with_blog=name == "site")

    def latest_addresses(self) -> Iterator[str]:
        """Paths of the pages of the site and of the latest versions, as the sitemaps list them. Blocks."""
        content = SiteContent(self._site, self._site.content.publisher.docs)
        yield from (path for path, _ in self._site_pages(content))
        for version_docs in list_version_docs(content.docs):
            if version_docs.segment == LATEST:
                yield from (str(version_docs.address(path)) for path in canonical_pages(version_docs))

    def _site_pages(self, content: SiteContent) -> Iterator[tuple[str, str | None]]:
        """Paths of pages outside the docs, with the dates of their last changes where these are known."""
        posts = content.blog.published
        yield HOME, None
        libraries = self._site.catalog.libraries
        # The landing page of the only library is the home page.
        yield from ((f"{library.to}/{LATEST}", None) for library in libraries if len(libraries) > 1)
        yield from ((page.address, page.updated) for page in content.prose_pages())
        if self._site.statistics.npm.has_comparisons:
            yield STATISTICS, None
        if self._site.has_upgrades:
            yield UPGRADE, None
        if posts:
            yield BLOG, posts[0].front.published
        for post in posts:
            yield f"/blog/{post.slug}", post.changed

    async def _listing(
        self,
        request: Request,
        generate: Generate,
        headers: Mapping[str, str] = _MARKDOWN_TYPE,
        *,
        with_blog: bool = False,
    ) -> Response:
        try:
            text = await self._texts.listing(request.url.path, generate, with_blog=with_blog)
        except SiteError as failure:
            return markdown_error(failure)
        return packed_response(request, text.packed, {**headers, **cache_headers(DOCS, text.tags)})


def release_prefixes(library: Library) -> list[str]:
    """The beginnings of the addresses of a library's releases, and of changes between them: `/query/5.`.

    They are not for search engines.

    One that begins the address of a version, too, is left out.
    """
    found = {
        f"{release.framework}@" if release.framework else f"{release.major}." for release in library.releases.table.all
    }
    found |= {"changes/"} if found else set()
    versions = library.version_names
    return [f"/{library.id}/{start}" for start in sorted(found) if not any(name.startswith(start) for name in versions)]
