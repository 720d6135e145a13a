"""Addresses of sections without version and framework, as `page` of a meaning in `search.toml` names them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kinfolk.search.filters import Record

_DOCS_KINDS = frozenset(("guide", "reference", "example"))
_ANY_FRAMEWORK = "framework/*/"


@dataclass(frozen=True)
class NeutralAddress:
    """A section of a page in all versions and frameworks.

    `page` is its library and path below the docs: `query/guides/caching`. `anchor` is empty at the start of the page,
    `titles` are those of the page and of the section.
    """

    page: str
    anchor: str
    titles: tuple[str, ...]

    @property
    def section(self) -> str:
        """The page with the anchor of the section."""
        return f"{self.page}#{self.anchor}" if self.anchor else self.page


def neutral_address(record: Record) -> NeutralAddress | None:
    """The address of a record of the site's index; None for a page outside of the docs, such as a post."""
    library, _, path = str(record.get("group", "")).partition(":")
    path = path.partition(":")[2]
    if record.get("kind") not in _DOCS_KINDS or not path:
        return None
    hierarchy = record.get("hierarchy")
    levels = hierarchy if isinstance(hierarchy, Mapping) else {}
    headings = [str(levels[name]) for n in range(1, 7) if levels.get(name := f"lvl{n}")]
    titles = (*headings[:1], *headings[1:][-1:])
    return NeutralAddress(f"{library}/{path.removeprefix(_ANY_FRAMEWORK)}", str(record.get("anchor") or ""), titles)
