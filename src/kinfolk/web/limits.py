"""How much of a request we read before we say no, and how long a client may take for it."""

from __future__ import annotations

import asyncio
import re
from functools import lru_cache

from starlette.requests import Request

from kinfolk.errors import SiteError

LONGEST_TARGET = 4096
"""Bytes of path and query. The longest real one, a comparison of 32 packages, has 2,900."""
LARGEST_HEAD = 64 << 10
"""Bytes of a request that are not its body: its head, then chunk sizes, chunk extensions and trailers that come without
any of the body in between. Browsers and proxies keep to a quarter of it."""
MOST_HEADERS = 200
LARGEST_UNREAD = 8 << 20
"""Bytes of a body that are thrown away after its request was answered, so that the connection can be used again."""

HEAD_S = 10.0
"""How long a head may take from its first byte to its end, and a new connection to its first byte."""
PATIENCE_S = 20.0
"""How long a body may take. GitHub sends its largest in two."""
STALLED_S = 30.0
"""How long a client may take nothing of its answer."""


class TooLarge(SiteError):
    code = "too_large"
    status = 413


class TooSlow(SiteError):
    code = "too_slow"
    status = 408


async def read_body(request: Request, limit: int) -> bytes:
    """The body, given up as soon as it is longer than `limit` bytes. Raises TooLarge or TooSlow."""
    announced = request.headers.get("content-length", "0")
    if announced.isdigit() and int(announced) > limit:
        raise TooLarge(f"The body is larger than {limit} bytes")
    parts = []
    size = 0
    try:
        async with asyncio.timeout(PATIENCE_S):
            async for part in request.stream():
                size += len(part)
                if size > limit:
                    raise TooLarge(f"The body is larger than {limit} bytes")
                parts.append(part)
    except TimeoutError:
        raise TooSlow("The body took too long to arrive") from None
    return b"".join(parts)


def is_clean_target(raw_path: bytes) -> bool:
    """Whether a path means one thing to everybody: no encoded slashes, dots or NULs, no backslash, no empty segment."""
    lowered = raw_path.lower()
    forbidden = (b"%2f", b"%5c", b"%00", b"%2e%2e", b"\\", b"//", b"/../", b"/./")
    return not any(part in lowered for part in forbidden) and not lowered.endswith((b"/..", b"/."))


def is_host(value: bytes) -> bool:
    """Whether a Host header is a name or an address, with a port or without (RFC 9112, 3.2).

    Of the characters that RFC 3986 allows in a name only those are taken that names have: `a,b` is what is left where
    something joined two Host headers.
    """
    return len(value) <= _LONGEST_HOST and _is_host(value)


_LONGEST_HOST = 261
"""A name has at most 255 bytes, a port 5."""
_HOST = re.compile(rb"(?:[A-Za-z0-9._~-]|%[0-9A-Fa-f]{2})+(?::[0-9]{0,5})?|\[[0-9A-Fa-f:.]{2,45}\](?::[0-9]{0,5})?")


@lru_cache(maxsize=256)
def _is_host(value: bytes) -> bool:
    return _HOST.fullmatch(value) is not None
