"""What an excerpt is made of, as an attribute of a record. Clients of the index do not see it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import cast

from kinfolk.search.docs_index.page_sections import PageSection
from kinfolk.search.filters import Json, Record
from kinfolk.search.query import ExcerptSource, Hit

ATTRIBUTE = "_excerpt"


def excerpt_attribute(section: PageSection) -> Record:
    """The attribute, or nothing for a section of one paragraph without code.

    Offsets are distances in a text: the engine indexes every number of a record.
    """
    written: dict[str, Json] = {}
    if section.breaks:
        written["breaks"] = _distances(section.breaks)
    if section.code_blocks:
        written["code"] = [code for _, code in section.code_blocks]
        written["after"] = _distances([end for end, _ in section.code_blocks])
    if section.lead:
        written["lead"] = section.lead
    return {ATTRIBUTE: written} if written else {}


def without_excerpt(record: Record) -> Record:
    """The record as clients know it."""
    if ATTRIBUTE not in record:
        return record
    left = dict(record)
    del left[ATTRIBUTE]
    return left


def with_excerpt(hit: Hit) -> Hit:
    """The hit with the source of its excerpt in place of the attribute."""
    written = cast("Mapping[str, Json] | None", hit.record.get(ATTRIBUTE))
    if written is None:
        return hit._replace(excerpt=ExcerptSource())
    source = ExcerptSource(
        tuple(_offsets(written.get("breaks"))),
        tuple(zip(_offsets(written.get("after")), cast("Sequence[str]", written.get("code", ())), strict=False)),
        str(written.get("lead", "")),
    )
    return hit._replace(record=without_excerpt(hit.record), excerpt=source)


def _distances(offsets: Sequence[int]) -> str:
    return " ".join(str(after - before) for before, after in pairwise((0, *offsets)))


def _offsets(distances: Json) -> Iterable[int]:
    return accumulate(map(int, str(distances or "").split()))
