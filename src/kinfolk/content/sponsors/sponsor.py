"""A sponsor, from GitHub or from `sponsors.toml`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Sponsor:
    """`monthly_dollars` determines the size of the circle and is not published.

    `login` is the account on GitHub, if any. Without `image_url` the circle shows the name. `partner` is the id of the
    partner that the sponsor is.
    """

    name: str
    link_url: str
    image_url: str | None = None
    login: str | None = None
    monthly_dollars: float = 0
    partner: str | None = None


@dataclass(frozen=True)
class PartnerMarks:
    """The address of a sprite with the marks of partners, and their ids in the order of its rows."""

    href: str
    rows: tuple[str, ...]
