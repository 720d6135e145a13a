"""The sentences or the code of a section that answer a query, as its author wrote them.

An answer is one to three adjacent sentences, with the code block that they introduce, or a code block that has words of
the query which the sentences lack.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from kinfolk.search.query import ExcerptSource, Span

MAX_SENTENCES = 3
MAX_LENGTH = 360
"""Characters of the sentences."""
MIN_LENGTH = 50
"""Characters below which the next sentence is shown too: `There are two ways.` answers little."""
FURTHER_SENTENCE = 0.15
"""What a sentence costs that is not the first, as a share of the weight of the weightiest word."""
LONG_MATCH = 0.6
"""Share of a word's letters from which its match counts fully. `use` in a text is little of `useQuery`."""
SHORT_MATCH = 0.3
"""What a shorter match counts: part of an identifier, or a synonym."""
CUT = "…"
_MAX_SPANS = 400
"""Matches in a section that are read. A section has up to 6,000 characters."""

_END = re.compile(r"[.!?][)\]\"'\u2019\u201d]{0,3} ")
_ABBREVIATIONS = frozenset("approx ca cf dr e.g fig i.e incl mr mrs ms prof resp st vs".split())
_CLOSING = "\"')]\u2019\u201d"
_FULL_STOPS = ".!?:"
_CODE_NAME = re.compile(r"[a-z]+[A-Z_.(]")

Find = Callable[[str], Iterable[Span]]
"""Finds the words of the query in a text."""


@dataclass(frozen=True)
class MarkedText:
    """A text and the matches in it, without those of stop words."""

    text: str
    spans: tuple[Span, ...] = ()


@dataclass(frozen=True)
class AnswerExcerpt:
    """One of both may be None. A line break in sentences is the end of an item or a row."""

    sentences: MarkedText | None
    code: MarkedText | None


class Sentence(NamedTuple):
    """A range of the content. `is_whole`: it has a full stop or a colon, so that another may follow on its line."""

    start: int
    end: int
    is_whole: bool


def answer_excerpt(
    content: str, source: ExcerptSource, find: Find, weights: Mapping[str, float], *, max_length: int = MAX_LENGTH
) -> AnswerExcerpt | None:
    """The answer in a section; its beginning where only headings match; None for a section without text.

    `weights` are those of the words, 0 for stop words. `max_length` is in characters.
    """
    content, breaks = (content, source.breaks) if content else (source.lead, ())
    section = _Section(content, breaks, source.code, weights, max_length)
    chosen = section.best_sentences(find)
    code, more = (None, 0.0) if section.is_complete(chosen) else _best_code(source.code, find, weights)
    if code is not None and (more > chosen.covered or not content):
        lead = section.introduction_of(code)
        return AnswerExcerpt(_marked(lead, find, weights) if lead else None, _marked(code[1], find, weights))
    if not content:
        return None
    example = section.introduced.get(chosen.end)
    return AnswerExcerpt(
        _marked(section.text(chosen), find, weights), _marked(example, find, weights) if example else None
    )


def sentences(content: str, breaks: Sequence[int], start: int = 0) -> Iterator[Sentence]:
    """The sentences of a section, lazily. A block without a full stop, such as an item, is one sentence.

    `start` is the start of a block.
    """
    for end in (*breaks[bisect_left(breaks, start) :], len(content)):
        yield from _sentences_of_block(content, start, end)
        start = end + 1


def _sentences_of_block(content: str, start: int, end: int) -> Iterator[Sentence]:
    for found in _END.finditer(content, start, end):
        if ends_sentence(content, found.start(), found.end()):
            yield Sentence(start, found.end() - 1, is_whole=True)
            start = found.end()
    if start < end:
        yield Sentence(start, end, is_whole=content[start:end].rstrip(_CLOSING)[-1:] in _FULL_STOPS)


def ends_sentence(content: str, stop: int, after: int) -> bool:
    """Whether the mark at `stop` ends a sentence, and the next begins at `after`.

    Not in `e.g. this`, `J. Smith` and `a ? b : c`.
    """
    before = content[content.rfind(" ", 0, stop) + 1 : stop].lstrip("([\"'")
    if not before or before.lower() in _ABBREVIATIONS or (len(before) == 1 and before.isupper() and before != "I"):
        return False
    return not content[after : after + 1].islower() or _CODE_NAME.match(content, after) is not None


def _weighty(spans: Iterable[Span], weights: Mapping[str, float]) -> Iterator[Span]:
    """Without matches of stop words only. Words without a known weight count."""
    return (span for span in islice(spans, _MAX_SPANS) if any(weights.get(word, 1.0) for word in span.words))


def _covered(spans: Iterable[Span], weights: Mapping[str, float]) -> float:
    """The weight of the words that these matches have, each word once, by its longest match."""
    best: dict[str, float] = {}
    for start, end, words in spans:
        for word in words:
            share = 1.0 if end - start >= LONG_MATCH * len(word) else SHORT_MATCH
            if share > best.get(word, 0.0):
                best[word] = share
    return sum(share * weights.get(word, 1.0) for word, share in best.items())


def _marked(text: str, find: Find, weights: Mapping[str, float]) -> MarkedText:
    return MarkedText(text, tuple(_weighty(find(text), weights)))


def _best_code(
    code: Sequence[tuple[int, str]], find: Find, weights: Mapping[str, float]
) -> tuple[tuple[int, str] | None, float]:
    """The first of the code blocks that have most of the query's words, and the weight of these."""
    best, most = (code[0], 0.0) if code else (None, 0.0)
    for one in code:
        covered = _covered(_weighty(find(one[1]), weights), weights)
        if covered > most:
            best, most = one, covered
    return best, most


@dataclass(frozen=True)
class _Chosen:
    """A range of the content, and the weight of the words in it."""

    start: int
    end: int
    covered: float
    first_match: int


class _Section:
    """A section in which the sentences are chosen."""

    def __init__(
        self,
        content: str,
        breaks: Sequence[int],
        code: Sequence[tuple[int, str]],
        weights: Mapping[str, float],
        max_length: int,
    ) -> None:
        self._content = content
        self._breaks = breaks
        self._weights = weights
        self._max_length = max_length
        self._all = sum(weights.values())
        self.introduced = {end: text for end, text in reversed(code) if self._has_colon(end)}
        """The end of a sentence with a colon -> the code block after it."""

    def is_complete(self, chosen: _Chosen) -> bool:
        """Whether the sentences have every word."""
        return chosen.covered >= self._all > 0

    def best_sentences(self, find: Find) -> _Chosen:
        """The sentences that cover most of the query's words. Of equal ones, the fewest and the earliest.

        Those after sentences that have all words are not read.
        """
        matches = _weighty(find(self._content), self._weights)
        span = next(matches, None)
        block = bisect_left(self._breaks, span.start) if span else 0
        coming = sentences(self._content, self._breaks, self._breaks[block - 1] + 1 if block else 0)
        step = FURTHER_SENTENCE * max(self._weights.values(), default=1.0)
        parts: list[Sentence] = []
        found: list[list[Span]] = []
        best, best_score, chosen = (0, 0), 0.0, _Chosen(0, 0, 0.0, 0)
        for last, part in enumerate(coming):
            inside: list[Span] = []
            while span is not None and span.start < part.end:
                inside.append(span)
                span = next(matches, None)
            parts.append(part)
            found.append(inside)
            for first in self._beginnings(parts, found, last) if inside else ():
                spans = [one for several in found[first : last + 1] for one in several]
                covered = _covered(spans, self._weights)
                score = covered - step * (last - first + self._lacks_example(part.end) / 2)
                if score > best_score + 1e-9:
                    best, best_score = (first, last), score
                    chosen = _Chosen(parts[first].start, part.end, covered, spans[0].start)
            if span is None or (best == (last, last) and self.is_complete(chosen) and best_score == chosen.covered):
                break
        if not parts:
            return chosen
        parts += islice(coming, MAX_SENTENCES)
        end = parts[self._long_enough(parts, *best)].end
        return _Chosen(parts[best[0]].start, end, chosen.covered, max(chosen.first_match, parts[best[0]].start))

    def introduction_of(self, code: tuple[int, str]) -> str:
        """The sentence that introduces the code block; empty without one."""
        end = code[0]
        if end not in self.introduced:
            return ""
        block = bisect_left(self._breaks, end)
        parts = sentences(self._content, self._breaks, self._breaks[block - 1] + 1 if block else 0)
        start = next(part.start for part in parts if part.end == end)
        return self.text(_Chosen(start, end, 0.0, start))

    def text(self, chosen: _Chosen) -> str:
        """The sentences, with line breaks between blocks. Of one that is too long, the part around its first match."""
        content, start, end = self._content, chosen.start, chosen.end
        before = after = ""
        if end - start > self._max_length:
            if chosen.first_match - start > self._max_length // 2:
                start = content.rfind(" ", start, chosen.first_match - self._max_length // 3) + 1 or start
            limit = content.rfind(" ", start, start + self._max_length)
            limit = limit if limit > start else start + self._max_length
            before, after = CUT if start > chosen.start else "", CUT if limit < end else ""
            end = min(limit, end)
        lines = [at for at in self._breaks if start < at < end and content[at - 1] not in _FULL_STOPS]
        edges = zip((start, *(at + 1 for at in lines)), (*lines, end), strict=True)
        return before + "\n".join(content[first:last] for first, last in edges) + after

    def _beginnings(self, parts: Sequence[Sentence], found: Sequence[list[Span]], last: int) -> Iterator[int]:
        """The sentences with a match from which an excerpt may go to the last one, nearest first."""
        yield last
        for first in range(last - 1, max(-1, last - MAX_SENTENCES), -1):
            if not parts[first].is_whole or parts[last].end - parts[first].start > self._max_length:
                return
            if found[first]:
                yield first

    def _has_colon(self, end: int) -> bool:
        return self._content[end - 1 : end] == ":"

    def _lacks_example(self, end: int) -> bool:
        """Whether the sentence that ends there introduces what cannot be shown."""
        return self._has_colon(end) and end not in self.introduced

    def _long_enough(self, parts: Sequence[Sentence], first: int, last: int) -> int:
        """The last of the sentences: a short one gets the next, such as the meaning of an option after its name."""
        while (
            last + 1 < len(parts)
            and last - first + 1 < MAX_SENTENCES
            and parts[last].end - parts[first].start < MIN_LENGTH
            and not self._has_colon(parts[last].end)
            and parts[last + 1].end - parts[first].start <= self._max_length
        ):
            last += 1
        return last
