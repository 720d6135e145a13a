"""A rendered page as bytes: compressed, with its headers written. Sending it again is a copy."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from http import HTTPStatus

import brotli

from kinfolk.config.routes import MISSING, PageRoute
from kinfolk.rendering.content_security_policy import AllowedSources, build_policy
from kinfolk.rendering.v8_renderer import HtmlDocument, PageRedirect, RenderResult
from kinfolk.runtime.budget import check_size
from kinfolk.runtime.http_headers import Encoding, cache_tag, etag_matches, preferred_encoding

Headers = tuple[tuple[bytes, bytes], ...]
TextHeaders = tuple[tuple[str, str], ...]

RETRY_S = 10
"""Retry-After of a page that cannot be rendered yet. The content it waits for is usually read by then."""
FIRST_QUALITY, BEST_QUALITY = 5, 11
"""Brotli quality when a page is rendered, and when a page that is requested often is compressed again."""
CACHE_HEADERS = frozenset({"cache-control", "cdn-cache-control", "cache-tag", "vary"})
NOT_MODIFIED_HEADERS = CACHE_HEADERS | {"x-content-type-options"}
"""Headers that a 304 repeats."""


@dataclass(frozen=True)
class PageResponse:
    """Status, headers and body of one response."""

    status: int
    headers: Headers
    body: bytes

    @cached_property
    def head(self) -> bytes:
        """Status line and headers in HTTP/1.1, without the empty line that ends them."""
        status = f"HTTP/1.1 {self.status} {HTTPStatus(self.status).phrase}\r\n".encode("ascii")
        return status + b"".join(b"%b: %b\r\n" % header for header in self.headers)


@dataclass(frozen=True)
class EncodedVariant:
    """A page in one content encoding: the full response, and the 304."""

    full: PageResponse
    not_modified: PageResponse


@dataclass(frozen=True)
class RenderedPage:
    """A page in all content encodings. `digest` begins the ETag of each; `headers` are common to all.

    Almost all clients accept brotli, so gzip is compressed at the first request for it.
    """

    status: int
    tags: frozenset[str]
    shared: bool
    digest: str
    headers: TextHeaders
    variants: dict[Encoding, EncodedVariant]

    def response(self, accept_encoding: bytes = b"", if_none_match: bytes = b"") -> PageResponse:
        """The response to a request with these headers."""
        encoding = preferred_encoding(accept_encoding)
        variant = self.variants.get(encoding) or self._compress_lazily(encoding)
        return variant.not_modified if if_none_match and self._matches(if_none_match) else variant.full

    def _compress_lazily(self, encoding: Encoding) -> EncodedVariant:
        body = self.variants["identity"].full.body
        if encoding == "gzip" and body:
            self.variants["gzip"] = _variant(self, gzip.compress(body, 6, mtime=0), encoding="gzip", suffix="-gz")
        return self.variants.get(encoding) or self.variants["identity"]

    def _matches(self, if_none_match: bytes) -> bool:
        return self.status == HTTPStatus.OK and etag_matches(if_none_match, self._digest_bytes)

    @cached_property
    def _digest_bytes(self) -> bytes:
        return self.digest.encode("ascii")

    @property
    def weight(self) -> int:
        """Estimated bytes in memory. Brotli counts twice: gzip, once it exists, has about the same size."""
        return 4096 + sum(len(each.full.body) * (2 if name == "br" else 1) for name, each in self.variants.items())


@dataclass(frozen=True)
class PageOptions:
    """What all pages of a site have in common: headers, and sources that the Content-Security-Policy allows.

    Without `compress`, brotli is left out: no client of an export requests it.
    """

    headers: TextHeaders = ()
    sources: AllowedSources = field(default_factory=AllowedSources)
    compress: bool = True


def build_page(
    rendered: RenderResult, *, route: PageRoute = MISSING, options: PageOptions | None = None
) -> RenderedPage:
    """The page of a render result. Compresses it, which takes some milliseconds of CPU.

    Raises OverBudget for a page that is too large.
    """
    options = options or PageOptions()
    lifetime = rendered.lifetime
    if route.lifetime is not None and lifetime.shared:
        lifetime = route.lifetime
    cached = lifetime.headers()
    if lifetime.shared and rendered.tags:
        cached = (*cached, ("cache-tag", ",".join(map(cache_tag, sorted(rendered.tags)))))
    match rendered:
        case PageRedirect(status, location):
            headers = _encode((("location", location), *cached, *options.headers, ("content-length", "0")))
            redirect = PageResponse(status, headers, b"")
            variants: dict[Encoding, EncodedVariant] = {"identity": EncodedVariant(redirect, redirect)}
            return RenderedPage(status, rendered.tags, lifetime.shared, "", cached, variants)
        case HtmlDocument():
            headers_of_all = _html_headers(rendered, cached, route, options)
            return _html_page(rendered, headers_of_all, shared=lifetime.shared, compress=options.compress)


def _html_headers(document: HtmlDocument, cached: TextHeaders, route: PageRoute, options: PageOptions) -> TextHeaders:
    policy = build_policy(document.scripts, frame_ancestors=route.frame_ancestors, sources=options.sources)
    unavailable = document.status == HTTPStatus.SERVICE_UNAVAILABLE
    return (
        *cached,
        ("vary", route.vary),
        ("content-type", "text/html; charset=utf-8"),
        ("content-security-policy", policy),
        *((("retry-after", str(RETRY_S)),) if unavailable else ()),
        *options.headers,
    )


def _html_page(document: HtmlDocument, headers: TextHeaders, *, shared: bool, compress: bool) -> RenderedPage:
    body = document.html.encode("utf-8", "replace")
    check_size("page", len(body))
    digest = hashlib.blake2b(body, digest_size=12).hexdigest()
    page = RenderedPage(document.status, document.tags, shared, digest, headers, {})
    variants: dict[Encoding, EncodedVariant] = {"identity": _variant(page, body, encoding="identity", suffix="")}
    if compress:
        variants["br"] = _variant(page, _brotli(body, FIRST_QUALITY), encoding="br", suffix="-br")
    return replace(page, variants=variants)


def recompress(page: RenderedPage) -> RenderedPage:
    """The page with brotli at its best quality: a fifth of a second of CPU for a long page."""
    body = _brotli(page.variants["identity"].full.body, BEST_QUALITY)
    if len(body) >= len(page.variants["br"].full.body):
        return page
    return replace(page, variants=page.variants | {"br": _variant(page, body, encoding="br", suffix="-br11")})


def _variant(page: RenderedPage, body: bytes, *, encoding: Encoding, suffix: str) -> EncodedVariant:
    etag = (("etag", f'"{page.digest}{suffix}"'),) if page.status == HTTPStatus.OK else ()
    encoded = (("content-encoding", encoding),) if encoding != "identity" else ()
    full = (*page.headers, *etag, *encoded, ("content-length", str(len(body))))
    not_modified = (*(header for header in page.headers if header[0] in NOT_MODIFIED_HEADERS), *etag)
    return EncodedVariant(PageResponse(page.status, _encode(full), body), PageResponse(304, _encode(not_modified), b""))


def _brotli(body: bytes, quality: int) -> bytes:
    return bytes(brotli.compress(body, mode=brotli.MODE_TEXT, quality=quality))


def _encode(headers: Iterable[tuple[str, str]]) -> Headers:
    return tuple((name.encode("ascii"), value.encode("latin-1")) for name, value in headers)
