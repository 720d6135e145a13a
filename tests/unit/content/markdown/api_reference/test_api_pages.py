"""Tests of the layout of TypeDoc's Markdown as an API reference."""

from __future__ import annotations

import re
from html import unescape

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from tests.inputs.api_pages import API_CLASS, API_SOURCE
from tests.inputs.script_vectors import dangers
from tests.suite.time_complexity import MAX_LINEAR_GROWTH, cpu_time_growth

from kinfolk.content.markdown.api_reference.api_signature import in_typescript, signature_html
from kinfolk.content.markdown.markdown_page import MarkdownPage
from kinfolk.content.markdown.processes.messages import decode_page, encode_page
from kinfolk.content.markdown.render import render
from kinfolk.content.markdown.source.compose import compose
from kinfolk.runtime.errors import NotFound


class ReferenceLinks:
    """Links of a reference with one page for `TimerState`, and two for `Store`."""

    PAGES = (
        "../interfaces/Clock.md",
        "../interfaces/TimerOptions.md",
        "../type-aliases/AnyFunction.md",
        "../interfaces/TimerState.md",
        "../classes/Store.md",
        "../interfaces/Store.md",
    )

    def link(self, href: str) -> tuple[str, bool]:
        path = href.partition("#")[0]
        is_known = path in self.PAGES or "://" in href
        return href.replace("../", "/docs/").replace(".md", ""), not is_known

    def image(self, src: str) -> str:
        return src


def page(text: str, *, api_layout: bool = True) -> MarkdownPage:
    def read(path: str) -> str:
        raise NotFound(path)

    return render(compose(text, read), resolve=ReferenceLinks(), api_layout=api_layout)


@pytest.fixture(scope="module")
def timer() -> MarkdownPage:
    return page(API_CLASS)


def all_ids(html: str) -> list[str]:
    return re.findall(r' id="([^"]+)"', html)


def ids(html: str) -> set[str]:
    return set(all_ids(html))


def test_head_names_the_kind_and_the_source(timer: MarkdownPage) -> None:
    html = timer.html()
    assert timer.is_api_reference
    assert '<span class="api-kind">Class</span>' in html
    assert "Defined in" not in html
    assert '#L7" rel="noopener">timer.ts:7</a></span></div>' in html


def test_parameters_are_a_table_with_types_and_descriptions(timer: MarkdownPage) -> None:
    html = timer.html()
    assert '<th scope="col">Parameters</th><th scope="col">Type</th><th scope="col">Description</th>' in html
    assert '<tr id="fn"><th scope="row"><code>fn</code></th><td><code>TFn</code></td><td> The function to run.' in html
    assert '<a href="/docs/interfaces/TimerOptions">TimerOptions</a>&lt;TFn&gt;</code>' in html
    assert '<code>wait</code><span class="api-badge" data-badge="optional">' in html


def test_type_parameters_have_their_constraint_and_default_in_columns(timer: MarkdownPage) -> None:
    row = timer.html().partition('<tr id="tfn">')[2].partition("</tr>")[0]
    assert '<td data-label="extends"><code><a href="/docs/type-aliases/AnyFunction">AnyFunction</a></code></td>' in row
    assert '<td data-label="default"><code>Noop</code></td>' in row


def test_types_in_signatures_link_to_the_only_page_of_their_name(timer: MarkdownPage) -> None:
    html = timer.html()
    assert '<a class="t" href="/docs/interfaces/TimerState">TimerState</a>' in html
    assert '<span class="t">Store</span>' in html


def test_inherited_members_are_folded_below_the_others(timer: MarkdownPage) -> None:
    own, _, inherited = timer.html().partition("<summary>Inherited from Clock (1)</summary>")
    assert 'id="label"' in own
    assert 'id="now"' not in own
    assert 'id="now"' in inherited.partition("</details>")[0]
    assert 'data-badge="deprecated"' in inherited


def test_outline_lists_sections_and_own_members(timer: MarkdownPage) -> None:
    outlined = [heading.text for heading in timer.headings if heading.outlined]
    assert outlined == [
        *("Type Parameters", "Constructors", "Constructor", "Properties", "store", "label?", "Methods", "cancel()"),
    ]
    assert "now" in [heading.text for heading in timer.headings]


def test_section_of_many_members_is_one_entry_of_the_outline() -> None:
    many = "".join(f"### m{number}()\n\n```ts\nm{number}(): void;\n```\n\n" for number in range(40))
    listed = page(f"# Class: A\n\n{API_SOURCE.format(name='a')}## Methods\n\n{many}").headings
    assert [heading.text for heading in listed if heading.outlined] == ["Methods"]
    assert len(listed) == 41


def test_ids_of_all_headings_stay(timer: MarkdownPage) -> None:
    before = page(API_CLASS, api_layout=False)
    assert before.anchors == timer.anchors
    assert ids(before.html()) <= ids(timer.html())


PICK_ONE = f"""# Function: pickOne()

## Call Signature

```ts
function pickOne<T>(list): T;
```

{API_SOURCE.format(name="pick")}Picks one.

## When to use it

Use it for short lists.

{{own}}### Type Parameters

#### T

`T`

### Parameters

#### list

`T`[]

The list.

### Returns

`T`

### Example

```ts
pickOne([1])
```
"""


def test_section_of_the_author_shows_the_parts_that_follow_it_once() -> None:
    shown = page(PICK_ONE.format(own=""))
    html = shown.html()
    assert html.count('<h2 id="when-to-use-it">When to use it') == 1
    assert (html.count("<b>Type Parameters</b>"), html.count(">Parameters</th>")) == (1, 1)
    assert (html.count("<b>Returns</b>"), html.count(">Example</p>")) == (1, 1)
    assert [block.code for block in shown.code_blocks] == ["pickOne([1])"]
    assert (html.count("<figure"), "&lt;figure" in html) == (1, False)
    assert len(all_ids(html)) == len(ids(html))


def test_headings_and_code_within_a_section_of_the_author_stay_as_written() -> None:
    own = "```ts\nconst one = pickOne(all)\n```\n\n### Long lists\n\nTake a sample.\n\n#### Why\n\nTime.\n\n"
    shown = page(PICK_ONE.format(own=own))
    assert [block.code for block in shown.code_blocks] == ["const one = pickOne(all)", "pickOne([1])"]
    assert '<h3 id="long-lists">' in shown.html()
    assert '<h4 id="why">' in shown.html()
    assert "<p>Take a sample.</p>" in shown.html()


def test_prose_of_throws_is_no_code_and_a_bare_void_is_not_repeated(timer: MarkdownPage) -> None:
    methods = timer.html().partition('<h2 id="methods">')[2]
    assert "<div> If the timer is gone.</div>" in methods
    assert "<b>Returns</b>" not in methods


def test_source_without_a_link_is_recognized() -> None:
    html = page("```ts\nconst a: string;\n```\n\nDefined in: node\\_modules/store/index.d.ts:12\n").html()
    assert '<span class="api-kind">Variable</span>' in html
    assert "index.d.ts:12" in html


@pytest.mark.parametrize(
    "text",
    [
        "# Guide\n\n## Parameters\n\n### a\n\n`string`\n",
        "# Guide\n\n> Defined in: [a](b.md)\n",
        f"# Guide\n\n{API_SOURCE}<!-- ::start:framework -->\n\n# React\n\nR\n\n<!-- ::end:framework -->\n",
    ],
)
def test_other_pages_are_not_recognized(text: str) -> None:
    assert page(text) == page(text, api_layout=False)


def test_processes_return_the_outline_and_the_layout(timer: MarkdownPage) -> None:
    assert decode_page(encode_page(timer)) == timer


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("optional label: string;", "label?: string;"),
        ("readonly optional label: string;", "readonly label?: string;"),
        ("optional run(): void;", "run?(): void;"),
        ("optional: string;", "optional: string;"),
        ("store: Store;", "store: Store;"),
    ],
)
def test_optional_members_are_written_as_in_typescript(written: str, shown: str) -> None:
    assert in_typescript(written) == shown


def test_signature_is_escaped_and_links_types_only() -> None:
    html = signature_html('run(a: "<b>", Timer: Timer<T>): this;', {"Timer": '/x?a="&b', "T": "/t"})
    assert html == (
        '<span class="f">run</span>(<span class="p">a</span>: <span class="s">"&lt;b&gt;"</span>,'
        ' <span class="p">Timer</span>: <a class="t" href="/x?a=&quot;&amp;b">Timer</a>&lt;T&gt;):'
        ' <span class="k">this</span>;'
    )


@pytest.mark.parametrize(
    "part",
    ["#### Parameters\n\n##### a\n\n`b` = \n\n", "###### Returns\n\n###### a\n\n", "### a\n\n```ts\na: A0;\n```\n\n"],
)
def test_layout_takes_linear_time(part: str) -> None:
    head = API_SOURCE.format(name="a") + "## Methods\n\n"
    assert cpu_time_growth(lambda size: page(head + part * (size // 16)), 2_000) <= MAX_LINEAR_GROWTH


PIECES = st.sampled_from(
    [
        API_SOURCE.format(name="a"),
        "Defined in: a\n\n",
        "# Class: A\\<T\\>\n\n",
        *(
            f"{'#' * level} {name}\n\n"
            for level in range(2, 7)
            for name in ("Parameters", "Returns", "Type Parameters")
        ),
        *(f"{'#' * level} {name}\n\n" for level in range(2, 6) for name in ("Properties", "Call Signature", "Example")),
        *(
            f"{'#' * level} {name}\n\n"
            for level in range(2, 7)
            for name in ("Inherited from", "Deprecated", "a?", "b()")
        ),
        '```ts\noptional a: A<"b", \'c>;\n```\n\n',
        "`T` *extends* [`A`](../interfaces/A.md) = `B`\n\n",
        "- [`A`](../classes/A.md)\n- b\n\n",
        *(f"{'#' * level} When to use it\n\n" for level in range(2, 7)),
        "> quote\n\n",
        "***\n\n",
        "<div>\n\n",
        "</details></table>\n\n",
        "![x](y.png)\n\n",
        "| a |\n|---|\n| b |\n\n",
        "javascript:alert(1) [x](javascript:alert(1)) ~~s~~\n\n",
    ]
) | st.text(max_size=8)


# Words of the layout's own: `Defined in`, `extends` and `optional` become a link, a column and a mark.
REPLACED = frozenset(("defined", "in", "extends", "optional", "packages", "atlas", "src", "returns"))


def shown_words(page: MarkdownPage) -> set[str]:
    return set(re.findall(r"\w+", unescape(re.sub(r"<[^>]*>", " ", page.html())).casefold()))


@hypothesis_settings(max_examples=150, deadline=None)
@given(pieces=st.lists(PIECES, max_size=25))
def test_any_text_has_its_anchors_and_words_in_safe_html(pieces: list[str]) -> None:
    text = "".join(f"{piece}w{number}w\n\n" for number, piece in enumerate(pieces))
    before, after = page(text, api_layout=False), page(text)
    assert dangers(after) == []
    assert {heading.id for heading in before.headings} <= after.anchors
    assert {heading.id for heading in before.headings} <= ids(after.html())
    assert shown_words(before) - shown_words(after) <= REPLACED
    assert len(all_ids(after.html())) == len(ids(after.html()))
    marks = [f"w{number}w" for number in range(len(pieces))]
    assert [after.html().count(mark) for mark in marks] == [before.html().count(mark) for mark in marks]
