"""Pages load the stylesheet of rare parts only if they have one of them."""

from __future__ import annotations

import pytest
from tests.inputs.dialect_pages import dialect_page

from kinfolk.content.markdown.html.extra_styles import needs_extra_styles
from kinfolk.content.markdown.processes.jobs import InProcessJobs, MarkdownFile


@pytest.mark.parametrize(
    ("text", "is_needed"),
    [
        ("# A\n\nText with `class` and a [card](#a).\n\n> [!NOTE]\n> x\n", False),
        ("A[^1]\n\n[^1]: B\n", True),
        ("$x^2$\n", True),
        ("`#0969da`\n", True),
        ("<!-- ::start:steps -->\n\n1. One\n\n<!-- ::end:steps -->\n", True),
    ],
)
def test_markdown_of_this_site(text: str, is_needed: bool) -> None:
    page = InProcessJobs().page(MarkdownFile("a.md", text, str))
    assert needs_extra_styles(page.html()) is is_needed


@pytest.mark.parametrize(
    "text", ["<FileTree>\n- a/\n</FileTree>\n", '<Card title="A">b</Card>\n', "<Steps>\n1. A\n</Steps>\n"]
)
def test_components_of_other_programs(text: str) -> None:
    assert needs_extra_styles(dialect_page("starlight", text).html())
