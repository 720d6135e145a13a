"""Values of HTTP headers: content negotiation, conditional requests."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Literal

Encoding = Literal["br", "gzip", "identity"]

MAX_PARSED_BYTES = 1024
"""Bytes of a header that are parsed. Real headers have a tenth; the caches below must not grow with what clients
send."""
_QUALITY = re.compile(r"\bq\s*=\s*([01](?:\.[0-9]{0,3})?)")


def preferred_encoding(accept_encoding: bytes, among: tuple[Encoding, ...] = ("br", "gzip")) -> Encoding:
    """The first of these encodings that an Accept-Encoding header allows."""
    return _preferred_encoding(accept_encoding[:MAX_PARSED_BYTES], among)


@lru_cache(maxsize=512)
def _preferred_encoding(accept_encoding: bytes, among: tuple[Encoding, ...]) -> Encoding:
    qualities: dict[str, float] = {}
    for part in accept_encoding.decode("latin-1").lower().split(","):
        name, _, parameters = part.partition(";")
        quality = re.fullmatch(r"\s*q\s*=\s*([01](?:\.[0-9]{0,3})?)\s*", parameters)
        qualities[name.strip()] = float(quality[1]) if quality else 1.0
    for encoding in among:
        if qualities.get(encoding, qualities.get("*", 0.0)) > 0:
            return encoding
    return "identity"


def accept_of(headers: Iterable[tuple[bytes, bytes]]) -> bytes:
    """The Accept header; several are joined with commas."""
    return b",".join(value for name, value in headers if name == b"accept")


def prefers_markdown(accept: bytes) -> bool:
    """Whether an Accept header names Markdown with at least the quality of HTML. Of equal ones the first wins.

    Browsers never name Markdown, so wildcards alone mean HTML.
    """
    return _prefers_markdown(accept[:MAX_PARSED_BYTES])


@lru_cache(maxsize=512)
def _prefers_markdown(accept: bytes) -> bool:
    markdown = _preference(accept, "text/markdown")
    html = max(_preference(accept, "text/html"), _preference(accept, "application/xhtml+xml"))
    return markdown[0] > 0 and markdown >= html


def _preference(accept: bytes, media_type: str) -> tuple[float, int]:
    """The quality of a media type and its position, negated; (0, 0) for a type that the header does not name."""
    for position, part in enumerate(accept.decode("latin-1").lower().split(",")):
        name, _, parameters = part.partition(";")
        if name.strip() == media_type:
            quality = _QUALITY.search(parameters)
            return (float(quality[1]) if quality else 1.0, -position)
    return (0.0, 0)


def etag_matches(if_none_match: bytes, digest: bytes) -> bool:
    """Whether an If-None-Match header names content with this digest, in any content encoding.

    ETags are `"{digest}"` with a suffix for the encoding, such as `"{digest}-gz"`. Proxies add `W/` or a suffix of
    their own, so only the beginning is compared.
    """
    return if_none_match == b"*" or (b'"' + digest) in if_none_match
