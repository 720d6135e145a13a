"""Files of the built frontend. Why these are not Starlette's StaticFiles: decisions/0014-static-files.md."""

from __future__ import annotations

import asyncio
import hashlib
import mimetypes
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from kinfolk.config.settings import Settings
from kinfolk.rendering.styles.stylesheets import STYLESHEETS
from kinfolk.runtime.cache import FOREVER, ICONS
from kinfolk.runtime.errors import Invalid
from kinfolk.runtime.services.supervisor import Supervisor
from kinfolk.web.endpoints.files.asset_store import AssetStore
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
    """The files of the build, listed at the start of the process. Names below ASSETS contain a content hash.

    Old tabs request assets of former builds, which are in an AssetStore.
    """

    def __init__(self, settings: Settings) -> None:
        client = settings.frontend / "client"
        self._files = dict(_files_below(client))
        self._store: AssetStore | None = None
        if settings.asset_builds > 1:
            source = client / ASSETS.strip("/")
            self._store = AssetStore(settings.var / "assets", source, builds=settings.asset_builds)

    def has(self, path: str) -> bool:
        """Whether the address names a file of the build."""
        return path.lstrip("/") in self._files

    def start_storing(self, supervisor: Supervisor) -> None:
        """Start the service that stores the assets of this build, for the servers of the next ones."""
        if self._store is not None:
            supervisor.start_task("assets", self._store.store_forever)

    async def respond(self, request: Request) -> Response:
        path = unquote(request.url.path).lstrip("/")
        is_hashed = path.startswith(ASSETS.lstrip("/"))
        encoding = accepted_encoding(request)
        content = await asyncio.to_thread(self._read, path, encoding)
        if content is None:
            # Not stored: while servers are replaced, the next one may have the file.
            return PlainTextResponse("Not found", 404, headers=NO_STORE)
        headers = {"vary": "accept-encoding", **NOSNIFF, **cache_headers(FOREVER if is_hashed else ICONS)}
        if not is_hashed:
            digest = await asyncio.to_thread(_digest, self._files[path])
            headers["etag"] = f'"{digest}"'
            if is_not_modified(request, digest):
                return Response(None, 304, headers=headers)
        if content.encoding:
            headers["content-encoding"] = content.encoding
        media_type = mimetypes.guess_type(path)[0] or "application/octet-stream"
        return Response(content.body, media_type=media_type, headers=headers)

    def _read(self, path: str, encoding: str) -> _FileContent | None:
        """A file of this build or of a former one, compressed where the build has compressed it."""
        suffix = COMPRESSED_SUFFIXES.get(encoding, "")
        if path in self._files:
            compressed = self._files.get(path + suffix) if suffix else None
            return _FileContent(Path(compressed or self._files[path]).read_bytes(), encoding if compressed else "")
        folder, _, name = path.rpartition("/")
        if self._store is None or folder != ASSETS.strip("/"):
            return None
        body = self._store.read(name + suffix) if suffix else None
        if body is not None:
            return _FileContent(body, encoding)
        body = self._store.read(name)
        return None if body is None else _FileContent(body, "")


@dataclass(frozen=True)
class _FileContent:
    """The bytes of a file in a content encoding, which is empty for none."""

    body: bytes
    encoding: str


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
