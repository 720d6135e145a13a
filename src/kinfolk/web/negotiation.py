"""Which requests want Markdown at an address that has a page for people too."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from kinfolk.ssr.page import LOOKED_AT

_QUALITY = re.compile(r"\bq\s*=\s*([01](?:\.[0-9]{0,3})?)")


def accept_of(headers: Iterable[tuple[bytes, bytes]]) -> bytes:
    """The Accept header, all of them where there are several."""
    return b",".join(value for name, value in headers if name == b"accept")


def prefers_markdown(accept: bytes) -> bool:
    """Whether Markdown is named, and HTML is not wanted more: of equals, the one that is named first wins.

    Browsers never name it, so wildcards alone mean HTML.
    """
    return _prefers_markdown(accept[:LOOKED_AT])


@lru_cache(maxsize=512)
def _prefers_markdown(accept: bytes) -> bool:
    markdown = _wish(accept, "text/markdown")
    html = max(_wish(accept, "text/html"), _wish(accept, "application/xhtml+xml"))
    return markdown[0] > 0 and markdown >= html


def _wish(accept: bytes, kind: str) -> tuple[float, int]:
    """How much a type is wanted, and how early it is named; nothing at all where it is not named."""
    for place, part in enumerate(accept.decode("latin-1").lower().split(",")):
        name, _, parameters = part.partition(";")
        if name.strip() == kind:
            quality = _QUALITY.search(parameters)
            return (float(quality[1]) if quality else 1.0, -place)
    return (0.0, 0)
