"""Files of a brand: icons made of the favicon, the stylesheet, and marks and fonts at addresses with a digest."""

from __future__ import annotations

import asyncio
import hashlib
from functools import lru_cache

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from kinfolk.branding.site_brand import APP_ICONS, STYLESHEET
from kinfolk.rendering.content_security_policy import picture_policy
from kinfolk.runtime.cache import DOCS, FOREVER, ICONS, Lifetime
from kinfolk.site.site import Site
from kinfolk.web.responses import NOSNIFF, cache_headers, content_response, is_not_modified


class BrandFiles:
    """Answers requests for the icons, the stylesheet, the marks and the fonts of a site."""

    def __init__(self, site: Site) -> None:
        self._brand = site.brand
        self._fonts = site.settings.frontend / "fonts"
        self._drawn = lru_cache(maxsize=len(APP_ICONS))(self._draw)

    def has(self, path: str) -> bool:
        """Whether the address is one of an icon. All other addresses begin with `/_`."""
        return path in APP_ICONS or path == self._brand.favicon_path

    def routes(self) -> list[Route]:
        return [
            Route(self._brand.favicon_path, self._favicon),
            *(Route(path, self._icon) for path in APP_ICONS),
            Route(STYLESHEET, self._stylesheet),
            Route("/_brand/{name}", self._file),
        ]

    async def _favicon(self, request: Request) -> Response:
        favicon = self._brand.marks.favicon
        return _respond(request, favicon.content, favicon.media_type, ICONS)

    async def _icon(self, request: Request) -> Response:
        path = request.url.path
        return _respond(request, await asyncio.to_thread(self._drawn, path), APP_ICONS[path], ICONS)

    async def _stylesheet(self, request: Request) -> Response:
        is_current = str(request.url).endswith(self._brand.css_address)
        lifetime = FOREVER if is_current else DOCS
        return _respond(request, self._brand.css.encode(), "text/css; charset=utf-8", lifetime)

    async def _file(self, request: Request) -> Response:
        found = self._brand.files.get(request.url.path)
        if found is None:
            return PlainTextResponse("Not found", 404, headers=dict(NOSNIFF))
        return _respond(request, *found, FOREVER)

    def _draw(self, path: str) -> bytes:
        # Imported at the first drawing: Pillow takes 60 ms to load.
        from kinfolk.branding.app_icons import app_icon

        surface = self._brand.colors.light.surface
        return app_icon(path.lstrip("/"), self._brand.marks.favicon, surface, self._fonts)


def _respond(request: Request, content: bytes, media_type: str, lifetime: Lifetime) -> Response:
    digest = hashlib.blake2b(content, digest_size=8).hexdigest()
    headers = {**cache_headers(lifetime), "content-type": media_type, **NOSNIFF}
    if media_type == "image/svg+xml":
        headers["content-security-policy"] = picture_policy(content)
    if is_not_modified(request, digest):
        return content_response(request, b"", digest, headers)
    return content_response(request, content, digest, headers)
