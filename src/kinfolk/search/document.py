"""A record as tantivy keeps it: its terms by tier, its facets and numbers, its rank, and itself.

Facets and numbers lie in two JSON fields under the digest of their attribute's path, so that whoever pushes an index
may name any attribute without a schema of their own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import cast

import orjson
import tantivy

from kinfolk.errors import Invalid
from kinfolk.search.query import Json, Record
from kinfolk.search.rules import MOST_RANKS, MOST_TIERS, IndexSettings
from kinfolk.search.tokens import GAP, STEM, read_words, squash, terms

FORM = "2"
"""Part of every index's digest: to be raised when what is written here, or how text is read, changes."""
ID, GROUP, HEADING, SUBHEADING = "id", "group", "heading", "subheading"
FACETS, NUMBERS, RECORD = "facet", "number", "record"
EVERYWHERE = "text"
"""All tiers in one, to find what matches at a sixth of the cost; the tiers then tell how well."""
TIERS = tuple(f"tier{tier}" for tier in range(MOST_TIERS))
RANKS = tuple(f"rank{rank}" for rank in range(MOST_RANKS))
AS_WRITTEN = "="
"""In front of a heading that is kept as it is. No folded one begins with it."""
TAGS = "_tags"
"""The attribute that can be filtered by without having been named a facet."""

_UNRANKED = -1e300


def schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    for tier in (EVERYWHERE, *TIERS):
        builder.add_text_field(tier, tokenizer_name="whitespace", index_option="position")
    for name in (ID, HEADING, SUBHEADING):
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field(GROUP, fast=True)
    for name in (FACETS, NUMBERS):
        builder.add_json_field(name, fast=True, tokenizer_name="raw", index_option="basic")
    for rank in RANKS:
        builder.add_float_field(rank, fast=True)
    builder.add_bytes_field(RECORD, stored=True)
    return builder.build()


def document(record: Record, settings: IndexSettings) -> tantivy.Document:
    """Raises Invalid for a record whose objectID is no text."""
    id = record.get("objectID")
    if not isinstance(id, str):
        raise Invalid("objectID is required")
    made = tantivy.Document()
    made.add_text(ID, id)
    made.add_bytes(RECORD, packed(record))
    made.add_unsigned(GROUP, group_of(record, settings))
    _add_texts(made, record, settings)
    for name, path in ((HEADING, settings.heading), (SUBHEADING, settings.subheading)):
        for heading in headings(record, path, settings) if path else ():
            made.add_text(name, heading)
    for name, rank in zip(RANKS, ranks(record, settings), strict=False):
        made.add_float(name, rank)
    facets = {path_key(path): found for path in (*settings.facets, TAGS) if (found := values(at(record, path)))}
    if facets:
        made.add_json(FACETS, orjson.dumps(facets).decode())
    numbers: dict[str, list[float]] = {}
    for path, number in _numbers("", record):
        numbers.setdefault(path_key(path), []).append(number)
    if numbers:
        made.add_json(NUMBERS, orjson.dumps(numbers).decode())
    return made


def _add_texts(made: tantivy.Document, record: Record, settings: IndexSettings) -> None:
    """Each tier by itself and all together, at positions that no phrase crosses."""
    start = 0
    everywhere: list[tantivy.Token] = []
    for name, tier in zip(TIERS, texts(record, settings), strict=False):
        tokens = [tantivy.Token(term, position, 0, 0) for term, position in _positions(tier, start)]
        if tokens:
            made.add_pre_tokenized_text(name, tantivy.PreTokenizedString("", tokens))
            everywhere += tokens
            start = tokens[-1].position + GAP
    if everywhere:
        made.add_pre_tokenized_text(EVERYWHERE, tantivy.PreTokenizedString("", everywhere))


def packed(record: Record) -> bytes:
    """The record's JSON. Raises Invalid for what JSON cannot hold."""
    try:
        return orjson.dumps(record)
    except TypeError as wrong:
        raise Invalid(f"Record {record.get('objectID')}: {wrong}") from None


def path_key(path: str) -> str:
    """What a path is called within a JSON field: no dot, no space, never long."""
    return "k" + hashlib.blake2s(path.encode(), digest_size=6).hexdigest()


def at(record: Json, path: str) -> Json:
    """What is at a path such as `hierarchy.lvl1`; of a list, what is there in each of its objects."""
    found = record
    for step in path.split("."):
        if isinstance(found, Mapping):
            found = found.get(step)
        elif isinstance(found, list):
            found = [one.get(step) for one in found if isinstance(one, Mapping)]
        else:
            return None
    return found


def texts(record: Record, settings: IndexSettings) -> list[list[str]]:
    """The texts that are searched, tier by tier."""
    if not settings.tiers:
        return [[text for name, value in record.items() if name != "objectID" for text in _texts(value)]]
    return [[text for path in tier for text in _texts(at(record, path))] for tier in settings.tiers]


def headings(record: Record, path: str, settings: IndexSettings) -> set[str]:
    """What someone may ask for who wants this very record: its heading, without its usual ending, by its stems."""
    named = set()
    for text in _texts(at(record, path)):
        words = text.split()
        named |= {squash(text), AS_WRITTEN + " ".join(words)}
        if len(words) > 1 and words[-1].lower() in settings.heading_suffixes:
            words.pop()
            named.add(squash(" ".join(words)))
        named.add(STEM + roots(" ".join(words)))
    return named - {"", STEM, AS_WRITTEN}


def roots(text: str) -> str:
    """A heading by its stems: `Query Cancellations` and `query cancel` are the same."""
    return " ".join(part.stem or part.term for word in read_words(text) for part in (word.parts or (word.whole,)))


def ranks(record: Record, settings: IndexSettings) -> Iterator[float]:
    """By what records that match alike are told apart; more is better."""
    for path, more_is_better in settings.ranks:
        value = at(record, path)
        number = float(value) if isinstance(value, (bool, int, float)) else None
        yield _UNRANKED if number is None else number if more_is_better else -number


def group_of(record: Record, settings: IndexSettings) -> int:
    """The same for records of which one may stand for all."""
    value = at(record, settings.attribute_for_distinct) if settings.attribute_for_distinct else None
    name = f"id {record['objectID']}" if value is None else f"group {value}"
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest()) >> 1


def values(value: Json) -> list[str]:
    """A facet's values as texts: of a list, each."""
    if isinstance(value, (list, tuple)):
        return [text for one in value for text in values(one)]
    return [] if value is None or isinstance(value, Mapping) else [facet_text(value)]


def facet_text(value: Json) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case float() if value.is_integer():
            return str(int(value))
    return str(value)


def _texts(value: Json) -> Iterator[str]:
    match value:
        case str():
            yield value
        case bool() | None:
            return
        case int() | float():
            yield facet_text(value)
        case Mapping():
            for one in value.values():
                yield from _texts(one)
        case _:
            for one in cast("list[Json]", value):
                yield from _texts(one)


def _positions(found: list[str], start: int) -> Iterator[tuple[str, int]]:
    for text in found:
        position = start
        for term, position in terms(text, start):
            yield term, position
        start = position + GAP


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
