"""Changelogs of the common tools become the notes of their releases."""

from __future__ import annotations

from datetime import date

import pytest
from tests.inputs.script_vectors import SCRIPT_VECTORS
from tests.suite.time_complexity import MAX_LINEAR_GROWTH, cpu_time_growth

from kinfolk.content.release_notes.changelog import (
    LONGEST_FILE,
    LONGEST_NOTES,
    MOST_LINES,
    MOST_NOTE_LINES,
    MOST_SECTIONS,
    ChangelogSection,
    parse_changelog,
    release_heading,
)

CHANGESETS = """# @acme/react-query

## 5.102.0

### Minor Changes

- [#10668](https://x.test/10668) [`e674826`](https://x.test/c) - add `usePrefetchQuery`

### Patch Changes

- Updated dependencies []:
  - @acme/query-core@5.102.0

## 5.101.4

### Patch Changes

- fix: a leak
"""

KEEP_A_CHANGELOG = """# Changelog

All notable changes are here.

## [Unreleased]

### Added

- Not published yet

## [1.2.0] - 2024-01-02

### Added

- A thing ([#7], [the guide])

## [1.1.0] - 2023-12-01 [YANKED]

### Fixed

- A leak

[#7]: https://x.test/7
[the guide]: https://x.test/guide "Guide"
[unreleased]: https://x.test/compare/v1.2.0...HEAD
[1.2.0]: https://x.test/compare/v1.1.0...v1.2.0
"""

CONVENTIONAL = """## <small>[8.2.2](https://x.test/compare/v8.2.1...v8.2.2) (2026-08-20)</small>
### Bug Fixes

* **css:** a fix ([#1](https://x.test/1))

# [8.0.0](https://x.test/compare/v7.3.1...v8.0.0) (2026-03-12)

### ⚠ BREAKING CHANGES

* remove it

### Beta Changelogs

#### [8.0.0-beta.18](https://x.test/compare) (2026-03-09)

See [its changelog](https://x.test/beta)

### [7.3.1](https://x.test/compare) (2026-01-01)

### Features

* a feature
"""


def numbers(text: str) -> list[str]:
    return [section.number for section in parse_changelog(text).sections]


def notes(text: str, number: str) -> str:
    return section(text, number).text


def section(text: str, number: str) -> ChangelogSection:
    found = parse_changelog(text).find(number)
    assert found is not None
    return found


def test_changesets_name_their_package_and_their_releases() -> None:
    changelog = parse_changelog(CHANGESETS)
    assert changelog.title == "@acme/react-query"
    assert numbers(CHANGESETS) == ["5.102.0", "5.101.4"]
    assert notes(CHANGESETS, "5.101.4") == "### Patch Changes\n\n- fix: a leak"
    assert notes(CHANGESETS, "5.102.0").endswith("- @acme/query-core@5.102.0")
    assert section(CHANGESETS, "5.101.4").line == 14


def test_keep_a_changelog_has_days_and_no_unreleased_section() -> None:
    assert numbers(KEEP_A_CHANGELOG) == ["1.2.0", "1.1.0"]
    assert section(KEEP_A_CHANGELOG, "1.2.0").day == date(2024, 1, 2)
    assert section(KEEP_A_CHANGELOG, "1.1.0").day == date(2023, 12, 1)


def test_notes_have_the_link_definitions_that_they_use() -> None:
    assert notes(KEEP_A_CHANGELOG, "1.2.0").endswith(
        '\n\n[#7]: https://x.test/7\n[the guide]: https://x.test/guide "Guide"'
    )
    assert notes(KEEP_A_CHANGELOG, "1.1.0") == "### Fixed\n\n- A leak"


def test_conventional_changelog_has_releases_on_several_levels() -> None:
    assert numbers(CONVENTIONAL) == ["8.2.2", "8.0.0", "8.0.0-beta.18", "7.3.1"]
    assert notes(CONVENTIONAL, "8.0.0") == "### ⚠ BREAKING CHANGES\n\n* remove it"
    assert notes(CONVENTIONAL, "8.0.0-beta.18").startswith("See [its")
    assert notes(CONVENTIONAL, "7.3.1") == "### Features\n\n* a feature"
    assert section(CONVENTIONAL, "8.2.2").day == date(2026, 8, 20)


def test_heading_above_a_nested_release_ends_it() -> None:
    text = "## 2.0.0\n\na\n\n### [2.0.0-rc.1](https://x.test)\n\nb\n\n## Older versions\n\nc\n"
    assert notes(text, "2.0.0") == "a"
    assert notes(text, "2.0.0-rc.1") == "b"


@pytest.mark.parametrize(
    ("heading", "number"),
    [
        ("v1.2", "1.2"),
        ("1.2.3", "1.2.3"),
        ("[v1.2.3]", "1.2.3"),
        ("1.2.3-rc.1 (2024-01-01)", "1.2.3-rc.1"),
        ("9.0.0-alpha-12", "9.0.0-alpha-12"),
        ("v2.14.0b1 (2026-08-06)", "2.14.0b1"),
        ("1.0.0+build.5", "1.0.0+build.5"),
        ("1.2.0 - 2024-01-01", "1.2.0"),
        ("1.2.0 2024-01-01", "1.2.0"),
        ("1.2.0 – The big one", "1.2.0"),
        ("1.2.0: The big one", "1.2.0"),
        ("0.41.3 / 2019-02-01", "0.41.3"),
        ("Version 1.2.3", "1.2.3"),
        ("jest 29.0.0", "29.0.0"),
        ("`1.2.3`", "1.2.3"),
        ("**1.2.3**", "1.2.3"),
        ("@acme/query@1.2.3", "1.2.3"),
    ],
)
def test_headings_of_releases(heading: str, number: str) -> None:
    found = release_heading(heading)
    assert found is not None
    assert found.number == number


@pytest.mark.parametrize(
    "heading",
    [
        "Unreleased",
        "Features",
        "5.4.x (2024-08-07 - 2024-11-11)",
        "0.5 Migration Guide",
        "1.2.3 is out",
        "2024-01-01",
        "<=0.4.0",
        "Upgrade from 1.0.0",
        "1",
        "v",
        "1.2.3.4.5",
        "9" * 5000,
        "1." * 5000,
    ],
)
def test_other_headings(heading: str) -> None:
    assert release_heading(heading) is None


def test_package_of_a_heading() -> None:
    found = release_heading("@acme/query@1.2.3")
    assert found is not None
    assert found.package == "@acme/query"


def test_long_dates() -> None:
    assert section("## 0.12.1 (January 4, 2019)\n\nx", "0.12.1").day == date(2019, 1, 4)
    assert section("## 0.12.1 (February 31st, 2019)\n\nx", "0.12.1").day is None
    assert section("## 0.12.1 (2019-99-99)\n\nx", "0.12.1").day is None


def test_programs_in_notes_are_no_releases() -> None:
    text = "## 5.0.0\n\n### Node 20.1\n\nis required\n"
    assert numbers(text) == ["5.0.0"]
    assert notes(text, "5.0.0") == "### Node 20.1\n\nis required"


@pytest.mark.parametrize("fence", ["```", "~~~~"])
def test_code_has_no_headings(fence: str) -> None:
    text = f"## 2.0.0\n\n- an example\n\n  {fence}md\n# 1.0.0\n  {fence}\n\n## 1.9.0\n\nb\n"
    assert numbers(text) == ["2.0.0", "1.9.0"]


def test_first_section_with_notes_is_found() -> None:
    text = "## 1.0.0\n\n## 1.0.0\n\na\n\n## 1.0.0\n\nb\n"
    assert notes(text, "1.0.0") == "a"
    assert parse_changelog(text).find("2.0.0") is None


def test_lines_of_other_systems() -> None:
    assert notes("## 1.0.0\r\n\r\n- a\r\n- b\r\n", "1.0.0") == "- a\n- b"


@pytest.mark.parametrize("text", ["", "\n\n", "no headings", "# Changelog", "#", "######", "## \x00", "[a]: b"])
def test_text_without_releases(text: str) -> None:
    assert parse_changelog(text).sections == ()


@pytest.mark.parametrize("vector", SCRIPT_VECTORS)
def test_active_content_stays_within_its_release(vector: str) -> None:
    text = f"## 2.0.0\n\n{vector}\n\n## 1.0.0\n\nb\n"
    assert vector.split("\n", maxsplit=1)[0] in notes(text, "2.0.0")


def test_long_notes_are_cut_at_a_line() -> None:
    line = "a line of twenty characters or so\n"
    found = section("## 1.0.0\n" + line * 5_000, "1.0.0")
    assert found.is_cut
    assert LONGEST_NOTES - len(line) <= len(found.text) <= LONGEST_NOTES
    assert section("## 1.0.0\n" + "a\n" * (MOST_NOTE_LINES + 5), "1.0.0").text.count("a") == MOST_NOTE_LINES
    assert not section("## 1.0.0\n" + line * 400, "1.0.0").is_cut


def test_number_of_releases_and_length_of_a_file_are_limited() -> None:
    assert len(numbers("## 1.0.0\n" * (MOST_SECTIONS + 5))) == MOST_SECTIONS
    assert numbers("\n" * MOST_LINES + "## 1.0.0\n") == []
    assert numbers(("a" * 999 + "\n") * (LONGEST_FILE // 1000 + 1) + "## 1.0.0\n") == []


@pytest.mark.parametrize(
    "part",
    [
        "## 1.0.0\n",
        "# 1.0.0\n## 1.0.0\n### 1.0.0\n",
        "## 1.0.0 ",
        "- ```\n",
        "[a]: b\n",
        "[a",
        "[1] [a]: b\n",
        "# ",
        "#\n",
        "\n",
        "<small>",
        "> ~~~\n",
    ],
)
def test_parsing_takes_linear_time(part: str) -> None:
    def parse(size: int) -> object:
        return parse_changelog("## 2.0.0\n" + part * (size // len(part)))

    assert cpu_time_growth(parse, 6_000) < MAX_LINEAR_GROWTH
