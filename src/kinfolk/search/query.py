"""What may be asked of an index, and what it answers: the contract between the engine and every way to reach it.

Question  ->  Index.search  ->  Answer
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, Protocol, TypeAlias

from kinfolk.budget import Deadline

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
Record: TypeAlias = Mapping[str, Json]
"""A record of an index: any JSON object whose `objectID` is a text."""

LONGEST_TEXT = 512
"""Characters of a question that are read (spec section 5)."""
MOST_CONDITIONS = 1000
"""Conditions of one question, all filters and preferences together. The engine cannot be interrupted: on the family's
docs 1,000 conditions that every record passes take it 0.1 to 0.2 s."""


@dataclass(frozen=True)
class Equals:
    """The attribute is, or contains, this value. `score` weighs it where the filter is only preferred."""

    attribute: str
    value: str
    score: int = 1


@dataclass(frozen=True)
class Between:
    """The attribute is a number from `low` to `high`, both included."""

    attribute: str
    low: float = -math.inf
    high: float = math.inf


@dataclass(frozen=True)
class Not:
    part: Filter


@dataclass(frozen=True)
class All:
    parts: tuple[Filter, ...]


@dataclass(frozen=True)
class Either:
    """One of the parts at least. Without parts, nothing passes."""

    parts: tuple[Filter, ...]


Filter: TypeAlias = Equals | Between | Not | All | Either


def conditions(wanted: Filter) -> int:
    """How many conditions a filter has. A negation counts as one more: each is work for the engine."""
    match wanted:
        case Not(part):
            return 1 + conditions(part)
        case All(parts) | Either(parts):
            return sum(map(conditions, parts))
    return 1


EVERY_FACET = ("*",)
Beginnings = Literal["last", "all", "none"]


@dataclass(frozen=True)
class Question:
    """What is looked for. What is None is decided by the index's own settings."""

    text: str = ""
    where: Filter | None = None
    preferred: tuple[Equals, ...] = ()
    """Puts what passes in front, in the order of the scores, and leaves nothing out."""
    facets: tuple[str, ...] = ()
    """Attributes whose values are counted; EVERY_FACET for all that the index has."""
    values_per_facet: int = 100
    offset: int = 0
    length: int = 20
    beginnings: Beginnings = "last"
    """Which words may be the beginning of what was meant. The last one is whole where a space follows."""
    most_typos: int = 2
    """Typos that one word may have at most; short words may have fewer."""
    fields: tuple[str, ...] | None = None
    """Only these searchable attributes are looked into."""
    distinct: int | None = None
    """How many records of one group may be among the hits; 0 for all."""
    synonyms: bool = True
    optional_words: tuple[str, ...] = ()
    last_resort: bool | None = None
    """Whether records that have only some of the words may follow where too few have all."""
    stop_words: bool | None = None
    """Whether words such as `how` and `the` may be missing from what is found."""


_OBJECT_BYTES = 150
"""What a condition or a text takes in memory besides its characters."""


def weight(question: Question) -> int:
    """About how many bytes of memory a question takes: what keeps answers keeps their questions too."""
    texts = (question.text, *question.facets, *(question.fields or ()), *question.optional_words)
    found = sum(len(text) + _OBJECT_BYTES for text in texts)
    found += sum(map(_filter_weight, question.preferred))
    return found + (_filter_weight(question.where) if question.where else 0)


def _filter_weight(wanted: Filter) -> int:
    match wanted:
        case Equals(attribute, value):
            return 2 * _OBJECT_BYTES + len(attribute) + len(value)
        case Between(attribute):
            return 2 * _OBJECT_BYTES + len(attribute)
        case Not(part):
            return _OBJECT_BYTES + _filter_weight(part)
        case All(parts) | Either(parts):
            return _OBJECT_BYTES + sum(map(_filter_weight, parts))


class Ranking(NamedTuple):
    """Why a hit stands where it stands: the parts that its score is made of."""

    words: int
    typos: int
    filters: int
    exact: int
    score: float


class Hit(NamedTuple):
    """`size` is about how many bytes of JSON the record has; 0 where that is not known."""

    id: str
    record: Record
    ranking: Ranking
    size: int = 0


class Span(NamedTuple):
    """A part of a text, from `start` up to but not including `end`, and which words of the question it answers."""

    start: int
    end: int
    words: tuple[str, ...]


class Marker(Protocol):
    """Finds the question's words in any text: exact, begun, inflected, mistyped, or as a part of an identifier."""

    def spans(self, text: str) -> Iterator[Span]:
        """In order and apart. Whoever has seen enough of a long text need not look at the rest."""


class _Nothing:
    def spans(self, text: str) -> Iterator[Span]:  # noqa: ARG002 - the Marker's name for it
        return iter(())


NOTHING: Marker = _Nothing()


@dataclass(frozen=True)
class Stats:
    """Of a facet whose values are numbers."""

    least: float
    most: float
    average: float
    sum: float


@dataclass(frozen=True)
class Answer:
    """`total` counts hits as they are shown: one for each group where hits are distinct. Never changes."""

    hits: tuple[Hit, ...] = ()
    total: int = 0
    exhaustive: bool = True
    """Whether `total` and the facets' counts are exact."""
    facets: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Attribute -> value -> count, the largest first."""
    stats: Mapping[str, Stats] = field(default_factory=dict)
    words: tuple[str, ...] = ()
    """The question's words as they were read: folded, in order, each once."""
    marker: Marker = NOTHING

    def spans(self, text: str) -> tuple[Span, ...]:
        """Where the question's words are in all of `text`, for highlighting."""
        return tuple(self.marker.spans(text))


class Index(Protocol):
    """Records that can be searched. From any thread; none of these waits on a writer.

    Each raises OverBudget after the deadline. Without one, it has a search's whole time for itself.
    """

    @property
    def generation(self) -> str:
        """Differs whenever an answer may differ: part of the key of everything that keeps answers."""

    @property
    def count(self) -> int:
        """How many records there are."""

    def search(self, question: Question, deadline: Deadline | None = None) -> Answer:
        """Raises Invalid for a question that cannot be answered, such as a number that is none."""

    def facet_values(
        self, attribute: str, text: str, question: Question, *, most: int, deadline: Deadline | None = None
    ) -> tuple[tuple[str, int], ...]:
        """The attribute's values that contain the beginning `text`, with their counts, the largest first.

        Raises Invalid where the attribute is not a searchable facet.
        """

    def get(self, ids: Sequence[str], deadline: Deadline | None = None) -> tuple[Record | None, ...]:
        """The records with these ids, in this order; None for one that there is not."""

    def browse(
        self, cursor: str | None, question: Question, *, most: int, deadline: Deadline | None = None
    ) -> tuple[tuple[Record, ...], str | None]:
        """The next records that pass the question, `most` or fewer, unranked; and the cursor of what follows.

        There is no cursor at the end.

        Raises Invalid for a cursor that this index did not give.
        """
