"""`SUMMARY.md` as sections of a menu."""

from __future__ import annotations

import pytest
from tests.suite.time_complexity import MAX_LINEAR_GROWTH, cpu_time_growth

from kinfolk.content.docs.menus.book_summary import read_summary

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


def test_chapters_are_numbered_in_sections() -> None:
    found = [(one.label, [(page.label, page.target) for page in one.pages]) for one in read_summary(SUMMARY, "src")]
    assert found == [
        ("Start", [("Intro", "src/README.md")]),
        ("Guide", [("1. Install", "src/install.md"), ("2. Use", "src/use it.md")]),
        (
            "Reference: 3. CLI",
            [("3. CLI", "src/cli/README.md"), ("3.1. build", "src/cli/build.md"), ("3.1.1. Deep", "src/cli/deep.md")],
        ),
        ("Reference", [("4. CI", "src/ci.md")]),
        ("Reference: 5. Format", [("5. Format", "src/format.md"), ("5.1. A [b] c", "src/format/a.md")]),
        ("More", [("Thanks", "src/misc/thanks.md")]),
    ]


def test_sections_of_one_label_are_one() -> None:
    text = "# P\n- [A](a.md)\n  - [B](b.md)\n- [C](c.md)\n# Q\n- [X](x.md)\n# Q\n- [Y](y.md)\n"
    assert [one.label for one in read_summary(text, "")] == ["1. A", "2. C", "Q"]


def test_first_heading_is_the_title_of_the_file() -> None:
    assert [one.label for one in read_summary("- [A](a.md)\n", "")] == ["Chapters"]
    assert [one.label for one in read_summary("# Any title\n- [A](a.md)\n", "")] == ["Chapters"]


@pytest.mark.parametrize("part", ["- [a](b.md)\n", "- [", "[", "[a](", "  - [a](b)\n   ", "# a\n", "\\"])
def test_summaries_are_read_in_linear_time(part: str) -> None:
    growth = cpu_time_growth(lambda length: read_summary(part * (length // len(part)), ""), 8_000)
    assert growth < MAX_LINEAR_GROWTH
