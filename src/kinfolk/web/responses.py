"""HTTP responses of all modules of web: conditional requests, content encodings, cache headers, redirects, errors."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from starlette.datastructures import FormData
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.types import Message, Send

from kinfolk.config.routes import MARKDOWN as NEGOTIATED
from kinfolk.content.dependencies import cache_tag_header
from kinfolk.rendering.edge_headers import OF_SHARED_CACHES
from kinfolk.runtime.cache import DOCS, REVALIDATED, Lifetime
from kinfolk.runtime.errors import Invalid, SiteError
from kinfolk.runtime.http_headers import Encoding, etag_matches, preferred_encoding
from kinfolk.web.compression import GzippedText, ZipArchive
from kinfolk.web.protocol.fair_queue import RETRY_S

MARKDOWN = "text/markdown; charset=utf-8"
NOSNIFF = {"x-content-type-options": "nosniff"}
NO_STORE = {"cache-control": "no-store"}
INERT = {**NOSNIFF, "content-security-policy": "default-src 'none'; sandbox"}
"""A browser runs nothing from such a response."""

_REVALIDATED = REVALIDATED.encode()
_OF_CACHES = frozenset({b"cache-control", *(name.encode() for name in OF_SHARED_CACHES)})
_STREAMED_BYTES = 1 << 20
"""Larger texts are decompressed while they are sent."""


def cache_headers(lifetime: Lifetime, tags: Collection[str] = ()) -> dict[str, str]:
    """The headers for caches: the lifetime, and the tags by which a CDN can purge the response."""
    headers = dict(lifetime.headers())
    return {**headers, "cache-tag": cache_tag_header(tags)} if tags else headers


def without_storing(send: Send) -> Send:
    """A `send` that lets no cache store what the content decides: pages, texts, results and redirects.

    Files with a digest in their address, and icons, keep their lifetime.
    """

    async def send_unstored(message: Message) -> None:
        if message["type"] == "http.response.start" and any(
            name == b"cache-control" and value.startswith(_REVALIDATED) for name, value in message["headers"]
        ):
            others = (header for header in message["headers"] if header[0] not in _OF_CACHES)
            message = {**message, "headers": [*others, (b"cache-control", b"no-store")]}
        await send(message)

    return send_unstored


def as_negotiated(response: Response) -> Response:
    """A response to a request that prefers Markdown, at the address of a page.

    No cache stores it: those that ignore `Vary: Accept`, such as Cloudflare's, would send it to browsers.
    """
    for name in _OF_CACHES:
        del response.headers[name.decode()]
    response.headers.update({**NO_STORE, "vary": NEGOTIATED})
    return response


def accepted_encoding(request: Request, among: tuple[Encoding, ...] = ("br", "gzip")) -> Encoding:
    """The first of these encodings that the client accepts."""
    return preferred_encoding(request.headers.get("accept-encoding", "").encode("latin-1"), among)


def is_not_modified(request: Request, digest: str) -> bool:
    """Whether the client has content with this digest, in any content encoding."""
    return etag_matches(request.headers.get("if-none-match", "").encode("latin-1"), digest.encode("latin-1"))


def conditional_response(
    request: Request, digest: str, headers: Mapping[str, str], *, size: int | None = None
) -> Response | None:
    """The response without a body: 304, or the headers for HEAD. None for a request that needs the content."""
    with_etag = {**headers, "etag": f'"{digest}"'}
    if is_not_modified(request, digest):
        return Response(None, 304, headers=with_etag)
    if request.method != "HEAD":
        return None
    response = Response(None, headers=with_etag)
    del response.headers["content-length"]
    if size is not None:
        response.headers["content-length"] = str(size)
    return response


def content_response(request: Request, content: bytes, digest: str, headers: Mapping[str, str]) -> Response:
    """The content, or 304 for a client that has it."""
    short = conditional_response(request, digest, headers, size=len(content))
    return short or Response(content, headers={**headers, "etag": f'"{digest}"'})


def gzip_response(request: Request, text: GzippedText, headers: Mapping[str, str]) -> Response:
    """The text in an encoding that the client accepts, or 304 for a client that has it."""
    zipped = accepted_encoding(request, ("gzip",)) == "gzip"
    headers = {
        **headers,
        "vary": "accept-encoding",
        "etag": f'"{text.digest}{"-gz" if zipped else ""}"',
        **NOSNIFF,
    }
    if is_not_modified(request, text.digest):
        return Response(None, 304, headers=headers)
    headers |= {"content-length": str(len(text.content) if zipped else text.size)}
    if zipped:
        headers |= {"content-encoding": "gzip"}
    if request.method == "HEAD":
        return Response(None, headers=headers)
    if zipped:
        return Response(text.content, headers=headers)
    if text.size <= _STREAMED_BYTES:
        return Response(b"".join(text.decompressed()), headers=headers)
    return StreamingResponse(text.decompressed(), headers=headers)


def packed_response(request: Request, packed: GzippedText | ZipArchive, headers: Mapping[str, str]) -> Response:
    """A text in an encoding that the client accepts, or an archive; 304 for a client that has it."""
    if isinstance(packed, ZipArchive):
        return content_response(request, packed.content, packed.digest, {**headers, **NOSNIFF})
    return gzip_response(request, packed, headers)


def redirect_response(to: str, status: int = 307) -> Response:
    """A redirect that caches keep as long as a docs page."""
    return Response(None, status, headers={"location": to, **cache_headers(DOCS)})


async def parse_form(request: Request, body: bytes) -> FormData:
    """The fields of a form whose body was read before. Raises Invalid."""

    async def replay() -> dict[str, object]:
        return {"type": "http.request", "body": body, "more_body": False}

    try:
        return await Request(request.scope, replay).form(max_files=0, max_fields=100)
    except (ClientDisconnect, AssertionError):
        raise
    except Exception as broken:  # the form parser raises many kinds for a malformed body
        raise Invalid("The form could not be read") from broken


def text_error(failure: SiteError, headers: Mapping[str, str] | None = None) -> Response:
    """The message of a failure as plain text."""
    return PlainTextResponse(failure.message, failure.status, headers=headers)


def markdown_error(failure: SiteError, *, see: str = "") -> Response:
    """The message of a failure as Markdown. `see` is the address of a list of existing pages."""
    title = "404 Not Found" if failure.status == 404 else f"Error {failure.status}"  # noqa: PLR2004
    more = f" What there is: {see}" if see else ""
    text = f"# {title}\n\n{failure.message.rstrip('.')}.{more}\n"
    headers = {"content-type": MARKDOWN, **NO_STORE, **NOSNIFF}
    if failure.status in (429, 503):
        headers["retry-after"] = str(RETRY_S)
    return Response(text.encode(errors="replace"), failure.status, headers=headers)
