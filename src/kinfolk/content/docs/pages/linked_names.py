"""Which names in the code blocks of a page are links to the pages that document them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from kinfolk.content.code_checks.check_results import BlockCheck, NameUse, PageCheck, Symbol
from kinfolk.content.markdown.code.name_links import NameLink
from kinfolk.content.markdown.markdown_page import CodeBlock

MOST_LINKS = 60
"""Links of a code block. One of 40 lines has some 20 names of a library."""
MOST_ADDRESSES = 200
"""Symbols of a page whose addresses are looked up."""


def linked_names(
    check: PageCheck, blocks: Sequence[CodeBlock], reference_address: Callable[[Symbol], str | None], *, page: str
) -> dict[int, tuple[NameLink, ...]]:
    """The links of each block whose names are known, by its number. `page` is the address of the page itself."""
    addresses: dict[int, str | None] = {}

    def address(symbol: int) -> str | None:
        if symbol not in addresses:
            if len(addresses) >= MOST_ADDRESSES:
                return None
            addresses[symbol] = reference_address(check.symbols[symbol])
        return addresses[symbol]

    def links(block: BlockCheck, code: str) -> Iterator[NameLink]:
        for use in names_within(block, code, check.symbols):
            href = address(use.symbol)
            if href is not None and href != page:
                yield NameLink(use.start, use.length, href)

    return {
        number: tuple(links(block, code.code))[:MOST_LINKS]
        for number, (block, code) in enumerate(zip(check.blocks, blocks, strict=False))
        if block is not None and has_names(block)
    }


def has_names(block: BlockCheck) -> bool:
    """Whether there is something about the block that readers may request."""
    return bool(block.names or block.missing_imports)


def names_within(block: BlockCheck, code: str, symbols: Sequence[Symbol]) -> Iterator[NameUse]:
    """The names of a block in order, without those that lie outside of the code or overlap."""
    end = 0
    for use in block.names:
        if end <= use.start < use.start + use.length <= len(code) and 0 <= use.symbol < len(symbols):
            end = use.start + use.length
            yield use
