"""Which patterns the cover of a post shows. No two posts have the same cover."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Mapping, Sequence

from kinfolk.branding.patterns import FAMILY_PATTERN, LIBRARY_PATTERNS, Pattern, library_pattern
from kinfolk.config.catalog import Catalog
from kinfolk.content.blog.post import BlogPost

WITHOUT_LIBRARY = "site"
"""Name of the pattern of a post that is about no library."""
_NAMES = (FAMILY_PATTERN.name, *LIBRARY_PATTERNS)


def cover_patterns(post: BlogPost, posts: Sequence[BlogPost], catalog: Catalog) -> Mapping[str, Pattern]:
    """The patterns of the post's libraries by their ids, in the order of the catalog. The slug is their seed.

    Posts without libraries take turns with all drawings, from the oldest one on: a new post changes no cover.
    """
    libraries = [library for library in catalog.libraries if library.id in post.front.libraries]
    if libraries:
        return {library.id: _varied(library_pattern(library), post.slug) for library in libraries}
    order = (post.front.published, post.slug)
    turn = sum((each.front.published, each.slug) < order for each in posts if not each.front.libraries)
    return {WITHOUT_LIBRARY: _varied(Pattern(_NAMES[turn % len(_NAMES)], 0), post.slug)}


def _varied(pattern: Pattern, slug: str) -> Pattern:
    digest = hashlib.sha256(f"{pattern.seed} {slug}".encode()).digest()
    return dataclasses.replace(pattern, seed=int.from_bytes(digest[:4]))
