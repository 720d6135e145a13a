"""Pages of Docusaurus: admonitions, tabs, components, statements, expressions and code."""

from __future__ import annotations

import pytest
from tests.inputs.dialect_pages import dialect_page, exported_text

from kinfolk.content.markdown.dialects.syntax.npm_commands import commands_of
from kinfolk.content.markdown.markdown_page import MarkdownPage

TABS = """import Tabs from '@theme/Tabs';
import TabItem from '@theme/TabItem';

<Tabs groupId="os">
  <TabItem value="a" label="Apple" default>

    Text **one**

  </TabItem>
  <TabItem value="orange">Text two</TabItem>
</Tabs>
"""


def page(text: str, files: dict[str, str] | None = None) -> MarkdownPage:
    return dialect_page("docusaurus", text, files)


def html(text: str, files: dict[str, str] | None = None) -> str:
    return page(text, files).html()


@pytest.mark.parametrize(
    ("opening", "title"),
    [
        (":::note[My *title*]", "My <em>title</em>"),
        (":::tip Other", "Other"),
        (":::info", "Info"),
        (":::caution", "Caution"),
    ],
)
def test_admonition_becomes_callout(opening: str, title: str) -> None:
    assert f'<p class="callout-title">{title}</p>' in html(f"{opening}\n\nText\n\n:::\n")


def test_tabs_become_tabs() -> None:
    result = html(TABS)
    assert ">Apple</label>" in result
    assert ">orange</label>" in result
    assert "Text <strong>one</strong>" in result
    assert "import" not in result


def test_statements_and_comments_are_removed() -> None:
    text = (
        "import A from 'a'\n\nexport const x = {\n  a: 1,\n\n  b: 2,\n}\n\n{/* hidden\n\nall */}\n\nimporting is fine\n"
    )
    assert html(text).strip() == "<p>importing is fine</p>"


def test_partial_shows_its_text_with_links_of_its_own_place() -> None:
    files = {"docs/shared/_note.mdx": "See [x](../other.md).\n"}
    result = page("import Note from '../shared/_note.mdx'\n\n<Note />\n", files)
    assert [link.written for link in result.links] == ["../other.md"]
    assert result.problems == ()


def test_unknown_component_keeps_its_children_and_is_reported() -> None:
    result = page("# T\n\n<Fancy a={1} b={{c: '>'}}>\n\nInside\n\n</Fancy>\n")
    assert result.html().strip().endswith("<p>Inside</p>")
    assert [(one.line, one.message) for one in result.problems] == [
        (3, "the component <Fancy> is unknown; only its content is shown")
    ]


def test_expressions_are_not_shown() -> None:
    result = page("A{' '}B {props.x} \\{c\\}\n")
    assert result.html() == "<p>A B  {c}</p>\n"
    assert [one.message for one in result.problems] == ["the expression {props.x} is not shown"]


@pytest.mark.parametrize("heading", ["## A {#own}", "## A \\{#own}", "## A {/* #own */}"])
def test_heading_has_its_own_id(heading: str) -> None:
    assert [(one.id, one.text) for one in page(f"{heading}\n").headings] == [("own", "A")]


def test_magic_comments_highlight_lines() -> None:
    code = "// highlight-next-line\na\nb\n// highlight-start\nc\nd\n// highlight-end\ne\n"
    (block,) = page(f'```js title="x.js" showLineNumbers {{5}}\n{code}```\n').code_blocks
    assert block.code == "a\nb\nc\nd\ne"
    assert block.highlighted == (0, 2, 3, 4)


def test_npm_commands_become_tabs() -> None:
    result = html("```bash npm2yarn\nnpm install --save-dev x\n```\n")
    assert [manager in result for manager in (">npm<", ">yarn<", ">pnpm<", ">bun<")] == [True] * 4


@pytest.mark.parametrize(
    ("npm", "yarn", "pnpm"),
    [
        ("npm install", "yarn", "pnpm install"),
        ("npm install x", "yarn add x", "pnpm add x"),
        ("npm i --save-dev x", "yarn add --dev x", "pnpm add -D x"),
        ("npm run build", "yarn build", "pnpm run build"),
        ("npx x", "yarn dlx x", "pnpm dlx x"),
        ("cd x", "cd x", "cd x"),
    ],
)
def test_commands_of_other_package_managers(npm: str, yarn: str, pnpm: str) -> None:
    found = commands_of(npm)
    assert (found["yarn"], found["pnpm"]) == (yarn, pnpm)


def test_html_with_jsx_attributes_is_kept() -> None:
    result = html(
        '<img src={require("./a.png").default} alt="A" style={{width: 10}} />\n\n<div className="x">\n**b**\n</div>\n'
    )
    assert 'src="./a.png"' in result
    assert "<strong>b</strong>" in result


def test_code_keeps_components_and_braces() -> None:
    assert "<code>&lt;Tabs a={b}&gt;</code>" in html("Use `<Tabs a={b}>`.\n")


def test_export_has_no_jsx() -> None:
    exported = exported_text("docusaurus", TABS)
    assert exported == "**Apple**\n\nText **one**\n\n**orange**\n\nText two"


def test_output_is_sanitized() -> None:
    result = html('<Link to="javascript:alert(1)">x</Link> <img src="x" onError={alert(1)} />\n')
    assert "javascript:" not in result
    assert "onerror" not in result.lower()


@pytest.mark.parametrize(
    "statement",
    [
        "import Part from './\\_part.md'; import Other from './other.md';",
        "import Other from './other.md'; import\nPart from './\\_part.md';",
        "import {Part} from './\\_parts';",
        "import {Whole as Part} from './_parts.jsx';",
    ],
)
def test_part_is_shown_however_it_is_imported(statement: str) -> None:
    module = (
        "import Text from './_part.md';\n\nexport function Part() {\n  return <Text />;\n}\n"
        "export const Whole = () => <Text />;\n"
    )
    files = {"docs/guide/_part.md": "The part.\n", "docs/guide/other.md": "x\n", "docs/guide/_parts.jsx": module}
    page = dialect_page("docusaurus", f"{statement}\n\n<Part />\n", files)
    assert ("<p>The part.</p>" in page.html(), page.problems) == (True, ())


def test_statements_of_an_indented_part_are_no_text() -> None:
    files = {"docs/guide/_part.md": "import A from './a';\n\nThe part.\n"}
    text = "import Part from './_part.md';\n\n<Tabs>\n  <TabItem value='a'>\n    <Part />\n  </TabItem>\n</Tabs>\n"
    result = html(text, files)
    assert ("<p>The part.</p>" in result, "import" in result) == (True, False)


def test_component_of_a_module_that_shows_more_is_unknown() -> None:
    files = {"docs/guide/m.jsx": "import T from './t.md';\nexport function Part(props) { return <div><T /></div>; }\n"}
    page = dialect_page("docusaurus", "import {Part} from './m';\n\n<Part />\n", files)
    assert [one.message for one in page.problems] == ["the component <Part> is unknown; only its content is shown"]


@pytest.mark.parametrize(
    "sources", ["{light: '/a.png', dark: '/b.png'}", "{light: useBaseUrl('/a.png'), dark: require('/b.png').default}"]
)
def test_themed_image_has_a_picture_for_each_theme(sources: str) -> None:
    result = html(f'<ThemedImage\n  alt="A"\n  sources={{{sources}}}\n/>\n')
    assert 'src="/a.png" loading="lazy" decoding="async" data-theme-only="light" alt="A"' in result
    assert 'src="/b.png" loading="lazy" decoding="async" data-theme-only="dark" alt="A"' in result
