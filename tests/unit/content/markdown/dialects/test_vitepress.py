"""Pages of VitePress: containers, code groups, snippets, includes, components and slugs."""

from __future__ import annotations

import pytest
from tests.inputs.dialect_pages import dialect_page, exported_text

from kinfolk.content.markdown.markdown_page import MarkdownPage, PageProblem
from kinfolk.runtime.budget import OverBudget


def page(text: str) -> MarkdownPage:
    return dialect_page("vitepress", text)


def html(text: str) -> str:
    return page(text).html()


def messages(text: str) -> list[str]:
    return [problem.message for problem in page(text).problems]


@pytest.mark.parametrize(
    ("opening", "kind", "title"),
    [
        ("::: info", "note", "Info"),
        ("::: tip", "tip", "Tip"),
        (":::warning", "warning", "Warning"),
        ("::: danger STOP `here`", "caution", "STOP <code>here</code>"),
    ],
)
def test_container_becomes_callout(opening: str, kind: str, title: str) -> None:
    result = html(f"{opening}\nText\n\n- item\n:::\nAfter\n")
    assert f'data-callout="{kind}"' in result
    assert f'<p class="callout-title">{title}</p>' in result
    assert "<li>item</li>" in result
    assert ":::" not in result
    assert result.endswith("<p>After</p>\n")


def test_containers_nest_with_more_colons() -> None:
    result = html(":::: warning\n::: details More\nInside\n:::\n::::\n")
    assert "<summary>More</summary>" in result
    assert (
        result.index("data-callout") < result.index("<summary>") < result.index("</details>") < result.index("</div>")
    )


def test_container_in_list_stays_in_its_item() -> None:
    result = html("- one\n\n  ::: tip\n  Text\n  :::\n\n- two\n")
    assert result.count("<ul>") == 1
    assert result.index("<li>") < result.index("data-callout") < result.index("</li>")


def test_unknown_container_shows_content_and_is_reported() -> None:
    assert html("::: custom\nText\n:::\n") == "<p>Text</p>\n"
    assert page("\n::: custom\nText\n:::\n").problems == (
        PageProblem(2, "the container custom is unknown; only its content is shown"),
    )


def test_code_group_becomes_tabs_without_repeated_titles() -> None:
    result = html("::: code-group\n```sh [npm]\nnpm i\n```\n```sh [pnpm]\npnpm i\n```\n:::\n")
    assert result.count('type="radio"') == 2
    assert ">pnpm</label>" in result
    assert "figcaption" not in result


def test_tabs_of_the_plug_in_nest() -> None:
    result = html(":::: tabs\n=== A\n::: tabs\n== B\nInside\n:::\n=== C\nLast\n::::\n")
    assert [result.count(f">{label}</label>") for label in "ABC"] == [1, 1, 1]
    assert result.count("<fieldset") == 2


@pytest.mark.parametrize(
    ("info", "code", "highlighted", "added"),
    [
        ("js{1,3-4}", "a\nb\nc\nd", (0, 2, 3), ()),
        ("js:line-numbers {2}", "a\nb", (1,), ()),
        ("js", "a // [!code highlight]\nb // [!code ++]", (0,), (1,)),
        ("js", "// [!code focus:2]\na\nb\nc", (0, 1), ()),
        ("html", "a <!-- [!code error] -->\nb", (0,), ()),
    ],
)
def test_marked_lines_are_highlighted(
    info: str, code: str, highlighted: tuple[int, ...], added: tuple[int, ...]
) -> None:
    (block,) = page(f"```{info}\n{code}\n```\n").code_blocks
    assert (block.highlighted, block.added) == (highlighted, added)
    assert "[!code" not in block.code


def test_title_of_code_is_its_caption() -> None:
    assert "<figcaption>src/main.ts</figcaption>" in html("```ts twoslash [src/main.ts]\nx\n```\n")


def test_heading_ids_are_those_of_vitepress() -> None:
    text = "## `useFetch()` & Co.\n\n## 1. Été\n\n## Setup {#own-id}\n\n## Setup\n\n## Setup\n"
    assert [heading.id for heading in page(text).headings] == ["usefetch-co", "_1-ete", "own-id", "setup", "setup-1"]


def test_badge_is_no_part_of_a_heading() -> None:
    result = page('## Options <Badge type="warning" text="beta" />\n')
    assert [(heading.id, heading.text) for heading in result.headings] == [("options", "Options")]
    assert '<sup data-badge="warning">beta</sup>' in result.html()


def test_script_style_and_comments_are_removed() -> None:
    text = (
        "<script setup>\nimport X from './x.vue'\n```\n</script>\n\nText\n\n<style>\na {}\n</style>\n<!-- hidden -->\n"
    )
    assert html(text).strip() == "<p>Text</p>"


def test_unknown_component_keeps_its_content_and_is_reported() -> None:
    assert html('<MyBox :items="[1]">\n\nInside **it**\n\n</MyBox>\n').strip() == "<p>Inside <strong>it</strong></p>"
    assert messages("<MyBox />\n") == ["the component <MyBox> is unknown; only its content is shown"]


def test_component_with_an_address_becomes_a_link() -> None:
    assert '<a href="https://example.com" rel="noopener">Course</a>' in html(
        'See <CourseLink href="https://example.com">Course</CourseLink>.\n'
    )


def test_component_in_code_stays() -> None:
    assert "<code>&lt;MyBox /&gt;</code>" in html("Use `<MyBox />`.\n")


def test_static_expressions_are_resolved_and_others_reported() -> None:
    text = "---\ntitle: T\nhero:\n  name: Hero\n---\n{{ $frontmatter.hero.name }} and {{ theme }}\n"
    assert "Hero and <code>{{ theme }}</code>" in html(text)
    assert messages(text) == ["the expression {{ theme }} is shown as text"]


def test_expression_in_v_pre_is_not_reported() -> None:
    assert messages("<span v-pre>{{ it }}</span>\n") == []


def test_snippet_shows_a_region_of_a_file() -> None:
    source = "a\n// #region one\nb\nc\n// #endregion one\nd\n"
    (block,) = dialect_page("vitepress", "<<< @/code/x.ts#one{2}\n", {"docs/code/x.ts": source}).code_blocks
    assert (block.language, block.code, block.highlighted) == ("ts", "b\nc", (1,))


def test_missing_snippet_is_reported() -> None:
    assert messages("<<< ./gone.ts\n") == ["the snippet ./gone.ts does not exist"]


def test_include_shows_lines_of_a_page_with_its_links_rebased() -> None:
    files = {"docs/parts/a.md": "---\ntitle: A\n---\nfirst\n[x](./b.md)\nthird\n"}
    result = dialect_page("vitepress", "<!--@include: ../parts/a.md{2,2}-->\n", files)
    assert [link.written for link in result.links] == ["../parts/b.md"]
    assert "third" not in result.html()


@pytest.mark.parametrize("path", ["../../../etc/passwd", "/../../etc/passwd", "@/../../secret"])
def test_include_never_leaves_the_repository(path: str) -> None:
    requested: list[str] = []

    class Files(dict[str, str]):
        def __contains__(self, name: object) -> bool:
            requested.append(str(name))
            return False

    dialect_page("vitepress", f"<!--@include: {path}-->\n", Files())
    assert not any(name.startswith(("/", "..")) for name in requested)


def test_include_of_itself_ends() -> None:
    files = {"docs/guide/page.md": "x\n<!--@include: ./page.md-->\n"}
    assert dialect_page("vitepress", files["docs/guide/page.md"], files).html().count("x") <= 8


def test_too_many_includes_are_over_budget() -> None:
    with pytest.raises(OverBudget):
        dialect_page("vitepress", "<!--@include: ./a.md-->\n" * 200, {"docs/guide/a.md": "x"})


def test_home_page_shows_hero_and_features() -> None:
    text = """---
layout: home
hero:
  name: Product
  tagline: It works.
  actions:
    - text: Start
      link: /guide/
features:
  - title: Fast
    details: Very.
---
"""
    result = page(text)
    assert result.title == "Product"
    assert [heading.text for heading in result.headings] == ["Fast"]
    assert "It works." in result.html()
    assert [link.written for link in result.links] == ["/guide/"]


def test_toc_mark_is_removed_and_emoji_shown() -> None:
    assert html("[[toc]]\n\nDone :tada: at 10:30:20\n").strip() == "<p>Done 🎉 at 10:30:20</p>"


def test_unknown_front_matter_is_a_warning() -> None:
    assert page("---\ntitel: X\n---\nText\n").problems == (
        PageProblem(1, "the key titel of the front matter is unknown", is_warning=True),
    )


def test_problems_and_links_name_lines_of_the_file() -> None:
    result = page("---\ntitle: T\n---\n\n::: tip\nText\n:::\n\n[x](./y.md)\n\n<Gone />\n")
    assert [link.line for link in result.links] == [9]
    assert [problem.line for problem in result.problems] == [11]


def test_export_has_no_syntax_of_the_dialect() -> None:
    text = '## A {#a}\n\n::: code-group\n```js{1} [a.js]\nx // [!code focus]\n```\n:::\n\n<Badge text="new"/>\n'
    exported = exported_text("vitepress", text)
    assert "## A\n" in exported
    assert "**a.js**" in exported
    assert "[!code" not in exported
    assert ":::" not in exported


def test_output_is_sanitized() -> None:
    result = html('::: tip <img src=x onerror=alert(1)>\n<script>alert(1)</script>\n:::\n<Box onclick="x()">y</Box>\n')
    assert "onerror" not in result
    assert "<script" not in result
    assert "onclick" not in result
