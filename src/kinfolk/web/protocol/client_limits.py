"""Limits of clients: sizes of requests, and the time that a client may take to send and to read."""

from __future__ import annotations

import asyncio
import re
from functools import lru_cache

from starlette.requests import Request

from kinfolk.runtime.errors import SiteError

MAX_TARGET_BYTES = 4096
"""Bytes of path and query. The longest real one, a comparison of 32 packages, has 2,900."""
MAX_HEAD_BYTES = 64 << 10
"""Bytes of a request outside its body: its head; then chunk sizes, extensions and trailers without body in between.
Browsers and proxies limit heads to a quarter of it."""
MAX_HEADERS = 200
MAX_UNREAD_BYTES = 8 << 20
"""Bytes of a body that are discarded after the response, so that the connection can be reused."""

HEAD_S = 10.0
"""Seconds for a head from its first to its last byte, and for a new connection until its first byte."""
BODY_TIMEOUT_S = 20.0
"""Seconds for a body. GitHub sends its largest in two."""
STALLED_S = 30.0
"""Seconds without progress after which a client that does not read its response is disconnected."""


class TooLarge(SiteError):
    code = "too_large"
    status = 413


class TooSlow(SiteError):
    code = "too_slow"
    status = 408


async def read_body(request: Request, limit: int) -> bytes:
    """The body. Raises TooLarge as soon as it exceeds `limit` bytes, or TooSlow."""
    length = request.headers.get("content-length", "0")
    if length.isdigit() and int(length) > limit:
        raise TooLarge(f"The body is larger than {limit} bytes")
    parts = []
    size = 0
    try:
        async with asyncio.timeout(BODY_TIMEOUT_S):
            async for part in request.stream():
                size += len(part)
                if size > limit:
                    raise TooLarge(f"The body is larger than {limit} bytes")
                parts.append(part)
    except TimeoutError:
        raise TooSlow("The body took too long to arrive") from None
    return b"".join(parts)


def is_clean_target(raw_path: bytes) -> bool:
    """Whether proxies and servers parse a path alike: no encoded slash, dot or NUL, no backslash, no empty segment."""
    lowered = raw_path.lower()
    forbidden = (b"%2f", b"%5c", b"%00", b"%2e%2e", b"\\", b"//", b"/../", b"/./")
    return not any(part in lowered for part in forbidden) and not lowered.endswith((b"/..", b"/."))


def is_host(value: bytes) -> bool:
    """Whether a Host header is a name or an address, with a port or without (RFC 9112, 3.2).

    Only characters that occur in real names are allowed, fewer than in RFC 3986: `a,b` results from two joined headers.
    """
    return len(value) <= _LONGEST_HOST and _is_host(value)


_LONGEST_HOST = 261
"""A name has at most 255 bytes, a port 5."""
_HOST = re.compile(rb"(?:[A-Za-z0-9._~-]|%[0-9A-Fa-f]{2})+(?::[0-9]{0,5})?|\[[0-9A-Fa-f:.]{2,45}\](?::[0-9]{0,5})?")


@lru_cache(maxsize=256)
def _is_host(value: bytes) -> bool:
    return _HOST.fullmatch(value) is not None
