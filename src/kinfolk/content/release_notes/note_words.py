"""The words by which release notes are grouped, from `note_words.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

from kinfolk.content.markdown.source.note_blocks import plain_words

NotesKind = Literal["breaking", "added", "fixed", "other"]
KINDS: tuple[NotesKind, ...] = ("breaking", "added", "fixed", "other")
"""In the order in which readers see them."""

Strength = Literal["decides", "weak", "neutral"]

_TABLE = Path(__file__).with_name("note_words.toml")


class HeadingKind(NamedTuple):
    """What a heading says about the items below it. `kind` is None for a neutral one."""

    kind: NotesKind | None
    strength: Strength


class NoteWords(NamedTuple):
    """The table, by word."""

    headings: Mapping[str, HeadingKind]
    prefixes: Mapping[str, NotesKind]
    first_words: Mapping[str, NotesKind]
    beginnings: Mapping[str, NotesKind]
    breaking_marks: tuple[str, ...]
    left_out: tuple[str, ...]
    pointers: tuple[str, ...]
    no_names: frozenset[str]


@cache
def note_words() -> NoteWords:
    table = tomllib.loads(_TABLE.read_text(encoding="utf-8"))
    headings = {word: HeadingKind(kind, "decides") for word, kind in _by_word(table["headings"]).items()}
    headings |= {word: HeadingKind(kind, "weak") for word, kind in _by_word(table["weak_headings"]).items()}
    headings |= dict.fromkeys(table["neutral_headings"]["names"], HeadingKind(None, "neutral"))
    return NoteWords(
        headings,
        _by_word(table["prefixes"]),
        _by_word(table["first_words"]),
        _by_word(table["beginnings"]),
        tuple(table["marks"]["breaking"]),
        tuple(table["left_out"]["beginnings"]),
        tuple(table["pointers"]["words"]),
        frozenset(table["mentions"]["no_names"]),
    )


def heading_kind(text: str) -> HeadingKind | None:
    """What the text of a heading says; None for a heading of another subject."""
    words = plain_words(text)
    # "Breaking Changes - Upgrade" and "Breaking changes in the CLI" say the same as the first two words.
    if words.startswith(("breaking change ", "breaking changes ")):
        words = "breaking changes"
    return note_words().headings.get(words)


def _by_word(kinds: Mapping[NotesKind, list[str]]) -> dict[str, NotesKind]:
    return {word: kind for kind, words in kinds.items() for word in words}
