"""Validates file names, of listings and of requests."""

from __future__ import annotations

import pytest

from kinfolk.content.sources.paths import (
    LONGEST_PATH,
    folders_of,
    is_plain_path,
    name_fault,
    page_fault,
    path_fault,
    quoted_path,
)

VALID = [
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
INVALID = [
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


@pytest.mark.parametrize("name", VALID)
def test_valid_name_is_listed_and_accepted_in_requests(name: str) -> None:
    assert name_fault(name.encode()) is None
    assert path_fault(name) is None
    assert is_plain_path(f"docs/{name}/{name}")


@pytest.mark.parametrize(("name", "fault"), INVALID)
def test_invalid_name_is_not_listed_and_rejected_in_requests(name: str, fault: str) -> None:
    assert name_fault(name.encode()) == fault
    assert "/" in name or not is_plain_path(f"docs/{name}")


def test_name_that_is_not_utf8_is_not_listed() -> None:
    assert name_fault(b"\xff.md") == "it is not UTF-8"
    assert name_fault("\ud800.md".encode(errors="surrogatepass")) == "it is not UTF-8"


@pytest.mark.parametrize("path", ["", "/docs/a.md", "docs//a.md", "docs/../a.md", "docs/./a.md", "docs/", "../a.md"])
def test_ambiguous_path_is_invalid(path: str) -> None:
    assert path_fault(path) == "it has a part that is no name"


def test_path_length_is_limited_by_its_url() -> None:
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
def test_page_without_a_unique_url_is_reported(path: str, fault: str | None) -> None:
    assert page_fault(path) == fault


def test_quoted_path_escapes_unprintable_characters() -> None:
    assert quoted_path("docs/a\u00a0b.md") == r"'docs/a\xa0b.md'"
    assert quoted_path(b"docs/\xff.md") == r"'docs/\\xff.md'"
    assert len(quoted_path("x" * 9999)) < 400


def test_folders_of_files_have_those_that_they_are_in() -> None:
    assert folders_of(["README.md", "docs/guides/a/x.md", "docs/guides/y.md"]) == {
        "docs",
        "docs/guides",
        "docs/guides/a",
    }
