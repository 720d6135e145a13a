"""Answers requests for the files of the folder `public/` of a site."""

from __future__ import annotations

import asyncio
import hashlib
import mimetypes
from pathlib import Path

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from kinfolk.content.pages.public_files import read_public_files
from kinfolk.rendering.content_security_policy import picture_policy
from kinfolk.runtime.cache import ICONS
from kinfolk.site.site import Site
from kinfolk.web.responses import NOSNIFF, cache_headers, content_response

_TEXT_TYPES = ("application/json", "application/javascript", "application/xml")


class PublicResponses:
    """The files are listed at the start of the process, and read when they are requested."""

    def __init__(self, site: Site) -> None:
        self._files = read_public_files(site.settings.site, {library.id for library in site.catalog.libraries})

    def has(self, path: str) -> bool:
        return path in self._files

    async def respond(self, request: Request) -> Response:
        path = request.url.path
        try:
            content = await asyncio.to_thread(self._files[path].read_bytes)
        except OSError:
            return PlainTextResponse("Not found", 404, headers=dict(NOSNIFF))
        digest = hashlib.blake2b(content, digest_size=8).hexdigest()
        headers = {**cache_headers(ICONS), "content-type": _media_type(path), **NOSNIFF}
        if path.endswith(".svg"):
            headers["content-security-policy"] = picture_policy(content)
        return content_response(request, content, digest, headers)


def _media_type(path: str) -> str:
    if not Path(path).suffix:
        return "text/plain; charset=utf-8"
    guessed = mimetypes.guess_type(path)[0] or "application/octet-stream"
    return f"{guessed}; charset=utf-8" if guessed.startswith("text/") or guessed in _TEXT_TYPES else guessed
