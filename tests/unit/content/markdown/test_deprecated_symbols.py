"""Pages of the docs say in several ways what is deprecated."""

from __future__ import annotations

import pytest
from tests.inputs.script_vectors import SCRIPT_VECTORS
from tests.suite.time_complexity import MAX_LINEAR_GROWTH, cpu_time_growth

from kinfolk.content.markdown.deprecated_symbols import (
    LONGEST_TEXT,
    MOST_SYMBOLS,
    DeprecatedSymbol,
    deprecated_anchors,
    deprecated_lines,
    deprecated_symbols,
    deprecation_line,
    page_deprecation,
)
from kinfolk.content.markdown.markdown_page import Heading
from kinfolk.content.markdown.processes.jobs import InProcessJobs, MarkdownFile
from kinfolk.runtime.errors import NotFound

TYPEDOC = """---
id: getSortedRowModel
title: getSortedRowModel
---

# ~~Function: getSortedRowModel\\<TData\\>()~~

```ts
function getSortedRowModel<TData>(): RowModelFactory<TData>;
```

Defined in: [a.ts:67](https://x.test/a.ts)

## Members

### ~~store~~

```ts
readonly store: Store;
```

#### Deprecated

Prefer `table.state` for render reads. It is
easy to misuse.

***

### state

The state.

### ~~first~~

## Deprecated

Since v9.1.0. Use `createSortedRowModel()` instead.

```ts
deprecated()
```
"""


def names(text: str) -> list[str]:
    return [symbol.name for symbol in deprecated_symbols(text, title="The page")]


def only(text: str) -> DeprecatedSymbol:
    [symbol] = deprecated_symbols(text, title="The page")
    return symbol


def no_file(path: str) -> str:
    raise NotFound(path)


def test_reference_page_of_typedoc() -> None:
    page, store, first = deprecated_symbols(TYPEDOC)
    assert (page.name, page.place, page.since) == ("getSortedRowModel<TData>()", "page", "9.1.0")
    assert page.replacement == "Use `createSortedRowModel()` instead."
    assert (store.name, store.place, store.heading) == ("store", "heading", "store")
    assert store.text == "Prefer `table.state` for render reads. It is\neasy to misuse."
    assert store.replacement == "Prefer `table.state` for render reads."
    # A member without a reason of its own has that of the page.
    assert (first.name, first.text) == ("first", page.text)


def test_anchors_of_a_rendered_page() -> None:
    page = InProcessJobs().page(MarkdownFile("x", TYPEDOC, no_file))
    anchors = deprecated_anchors(deprecated_symbols(TYPEDOC), page.headings)
    assert {anchor: symbol.name for anchor, symbol in anchors.items()} == {"store": "store", "first": "first"}


def test_anchors_of_headings_with_one_text_are_those_that_follow() -> None:
    headings = [Heading("a", "x", 2), Heading("b", "y", 2), Heading("c", "x", 2), Heading("d", "y", 2)]
    found = deprecated_symbols("## ~~y~~\n\n## ~~x~~\n\n## ~~y~~\n\n## ~~z~~\n\n# ~~x~~")
    assert list(deprecated_anchors(found, headings)) == ["b", "c", "d"]


@pytest.mark.parametrize(
    ("text", "name", "replacement"),
    [
        (
            "### `parseParams` method (⚠️ deprecated, use `params.parse` instead)\n\n- Optional\n",
            "parseParams",
            "use `params.parse` instead",
        ),
        ("### `options.condition` option (⚠️ deprecated)\n\n- Optional\n", "options.condition", ""),
        (
            "### ~~`caseSensitive`~~ property (deprecated)\n\n- Declare it in the route instead.\n",
            "caseSensitive",
            "Declare it in the route instead.",
        ),
        ("### `notFoundRoute` property\n\n- **Deprecated**\n- Type: `Route`\n", "notFoundRoute", ""),
        ("### `a`\n\n@deprecated use `b`\n", "a", "use `b`"),
        ("### `a`\n\n**Deprecated:** superseded by `b`.\n", "a", "superseded by `b`."),
        ("### a()\n\nDeprecated alias for [b](b.md).\n", "a()", "Deprecated alias for [b](b.md)."),
        ("### a()\n\n**Deprecated**\n\nUse `b` instead.\n", "a()", "Use `b` instead."),
        ("### a() {#a}\n\nThis function is now **deprecated**. Prefer `b`.\n", "a() {#a}", "Prefer `b`."),
    ],
)
def test_sections(text: str, name: str, replacement: str) -> None:
    found = only(text)
    assert (found.name, found.place, found.replacement) == (name, "heading", replacement)


@pytest.mark.parametrize(
    "text",
    [
        "> [!CAUTION]\n> This class has been deprecated.\n> Please use [b](b.md) instead.\n\nMore.\n\n## Options\n",
        "## Deprecated\n\nThis plugin goes. Please use [b](b.md) instead.\n\n## Installation\n\na\n",
        "Intro.\n\nThis page is deprecated. Please use [b](b.md) instead.\n",
    ],
)
def test_whole_pages(text: str) -> None:
    found = only(text)
    assert (found.name, found.place, found.heading) == ("The page", "page", "")
    assert found.replacement == "Please use [b](b.md) instead."


def test_items_of_lists() -> None:
    item = "- `isInitialLoading: boolean`\n  - **deprecated**\n  - Alias for `isLoading`.\n"
    text = f"## Returns\n\n- `isLoading: boolean`\n{item}"
    found = only(text)
    assert (found.name, found.place, found.replacement) == ("isInitialLoading", "item", "Alias for `isLoading`.")


@pytest.mark.parametrize(
    "text",
    [
        "## Guide\n\nThe `NotFoundRoute` API is deprecated in favor of `notFoundComponent`.\n",
        "> These tips replace the use of the now deprecated `prefetchQuery`.\n",
        "### The deprecated custom logger has been removed\n\nThey were deprecated in 4.\n",
        "## Menu\n\n- ⚠️ Deprecated\n  - [A](a.md)\n  - [B](b.md)\n",
        "- [~~a~~](a.md)\n- [~~b~~](b.md)\n",
        "## a\n\n```ts\n/* @deprecated */\n### ~~x~~\n```\n",
        "## a\n\nOne.\n\nTwo.\n\nThis option is deprecated.\n",
        "## a\n\n- one\n- If the deprecated `b` is set\n",
        "#### Call Signature\n\n##### Deprecated\n\nUse the other one.\n",
        "## undeprecated (notdeprecated)\n",
        "",
    ],
)
def test_mentions_mark_nothing(text: str) -> None:
    assert names(text) == []


@pytest.mark.parametrize("vector", SCRIPT_VECTORS)
def test_active_content_is_text(vector: str) -> None:
    assert len(deprecated_symbols(f"## ~~a~~\n\n#### Deprecated\n\n{vector}\n\nUse `b` instead.\n")) == 1


def test_texts_and_numbers_of_symbols_are_limited() -> None:
    assert len(only("## ~~a~~\n\n### Deprecated\n\n" + "word " * 1_000).text) <= LONGEST_TEXT
    assert len(deprecated_symbols("## ~~a~~\n" * (MOST_SYMBOLS + 5))) == MOST_SYMBOLS


@pytest.mark.parametrize(
    "part",
    [
        "## ~~a~~\n",
        "## ~~a",
        "# (deprecated",
        "## Deprecated\n\na\n\n",
        "## ~~a~~\n\n## Deprecated\n\na\n\n",
        "- `a`\n  - **deprecated**\n",
        "- `a\n  - **deprecated**\n  - b\n",
        "  - **deprecated** a. Use b\n",
        "> [!A]\n",
        "This is deprecated. ",
        "@deprecated\n\n",
        "**Deprecated**\n",
        "\\<",
    ],
)
def test_search_takes_linear_time(part: str) -> None:
    def search(size: int) -> object:
        return deprecated_symbols("## ~~a~~\n\n" + part * (size // len(part)))

    assert cpu_time_growth(search, 2_500) < MAX_LINEAR_GROWTH


# Lines about them


@pytest.mark.parametrize(
    ("replacement", "since", "line"),
    [
        ("", None, "Deprecated."),
        ("", "5.1", "Deprecated since 5.1."),
        ("use `other` instead", None, "Deprecated. Use other instead"),
        ("Use [**the** other](https://x.test) instead.", "2.0", "Deprecated since 2.0. Use the other instead."),
        ("Use {@link other} or {@linkcode more}.", None, "Deprecated. Use other or more."),
        ("<script>use instead", None, "Deprecated. <script>use instead"),
        ("a" * 999, None, f"Deprecated. A{'a' * 199}"),
    ],
)
def test_line_is_plain_text(replacement: str, since: str | None, line: str) -> None:
    assert deprecation_line(DeprecatedSymbol("a", "heading", replacement=replacement, since=since)) == line


def test_line_about_a_page_is_only_of_one_that_is_deprecated_as_a_whole() -> None:
    assert page_deprecation(TYPEDOC) == "Deprecated since 9.1.0. Use createSortedRowModel() instead."
    assert page_deprecation("# A page\n\n## ~~one~~\n\n#### Deprecated\n\nUse `two` instead.\n") == ""


def test_lines_of_a_page_are_by_the_ids_of_its_headings() -> None:
    page = InProcessJobs().page(MarkdownFile("a.md", TYPEDOC, no_file))
    lines = deprecated_lines(page)
    assert list(lines) == ["", "store", "first"]
    assert lines["store"] == "Deprecated. Prefer table.state for render reads."
