"""A record -> a tantivy document: its terms by tier, its facets, numbers and ranks, and its JSON."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from typing import cast

import orjson
import tantivy

from kinfolk.runtime.errors import Invalid
from kinfolk.search.filters import Json, Record, facet_value
from kinfolk.search.ranking.index_schema import (
    ALL_TIERS,
    DEFINED,
    FACETS,
    GROUP,
    HEADING,
    ID,
    NUMBERS,
    PHRASE,
    RANKS,
    RECORD,
    SUBHEADING,
    TAGS,
    TIERS,
    VERBATIM,
    path_key,
)
from kinfolk.search.ranking_config import IndexSettings
from kinfolk.search.text.tokens import POSITION_GAP, STEM, phrase_key, read_words, squash, stems_of, terms

_UNRANKED = -1e300


def indexed_document(record: Record, settings: IndexSettings) -> tantivy.Document:
    """Raises Invalid for a record whose objectID is not a string."""
    id = record.get("objectID")
    if not isinstance(id, str):
        raise Invalid("objectID is required")
    document = tantivy.Document()
    document.add_text(ID, id)
    document.add_bytes(RECORD, record_json(record))
    document.add_unsigned(GROUP, group_of(record, settings))
    _add_texts(document, record, settings)
    for name, path in ((HEADING, settings.heading), (SUBHEADING, settings.subheading)):
        for heading in headings(record, path, settings) if path else ():
            document.add_text(name, heading)
    for phrase in _texts(at(record, settings.phrases)) if settings.phrases else ():
        document.add_text(HEADING, PHRASE + phrase_key(read_words(phrase), settings.stop_words))
    for defined in {squash(text) for text in _texts(at(record, settings.defines))} if settings.defines else ():
        document.add_text(HEADING, DEFINED + defined)
    for name, rank in zip(RANKS, ranks(record, settings), strict=False):
        document.add_float(name, rank)
    facets = {path_key(path): found for path in (*settings.facets, TAGS) if (found := facets_of(at(record, path)))}
    if facets:
        document.add_json(FACETS, orjson.dumps(facets).decode())
    numbers: dict[str, list[float]] = {}
    for path, number in _numbers("", record):
        numbers.setdefault(path_key(path), []).append(number)
    if numbers:
        document.add_json(NUMBERS, orjson.dumps(numbers).decode())
    return document


def _add_texts(document: tantivy.Document, record: Record, settings: IndexSettings) -> None:
    """Each tier by itself and all together, with gaps between the positions that no phrase crosses.

    Phrases repeat their words: their tier has each term once, so that the index is built faster.
    """
    start = 0
    all_tokens: list[tantivy.Token] = []
    of_phrases = (settings.phrases,) if settings.phrases else None
    for name, texts, tier in zip(TIERS, searched_texts(record, settings), settings.tiers or ((),), strict=False):
        found = _positions(texts, start)
        if tier == of_phrases:
            found = _first_positions(found)
        tokens = [tantivy.Token(term, position, 0, 0) for term, position in found]
        if tokens:
            document.add_pre_tokenized_text(name, tantivy.PreTokenizedString("", tokens))
            all_tokens += tokens
            start = tokens[-1].position + POSITION_GAP
    if all_tokens:
        document.add_pre_tokenized_text(ALL_TIERS, tantivy.PreTokenizedString("", all_tokens))


def record_json(record: Record) -> bytes:
    """Raises Invalid for values that JSON does not have."""
    try:
        return orjson.dumps(record)
    except TypeError as wrong:
        raise Invalid(f"Record {record.get('objectID')}: {wrong}") from None


def at(record: Json, path: str) -> Json:
    """The value at a path such as `hierarchy.lvl1`; for a list of objects, the value in each of them."""
    found = record
    for step in path.split("."):
        if isinstance(found, Mapping):
            found = found.get(step)
        elif isinstance(found, list):
            found = [one.get(step) for one in found if isinstance(one, Mapping)]
        else:
            return None
    return found


def searched_texts(record: Record, settings: IndexSettings) -> list[list[str]]:
    """The texts of each tier."""
    if not settings.tiers:
        return [[text for name, value in record.items() if name != "objectID" for text in _texts(value)]]
    return [[text for path in tier for text in _texts(at(record, path))] for tier in settings.tiers]


def headings(record: Record, path: str, settings: IndexSettings) -> set[str]:
    """The normalized forms of a heading: squashed, verbatim, by its stems, and the same without its usual suffix."""
    forms = set()
    for text in _texts(at(record, path)):
        words = text.split()
        forms |= {squash(text), VERBATIM + " ".join(words), STEM + stems_of(text)}
        if len(words) > 1 and words[-1].lower() in settings.heading_suffixes:
            words.pop()
            forms.add(squash(" ".join(words)))
        forms.add(STEM + stems_of(" ".join(words)))
    return forms - {"", STEM, VERBATIM}


def ranks(record: Record, settings: IndexSettings) -> Iterator[float]:
    """The custom ranking. Higher is better."""
    for path, more_is_better in settings.ranks:
        value = at(record, path)
        number = float(value) if isinstance(value, (bool, int, float)) else None
        yield _UNRANKED if number is None else number if more_is_better else -number


def group_of(record: Record, settings: IndexSettings) -> int:
    """Equal for records of one group."""
    value = at(record, settings.attribute_for_distinct) if settings.attribute_for_distinct else None
    name = f"id {record['objectID']}" if value is None else f"group {value}"
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest()) >> 1


def facets_of(value: Json) -> list[str]:
    """The facet values of an attribute. Each item of a list counts."""
    if isinstance(value, (list, tuple)):
        return [text for one in value for text in facets_of(one)]
    return [] if value is None or isinstance(value, Mapping) else [facet_value(value)]


def _texts(value: Json) -> Iterator[str]:
    match value:
        case str():
            yield value
        case bool() | None:
            return
        case int() | float():
            yield facet_value(value)
        case Mapping():
            for one in value.values():
                yield from _texts(one)
        case _:
            for one in cast("list[Json]", value):
                yield from _texts(one)


def _positions(texts: list[str], start: int) -> Iterator[tuple[str, int]]:
    for text in texts:
        position = start
        for term, position in terms(text, start):
            yield term, position
        start = position + POSITION_GAP


def _first_positions(found: Iterable[tuple[str, int]]) -> Iterator[tuple[str, int]]:
    """Each term once, in order of position."""
    seen = set()
    for term, position in found:
        if term not in seen:
            seen.add(term)
            yield term, position


def _numbers(path: str, value: Json) -> Iterator[tuple[str, float]]:
    match value:
        case bool() | str() | None:
            return
        case int() | float():
            yield path, float(value)
        case Mapping():
            for name, one in value.items():
                yield from _numbers(f"{path}.{name}" if path else str(name), one)
        case _:
            for one in cast("list[Json]", value):
                yield from _numbers(path, one)
