"""Which file names are listed, and so can be asked for."""

from __future__ import annotations

import pytest

from kinfolk.sources.paths import LONGEST_PATH, is_plain_path, name_fault, page_fault, path_fault, shown

PLAIN = [
    "overview.md",
    "a b.md",
    "a..b.md",
    "trail..md",
    "what?.md",
    "50%.md",
    "a%2Fb.md",
    ".eslintrc",
    "überblick.md",
    "日本.md",
]
NOT_PLAIN = [
    ("", "it is no name"),
    (".", "it is no name"),
    ("..", "it is no name"),
    (".GIT", "it is git's own"),
    ("migration\u00a0guide.md", "it holds U+00A0, which is not printed"),
    ("zero\u200bwidth.md", "it holds U+200B, which is not printed"),
    ("right\u202eleft.md", "it holds U+202E, which is not printed"),
    ("two\nlines.md", "it holds U+000A, which is not printed"),
    ("bell\x07.md", "it holds U+0007, which is not printed"),
    ("nul\0.md", "it holds U+0000, which is not printed"),
    ("back\\slash.md", "it holds a slash or a backslash"),
    ("sl/ash.md", "it holds a slash or a backslash"),
]


@pytest.mark.parametrize("name", PLAIN)
def test_a_plain_name_is_listed_and_may_be_asked_for(name: str) -> None:
    assert name_fault(name.encode()) is None
    assert path_fault(name) is None
    assert is_plain_path(f"docs/{name}/{name}")


@pytest.mark.parametrize(("name", "fault"), NOT_PLAIN)
def test_a_name_that_is_not_plain_is_neither_listed_nor_asked_for(name: str, fault: str) -> None:
    assert name_fault(name.encode()) == fault
    assert "/" in name or not is_plain_path(f"docs/{name}")


def test_bytes_that_are_no_text_are_not_listed() -> None:
    assert name_fault(b"\xff.md") == "it is not UTF-8"
    assert name_fault("\ud800.md".encode(errors="surrogatepass")) == "it is not UTF-8"


@pytest.mark.parametrize("path", ["", "/docs/a.md", "docs//a.md", "docs/../a.md", "docs/./a.md", "docs/", "../a.md"])
def test_a_path_that_could_mean_another_file_is_not_plain(path: str) -> None:
    assert path_fault(path) == "it has a part that is no name"


def test_a_path_may_be_as_long_as_its_address_allows() -> None:
    assert path_fault("docs/" + "x" * (LONGEST_PATH - 5)) is None
    assert path_fault("docs/" + "x" * LONGEST_PATH) == "it is too long"
    assert path_fault("docs/" + "日" * (LONGEST_PATH // 9)) == "it is too long"


@pytest.mark.parametrize(
    ("path", "fault"),
    [
        ("docs/overview.md", None),
        ("docs/a.b.md", None),
        ("docs/.md", "it has no name before .md"),
        ("docs/a.md.md", "its address would be that of the Markdown of another page"),
        ("docs/a .md", "its address would end with a space"),
        ("docs/a /index.md", "its address would end with a space"),
        ("docs/a /b.md", None),
        ("docs/a^b.md", "its address would hold a ^"),
        ("docs/a.md/index.md", "its address would be that of the Markdown of another page"),
    ],
)
def test_a_page_needs_an_address_of_its_own(path: str, fault: str | None) -> None:
    assert page_fault(path) == fault


def test_a_name_is_shown_with_escapes() -> None:
    assert shown("docs/a\u00a0b.md") == r"'docs/a\xa0b.md'"
    assert shown(b"docs/\xff.md") == r"'docs/\\xff.md'"
    assert len(shown("x" * 9999)) < 400
