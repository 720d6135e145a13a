"""The index of the site's own words: an index like any other, whose hits lead to the reader's framework."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import cast

from kinfolk.budget import Deadline
from kinfolk.search.engine import TantivyIndex
from kinfolk.search.query import All, Answer, Either, Equals, Filter, Hit, Question, Record
from kinfolk.search.rules import IndexSettings

FRAMEWORK = "framework"


class SiteIndex:
    """One generation of the index; it never changes."""

    def __init__(self, engine: TantivyIndex, generation: str) -> None:
        self._engine = engine
        self._generation = generation

    @property
    def generation(self) -> str:
        return self._generation

    @property
    def count(self) -> int:
        return self._engine.count

    @property
    def settings(self) -> IndexSettings:
        return self._engine.settings

    def search(self, question: Question, deadline: Deadline | None = None) -> Answer:
        answer = self._engine.search(question, deadline)
        wanted = tuple(dict.fromkeys((*_filtered(question.where), *answer.words, *_preferred(question))))
        return replace(answer, hits=tuple(_led(hit, wanted) for hit in answer.hits))

    def facet_values(
        self, attribute: str, text: str, question: Question, *, most: int, deadline: Deadline | None = None
    ) -> tuple[tuple[str, int], ...]:
        return self._engine.facet_values(attribute, text, question, most=most, deadline=deadline)

    def get(self, ids: Sequence[str], deadline: Deadline | None = None) -> tuple[Record | None, ...]:
        return self._engine.get(ids, deadline)

    def browse(
        self, cursor: str | None, question: Question, *, most: int, deadline: Deadline | None = None
    ) -> tuple[tuple[Record, ...], str | None]:
        return self._engine.browse(cursor, question, most=most, deadline=deadline)


def _led(hit: Hit, wanted: Sequence[str]) -> Hit:
    """The hit, leading to the first of these frameworks that its text is for."""
    variants = hit.record.get("variants")
    if not variants:
        return hit
    places = cast("Mapping[str, str]", variants)
    about = cast("Sequence[str]", hit.record.get("about", ()))
    own = [name for name in about if name not in places]
    for name in wanted:
        if name in own:
            return hit
        if name in places:
            url = places[name]
            return hit._replace(record={**hit.record, "url": url, "url_without_anchor": url.partition("#")[0]})
    return hit


def _filtered(where: Filter | None) -> Iterator[str]:
    """The frameworks that a filter lets pass; what it excludes says nothing."""
    match where:
        case Equals(attribute, value) if attribute == FRAMEWORK:
            yield value
        case All(parts) | Either(parts):
            for part in parts:
                yield from _filtered(part)


def _preferred(question: Question) -> Iterator[str]:
    yield from (equals.value for equals in question.preferred if equals.attribute == FRAMEWORK)
