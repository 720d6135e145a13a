"""Components of the dialects of MDX: each shape as HTML and as Markdown, the tables, and components of a site."""

from __future__ import annotations

import dataclasses
import tomllib
import typing

import pytest
from tests.inputs.dialect_pages import dialect_page, exported_text

from kinfolk.config.component import CalloutKind, Component, ComponentShape
from kinfolk.content.markdown.dialects import PlacedFile
from kinfolk.content.markdown.dialects.dialect_rules import (
    TABLES,
    CodeRules,
    DialectRules,
    FileRules,
    component_key,
    dialect_rules,
)
from kinfolk.content.markdown.markdown_page import MarkdownPage
from kinfolk.content.markdown.processes.jobs import InProcessJobs, MarkdownFile

NAMES = sorted(path.stem for path in TABLES.glob("*.toml"))


def html(dialect: str, text: str) -> str:
    page = dialect_page(dialect, text)
    assert [one.message for one in page.problems] == []
    return " ".join(page.html().split())


@pytest.mark.parametrize("name", NAMES)
def test_table_has_only_known_keys_and_values(name: str) -> None:
    table = tomllib.loads((TABLES / f"{name}.toml").read_text())
    assert table.keys() <= {field.name for field in dataclasses.fields(DialectRules)} - {"name"}
    assert table.get("code", {}).keys() <= {field.name for field in dataclasses.fields(CodeRules)}
    assert table.get("files", {}).keys() <= {field.name for field in dataclasses.fields(FileRules)}
    rules = dialect_rules(name)
    assert {one.shape for one in rules.components.values()} <= set(typing.get_args(ComponentShape))
    assert {kind for kind, _ in rules.callouts.values()} <= set(typing.get_args(CalloutKind))


def test_folds_tabs_and_fields_of_mintlify_have_ids_of_their_titles() -> None:
    text = (
        '<Accordion title="Deployment: branch">\nA\n</Accordion>\n\n<Tabs><Tab title="OAuth 2.0">\nB\n</Tab>'
        '<Tab title="x" id="own">\nC\n</Tab></Tabs>\n\n<ParamField path="user.firstName" type="string">D</ParamField>\n'
    )
    page = dialect_page("mintlify", text)
    assert {"deployment-branch", "oauth-2-0", "own", "param-user-first-name"} <= page.anchors
    assert '<details id="deployment-branch"><summary>' in page.html()
    assert '<div class="tab-panel" data-tab="oauth-2-0">\n<div id="oauth-2-0"></div>' in page.html()
    assert "id=" not in exported_text("mintlify", text)


def test_elements_of_other_dialects_have_only_ids_that_they_name() -> None:
    text = '<Accordion title="One" id="first">\nA\n</Accordion>\n\n<Accordion title="Two">\nB\n</Accordion>\n'
    assert dialect_page("fumadocs", text).anchors == {"first"}


def test_id_of_an_element_is_no_html() -> None:
    text = """<Accordion title="A" id='x"><script>alert(1)</script>'>\nA\n</Accordion>\n"""
    page = dialect_page("mintlify", text)
    assert "<script" not in page.html()
    assert page.anchors == frozenset()


@pytest.mark.parametrize(
    ("name", "key"),
    [("CardGroup", "card-group"), ("TOCInline", "toc-inline"), ("card-group", "card-group"), ("Tabs.Tab", "tabs.tab")],
)
def test_names_of_one_component_have_one_key(name: str, key: str) -> None:
    assert component_key(name) == key


@pytest.mark.parametrize(
    ("dialect", "text", "expected"),
    [
        (
            "starlight",
            '<Card title="A *b*" icon="x">Some **c**.</Card>\n',
            '<div class="md-card"> <p><strong>A *b*</strong></p> <p>Some <strong>c</strong>.</p> </div>',
        ),
        (
            "starlight",
            '<LinkCard title="L" href="/start/" description="d [x]" />\n',
            '<div class="md-card"> <p><strong><a href="/start/">L</a></strong></p> <p>d [x]</p> </div>',
        ),
        ("starlight", "<Steps>\n\n1. One\n2. Two\n\n</Steps>\n", '<div class="md-steps"> <ol> <li>One</li>'),
        ("starlight", "<FileTree>\n- src/\n  - a.md\n</FileTree>\n", '<div class="md-file-tree"> <ul> <li>src/ <ul>'),
        ("starlight", '<Aside type="danger" title="Uh">no</Aside>\n', 'data-callout="caution"'),
        ("starlight", ":::tip[Did *you*]{icon='heart'}\nText\n:::\n", '<p class="callout-title">Did <em>you</em></p>'),
        ("starlight", '| a |\n|---|\n| <Badge text="N" variant="tip" /> |\n', '<td><sup data-badge="tip">N</sup></td>'),
        ("starlight", '<LinkButton href="/x">Go **on**</LinkButton>\n', '<a href="/x">Go <strong>on</strong></a>'),
        ("starlight", "<Code code={`a\n\nb`} lang='js' title='x.js' />\n", "<figcaption>x.js</figcaption>"),
        (
            "mintlify",
            '<Steps>\n  <Step title="A">\n    Text\n  </Step>\n</Steps>\n',
            "<p><strong>A</strong></p> <p>Text</p>",
        ),
        (
            "mintlify",
            '<ParamField path="id" type="string" required>\nOf it\n</ParamField>\n',
            '<p><a id="param-id"></a><code>id</code> · <code>string</code> · required</p>',
        ),
        ("mintlify", '<Frame caption="A *b*"><img src="a.png" alt="x" /></Frame>\n', "<figure>"),
        ("mintlify", "<CodeGroup>\n```js a.js\n1\n```\n```py b.py\n2\n```\n</CodeGroup>\n", ">b.py</label>"),
        ("fumadocs", "<Tabs items={['A', \"B\"]}>\n<Tab>one</Tab>\n<Tab>two</Tab>\n</Tabs>\n", ">B</label>"),
        ("fumadocs", '```ts tab="One"\n1\n```\n\n```ts tab="Two"\n2\n```\n', ">Two</label>"),
        ("fumadocs", "```npm\nnpm i x\n```\n", ">pnpm</label>"),
        (
            "fumadocs",
            '<Files>\n<Folder name="app" defaultOpen>\n<File name="a.ts" />\n</Folder>\n</Files>\n',
            "<li>app/ <ul> <li>a.ts</li>",
        ),
        ("fumadocs", "## Title [#own]\n", 'id="own"'),
        ("fumadocs", "### Install [step]\n", '<h3 id="install">Install<a'),
        (
            "nextra",
            "<Cards>\n  <Cards.Card title='T' href='/x' />\n</Cards>\n",
            '<div class="md-cards"> <div class="md-card">',
        ),
        ("nextra", '```js filename="a.js"\n1\n```\n', "<figcaption>a.js</figcaption>"),
        (
            "docusaurus",
            "<Tabs values={[{label: 'Mac', value: 'mac'}]}>\n<TabItem value='mac'>\nText\n</TabItem>\n</Tabs>\n",
            ">Mac</label>",
        ),
        (
            "docusaurus",
            "<details>\n<summary>**A** b</summary>\n\nText\n\n</details>\n",
            "<summary> <p><strong>A</strong> b</p>",
        ),
    ],
)  # fmt: skip
def test_shape_becomes_html(dialect: str, text: str, expected: str) -> None:
    assert expected in html(dialect, text)


def test_lines_of_expressive_code_are_marked() -> None:
    (block,) = dialect_page("starlight", '```js ins={2} del={1} mark={3} {4} "word"\na\nb\nc\nd\n```\n').code_blocks
    assert block.highlighted == (2, 3)
    result = html("starlight", "```js ins={2} del={1}\na\nb\n```\n")
    assert '<span class="line del">a</span> <span class="line add">b</span>' in result


def test_diff_of_a_language_has_no_signs() -> None:
    (block,) = dialect_page("starlight", '```diff lang="js"\n+a\n-b\n c\n```\n').code_blocks
    assert (block.language, block.code) == ("js", "a\nb\nc")


def test_labels_of_tabs_come_from_an_imported_module() -> None:
    files = {"website/core/os.js": "const oses = [{label: 'Mac OS', value: 'mac'}];\nexport default {oses};\n"}
    text = "import c from '@site/core/os';\n\n<Tabs values={c.oses}>\n<TabItem value='mac'>\nA\n</TabItem>\n</Tabs>\n"
    assert ">Mac OS</label>" in dialect_page("docusaurus", text, files).html()


def test_imported_part_is_shown_in_a_tab() -> None:
    files = {"docs/guide/_part.md": "## Part\n\nText of the part\n"}
    text = "import P from './\\_part.md';\n\n<Tabs>\n<TabItem value='a'>\n\n<P/>\n\n</TabItem>\n</Tabs>\n"
    result = dialect_page("docusaurus", text, files)
    assert "<p>Text of the part</p>" in result.html()
    assert result.problems == ()


def test_export_has_the_content_without_containers() -> None:
    text = '<CardGrid>\n<LinkCard title="L" href="/a/" description="d" />\n</CardGrid>\n\n<Steps>\n1. One\n</Steps>\n'
    exported = exported_text("starlight", text)
    assert "**[L](</a/>)**\n\nd" in exported
    assert "<!--" not in exported


def site_page(text: str, **components: Component) -> MarkdownPage:
    place = PlacedFile("mdx", "docs/a.mdx", "docs", tuple(components.items()))
    return InProcessJobs().page(MarkdownFile("a", text, lambda path: path, place))


def test_component_of_the_site_is_an_embed() -> None:
    sandbox = Component("embed", address="https://stackblitz.com/edit/{id}?file={file}")
    page = site_page('<Sandbox id="a b" file="src/App.tsx" />\n', Sandbox=sandbox)
    assert 'src="https://stackblitz.com/edit/a%20b?file=src/App.tsx"' in page.html()
    assert page.problems == ()


def test_embed_of_a_host_without_frames_is_a_link() -> None:
    page = site_page('<Demo id="x" title="A demo" />\n', Demo=Component("embed", address="https://demo.example/{id}"))
    assert '<a href="https://demo.example/x" rel="noopener">A demo</a>' in page.html()


@pytest.mark.parametrize(("title", "text"), [("", "Properties"), (' title="Own"', "Own")])
def test_link_without_a_title_has_the_label_of_the_component(title: str, text: str) -> None:
    link = Component("link", address="https://example.com/api/{of}", label="Properties")
    page = site_page(f'<Table of="spring"{title} />\n', Table=link)
    assert f'<a href="https://example.com/api/spring" rel="noopener">{text}</a>' in page.html()


def test_embed_without_its_attribute_is_reported() -> None:
    page = site_page("<Demo />\n", Demo=Component("embed", address="https://demo.example/{id}"))
    assert [(one.line, one.message) for one in page.problems] == [
        (1, "<Demo> lacks the attribute id, and is not shown")
    ]


@pytest.mark.parametrize(
    "address", ["http://a.example/{id}", "https://{host}/x", "javascript:{x}", "https://a.example/{a b}"]
)
def test_address_of_a_component_names_its_host(address: str) -> None:
    with pytest.raises(ValueError, match="address should be"):
        Component("embed", address=address)


def test_content_that_tabs_indent_is_no_code() -> None:
    text = '<Card title="A">\n\tText\n\n\t\t- one\n\n\t```js\n\tif (a) {\n\t\tb\n\t}\n\t```\n</Card>\n'
    page = dialect_page("starlight", text)
    assert "<p>Text</p>" in page.html()
    assert "<li>one</li>" in page.html()
    assert [block.code for block in page.code_blocks] == ["if (a) {\n\tb\n}"]


def test_chapter_of_mdbook_begins_with_its_title() -> None:
    page = dialect_page("mdbook", "## Variables\n\nText\n\n## Next\n")
    assert page.title == "Variables"
    assert [heading.text for heading in page.headings] == ["Next"]
