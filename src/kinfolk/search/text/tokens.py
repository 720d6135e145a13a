"""Text -> terms: lower-case words without accents, identifiers with their parts, and stems of inflected words.

`useInfiniteQuery` has four terms: itself at position p, and `use`, `infinite`, `query` at p, p+1 and p+2, as three
separate words have. The stem of a term has the same position and the prefix STEM.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

import tantivy

STEM = "~"
"""Prefix of a stem. No word begins with it."""
MAX_WORD_LENGTH = 60
"""Characters of a word that count. It bounds the size of automata; identifiers are shorter."""
POSITION_GAP = 100
"""Positions between two values, so that no phrase matches across them."""

# Languages without spaces are indexed character by character: the proximity criterion then ranks whole words first.
_SIGNS = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
WORD = re.compile(rf"[{_SIGNS}]|[^\W{_SIGNS}]+(?:\$[^\W{_SIGNS}]+)*|(?<!\w)\$(?!\w)")
_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_MIN_STEMMED_LENGTH = 4
_MAX_STEMMED_LENGTH = 24
_MAX_PARTS = 6


@dataclass(frozen=True, slots=True)
class Part:
    """An identifier or one word within it, and its range in the written word."""

    term: str
    stem: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text. `parts` is empty unless the word is an identifier of several words."""

    whole: Part
    parts: tuple[Part, ...]

    @property
    def term(self) -> str:
        return self.whole.term

    @property
    def stem(self) -> str:
        """Empty for identifiers, numbers and short words."""
        return self.whole.stem


@lru_cache(maxsize=65_536)
def read_word(written: str) -> Word:
    """One match of WORD."""
    folded = fold(written)
    term = folded.strip("_")[:MAX_WORD_LENGTH] or folded
    pieces = [] if written.islower() and written.isalpha() else list(_PART.finditer(written))
    if len(pieces) < 2:  # noqa: PLR2004 - one part is the whole
        return Word(Part(term, stem(term), 0, len(written)), ())
    parts = tuple(
        Part(fold(piece[0]), stem(fold(piece[0])), piece.start(), piece.end()) for piece in pieces[:_MAX_PARTS]
    )
    return Word(Part(term, "", 0, len(written)), parts)


def read_words(text: str) -> list[Word]:
    """The words of a text. Words above the length limit bypass the cache."""
    return [
        read_word(found[0]) if found.end() - found.start() <= MAX_WORD_LENGTH else read_word.__wrapped__(found[0])
        for found in WORD.finditer(text)
    ]


def terms(text: str, start: int = 0) -> Iterator[tuple[str, int]]:
    """Each term of a text with its position, in order of position."""
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
    """Lower case, without accents."""
    if text.isascii():
        return text.lower()
    return "".join(sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign)).lower()


def squash(text: str) -> str:
    """Only letters and digits: `Query Keys` and `queryKeys` become equal."""
    return "".join(sign for sign in fold(text) if sign.isalnum())


def stems_of(text: str) -> str:
    """A heading by its stems: `Query Cancellations` and `query cancel` become equal."""
    return " ".join(part.stem or part.term for word in read_words(text) for part in (word.parts or (word.whole,)))


@lru_cache(maxsize=65_536)
def stem(term: str) -> str:
    """The English stem of a word; empty for numbers, identifiers and short words."""
    if not term.isalpha() or not _MIN_STEMMED_LENGTH <= len(term) <= _MAX_STEMMED_LENGTH:
        return ""
    return str(_stemmer().analyze(term)[0])


@cache
def _stemmer() -> tantivy.TextAnalyzer:
    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.raw())
    return builder.filter(tantivy.Filter.stemmer("english")).build()
