"""Tests of elements of HTML: shown, shown as another one, dropped with a report, or text."""

from __future__ import annotations

import re

import pytest

from kinfolk.content.markdown.html.elements import NAMES, TAGS
from kinfolk.content.markdown.markdown_page import MarkdownPage, PageProblem
from kinfolk.content.markdown.processes.jobs import InProcessJobs, MarkdownFile


def page(text: str, *schemes: str) -> MarkdownPage:
    return InProcessJobs(link_schemes=schemes).page(MarkdownFile("page.md", text, str))


def body(text: str) -> str:
    return page(text).html().strip().removeprefix("<p>").removesuffix("</p>")


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("<center>Centered</center>", '<div align="center">Centered</div>'),
        ("a <time datetime='2026-01-01'>day</time>", 'a <time datetime="2026-01-01">day</time>'),
        ("<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>", "<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>"),
        ("<ruby>漢<rt>kan</ruby>", "<ruby>漢<rt>kan</rt></ruby>"),
        ("<section><p>In</p></section>", "<div><p>In</p></div>"),
        ("<main><article><nav>x</nav></article></main>", "<div><div><div>x</div></div></div>"),
        ("<header>a</header>\n<footer>b</footer>", "<div>a</div>\n<div>b</div>"),
        ("a <tt>b</tt> <strike>c</strike>", "a <code>b</code> <s>c</s>"),
        ('<font color="red">a</font> <big>b</big>', "<span>a</span> <span>b</span>"),
        ('<data value="3">three</data>', '<data value="3">three</data>'),
        ('a <bdo dir="rtl">abc</bdo> <bdi>d</bdi>', 'a <bdo dir="rtl">abc</bdo> <bdi>d</bdi>'),
        ('<b lang="he" dir="RTL">a</b>', '<b dir="rtl" lang="he">a</b>'),
        ('<b lang="x y" dir="up">a</b>', "<b>a</b>"),
        (
            "<table><colgroup><col span='2'><col></colgroup><tr><td>x</td></tr></table>",
            '<table><colgroup><col span="2"><col></colgroup><tbody><tr><td>x</td></tr></tbody></table>',
        ),
        (
            '<figure>\n  <img src="a.png" alt="A">\n  <figcaption>The *a*</figcaption>\n</figure>',
            (
                '<figure>\n  <img alt="A" src="a.png" loading="lazy" decoding="async">\n'
                "  <figcaption>The *a*</figcaption>\n</figure>"
            ),
        ),
        (
            '<video width="320" autoplay onplay="x()" src="a.mp4"></video>',
            '<video width="320" src="a.mp4" controls="" preload="metadata"></video>',
        ),
        (
            '<video poster="a.png"><source src="a.webm" type="video/webm"><track src="a.vtt" kind="captions"></video>',
            (
                '<video poster="a.png" controls="" preload="none"><source type="video/webm" src="a.webm">'
                '<track kind="captions" src="a.vtt"></video>'
            ),
        ),
        ("<audio src=a.mp3 loop>", '<audio loop="" src="a.mp3" controls="" preload="metadata"></audio>'),
    ],
)
def test_element_is_shown(written: str, shown: str) -> None:
    assert body(written) == shown
    assert page(written).problems == ()


@pytest.mark.parametrize(
    ("written", "shown", "tags"),
    [
        ("Press <button>Save</button> now", "Press Save now", ["button"]),
        ("<button\n  type=x>Save</button>", "Save", ["button"]),
        ("<form action=x>a <input name=b> c</form>", "a  c", ["form", "input"]),
        ("<select><option>A<option>B</select>", "AB", ["select", "option"]),
        ("<my-note>a **b**</my-note>", "a <strong>b</strong>", ["my-note"]),
        ("<Listing>a</Listing>", "a", ["Listing"]),
        ('Run <Stackblitz id="3" /> here', "Run  here", ["Stackblitz"]),
        ("<Tabs>\n\na\n\n</Tabs>", "a", ["Tabs"]),
        ("<object data=x>a</object>", "a", ["object"]),
        ("<svg viewBox='0'><title>T</title>\n<path d='m'/></svg>after", "after", ["svg"]),
        ("<div>a<svg viewBox='0'>\n<text>x</text>\n</svg>b</div>", "<div>a\n\nb</div>", ["svg"]),
        ("<div>a<svg />b</div>", "<div>ab</div>", ["svg"]),
        ("slip</content>", "slip", ["content"]),
        ("<iframe src='https://evil.example/'></iframe>", "", ["iframe"]),
        ("<script>alert(1)</script>", "", ["script"]),
    ],
)
def test_tag_is_dropped_with_a_report(written: str, shown: str, tags: list[str]) -> None:
    assert body(written) == shown
    assert [problem.message for problem in page(written).problems] == [f"the tag <{tag}> is not shown" for tag in tags]
    assert all(problem.is_warning for problem in page(written).problems)


@pytest.mark.parametrize(
    "written",
    [
        "the <form> element",
        "a <section> and a <video> in it",
        "an <input> or a <select>",
        "Promise<void>",
        "Array<Array<string>>",
        "Map<string, Map<number, T>>",
        "Ref<object> | Signal<time>",
        "Foo<TData, TError>",
        "a<b && c>d",
        "generic <T> of <TData extends object>",
        "| a | b |\n|---|---|\n| <textarea> | <svg> |",
        "<b>the <select> in bold</b>",
        "the <style> and the <script> tag",
    ],
)
def test_tag_that_is_a_word_of_prose_is_text(written: str) -> None:
    text = re.sub("<[^>]+>", "", page(written).html()).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    for word in re.findall(r"<[a-zA-Z]+>", written.replace("<b>", "")):
        assert word in text
    assert page(written).problems == ()


@pytest.mark.parametrize("name", sorted(NAMES - TAGS - {"svg", "script", "style", "iframe", "option", "optgroup"}))
def test_element_of_html_with_an_end_is_no_text(name: str) -> None:
    html = body(f"before <{name} a=b>inside</{name}> after")
    assert "&lt;" not in html
    assert "inside" in html
    assert f"<{name}" not in html


def test_dropped_tag_is_reported_at_its_line() -> None:
    text = "---\ntitle: A\n---\n\na\n\n<div>\n<p>b</p>\n<button>c</button>\n</div>\n\n<Foo x=y>\n\nd\n\n</Foo>\n"
    assert page(text).problems == (
        PageProblem(9, "the tag <button> is not shown", is_warning=True),
        PageProblem(12, "the tag <Foo> is not shown", is_warning=True),
    )


def test_reports_of_a_page_are_limited() -> None:
    assert len(page("<foo a=b>\n\n" * 1000).problems) == 200


@pytest.mark.parametrize(
    ("href", "schemes", "is_link"),
    [
        ("tel:+100", (), True),
        ("TEL:+100", (), True),
        ("mailto:a@b.example", (), True),
        ("vscode:extension/a.b", (), False),
        ("vscode:extension/a.b", ("vscode",), True),
        ("cursor://a/b?c=d", ("vscode", "cursor"), True),
        ("irc://irc.example.com/a", ("vscode",), False),
        ("vscode-insiders:x", ("vscode",), False),
        ("vs\tcode:x", ("vscode",), True),
        ("java\tscript:alert(1)", ("vscode",), False),
        ("data:text/html,x", ("vscode",), False),
        ("file:///etc/passwd", ("vscode",), False),
        ("blob:x", (), False),
        ("//irc:x", (), True),
    ],
)
def test_link_of_a_scheme(href: str, schemes: tuple[str, ...], *, is_link: bool) -> None:
    result = page(f'<a href="{href}">words</a>', *schemes)
    assert ("href=" in result.html()) is is_link
    assert ("<a" in result.html()) is is_link
    assert "words" in result.html()
    messages = [problem.message for problem in result.problems]
    assert messages == ([] if is_link else [f"the link {href} is not shown: this site has no links of its scheme"])


def test_refused_link_of_markdown_is_text() -> None:
    result = page("a\n[b **c**](irc:x) [d](vscode:y)", "vscode")
    assert result.html() == '<p>a\nb <strong>c</strong> <a href="vscode:y">d</a></p>\n'
    assert [(problem.line, problem.is_warning) for problem in result.problems] == [(2, False)]
