"""Tests of the marks of pages. The marks of a history are compared with those that all of its trees give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinfolk.content.changes.page_marks import InvalidMarks, PageMark, PageTree, ReleaseDay, ReleaseMarks

trees = st.dictionaries(st.sampled_from("abcdef"), st.sampled_from("12"), max_size=5)
histories = st.lists(trees, min_size=1, max_size=8)


def release(number: int) -> ReleaseDay:
    return ReleaseDay(f"5.{number}.0", date(2026, 1, 1) + timedelta(days=number))


def marks_of(history: Sequence[PageTree]) -> ReleaseMarks:
    marks = ReleaseMarks()
    for number, tree in enumerate(history):
        marks = marks.extended(release(number), tree)
    return marks


def compared(history: Sequence[PageTree], at: int, path: str) -> tuple[int, int]:
    """Since and updated of a page of release `at`, by looking back through all trees before it."""
    content, before = history[at][path], history[at - 1] if at else {}
    if path in before:
        since, updated = compared(history, at - 1, path)
        return since, updated if before[path] == content else at
    moved = [old for old in before if old not in history[at] and before[old] == content]
    return min((compared(history, at - 1, old) for old in moved), default=(at, at))


def compared_marks(history: Sequence[PageTree]) -> Mapping[str, PageMark]:
    last = len(history) - 1
    found = {path: compared(history, last, path) for path in history[last]}
    return {
        path: PageMark(release(since), release(updated), is_original=since == 0)
        for path, (since, updated) in found.items()
    }


@given(histories)
def test_marks_are_those_of_a_comparison_of_all_trees(history: list[dict[str, str]]) -> None:
    assert marks_of(history).page_marks() == compared_marks(history)


@given(histories)
def test_stored_marks_are_extended_as_those_in_memory(history: list[dict[str, str]]) -> None:
    stored = ReleaseMarks().to_json()
    for number, tree in enumerate(history):
        stored = ReleaseMarks.from_json(stored).extended(release(number), tree).to_json()
    assert ReleaseMarks.from_json(stored) == marks_of(history)


@given(histories, trees)
def test_marks_of_the_branch_are_those_of_a_release_with_its_tree(
    history: list[dict[str, str]], branch: dict[str, str]
) -> None:
    following = release(len(history))
    released = marks_of([*history, branch]).page_marks()
    for path, mark in marks_of(history).page_marks(branch).items():
        assert mark.since == (None if released[path].since == following else released[path].since)
        assert (mark.unreleased is not None) == (released[path].updated == following)


def test_page_that_returns_is_new_again() -> None:
    marks = marks_of([{"a": "1"}, {}, {"a": "1"}])
    assert marks.page_marks() == {"a": PageMark(release(2), release(2))}


def test_moved_page_keeps_its_marks() -> None:
    marks = marks_of([{"x": "0"}, {"x": "0", "old": "1"}, {"x": "0", "new": "1"}])
    assert marks.page_marks()["new"] == PageMark(release(1), release(1))


def test_moved_page_that_changes_at_once_is_new() -> None:
    assert marks_of([{"old": "1"}, {"new": "2"}]).page_marks()["new"].since == release(1)


def test_page_with_the_content_of_several_that_disappear_is_as_old_as_the_oldest() -> None:
    history = [{}, {"b": "1"}, {"a": "1", "b": "1"}, {"a": "1", "b": "1", "c": "1"}, {"new": "1"}]
    assert marks_of(history).page_marks()["new"] == PageMark(release(1), release(1))


def test_page_that_moved_with_a_change_keeps_its_first_release() -> None:
    marks = marks_of([{}, {"old": "1"}]).extended(release(2), {"new": "2", "x": "0"}, {"new": "old", "x": "unknown"})
    assert marks.page_marks() == {
        "new": PageMark(release(1), release(2)),
        "x": PageMark(release(2), release(2)),
    }


def test_branch_has_new_changed_and_released_pages() -> None:
    branch = {"a": "1", "b": "2", "new": "9", "moved": "1", "moved and changed": "8"}
    marks = marks_of([{"a": "1", "b": "1", "c": "1", "d": "2"}]).page_marks(branch, {"moved and changed": "d"})
    assert {path: mark.unreleased for path, mark in marks.items()} == {
        "a": None,
        "b": "changed",
        "new": "new",
        "moved": None,
        "moved and changed": "changed",
    }
    assert marks["b"].updated == release(0)
    assert marks["moved"].since == marks["moved and changed"].since == release(0)


def test_state_names_only_releases_that_marks_have() -> None:
    marks = marks_of([{"a": "1"}] * 50 + [{"a": "2"}] * 50)
    assert list(marks.releases) == [0, 50, 99]
    assert marks.last == release(99)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"format":0,"releases":{},"pages":{}}',
        '{"format":1,"releases":{"0":["1.0.0","soon"]},"pages":{}}',
        '{"format":1,"releases":{"0":["1.0.0","2026-01-01"]},"pages":{"a":["1",0,7]}}',
        '{"format":1,"releases":{},"pages":{"a":["1","x",0]}}',
        "[" * 100_000,
    ],
)
def test_damaged_state_is_refused(text: str) -> None:
    with pytest.raises(InvalidMarks):
        ReleaseMarks.from_json(text)
