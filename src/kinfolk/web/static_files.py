"""Files of the built frontend. Why these are not Starlette's StaticFiles: decisions/0014-static-files.md."""

from __future__ import annotations

import asyncio
import hashlib
import mimetypes
from pathlib import Path
from urllib.parse import unquote

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from kinfolk.cache import FOREVER, ICONS
from kinfolk.errors import Invalid
from kinfolk.settings import Settings
from kinfolk.web.http import NOSNIFF, accepted_encoding, cache_headers, is_not_modified

COMPRESSED_SUFFIXES = {"br": ".br", "gzip": ".gz"}
"""Suffixes of files that the build has compressed."""


def check_built(settings: Settings) -> None:
    """Raises Invalid where the frontend is not built."""
    if not all((settings.frontend / "ssr" / name).exists() for name in ("ssr.js", "manifest.json")):
        raise Invalid(f"The frontend is not built in {settings.frontend}: run `make build`")


class BuildFiles:
    """The files of the build, listed at the start of the process. Names below `assets/` contain a content hash."""

    def __init__(self, settings: Settings) -> None:
        root = settings.frontend / "client"
        self._files = {
            path.relative_to(root).as_posix(): path
            for path in root.rglob("*")
            if path.is_file() and not path.relative_to(root).as_posix().startswith(".")
        }

    def has(self, path: str) -> bool:
        """Whether the address names a file of the build."""
        return path.lstrip("/") in self._files

    async def respond(self, request: Request) -> Response:
        path = unquote(request.url.path).lstrip("/")
        file = self._files.get(path)
        if file is None:
            return PlainTextResponse("Not found", 404)
        is_hashed = path.startswith("assets/")
        headers = {"vary": "accept-encoding", **NOSNIFF, **cache_headers(FOREVER if is_hashed else ICONS)}
        if not is_hashed:
            digest = await asyncio.to_thread(_digest, file)
            headers["etag"] = f'"{digest}"'
            if is_not_modified(request, digest):
                return Response(None, 304, headers=headers)
        encoding = accepted_encoding(request)
        compressed = self._files.get(path + COMPRESSED_SUFFIXES.get(encoding, ""))
        if compressed is not None and encoding in COMPRESSED_SUFFIXES:
            headers["content-encoding"] = encoding
            file = compressed
        media_type = mimetypes.guess_type(path)[0] or "application/octet-stream"
        return Response(await asyncio.to_thread(file.read_bytes), media_type=media_type, headers=headers)


def _digest(file: Path) -> str:
    return hashlib.blake2b(file.read_bytes(), digest_size=8).hexdigest()
