"""The blog for programs: Atom and JSON feeds, and posts as Markdown."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from kinfolk.content.blog import BlogPost
from kinfolk.content.blog.feeds import ATOM_PATH, JSON_PATH, JSON_TYPE, FeedMetadata, atom, json_feed
from kinfolk.content.blog.post_markdown import post_markdown
from kinfolk.content.dependencies import BLOG, purge_tags
from kinfolk.runtime.atom import TYPE as ATOM_TYPE
from kinfolk.runtime.cache import DOCS, CachePriority, LRUCache
from kinfolk.runtime.errors import NotFound, Unavailable
from kinfolk.runtime.http_headers import accept_of, prefers_markdown
from kinfolk.site.site import Site
from kinfolk.web.compression import GzippedText, compress
from kinfolk.web.endpoints.machine_readable.text_cache import CACHE_NAME, ENTRY_BYTES
from kinfolk.web.responses import MARKDOWN, as_negotiated, cache_headers, gzip_response, markdown_error

CACHE_BYTES = 4 << 20

_POST = re.compile(r"/blog/([^/.]+)")
_NO_BLOG = NotFound("This site has no blog.")
_MARKDOWN_FILE = re.compile(r"/blog/[^/]+\.md")


class BlogFeeds:
    """Generates each text once for each version of the blog, off the event loop, and caches it compressed."""

    def __init__(self, site: Site) -> None:
        self._site = site
        settings, catalog = site.settings, site.catalog
        self._metadata = FeedMetadata(
            title=f"{catalog.family} Blog",
            description=catalog.blog_description or f"Posts about {catalog.family}",
            origin=settings.origin,
            product=catalog.product,
        )
        self._texts: LRUCache[tuple[str, str], GzippedText] = site.caches.add(
            CACHE_NAME, CachePriority.TEXTS, LRUCache(CACHE_BYTES)
        )

    def routes(self) -> list[Route]:
        return [
            Route(ATOM_PATH, self._atom),
            Route(JSON_PATH, self._json),
            Route("/blog/{slug}.md", self._markdown),
            Route("/api/md/blog/{slug}", self._markdown),
        ]

    @staticmethod
    def has(path: str) -> bool:
        """Whether a route of this class has the address."""
        return path in (ATOM_PATH, JSON_PATH) or _MARKDOWN_FILE.fullmatch(path) is not None

    def accepts(self, scope: Scope) -> bool:
        """Whether a request prefers Markdown at the address of a post that exists."""
        found = _POST.fullmatch(scope["path"])
        return (
            found is not None
            and prefers_markdown(accept_of(scope["headers"]))
            and any(post.slug == found[1] for post in self._site.content.blog.posts)
        )

    async def negotiated(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The ASGI application for requests for which `accepts` is true."""
        slug = scope["path"].rpartition("/")[2]
        response = await self._post(Request(scope, receive), slug)
        response.headers["content-location"] = f"/api/md/blog/{slug}"
        await as_negotiated(response)(scope, receive, send)

    async def _atom(self, request: Request) -> Response:
        if not self._site.content.blog.exists:
            return markdown_error(_NO_BLOG)
        try:
            text = await self._text(ATOM_PATH, lambda: atom(self._metadata, self._site.content.blog.published))
        except Unavailable as failure:
            return markdown_error(failure)
        return gzip_response(request, text, _headers(ATOM_TYPE))

    async def _json(self, request: Request) -> Response:
        if not self._site.content.blog.exists:
            return markdown_error(_NO_BLOG)
        try:
            text = await self._text(JSON_PATH, lambda: json_feed(self._metadata, self._site.content.blog.published))
        except Unavailable as failure:
            return markdown_error(failure)
        return gzip_response(request, text, _headers(JSON_TYPE) | {"access-control-allow-origin": "*"})

    async def _markdown(self, request: Request) -> Response:
        return await self._post(request, request.path_params["slug"].removesuffix(".md"))

    async def _post(self, request: Request, slug: str) -> Response:
        try:
            post = self._site.content.blog.post(slug)
        except NotFound as missing:
            return markdown_error(missing, see=f"{self._metadata.origin}/llms.txt")
        try:
            text = await self._text(post.slug, lambda: self._export(post))
        except Unavailable as failure:
            return markdown_error(failure)
        headers = {
            **_headers(MARKDOWN),
            "content-disposition": f'inline; filename="{post.slug}.md"',
            "link": f'<{self._metadata.post_url(post)}>; rel="canonical"',
            "x-robots-tag": "noindex",
        }
        return gzip_response(request, text, headers)

    def _export(self, post: BlogPost) -> bytes:
        return post_markdown(post, self._metadata.origin, by=self._metadata.product).encode(errors="replace")

    async def _text(self, name: str, generate: Callable[[], bytes]) -> GzippedText:
        key = (self._site.content.blog.version, name)
        text = self._texts.get(key)
        if text is None:
            text = await asyncio.to_thread(lambda: compress([generate()]))
            self._texts.put(key, text, weight=len(text.content) + ENTRY_BYTES)
        return text


def _headers(media_type: str) -> dict[str, str]:
    return {"content-type": media_type, **cache_headers(DOCS, purge_tags([BLOG]))}
