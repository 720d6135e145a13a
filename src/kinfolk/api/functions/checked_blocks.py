"""What a page of the docs shows of the check of its code: links of names, and a line in its foot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from kinfolk.content.code_checks.check_results import PageCheck, Symbol
from kinfolk.content.docs import ContentReader
from kinfolk.content.docs.pages.linked_names import linked_names
from kinfolk.content.docs.pages.location import DocsLocation
from kinfolk.content.docs.pages.page_rendering import RenderedDoc

LONGEST_DAY = len("2026-11-26")


@dataclass(frozen=True)
class CheckedBlocks:
    """How many of the code blocks of a page were checked, against which release of a package, and on which day."""

    checked: int
    blocks: int
    package: str
    release: str
    day: str


def html_with_links(docs: ContentReader, location: DocsLocation, page: RenderedDoc, check: PageCheck | None) -> str:
    """The HTML of the page, in whose code the names of the library lead to its reference."""
    if check is None:
        return page.html

    version, framework = location.address.version, location.framework

    def address(symbol: Symbol) -> str | None:
        return docs.symbol_address(location.library, version, symbol.name, owner=symbol.owner, framework=framework)

    names = linked_names(check, page.page.code_blocks, address, page=str(location.address))
    return docs.highlighted_body(page.page, names) if names else page.html


def checked_blocks(docs: ContentReader, location: DocsLocation, check: PageCheck | None) -> tuple[CheckedBlocks, ...]:
    """The line in the foot of the page; none where no block has a certain verdict, or the day is not known."""
    run = docs.code_check_run(location) if check is not None and check.checked else None
    if check is None or run is None or not check.packages:
        return ()
    library = location.library
    version = library.docs_facts(location.address.version).version
    installed = {package.name_without_version for package in library.packages_of(version)}
    package, release = _main_package(check, installed)
    return (CheckedBlocks(check.checked, len(check.blocks), package, release, run.finished[:LONGEST_DAY]),)


def _main_package(check: PageCheck, installed: Collection[str]) -> tuple[str, str]:
    """The package that readers install, else one of all; of several, that of most names on the page."""
    blocks = (block for block in check.blocks if block is not None)
    uses = Counter(check.symbols[use.symbol].package for block in blocks for use in block.names)
    shown = [package for package in check.packages if package[0] in installed] or check.packages
    return max(shown, key=lambda package: uses[package[0]])
