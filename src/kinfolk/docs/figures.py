"""How much there is to read, counted in the docs that are served now."""

from __future__ import annotations

from dataclasses import dataclass

from kinfolk.docs.library import Docs
from kinfolk.docs.listing import volumes


@dataclass(frozen=True)
class Figures:
    """What the family has: `pages` and `versions` of all libraries together."""

    libraries: int
    frameworks: int
    versions: int
    pages: int
    examples: int


def figures(docs: Docs) -> Figures:
    """Counts what there is a copy of, not what the registry knows."""
    found = list(volumes(docs))
    return Figures(
        libraries=len({one.library.id for one in found}),
        frameworks=len({framework for one in found for framework in one.library.frameworks}),
        versions=len(found),
        pages=sum(len(one.pages()) for one in found),
        examples=len({(one.ref, example) for one in found for example in docs.shelf(one.ref).examples}),
    )
