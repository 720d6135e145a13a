"""A rendered page as bytes: compressed, with its headers written. Sending it again is a copy."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from http import HTTPStatus
from itertools import count

import brotli

from kinfolk.config.routes import MARKDOWN, MISSING, PageRoute
from kinfolk.content.dependencies import cache_tag_header
from kinfolk.rendering.content_security_policy import AllowedSources, build_policy
from kinfolk.rendering.edge_headers import OF_SHARED_CACHES, EdgeHeaders, with_other_tags
from kinfolk.rendering.v8_renderer import HtmlDocument, PageRedirect, RenderResult
from kinfolk.runtime.budget import check_size
from kinfolk.runtime.cache import LRUCache
from kinfolk.runtime.http_headers import Encoding, etag_matches, preferred_encoding

Headers = tuple[tuple[bytes, bytes], ...]
TextHeaders = tuple[tuple[str, str], ...]

RETRY_S = 10
"""Retry-After of a page that cannot be rendered yet. The content it waits for is usually read by then."""
FIRST_QUALITY, BEST_QUALITY = 5, 11
"""Brotli quality when a page is rendered, and when a page that is requested often is compressed again."""
ENCODED_BYTES = 8 << 20
"""For about a hundred pages in an encoding that is not stored. Almost all clients accept brotli."""
HEADS_BYTES = 4096
"""Memory of a page besides its body."""
FILLED_QUALITY = 2
"""Brotli quality of a page that is sent once: a sixth of the time of FIRST_QUALITY, a sixth more bytes."""
CACHE_HEADERS = frozenset({"cache-control", "vary"}) | OF_SHARED_CACHES
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


_numbers = count()
EncodedPages = LRUCache[tuple[int, Encoding], EncodedVariant]
"""Pages in encodings in which they are not stored, by the number of the page."""


@dataclass(frozen=True)
class RenderedPage:
    """A page, stored in brotli: a quarter of the bytes.

    `digest` begins the ETag of each content encoding; `headers` are common to all.

    Other encodings are made when they are requested, and stay in `encoded` while they are requested often. Pages that
    are not compressed are stored as they are.
    """

    status: int
    tags: frozenset[str]
    shared: bool
    digest: str
    headers: TextHeaders
    stored: EncodedVariant
    encoding: Encoding = "identity"
    encoded: EncodedPages = field(default_factory=lambda: LRUCache(ENCODED_BYTES), repr=False)
    number: int = field(default_factory=lambda: next(_numbers))
    """Distinguishes this page in `encoded`."""

    def response(self, accept_encoding: bytes = b"", if_none_match: bytes = b"") -> PageResponse:
        """The response to a request with these headers."""
        encoding = preferred_encoding(accept_encoding)
        variant = self.stored if encoding == self.encoding else self._variant(encoding)
        return variant.not_modified if if_none_match and self._matches(if_none_match) else variant.full

    @property
    def parts(self) -> tuple[int, str, TextHeaders]:
        """Status, digest and headers: what its encodings have in common."""
        return self.status, self.digest, self.headers

    @property
    def body(self) -> bytes:
        """The body without a content encoding."""
        stored = self.stored.full.body
        return brotli.decompress(stored) if self.encoding == "br" else stored

    def _variant(self, encoding: Encoding) -> EncodedVariant:
        if encoding == "br" or (encoding == "gzip" and not self.stored.full.body):
            encoding = "identity"
        if encoding == self.encoding:
            return self.stored
        key = (self.number, encoding)
        variant = self.encoded.get(key)
        if variant is None:
            body = self.body
            body = gzip.compress(body, 6, mtime=0) if encoding == "gzip" else body
            variant = _encode_body(self.parts, body, encoding)
            self.encoded.put(key, variant, weight=len(variant.full.body) + HEADS_BYTES)
        return variant

    def _matches(self, if_none_match: bytes) -> bool:
        return self.status == HTTPStatus.OK and etag_matches(if_none_match, self._digest_bytes)

    @cached_property
    def _digest_bytes(self) -> bytes:
        return self.digest.encode("ascii")

    @property
    def weight(self) -> int:
        """Estimated bytes in memory."""
        return HEADS_BYTES + len(self.stored.full.body)


@dataclass(frozen=True)
class PageOptions:
    """What all pages of a site have in common: headers, and sources that the Content-Security-Policy allows.

    Without `compress`, pages are stored as they are: no client of an export requests another encoding. `encoded` is the
    cache of encodings that are not stored.
    """

    headers: TextHeaders = ()
    sources: AllowedSources = field(default_factory=AllowedSources)
    compress: bool = True
    edge: EdgeHeaders = field(default_factory=EdgeHeaders)
    encoded: EncodedPages = field(default_factory=lambda: LRUCache(ENCODED_BYTES))


def build_page(
    rendered: RenderResult,
    *,
    route: PageRoute = MISSING,
    options: PageOptions | None = None,
    robots: str = "",
) -> RenderedPage:
    """The page of a render result. Compresses it, which takes some milliseconds of CPU.

    `robots` is the X-Robots-Tag of a page that is not for search engines, such as a variant by its query.

    Raises OverBudget for a page that is too large.
    """
    options = options or PageOptions()
    lifetime = rendered.lifetime
    if route.lifetime is not None and lifetime.shared:
        lifetime = route.lifetime
    cached = lifetime.headers()
    if lifetime.shared and rendered.tags:
        cached = options.edge.rewrite((*cached, ("cache-tag", cache_tag_header(rendered.tags))))
    match rendered:
        case PageRedirect(status, location):
            # Not of a content encoding: a redirect has no body. Some addresses that redirect browsers have Markdown.
            varied = (("vary", route.vary),) if route.vary == MARKDOWN else ()
            headers = _encode((("location", location), *cached, *varied, *options.headers, ("content-length", "0")))
            redirect = PageResponse(status, headers, b"")
            return RenderedPage(status, rendered.tags, lifetime.shared, "", cached, EncodedVariant(redirect, redirect))
        case HtmlDocument():
            headers_of_all = _html_headers(rendered, cached, route, options)
            if robots:
                headers_of_all = (*headers_of_all, ("x-robots-tag", robots))
            return _html_page(rendered, headers_of_all, options, shared=lifetime.shared)


def _html_headers(document: HtmlDocument, cached: TextHeaders, route: PageRoute, options: PageOptions) -> TextHeaders:
    policy = build_policy(
        document.scripts, document.styles, frame_ancestors=route.frame_ancestors, sources=options.sources
    )
    unavailable = document.status == HTTPStatus.SERVICE_UNAVAILABLE
    return (
        *cached,
        ("vary", route.vary),
        ("content-type", "text/html; charset=utf-8"),
        ("content-security-policy", policy),
        # For crawlers of headers and old browsers: `frame-ancestors` says the same.
        *((("x-frame-options", "DENY"),) if route.frame_ancestors == "'none'" else ()),
        *((("retry-after", str(RETRY_S)),) if unavailable else ()),
        *options.headers,
    )


def _html_page(document: HtmlDocument, headers: TextHeaders, options: PageOptions, *, shared: bool) -> RenderedPage:
    body = document.html.encode("utf-8", "replace")
    check_size("page", len(body))
    digest = _digest(body)
    encoding: Encoding = "br" if options.compress else "identity"
    stored = _encode_body(
        (document.status, digest, headers), _brotli(body, FIRST_QUALITY) if options.compress else body, encoding
    )
    return RenderedPage(
        document.status, document.tags, shared, digest, headers, stored, encoding, encoded=options.encoded
    )


def fill_page(page: RenderedPage, replacements: Mapping[str, str], tags: frozenset[str]) -> RenderedPage:
    """The page with other words and tags, compressed for one response: half a millisecond of CPU for a 404 page."""
    body = page.response(b"identity").body
    for old, new in replacements.items():
        body = body.replace(old.encode(), new.encode())
    headers = with_other_tags(page.headers, tags if page.shared else ())
    digest = _digest(body)
    if page.encoding == "br":
        body = _brotli(body, FILLED_QUALITY)
    stored = _encode_body((page.status, digest, headers), body, page.encoding)
    return replace(page, tags=tags, digest=digest, headers=headers, stored=stored, number=next(_numbers))


def recompress(page: RenderedPage) -> RenderedPage:
    """The page with brotli at its best quality: a fifth of a second of CPU for a long page."""
    body = _brotli(page.body, BEST_QUALITY)
    if len(body) >= len(page.stored.full.body):
        return page
    return replace(page, stored=_encode_body(page.parts, body, "br", suffix="-br11"))


def _encode_body(
    page: tuple[int, str, TextHeaders], body: bytes, encoding: Encoding, *, suffix: str | None = None
) -> EncodedVariant:
    """The responses with a body in this encoding, of a page with a status, a digest and headers.

    ETags of encodings differ by a suffix.
    """
    status, digest, headers = page
    suffix = _SUFFIXES[encoding] if suffix is None else suffix
    etag = (("etag", f'"{digest}{suffix}"'),) if status == HTTPStatus.OK else ()
    encoded = (("content-encoding", encoding),) if encoding != "identity" else ()
    full = (*headers, *etag, *encoded, ("content-length", str(len(body))))
    not_modified = (*(header for header in headers if header[0] in NOT_MODIFIED_HEADERS), *etag)
    return EncodedVariant(PageResponse(status, _encode(full), body), PageResponse(304, _encode(not_modified), b""))


_SUFFIXES: dict[Encoding, str] = {"identity": "", "gzip": "-gz", "br": "-br"}


def _digest(body: bytes) -> str:
    return hashlib.blake2b(body, digest_size=12).hexdigest()


def _brotli(body: bytes, quality: int) -> bytes:
    return bytes(brotli.compress(body, mode=brotli.MODE_TEXT, quality=quality))


def _encode(headers: Iterable[tuple[str, str]]) -> Headers:
    return tuple((name.encode("ascii"), value.encode("latin-1")) for name, value in headers)
