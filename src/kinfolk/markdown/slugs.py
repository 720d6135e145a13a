"""Heading text -> id: GitHub's slugs, and the plainer ones that links in older pages were written for."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from urllib.parse import unquote

_DROPPED = re.compile(r"[^\w\- ]", re.ASCII)
_PLAIN = re.compile(r"[^a-z0-9]+")
# Ids of the radio buttons of tab groups; a heading may not take one.
_RESERVED = re.compile(r"tabs-\d+-\d+")


def github_slug(text: str) -> str:
    """As github-slugger does it: lower case, punctuation dropped, each space a hyphen."""
    lower = text.lower()
    kept = _DROPPED.sub("", lower) if lower.isascii() else "".join(c for c in lower if _is_word(c))
    return kept.replace(" ", "-")


def plain_slug(text: str) -> str:
    """Everything but a-z and 0-9 becomes one hyphen."""
    return _PLAIN.sub("-", text.lower()).strip("-")


class Slugs:
    """Gives each heading of a page an id of its own: `setup`, `setup-1`, `setup-2`."""

    def __init__(self) -> None:
        self._seen: dict[str, int] = {}

    def __contains__(self, slug: str) -> bool:
        return slug in self._seen

    def take(self, text: str) -> str:
        """The next free id for this text."""
        original = slug = github_slug(text) or "section"
        while slug in self._seen or _RESERVED.fullmatch(slug):
            self._seen[original] = self._seen.get(original, 0) + 1
            slug = f"{original}-{self._seen[original]}"
        self._seen[slug] = 0
        return slug


class Anchors:
    """The ids that a link into a page may name. Browsers tell them apart by case, authors do not."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = frozenset(names)
        self._folded = {name.casefold(): name for name in sorted(self._names, reverse=True)}

    def spelled(self, fragment: str) -> str | None:
        """The fragment, `#` and all: as written, or in the anchor's case where only that is wrong; else None."""
        name = unquote(fragment[1:])
        if name in self._names:
            return fragment
        right = self._folded.get(name.casefold())
        return None if right is None else f"#{right}"


def _is_word(c: str) -> bool:
    return c in "-_ " or c.isalpha() or unicodedata.category(c) in ("Mn", "Mc", "Me", "Nd", "Nl", "Pc")
