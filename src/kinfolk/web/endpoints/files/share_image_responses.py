"""`/og/…`: the share image of a page, drawn at the first request."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from functools import cached_property
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from kinfolk.branding.patterns import FAMILY_PATTERN, library_pattern
from kinfolk.branding.share_images import MARK_HEIGHT, ShareImage
from kinfolk.config.catalog import LATEST, Catalog, Library
from kinfolk.content.blog import BlogPost
from kinfolk.content.docs import ContentReader
from kinfolk.content.docs.snapshots.version_docs import VersionDocs, find_version_docs
from kinfolk.runtime.cache import DOCS, FOREVER, CachePriority, LRUCache
from kinfolk.runtime.errors import NotFound, SiteError
from kinfolk.runtime.single_flight import SingleFlight
from kinfolk.site.site import Site
from kinfolk.web.responses import NO_STORE, NOSNIFF, cache_headers, content_response, is_not_modified, text_error

CACHE_NAME = "share pictures"
FILE_CACHE_BYTES = 24 << 20
"""About 240 files of 100 kB: the shared links of a day."""
CONTENT_CACHE_BYTES = 4 << 20
"""About 5,000 contents of images."""
CONTENT_BYTES = 800
"""Memory of the content of an image besides its key."""
CONCURRENT_DRAWS = 1
"""A crawler that requests thousands of images must not delay pages."""

_EXAMPLE = re.compile(r"framework/([^/]+)/examples/([^/]+)")
_FRAMEWORK = re.compile(r"framework/([^/]+)")


class ShareImageResponses:
    """Draws share images and caches their contents and files."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._palette = site.palette
        self._contents: LRUCache[tuple[str, str, str], ShareImage] = site.caches.add(
            CACHE_NAME, CachePriority.PICTURES, LRUCache(CONTENT_CACHE_BYTES)
        )
        self._files: LRUCache[str, bytes] = site.caches.add(
            CACHE_NAME, CachePriority.PICTURES, LRUCache(FILE_CACHE_BYTES)
        )
        self._flights: SingleFlight[str, bytes] = SingleFlight()
        self._draw_slots = asyncio.Semaphore(CONCURRENT_DRAWS)

    def routes(self) -> list[Route]:
        return [
            Route("/og/site.jpg", self._respond),
            Route("/og/blog/{post}.jpg", self._respond),
            Route("/og/{library}.jpg", self._respond),
            Route("/og/{library}/{version}/docs/{inside:path}.jpg", self._respond),
        ]

    @cached_property
    def _mark(self) -> bytes | None:
        """The logo as PNG, in the version for dark backgrounds."""
        logo = self._site.brand.marks.logo
        if logo is None:
            return None
        # Imported at the first drawing: Pillow takes 60 ms to load.
        from kinfolk.branding.app_icons import mark_image

        return mark_image(logo.dark or logo.light, MARK_HEIGHT, self._site.settings.frontend / "fonts")

    async def content(self, params: dict[str, str]) -> ShareImage:
        """The content of the image with these route parameters. Raises NotFound for a page that does not exist."""
        docs_snapshot = self._site.content.publisher.docs
        key = (docs_snapshot.snapshot.id, self._site.content.blog.version, repr(sorted(params.items())))
        content = self._contents.get(key)
        if content is None:
            content = await asyncio.to_thread(self._describe, ContentReader(docs_snapshot), params)
            self._contents.put(key, content, weight=CONTENT_BYTES + sum(map(len, key)))
        return content

    async def file(self, image: ShareImage) -> bytes:
        """The JPEG file. Concurrent requests share one drawing."""
        file = self._files.get(image.version)
        if file is None:
            file = await self._flights.do(image.version, lambda: self._draw(image))
            self._files.put(image.version, file, weight=len(file))
        return file

    async def _draw(self, image: ShareImage) -> bytes:
        # Imported at the first drawing: Pillow takes 60 ms to load.
        from kinfolk.branding.share_images.draw import draw_share_image

        async with self._draw_slots:
            return await asyncio.to_thread(draw_share_image, image, self._site.settings.frontend / "fonts")

    async def _respond(self, request: Request) -> Response:
        try:
            image = await self.content(request.path_params)
        except SiteError as failure:
            return text_error(failure, NO_STORE)
        lifetime = FOREVER if request.query_params.get("v") == image.version else DOCS
        headers = {**cache_headers(lifetime), "content-type": "image/jpeg", **NOSNIFF}
        # Before the image is drawn: a client that has it needs no drawing.
        if is_not_modified(request, image.version):
            return content_response(request, b"", image.version, headers)
        return content_response(request, await self.file(image), image.version, headers)

    # Contents

    def _describe(self, docs: ContentReader, params: dict[str, str]) -> ShareImage:
        if "version" in params:
            version_docs = find_version_docs(docs, docs.catalog.library(params["library"]), params["version"])
            return self._docs_image(version_docs, params["inside"])
        if "library" in params:
            library = docs.catalog.library(params["library"])
            return self._library_image(library, library.name, library.tagline)
        if "post" in params:
            post = self._site.content.blog.post(params["post"])
            return self._post_image(docs.catalog, post)
        title = docs.catalog.title.partition(" | ")[2] or docs.catalog.title
        return self._family_image(docs.catalog.family, title, urlsplit(self._site.settings.origin).netloc)

    def _docs_image(self, version_docs: VersionDocs, inside: str) -> ShareImage:
        library, catalog = version_docs.library, version_docs.docs.catalog
        version = "" if version_docs.segment == LATEST else version_docs.version.title
        framework = section = ""
        if example := _EXAMPLE.fullmatch(inside):
            # Only existing examples: an image must not show text that a client invented.
            if (example[1], example[2]) not in version_docs.branch.examples:
                raise NotFound("This example does not exist")
            title, framework, section = example[2].replace("-", " ").title(), example[1], "Example"
        elif (index := _FRAMEWORK.fullmatch(inside)) and index[1] in version_docs.frameworks:
            title, section = f"{library.short_name} for {catalog.framework(index[1]).label}", "Documentation"
        else:
            location = version_docs.locate(f"{version_docs.docs_root}/{inside}.md")
            page = version_docs.docs.export(location, origin="")
            title, framework, section = page.title, page.framework or "", _section(version_docs, inside)
        parts = [catalog.framework(framework).label if framework else "", section, version]
        return self._library_image(library, title, " · ".join(filter(None, parts)))

    def _library_image(self, library: Library, title: str, detail: str) -> ShareImage:
        colors = self._palette.pair(library.color_from, library.color_to)
        return ShareImage(library.name, title, detail, library_pattern(library), *colors, mark=self._mark)

    def _post_image(self, catalog: Catalog, post: BlogPost) -> ShareImage:
        """In the face of the first library that the post is about."""
        image = self._family_image(f"{catalog.family} Blog", post.title, ", ".join(post.front.authors))
        if not post.front.libraries:
            return image
        library = catalog.library(post.front.libraries[0])
        color_from, color_to = self._palette.pair(library.color_from, library.color_to)
        return replace(image, pattern=library_pattern(library), color_from=color_from, color_to=color_to)

    def _family_image(self, name: str, title: str, detail: str) -> ShareImage:
        gradient = self._site.brand.colors.gradient
        return ShareImage(name, title, detail, FAMILY_PATTERN, *gradient, mark=self._mark)


def _section(version_docs: VersionDocs, inside: str) -> str:
    """The label of the navigation section that contains a page."""
    for section in version_docs.config().sections:
        groups = (section.children, *(group.children for group in section.frameworks))
        if any(link.path == inside for group in groups for link in group):
            return section.label
    return "Documentation"
