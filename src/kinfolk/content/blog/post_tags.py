"""Tags of posts: names in any script, and how addresses write them."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import quote

from pydantic import AfterValidator

MOST_TAGS = 20
"""Tags of a post."""
LONGEST_TAG = 40
"""Characters."""
LONGEST_WRITTEN = 200
"""Characters of a tag as it is written, with spaces."""
LONGEST_ADDRESS = 512
"""Bytes of a percent-encoded slug: the limit of a query parameter of the list of posts."""

# Persian and Indic scripts and emoji need them within words; they are not printable by themselves.
_JOINERS = dict.fromkeys(map(ord, "\u200c\u200d"))


@dataclass(frozen=True)
class PostTag:
    """`slug` is the tag in addresses: tags with one slug are one tag."""

    name: str
    slug: str


def tag_name(written: str) -> str:
    """The name with single spaces. Raises ValueError for what is no short line of text."""
    # Normalization of many combining marks takes quadratic time.
    name = " ".join(unicodedata.normalize("NFC", written[:LONGEST_WRITTEN]).split())
    visible = name.translate(_JOINERS)
    is_short = len(name) <= LONGEST_TAG and len(quote(tag_slug(name), errors="replace")) <= LONGEST_ADDRESS
    if not visible or not visible.isprintable() or not is_short or len(written) > LONGEST_WRITTEN:
        raise ValueError(f"should be a tag of 1 to {LONGEST_TAG} characters")
    return name


def tag_slug(name: str) -> str:
    """`Open Source` -> `open-source`, `C++` -> `c++`. It is not percent-encoded."""
    return "-".join(unicodedata.normalize("NFC", name.casefold()).split())


def tag_parameter(slug: str) -> str:
    """The slug as a query parameter of `/blog`: the router parses JSON, so `2024` is quoted. Not percent-encoded."""
    try:
        json.loads(slug)
    except ValueError:
        return slug
    return json.dumps(slug, ensure_ascii=False)


def distinct_tags(names: Iterable[str]) -> tuple[str, ...]:
    """Of names that differ only in case or spaces, the first."""
    found: dict[str, str] = {}
    for name in names:
        found.setdefault(tag_slug(name), name)
    return tuple(found.values())


def _limited(names: tuple[str, ...]) -> tuple[str, ...]:
    distinct = distinct_tags(names)
    if len(distinct) > MOST_TAGS:
        raise ValueError(f"should be at most {MOST_TAGS} tags")
    return distinct


TagNames = Annotated[tuple[Annotated[str, AfterValidator(tag_name)], ...], AfterValidator(_limited)]
"""The tags in front matter, trimmed and without duplicates."""
