"""The content of a share image, which identifies the image before it is drawn."""

from __future__ import annotations

import hashlib
from dataclasses import astuple, dataclass
from functools import cached_property

DESIGN = 2
"""Increment it when the design changes: images are cached for ever by their version."""


@dataclass(frozen=True)
class ShareImage:
    """The texts of an image, and the two colors (`#rrggbb`) of its gradient."""

    name: str
    title: str
    detail: str
    color_from: str
    color_to: str

    @cached_property
    def version(self) -> str:
        """Changes if and only if the image changes."""
        return hashlib.sha256(repr((DESIGN, astuple(self))).encode(errors="replace")).hexdigest()[:12]
