"""The content of a share image, which identifies the image before it is drawn."""

from __future__ import annotations

import hashlib
from dataclasses import astuple, dataclass
from functools import cached_property

from kinfolk.branding.patterns import Pattern

DESIGN = 4
"""Increment it when the design changes: images are cached for ever by their version."""


MARK_HEIGHT = 56
"""Pixels."""


@dataclass(frozen=True)
class ShareImage:
    """The texts of an image, its pattern, and the two colors (`#rrggbb`) of its gradient.

    `mark` is the family's logo as PNG of MARK_HEIGHT.
    """

    name: str
    title: str
    detail: str
    pattern: Pattern
    color_from: str
    color_to: str
    mark: bytes | None = None

    @property
    def _parts(self) -> tuple[object, ...]:
        parts = astuple(self)
        return parts if self.mark else parts[:-1]

    @cached_property
    def version(self) -> str:
        """Changes if and only if the image changes."""
        return hashlib.sha256(repr((DESIGN, self._parts)).encode(errors="replace")).hexdigest()[:12]
