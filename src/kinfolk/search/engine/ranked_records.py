"""Records in the order of their ranks, of which few are in memory: an index may have more than fit."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from typing import cast

import orjson

from kinfolk.search.engine.indexed_document import ranks, record_json
from kinfolk.search.filters import Record
from kinfolk.search.ranking_config import IndexSettings

MEMORY_BYTES = 16_000_000
"""Bytes of records as JSON in memory. Parsed, they have about four times that. More are written to a temporary file."""


def ranked_records(records: Iterable[Record], settings: IndexSettings) -> Iterator[Record]:
    """The records without duplicate ids, best first: of equal records, tantivy returns those that were added first.

    Of records with one id, the last one replaces the others, in the place of the first. All of `records` are read
    before the first one is returned.
    """
    with tempfile.SpooledTemporaryFile(max_size=MEMORY_BYTES) as file:
        places: dict[str, tuple[list[float], int, int]] = {}
        end = 0
        for record in records:
            text = record_json(record)
            file.write(text)
            places[str(record.get("objectID"))] = ([-rank for rank in ranks(record, settings)], end, len(text))
            end += len(text)
        for _, start, size in sorted(places.values(), key=lambda place: place[0]):
            file.seek(start)
            yield cast("Record", orjson.loads(file.read(size)))
