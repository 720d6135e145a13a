"""A promotion that maintainers set on the dashboard."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Annotated

from pydantic import Field

from kinfolk.config.catalog.shown_period import has_valid_days
from kinfolk.config.data_files import STRICT_CONFIG, TextLine, is_url
from kinfolk.runtime.errors import Invalid

LONGEST_TITLE, LONGEST_TEXT, LONGEST_HREF = 60, 140, 500
"""Characters. Title and text fill a box of the right rail."""


@dataclass(frozen=True)
class Promotion:
    """A box in some of the slots on its days. `href` is an https address or a path of this site.

    `is_pause`: these slots show no box at all; it has no title, text and address.
    """

    __pydantic_config__ = STRICT_CONFIG

    slots: Annotated[tuple[str, ...], Field(max_length=16)]
    title: Annotated[TextLine, Field(max_length=LONGEST_TITLE)] | None = None
    text: Annotated[TextLine, Field(max_length=LONGEST_TEXT)] | None = None
    href: Annotated[str, Field(max_length=LONGEST_HREF)] | None = None
    starts: date | None = None
    ends: date | None = None
    is_pause: bool = False


def check_promotion(promotion: Promotion, slots: Iterable[str]) -> None:
    """Raises Invalid, with the name of the field and what to do. `slots` are those of the site."""
    if not promotion.slots:
        raise Invalid("slots: choose at least one box")
    known = tuple(slots)
    unknown = next((slot for slot in promotion.slots if slot not in known), None)
    if unknown is not None:
        raise Invalid(f"slots: there is no slot {unknown!r}; choose from {', '.join(known)}")
    if not has_valid_days(promotion):
        raise Invalid("ends: choose a day that is not before the first day")
    if promotion.is_pause:
        return
    for name, value in (("title", promotion.title), ("text", promotion.text), ("href", promotion.href)):
        if not value:
            raise Invalid(f"{name}: enter a value")
    href = promotion.href or ""
    is_path = href.startswith("/") and not href.startswith("//") and href.isprintable() and "\\" not in href
    if not is_path and not is_url(href):
        raise Invalid("href: enter an https:// address or a path of this site, such as /blog")
