"""The stored marks: extended by the releases that they lack, they are those of a comparison of all trees."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.content.changes.test_page_marks import compared_marks, histories

from kinfolk.config.catalog.releases import Release
from kinfolk.content.changes.page_marks import PageTree, ReleaseDay, ReleaseMarks
from kinfolk.content.changes.section_marks import SectionMarks
from kinfolk.content.docs.marks.mark_file import release_marks, section_marks

Trees = Sequence[PageTree]


def releases(history: Trees) -> list[Release]:
    """With the numbers and days of `compared_marks`."""
    start = date(2026, 1, 1)
    return [
        Release(f"5.{at}.0", f"v5.{at}.0", "", start + timedelta(days=at), {}, "docs", json.dumps(tree, sort_keys=True))
        for at, tree in enumerate(history)
    ]


class Reader:
    """Reads trees, and counts the releases that were read."""

    def __init__(self) -> None:
        self.read: list[str] = []

    def marks(self, file: Path, history: Trees) -> ReleaseMarks:
        return release_marks(file, releases(history), self.pages)

    def pages(self, release: Release) -> PageTree:
        self.read.append(release.number)
        tree: dict[str, str] = json.loads(release.docs_tree)
        return tree


@settings(max_examples=40, deadline=None)
@given(histories, st.data())
def test_stored_marks_are_those_of_a_comparison_of_all_trees(
    history: list[dict[str, str]], data: st.DataObject
) -> None:
    stops = data.draw(st.lists(st.integers(1, len(history)), max_size=3))
    with TemporaryDirectory() as folder:
        file = Path(folder) / "query.marks.json"
        for stop in [*sorted(stops), len(history)]:
            marks = Reader().marks(file, history[:stop])
            assert marks.page_marks() == compared_marks(history[:stop])


@settings(max_examples=25, deadline=None)
@given(histories, st.data())
def test_stored_marks_of_sections_are_those_of_all_releases(history: list[dict[str, str]], data: st.DataObject) -> None:
    # Content 2 of a page has one section more than content 1.
    def sections_of(_: str, content: str) -> PageTree:
        return {section: section for section in "ab"[: int(content)]}

    def no_fetch(_: Trees) -> None: ...

    stop = data.draw(st.integers(1, len(history)))
    expected = SectionMarks()
    for one, pages in zip(releases(history), history, strict=True):
        expected = expected.extended(ReleaseDay(one.number, one.day), pages, sections_in(pages, sections_of))
    with TemporaryDirectory() as folder:
        file = Path(folder) / "query.sections.json"
        for part in (history[:stop], history):
            marks = section_marks(file, releases(part), Reader().pages, no_fetch, sections_of)
    assert {path: marks.of_page(path) for path in marks.pages} == {
        path: expected.of_page(path) for path in expected.pages
    }


def sections_in(pages: PageTree, sections_of: Callable[[str, str], PageTree]) -> Callable[[str], PageTree]:
    return lambda path: sections_of(path, pages[path])


def test_only_new_releases_with_other_docs_are_read(tmp_path: Path) -> None:
    file, history = tmp_path / "marks.json", [{"a": "1"}, {"a": "1"}, {"a": "2"}]
    first, second = Reader(), Reader()
    first.marks(file, history)
    second.marks(file, [*history, {"a": "2"}, {"a": "3"}])
    assert (first.read, second.read) == (["5.0.0", "5.2.0"], ["5.4.0"])
    assert [each.name for each in tmp_path.iterdir()] == ["marks.json"]


def test_another_history_is_read_from_its_start(tmp_path: Path) -> None:
    file = tmp_path / "marks.json"
    Reader().marks(file, [{"a": "1"}, {"a": "2"}])
    moved = [{"a": "1"}, {"a": "3"}, {"a": "3"}]
    assert Reader().marks(file, moved).page_marks() == compared_marks(moved)


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"format":1,"count":"x"}', '{"format":1,"count":1,"history":"","pages":{}}', "[" * 100_000],
)
def test_damaged_file_is_made_again(tmp_path: Path, text: str) -> None:
    file, history = tmp_path / "marks.json", [{"a": "1"}]
    file.write_text(text)
    assert Reader().marks(file, history).page_marks() == compared_marks(history)
    again = Reader()
    again.marks(file, history)
    assert again.read == []


def test_marks_that_cannot_be_stored_are_used(tmp_path: Path) -> None:
    history = [{"a": "1"}]
    assert Reader().marks(tmp_path / "no folder" / "marks.json", history).page_marks() == compared_marks(history)
