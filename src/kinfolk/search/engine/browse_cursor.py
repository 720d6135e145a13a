"""The cursor of `browse`: a generation and an offset, as an opaque string."""

from __future__ import annotations

import base64
import binascii

from kinfolk.runtime.errors import Invalid

MAX_CURSOR_LENGTH = 200


def write_cursor(generation: str, offset: int) -> str:
    return base64.urlsafe_b64encode(f"{generation}:{offset}".encode()).decode()


def read_cursor(cursor: str) -> tuple[str, int]:
    """Raises Invalid for a string that is no cursor."""
    if len(cursor) > MAX_CURSOR_LENGTH:
        raise Invalid("Invalid cursor")
    try:
        generation, _, offset = base64.urlsafe_b64decode(cursor.encode()).decode().partition(":")
        return generation, max(0, int(offset))
    except (ValueError, binascii.Error):
        raise Invalid("Invalid cursor") from None
