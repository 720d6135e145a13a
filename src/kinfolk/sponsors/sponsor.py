"""A sponsor, whichever way we heard of them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Sponsor:
    """`monthly_dollars` stays on the server: it makes a circle larger and is told to nobody.

    `login` is the name on GitHub of those who sponsor there. `image_url` is absent until a picture is known; the pack
    then shows the name.
    """

    name: str
    link_url: str
    image_url: str | None = None
    login: str | None = None
    monthly_dollars: float = 0
