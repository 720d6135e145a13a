"""Tests of the split of a page into blocks."""

from __future__ import annotations

from kinfolk.content.changes.page_blocks import joined_markdown, page_blocks
from kinfolk.content.markdown.source.compose import ComposedMarkdown, compose


def composed(text: str) -> ComposedMarkdown:
    return compose(text, str)


def elements(text: str) -> list[tuple[str, str]]:
    return [(block.element, block.text) for block in page_blocks(composed(text))]


def test_blocks_are_those_of_the_parser() -> None:
    text = "# Title\n\nTwo\nlines\n\n```js\na\n\nb\n```\n\n| a |\n|---|\n\n> quote\n\n***\n\n<b>x</b>\n"
    assert elements(text) == [
        ("h1", "# Title"),
        ("paragraph", "Two\nlines"),
        ("code", "```js\na\n\nb\n```"),
        ("table", "| a |\n|---|"),
        ("blockquote", "> quote"),
        ("hr", "***"),
        ("paragraph", "<b>x</b>"),
    ]


def test_items_of_a_list_are_blocks() -> None:
    assert elements("- one\n  - inner\n- two\n\n3. three") == [
        ("item", "- one\n  - inner"),
        ("item", "- two"),
        ("item", "3. three"),
    ]


def test_number_of_an_item_is_no_difference() -> None:
    (first,), (second,) = page_blocks(composed("2. a")), page_blocks(composed("3. a"))
    assert first.identity == second.identity


def test_comments_and_directives_are_left_out() -> None:
    text = "<!-- x -->\n<!-- ::start:tabs -->\nwords\n<!-- ::end:tabs -->\n\n<!-- a --> <b>x</b>"
    assert elements(text) == [("paragraph", "words"), ("html_block", "<!-- a --> <b>x</b>")]


def test_block_has_the_link_definitions_that_it_uses() -> None:
    first, second = page_blocks(composed("[A] and [b][c]\n\nplain\n\n[a]: /a\n[c]: /c\n  'title'\n[d]: /d"))
    assert first.definitions == ("[a]: /a", "[c]: /c\n  'title'")
    assert second.definitions == ()


def test_joined_blocks_have_the_lines_of_their_list_and_their_definitions() -> None:
    blocks = page_blocks(composed("- [a]\n- b\n\n- c\n\nend[^n]\n\n[a]: /a\n\n[^n]: note"))
    assert joined_markdown(blocks) == "- [a]\n- b\n\n- c\n\nend[^n]\n\n\\[^n]: note\n\n[a]: /a\n"
