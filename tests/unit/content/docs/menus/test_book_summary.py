"""`SUMMARY.md` as lists of a menu."""

from __future__ import annotations

import pytest
from tests.suite.time_complexity import MAX_LINEAR_GROWTH, cpu_time_growth

from kinfolk.content.docs.menus.book_summary import summary_entries

SUMMARY = """# Summary

[Intro](README.md)

# Guide

- [Install](install.md)
- [Use](<use it.md>)

# Reference

* [CLI](cli/README.md)
    * [`build`](cli/build.md)
        * [Deep](./cli/deep.md)
    * [Draft]()
* [CI](ci.md)
* [Format](format.md)
  - [A [b] c](format/a.md)

---
[Thanks](misc/thanks.md)
Text that is no link
"""


def test_chapters_are_numbered_in_lists() -> None:
    found = [(one.label, [(page.label, page.target) for page in one.entries]) for one in summary_entries(SUMMARY)]
    assert found == [
        ("Start", [("Intro", "README.md")]),
        ("Guide", [("1. Install", "install.md"), ("2. Use", "use it.md")]),
        (
            "Reference: 3. CLI",
            [("3. CLI", "cli/README.md"), ("3.1. build", "cli/build.md"), ("3.1.1. Deep", "cli/deep.md")],
        ),
        ("Reference", [("4. CI", "ci.md")]),
        ("Reference: 5. Format", [("5. Format", "format.md"), ("5.1. A [b] c", "format/a.md")]),
        ("More", [("Thanks", "misc/thanks.md")]),
    ]


def test_first_heading_is_the_title_of_the_file() -> None:
    assert [one.label for one in summary_entries("- [A](a.md)\n")] == ["Chapters"]
    assert [one.label for one in summary_entries("# Any title\n- [A](a.md)\n")] == ["Chapters"]


@pytest.mark.parametrize("part", ["- [a](b.md)\n", "- [", "[", "[a](", "  - [a](b)\n   ", "# a\n", "\\"])
def test_summaries_are_read_in_linear_time(part: str) -> None:
    growth = cpu_time_growth(lambda length: summary_entries(part * (length // len(part))), 8_000)
    assert growth < MAX_LINEAR_GROWTH
