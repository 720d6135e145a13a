"""Footnotes: numbers, links in both directions, ids, and texts that are no footnotes."""

from __future__ import annotations

import re

import pytest
from tests.suite.time_complexity import MAX_LINEAR_GROWTH, cpu_time_growth

from kinfolk.content.markdown.export import export_markdown
from kinfolk.content.markdown.extensions.footnote_marks import MOST_FOOTNOTES
from kinfolk.content.markdown.links.link_resolver import UnchangedLinks
from kinfolk.content.markdown.markdown_page import Heading, MarkdownPage
from kinfolk.content.markdown.render import render
from kinfolk.content.markdown.source.compose import compose
from kinfolk.search.docs_index.page_sections import sections

TWO = (
    "The cache is bounded[^1], and its size is a setting[^size]. The first note again[^1].\n\n"
    "[^1]: By count, **not** by bytes.\n[^size]: `cacheSize`, see\n\n    a second paragraph.\n"
)


def page(text: str, framework: str | None = None) -> MarkdownPage:
    return render(compose(text, str), resolve=UnchangedLinks(), framework=framework)


def numbers(html: str) -> list[tuple[str, str]]:
    """(id of the mark, href) of each mark."""
    return re.findall(r'<a id="([^"]+)" href="([^"]+)" role="doc-noteref"', html)


def test_marks_are_numbered_links_to_their_notes() -> None:
    html = page(TWO).html()
    assert numbers(html) == [
        ("user-content-fnref-1", "#user-content-fn-1"),
        ("user-content-fnref-2", "#user-content-fn-2"),
        ("user-content-fnref-1-2", "#user-content-fn-1"),
    ]
    assert 'role="doc-noteref" aria-label="Footnote 2">2</a></sup>' in html


def test_notes_are_at_the_end_with_links_back_to_each_mark() -> None:
    html = page(f"{TWO}\nLast paragraph.\n").html()
    notes = html[html.index("<section") :]
    assert html.index("Last paragraph.") < html.index("<section")
    assert notes.startswith('<section data-footnotes="">\n<h2 id="footnotes" class="sr-only">Footnotes</h2>\n<ol>\n')
    assert '<li id="user-content-fn-1">\n<p>By count, <strong>not</strong> by bytes. <a href' in notes
    assert re.findall(r'href="#(user-content-fnref[^"]*)" role="doc-backlink" aria-label="([^"]*)"', notes) == [
        ("user-content-fnref-1", "Back to reference 1"),
        ("user-content-fnref-1-2", "Back to reference 1-2"),
        ("user-content-fnref-2", "Back to reference 2"),
    ]
    assert re.search(r"<p>a second paragraph\. <a href[^\n]*</a></p>\n</li>", notes)


def test_ids_are_anchors_that_no_heading_and_no_author_has() -> None:
    text = "## Footnotes\n\n## user-content-fn-1\n\na[^x] <a id='user-content-fnref-1'></a>\n\n[^x]: note\n"
    result = page(text)
    ids = re.findall(r' id="([^"]+)"', result.html())
    assert len(ids) == len(set(ids))
    assert {"footnotes", "footnotes-1", "user-content-fn-1.2", "user-content-fnref-1"} <= result.anchors
    assert result.html().count('id="user-content-fnref-1"') == 1


def test_search_finds_the_notes_in_a_section_of_their_own() -> None:
    found = sections(page(f"## Cache\n\n{TWO}"))
    assert [section.title for section in found] == [None, "Cache", "Footnotes"]
    assert found[1].content == ("The cache is bounded, and its size is a setting. The first note again.")
    assert found[2].content.startswith("By count, not by bytes.")
    assert "↩" not in found[2].content


def test_outline_does_not_list_the_notes() -> None:
    assert page(TWO).headings == (Heading("footnotes", "Footnotes", 2, outlined=False),)


def test_description_and_id_of_a_heading_have_no_marks() -> None:
    result = page("---\ntitle: T\n---\n## Cache[^1]\n\nBounded[^1].\n\n[^1]: By count.\n")
    assert result.description == "Bounded."
    assert (result.headings[0].id, result.headings[0].text) == ("cache", "Cache")


def test_copy_has_the_footnotes_as_written() -> None:
    copy = export_markdown(compose(TWO, str)).with_links(UnchangedLinks())
    assert copy == TWO.strip().replace("see\n\n    a", "see\n\n    a")


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("a[^none] b[^1]\n\n[^1]: x", "a[^none] b<sup"),
        ("a[^None]\n\n[^none]: x", 'href="#user-content-fn-1"'),
        ("a[^1]\n\n[^1]: first\n[^1]: second", "<p>first <a"),
        ("a[^1]\n\n[^1]:\n    - item\n    - item", '<ul>\n<li>item</li>\n<li>item</li>\n</ul>\n<p><a href="#user'),
        ("a[^1]\n\n[^1]: ```js\n    x\n    ```", '<figure class="code"'),
        ("- a[^1]\n\n    [^1]: x", '<li id="user-content-fn-1">'),
        ("| a[^1] |\n|---|\n\n[^1]: x", '<th scope="col">a<sup'),
        ("> [!NOTE]\n> a[^1]\n\n[^1]: x", '<p>a<sup data-footnote="">'),
        ("**a[^1]**\n\n[^1]: x", "<strong>a<sup"),
        ("a[^1]\n\n[^1]: x[^2]\n\n[^2]: y", '<li id="user-content-fn-2">\n<p>y <a'),
        ("a[^1]\n\n[^1]: ## Heading", '<h2 id="heading">'),
        ("a[^1]\n\n[^1]: [link](y.md)", '<a href="y.md">link</a> <a href'),
        ("a[^1]\n\n[^a]: unused\n[^1]: x", '<ol>\n<li id="user-content-fn-1">\n<p>x <a'),
        ("a[^1]\n\n[^1]: x\n\n    [^2]: nested", "<p>x <a href"),
        ("a[^日本]\n\n[^日本]: 注", '<li id="user-content-fn-1">\n<p>注'),
    ],
)
def test_footnotes_in_other_syntax(text: str, html: str) -> None:
    assert html in page(text).html()


@pytest.mark.parametrize(
    "text",
    [
        "a[^1] b",
        "a[^ 1]\n\n[^ 1]: x",
        "a[^]\n\n[^]: x",
        "`a[^1]`\n\n[^1]: x",
        "```\na[^1]\n```\n\n[^1]: x",
        "a^[inline]\n\n[^1]: x",
        "[^1]: only a note",
        "regex `[^a-z]:` and [a]: b",
        "\\[^1]\n\n[^1]: x",
    ],
)
def test_other_text_has_no_footnotes(text: str) -> None:
    assert "<section" not in page(text).html()


def test_page_of_a_framework_has_the_notes_of_its_panel_only() -> None:
    text = (
        "<!-- ::start:framework -->\n\n# React\n\na[^r]\n\n# Vue\n\nb[^v]\n\n<!-- ::end:framework -->\n\n"
        "[^r]: of React\n[^v]: of Vue\n"
    )
    assert "of React" not in page(text, "vue").html()
    assert 'href="#user-content-fn-1"' in page(text, "vue").html()
    assert "of React" in page(text).html()
    assert "of Vue" in page(text).html()


def test_generated_reference_shows_its_notes() -> None:
    signature = "```ts\nfunction a(): void\n```\n\nDefined in: [a.ts:1](https://x.example)"
    text = f"# Function: a()\n\n{signature}\n\nA[^1].\n\n[^1]: x\n"
    assert '<li id="user-content-fn-1">' in page(text).html()


def test_more_marks_than_the_limit_stay_text() -> None:
    assert "<sup" not in page("[^1] " * (MOST_FOOTNOTES + 1) + "\n\n[^1]: x").html()
    assert page("[^1] " * (MOST_FOOTNOTES - 1) + "\n\n[^1]: x").html().count("doc-backlink") == MOST_FOOTNOTES - 1


@pytest.mark.parametrize("part", ["[^a", "[^1]", "[^1]: x\n", "> [^1]: "])
def test_many_marks_take_linear_time(part: str) -> None:
    def render_marks(size: int) -> None:
        page(f"{part * 100}{'x' * size}[^1]\n\n[^1]: x\n")

    assert cpu_time_growth(render_marks, 30_000) < MAX_LINEAR_GROWTH
