"""Words that `[!code word:x]` marks in the lines that follow it, with Shiki's meaning."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import quote, unquote

from kinfolk.content.markdown.code.wrapped_spans import Span, with_wrapped_spans

MOST_WORDS = 16
"""Words of a code block that can be marked: each is searched for in all lines."""
MOST_SPANS = 2_000
"""Marked occurrences of a code block."""
_WRITTEN = re.compile(r"((?:\\.|[^:\\])+)(?::([0-9]{1,4}))?")
_ESCAPED = re.compile(r"\\(.)")
_NUMBER = r"[0-9]{1,6}"
_IN_INFO = re.compile(rf"(?<!\S)word=({_NUMBER}):({_NUMBER}):(\S{{1,1000}})")


class MarkedWord(NamedTuple):
    """A word, the 0-based line from which it is marked, and for how many lines: 0 for all."""

    word: str
    first_line: int
    lines: int


def read_word(written: str, line: int) -> MarkedWord | None:
    """`Hello`, or `Hello:1` for one line. A backslash escapes a colon. None if there is no word."""
    found = _WRITTEN.fullmatch(written)
    return MarkedWord(_ESCAPED.sub(r"\1", found[1]), line, int(found[2] or 0)) if found else None


def word_option(word: MarkedWord) -> str:
    """The word as an option of an info string, in characters that mean nothing in Markdown."""
    return f"word={word.first_line}:{word.lines}:{quote(word.word, safe='').replace('_', '%5F').replace('~', '%7E')}"


def words_of_info(info: str) -> list[MarkedWord]:
    """The words that `word_option` wrote into an info string."""
    if "word=" not in info:
        return []
    return [MarkedWord(unquote(word), int(first), int(lines)) for first, lines, word in _IN_INFO.findall(info)]


def spans_of(words: Iterable[MarkedWord], code: str) -> tuple[Span, ...]:
    """Each occurrence of the words, in order and without overlaps: the first that was written wins."""
    found: list[Span] = []
    starts = [0, *(at + 1 for at, letter in enumerate(code) if letter == "\n"), len(code) + 1]
    for word, first, lines in list(words)[:MOST_WORDS]:
        if not word or first >= len(starts) - 1:
            continue
        end = starts[min(first + lines, len(starts) - 1) if lines else -1] - 1
        at = code.find(word, starts[first], end)
        while at >= 0 and len(found) < MOST_SPANS:
            found.append((at, at + len(word)))
            at = code.find(word, at + len(word), end)
    result: list[Span] = []
    for start, stop in sorted(found, key=lambda span: span[0]):
        if not result or start >= result[-1][1]:
            result.append((start, stop))
    return tuple(result)


def with_marked_words(html: str, spans: tuple[Span, ...]) -> str:
    """The code with `<mark>` around the spans. `html` has the text of the code, in elements of lines and tokens."""
    return with_wrapped_spans(html, spans, lambda _: '<mark class="word">', "</mark>")
