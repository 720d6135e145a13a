"""What a README says."""

from __future__ import annotations

import time

import pytest

from kinfolk.cli.new.facts.install_commands import InstallCommand
from kinfolk.cli.new.facts.markdown_facts import LONGEST_TEXT, read_markdown

BADGES = "[![CI](https://img.shields.io/ci.svg)](https://ci.example)\n[![npm](https://img.shields.io/npm.svg)](x)\n"
README = f"""<p align="center">
  <img src="./logo.png" />
</p>

# Widgets

{BADGES}
Widgets is a small library for **fast** [tables](https://example.com), with no dependencies. It works everywhere.

- Sorting and filters
- No dependencies at all
- Typed down to the cells

```bash
npm install widgets
```

## Create a table

```ts title="src/table.ts"
import {{ table }} from 'widgets'

table([1, 2])
```
"""


def test_readme_with_badges_and_an_html_header() -> None:
    facts = read_markdown(README)
    assert facts.title == "Widgets"
    assert facts.paragraphs == [
        "Widgets is a small library for fast tables, with no dependencies. It works everywhere."
    ]
    assert facts.commands == [InstallCommand("npm", ("widgets",))]
    assert facts.features == ["Sorting and filters", "No dependencies at all", "Typed down to the cells"]
    assert facts.sample is not None
    assert (facts.sample.language, facts.sample.ending, facts.sample.heading) == ("ts", "ts", "Create a table")
    assert (facts.sample.file, facts.sample.code) == (
        "src/table.ts",
        "import { table } from 'widgets'\n\ntable([1, 2])",
    )


@pytest.mark.parametrize(
    "text",
    [
        BADGES,
        "[Website](https://a.example) • [Docs](https://b.example) • [Discord](https://c.example)\n",
        "Examples: [Demo one](https://a.example) and [Demo two](https://b.example)\n",
        "**Documentation**: <https://a.example/docs/of/the/library>\n",
        "visit [example.org](https://example.org) or just run `npm i widgets` in a shell\n",
        "⚠️ This readme is written for users of version two.\n",
        ":warning: This readme is written for users of version two.\n",
        "It has these parts, each in a folder of its own:\n",
        "See the documentation for how to use all of this.\n",
        "Two words\n",
        "import { Tabs, TabItem } from '@components/all-of-them';\n",
        "> A quotation is no sentence about the library itself.\n",
        "## License\n\nThis is free software under the terms of the license.\n",
        "## Contributing\n\nWidgets is developed by people who like tables.\n",
        "<div>\n<figure><figcaption><p>The client above imports no code.</p></figcaption></figure>\n</div>\n",
        "```\nA code block is no sentence about the library.\n```\n",
    ],
)
def test_paragraphs_that_do_not_say_what_the_library_is_are_left_out(text: str) -> None:
    assert read_markdown(text).paragraphs == []


def test_paragraph_in_html_is_read() -> None:
    assert read_markdown('<p align="center">\n  <em>✨ The little library that shines. ✨</em>\n</p>\n').paragraphs == [
        "The little library that shines."
    ]


def test_sentence_before_a_list_is_left_out_and_those_before_it_stay() -> None:
    assert read_markdown("Widgets is a tool for tables. It has two parts:\n\n- a\n").paragraphs == [
        "Widgets is a tool for tables."
    ]


@pytest.mark.parametrize(
    ("block", "language"),
    [
        ("```js\na\nb\nc\n```", "js"),
        ("```javascript {1,2}\na\nb\nc\n```", "js"),
        ("```python\na\nb\nc\n```", "python"),
        ("```tsx{3}\na\nb\nc\n```", "tsx"),
        ("```rs,no_run\na\nb\nc\n```", "rust"),
        ("```bash\nnpm i a\nb\nc\n```", None),
        ("```json\na\nb\nc\n```", None),
        ("```diff\na\nb\nc\n```", None),
        ("```\na\nb\nc\n```", None),
        ("```js\none line\n```", None),
        ("```js\n" + "line\n" * 60 + "```", None),
        ("```js\na\nb\n" + "c" * 300 + "\n```", None),
        ("```python\n{!> ../../src.py !}\nb\nc\n```", None),
        ("```js\n<<< @/snippet.js\nb\nc\n```", None),
        ("```js\na\n~~~~\n<script>alert(1)</script>\n```", None),
    ],
)
def test_first_code_is_of_a_programming_language(block: str, language: str | None) -> None:
    sample = read_markdown(block).sample
    assert (sample.language if sample else None) == language


def test_comment_with_the_name_of_a_file_becomes_the_title_of_the_code() -> None:
    sample = read_markdown("```js\n// app.config.mjs\n\na\nb\nc\n```\n").sample
    assert sample is not None
    assert (sample.file, sample.code) == ("app.config.mjs", "a\nb\nc")
    outside = read_markdown("```js\n// ../../etc/passwd.js\na\nb\nc\n```\n").sample
    assert outside is not None
    assert outside.file == ""


def test_lines_for_a_type_checker_are_no_code() -> None:
    sample = read_markdown("```ts twoslash\n// @filename: a.ts\nx\n// ---cut---\n// @errors\na\nb\nc\n```\n").sample
    assert sample is not None
    assert sample.code == "a\nb\nc"


@pytest.mark.parametrize(
    "text",
    [
        "## Why not others?\n\nText.\n\n- Less boilerplate\n- More of it\n- Other things\n",
        "- [Guide](a.md) of it\n- [API](b.md) of it\n- [More](c.md) of it\n",
        "- One item\n- Two items\n",
        f"- One item\n- Two items\n- {'x ' * 80}\n",
    ],
)
def test_lists_of_links_or_of_long_texts_are_no_features(text: str) -> None:
    assert read_markdown("```js\na\nb\nc\n```\n\n" + text).features == []


def test_front_matter_has_the_title_and_the_description() -> None:
    facts = read_markdown("---\ntitle: Start\ndescription: How to begin\n---\n\n# Other\n\nText\n")
    assert (facts.title, facts.description) == ("Start", "How to begin")


@pytest.mark.parametrize("part", ["[" * 50, "<p><em>", "- a\n", "**a", "![](", "<!-- "])
def test_large_readme_is_read_up_to_a_limit_in_linear_time(part: str) -> None:
    started = time.process_time()
    read_markdown(part * (1_000_000 // len(part)))
    assert time.process_time() - started < 2
    late = "a\n\n" * LONGEST_TEXT + "Widgets is a library at the end of a long text.\n"
    assert read_markdown(late).paragraphs == []
