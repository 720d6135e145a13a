"""Tests of raw HTML: allowed tags pass, active content does not, for any text."""

from __future__ import annotations

import html5lib
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.inputs.script_vectors import SCRIPT_VECTORS, dangers
from tests.suite.time_complexity import MAX_LINEAR_GROWTH, cpu_time_growth

from kinfolk.content.markdown.links.link_resolver import UnchangedLinks
from kinfolk.content.markdown.markdown_page import MarkdownPage
from kinfolk.content.markdown.render import render
from kinfolk.content.markdown.render_context import DEEPEST_TAGS
from kinfolk.content.markdown.source.compose import compose
from kinfolk.runtime.errors import NotFound


def page(text: str) -> MarkdownPage:
    def read(path: str) -> str:
        raise NotFound(path)

    return render(compose(text, read), resolve=UnchangedLinks())


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("a<br>b", "<p>a<br>b</p>\n"),
        ("H<sub>2</sub>O<sup>+</sup>", "<p>H<sub>2</sub>O<sup>+</sup></p>\n"),
        ("Promise<void> and Map<string, T>", "<p>Promise&lt;void&gt; and Map&lt;string, T&gt;</p>\n"),
        ("the <form> tag", "<p>the &lt;form&gt; tag</p>\n"),
        ("slip</content>", "<p>slip</p>\n"),
        ("a <!-- hidden --> b", "<p>a  b</p>\n"),
        (
            "<details>\n<summary>S</summary>\n\n*in*\n\n</details>\n",
            "<details>\n<summary>S</summary>\n<p><em>in</em></p>\n</details>\n",
        ),
        ("stray</div></section>", "<p>stray</p>\n"),
        ('<p align="center" class="x" style="color:red" data-x="1" onclick="x()">c</p>', '<p align="center">c</p>'),
        ('<a name="here"></a>', '<p><a id="here"></a></p>\n'),
        ('<div>\n<b title=">text</b>\n</div>', '<div>\n&lt;b title="&gt;text\n</div>'),
    ],
)
def test_raw_html_is_kept_escaped_or_removed(written: str, shown: str) -> None:
    assert page(written).html() == shown


def test_picture_keeps_its_sources() -> None:
    html = page(
        '<a href="https://x.example" alt="X">\n  <picture>\n    <source media="(prefers-color-scheme: dark)" '
        'srcset="https://i.example/d.svg 2x, https://i.example/e.svg" width="280">\n'
        '    <img alt="X" src="https://i.example/l.svg" width="280" style={{ width:400 }} />\n  </picture>\n</a>\n'
    ).html()
    assert 'srcset="https://i.example/d.svg 2x, https://i.example/e.svg"' in html
    assert '<img alt="X" width="280" src="https://i.example/l.svg" loading="lazy" decoding="async">' in html
    assert '<a href="https://x.example" rel="noopener">' in html


def test_allowed_iframe_gets_fixed_permissions() -> None:
    html = page(
        '<iframe src="https://www.youtube.com/embed/abc" title="A &amp; B" onload="x()" style={{ a: 1 }}></iframe>\n'
    ).html()
    assert (
        '<span class="embed"><iframe src="https://www.youtube-nocookie.com/embed/abc" title="A &amp; B" sandbox="'
        in html
    )
    assert 'loading="lazy"' in html
    assert "onload" not in html


@pytest.mark.parametrize(
    "src",
    [
        "https://evil.example/",
        "javascript:alert(1)",
        "https://www.youtube.com.evil.example/",
        "https://www.youtube.com@evil.example/",
        "https://codesandbox.io:8443/",
        "data:text/html,x",
        "https://[",
        "/local",
    ],
)
def test_other_iframes_are_removed(src: str) -> None:
    assert page(f'<iframe src="{src}"></iframe>\n\nafter').html().strip() == "<p>after</p>"


@pytest.mark.parametrize("text", SCRIPT_VECTORS)
def test_active_content_is_removed(text: str) -> None:
    assert dangers(page(text)) == []


PIECES = st.sampled_from(
    [
        *(
            "<script>",
            "</script>",
            "<img src=x onerror=alert(1)>",
            "<a href='javascript:x'>",
            "</a>",
            "<div>",
            "</div>",
        ),
        *(
            "<table>",
            "<td>",
            "</td>",
            "<!--",
            "-->",
            "<details>",
            "<pre>",
            "<style>",
            "<svg>",
            "<select>",
            "<b",
            "<p title='",
        ),
        *(
            "<iframe src='https://stackblitz.com/x'>",
            "<iframe src='https://evil.example'>",
            "</iframe>",
            "slot",
            "\x00",
        ),
        *("<!-- ::start:framework -->\n", "<!-- ::end:framework -->\n", "# React\n", "## H & M\n", "react: a b\n"),
        *("<!-- ::start:tabs variant=files -->\n", "<!-- ::start:tabs variant=package-manager -->\n"),
        *(
            "<!-- ::end:tabs -->\n",
            "```ts title='a.ts'\n",
            "```\n",
            "    code\n",
            "> [!NOTE]",
            "> ",
            "- ",
            "\n",
            "\n\n",
        ),
        *("[x](javascript:alert(1))", "[x](y.md)", "![x](y)", "| a |\n|--|\n", "~", "*", "`", '"', "'", ">", "<"),
        *(
            "$",
            "$$",
            "$`",
            "`$",
            "\\text{",
            "}",
            "\\frac{",
            "$<b>$",
            "`#0969DA`",
            "[^1]",
            "\n[^1]: ",
            ":tada:",
            "a@b.example",
        ),
        *("> [!TIP]- ", "- [X] "),
        *("&#106;", "&lt;", "---\n", "title: x\n", "[//]: # 'A'\n", "\u2028"),
    ]
)


TEXTS = st.lists(PIECES | st.text(max_size=6), max_size=30).map("".join)


@given(TEXTS)
def test_any_text_becomes_a_page_without_active_content(text: str) -> None:
    result = page(text)
    assert dangers(result) == []
    assert len(result.chunks) == len(result.code_blocks) + 1


@pytest.mark.no_cover
@given(TEXTS)
def test_rendering_is_deterministic_and_fills_all_slots(text: str) -> None:
    html = page(text).html()
    assert html == page(text).html()
    figures = html5lib.parse(html, namespaceHTMLElements=False).iter("figure")
    assert all(figure.find("pre/code") is not None for figure in figures)


@pytest.mark.parametrize(
    ("text", "href", "label"),
    [
        ("see https://a.example/b.", "https://a.example/b", "https://a.example/b"),
        ("(www.a.example)", "http://www.a.example", "www.a.example"),
        ("mailto:ada@a.example", "mailto:ada@a.example", "mailto:ada@a.example"),
        ("ada@a.example", "mailto:ada@a.example", "ada@a.example"),
        ("(ada_b.c+d@mail.a.example).", "mailto:ada_b.c+d@mail.a.example", "ada_b.c+d@mail.a.example"),
        ("**ada@163.com**: call", "mailto:ada@163.com", "ada@163.com"),
        ("| a |\n|---|\n| ada@a.example |", "mailto:ada@a.example", "ada@a.example"),
        ("ADA@A.EXAMPLE!", "mailto:ADA@A.EXAMPLE", "ADA@A.EXAMPLE"),
        ("*ada@a.example*", "mailto:ada@a.example", "ada@a.example"),
        ("Contact: ada@a.example, bob@b.example", "mailto:bob@b.example", "bob@b.example"),
        ("ada@xn--a.example", "mailto:ada@xn--a.example", "ada@xn--a.example"),
        ("http://a.example/" + "x" * 4_000, "http://a.example/" + "x" * 4_000, "http://a.example/" + "x" * 4_000),
    ],
)
def test_bare_urls_become_links(text: str, href: str, label: str) -> None:
    assert f'<a href="{href}"' in page(text).html()
    assert f">{label}</a>" in page(text).html()


@pytest.mark.parametrize(
    "text",
    [
        *("xhttp://a.example", "http:// a", "http://a.example/" + "x" * 5_000, "mailto:nobody"),
        *("node_modules/.pnpm/pkg@5.5.1", "svelte@5.55.1", "pkg@18.2.0-next.beta", "react@next", "@tanstack/query"),
        *("git@github.com:a/b.git", "icon@2x.png", "user:word@host.example", "ada@localhost", "a@b@c.example"),
        *("x/ada@a.example", "ada@a.example/path", "ada@a.example-", "@Decorator", "ada@a.e"),
    ],
)
def test_text_that_is_not_a_url_or_too_long_stays_text(text: str) -> None:
    assert page(text).html() == f"<p>{text}</p>\n"


def test_tags_over_the_depth_limit_are_removed_with_their_end_tags() -> None:
    html = page("<div>" * 1_000 + "deep" + "</div>" * 1_000 + "\n\nafter").html()
    assert html.count("<div>") == html.count("</div>") == DEEPEST_TAGS
    assert html.endswith("<p>after</p>\n")


@pytest.mark.parametrize(
    ("start", "piece", "end"),
    [
        ("", "a: ", ""),
        ("", "[//]: # '", ""),
        ("<a ", "b={{ ", ">"),
        ("", "[a](", ""),
        ("", "> ", ""),
        ("", "*a **a ", ""),
    ],
)
def test_hostile_text_takes_linear_time(start: str, piece: str, end: str) -> None:
    assert cpu_time_growth(lambda size: page(start + piece * size + end), 2_500) < MAX_LINEAR_GROWTH


@pytest.mark.parametrize(
    ("start", "piece", "end", "size"),
    [
        ("", "mailto:", "", 500),
        ("", "a@", "", 500),
        ("", "a.b@c.example ", "", 300),
        ("", "a-", "@", 1_000),
        ("", "**。", "", 500),
        ("", "xhttp:", "", 500),
        ("", "(http://a<", "", 300),
        ("", "http://a_http://", "", 1_200),
        ("", " www.!", "", 500),
        ("", "http://a ", "", 300),
        ("", "[a](b) ", "", 600),
        ("", "<div>", "", 2_500),
        ("a", "<b>", "", 1_000),
        ("a", "<b>", "</i>" * 1_000, 1_000),
        ("<div>", "<style ", "", 4_000),
        ("", '<iframe src="https://stackblitz.com/x">\n', "", 600),
        ("```\n// [!code ++]", " ", "x\n```", 1_000),
    ],
)
def test_links_tags_and_code_take_linear_time(start: str, piece: str, end: str, size: int) -> None:
    assert cpu_time_growth(lambda size: page(start + piece * size + end), size) < MAX_LINEAR_GROWTH
