"""Tests of the HTML of a difference: what readers see and hear of it, and that nothing in it is active."""

from __future__ import annotations

import re
import time
from contextlib import closing
from xml.etree.ElementTree import Element

import html5lib
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.inputs.script_vectors import COMPONENT_VECTORS, SCRIPT_VECTORS, dangers_of

from kinfolk.content.changes.difference_html import BlockCounts, RenderedDifference, plain_difference, render_difference
from kinfolk.content.changes.page_difference import page_difference
from kinfolk.content.changes.part_rendering import direct_rendering, process_rendering
from kinfolk.content.markdown.links.link_resolver import AbsoluteLinks, UnchangedLinks
from kinfolk.content.markdown.markdown_page import CodeBlock
from kinfolk.content.markdown.processes.plain_text_fallback import MarkdownRenderer
from kinfolk.content.markdown.processes.process_pool import MarkdownProcessPool
from kinfolk.content.markdown.source.compose import compose

IMAGE = '<img src="/{}.png" loading="lazy" decoding="async" alt="a">'

words = st.sampled_from(
    ["a", "an `option`", "the **new** one", "[link](/x)", "[link](/y)", "list,", "x < y & z", "end."]
)
lines = st.lists(words, min_size=1, max_size=8).map(" ".join)
blocks = lines.flatmap(
    lambda line: st.sampled_from(
        [
            line,
            f"## {line}",
            f"- {line}",
            f"> {line}\n>\n> - more",
            f"| a | b |\n|--|--|\n| {line} | c |",
            f"```js\n{line}\n```",
        ]
    )
)
pages = st.lists(blocks, min_size=1, max_size=5)


def rendered(old: str, new: str) -> RenderedDifference:
    difference = page_difference(compose(old, str), compose(new, str))
    return render_difference(
        difference,
        render_part=direct_rendering(),
        old_links=UnchangedLinks(),
        new_links=UnchangedLinks(),
        page_address="/page",
    )


def html_of(old: str, new: str) -> str:
    """Without the links between changes."""
    return re.sub(r'<p class="difference-step">.*?</p>\n', "", rendered(old, new).html())


def text_of(html: str, *, without: str = "", heard: bool = False) -> str:
    """The text of the HTML without the elements of a name; with hidden text if it is `heard`."""

    def texts(element: Element) -> list[str]:
        classes = element.get("class", "").split()
        if element.tag == without or (not heard and "sr-only" in classes) or element.tag == "summary":
            return [element.tail or ""]
        inner = [text for child in element for text in texts(child)]
        return [element.text or "", *inner, element.tail or ""]

    return " ".join("".join(texts(html5lib.parseFragment(html, namespaceHTMLElements=False))).split())


def visible(html: str, without: str = "") -> str:
    return "".join(text_of(html, without=without).split())


def edited(page: list[str], edits: list[tuple[int, str | None]]) -> list[str]:
    """The page with blocks replaced, or removed and inserted elsewhere."""
    result = list(page)
    for number, block in edits:
        at = number % (len(result) + 1)
        result[at : at + 1] = [] if block is None else [block]
    return result


@settings(max_examples=25, deadline=None)
@given(pages, st.lists(st.tuples(st.integers(0, 9), blocks | st.none()), max_size=3))
def test_difference_has_the_whole_text_of_both_versions(page: list[str], edits: list[tuple[int, str | None]]) -> None:
    old, new = "\n\n".join(page), "\n\n".join(edited(page, edits))
    html = html_of(old, new)
    assert visible(html, without="del") == visible(html_of(new, new))
    assert visible(html, without="ins") == visible(html_of(old, old))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("The old words here.", "The new words here.", "The <del>old</del> <ins>new</ins> words here."),
        ("Use `a` here now.", "Use `b` here now.", "Use <del><code>a</code></del><ins><code>b</code></ins> here now."),
        ("See [it](/a) there", "See [it](/b) there", 'See <del>it</del><ins><a href="/b">it</a></ins> there'),
        ("See it there now", "See **it** there now", "See <del>it</del> <ins><strong>it</strong></ins> there now"),
        ("One two three.", "One two three and four.", "One two three <ins>and four</ins>."),
        ("Ends with two words more", "Ends with two words", "Ends with two words <del>more</del>"),
        ("First, these are words", "these are words", "<del>First,</del> these are words"),
        ("![a](/x.png) is it", "![a](/y.png) is it",
         f"<del>{IMAGE.format('x')}</del><ins>{IMAGE.format('y')}</ins> is it"),
        ("Words: [a *b*](/c) end here", "Words: [a *b* d](/c) end here",
         'Words: <a href="/c">a <em>b</em> <ins>d</ins></a> end here'),
        ("Words of text one\\\ntwo", "Words of text one", "Words of text one <del>two</del>"),
    ],
)  # fmt: skip
def test_words_of_a_changed_block_are_marked(old: str, new: str, expected: str) -> None:
    html = re.sub(r'<span class="sr-only">[^<]*</span>', "", html_of(old, new))
    assert html == f'<div class="difference-changed">\n<p>{expected}</p>\n</div>\n'


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("> a b c\n>\n> d e", "> a b c\n>\n> f d e", "<p>a b c</p>\n<p><ins>f</ins> d e</p>"),
        ("> a b c\n>\n> d", "> a b c", "<p>a b c<br><del>d</del></p>"),
        ("> a b c\n>\n> d e f", "> a b c\n>\n> e f", "<p>a b c</p>\n<p><del>d</del> e f</p>"),
        ("> a b c\n>\n> d\n>\n> - e", "> a b c", "<p>a b c<br><del>d<br>e</del></p>"),
        ("> a b c\n>\n> d", "> d", "<p><del>a b c</del><br>d</p>"),
    ],
)
def test_words_are_marked_in_the_paragraph_that_has_or_had_them(old: str, new: str, expected: str) -> None:
    html = re.sub(r'<span class="sr-only">[^<]*</span>', "", html_of(old, new))
    assert html == f'<div class="difference-changed">\n<blockquote>\n{expected}\n</blockquote>\n</div>\n'


def test_blocks_with_few_common_words_replace_each_other() -> None:
    html = html_of("- some words", "- entirely other text")
    assert re.findall(r"<(ins|del) class", html) == ["del", "ins"]


def test_block_that_only_looks_the_same_is_not_marked() -> None:
    html = html_of("Some *words* of text", "Some _words_ of text")
    assert html == '<div class="difference-same">\n<p>Some <em>words</em> of text</p>\n</div>\n'


def test_lines_of_changed_code_are_marked_with_the_colors_of_both_versions() -> None:
    found = rendered("```js title=x.js\nlet a = 1\nlet b\n```", "```js title=x.js\nlet a = 2\nlet b\n```")

    def highlight(block: CodeBlock) -> str:
        return "\n".join(
            f'<span class="line"><span class="k">let</span>{line[3:]}</span>' for line in block.code.split("\n")
        )

    html = re.sub(r'<span class="sr-only">[^<]*</span>', "", found.html(highlight))
    assert [block.code for block in found.code_blocks] == ["let a = 1\nlet b", "let a = 2\nlet b"]
    assert (
        '<del><span class="del"><span class="line"><span class="k">let</span> a = 1</span></span></del>\n'
        '<ins><span class="add"><span class="line"><span class="k">let</span> a = 2</span></span></ins>\n'
        '<span class="line"><span class="k">let</span> b</span></code>'
    ) in html
    assert 'data-copy="let a = 2\nlet b"' in html


def test_code_whose_highlighted_lines_are_not_its_own_is_plain() -> None:
    found = rendered("```html\n<i>\nx\n```", "```html\n<b>\nx\n```")
    html = found.html(lambda _: "one line")
    assert "one line" not in html
    assert text_of(html) == "<i> <b> x"


def test_code_in_a_list_is_compared_by_lines() -> None:
    html = html_of("- Do this now:\n  ```js\n  a\n  b\n  ```", "- Do this now:\n  ```js\n  a\n  c\n  ```")
    assert html.count("<pre") == 1
    assert text_of(html) == "Do this now:a b c"


def test_unchanged_blocks_between_changes_are_folded() -> None:
    filler = [f"Paragraph {number}." for number in range(8)]
    filler[5] = "## Section"
    old = ["First words here", *filler, "Last words here"]
    html = html_of("\n\n".join(old), "\n\n".join([f"{old[0]} too", *filler, f"{old[-1]} too"]))
    assert re.findall(r"<summary>(.*?)</summary>", html) == ["4 unchanged blocks"]
    unfolded = re.sub(r"<details.*?</details>", "", html, flags=re.DOTALL)
    assert (
        text_of(unfolded) == "First words here too Paragraph 0. Section Paragraph 6. Paragraph 7. Last words here too"
    )


def test_equal_versions_are_shown_unfolded() -> None:
    assert (
        html_of("a\n\nb\n\nc", "a\n\nb\n\nc") == '<div class="difference-same">\n<p>a</p>\n<p>b</p>\n<p>c</p>\n</div>\n'
    )


def test_title_is_marked() -> None:
    html = html_of("---\ntitle: Old <b>\n---\nx", "---\ntitle: New <b>\n---\nx")
    assert html.startswith('<p class="difference-title">')
    assert "<b>" not in html
    assert text_of(html) == "Title: OldNew <b> x"


def test_links_within_the_page_lead_to_the_page_and_ids_are_not_repeated() -> None:
    page = '## Same\n\n<a id="own"></a>[to](#own)\n\n- [x] task\n\n'
    html = html_of(f"{page}Old words here", f"{page}{page}New words here")
    assert 'href="/page#own"' in html
    assert " id=" not in html
    assert 'class="anchor"' not in html


def test_links_of_removed_blocks_are_those_of_the_old_version() -> None:
    difference = page_difference(compose("[gone](/a)\n\nx", str), compose("x\n\n[came](/b)", str))
    old, new = AbsoluteLinks("https://old.example", "/p"), AbsoluteLinks("https://new.example", "/p")
    html = render_difference(difference, render_part=direct_rendering(), old_links=old, new_links=new).html()
    assert re.findall(r'href="([^#"]+)"', html) == ["https://old.example/a", "https://new.example/b"]


def test_heading_of_the_first_level_is_shown() -> None:
    assert "<h2>" in html_of("# Name\n\nx", "# Name\n\ny")


def test_page_of_one_version_is_added_or_removed() -> None:
    page = compose("# A\n\nb", str)
    added, removed = page_difference(None, page), page_difference(page, None)
    links, render_part = UnchangedLinks(), direct_rendering()
    html = render_difference(added, render_part=render_part, old_links=links, new_links=links).html()
    assert html.startswith('<ins class="difference-added">')
    html = render_difference(removed, render_part=render_part, old_links=links, new_links=links).html()
    assert html.startswith('<del class="difference-removed">')


def test_each_change_leads_to_the_next() -> None:
    filler = "\n\nsame words\n\n"
    found = rendered(f"First words here{filler}Gone", f"First words there{filler}Entirely new\n\n- And more")
    steps = re.findall(r'<a id="([^"]+)" href="([^"]+)">([^<]+)<span class="sr-only">([^<]+)', found.html())
    assert steps == [
        ("change-1", "#change-2", "Change 1 of 2", ", go to the next change"),
        ("change-2", "#change-1", "Change 2 of 2", ", go to the first change"),
    ]
    assert found.counts == BlockCounts(changed=1, added=2, removed=1)


def test_single_change_has_no_link_to_itself() -> None:
    found = rendered("words of text\n\nGone", "words of text\n\nNew")
    assert "difference-step" not in found.html()
    assert found.counts == BlockCounts(added=1, removed=1)


# Screen readers


def test_marks_are_announced_with_their_start_and_end() -> None:
    heard = text_of(html_of("The old words here.\n\nsame\n\nGone", "The new words here.\n\nsame"), heard=True)
    assert heard == (
        "The Removed: old End of removed text. Added: new End of added text. words here. same "
        "Removed: Gone End of removed text."
    )


@settings(max_examples=20, deadline=None)
@given(pages, pages)
def test_each_mark_has_hidden_text_at_both_ends(old: list[str], new: list[str]) -> None:
    html = html_of("\n\n".join(old), "\n\n".join(new))
    names = {"ins": "added", "del": "removed"}
    for element in html5lib.parseFragment(html, namespaceHTMLElements=False).iter():
        if element.tag in names:
            first, *_, last = element
            assert first.get("class") == last.get("class") == "sr-only"
            assert first.text.strip().lower() == f"{names[element.tag]}:"
            assert last.text.strip() == f"End of {names[element.tag]} text."
            assert not (element.text or "").strip()
            assert not (last.tail or "").strip()


# Processes


def test_parts_are_rendered_as_pages_are() -> None:
    old, new = compose("# Title\n\n---\n\nOld words here", str), compose("# Title\n\n---\n\nNew words here", str)
    difference, links = page_difference(old, new), UnchangedLinks()
    with closing(MarkdownProcessPool()) as pool:
        render_part = process_rendering(MarkdownRenderer(pool), "acme/query@main:docs/page.md")
        found = render_difference(difference, render_part=render_part, old_links=links, new_links=links)
    expected = render_difference(difference, render_part=direct_rendering(), old_links=links, new_links=links)
    assert "<h2>Title</h2>\n<hr>" in found.html()
    assert found == expected


def test_part_beyond_a_limit_makes_the_difference_plain_text() -> None:
    difference = page_difference(compose("some words", str), compose("some words\n\n" + "[a](/b) " * 5_001, str))
    links = UnchangedLinks()
    render_part = process_rendering(MarkdownRenderer(), "acme/query@main:docs/page.md")
    found = render_difference(difference, render_part=render_part, old_links=links, new_links=links)
    assert found == plain_difference(difference)


# Hostile texts


@pytest.mark.parametrize("vector", [*SCRIPT_VECTORS, *COMPONENT_VECTORS])
def test_active_content_is_removed(vector: str) -> None:
    changed = vector.replace("alert(1)", "alert(2)").replace("x", "y", 1)
    versions = [
        (f"{vector}\n\nsome more words", f"some more words\n\n{changed}"),
        (f"words and {vector} words", f"words and {changed} words"),
        (f"- some words\n\n  {vector}", f"- some more words\n\n  {changed}"),
        (f"---\ntitle: '{vector}'\n---\n", f"---\ntitle: '{changed}'\n---\n"),
    ]
    found = {pair: dangers_of(html_of(*pair)) for pair in versions}
    found["plain", ""] = dangers_of(plain_html(vector, changed))
    assert {pair: danger for pair, danger in found.items() if danger} == {}


def plain_html(old: str, new: str) -> str:
    return plain_difference(page_difference(compose(old, str), compose(new, str))).html()


def test_text_cannot_close_the_element_of_a_mark() -> None:
    html = html_of("words of text here </ins></div></del> end", "words of text there </ins></div></details> end")
    document = html5lib.parseFragment(f"<main>{html}</main><p>after</p>", namespaceHTMLElements=False)
    assert [child.tag for child in document] == ["main", "p"]


def test_changed_code_is_escaped() -> None:
    html = html_of("```html\n<b>\n</code>\n```", "```html\n<i>\n</code>\n```")
    assert "<i>" not in html
    assert text_of(html) == "<b> <i> </code>"


def test_page_beyond_a_limit_is_plain_text() -> None:
    html = html_of("[a](/b) " * 5_001, "[a](/c)")
    assert html.count('<pre class="plain-text"') == 2


def test_plain_text_is_cut() -> None:
    html = html_of("&" * 1_000_000, "x")
    assert html.count("&amp;") == 200_000
    assert "The rest of the text is not shown." in html


@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a b " * 4_000, "a c " * 4_000),
        ("\n\n".join(["a a a b " * 40] * 40), "\n\n".join(["a a a c " * 40] * 40)),
        ("**a** " * 1_000, "**a** " * 500 + "b " + "**a** " * 500),
        ("<b>" * 2_000 + "x y z w", "<b>" * 2_000 + "x y z v"),
        ("```\n" + "x\n" * 3_900 + "```", "```\n" + "x\ny\n" * 1_900 + "```"),
    ],
    ids=["words", "marks", "elements", "open elements", "code"],
)
def test_hostile_versions_take_bounded_time(old: str, new: str) -> None:
    start_s = time.process_time()
    html = html_of(old, new)
    assert time.process_time() - start_s < 3
    assert len(html) < 4_000_000
