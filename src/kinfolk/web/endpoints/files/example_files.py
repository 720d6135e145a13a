"""`/_examples/…`: single files of examples, and all files of one as a zip."""

from __future__ import annotations

import asyncio
from urllib.parse import quote

from starlette.concurrency import iterate_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from kinfolk.content.dependencies import DependencyRecorder
from kinfolk.content.docs import ContentReader
from kinfolk.content.examples import Example, find_example
from kinfolk.content.examples.example import BASE
from kinfolk.content.examples.file_view import is_binary
from kinfolk.content.examples.zip_archive import check_zip_size, stream_zip, zip_digest
from kinfolk.runtime.budget import OverBudget
from kinfolk.runtime.cache import DOCS
from kinfolk.runtime.errors import NotFound, SiteError
from kinfolk.site.site import Site
from kinfolk.web.refusal_log import log_refusal
from kinfolk.web.responses import (
    INERT,
    NO_STORE,
    NOSNIFF,
    cache_headers,
    conditional_response,
    content_response,
    text_error,
)


def example_routes() -> list[Route]:
    """Routes for an application whose `state.site` is the Site."""
    return [
        Route(f"{BASE}/{{library}}/{{version}}/{{framework}}/{{name}}.zip", _zip),
        Route(f"{BASE}/{{library}}/{{version}}/{{framework}}/{{name}}/{{file:path}}", _raw),
    ]


async def _raw(request: Request) -> Response:
    """One file: text as plain text in any language, everything else as a download."""
    try:
        example, recorder = _example(request)
        file = example.inside(example.path(request.path_params["file"]))
        if file is None:
            raise NotFound("This file does not exist")
        site: Site = request.app.state.site
        content = await site.content.reader.read(example, file)
    except SiteError as failure:
        return _error(failure)
    headers = _headers(recorder)
    if is_binary(content):
        headers |= {"content-type": "application/octet-stream", "content-disposition": _download(file)}
    else:
        headers |= {"content-type": "text/plain; charset=utf-8"}
    return content_response(request, content, example.blob(file), headers)


async def _zip(request: Request) -> Response:
    try:
        example, recorder = _example(request, all_files=True)
        await asyncio.to_thread(check_zip_size, example)
    except SiteError as failure:
        return _error(failure)
    digest = await asyncio.to_thread(zip_digest, example)
    headers = _headers(recorder) | {
        "content-type": "application/zip",
        "content-disposition": _download(f"{example.library.id}-{example.framework}-{example.name}.zip"),
    }
    # A thread compresses each chunk after the client has received the previous one.
    return conditional_response(request, digest, headers) or StreamingResponse(
        iterate_in_threadpool(stream_zip(example)), headers=headers | {"etag": f'"{digest}"'}
    )


def _example(request: Request, *, all_files: bool = False) -> tuple[Example, DependencyRecorder]:
    """The example, and what records its reads. Raises SiteError for an unknown library, version or example."""
    site: Site = request.app.state.site
    params, recorder = request.path_params, DependencyRecorder()
    library = site.catalog.library(params["library"])
    branch = ContentReader(site.content.publisher.docs, recorder).branch(library.ref(params["version"]))
    files = branch.example_files() if all_files else branch
    return find_example(library, files, branch.examples, params["framework"], params["name"]), recorder


def _headers(recorder: DependencyRecorder) -> dict[str, str]:
    return {**cache_headers(DOCS, recorder.cache_tags), **INERT, "x-robots-tag": "noindex"}


def _download(path: str) -> str:
    return f"attachment; filename*=UTF-8''{quote(path.rpartition('/')[2])}"


def _error(failure: SiteError) -> Response:
    if isinstance(failure, OverBudget):
        log_refusal("file", failure.limit, message=failure.message)
    return text_error(failure, {**NO_STORE, **NOSNIFF})
