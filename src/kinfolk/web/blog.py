"""What the blog says to programs: feeds for those who subscribe, and posts as Markdown."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from kinfolk.blog import Post
from kinfolk.blog.feeds import ATOM_PATH, ATOM_TYPE, JSON_PATH, JSON_TYPE, Channel, atom, json_feed
from kinfolk.blog.plain import post_text
from kinfolk.blog.posts import TAG
from kinfolk.cache import DOCS, Recent, Worth
from kinfolk.errors import NotFound
from kinfolk.site import Site
from kinfolk.ssr.page import cache_tag
from kinfolk.web.negotiation import accept_of, prefers_markdown
from kinfolk.web.packed import Packed, pack, packed_response

KEPT_BYTES = 4 << 20
MARKDOWN = "text/markdown; charset=utf-8"

_POST = re.compile(r"/blog/([^/.]+)")
_BESIDE = re.compile(r"/blog/[^/]+\.md")


class BlogTexts:
    """Makes each text once for as long as no post changes, off the event loop, and keeps it packed."""

    def __init__(self, site: Site) -> None:
        self._site = site
        settings, catalog = site.settings, site.catalog
        self._channel = Channel(
            title=f"{catalog.family} Blog",
            description=f"How the {catalog.family} libraries fit together, how to move between their versions, and how "
            "this site is made.",
            origin=settings.origin,
            product=catalog.product,
        )
        self._made: Recent[tuple[str, str], Packed] = site.caches.add(
            "machine-readable texts", Worth.TEXTS, Recent(KEPT_BYTES)
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
        """Whether an address is one of ours, so that no page has to be looked for."""
        return path in (ATOM_PATH, JSON_PATH) or _BESIDE.fullmatch(path) is not None

    def is_wanted(self, scope: Scope) -> bool:
        """Whether a request for a post wants it as Markdown, and there is such a post."""
        found = _POST.fullmatch(scope["path"])
        return (
            found is not None
            and prefers_markdown(accept_of(scope["headers"]))
            and any(post.slug == found[1] for post in self._site.blog.posts)
        )

    async def negotiated(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The ASGI application for requests that `is_wanted`."""
        slug = scope["path"].rpartition("/")[2]
        response = await self._post(Request(scope, receive), slug, vary="accept")
        await response(scope, receive, send)

    async def _atom(self, request: Request) -> Response:
        made = await self._obtain(ATOM_PATH, lambda: atom(self._channel, self._site.blog.published))
        return packed_response(request, made, _headers(ATOM_TYPE))

    async def _json(self, request: Request) -> Response:
        made = await self._obtain(JSON_PATH, lambda: json_feed(self._channel, self._site.blog.published))
        return packed_response(request, made, _headers(JSON_TYPE) | {"access-control-allow-origin": "*"})

    async def _markdown(self, request: Request) -> Response:
        return await self._post(request, request.path_params["slug"].removesuffix(".md"))

    async def _post(self, request: Request, slug: str, *, vary: str = "") -> Response:
        try:
            post = self._site.blog.post(slug)
        except NotFound as missing:
            index = f"{self._channel.origin}/llms.txt"
            text = f"# 404 Not Found\n\n{missing.message} What there is: {index}\n"
            headers = {"content-type": MARKDOWN, "cache-control": "no-store", "x-content-type-options": "nosniff"}
            return Response(text.encode(), missing.status, headers=headers)
        made = await self._obtain(post.slug, lambda: self._text(post))
        headers = {
            **_headers(MARKDOWN),
            "content-disposition": f'inline; filename="{post.slug}.md"',
            "link": f'<{self._channel.address(post)}>; rel="canonical"',
        }
        if vary:
            headers["content-location"] = f"/api/md/blog/{post.slug}"
        else:
            headers["x-robots-tag"] = "noindex"
        return packed_response(request, made, headers, vary=vary)

    def _text(self, post: Post) -> bytes:
        return post_text(post, self._channel.origin, by=self._channel.product).encode(errors="replace")

    async def _obtain(self, name: str, make: Callable[[], bytes]) -> Packed:
        key = (self._site.blog.version, name)
        made = self._made.get(key)
        if made is None:
            made = await asyncio.to_thread(lambda: pack([make()]))
            self._made.put(key, made, weight=len(made.content) + 1000)
        return made


def _headers(kind: str) -> dict[str, str]:
    return {"content-type": kind, **dict(DOCS.headers()), "cache-tag": cache_tag(TAG)}
