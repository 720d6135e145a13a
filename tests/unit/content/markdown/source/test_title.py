"""Tests of titles of pages that begin with an HTML heading, as READMEs do."""

from __future__ import annotations

import pytest

from kinfolk.content.docs.file_layouts import page_facts
from kinfolk.content.markdown.dialects import PlacedFile
from kinfolk.content.markdown.links.link_resolver import UnchangedLinks
from kinfolk.content.markdown.markdown_page import MarkdownPage
from kinfolk.content.markdown.processes.jobs import InProcessJobs, MarkdownFile
from kinfolk.runtime.errors import NotFound

JOBS = InProcessJobs()
LOGO = '<p align="center"><a href="x"><img alt="Logo" src="l.svg"></a></p>\n\n'


def file(text: str, dialect: str = "github") -> MarkdownFile:
    def read(path: str) -> str:
        raise NotFound(path)

    return MarkdownFile("", text, read, PlacedFile(dialect, "docs/a.md") if dialect != "github" else None)


def page(text: str) -> MarkdownPage:
    return JOBS.page(file(text))


TITLED = [
    '<h1 align="center">Name</h1>\n\nText\n',
    "<H1>\n  Name\n</H1>\n\nText\n",
    '<h1><img src="l.svg" alt="Name"></h1>\n\nText\n',
    "<h1><img src=l.svg alt='Logo'> Name</h1>\n\nText\n",
    '<h1 align=center><a href="https://acme.example"><b>Na</b>me</a></h1>\n\nText\n',
    '<div align="center">\n<h1>Name</h1>\n</div>\n\nText\n',
    '<div align="center">\n\n<h1>Name</h1>\n\n</div>\n\nText\n',
    f"{LOGO}<h1>Name</h1>\n\nText\n",
    f"<!-- readme -->\n\n{LOGO}[![build](b.svg)](c) ![d](d.svg)\n\n<h1>Name</h1>\n\nText\n",
    '<h1 align="center">\n\n![Logo](l.svg)\n\n**Name**\n\n</h1>\n\nText\n',
    "---\ntitle: Name\n---\n\n<h1>name</h1>\n\nText\n",
]


@pytest.mark.parametrize("text", TITLED)
def test_html_heading_is_the_title_and_no_part_of_the_text(text: str) -> None:
    shown, exported = page(text), JOBS.export(file(text))
    assert (shown.title, exported.title, (page_facts(text).title or "").casefold()) == ("Name", "Name", "name")
    assert "Name" not in shown.html()
    assert "<h" not in shown.html()
    markdown = exported.with_links(UnchangedLinks())
    assert "Name" not in markdown
    assert "h1" not in markdown.lower()
    assert markdown.endswith("Text")
    assert (shown.description, shown.headings) == ("Text", ())


@pytest.mark.parametrize("dialect", ["vitepress", "mkdocs", "docusaurus"])
def test_html_heading_is_the_title_in_each_dialect(dialect: str) -> None:
    assert JOBS.page(file('<h1 align="center">Name</h1>\n\nText\n', dialect)).title == "Name"


def test_what_stands_beside_the_title_stays() -> None:
    text = f"{LOGO}<div align=center>\n<h1>Name</h1>\n<p>Tag line</p>\n</div>\n"
    html = page(text).html()
    assert html.startswith('<p align="center"><a href="x"><img alt="Logo"')
    assert '<div align="center">' in html
    assert "<p>Tag line</p>\n</div>" in html
    assert "<p>Tag line</p>" in JOBS.export(file(text)).with_links(UnchangedLinks())


def test_anchors_of_the_title_lead_to_the_top_of_the_text() -> None:
    shown = page('<h1 id="top"><a name="in"></a>My name</h1>\n\n[a](#top) [b](#in) [c](#my-name)\n')
    assert shown.anchors == {"top", "in", "my-name"}
    assert not any(link.broken for link in shown.links)
    assert shown.html().index('id="my-name"') < shown.html().index("<p>")


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Text first.\n\n<h1>Name</h1>\n", None),
        ("# First\n\n<h1>Name</h1>\n", "First"),
        ("---\ntitle: Other\n---\n\n<h1>Name</h1>\n", "Other"),
        ("> <h1>Name</h1>\n", None),
    ],
)
def test_other_html_heading_becomes_second_level(text: str, title: str | None) -> None:
    shown = page(text)
    assert shown.title == title
    assert "<h2>Name</h2>" in shown.html()


@pytest.mark.parametrize(
    "text", ["```html\n<h1>Name</h1>\n```\n", "<h1>Name\n\nText\n", "<h1></h1>\n\n", "`<h1>Name</h1>`"]
)
def test_text_without_an_html_heading_has_no_title(text: str) -> None:
    assert page(text).title is None
    assert page_facts(text).title is None
