"""Which pattern a library has."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Literal, get_args

from kinfolk.config.catalog import Library, PatternName

LIBRARY_PATTERNS: tuple[PatternName, ...] = get_args(PatternName)


@dataclass(frozen=True)
class Pattern:
    """A drawing by its name. Drawings of one name differ by their seed."""

    name: PatternName | Literal["strands"]
    seed: int


FAMILY_PATTERN = Pattern("strands", 0)
"""The pattern of pages that belong to no library: strands of one cord."""


def library_pattern(library: Library) -> Pattern:
    """The pattern that the library's file names. Without a name, the id decides: a new library needs no drawing."""
    digest = hashlib.sha256(library.id.encode()).digest()
    name = library.pattern or LIBRARY_PATTERNS[digest[0] % len(LIBRARY_PATTERNS)]
    return Pattern(name, int.from_bytes(digest[1:5]))
