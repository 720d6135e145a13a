"""Which names in the code of a page lead to its reference."""

from __future__ import annotations

from kinfolk.content.code_checks.check_results import BlockCheck, NameUse, PageCheck, Symbol
from kinfolk.content.docs.pages.linked_names import MOST_LINKS, linked_names
from kinfolk.content.markdown.markdown_page import CodeBlock

SYMBOLS = tuple(Symbol(name, "", "function", "p", f"{name}()") for name in ("a", "b", "c"))
PAGES = {"a": "/a", "b": None, "c": "/page"}


def links(*blocks: tuple[str, BlockCheck | None]) -> dict[int, list[tuple[int, str]]]:
    check = PageCheck(blocks=tuple(check for _, check in blocks), symbols=SYMBOLS)
    code = [CodeBlock("ts", text) for text, _ in blocks]
    found = linked_names(check, code, lambda symbol: PAGES[symbol.name], page="/page")
    return {number: [(link.start, link.href) for link in each] for number, each in found.items()}


def test_names_lead_to_their_pages_but_not_to_the_page_that_shows_them() -> None:
    uses = (NameUse(0, 1, 0), NameUse(2, 1, 1), NameUse(4, 1, 2), NameUse(6, 1, 0))
    found = links(("npm i", None), ("a b c a", BlockCheck("right", names=uses)))
    assert found == {1: [(0, "/a"), (6, "/a")]}


def test_blocks_without_names_or_missing_imports_are_left_out() -> None:
    imports = BlockCheck("right", missing_imports=("import { a } from 'p'",))
    assert links(("x", BlockCheck("right")), ("y", imports), ("z", BlockCheck("wrong"))) == {1: []}


def test_names_outside_of_the_code_and_those_that_overlap_are_left_out() -> None:
    uses = (NameUse(0, 2, 0), NameUse(1, 1, 0), NameUse(3, 1, 9), NameUse(4, 0, 0), NameUse(4, 9, 0), NameUse(-3, 1, 0))
    assert links(("aa a a", BlockCheck("right", names=uses))) == {0: [(0, "/a")]}


def test_links_of_a_block_are_bounded() -> None:
    uses = tuple(NameUse(2 * number, 1, 0) for number in range(1000))
    assert len(links(("a " * 1000, BlockCheck("right", names=uses)))[0]) == MOST_LINKS
