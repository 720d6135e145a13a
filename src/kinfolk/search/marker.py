"""Where a question's words are in a text. Made once for a question, used on every text of its hits."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from kinfolk.search.query import Span
from kinfolk.search.tokens import WORD, Part, Word, read_word

_SURE = 4
"""Letters of a term, or of a stem, that its inflections begin with as well."""


@dataclass
class WordMarker:
    """`meant` are terms with the words of the question that they answer, `begun` beginnings of terms with theirs.

    Remembers what it made of each written word: a text repeats its words, and the hits of one question theirs.
    """

    meant: Mapping[str, tuple[str, ...]]
    stems: Mapping[str, tuple[str, ...]]
    begun: Mapping[str, str]
    _known: dict[str, Span | None] = field(default_factory=dict)

    def spans(self, text: str) -> Iterator[Span]:
        if self._seed is None:
            return
        known = self._known
        for match in self._candidates(text, self._seed) if text.isascii() else WORD.finditer(text):
            written = match[0]
            if written in known:
                span = known[written]
            else:
                span = known[written] = self._mark(read_word(written))
            if span is not None:
                start = match.start()
                yield Span(start + span[0], start + span[1], span[2])

    @cached_property
    def _seed(self) -> re.Pattern[str] | None:
        """What every word that answers has in it, somewhere: tells at the speed of C where to look closely."""
        seeds = {seed[:_SURE] for seed in (*self.meant, *self.stems, *self.begun)}
        shortest = [seed for seed in seeds if not any(seed != other and seed.startswith(other) for other in seeds)]
        return re.compile("|".join(map(re.escape, sorted(shortest)))) if shortest else None

    @staticmethod
    def _candidates(text: str, seed: re.Pattern[str]) -> Iterator[re.Match[str]]:
        """The words with a seed in them."""
        lowered = text.lower()
        end = 0
        while found := seed.search(lowered, end):
            start = found.start()
            if start:
                before = lowered[start - 1]
                if before.isalpha() and text[start].islower():
                    end = start + 1
                    continue  # neither a word begins here nor a part of one
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

    def _mark(self, word: Word) -> Span | None:
        """The part of the word that answers."""
        whole = self._answer(word.whole)
        if whole is not None:
            return whole
        spans = [span for part in word.parts if (span := self._answer(part))]
        if not spans:
            return None
        return Span(spans[0].start, spans[-1].end, _united(span.words for span in spans))

    def _answer(self, part: Part) -> Span | None:
        words = self.meant.get(part.term)
        if part.stem and (inflected := self.stems.get(part.stem)):
            words = inflected if words is None else _united((words, inflected))
        if words:
            return Span(part.start, part.end, words)
        for start, word in self.begun.items():
            if part.term.startswith(start):
                # Of a folded word the beginning may be of another length; then all of it is marked.
                alike = part.end - part.start == len(part.term)
                return Span(part.start, part.start + len(start) if alike else part.end, (word,))
        return None


def _united(several: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for words in several for word in words))
