"""Files as they are: the built frontend's assets, and images that docs show from their repositories."""

from __future__ import annotations

import asyncio
import hashlib
import mimetypes
from pathlib import Path
from urllib.parse import unquote

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from kinfolk.budget import OverBudget
from kinfolk.cache import DOCS, FOREVER, ICONS
from kinfolk.errors import Invalid, NotFound, SiteError
from kinfolk.settings import Settings
from kinfolk.site import Site
from kinfolk.sources.paths import is_plain_path
from kinfolk.sources.snapshot import Ref
from kinfolk.ssr.page import preferred
from kinfolk.web.refusals import refuse_log

SHOWN = {
    "png": "image/png",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "gif": "image/gif",
    "webp": "image/webp",
    "avif": "image/avif",
    "svg": "image/svg+xml",
    "ico": "image/x-icon",
}
"""What a browser may show from a repository. Everything else is offered as a download, so it never runs here."""

PACKED = {"br": ".br", "gzip": ".gz"}
"""How the build ends the names of compressed files."""


async def repository_file(request: Request) -> Response:
    """`/_files/{owner}/{repo}/{branch}/{path}?v={blob}` from the current snapshot."""
    site: Site = request.app.state.site
    owner, repo = request.path_params["owner"], request.path_params["repo"]
    rest: str = request.path_params["rest"]
    try:
        ref, path = _located(site, f"{owner}/{repo}", rest)
        shelf = site.editions.docs.readable(ref, path)
        content = await site.reader.read(shelf.tree, path)
    except OverBudget as refused:
        refuse_log("file", refused.limit, path=request.url.path)
        return PlainTextResponse(refused.message, refused.status)
    except SiteError as wrong:
        return PlainTextResponse(wrong.message, wrong.status)
    blob = shelf.files[path]
    kind = SHOWN.get(path.rpartition(".")[2].lower())
    named = request.query_params.get("v", "")
    lifetime = FOREVER if len(named) >= 12 and blob.startswith(named) else DOCS  # noqa: PLR2004
    headers = {
        **dict(lifetime.headers()),
        "etag": f'"{blob}"',
        "x-content-type-options": "nosniff",
        "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    }
    if kind is None:
        headers["content-disposition"] = "attachment"
    if f'"{blob}"' in request.headers.get("if-none-match", ""):
        return Response(None, 304, headers=headers)
    return Response(content, media_type=kind or "application/octet-stream", headers=headers)


async def library_logos(request: Request) -> Response:
    """`/_logos.svg?v={version}`: all of them in one colour, for pages to use as a mask."""
    site: Site = request.app.state.site
    lifetime = FOREVER if request.query_params.get("v") == site.logos.version else DOCS
    headers = {
        **dict(lifetime.headers()),
        "x-content-type-options": "nosniff",
        "content-security-policy": "default-src 'none'; sandbox",
    }
    return Response(site.logos.svg, media_type=SHOWN["svg"], headers=headers)


def _located(site: Site, repo: str, rest: str) -> tuple[Ref, str]:
    """The branch and the path in `rest`; a branch may have slashes in its name."""
    for known_repo, branch in site.catalog.refs():
        path = rest.removeprefix(f"{branch}/")
        if known_repo == repo and path != rest and is_plain_path(path):
            return Ref(repo, branch), path
    raise NotFound("There is no such file")


def check_built(settings: Settings) -> None:
    """Raises Invalid where the frontend is not built."""
    if not all((settings.frontend / "ssr" / name).exists() for name in ("ssr.js", "manifest.json")):
        raise Invalid(f"The frontend is not built in {settings.frontend}: run `make build`")


class Assets:
    """The files of the build, listed once. Hashed names, so each may be kept for ever; pre-compressed where it was."""

    def __init__(self, site: Site) -> None:
        root = site.settings.frontend / "client"
        self._files = {
            path.relative_to(root).as_posix(): path
            for path in root.rglob("*")
            if path.is_file() and not path.relative_to(root).as_posix().startswith(".")
        }

    def has(self, path: str) -> bool:
        """Whether the address names a file of the build."""
        return path.lstrip("/") in self._files

    async def answer(self, request: Request) -> Response:
        path = unquote(request.url.path).lstrip("/")
        file = self._files.get(path)
        if file is None:
            return PlainTextResponse("Not found", 404)
        kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
        headers = {"vary": "accept-encoding", "x-content-type-options": "nosniff"}
        headers |= dict((FOREVER if path.startswith("assets/") else ICONS).headers())
        wanted = preferred(request.headers.get("accept-encoding", "").encode("latin-1"))
        if not path.startswith("assets/"):
            headers["etag"] = f'"{await asyncio.to_thread(_digest, file)}"'
            if headers["etag"] in request.headers.get("if-none-match", ""):
                return Response(None, 304, headers=headers)
        packed = self._files.get(path + PACKED.get(wanted, ""))
        if packed is not None and wanted in PACKED:
            headers["content-encoding"] = wanted
            file = packed
        return Response(await asyncio.to_thread(file.read_bytes), media_type=kind, headers=headers)


def _digest(file: Path) -> str:
    return hashlib.blake2b(file.read_bytes(), digest_size=8).hexdigest()
