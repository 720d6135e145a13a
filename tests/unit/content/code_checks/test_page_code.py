"""The code of a page, with the text around it."""

from __future__ import annotations

import pytest

from kinfolk.content.code_checks.page_code import LONGEST_TEXT, imported_packages, page_code
from kinfolk.content.markdown.processes.jobs import InProcessJobs, MarkdownFile


def code_of(text: str, framework: str | None = None) -> list[tuple[str, str, str | None]]:
    page = InProcessJobs().page(MarkdownFile("a.md", text, lambda _: ""), framework=framework)
    return [(one.heading, one.before, one.framework) for one in page_code("a", "A", framework, page).contexts]


def test_blocks_have_the_heading_and_the_text_before_them() -> None:
    text = (
        "# A\n\nOne.\n\n```ts\na\n```\n\nTwo & <three>.\n\n```ts\nb\n```\n\n## Old `name`\n\nFour.\n\n```ts\nc\n```\n"
    )
    assert [(heading, before.split("\n")[-1]) for heading, before, _ in code_of(text)] == [
        ("", "One."),
        ("", "Two & <three>."),
        ("Old name", "Four."),
    ]


def test_text_before_a_block_is_bounded() -> None:
    assert max(len(before) for _, before, _ in code_of(f"{'word ' * 1000}\n\n```ts\na\n```\n")) == LONGEST_TEXT


def test_blocks_of_framework_panels_know_the_framework() -> None:
    text = (
        "# A\n\n```ts\na\n```\n\n<!-- ::start:framework -->\n\n# React\n\n```ts\nb\n```\n\n# Vue\n\n```ts\nc\n```\n\n"
        "<!-- ::end:framework -->\n\n```ts\nd\n```\n"
    )
    assert [framework for _, _, framework in code_of(text)] == [None, "react", "vue", None]


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("import { a } from '@acme/tiles/core'", {"@acme/tiles"}),
        ('import "react-dom/client"\nexport * from "zod"', {"react-dom", "zod"}),
        ("const a = await import('vue')", {"vue"}),
        ("import a from './local'\nimport b from '@/alias'\nimport c from '#x'\nimport d from 'UPPER'", set()),
    ],
)
def test_imported_packages_are_named(code: str, names: set[str]) -> None:
    assert imported_packages(code) == names
