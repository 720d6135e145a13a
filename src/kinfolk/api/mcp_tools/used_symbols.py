"""The signatures of the library's names that the code of a page uses."""

from __future__ import annotations

from dataclasses import dataclass

from kinfolk.api.mcp_tools.context import ToolContext
from kinfolk.content.code_checks.check_results import PageCheck, Symbol
from kinfolk.content.docs.pages.location import DocsLocation
from kinfolk.content.markdown.markdown_page import CodeBlock
from kinfolk.runtime.errors import SiteError

MOST_SYMBOLS = 40
"""Of the 2,000 pages of all libraries, few use more names of their library."""
LONGEST_SIGNATURE = 300
LONGEST_SUMMARY = 200


@dataclass(frozen=True)
class UsedSymbol:
    """A name that code of the page uses. `name` has the type of a member before it.

    `deprecated` is what its author says of that: None for a symbol that is not deprecated.
    """

    name: str
    package: str
    signature: str
    summary: str
    deprecated: str | None


def used_symbols(
    context: ToolContext, location: DocsLocation, text: str, start: int, end: int
) -> tuple[UsedSymbol, ...]:
    """The symbols of the code in a part of the text of a page: exports before members, in the order of their use.

    Each name is there once: of a generic member, code has several types.

    Empty for a page whose code is not checked, and for one that cannot be rendered now.
    """
    if context.docs.checked_code() is None:
        return ()
    try:
        page = context.docs.page(location).page
        check = context.docs.code_check(location, page)
    except SiteError:
        return ()
    if check is None:
        return ()
    shown = _indexes_in_part(check, page.code_blocks, text, start, end)
    own = {name for name, _ in check.packages} | set(location.library.npm_packages)
    names: dict[tuple[str, str], Symbol] = {}
    for symbol in (check.symbols[at] for at in dict.fromkeys(shown)):
        if symbol.package in own and symbol.signature:
            names.setdefault((symbol.owner, symbol.name), symbol)
    return tuple(map(_used, sorted(names.values(), key=lambda one: bool(one.owner))))[:MOST_SYMBOLS]


def _indexes_in_part(check: PageCheck, blocks: tuple[CodeBlock, ...], text: str, start: int, end: int) -> list[int]:
    """The symbols of blocks that begin in the part. A block that the text does not have as it is, is in the first."""
    indexes: list[int] = []
    searched = 0
    for block, found in zip(blocks, check.blocks, strict=False):
        if found is None or not found.names:
            continue
        place = text.find(block.code.strip(), searched)
        searched = max(searched, place)
        if start <= max(place, 0) < end:
            indexes += (use.symbol for use in found.names if use.symbol < len(check.symbols))
    return indexes


def _used(symbol: Symbol) -> UsedSymbol:
    return UsedSymbol(
        name=f"{symbol.owner}.{symbol.name}" if symbol.owner else symbol.name,
        package=symbol.package,
        signature=symbol.signature[:LONGEST_SIGNATURE],
        summary=symbol.summary[:LONGEST_SUMMARY],
        deprecated=symbol.deprecated,
    )
