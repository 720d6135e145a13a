"""Tests of rendered pages: headings, code, callouts, tables, links and images."""

from __future__ import annotations

import re

import pytest

from kinfolk.content.markdown.markdown_page import CodeBlock, Heading, MarkdownLink, MarkdownPage
from kinfolk.content.markdown.processes.messages import decode_page, encode_page
from kinfolk.content.markdown.render import render
from kinfolk.content.markdown.source.compose import compose
from kinfolk.runtime.errors import NotFound


class DocsLinks:
    """Resolves relative links below /docs, and has one broken link."""

    def link(self, href: str) -> tuple[str, bool]:
        relative = not href.startswith(("http", "/", "mailto:"))
        return (f"/docs/{href.removesuffix('.md')}" if relative else href), href == "gone.md"

    def image(self, src: str) -> str:
        return src.replace("https://raw.example/", "/assets/")


def page(text: str) -> MarkdownPage:
    def read(path: str) -> str:
        raise NotFound(path)

    return render(compose(text, read), resolve=DocsLinks())


# Headings


def test_headings_are_listed_with_their_ids() -> None:
    listed = page("## Query Basics\n\n### `useQuery` [here](x.md)\n\n## Query Basics\n").headings
    assert listed == (
        Heading("query-basics", "Query Basics", 2),
        Heading("usequery-here", "useQuery here", 3),
        Heading("query-basics-1", "Query Basics", 2),
    )


def test_heading_has_a_link_to_itself() -> None:
    html = page("## Setup\n").html()
    assert '<h2 id="setup">Setup<a class="anchor" href="#setup" aria-hidden="true" tabindex="-1"></a></h2>' in html


def test_anchor_of_the_author_cannot_have_an_id_of_the_layout_or_of_tabs() -> None:
    result = page('<a id="Site-content"></a> <a name="tabs-0-1"></a> <b id="_Site-r_1_">b</b>\n\n## Tabs? 0 1\n')
    assert result.anchors == {"tabs-0-1-1"}
    assert result.html().count(" id=") == 1


def test_heading_has_its_plain_slug_as_alias_if_it_is_free() -> None:
    result = page("## A & B\n\n## C & D\n\n## C D\n\n[to](#a-b) [lost](#nowhere)\n")
    assert '<h2 id="a--b"><a id="a-b"></a>' in result.html()
    assert result.anchors == {"a--b", "a-b", "c--d", "c-d"}
    assert [link.broken for link in result.links] == [False, True]


@pytest.mark.parametrize(
    ("written", "href"),
    [
        ("#Setup", "#setup"),
        ("#SETUP", "#setup"),
        ("#setup", "#setup"),
        ("#own", "#Own"),
        ("#Own", "#Own"),
        ("#%C3%9Cber", "#über"),
        ("#A&b", "#A&amp;b"),
        ("#nowhere", "#nowhere"),
    ],
)
def test_fragment_link_gets_the_case_of_its_anchor(written: str, href: str) -> None:
    result = page(
        f'## Setup\n\n## Über\n\n`href="#Setup"` [to]({written})\n\n<a href="{written}">too</a> <a id="Own"></a>'
    )
    assert result.html().count(f' href="{href}">to') == 2
    assert "<code>href=" in result.html()
    assert '"#Setup"' in result.html().replace("&quot;", '"')
    assert {link.broken for link in result.links} == {href in ("#nowhere", "#A&amp;b")}


@pytest.mark.parametrize(
    ("title", "heading"),
    [
        ("Overview", "Overview"),
        ("useQuery", "Function: useQuery()"),
        ("useStore", "~~Variable: useStore()~~"),
        ("Options", "Interface: Options\\<TData, TError\\>"),
        ("Interface: Options", "Interface: Options"),
        ("FieldComponent", "Type Alias: FieldComponent()\\<T\\>"),
    ],
)
def test_heading_that_repeats_the_title_becomes_an_anchor(title: str, heading: str) -> None:
    result = page(f"---\ntitle: '{title}'\n---\n# {heading}\n\nText\n")
    assert "<h1" not in result.html()
    assert "<h2" not in result.html()
    assert result.headings == ()
    assert len(result.anchors) >= 1


def test_other_first_level_headings_become_second_level() -> None:
    result = page("---\ntitle: Guide\n---\n# Part one\n\n# Guide\n")
    assert result.headings == (Heading("part-one", "Part one", 2), Heading("guide", "Guide", 2))
    assert "<h1" not in result.html()


def test_first_heading_is_the_title_if_there_is_none() -> None:
    result = page("# How it *works*\n\nText\n")
    assert (result.title, result.headings) == ("How it works", ())


def test_empty_page_has_no_title_and_no_text() -> None:
    result = page("")
    assert (result.title, result.html(), result.description) == (None, "", "")


# Code


def test_code_block_is_a_figure_with_unhighlighted_code() -> None:
    result = page('```tsx title="src/App.tsx"\nconst a = <b>1</b>\n```\n')
    assert result.code_blocks == (CodeBlock("tsx", "const a = <b>1</b>"),)
    assert result.html() == (
        '<figure class="code" data-lang="tsx"><figcaption>src/App.tsx</figcaption><pre tabindex="0">'
        '<code class="language-tsx">const a = &lt;b&gt;1&lt;/b&gt;</code></pre></figure>\n'
    )
    assert "<mark>const a = <b>1</b></mark></code>" in result.html(lambda snippet: f"<mark>{snippet.code}</mark>")


@pytest.mark.parametrize(
    ("info", "language", "caption"),
    [
        ("", "text", None),
        ("ts", "ts", None),
        ("TSX AppForm.tsx", "tsx", "AppForm.tsx"),
        ("ts title='a b.ts'", "ts", "a b.ts"),
        ("ts file=main.ts", "ts", "main.ts"),
        ("ts {1,3}", "ts", None),
        ('js "<script>alert(1)</script>.x"', "js", '"<script>alert(1)</script>.x"'),
    ],
)
def test_info_string_provides_language_and_title(info: str, language: str, caption: str | None) -> None:
    result = page(f"```{info}\nx\n```\n")
    assert result.code_blocks[0].language == language
    assert ("<figcaption>" in result.html()) == (caption is not None)
    assert "<script>" not in result.html()


def test_marked_lines_lose_their_comment_and_are_recorded() -> None:
    code = "a\nb // [!code --]\n  c // [!code ++]\nd {/* [!code ++] */}\ne # [!code ++]\n"
    assert page(f"```ts\n{code}```\n").code_blocks == (
        CodeBlock("ts", "a\nb\n  c\nd\ne", added=(2, 3, 4), removed=(1,)),
    )


@pytest.mark.parametrize(
    ("line", "code", "classes"),
    [
        ("a // [!code highlight]", "a", "mark"),
        ("a // [!code hl]", "a", "mark"),
        ("a # [!code focus]", "a", "mark focus"),
        ("<a> <!-- [!code error] -->", "<a>", "mark error"),
        ("a /* [!code warning] */", "a", "mark warning"),
        ("a -- [!code warning:1]", "a", "mark warning"),
        ("a {/* [!code --] */}", "a", "del"),
        ("{/* [!code ++] */} <a/>", " <a/>", "add"),
        ("a; // why [!code error]", "a; // why", "mark error"),
        ("a; // [!code hl] why", "a; // why", "mark"),
        ("a // [!code focus] [!code ++]", "a", "add"),
        ("a // [!code focus] // [!code error]", "a", "mark error"),
        ("(* [!code hl] *)a", "a", "mark"),
    ],
)
def test_comment_that_marks_a_line_becomes_a_class_of_the_line(line: str, code: str, classes: str) -> None:
    result = page(f"```ts\nbefore\n{line}\n```\n")
    assert [block.code for block in result.code_blocks] == [f"before\n{code}"]
    assert f'>before\n<span class="line {classes}">' in result.html()
    assert "[!code" not in result.html()


def test_marks_count_lines_and_may_be_lines_of_their_own() -> None:
    text = "```ts\n// [!code highlight:2]\na\nb\nc // [!code error:9]\nd\n```\n"
    assert page(text).code_blocks == (CodeBlock("ts", "a\nb\nc\nd", highlighted=(0, 1, 2, 3), errors=(2, 3)),)


@pytest.mark.parametrize(
    "line", ['"// [!code hl]"', "a [!code hl]", "a // [!code unknown]", "a // [!code]", "`[!code ++]`"]
)
def test_text_like_a_mark_stays(line: str) -> None:
    assert page(f"```ts\n{line}\n```\n").code_blocks == (CodeBlock("ts", line),)


def test_mermaid_diagram_has_its_class() -> None:
    assert '<figure class="code mermaid" data-lang="mermaid">' in page("```mermaid\ngraph TD\n```\n").html()


def test_code_block_names_the_line_of_its_file() -> None:
    text = "---\ntitle: A\n---\n\n```ts\nlet a\n```\n\n- Item\n\n  ~~~js\n  let b\n  ~~~\n\n      indented\n"
    made = page(text)
    assert [block.line for block in made.code_blocks] == [6, 12, 15]
    assert [block.line for block in decode_page(encode_page(made)).code_blocks] == [6, 12, 15]


def test_code_blocks_are_in_page_order() -> None:
    result = page("```a\n1\n```\n\n- item\n\n  ```b\n  2\n  ```\n\n> ```c\n> 3\n> ```\n\n    4\n")
    assert [snippet.code for snippet in result.code_blocks] == ["1", "2", "3", "4"]
    assert len(result.chunks) == 5


def test_code_that_looks_like_a_placeholder_or_html_stays_code() -> None:
    result = page("```html\n</code></pre><script>alert(1)</script>\n```\n\nslot0n0; text\n")
    assert "<script>" not in result.html()
    assert "slot0n0; text" in result.html()


# Callouts


def test_marked_quote_becomes_a_callout() -> None:
    html = page("> [!WARNING]\n> Mind the *gap*.\n>\n> Twice.\n\nafter\n").html()
    assert '<div class="callout" data-callout="warning" role="note" aria-label="Warning">' in html
    assert '<p class="callout-title">Warning</p>' in html
    assert "<p>Mind the <em>gap</em>.</p>\n<p>Twice.</p>\n</div>\n<p>after</p>" in html


@pytest.mark.parametrize(
    "text", ["> [!IMPORTANT] Type `safety`\n> Body.\n", "> [!important] Type `safety`\n>\n> Body.\n"]
)
def test_text_after_the_mark_is_the_title_if_the_quote_continues(text: str) -> None:
    html = page(text).html()
    assert '<p class="callout-title">Type <code>safety</code></p>' in html
    assert "<p>Body.</p>" in html


@pytest.mark.parametrize(
    ("text", "html"),
    [
        (
            "> [!NOTE]-\n> Body.\n",
            (
                '<details class="callout" data-callout="note">\n'
                '<summary class="callout-title">Note</summary>\n<p>Body.</p>\n</details>\n'
            ),
        ),
        ("> [!NOTE]+\n> Body.\n", '<details class="callout" data-callout="note" open="">'),
        ("> [!warning]- A *title*\n> Body.\n", '<summary class="callout-title">A <em>title</em></summary>'),
        ("> [!TIP]-\n> - a\n>   > [!NOTE]\n>   > b\n", '<div class="callout" data-callout="note" role="note"'),
        ("> [!TIP]\n> > [!NOTE]-\n> > b\n", '<p class="callout-title">Tip</p>\n<details class="callout"'),
        ("- > [!TIP]+\n  > b\n", '<li>\n<details class="callout" data-callout="tip" open="">'),
        ("> [!TIP]- Only a line\n", '<summary class="callout-title">Tip</summary>\n<p>Only a line</p>'),
        ("> [!TIP]-x\n> b\n", '<div class="callout" data-callout="tip" role="note" aria-label="Tip">'),
        ("> [!TIP] -\n> b\n", '<div class="callout" data-callout="tip" role="note" aria-label="Tip">'),
        ("> [!OTHER]-\n> b\n", "<blockquote>"),
    ],
)
def test_callout_with_a_sign_after_its_mark_folds(text: str, html: str) -> None:
    assert html in page(text).html()


@pytest.mark.parametrize(
    ("text", "checked"),
    [
        ("- [x] a\n- [X] b\n- [ ] c", [True, True, False]),
        ("1. [x] a\n2. [ ] b", [True, False]),
        ("1) [X] a", [True]),
        ("* [x] a\n  - [ ] b\n    1. [x] c", [True, False, True]),
        ("+ [x] **a**\n\n  text", [True]),
        ("> - [x] a", [True]),
        ("- [x]\ta", [True]),
        ("- [x]a", []),
        ("- [y] a", []),
        ("- \\[x] a", []),
        ("- a [x] b", []),
        ("[x] a", []),
    ],
)
def test_task_lists_are_those_of_github(text: str, checked: list[bool]) -> None:
    boxes = re.findall("<input[^>]*>", page(text).html())
    assert [" checked" in box for box in boxes] == checked


def test_text_after_the_mark_is_the_body_if_nothing_follows() -> None:
    html = page("> [!NOTE] All of it, [linked](a.md).\n").html()
    assert '<p class="callout-title">Note</p>\n<p>All of it, <a href="/docs/a">linked</a>.</p>' in html


def test_unmarked_quotes_stay_quotes() -> None:
    html = page("> **Note**: old\n\n> [!FANCY]\n> no\n\n- > [!TIP]\n  > > inner\n").html()
    assert html.count("<blockquote>") == 3
    assert html.count('class="callout"') == 1


# Tables, lists, links, images


def test_table_scrolls_and_aligns_cells_without_style_attributes() -> None:
    html = page("| a | b |\n|---|--:|\n| `x \\| y` | 2 |\n").html()
    assert html.startswith('<div class="table-scroll" tabindex="0" role="group" aria-label="Table"><table>')
    assert '<th scope="col">a</th>\n<th scope="col" class="align-right">b</th>' in html
    assert '<td><code>x | y</code></td>\n<td class="align-right">2</td>' in html


def test_task_items_have_labeled_checkboxes() -> None:
    html = page("- [x] done\n- [ ] open\n").html()
    assert 'type="checkbox" disabled="" aria-label="Done" checked=""> done' in html
    assert 'type="checkbox" disabled="" aria-label="To do"> open' in html


def test_links_are_resolved_and_recorded_with_their_line() -> None:
    result = page(
        "---\ntitle: T\n---\nfirst\n[a](a.md)\nand [gone](gone.md 'why')\n\n"
        "[out](https://x.example) <a href='b.md'>b</a>\n"
    )
    assert '<a href="/docs/a">a</a>' in result.html()
    assert '<a href="/docs/gone" title="why">gone</a>' in result.html()
    assert '<a href="https://x.example" rel="noopener">out</a>' in result.html()
    assert result.links == (
        MarkdownLink("a.md", "/docs/a", 5),
        MarkdownLink("gone.md", "/docs/gone", 6, broken=True),
        MarkdownLink("https://x.example", "https://x.example", 8),
        MarkdownLink("b.md", "/docs/b", 8),
    )


def test_bare_urls_and_email_addresses_become_links_and_paths_do_not() -> None:
    html = page(
        "see https://x.example/a and www.y.example, node_modules/.pnpm/svelte@5.55.1/index and a@b.example\n"
    ).html()
    assert '<a href="https://x.example/a" rel="noopener">' in html
    assert re.findall('mailto:[^"]*', html) == ["mailto:a@b.example"]
    assert "svelte@5.55.1/index" in html


def test_image_loads_lazily_and_keeps_its_alt_text() -> None:
    html = page("![A `b`](https://raw.example/x.png) ![](y.png)\n").html()
    assert '<img src="/assets/x.png" loading="lazy" decoding="async" alt="A b">' in html
    assert '<img src="y.png" loading="lazy" decoding="async" alt="">' in html


@pytest.mark.parametrize(
    ("written", "alt"),
    [
        ("[![][stars]][repo]\n\n[stars]: https://x.example/s.svg\n[repo]: https://www.y.example/a/b/", "y.example/a/b"),
        ("[![Stars](https://x.example/s.svg)](https://y.example/a)", "Stars"),
        ("[![](https://x.example/s.svg) our stars](https://y.example/a)", ""),
    ],
)
def test_image_link_without_alt_text_is_labeled_with_its_address(written: str, alt: str) -> None:
    assert f'alt="{alt}"></a>' in page(written).html().replace(" our stars</a>", "</a>")


@pytest.mark.parametrize("mark", ["~~gone~~", "~gone~"])
def test_one_tilde_means_strikethrough_like_two(mark: str) -> None:
    assert page(mark).html() == "<p><s>gone</s></p>\n"


# Metadata of a page


def test_description_is_the_first_prose_of_the_page() -> None:
    text = (
        "# Title\n\n<!-- ::start:framework -->\n\n```ts\ncode()\n```\n\n> [!NOTE]\n"
        "> Read `node_modules` and [this](x.md) ![img](y.png) **now**.\n\n| a |\n|---|\n"
    )
    assert page(text).description.startswith("Read node_modules and this now.")


def test_long_description_is_truncated_with_an_ellipsis() -> None:
    description = page("word " * 100).description
    assert len(description) <= 203
    assert description.endswith("word...")


def test_description_of_the_front_matter_takes_precedence() -> None:
    assert page("---\ndescription: Mine\n---\nText\n").description == "Mine"


def test_link_lists_of_the_front_matter_become_lists_in_the_page() -> None:
    result = page(
        "---\ntitle: Community\nmedia:\n"
        "  - title: <b>Talk</b>\n    url: https://v.example/1\n    description: a & b\n---\n"
    )
    assert (
        '<li><a href="https://v.example/1" rel="noopener">&lt;b&gt;Talk&lt;/b&gt;</a><p>a &amp; b</p></li>'
        in result.html()
    )
    assert result.headings == (Heading("media", "Media", 2),)


def test_text_of_a_page_is_its_markdown() -> None:
    assert page("---\ntitle: T\n---\n# Hello\n[//]: # 'X'\n").text == "# Hello\n\n"
