"""What a picture says and in which colours: enough to name it, long before it is drawn."""

from __future__ import annotations

import hashlib
from dataclasses import astuple, dataclass
from functools import cached_property

DESIGN = 2
"""To be raised when the same words would be drawn differently: pictures are cached for ever by their version."""


@dataclass(frozen=True)
class Card:
    """A picture's words, and the two colours (`#rrggbb`) of its gradient."""

    name: str
    title: str
    detail: str
    color_from: str
    color_to: str

    @cached_property
    def version(self) -> str:
        """Differs when, and only when, the picture does."""
        return hashlib.sha256(repr((DESIGN, astuple(self))).encode(errors="replace")).hexdigest()[:12]
