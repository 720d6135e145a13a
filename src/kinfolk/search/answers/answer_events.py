"""The interface between the service of answers and its callers: a question, and the events of its answer."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

from kinfolk.search.text.tokens import read_words

MAX_QUESTION_LENGTH = 512
"""Characters, as for a query of the search."""
AnswerOutcome = Literal["answered", "not_in_docs"]


@dataclass(frozen=True)
class ReaderQuestion:
    """A question with the filters of the search. `is_shared`: the reader consents that maintainers read it."""

    text: str
    library: str = ""
    framework: str = ""
    version: str = "latest"
    is_shared: bool = False


@dataclass(frozen=True)
class SourceSection:
    """A section that is sent to the service. `to` is its address on this site; `trail` are its headings."""

    number: int
    title: str
    trail: tuple[str, ...]
    library: str
    to: str
    text: str

    @cached_property
    def terms(self) -> frozenset[str]:
        """The words of the section and of its headings, with the parts and stems of each."""
        return terms_of(" ".join((self.title, *self.trail, self.library, self.text)))


def terms_of(text: str) -> frozenset[str]:
    """Words in lower case: whole, by part, and by stem."""
    parts = [part for word in read_words(text) for part in (word.whole, *word.parts)]
    return frozenset(term for part in parts for term in (part.term, part.stem) if term)


@dataclass(frozen=True)
class SourcesFound:
    """The first event: the sections that the answer may name."""

    sections: tuple[SourceSection, ...]


@dataclass(frozen=True)
class AnswerSentence:
    """A sentence that passed the check, without its marks. `sources` are the numbers of its sections."""

    text: str
    sources: tuple[int, ...]


@dataclass(frozen=True)
class AnswerEnded:
    """The last event of a complete answer."""

    outcome: AnswerOutcome


@dataclass(frozen=True)
class AnswerFailed:
    """The last event of an incomplete answer. The message says what to do next."""

    message: str


AnswerEvent: TypeAlias = SourcesFound | AnswerSentence | AnswerEnded | AnswerFailed
