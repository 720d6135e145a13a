"""What readers see of the marks of a page."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from itertools import pairwise

import pytest
from tests.unit.content.changes.test_page_marks import marks_of

from kinfolk.content.changes.page_marks import ReleaseDay
from kinfolk.content.changes.section_marks import SectionMarks
from kinfolk.content.docs.marks.library_marks import LibraryMarks, ShownMark

HISTORY = [
    {"a.md": "1", "b.md": "1", "old.md": "1", "reference/A.md": "1"},
    {"a.md": "2", "b.md": "1", "old.md": "1", "reference/A.md": "2"},
    {"a.md": "2", "b.md": "1", "old.md": "1", "c.md": "1", "reference/A.md": "3", "reference/B.md": "1"},
]
NUMBERS = ("5.0.0", "5.1.0", "5.2.0")
MARKS = LibraryMarks(marks_of(HISTORY), {newer: older for older, newer in pairwise(NUMBERS)}, recent=frozenset(NUMBERS))


def shown(marks: LibraryMarks, *files: tuple[str, str], gone: str = "") -> ShownMark | None:
    return marks.of_page(*files, is_page=lambda path: path != gone)


@pytest.mark.parametrize(
    ("files", "mark"),
    [
        ([("a.md", "2")], ShownMark(is_new=False, older="5.0.0", newer="5.1.0")),
        ([("b.md", "1")], None),
        ([("c.md", "1")], ShownMark(is_new=True, older="5.1.0", newer="5.2.0")),
        ([("c.md", "2")], ShownMark(is_new=True, older="5.1.0", newer="5.2.0")),
        ([("a.md", "3")], ShownMark(is_new=False, older="5.2.0", newer="latest")),
        ([("d.md", "9")], ShownMark(is_new=True, older="5.2.0", newer="latest")),
        ([("b.md", "1"), ("a.md", "2")], ShownMark(is_new=False, older="5.0.0", newer="5.1.0")),
        ([("b.md", "1"), ("a.md", "3")], ShownMark(is_new=False, older="5.2.0", newer="latest")),
        ([("b.md", "1"), ("c.md", "1")], ShownMark(is_new=False, older="5.1.0", newer="5.2.0")),
        ([("reference/A.md", "4")], None),
        ([("reference/B.md", "1")], ShownMark(is_new=True, older="5.1.0", newer="5.2.0")),
    ],
)  # fmt: skip
def test_page_is_new_or_updated(files: list[tuple[str, str]], mark: ShownMark | None) -> None:
    assert shown(MARKS, *files) == mark


def test_moved_page_has_no_mark() -> None:
    marks = replace(MARKS, marks=marks_of([{"old.md": "1"}, {"old.md": "1"}, {"old.md": "1"}]))
    assert shown(marks, ("moved.md", "1"), gone="old.md") is None


def test_releases_that_are_not_recent_are_not_shown() -> None:
    marks = replace(MARKS, recent=frozenset(["5.2.0"]))
    assert shown(marks, ("a.md", "2")) is None
    assert shown(marks, ("c.md", "1")) is not None


@pytest.mark.parametrize(
    ("path", "section", "release"),
    [
        ("reference/A.md", "", None),
        ("reference/A.md", "old", None),
        ("reference/A.md", "younger", "5.2"),
        ("reference/A.md", "unreleased", None),
        ("reference/B.md", "", "5.2"),
        ("reference/B.md", "first", "5.2"),
        ("reference/C.md", "", None),
    ],
)
def test_symbol_is_as_old_as_its_section_or_page(path: str, section: str, release: str | None) -> None:
    sections = SectionMarks()
    trees = {"reference/A.md1": {"old": "1"}, "reference/A.md2": {"old": "1"}, "reference/B.md1": {"first": "1"}}
    trees["reference/A.md3"] = {"old": "1", "younger": "1"}
    for number, pages in zip(NUMBERS, HISTORY, strict=True):
        references = {path: path + content for path, content in pages.items() if path.startswith("reference/")}
        read = {path: trees[content] for path, content in references.items()}
        sections = sections.extended(ReleaseDay(number, date(2026, 1, 1)), references, read.__getitem__)
    assert replace(MARKS, sections=sections).symbol_release(path, section) == release


def test_library_without_releases_has_no_marks() -> None:
    assert shown(LibraryMarks(), ("a.md", "1")) is None
    assert LibraryMarks().released("a.md") is None


def test_badges_are_those_of_the_last_release() -> None:
    assert MARKS.released("d.md") is None
    assert [mark.badge for path in ("a.md", "c.md") if (mark := MARKS.released(path))] == ["Updated", "New"]
    assert MARKS.released("b.md", "missing.md") is None


def test_label_names_the_minor_version_or_the_last_release() -> None:
    labels = [
        ShownMark(is_new=True, older="5.1.9", newer="5.2.3").label,
        ShownMark(is_new=False, older="5.2.3", newer="latest").label,
    ]
    assert labels == ["New in 5.2", "Updated after 5.2.3"]
