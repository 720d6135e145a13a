"""Heading text -> id: GitHub's slugs, and the simpler slugs that links in older pages use."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Container, Iterable
from functools import cached_property
from urllib.parse import unquote

_DROPPED = re.compile(r"[^\w\- ]", re.ASCII)
_PLAIN = re.compile(r"[^a-z0-9]+")
LAYOUT_ID_PREFIX = "Site-"
"""Begins each id of the layout (frontend/src/lib/layoutIds.ts). Slugs are lower case."""
# Ids of the radio buttons of tab groups, and of the layout. React puts an underscore before those that it makes.
_RESERVED = re.compile(rf"tabs-\d+-\d+|_?{LAYOUT_ID_PREFIX}.*", re.DOTALL)
_BLANK = re.compile(r"[\s<>\"']")


def github_slug(text: str) -> str:
    """The slug of github-slugger: lower case, without punctuation, each space a hyphen."""
    lower = text.lower()
    letters = _DROPPED.sub("", lower) if lower.isascii() else "".join(c for c in lower if _is_word(c))
    return letters.replace(" ", "-")


def plain_slug(text: str) -> str:
    """Lower case, with each run of characters other than a-z and 0-9 as one hyphen."""
    return _PLAIN.sub("-", text.lower()).strip("-")


def is_reserved(name: str) -> bool:
    """Whether neither a heading nor an author's anchor can have this id."""
    return _RESERVED.fullmatch(name) is not None


class Slugs:
    """Allocates a unique id for each heading of a page: `setup`, `setup-1`, `setup-2`.

    `make` makes the ids in place of GitHub's rules: it gets a text and the ids that are taken.
    """

    def __init__(self, make: Callable[[str, Container[str]], str] | None = None) -> None:
        self._taken: dict[str, int] = {}
        self._make = make

    def __contains__(self, slug: str) -> bool:
        return slug in self._taken

    def take(self, text: str, own: str | None = None) -> str:
        """Allocate the next free id for this text, or the author's `own` id if it is free."""
        if own and own not in self._taken and not is_reserved(own) and not _BLANK.search(own):
            self._taken[own] = 0
            return own
        if self._make is not None:
            return self._add(self._make(text, self._taken))
        original = slug = github_slug(text) or "section"
        while slug in self._taken or is_reserved(slug):
            self._taken[original] = self._taken.get(original, 0) + 1
            slug = f"{original}-{self._taken[original]}"
        return self._add(slug)

    def _add(self, slug: str) -> str:
        while slug in self._taken or is_reserved(slug):
            slug = f"-{slug}"
        self._taken[slug] = 0
        return slug


class Anchors:
    """The ids that a link into a page can refer to. Browsers compare them case-sensitively; authors often do not.

    A fragment that no id has refers to the one of the same letters and digits: programs differ in the punctuation that
    they keep in slugs, such as `example:-connect` and `what's-new`.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._names = frozenset(names)
        self._folded = {name.casefold(): name for name in sorted(self._names, reverse=True)}

    @cached_property
    def _by_letters(self) -> dict[str, str]:
        return {_letters(name): name for name in sorted(self._names, reverse=True)}

    def spelled(self, fragment: str) -> str | None:
        """The fragment with its `#`, in the spelling of the anchor that it matches. None if it matches none."""
        name = unquote(fragment[1:])
        if name in self._names:
            return fragment
        right = self._folded.get(name.casefold()) or self._by_letters.get(_letters(name) or name)
        return None if right is None else f"#{right}"


def _letters(name: str) -> str:
    return "".join(filter(str.isalnum, name.casefold()))


def _is_word(c: str) -> bool:
    return c in "-_ " or c.isalpha() or unicodedata.category(c) in ("Mn", "Mc", "Me", "Nd", "Nl", "Pc")
