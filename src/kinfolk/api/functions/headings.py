"""Headings of a rendered page, for its outline."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kinfolk.content.markdown.markdown_page import Heading


@dataclass(frozen=True)
class DocHeading:
    """`framework` is set for headings that stand in the block of one framework."""

    id: str
    text: str
    level: int
    framework: str | None


def doc_headings(headings: Iterable[Heading]) -> tuple[DocHeading, ...]:
    """Headings of the outline in the form that the frontend gets."""
    return tuple(DocHeading(each.id, each.text, each.level, each.framework) for each in headings if each.outlined)
