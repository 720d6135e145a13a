"""Tests of the difference of a page as data."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kinfolk.content.changes.page_blocks import page_blocks
from kinfolk.content.changes.page_difference import (
    MOST_CHANGES,
    MOST_CHARACTERS,
    MOST_LINES,
    DifferencePart,
    PageDifference,
    page_difference,
    text_parts,
)
from kinfolk.content.markdown.source.compose import ComposedMarkdown, compose

blocks = st.sampled_from(
    [
        "# A heading",
        "Some words of text.",
        "Some other words of text.",
        "- one item",
        "- one other item",
        "```js\na\nb\n```",
        "```js\na\nc\n```",
        "> a quote of words",
        "| a | b |\n|---|---|\n| 1 | 2 |",
    ]
)
pages = st.lists(blocks, max_size=8).map("\n\n".join)
texts = st.text("ab .,é`", max_size=20)


def composed(text: str) -> ComposedMarkdown:
    return compose(text, str)


def difference(old: str, new: str) -> PageDifference:
    return page_difference(composed(old), composed(new))


def summary(old: str, new: str) -> list[tuple[str, str]]:
    """The kind of each block, and its first word."""
    return [
        (block.kind, one.text.split()[0]) for block in difference(old, new).blocks if (one := block.new or block.old)
    ]


@settings(max_examples=50)
@given(pages, pages)
def test_difference_has_all_blocks_of_both_versions_in_order(old: str, new: str) -> None:
    found = difference(old, new).blocks
    assert all(
        block.old.identity == block.new.identity for block in found if block.kind == "same" if block.old and block.new
    )
    assert tuple(block.old for block in found if block.old) == page_blocks(composed(old))
    assert tuple(block.new for block in found if block.new) == page_blocks(composed(new))


@given(texts, texts)
def test_parts_give_both_texts(old: str, new: str) -> None:
    parts = text_parts(old, new)
    assert "".join(part.text for part in parts if part.kind != "added") == old
    assert "".join(part.text for part in parts if part.kind != "removed") == new


def test_blocks_are_same_changed_added_or_removed() -> None:
    old = "# Start\n\nThe old words here.\n\nGone.\n\nEnd"
    new = "# Start\n\nThe new words here.\n\nEnd\n\nMore"
    assert summary(old, new) == [
        ("same", "#"),
        ("changed", "The"),
        ("removed", "Gone."),
        ("same", "End"),
        ("added", "More"),
    ]


def test_changed_paragraph_has_words() -> None:
    (block,) = difference("The old words here.", "The new words here.").blocks
    assert block.parts == (
        DifferencePart("same", "The "),
        DifferencePart("removed", "old"),
        DifferencePart("added", "new"),
        DifferencePart("same", " words here."),
    )


def test_changed_code_has_lines() -> None:
    (block,) = difference("```js\nlet a = 1\nb\n```", "```js\nlet a = 2\nb\n```").blocks
    assert [(part.kind, part.text) for part in block.parts] == [
        ("same", "```js\n"),
        ("removed", "let a = 1\n"),
        ("added", "let a = 2\n"),
        ("same", "b\n```"),
    ]


def test_change_of_many_words_in_a_row_is_one_change() -> None:
    assert text_parts("a, b. c", "x, y. c") == (
        DifferencePart("removed", "a, b"),
        DifferencePart("added", "x, y"),
        DifferencePart("same", ". c"),
    )


def test_block_that_moved_between_others_is_paired_with_the_most_similar_one() -> None:
    old = "alpha beta gamma\n\none two three four"
    new = "zeta eta\n\none two three five\n\nalpha beta delta"
    kinds = {block.new.text: block.old for block in difference(old, new).blocks if block.new}
    assert kinds["zeta eta"] is None
    paired = kinds["one two three five"]
    assert paired is not None
    assert paired.text == "one two three four"


def test_link_definition_changes_the_blocks_that_use_it() -> None:
    kinds = [block.kind for block in difference("[a]\n\nb\n\n[a]: /x", "[a]\n\nb\n\n[a]: /y").blocks]
    assert kinds == ["changed", "same"]


def test_pages_that_one_version_does_not_have_are_added_or_removed() -> None:
    page = composed("# A\n\nb")
    assert [block.kind for block in page_difference(None, page).blocks] == ["added", "added"]
    assert [block.kind for block in page_difference(page, None).blocks] == ["removed", "removed"]


def test_change_of_the_title_is_a_difference() -> None:
    found = difference("---\ntitle: Old name\n---\nx", "---\ntitle: New name\n---\nx")
    assert [part.text for part in found.title_parts] == ["Old", "New", " name"]
    assert not found.is_empty
    assert difference("---\ntitle: A\ndescription: b\n---\nx", "---\ntitle: A\n---\nx").is_empty


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("x\n" * 100_000, "x\n" * 50_000 + "y\n" + "x\n" * 49_999),
        ("x\n" * 500_000, "y\n" + "x\n" * 499_999),
        ("x" * (MOST_CHARACTERS + 1), "y"),
        ("x\n" * (MOST_LINES + 2), "y"),
        ("x\n\n" * (MOST_CHANGES + 2), "y\n\n" * (MOST_CHANGES + 2)),
    ],
    ids=["100,000 equal lines", "1 MB", "characters", "lines", "changes"],
)
def test_versions_beyond_a_limit_replace_each_other(old: str, new: str) -> None:
    start_s = time.process_time()
    found = difference(old, new)
    assert [(block.kind, (block.old or block.new) is not None) for block in found.blocks] == [
        ("removed", True),
        ("added", True),
    ]
    assert found.is_whole
    assert time.process_time() - start_s < 1


def test_long_version_without_a_change_is_the_same() -> None:
    found = difference("x" * (MOST_CHARACTERS + 1), "x" * (MOST_CHARACTERS + 1))
    assert found.is_empty


@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("- x\n" * 3_900, "- x\n" * 2_000 + "- y\n" + "- x\n" * 1_800),
        ("a b " * 40_000, "a c " * 40_000),
        ("\n\n".join(["word and " * 20] * 900), "\n\n".join(["word or " * 20] * 900)),
        ("```\n" + "x\n" * 3_900 + "```", "```\n" + "x\ny\n" * 1_900 + "```"),
    ],
    ids=["items", "words", "paragraphs", "code"],
)
def test_hostile_versions_take_bounded_time(old: str, new: str) -> None:
    start_s = time.process_time()
    found = difference(old, new)
    assert not found.is_whole
    assert any(block.parts for block in found.blocks) or any(block.kind == "added" for block in found.blocks)
    assert time.process_time() - start_s < 4
