"""How much of a request we read before we say no."""

from __future__ import annotations

import asyncio

from starlette.requests import Request

from kinfolk.errors import SiteError

LONGEST_TARGET = 4096
"""Bytes of path and query. The longest real one, a comparison of 32 packages, has 2,900."""


PATIENCE_S = 20.0
"""How long a body may take. GitHub sends its largest in two."""


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
