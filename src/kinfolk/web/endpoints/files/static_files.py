"""Files of the built frontend. Why these are not Starlette's StaticFiles: decisions/0014-static-files.md."""

from __future__ import annotations

import asyncio
import hashlib
import mimetypes
import os
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from kinfolk.config.settings import Settings
from kinfolk.rendering.styles.stylesheets import STYLESHEETS
from kinfolk.runtime.cache import FOREVER, ICONS
from kinfolk.runtime.errors import Invalid
from kinfolk.web.responses import NO_STORE, NOSNIFF, accepted_encoding, cache_headers, is_not_modified

ASSETS = "/assets/"
"""The beginning of addresses of files whose names contain a digest."""
COMPRESSED_SUFFIXES = {"br": ".br", "gzip": ".gz"}
"""Suffixes of files that the build has compressed."""


def check_built(settings: Settings) -> None:
    """Raises Invalid where the frontend is not built."""
    if not all((settings.frontend / "ssr" / name).exists() for name in ("ssr.js", "manifest.json", STYLESHEETS)):
        raise Invalid(f"The frontend is not built in {settings.frontend}: run `make build`")


class BuildFiles:
    """The files of the build, listed at the start of the process. Names below ASSETS contain a content hash."""

    def __init__(self, settings: Settings) -> None:
        self._files = dict(_files_below(settings.frontend / "client"))

    def has(self, path: str) -> bool:
        """Whether the address names a file of the build."""
        return path.lstrip("/") in self._files

    async def respond(self, request: Request) -> Response:
        path = unquote(request.url.path).lstrip("/")
        file = self._files.get(path)
        if file is None:
            # Not stored: while servers are replaced, the next one may have the file.
            return PlainTextResponse("Not found", 404, headers=NO_STORE)
        is_hashed = path.startswith(ASSETS.lstrip("/"))
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
        content = await asyncio.to_thread(Path(file).read_bytes)
        return Response(content, media_type=media_type, headers=headers)


def _files_below(root: Path) -> Iterator[tuple[str, str]]:
    """The files with their paths from the root, without those in folders whose name begins with a dot.

    As strings: a `Path` for each of hundreds of files takes 10 ms.
    """
    for folder, folders, names in os.walk(root):
        folders[:] = (name for name in folders if not name.startswith("."))
        inside = Path(folder).relative_to(root).as_posix()
        for name in names:
            if not name.startswith("."):
                yield name if inside == "." else f"{inside}/{name}", os.path.join(folder, name)  # noqa: PTH118


def _digest(file: str) -> str:
    return hashlib.blake2b(Path(file).read_bytes(), digest_size=8).hexdigest()
