"""A finished page as bytes: compressed and with its headers written, so that sending it again is no work."""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from http import HTTPStatus
from typing import Literal
from urllib.parse import quote

import brotli

from kinfolk.budget import check_size
from kinfolk.ssr.address import PLAIN, PageRule
from kinfolk.ssr.policy import policy
from kinfolk.ssr.renderer import Document, Moved, Rendered

Encoding = Literal["br", "gzip", "identity"]
Headers = tuple[tuple[bytes, bytes], ...]

LOOKED_AT = 1024
"""Bytes of a header. Real ones have a tenth; what is remembered by header must not grow with what visitors send."""
RETRY_S = 10
"""After which to come again for a page that cannot be made yet: what it waits for is read by then, or soon after."""
QUICK, THOROUGH = 5, 11
"""Brotli's effort for a page that somebody waits for, and for one that is known to be wanted often."""
CACHED_BY = frozenset({"cache-control", "cdn-cache-control", "cache-tag", "vary"})
REPEATED = CACHED_BY | {"x-content-type-options"}


@dataclass(frozen=True)
class Reply:
    """What to send."""

    status: int
    headers: Headers
    body: bytes

    @cached_property
    def head(self) -> bytes:
        """Status and headers as HTTP/1.1 writes them, without the empty line that ends them."""
        status = f"HTTP/1.1 {self.status} {HTTPStatus(self.status).phrase}\r\n".encode("ascii")
        return status + b"".join(b"%b: %b\r\n" % header for header in self.headers)


@dataclass(frozen=True)
class Form:
    """A page in one content encoding: whole, and as the answer to somebody who has it."""

    whole: Reply
    unchanged: Reply


@dataclass(frozen=True)
class Page:
    """What a page is in every encoding. `digest` begins the ETag of each of them; `headers` are those of all.

    Nearly everybody takes brotli, so gzip waits until somebody does not.
    """

    status: int
    tags: frozenset[str]
    shared: bool
    digest: str
    headers: tuple[tuple[str, str], ...]
    forms: dict[Encoding, Form]

    def reply(self, accept_encoding: bytes = b"", if_none_match: bytes = b"") -> Reply:
        """The answer to a request with these headers."""
        encoding = preferred(accept_encoding)
        form = self.forms.get(encoding) or self._further(encoding)
        return form.unchanged if if_none_match and self._is(if_none_match) else form.whole

    def _further(self, encoding: Encoding) -> Form:
        """The form in an encoding that nobody has asked for until now."""
        whole = self.forms["identity"].whole.body
        if encoding == "gzip" and whole:
            self.forms["gzip"] = _form(self, gzip.compress(whole, 6, mtime=0), encoding="gzip", suffix="-gz")
        return self.forms.get(encoding) or self.forms["identity"]

    def _is(self, if_none_match: bytes) -> bool:
        # Whoever has this content in any encoding has it; proxies also prefix W/ or add to the end.
        return self.status == HTTPStatus.OK and (self._begins_etag in if_none_match or if_none_match == b"*")

    @cached_property
    def _begins_etag(self) -> bytes:
        return b'"' + self.digest.encode("ascii")

    @property
    def weight(self) -> int:
        """Bytes that keeping it costs, about: gzip, once it is there, has the size of brotli."""
        return 4096 + sum(len(form.whole.body) * (2 if name == "br" else 1) for name, form in self.forms.items())


def preferred(accept_encoding: bytes, among: tuple[Encoding, ...] = ("br", "gzip")) -> Encoding:
    """The first of these encodings that an Accept-Encoding header allows. What stands far behind is not looked at."""
    return _preferred(accept_encoding[:LOOKED_AT], among)


@lru_cache(maxsize=512)
def _preferred(accept_encoding: bytes, among: tuple[Encoding, ...]) -> Encoding:
    given: dict[str, float] = {}
    for part in accept_encoding.decode("latin-1").lower().split(","):
        name, _, parameters = part.partition(";")
        quality = re.fullmatch(r"\s*q\s*=\s*([01](?:\.[0-9]{0,3})?)\s*", parameters)
        given[name.strip()] = float(quality[1]) if quality else 1.0
    for encoding in among:
        if given.get(encoding, given.get("*", 0.0)) > 0:
            return encoding
    return "identity"


def finish(
    rendered: Rendered,
    *,
    rule: PageRule = PLAIN,
    headers: Iterable[tuple[str, str]] = (),
    hosts: Iterable[str] = (),
    form_actions: Iterable[str] = (),
    asked: Iterable[str] = (),
) -> Page:
    """The page that a render gave, with `headers` added to its own. Compresses: some milliseconds of CPU.

    Raises OverBudget for one that is too large.

    `hosts` are those whose scripts the page may load besides ours, `form_actions` where it may send forms to,
    `asked` whom its own scripts may ask.
    """
    lifetime = rendered.lifetime
    if rule.lifetime is not None and lifetime.shared:
        lifetime = rule.lifetime
    kept = lifetime.headers()
    if lifetime.shared and rendered.tags:
        kept = (*kept, ("cache-tag", ",".join(map(cache_tag, sorted(rendered.tags)))))
    match rendered:
        case Moved(status, location):
            written = _bytes((("location", location), *kept, *headers, ("content-length", "0")))
            moved = Reply(status, written, b"")
            return Page(status, rendered.tags, lifetime.shared, "", kept, {"identity": Form(moved, moved)})
        case Document(status, html):
            kept = (*kept, ("vary", rule.vary))
            about = (
                *kept,
                ("content-type", "text/html; charset=utf-8"),
                (
                    "content-security-policy",
                    policy(
                        rendered.scripts,
                        framed_by=rule.framed_by,
                        hosts=hosts,
                        form_actions=form_actions,
                        asked=asked,
                    ),
                ),
                *((("retry-after", str(RETRY_S)),) if status == HTTPStatus.SERVICE_UNAVAILABLE else ()),
                *headers,
            )
            body = html.encode("utf-8", "replace")
            check_size("page", len(body))
            digest = hashlib.blake2b(body, digest_size=12).hexdigest()
            page = Page(status, rendered.tags, lifetime.shared, digest, about, {})
            forms: dict[Encoding, Form] = {
                "br": _form(page, _brotli(body, QUICK), encoding="br", suffix="-br"),
                "identity": _form(page, body, encoding="identity", suffix=""),
            }
            return replace(page, forms=forms)


def cache_tag(tag: str) -> str:
    """A tag as CDNs take it, in the header and when told to purge: ASCII without spaces and commas."""
    return quote(tag, safe="/@:#")


def improved(page: Page) -> Page:
    """The page with its brotli form made as small as brotli can: a fifth of a second of CPU for a long page."""
    body = _brotli(page.forms["identity"].whole.body, THOROUGH)
    if len(body) >= len(page.forms["br"].whole.body):
        return page
    return replace(page, forms=page.forms | {"br": _form(page, body, encoding="br", suffix="-br11")})


def _form(page: Page, body: bytes, *, encoding: Encoding, suffix: str) -> Form:
    etag = (("etag", f'"{page.digest}{suffix}"'),) if page.status == HTTPStatus.OK else ()
    encoded = (("content-encoding", encoding),) if encoding != "identity" else ()
    whole = (*page.headers, *etag, *encoded, ("content-length", str(len(body))))
    # A 304 repeats what caches go by, and what every answer has; the rest they have.
    unchanged = (*(header for header in page.headers if header[0] in REPEATED), *etag)
    return Form(Reply(page.status, _bytes(whole), body), Reply(304, _bytes(unchanged), b""))


def _brotli(body: bytes, quality: int) -> bytes:
    return bytes(brotli.compress(body, mode=brotli.MODE_TEXT, quality=quality))


def _bytes(headers: Iterable[tuple[str, str]]) -> Headers:
    return tuple((name.encode("ascii"), value.encode("latin-1")) for name, value in headers)
