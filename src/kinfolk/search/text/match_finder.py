"""The matches of a query's words in a text. One finder serves all texts of the hits of a query."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from kinfolk.search.query import Span
from kinfolk.search.text.tokens import WORD, Part, Word, read_word

_COMMON_PREFIX = 4
"""Letters that a term and its inflected forms have in common."""


@dataclass
class WordMatchFinder:
    """`terms`, `stems` and `prefixes` map to the words of the query that they match.

    Caches the result for each written word: texts repeat their words.
    """

    terms: Mapping[str, tuple[str, ...]]
    stems: Mapping[str, tuple[str, ...]]
    prefixes: Mapping[str, str]
    _cache: dict[str, Span | None] = field(default_factory=dict)

    def spans(self, text: str) -> Iterator[Span]:
        if self._seed is None:
            return
        cache = self._cache
        for match in self._candidates(text, self._seed) if text.isascii() else WORD.finditer(text):
            written = match[0]
            if written in cache:
                span = cache[written]
            else:
                span = cache[written] = self._match(read_word(written))
            if span is not None:
                start = match.start()
                yield Span(start + span[0], start + span[1], span[2])

    @cached_property
    def _seed(self) -> re.Pattern[str] | None:
        """A prefilter: every matching word contains one of these strings. `re` searches them at the speed of C."""
        seeds = {seed[:_COMMON_PREFIX] for seed in (*self.terms, *self.stems, *self.prefixes)}
        shortest = [seed for seed in seeds if not any(seed != other and seed.startswith(other) for other in seeds)]
        return re.compile("|".join(map(re.escape, sorted(shortest)))) if shortest else None

    @staticmethod
    def _candidates(text: str, seed: re.Pattern[str]) -> Iterator[re.Match[str]]:
        """The words that contain a seed."""
        lowered = text.lower()
        end = 0
        while found := seed.search(lowered, end):
            start = found.start()
            if start and (lowered[start].isalnum() or lowered[start] in "_$"):
                before = lowered[start - 1]
                if before.isalpha() and text[start].islower():
                    end = start + 1
                    continue  # neither a word nor a part of an identifier begins here
                while start > end and (before.isalnum() or before in "_$"):
                    start -= 1
                    before = lowered[start - 1]
            word = WORD.search(text, start)
            if word is None:
                return
            last = word.end()
            if last > found.start():
                yield word
            end = max(last, found.start() + 1)

    def _match(self, word: Word) -> Span | None:
        """The matching range within the word."""
        for one in (word.marked, word.whole):
            span = self._match_part(one) if one else None
            if span is not None:
                return span
        spans = [span for part in word.parts if (span := self._match_part(part))]
        if not spans:
            return None
        return Span(spans[0].start, spans[-1].end, _united(span.words for span in spans))

    def _match_part(self, part: Part) -> Span | None:
        words = self.terms.get(part.term)
        if part.stem and (inflected := self.stems.get(part.stem)):
            words = inflected if words is None else _united((words, inflected))
        if words:
            return Span(part.start, part.end, words)
        for start, word in self.prefixes.items():
            if part.term.startswith(start):
                # Normalization may change the length of a word: then all of it is the match.
                same_length = part.end - part.start == len(part.term)
                return Span(part.start, part.start + len(start) if same_length else part.end, (word,))
        return None


def _united(several: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for words in several for word in words))
