"""Tests of the texts of sections."""

from __future__ import annotations

from kinfolk.content.markdown.front_matter import FrontMatter
from kinfolk.content.markdown.html.section_texts import section_texts
from kinfolk.content.markdown.links.link_resolver import UnchangedLinks
from kinfolk.content.markdown.render import render
from kinfolk.content.markdown.source.compose import ComposedMarkdown


def texts(markdown: str) -> dict[str, str]:
    return dict(section_texts(render(ComposedMarkdown(markdown, FrontMatter(title="T")), resolve=UnchangedLinks())))


def test_sections_end_at_the_next_heading() -> None:
    assert texts("Before\n\n## One & two\n\nText `code`\n\n### Inner\n\n- a") == {
        "": "Before",
        "one--two": "One & two Text code",
        "inner": "Inner a",
    }


def test_page_without_headings_has_its_text() -> None:
    assert texts("Only text") == {"": "Only text"}
