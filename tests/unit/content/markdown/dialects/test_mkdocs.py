"""Pages of MkDocs with Material: admonitions, tabs, attributes, snippets, keys, references and slugs."""

from __future__ import annotations

import pytest
from tests.inputs.dialect_pages import dialect_page, exported_text

from kinfolk.content.markdown.markdown_page import MarkdownPage


def page(text: str, files: dict[str, str] | None = None) -> MarkdownPage:
    return dialect_page("mkdocs", text, files)


def html(text: str, files: dict[str, str] | None = None) -> str:
    return page(text, files).html()


def messages(text: str) -> list[str]:
    return [problem.message for problem in page(text).problems]


@pytest.mark.parametrize(
    ("opening", "expected"),
    [
        ("!!! note", 'data-callout="note"'),
        ('!!! danger "Do *not*"', "Do <em>not</em>"),
        ("!!! question inline end", ">Question</p>"),
        ('??? tip "Folded `x`"', "<details><summary>Folded <code>x</code></summary>"),
        ("???+ tip", '<details open=""><summary>Tip</summary>'),
    ],
)
def test_admonition_becomes_callout_or_fold(opening: str, expected: str) -> None:
    result = html(f"{opening}\n\n    Inside\n\n    - item\n\nAfter\n")
    assert expected in result
    assert "<li>item</li>" in result
    assert result.endswith("<p>After</p>\n")


def test_admonitions_nest_and_hold_code() -> None:
    result = html("!!! note\n\n    !!! tip\n\n        ``` py\n        x\n        ```\n")
    assert result.count('class="callout"') == 2
    assert page("!!! note\n\n    ``` py\n    x\n    ```\n").code_blocks[0].code == "x"


def test_consecutive_tabs_are_one_group_also_in_a_list() -> None:
    text = '1. Step\n\n    === "A"\n\n        one\n\n    === "B"\n\n        two\n\n2. Next\n'
    result = html(text)
    assert result.count("<fieldset") == 1
    assert result.count('type="radio"') == 2
    assert result.count("<ol>") == 1


def test_blocks_with_slashes_become_callouts_and_tabs() -> None:
    result = html("/// tip | Title\n\nText\n\n///\n\n//// tab | A\n\none\n\n////\n\n//// tab | B\n\ntwo\n\n////\n")
    assert ">Title</p>" in result
    assert result.count('type="radio"') == 2
    assert "///" not in result


def test_attribute_lists_are_removed_and_their_ids_kept() -> None:
    result = page(
        "## Setup { #own .big }\n\nA [button](./x.md){ .md-button } and ![i](a.png){ width=300 }\n\nText { #spot }\n"
    )
    assert [heading.id for heading in result.headings] == ["own"]
    assert "spot" in result.anchors
    assert "{" not in result.html()


def test_slugs_are_those_of_python_markdown() -> None:
    text = "## What's *new* in 2.0?\n\n## Été\n\n## Été\n"
    assert [heading.id for heading in page(text).headings] == ["whats-new-in-20", "ete", "ete_1"]


def test_inline_marks_become_elements() -> None:
    result = html("++ctrl+alt+k++ ==mark== ^^ins^^ H~2~O {--old--}{++new++} {~~a~>b~~} {>>hidden<<}\n")
    assert "<kbd>Ctrl</kbd>+<kbd>Alt</kbd>+<kbd>K</kbd>" in result
    for part in ("<mark>mark</mark>", "<ins>ins</ins>", "<sub>2</sub>", "<del>old</del>", "<del>a</del><ins>b</ins>"):
        assert part in result
    assert "hidden" not in result


def test_icons_are_dropped_and_emoji_shown() -> None:
    assert html("A :material-check: :octicons-tag-24: :smile:\n") == "<p>A 😄</p>\n"


def test_syntax_in_code_stays() -> None:
    assert "<code>{{ x }} ++a++ :smile:</code>" in html("`{{ x }} ++a++ :smile:`\n")


def test_definition_lists_footnotes_and_abbreviations() -> None:
    result = html("Term\n:   Meaning\n\nText[^1] about HTML.\n\n[^1]: Note\n\n*[HTML]: Markup\n")
    assert "<dt>Term</dt>" in result
    assert "Note" in result
    assert '<abbr title="Markup">HTML</abbr>' in result


def test_snippet_is_read_from_the_repository_only() -> None:
    files = {"includes/a.md": "Included\n", "docs/code.py": "# --8<-- [start:one]\nx = 1\n# --8<-- [end:one]\n"}
    assert "Included" in html('--8<-- "includes/a.md"\n', files)
    (block,) = page('``` py\n--8<-- "code.py:one"\n```\n', files).code_blocks
    assert block.code == "x = 1"
    assert messages('--8<-- "../../secret"\n') == ["the included file ../../secret does not exist"]


def test_code_file_with_marked_lines_is_included() -> None:
    (block,) = page("{* ../../src/a.py ln[1:2] hl[2] *}\n", {"src/a.py": "a\nb\nc\n"}).code_blocks
    assert (block.language, block.code, block.highlighted) == ("py", "a\nb", (1,))


@pytest.mark.parametrize(
    ("info", "language", "title", "highlighted"),
    [
        ('py title="a.py" hl_lines="2 3" linenums="1"', "py", "a.py", (1, 2)),
        ('{ .yaml .annotate title="b.yml" }', "yaml", "b.yml", ()),
        ("{.python hl_lines=1}", "python", None, (0,)),
    ],
)
def test_options_of_fences(info: str, language: str, title: str | None, highlighted: tuple[int, ...]) -> None:
    result = page(f"``` {info}\na # (1)!\nb\nc\n```\n")
    (block,) = result.code_blocks
    assert (block.language, block.highlighted) == (language, highlighted)
    assert "(1)!" not in block.code
    assert (f"<figcaption>{title}</figcaption>" in result.html()) == (title is not None)


def test_macros_are_shown_as_code_and_reported() -> None:
    assert "<code>{{ version }}</code>" in html("Now {{ version }}\n")
    assert messages("Now {{ version }}\n") == ["the macro {{ version }} is not evaluated"]


def test_references_without_target_show_their_text() -> None:
    text = "[`Model`][] and [text][pkg.Model] and [here][known]\n\n[known]: ./x.md\n"
    result = page(text)
    assert "][" not in result.html()
    assert [link.written for link in result.links] == ["./x.md"]


def test_generated_reference_is_reported() -> None:
    assert (
        html("::: pkg.module\n    options:\n      x: 1\n\nAfter\n") == "<p><code>pkg.module</code></p>\n<p>After</p>\n"
    )
    assert "pkg.module" in messages("::: pkg.module\n")[0]


def test_markdown_within_marked_html() -> None:
    assert "<strong>x</strong>" in html('<div class="grid" markdown>\n**x**\n</div>\n')


def test_export_has_no_syntax_of_the_dialect() -> None:
    exported = exported_text("mkdocs", '## A { #a }\n\n!!! note "T"\n\n    Text\n\n=== "One"\n\n    x\n')
    assert exported == "## A\n\n> [!NOTE] T\n>\n> Text\n\n**One**\n\nx"


def test_grid_of_cards_has_no_code() -> None:
    text = (
        '<div class="grid cards" markdown>\n\n-   :material-clock-fast:{ .lg .middle } __Set up__\n\n    ---\n\n'
        "    Install it\n\n-   :simple-git: **Use**\n\n    Text\n\n</div>\n\nAfter\n"
    )
    result = html(text)
    assert '<div class="md-cards">\n<ul>\n<li>\n<p><strong>Set up</strong></p>\n<hr>\n<p>Install it</p>' in result
    assert "<pre" not in result
    assert result.rstrip().endswith("<p>After</p>")


@pytest.mark.parametrize("opening", ["!!!note", "!!! note", '!!!note "Note"'])
def test_admonition_without_a_space_is_read(opening: str) -> None:
    assert '<p class="callout-title">Note</p>\n<p>Text</p>' in html(f"{opening}\n    Text\n")


@pytest.mark.parametrize("rule", ["|---|", "|---|---|---|", "| :-- | --- | --- |", "---|---|---"])
def test_table_with_an_uneven_rule_row_is_a_table(rule: str) -> None:
    result = html(f"| a | b `|` |\n{rule}\n| 1 | 2 |\n")
    assert result.count("<th ") == 2
    assert result.count("<td") == 2


def test_cards_of_an_indented_grid_keep_their_paragraphs() -> None:
    cards = "-   __One__\n\n    ---\n\n    Text\n\n-   __Two__\n"
    text = f'<div class="result" markdown>\n  <div class="grid cards" markdown>\n\n{cards}\n  </div>\n</div>\n'
    result = dialect_page("mkdocs", text).html()
    assert ("<pre" in result, "<p>Text</p>" in result) == (False, True)
