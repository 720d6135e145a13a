"""Text -> what is indexed of it: words, folded; identifiers whole and by part; inflected words by stem.

`useInfiniteQuery` is four terms: itself at position p, and `use`, `infinite`, `query` at p, p+1 and p+2, where they
would stand if someone had written them apart. A term's stem stands beside it with a mark in front.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

import tantivy

STEM = "~"
"""In front of a stem. No word begins with it."""
LONGEST_WORD = 60
"""Characters of a word that count. No identifier is longer, and no automaton should be."""
GAP = 100
"""Positions between two values, so that no phrase reaches from one into the next."""

# Languages written without spaces are read sign by sign: the ranking's proximity then puts their words together.
_SIGNS = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
WORD = re.compile(rf"[{_SIGNS}]|[^\W{_SIGNS}]+(?:\$[^\W{_SIGNS}]+)*|(?<!\w)\$(?!\w)")
_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_SHORTEST_STEMMED = 4
_LONGEST_STEMMED = 24
_MOST_PARTS = 6


@dataclass(frozen=True, slots=True)
class Part:
    """A word within an identifier, or the whole one, and where in the written word it stands."""

    term: str
    stem: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Word:
    """A written word as it is read. `parts` is empty for one that has none but itself."""

    whole: Part
    parts: tuple[Part, ...]

    @property
    def term(self) -> str:
        return self.whole.term

    @property
    def stem(self) -> str:
        """Empty for a word that is not inflected: an identifier, a number, a short one."""
        return self.whole.stem


@lru_cache(maxsize=65_536)
def read_word(written: str) -> Word:
    """One match of WORD."""
    folded = fold(written)
    term = folded.strip("_")[:LONGEST_WORD] or folded
    pieces = [] if written.islower() and written.isalpha() else list(_PART.finditer(written))
    if len(pieces) < 2:  # noqa: PLR2004 - one part is the whole
        return Word(Part(term, stem(term), 0, len(written)), ())
    parts = tuple(
        Part(fold(piece[0]), stem(fold(piece[0])), piece.start(), piece.end()) for piece in pieces[:_MOST_PARTS]
    )
    return Word(Part(term, "", 0, len(written)), parts)


def read_words(text: str) -> list[Word]:
    """The words of a text. Those that are longer than words are do not take the place of others in memory."""
    return [
        read_word(found[0]) if found.end() - found.start() <= LONGEST_WORD else read_word.__wrapped__(found[0])
        for found in WORD.finditer(text)
    ]


def terms(text: str, start: int = 0) -> Iterator[tuple[str, int]]:
    """What the index keeps of a text: each term and its position, in order of position. The last one tells the end."""
    at = start
    for found in WORD.finditer(text):
        word = read_word(found[0])
        yield word.term, at
        if word.stem:
            yield STEM + word.stem, at
        for offset, part in enumerate(word.parts):
            yield part.term, at + offset
            if part.stem:
                yield STEM + part.stem, at + offset
        at += len(word.parts) or 1


def fold(text: str) -> str:
    """In lower case and without accents."""
    if text.isascii():
        return text.lower()
    return "".join(sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign)).lower()


def squash(text: str) -> str:
    """The text's letters and digits alone: `Query Keys` and `queryKeys` are the same."""
    return "".join(sign for sign in fold(text) if sign.isalnum())


@lru_cache(maxsize=65_536)
def stem(term: str) -> str:
    """What inflected forms of a word share; empty where there are none."""
    if not term.isalpha() or not _SHORTEST_STEMMED <= len(term) <= _LONGEST_STEMMED:
        return ""
    return str(_stemmer().analyze(term)[0])


@cache
def _stemmer() -> tantivy.TextAnalyzer:
    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.raw())
    return builder.filter(tantivy.Filter.stemmer("english")).build()
