"""`/_examples/…`: the files of examples as they are, and all files of one as a zip."""

from __future__ import annotations

import asyncio
from urllib.parse import quote

from starlette.concurrency import iterate_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from kinfolk.budget import OverBudget
from kinfolk.cache import DOCS
from kinfolk.errors import NotFound, SiteError
from kinfolk.examples import Example, example_at
from kinfolk.examples.archive import check_archive, digest, zipped
from kinfolk.examples.example import BASE
from kinfolk.examples.file import is_binary
from kinfolk.site import Site
from kinfolk.sources.snapshot import Ref
from kinfolk.ssr.page import cache_tag
from kinfolk.web.refusals import refuse_log

INERT = {
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
    "x-robots-tag": "noindex",
}
"""Whatever a file says, a browser only shows it."""


def example_routes() -> list[Route]:
    """To stand behind a framework whose `app.state.site` is the Site."""
    return [
        Route(f"{BASE}/{{library}}/{{version}}/{{framework}}/{{name}}.zip", _zip),
        Route(f"{BASE}/{{library}}/{{version}}/{{framework}}/{{name}}/{{file:path}}", _raw),
    ]


async def _raw(request: Request) -> Response:
    """One file: text as plain text whatever it is written in, anything else to be kept."""
    try:
        example = _example(request)
        file = example.inside(example.path(request.path_params["file"]))
        if file is None:
            raise NotFound("There is no such file")
        site: Site = request.app.state.site
        blob, content = example.blob(file), await site.reader.read(example, file)
    except SiteError as wrong:
        return _failed(wrong)
    headers = _headers(blob, f"{example.tree.ref}:{example.path(file)}")
    if is_binary(content):
        headers |= {"content-type": "application/octet-stream", "content-disposition": _named(file)}
    else:
        headers |= {"content-type": "text/plain; charset=utf-8"}
    return _unless_known(request, headers, size=len(content)) or Response(content, headers=headers)


async def _zip(request: Request) -> Response:
    try:
        example = _example(request)
        await asyncio.to_thread(check_archive, example)
    except SiteError as wrong:
        return _failed(wrong)
    headers = _headers(await asyncio.to_thread(digest, example), f"{example.tree.ref}#examples") | {
        "content-type": "application/zip",
        "content-disposition": _named(f"{example.library.id}-{example.framework}-{example.name}.zip"),
    }
    # Each piece is made in a thread, when the reader has taken the one before.
    return _unless_known(request, headers) or StreamingResponse(iterate_in_threadpool(zipped(example)), headers=headers)


def _example(request: Request) -> Example:
    """Raises SiteError for what the registry or the branch does not have."""
    site: Site = request.app.state.site
    wanted = request.path_params
    library = site.catalog.library(wanted["library"])
    shelf = site.editions.docs.shelf(Ref(*library.ref(wanted["version"])))
    return example_at(library, shelf.tree, shelf.examples, wanted["framework"], wanted["name"])


def _headers(etag: str, tag: str) -> dict[str, str]:
    return {**dict(DOCS.headers()), **INERT, "etag": f'"{etag}"', "cache-tag": cache_tag(tag)}


def _unless_known(request: Request, headers: dict[str, str], *, size: int | None = None) -> Response | None:
    """An answer without a body, for those who have it or only ask about it."""
    if headers["etag"] in request.headers.get("if-none-match", ""):
        return Response(None, 304, headers=headers)
    if request.method != "HEAD":
        return None
    about = Response(None, headers=headers)
    del about.headers["content-length"]
    if size is not None:
        about.headers["content-length"] = str(size)
    return about


def _named(path: str) -> str:
    return f"attachment; filename*=UTF-8''{quote(path.rpartition('/')[2])}"


def _failed(failure: SiteError) -> Response:
    if isinstance(failure, OverBudget):
        refuse_log("file", failure.limit, message=failure.message)
    headers = {"cache-control": "no-store", "x-content-type-options": "nosniff"}
    return PlainTextResponse(failure.message, failure.status, headers=headers)
