"""The dialect of mdBook as HTML and as Markdown."""

from __future__ import annotations

import html as html_entities
import re

import pytest
from tests.inputs.dialect_pages import dialect_page, exported_text

FILES = {
    "docs/guide/main.rs": (
        "// ANCHOR: all\nuse std::io;\n\n// ANCHOR: body\nfn main() {\n    run();\n}\n// ANCHOR_END: body\n"
        "// ANCHOR_END: all\n"
    ),
    "docs/guide/part.md": "Part with [a link](./other.md).\n",
    "docs/guide/deep/outer.md": "{{#include inner.md}}",
    "docs/guide/deep/inner.md": "See [this](./near.md).\n",
    "docs/guide/loop.md": "{{#include loop.md}}",
}


def html(text: str) -> str:
    page = dialect_page("mdbook", text, FILES)
    assert [one.message for one in page.problems] == []
    return " ".join(page.html().split())


def shown(text: str) -> str:
    """The visible text, without tags."""
    return html_entities.unescape(re.sub(r"<[^>]*>", "", dialect_page("mdbook", text, FILES).html()))


@pytest.mark.parametrize(
    ("selection", "expected"),
    [
        ("", "// ANCHOR: all\nuse std::io;"),
        (":2", "use std::io;"),
        (":5:6", "fn main() {\n    run();"),
        ("::2", "// ANCHOR: all\nuse std::io;"),
        (":6:", "    run();\n}"),
        (":body", "fn main() {\n    run();\n}"),
        (":all", "use std::io;\n\nfn main() {\n    run();\n}"),
    ],
)
def test_lines_and_anchors_of_files_are_included(selection: str, expected: str) -> None:
    code = exported_text("mdbook", f"```rust\n{{{{#include main.rs{selection}}}}}\n```\n", FILES)
    assert code.startswith(f"```rust\n{expected}")


def test_rustdoc_include_shows_the_named_lines_only() -> None:
    code = exported_text("mdbook", "```rust\n{{#rustdoc_include main.rs:body}}\n```\n", FILES)
    assert code.strip() == "```rust\nfn main() {\n    run();\n}\n```"


def test_playground_is_a_fence_with_the_file() -> None:
    assert exported_text("mdbook", "{{#playground main.rs editable}}\n", FILES).startswith("```rust\n// ANCHOR: all")


def test_included_markdown_keeps_its_links() -> None:
    assert 'href="./other.md"' in html("{{#include part.md}}\n")
    assert 'href="deep/near.md"' in html("{{#include deep/outer.md}}\n")


def test_include_in_a_quote_and_a_list_stays_in_it() -> None:
    assert "<blockquote>" in html("> ```rust\n> {{#include main.rs:body}}\n> ```\n")
    assert exported_text("mdbook", "- a\n\n  ```rust\n  {{#include main.rs:body}}\n  ```\n", FILES).count("\n  ") == 5


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{{#include nope.rs}}", "the included file nope.rs does not exist"),
        ("{{#include main.rs:nope}}", "the included file main.rs has no anchor nope"),
        ("{{#include ../../../x.rs}}", "the included file ../../../x.rs does not exist"),
        ("{{#quiz a.toml}}", "the helper {{#quiz a.toml}} is not evaluated"),
        ("Version {{ book-version }}", "the helper {{ book-version }} is not evaluated"),
    ],
)
def test_what_is_not_shown_is_reported(text: str, message: str) -> None:
    page = dialect_page("mdbook", f"# T\n\n{text}\n", FILES)
    assert [(one.line, one.message) for one in page.problems] == [(3, message)]
    assert "{{" not in page.html()


def test_file_that_includes_itself_ends() -> None:
    assert "does not exist" in dialect_page("mdbook", "{{#include loop.md}}\n", FILES).problems[0].message


def test_escaped_statement_is_text() -> None:
    assert "{{#include a.rs}}" in shown("Write \\{{#include a.rs}} or `\\{{#include a.rs}}`.\n")
    assert "\\{{" not in shown("```hbs\n\\{{#include a.rs}}\n```\n")


def test_title_of_the_page_is_no_text() -> None:
    assert shown("{{#title My page}}\n# Chapter\n\nText.\n").strip() == "Text."


def test_hidden_lines_of_rust_are_neither_shown_nor_exported() -> None:
    code = "# fn main() {\nlet x = 1;\n    # hidden();\n#\n## shown\n#[derive(Debug)]\n#![no_std]\n# }\n"
    text = f"```rust,ignore\n{code}```\n"
    code = exported_text("mdbook", text)
    assert code.strip() == "```rust\nlet x = 1;\n# shown\n#[derive(Debug)]\n#![no_std]\n```"
    assert "hidden" not in shown(text)


def test_lines_of_other_languages_are_hidden_by_their_prefix() -> None:
    assert exported_text("mdbook", "```python,hidelines=!!!\n!!!import a\nb\n```\n").strip() == "```python\nb\n```"
    assert "# a" in exported_text("mdbook", "```bash\n# a\n```\n")


def test_language_is_the_first_word_of_the_info() -> None:
    assert exported_text("mdbook", "```rust,should_panic,edition2021\nx\n```\n").startswith("```rust\n")


@pytest.mark.parametrize(
    ("opening", "kind", "title"),
    [
        ("admonish", "note", ""),
        ("admonish warning", "warning", ""),
        ('admonish bug "A *b*"', "caution", "A <em>b</em>"),
        ('admonish tip title="T"', "tip", "T"),
        ("admonish danger", "caution", "Danger"),
    ],
)
def test_admonish_is_a_callout(opening: str, kind: str, title: str) -> None:
    found = html(f"```{opening}\nSome **text**.\n```\n")
    assert f"data-callout='{kind}'" in found.replace('"', "'")
    assert "<strong>text</strong>" in found
    assert title in found


def test_collapsible_admonish_is_a_fold() -> None:
    assert "<summary>More</summary>" in html('```admonish note title="More", collapsible=true\nx\n```\n')


def test_code_within_admonish_is_code() -> None:
    assert "<pre" in html("````admonish\n```rust\nlet x = 1;\n```\n````\n")


def test_div_with_the_class_of_a_callout_is_one() -> None:
    found = html('<div class="warning">\n\nSome **text**.\n\n</div>\n\nAfter.\n')
    assert "data-callout='warning'" in found.replace('"', "'")
    assert found.endswith("<p>After.</p>")
    assert "callout" not in html('<div class="warning">\n\nNo end.\n')


def test_listing_has_the_name_of_its_file_and_a_caption() -> None:
    tag = '<Listing number="1-1" file-name="src/main.rs" caption="Uses `a` and <em>b</em>">'
    text = f"{tag}\n\n```rust\nx\n```\n\n</Listing>\n"
    found = html(text)
    assert "<figure>" in found
    assert "src/main.rs" in found
    assert "Listing 1-1: Uses <code>a</code> and <em>b</em>" in found
    assert "Listing" not in html('<Listing file-name="a.rs">\n\n```rust\nx\n```\n\n</Listing>\n')


def test_attributes_of_headings_are_ids() -> None:
    page = dialect_page("mdbook", "# A\n\n## B { #own .class }\n\n## C {.x}\n\n## my_Name: it's\n\n## my_Name: it's\n")
    assert {"own", "c", "my_name-its", "my_name-its-1"} <= page.anchors
    assert "{" not in page.html()


def test_formulas_have_dollar_signs() -> None:
    assert exported_text("mdbook", "A \\\\( x^2 \\\\) b.\n").strip() == "A $ x^2 $ b."
    assert exported_text("mdbook", "\\\\[ x \\\\]\n").strip() == "$$ x $$"


def test_definition_lists_are_lists() -> None:
    assert "<dt>a</dt>" in html("a\n: b\n")
