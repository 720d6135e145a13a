"""Headings of a rendered page, for its outline."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from kinfolk.api.registry import OMIT_EMPTY
from kinfolk.content.markdown.markdown_page import Heading

NONE: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class DocHeading:
    """`framework` is set for headings that stand in the block of one framework.

    `deprecated` is a line about what the heading names, if that is deprecated.
    """

    id: str
    text: str
    level: int
    framework: str | None
    deprecated: str = field(default="", metadata=OMIT_EMPTY)


def doc_headings(headings: Iterable[Heading], deprecated: Mapping[str, str] = NONE) -> tuple[DocHeading, ...]:
    """Headings of the outline in the form that the frontend gets. `deprecated` are lines by the ids of headings."""
    return tuple(
        DocHeading(each.id, each.text, each.level, each.framework, deprecated.get(each.id, ""))
        for each in headings
        if each.outlined
    )
