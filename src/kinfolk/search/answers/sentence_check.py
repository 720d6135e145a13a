"""Which sentences of a chat service are shown: those that name sections which were sent, and keep to their words.

The check cannot prove a sentence. It refuses what is certainly wrong: no section, a section that was not sent, a name
from code that the sections lack, and sentences of which most words are in none of the sections that they name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kinfolk.search.answers.answer_events import AnswerSentence, SourceSection, terms_of
from kinfolk.search.text.tokens import Word, read_words

NOT_IN_DOCS = "NOT_IN_DOCS"
"""What the service writes if the sections do not answer the question."""
MIN_SHARED = 0.4
"""Share of the longer words of a sentence that its sections, or the question, must have."""
LONG_WORD = 5
"""Letters of a word that says something about the topic."""

# `[1]` and `[1, 2]` after a blank or the end of a word in prose; not `items[1]` and `call()[0]`.
_MARKS = re.compile(r"(?:(?<=[\s.!?,;:\"'*_`\u2019\u201d])|^)(?:\[[\d,; ]{1,20}\]\s?)+")
_NUMBER = re.compile(r"\d{1,9}")
_BULLET = re.compile(r"^(?:[-*+\u2022>#]{1,6}\s+)+")
_BLANK_BEFORE_END = re.compile(r"\s([.!?,;:])")


def checked_sentence(written: str, sections: Sequence[SourceSection], question: str) -> AnswerSentence | None:
    """The sentence with its sections; None if it must not be shown."""
    sources = tuple(dict.fromkeys(_numbers(written)))
    by_number = {section.number: section for section in sections}
    if not sources or not by_number.keys() >= set(sources):
        return None
    text = _plain(_MARKS.sub(" ", written))
    if not read_words(text) or not _is_supported(text, [by_number[number] for number in sources], question):
        return None
    return AnswerSentence(text, sources)


def _numbers(written: str) -> Iterator[int]:
    for marks in _MARKS.finditer(written):
        yield from map(int, _NUMBER.findall(marks[0]))


def _plain(text: str) -> str:
    """One line of printable characters. Characters that change the direction of text are not printable."""
    printable = "".join(sign if sign.isprintable() else " " for sign in text)
    return _BLANK_BEFORE_END.sub(r"\1", " ".join(_BULLET.sub("", printable.strip()).split()))


def _is_supported(text: str, named: Sequence[SourceSection], question: str) -> bool:
    known = terms_of(question).union(*(section.terms for section in named))
    words = read_words(text)
    if any(_is_code_name(word) and word.term not in known for word in words):
        return False
    long_words = [word for word in words if len(word.term) >= LONG_WORD and not word.parts]
    shared = sum(word.term in known or word.stem in known for word in long_words)
    return shared >= MIN_SHARED * len(long_words)


def _is_code_name(word: Word) -> bool:
    """Whether a word is an identifier of several words, such as `useQuery`."""
    return len(word.parts) > 1
