"""Files of repositories that docs show (`/_files/…`), and the logos of libraries and frameworks as pictures."""

from __future__ import annotations

import re
from functools import lru_cache

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from kinfolk.config.docs_address import Ref
from kinfolk.content.docs.branch_reader import is_pointer_text
from kinfolk.content.docs.snapshots.content_reader import MIN_BLOB_PREFIX
from kinfolk.content.landing.landing import LogoSprite
from kinfolk.content.sources.media_types import FILM_TYPES, IMAGE_TYPES, media_type
from kinfolk.content.sources.paths import is_plain_path
from kinfolk.rendering.content_security_policy import picture_policy
from kinfolk.runtime.budget import OverBudget
from kinfolk.runtime.cache import DOCS, FOREVER
from kinfolk.runtime.errors import NotFound, SiteError
from kinfolk.site.site import Site
from kinfolk.web.compression import GzippedText, compress
from kinfolk.web.refusal_log import log_refusal
from kinfolk.web.responses import INERT, cache_headers, gzip_response, is_not_modified, text_error

_RANGE = re.compile(r"bytes=(\d{0,15})-(\d{0,15})")


def repository_routes() -> list[Route]:
    """Routes for an application whose `state.site` is the Site."""
    return [
        Route("/_files/{owner}/{repo}/{rest:path}", repository_file),
        Route("/_logos.svg", library_logos),
        Route("/_frameworks.svg", framework_logos),
        Route("/_partners.svg", partner_marks),
    ]


async def repository_file(request: Request) -> Response:
    """`/_files/{owner}/{repo}/{branch}/{path}?v={blob}` from the current snapshot."""
    site: Site = request.app.state.site
    owner, repo, rest = (str(request.path_params[name]) for name in ("owner", "repo", "rest"))
    try:
        ref, path = _split_ref(site, f"{owner}/{repo}", rest)
        version = request.query_params.get("v", "")
        blob_prefix = version if media_type(path) else ""
        branch = site.content.publisher.reader().branch_with(ref, path, blob_prefix=blob_prefix)
        content = await site.content.reader.read(branch, path)
    except SiteError as failure:
        if isinstance(failure, OverBudget):
            log_refusal("file", failure.limit, path=request.url.path)
        return text_error(failure)
    blob = branch.blob(path) or ""
    shown_type = shown_media_type(path, content)
    lifetime = FOREVER if len(version) >= MIN_BLOB_PREFIX and blob.startswith(version) else DOCS
    headers = {
        **cache_headers(lifetime),
        "etag": f'"{blob}"',
        **INERT,
    }
    if shown_type == IMAGE_TYPES["svg"]:
        headers["content-security-policy"] = picture_policy(content)
    if shown_type is None:
        headers |= {"content-disposition": "attachment", "x-robots-tag": "noindex"}
    if is_not_modified(request, blob):
        return Response(None, 304, headers=headers)
    if shown_type is not None and shown_type in FILM_TYPES.values():
        return _media_response(request, content, shown_type, headers)
    return Response(content, media_type=shown_type or "application/octet-stream", headers=headers)


def shown_media_type(path: str, content: bytes) -> str | None:
    """The type of a file that browsers show; None for a download, such as a picture that is kept in Git LFS."""
    return None if is_pointer_text(content) else media_type(path)


def _media_response(request: Request, content: bytes, media_type: str, headers: dict[str, str]) -> Response:
    """The file, or the part of it that a player asks for. Safari plays nothing without parts."""
    headers = headers | {"accept-ranges": "bytes"}
    part = _requested_part(request.headers.get("range", ""), len(content))
    if part is None or request.headers.get("if-range", headers["etag"]) != headers["etag"]:
        return Response(content, media_type=media_type, headers=headers)
    if not part:
        return Response(None, 416, headers=headers | {"content-range": f"bytes */{len(content)}"})
    headers["content-range"] = f"bytes {part.start}-{part.stop - 1}/{len(content)}"
    return Response(content[part.start : part.stop], 206, media_type=media_type, headers=headers)


def _requested_part(header: str, size: int) -> range | None:
    """The bytes of a `Range` header with one range; empty if the file has none of them, None for other headers."""
    found = _RANGE.fullmatch(header)
    if found is None or not (found[1] or found[2]):
        return None
    if not found[1]:
        return range(max(0, size - int(found[2])), size)
    end = min(int(found[2]) + 1, size) if found[2] else size
    return range(int(found[1]), end)


async def library_logos(request: Request) -> Response:
    """`/_logos.svg?v={version}`: the logos in one color; pages use the picture as a mask."""
    site: Site = request.app.state.site
    return _sprite(request, site.content.logos)


async def framework_logos(request: Request) -> Response:
    """`/_frameworks.svg?v={version}`, as `library_logos`."""
    site: Site = request.app.state.site
    return _sprite(request, site.content.framework_logos)


async def partner_marks(request: Request) -> Response:
    """`/_partners.svg?v={version}`, as `library_logos`."""
    site: Site = request.app.state.site
    return _sprite(request, site.content.partner_marks)


def _sprite(request: Request, logos: LogoSprite) -> Response:
    lifetime = FOREVER if request.query_params.get("v") == logos.version else DOCS
    headers = {"content-type": IMAGE_TYPES["svg"], **cache_headers(lifetime), **INERT}
    return gzip_response(request, _compressed(logos.svg), headers)


@lru_cache(maxsize=4)
def _compressed(svg: str) -> GzippedText:
    return compress([svg.encode()])


def _split_ref(site: Site, repo: str, rest: str) -> tuple[Ref, str]:
    """The branch and the path in `rest`. Branch names may contain slashes."""
    found = site.catalog.ref_of_path(repo, rest)
    if found is not None and is_plain_path(found[1]):
        return found
    raise NotFound("This file does not exist")
