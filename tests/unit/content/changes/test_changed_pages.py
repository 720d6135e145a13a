"""Tests of the pages that differ between two trees."""

from __future__ import annotations

import time
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinfolk.content.changes.changed_pages import (
    MOST_CHARACTERS,
    MOST_TEXTS,
    ChangedPages,
    MovedPage,
    changed_pages,
)
from kinfolk.content.changes.page_marks import PageTree

trees = st.dictionaries(st.sampled_from(["a/x", "b/x", "c/y", "d/z"]), st.sampled_from("123"))


def differences(old: PageTree, new: PageTree) -> ChangedPages:
    """Those of pages whose content is their text."""
    return changed_pages(old, new, read_old=old.__getitem__, read_new=new.__getitem__)


@given(trees, trees)
def test_each_page_is_named_once(old: dict[str, str], new: dict[str, str]) -> None:
    found = changed_pages(old, new)
    same = {path for path in old if old[path] == new.get(path)}
    assert sorted([*found.removed, *(one.old_path for one in found.moved), *found.changed, *same]) == sorted(old)
    assert sorted([*found.added, *(one.path for one in found.moved), *found.changed, *same]) == sorted(new)
    assert all(old[one.old_path] == new[one.path] for one in found.moved)


def test_changes_have_their_kinds() -> None:
    found = changed_pages({"a": "1", "b": "1", "gone": "3", "old": "2"}, {"a": "1", "b": "9", "came": "4", "new": "2"})
    assert found == ChangedPages(("came",), ("gone",), (MovedPage("old", "new", is_changed=False),), ("b",))


def test_pages_of_one_content_and_name_belong_together() -> None:
    found = changed_pages({"a/x": "1", "a/y": "1"}, {"b/y": "1", "b/z": "1"})
    assert [(one.old_path, one.path) for one in found.moved] == [("a/y", "b/y"), ("a/x", "b/z")]


@pytest.mark.parametrize(
    ("text", "is_moved"),
    [
        ("one\ntwo\nthree\nfive", True),
        ("  one\n\ntwo\nthree\nnew words", True),
        ("one\nother words\nand more of them", False),
    ],
)
def test_page_with_most_lines_of_a_removed_page_has_moved(text: str, is_moved: bool) -> None:
    found = differences({"old": "one\ntwo\nthree\nfour"}, {"new": text})
    assert found.moved == ((MovedPage("old", "new", is_changed=True),) if is_moved else ())


def test_most_similar_page_is_the_one_that_moved() -> None:
    old = {"less": "one\ntwo\nthree\nx", "more": "one\ntwo\nthree\nfour"}
    assert differences(old, {"new": "one\ntwo\nthree\nfour\nfive"}).moved == (
        MovedPage("more", "new", is_changed=True),
    )


def test_lines_of_many_pages_are_no_sign_of_a_move() -> None:
    old = {f"old{number}": f"License\n{number}" for number in range(20)}
    assert differences(old, {"new": "License\nnew"}).moved == ()


def test_only_pages_that_may_have_moved_are_read() -> None:
    read: list[str] = []

    def reader(tree: PageTree) -> Mapping[str, str]:
        class Recorded(dict[str, str]):
            def __missing__(self, path: str) -> str:
                read.append(path)
                return tree[path]

        return Recorded()

    old, new = {"same": "1", "changed": "2", "moved": "3", "gone": "4"}, {"same": "1", "changed": "5", "to": "3"}
    changed_pages(old, new, read_old=reader(old).__getitem__, read_new=reader(new).__getitem__)
    assert read == []


@pytest.mark.no_cover
def test_cost_of_many_similar_pages_is_bounded() -> None:
    count, length = 200, 4_000
    lines = "\n".join(f"{number:03}" for number in range(length // 4))
    old = {f"old{number}": f"{lines}\n{number}" for number in range(count)}
    new = {f"new{number}": f"{lines}\nn{number}" for number in range(count)}
    start_s = time.process_time()
    differences(old, new)
    assert time.process_time() - start_s < 2


def test_more_text_than_the_bound_is_not_compared() -> None:
    text = "line\n" * (MOST_CHARACTERS // 9)
    assert differences({"old": text}, {"new": f"{text}x"}).moved == ()
    many = {f"{number}": f"a\nb\n{number}" for number in range(MOST_TEXTS)}
    assert differences(many, {"new": "a\nb\n0\nc"}).moved == ()
