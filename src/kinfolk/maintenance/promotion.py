"""A promotion that maintainers set on the dashboard, and which promotions are shown on a day."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from kinfolk.config.data_files import STRICT_CONFIG, TextLine, is_url
from kinfolk.runtime.errors import Invalid

LONGEST_TITLE, LONGEST_TEXT, LONGEST_HREF = 60, 140, 500
"""Characters. Title and text fill a box of the right rail."""

PromotionPeriod = Literal["planned", "shown", "over"]


@dataclass(frozen=True)
class Promotion:
    """A box in some of the slots. `href` is an https address or a path of this site.

    It is shown from `starts` to `ends`, both included, in UTC; without them, from now on or forever. `is_pause`: these
    slots show no box at all; it has no title, text and address.
    """

    __pydantic_config__ = STRICT_CONFIG

    slots: Annotated[tuple[str, ...], Field(max_length=16)]
    title: Annotated[TextLine, Field(max_length=LONGEST_TITLE)] | None = None
    text: Annotated[TextLine, Field(max_length=LONGEST_TEXT)] | None = None
    href: Annotated[str, Field(max_length=LONGEST_HREF)] | None = None
    starts: date | None = None
    ends: date | None = None
    is_pause: bool = False

    @property
    def is_dated(self) -> bool:
        return self.starts is not None or self.ends is not None

    def period(self, today: date) -> PromotionPeriod:
        """Whether its days are to come, include today, or are over."""
        if self.starts is not None and today < self.starts:
            return "planned"
        return "over" if self.ends is not None and self.ends < today else "shown"


def check_promotion(promotion: Promotion, slots: Iterable[str]) -> None:
    """Raises Invalid, with the name of the field and what to do. `slots` are those of the site."""
    if not promotion.slots:
        raise Invalid("slots: choose at least one box")
    known = tuple(slots)
    unknown = next((slot for slot in promotion.slots if slot not in known), None)
    if unknown is not None:
        raise Invalid(f"slots: there is no slot {unknown!r}; choose from {', '.join(known)}")
    if promotion.starts and promotion.ends and promotion.ends < promotion.starts:
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
