"""`kinfolk check` finds what is broken and says where."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from kinfolk.checks import check_docs
from kinfolk.settings import Settings

CONFIG = '{"sections": [{"label": "Start", "children": [{"label": "Overview", "to": "overview"}]}]}'
PAGE = "---\ntitle: Overview\n---\n\n## Part\n\n"


@pytest.fixture
def family(tmp_path: Path) -> Path:
    """A directory with a page and its navigation, and nothing wrong with them."""
    write(tmp_path, "docs/config.json", CONFIG)
    write(tmp_path, "docs/overview.md", PAGE + "[here](./overview.md#part)")
    return tmp_path


def write(family: Path, path: str, text: str) -> None:
    file = family / "TanStack/query/main" / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def faults(settings: Settings, family: Path) -> list[str]:
    ours = dataclasses.replace(settings, words=family, content=family)
    return [fault.message for fault in check_docs(ours, family).faults]


def test_where_nothing_is_wrong_nothing_is_said(settings: Settings, family: Path) -> None:
    assert faults(settings, family) == []


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("[x](./gone.md)", "line 7: the link ./gone.md leads nowhere"),
        ("[x](#nowhere)", "line 7: the link #nowhere leads nowhere"),
        (
            "[x](./other.md#nowhere)",
            "line 7: ./other.md#nowhere names an anchor that TanStack/query/main/docs/other.md does not have",
        ),
        ("![x](./gone.png)", "line 7: the image ./gone.png does not exist"),
        (
            "![x](https://raw.githubusercontent.com/TanStack/query/main/docs/gone.png)",
            "line 7: the image https://raw.githubusercontent.com/TanStack/query/main/docs/gone.png does not exist",
        ),
    ],
)
def test_what_leads_nowhere_is_named_with_file_and_line(
    settings: Settings, family: Path, line: str, complaint: str
) -> None:
    write(family, "docs/other.md", PAGE)
    write(family, "docs/overview.md", PAGE + line)
    assert faults(settings, family) == [f"TanStack/query/main/docs/overview.md: {complaint}"]


def test_a_navigation_entry_without_a_page_is_named(settings: Settings, family: Path) -> None:
    write(family, "docs/config.json", CONFIG.replace('"to": "overview"', '\n"to": "gone"'))
    assert faults(settings, family) == ["TanStack/query/main/docs/config.json: line 2: Overview: gone leads nowhere"]


def test_a_section_of_the_navigation_that_shows_nothing_is_named(settings: Settings, family: Path) -> None:
    misspelt = CONFIG.replace('[{"label": "Start"', '[\n{"label": "Guides", "childs": []}, {"label": "Start"')
    write(family, "docs/config.json", misspelt)
    assert faults(settings, family) == [
        "TanStack/query/main/docs/config.json: line 2: the section Guides has no entries"
    ]


@pytest.mark.parametrize(
    ("front", "complaint"),
    [
        ("title: [unclosed", "line 3: the front matter is not YAML that we read: did not find expected ',' or ']'"),
        ("title: A: B", "line 2: the front matter is not YAML that we read: mapping values are not allowed in this"),
        ("title: *x", "the front matter is not YAML that we read: "),
        ("just words", "line 2: the front matter is not a table of keys"),
    ],
)
def test_a_front_matter_that_says_nothing_to_the_site_is_named(
    settings: Settings, family: Path, front: str, complaint: str
) -> None:
    write(family, "docs/overview.md", PAGE.replace("title: Overview", front))
    (fault,) = faults(settings, family)
    assert fault.startswith(f"TanStack/query/main/docs/overview.md: {complaint}")


def test_a_config_that_is_not_json_is_named(settings: Settings, family: Path) -> None:
    write(family, "docs/config.json", "{")
    (fault,) = faults(settings, family)
    assert fault.startswith("TanStack/query/main/docs/config.json: is not valid")


def test_a_borrowed_page_whose_source_is_gone_is_named(settings: Settings, family: Path) -> None:
    write(family, "docs/x.md", "---\nref: docs/gone.md\n---\n")
    (fault,) = faults(settings, family)
    assert fault.startswith("TanStack/query/main/docs/x.md: ")
    assert "docs/gone.md" in fault


def test_a_post_that_links_to_docs_that_are_not_there_is_named(settings: Settings, family: Path) -> None:
    post = (
        "---\ntitle: T\ndescription: D\npublished: 2026-11-21\nauthors: [Kinfolk]\n---\n[x](/query/latest/docs/gone)\n"
    )
    (family / "blog").mkdir()
    (family / "blog/a-post.md").write_text(post)
    assert faults(settings, family) == ["blog/a-post.md: line 7: the link /query/latest/docs/gone leads nowhere"]


def test_the_blog_is_not_held_against_docs_of_other_people(settings: Settings, family: Path) -> None:
    assert check_docs(settings, family).faults == ()


@pytest.mark.parametrize(
    ("name", "shown", "reason"),
    [
        (
            "migration\u00a0guide.md",
            r"migration\xa0guide.md",
            "left out, because it holds U+00A0, which is not printed",
        ),
        ("two\nlines.md", r"two\nlines.md", "left out, because it holds U+000A, which is not printed"),
        ("trail .md", "trail .md", "no page, because its address would end with a space"),
    ],
)
def test_a_file_that_is_left_out_for_its_name_is_named(
    settings: Settings, family: Path, name: str, shown: str, reason: str
) -> None:
    write(family, f"docs/{name}", PAGE)
    assert faults(settings, family) == [f"TanStack/query/main: 'docs/{shown}': is {reason}"]
