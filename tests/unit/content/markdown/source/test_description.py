"""Tests of descriptions: the first prose of a page, the same in the page, its Markdown and lists of pages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from tests.inputs.api_pages import API_CLASS, API_SOURCE
from tests.suite.time_complexity import MAX_LINEAR_GROWTH, cpu_time_growth

from kinfolk.content.markdown.export import BEGINNING, description_of
from kinfolk.content.markdown.processes.jobs import InProcessJobs, MarkdownFile
from kinfolk.content.markdown.processes.plain_text_fallback import MarkdownRenderer
from kinfolk.runtime.budget import BUDGETS
from kinfolk.runtime.errors import NotFound

JOBS = InProcessJobs()


def descriptions(text: str) -> list[str]:
    """That of the page, of its Markdown and of lists."""

    def read(path: str) -> str:
        raise NotFound(path)

    file = MarkdownFile("", text, read)
    return [JOBS.page(file).description, JOBS.export(file).description, JOBS.summary(file).description]


SOURCE = API_SOURCE.format(name="a")
CASES = {
    "setext headings": ("Title\n=====\n\nFirst *text*.\n\nPart\n---\n\nMore.\n", "First text. More."),
    "table": ("# T\n\n| Option | Default |\n| --- | --- |\n| `a` | 1 |\n\nProse after it.\n", "Prose after it."),
    "table only": ("# T\n\n| Option | Default |\n| --- | --- |\n| `a` | 1 |\n", "Option Default a 1"),
    "references": ('[api]: ./a.md "API"\n\nSee the [api], [x][api] and [y].\n\n[y]: b.md\n', "See the api, x and y."),
    "tasks and entities": (
        "- [ ] to do\n- [x] done\n\nA &amp; &lt;T&gt; &copy;&nbsp;x \\* y\n",
        "to do done A & <T> © x * y",
    ),
    "code": ("```js\nconst a = 1\n```\n\n    indented\n\n> Text\n>\n> ```sh\n> ls\n> ```\n\n~~~\nx\n~~~\n", "Text"),
    "callouts": ("> [!NOTE]\n> One.\n\n> [!WARNING] Two `b`\n> three.\n\n> [!TIP]\n> > [!CAUTION]\n> > four\n", None),
    "links, images and breaks": (
        "[![badge](b.svg)](x)\n\n![logo](l.svg) A [*link*](y)\nand <b>bold</b>  \ntext\n",
        None,
    ),
    "HTML": (
        "<!-- note -->\n<h2>No</h2>\n<p align=center>Fast &amp; small</p>\n\n<details><summary>S</summary>\n",
        None,
    ),
    "tabs": (
        "<!-- ::start:tabs variant='package-manager' -->\n\nreact: @acme/react\n\n<!-- ::end:tabs -->\n\nText.\n",
        "Text.",
    ),
    "alternatives": (
        "<!-- ::start:framework -->\n\n# A\n\nUse a hook.\n\n# B\n\nUse a ref.\n\n<!-- ::end:framework -->\n\nEnd.\n",
        "Use a hook. End.",
    ),
    "no prose": ("# Title\n\n## Part\n\n```ts\na\n```\n\n---\n", ""),
}
EXPECTED = {
    "callouts": "One. Two b three. four",
    "links, images and breaks": "A link and bold text",
    "HTML": "Fast & small",
}


@pytest.mark.parametrize("name", CASES)
def test_description_is_prose_without_markup(name: str) -> None:
    text, expected = CASES[name]
    assert descriptions(text) == [EXPECTED.get(name, expected)] * 3


SIGNATURE = f"## Call Signature\n\n```ts\nfunction pick(a): void;\n```\n\n{SOURCE}"
PARAMETERS = "### Parameters\n\n#### a\n\n`A`\n\n"
ONLY_TYPES = f"""# Type Alias: Filter\\<TData\\>

```ts
type Filter<TData> = TData;
```

{SOURCE}## Type Parameters

### TData

`TData` *extends* `RowData`
"""
MEMBERS = f"""# Interface: Options\\<T\\>

{SOURCE}## Type Parameters

### T

`T` = `string`

## Properties

### wait?

```ts
optional wait: number;
```

{SOURCE}Milliseconds.

### on\\_end()

{SOURCE}#### Parameters

##### at

`number`
"""
DEPRECATED = (
    f"# Function: old()\n\n{SOURCE}## Type Parameters\n\n### T\n\n`T`\n\n## Deprecated\n\nUse `new()`.\n\nSoon.\n"
)
OWN_SECTION = (
    f"# Function: pick()\n\n{SOURCE}## Returns\n\n`T`\n\n## When to use it\n\nFor lists.\n\n### Returns\n\n`A`\n"
)
REFERENCES = {
    "prose": (API_CLASS, "Runs a function later."),
    "type parameters only": (ONLY_TYPES, "Type alias Filter."),
    "members": (MEMBERS, "Interface Options. Properties: wait, on_end()."),
    "repeated for each signature": ("# Function: pick()\n\n" + 2 * f"{SIGNATURE}Picks.\n\n{PARAMETERS}", "Picks."),
    "signatures without prose": (
        f"---\ntitle: pick\n---\n\n{SIGNATURE}{PARAMETERS}",
        "Function pick. Parameters: a.",
    ),
    "deprecated": (DEPRECATED, "Deprecated: Use new(). Soon."),
    "section of the author": (OWN_SECTION, "For lists."),
}


@pytest.mark.parametrize("name", REFERENCES)
def test_description_of_a_reference_is_its_prose_or_its_members(name: str) -> None:
    text, expected = REFERENCES[name]
    assert descriptions(text) == [expected] * 3


PIECES = st.sampled_from(
    [
        "Words of a paragraph that is long enough to fill the beginning of a page with several of its kind.\n\n",
        "- a list\n- with [a link][r] and [r]\n\n",
        "| a |\n|---|\n| b |\n\n",
        "| a |\n|---|\n" + "| a cell |\n" * 30 + "\n",
        "# Title\n\n",
        "Title\n===\n\n",
        "> [!NOTE] Title\n> quote\n\n",
        "<!-- ::start:tabs variant='package-manager' -->\n\nreact: a\n\n<!-- ::end:tabs -->\n\n",
        "<h1>Name</h1>\n\n",
        "<div>\n\n",
        "[r]: x.md\n\n",
        "```\ncode\n```\n\n",
        "Defined in: [a](b)\n\n",
        "x" * BEGINNING + " y\n",
        "word " * (BEGINNING // 5) + "\n",
    ]
)


@pytest.mark.no_cover
@hypothesis_settings(max_examples=150, deadline=None)
@given(text=st.lists(PIECES, max_size=40).map("".join))
def test_description_is_the_same_wherever_it_is_derived(text: str) -> None:
    assert len(set(descriptions(text))) == 1


def test_long_table_does_not_describe_a_text_with_prose_behind_its_beginning() -> None:
    table = "| a |\n|---|\n" + "| a cell |\n" * 60 + "\n"
    assert set(descriptions(table + "# Title\n\n" * (BEGINNING // 9) + "Prose.\n")) == {"Prose."}


def test_description_of_a_long_text_needs_its_beginning_only() -> None:
    text = "word " * 60 + "\n\n"
    assert description_of(text + "*a* `b` [c](d)\n\n" * 4_000, None) == description_of(text, None)
    assert cpu_time_growth(lambda size: description_of(text + "word [\n\n" * size, None), 4_000) <= MAX_LINEAR_GROWTH


def test_page_over_a_limit_is_described_by_the_prose_of_its_beginning() -> None:
    text = "# Title\n\nFirst *text*.\n\n" + "x" * BUDGETS["markdown"].input_bytes
    page = MarkdownRenderer().page(MarkdownFile("", text, str))
    assert page.limit == "size"
    assert page.description.startswith("First text. xxx")
