"""Tests of the marks of sections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kinfolk.content.changes.page_marks import InvalidMarks, PageMark, PageTree, ReleaseDay
from kinfolk.content.changes.section_marks import SectionMarks, page_sections
from kinfolk.content.markdown.links.link_resolver import UnchangedLinks
from kinfolk.content.markdown.render import render
from kinfolk.content.markdown.source.compose import compose

Sections = dict[str, str]
sections = st.dictionaries(st.sampled_from("stu"), st.sampled_from("12"), max_size=3)
histories = st.lists(st.dictionaries(st.sampled_from("abc"), sections, max_size=3), min_size=1, max_size=6)
LONG = "A sentence that is long enough to recognize the section by."


def release(number: int) -> ReleaseDay:
    return ReleaseDay(f"5.{number}.0", date(2026, 1, 1) + timedelta(days=number))


def tree_of(pages: Mapping[str, Sections]) -> PageTree:
    """Pages whose content is that of their sections."""
    return {path: repr(sorted(each.items())) for path, each in pages.items()}


def marks_of(history: Sequence[Mapping[str, Sections]]) -> SectionMarks:
    marks = SectionMarks()
    for number, pages in enumerate(history):
        marks = marks.extended(release(number), tree_of(pages), pages.__getitem__)
    return marks


def rendered(markdown: str) -> PageTree:
    return page_sections(render(compose(markdown, str), resolve=UnchangedLinks()))


def since_of(history: Sequence[str]) -> dict[str, str | None]:
    """The release of each section of a page with these versions."""
    marks = SectionMarks()
    for number, text in enumerate(history):
        marks = marks.extended(release(number), {"p": text}, lambda _, text=text: rendered(text))  # type: ignore[misc]
    return {anchor: mark.since and mark.since.number for anchor, mark in marks.of_page("p").items()}


@settings(max_examples=50)
@given(histories)
def test_stored_marks_are_extended_as_those_in_memory(history: list[dict[str, Sections]]) -> None:
    stored = SectionMarks().to_json()
    for number, pages in enumerate(history):
        marks = SectionMarks.from_json(stored).extended(release(number), tree_of(pages), pages.__getitem__)
        stored = marks.to_json()
    assert SectionMarks.from_json(stored) == marks_of(history)


@settings(max_examples=50)
@given(st.lists(sections, min_size=1, max_size=6))
def test_section_is_there_since_the_release_from_which_all_versions_have_it(versions: list[Sections]) -> None:
    """Sections are named by their content here, so that none has moved."""
    history = [{"p": {f"{name}{content}": f"{name}{content}" for name, content in each.items()}} for each in versions]
    for anchor, mark in marks_of(history).of_page("p").items():
        without = [number for number, pages in enumerate(history) if anchor not in pages["p"]]
        assert mark.since == release(max(without, default=-1) + 1)
        assert mark.is_original == (not without)


def test_only_new_and_changed_pages_are_read() -> None:
    read: list[str] = []

    def sections_of(path: str) -> PageTree:
        read.append(path)
        return {"s": "1"}

    marks = SectionMarks().extended(release(0), {"a": "1", "b": "1", "c": "2"}, sections_of)
    read.clear()
    marks.extended(release(1), {"a": "1", "b": "3", "moved": "2", "new": "4"}, sections_of)
    assert read == ["b", "new"]


def test_sections_of_a_moved_page_keep_their_marks() -> None:
    first = marks_of([{"old": {"s": "1"}, "other": {"s": "2"}}])
    pages = {"new": {"s": "1"}, "changed": {"s": "9", "t": "3"}}
    marks = first.extended(release(1), tree_of(pages), pages.__getitem__, {"changed": "other"})
    assert marks.of_page("new")["s"] == PageMark(release(0), release(0), is_original=True)
    assert marks.of_page("changed")["s"] == PageMark(release(0), release(1), is_original=True)
    assert marks.of_page("changed")["t"] == PageMark(release(1), release(1))


@pytest.mark.parametrize("order", ["ac", "ca"])
def test_moved_page_has_the_marks_of_the_oldest_page_with_its_content(order: str) -> None:
    pages = {"a": {"s": "1"}, "c": {"s": "1"}}
    marks = marks_of([{"a": pages["a"]}, {path: pages[path] for path in order}, {"b": {"s": "1"}}])
    assert (since := marks.of_page("b")["s"].since) is not None
    assert since.number == "5.0.0"


def test_section_of_a_new_page_is_as_old_as_the_page() -> None:
    marks = marks_of([{}, {"p": {"s": "1"}}])
    assert marks.of_page("p") == {"s": PageMark(release(1), release(1), is_original=True)}
    assert marks.of_page("unknown") == {}


def test_sections_of_the_branch_are_compared_with_the_last_release() -> None:
    found = marks_of([{"p": {"s": "1", "t": "1"}}]).of_page("p", {"s": "1", "t": "2", "u": "3"})
    assert {anchor: mark.unreleased for anchor, mark in found.items()} == {"s": None, "t": "changed", "u": "new"}


def test_sections_are_those_of_the_outline() -> None:
    text = f"# T\n\n## One\n\n{LONG}\n\n### Two\n\ntext\n\n## One\n\n{LONG}"
    found = rendered(text)
    assert list(found) == ["one", "two", "one-1"]
    assert found["one"] == found["one-1"]


def test_added_section_has_its_release() -> None:
    history = [f"# T\n\n## a\n\n{LONG}", f"# T\n\n## a\n\nNew text\n\n## b\n\n{LONG} More"]
    assert since_of(history) == {"a": "5.0.0", "b": "5.1.0"}


def test_section_with_another_heading_keeps_its_release() -> None:
    assert since_of([f"## a\n\n{LONG}\n\n## x", f"## `a(options)`\n\n{LONG}\n\n## y"]) == {
        "aoptions": "5.0.0",
        "y": "5.1.0",
    }


def test_members_of_api_references_are_sections() -> None:
    member = "### {}()\n\n```ts\n{}(): void\n```\n\nDefined in: [a.ts:1](https://x.example)\n\n"
    page = "# Class: Client\n\nDefined in: [a.ts:1](https://x.example)\n\n## Methods\n\n"
    first, second = (page + "".join(member.format(name, name) for name in names) for names in (["a"], ["a", "b"]))
    assert since_of([first, second]) == {"methods": "5.0.0", "a": "5.0.0", "b": "5.1.0"}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        '{"format":1}',
        '{"format":1,"sections":{"p":["1"]}}',
        '{"format":1,"sections":{"p":["1",{"pages":{}}]}}',
    ],
)
def test_damaged_state_is_refused(text: str) -> None:
    with pytest.raises(InvalidMarks):
        SectionMarks.from_json(text)
