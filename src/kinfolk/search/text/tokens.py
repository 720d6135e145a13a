"""Text -> terms: lower-case words without accents, identifiers with their parts, and stems of inflected words.

`useInfiniteQuery` has four terms: itself at position p, and `use`, `infinite`, `query` at p, p+1 and p+2, as three
separate words have. The stem of a term has the same position and the prefix STEM.

Symbols are terms where they are part of a name or an operator: `C++` has `c` and `c++`, `.NET` has `net` and `.net`,
and `a?.b` has `a`, `?.` and `b`. An operator has the position of the next word.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

import tantivy

STEM = "~"
"""Prefix of a stem. No word begins with it."""
MAX_WORD_LENGTH = 60
"""Characters of a word that count. It bounds the size of automata; identifiers are shorter."""
WORDS_CACHED = 8_192
"""Words, and stems, that are kept: up to 7 MB. The docs have 20,000 different ones, but an index takes as long to build
with all of them. In a server, a crawler that searches for made-up words fills it.
"""
POSITION_GAP = 100
"""Positions between two values, so that no phrase matches across them."""

# Languages without spaces are indexed character by character: the proximity criterion then ranks whole words first.
_SIGNS = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
_LETTERS = rf"[^\W{_SIGNS}]+(?:\$[^\W{_SIGNS}]+)*"
_SYMBOLS = r"!#%&*+/<=>?@^|.:\\-"
# Each alternative begins with the character that decides about it: what is before that is looked at afterwards.
WORD = re.compile(
    rf"{_LETTERS}(?:(?:\+\+|\#)(?![\w+#]))?"
    rf"|[{_SIGNS}]"
    # `.NET`, but no method or file extension.
    rf"|\.(?=[^\W\d_])(?<![\w.)\]{_SYMBOLS}]\.){_LETTERS}"
    rf"|[{_SYMBOLS}](?<![{_SYMBOLS}]{{2}})[{_SYMBOLS}]{{1,3}}(?![{_SYMBOLS}])"
    r"|\$(?<!\w\$)(?!\w)"
)
"""A word or an operator."""
_OPERATOR = re.compile(rf"[{_SYMBOLS}]+")
_END_OF_SENTENCE = ".:"
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
    marked: Part | None = None
    """The word with its symbols, such as `c++`; an operator without the end of its sentence."""
    is_operator: bool = False

    @property
    def term(self) -> str:
        return self.whole.term

    @property
    def stem(self) -> str:
        """Empty for identifiers, numbers and short words."""
        return self.whole.stem


@lru_cache(maxsize=WORDS_CACHED)
def read_word(written: str) -> Word:
    """One match of WORD."""
    if _OPERATOR.fullmatch(written):
        return _operator(written)
    name = written.lstrip(".").rstrip("+#")
    if name != written:
        return _with_symbols(written, name)
    folded = fold(written)
    term = folded.strip("_")[:MAX_WORD_LENGTH] or folded
    pieces = [] if written.islower() and written.isalpha() else list(_PART.finditer(_cases(written)))
    if len(pieces) < 2:  # noqa: PLR2004 - one part is the whole
        return Word(Part(term, stem(term), 0, len(written)), ())
    texts = [(fold(written[slice(*piece.span())]), *piece.span()) for piece in pieces[:_MAX_PARTS]]
    parts = tuple(Part(text, stem(text), start, end) for text, start, end in texts)
    return Word(Part(term, "", 0, len(written)), parts)


def _cases(written: str) -> str:
    """A word with an ASCII letter of the same case in place of each other letter."""
    if written.isascii():
        return written
    return "".join(
        sign if sign.isascii() else "A" if sign.isupper() else "0" if sign.isdigit() else "a" for sign in written
    )


def _with_symbols(written: str, name: str) -> Word:
    word = read_word(name)
    start = len(written) - len(written.lstrip("."))
    whole, *parts = (
        Part(part.term, part.stem, part.start + start, part.end + start) for part in (word.whole, *word.parts)
    )
    return Word(whole, tuple(parts), marked=Part(fold(written)[:MAX_WORD_LENGTH], "", 0, len(written)))


def _operator(written: str) -> Word:
    bare = written.rstrip(_END_OF_SENTENCE)
    marked = Part(bare, "", 0, len(bare)) if 1 < len(bare) < len(written) else None
    return Word(Part(written, "", 0, len(written)), (), marked, is_operator=True)


def read_words(text: str) -> list[Word]:
    """The words of a text, without operators."""
    return [word for word in _read_all(text) if not word.is_operator]


def read_operators(text: str) -> list[Word]:
    """The operators of a text."""
    return [word for word in _read_all(text) if word.is_operator]


def _read_all(text: str) -> Iterator[Word]:
    """Words above the length limit bypass the cache."""
    for found in WORD.finditer(text):
        is_short = found.end() - found.start() <= MAX_WORD_LENGTH
        yield read_word(found[0]) if is_short else read_word.__wrapped__(found[0])


def terms(text: str, start: int = 0) -> Iterator[tuple[str, int]]:
    """Each term of a text with its position, in order of position."""
    at = start
    for found in WORD.finditer(text):
        word = read_word(found[0])
        yield word.term, at
        if word.marked:
            yield word.marked.term, at
        if word.is_operator:
            continue
        if word.stem:
            yield STEM + word.stem, at
        for offset, part in enumerate(word.parts):
            yield part.term, at + offset
            if part.stem:
                yield STEM + part.stem, at + offset
        at += len(word.parts) or 1


def fold(text: str) -> str:
    """Lower case, Latin letters without accents and strokes: `Łódź` and `lodz` become equal."""
    if text.isascii():
        return text.lower()
    bare = "".join(sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign))
    # Letters without a decomposition, such as `ß` and `ł`, by the table of Lucene's ASCIIFoldingFilter.
    return (bare if bare.isascii() else "".join(_ascii_folding().analyze(bare))).lower()


def folded_letters() -> dict[str, str]:
    """Each lower-case letter without a decomposition that `fold` replaces, for the search in the browser."""
    letters = (chr(code) for code in range(0x80, 0x10000) if chr(code).isalpha())
    lower = ((letter, fold(letter)) for letter in letters if letter == letter.lower())
    return {letter: folded for letter, folded in lower if folded.isascii() and not unicodedata.decomposition(letter)}


def squash(text: str) -> str:
    """Only letters and digits: `Query Keys` and `queryKeys` become equal."""
    return "".join(sign for sign in fold(text) if sign.isalnum())


def stems_of(text: str) -> str:
    """A heading by its stems: `Query Cancellations` and `query cancel` become equal."""
    return " ".join(part.stem or part.term for word in read_words(text) for part in (word.parts or (word.whole,)))


def phrase_key(words: Sequence[Word], stop_words: Collection[str]) -> str:
    """Equal for phrases with the same words in any order and form, without stop words where there are others."""
    relevant = [word for word in words if word.term not in stop_words] or words
    return " ".join(sorted({word.stem or word.term for word in relevant}))


@lru_cache(maxsize=WORDS_CACHED)
def stem(term: str) -> str:
    """The English stem of a word; empty for numbers, identifiers and short words."""
    if not term.isalpha() or not _MIN_STEMMED_LENGTH <= len(term) <= _MAX_STEMMED_LENGTH:
        return ""
    return str(_stemmer().analyze(term)[0])


@cache
def _ascii_folding() -> tantivy.TextAnalyzer:
    return tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.raw()).filter(tantivy.Filter.ascii_fold()).build()


@cache
def _stemmer() -> tantivy.TextAnalyzer:
    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.raw())
    return builder.filter(tantivy.Filter.stemmer("english")).build()
