"""Syntax of Starlight, Fumadocs, Nextra and Mintlify that their tables name."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from tests.inputs.dialect_pages import dialect_page

from kinfolk.content.markdown.dialects.dialect import DialectSource
from kinfolk.content.markdown.dialects.dialect_table import DIALECTS
from kinfolk.content.markdown.front_matter import YamlValue
from kinfolk.runtime.errors import NotFound


def translated(
    dialect: str, text: str, files: Mapping[str, str] | None = None, front: Mapping[str, YamlValue] | None = None
) -> tuple[str, list[str]]:
    """The page without blank lines, and its problems."""

    def read(path: str) -> str:
        try:
            return (files or {})[path]
        except KeyError:
            raise NotFound(path) from None

    page = DIALECTS[dialect].translate(DialectSource("docs/a/x.mdx", "docs", text, 1, front or {}, read))
    return "\n".join(line for line in page.text.split("\n") if line), [one.message for one in page.problems]


def test_tag_with_a_template_and_blank_lines_is_one_tag() -> None:
    text = '<Code\n\tcode={`## A\n\nb`}\n\tlang="md"\n\tins={2}\n/>\n'
    assert translated("starlight", text) == ("```md added=2\n## A\n\nb\n```".replace("\n\n", "\n"), [])


def test_large_tag_that_begins_a_line_is_no_text() -> None:
    rows = "\n".join(f"    {{ title: '{number}' }}," for number in range(1_000))
    text, problems = translated("mintlify", f"<Grid\n  items={{[\n{rows}\n  ]}}\n/>\n\nAfter\n")
    assert text == "After"
    assert len(problems) == 1


def test_blank_lines_within_a_tag_end_no_code_span() -> None:
    code = '<Code code={`\n# A\n\nb\n`} lang="sh" />\n'
    text = f'<Tabs>\n<TabItem label="A">\n{code}</TabItem>\n<TabItem label="B">\n{code}</TabItem>\n</Tabs>\n'
    shown, problems = translated("starlight", text)
    assert (shown.count("```sh"), problems) == (2, [])


def test_long_tag_on_one_line_is_a_tag() -> None:
    words = "word " * 1_000
    assert translated("starlight", f'Before\n\n<Aside title="A" data-x="{words}">\nText\n</Aside>\n') == (
        "Before\n> [!NOTE] A\n>\n> Text",
        [],
    )


def test_text_of_an_attribute_may_have_quotes_behind_backslashes() -> None:
    text = '<LinkCard title={"A \\"b\\" {c"} href="/x" description={\'it\\\'s\'} />\n'
    shown, problems = translated("starlight", text)
    assert '**[A "b" {c](</x>)**' in shown
    assert "it's" in shown
    assert problems == []


def test_html_of_a_fragment_is_shown_without_scripts() -> None:
    text = '<Fragment set:html={"<pre><code>a <a href=\\"/x\\">b</a></code></pre>"} />\n'
    assert translated("starlight", text) == ('<pre><code>a <a href="/x">b</a></code></pre>', [])
    attack = '<Fragment set:html={"<script>alert(1)</script><img src=x onerror=alert(1)>"} />\n'
    assert "alert" not in dialect_page("starlight", attack).html()


def test_export_within_a_template_is_no_statement() -> None:
    assert translated("nextra", "<X\n  code={`type $\nexport default $`}\n/>\n\nAfter\n")[0] == "After"


def test_constants_of_the_page_and_of_modules_are_read() -> None:
    text = (
        "import { name, deep as own } from './values.mdx'\nimport { port } from '/values.ts'\n"
        "import raw from '../data.json?raw'\nexport const a = 'A'\n\n"
        '{name} {own.x} {port} {a}\n\n<Code code={raw} lang="json" />\n'
    )
    files = {
        "docs/a/values.mdx": "export const name = 'N'\nexport const deep = { x: 'D' }\n",
        "docs/values.ts": "export const port = '80'\n",
        "docs/data.json": "{}",
    }
    assert translated("starlight", text, files) == ("N D 80 A\n```json\n{}\n```", [])


def test_imported_text_gets_the_properties_of_its_tag() -> None:
    files = {"docs/snippets/part.mdx": "Eat {word} and {props.word}, `{word}`.\n"}
    text = 'import Part from "/snippets/part.mdx"\n\n<Part word="figs" />\n'
    assert translated("mintlify", text, files) == ("Eat figs and figs, `{word}`.", [])


def test_included_files_of_fumadocs_are_text_or_code() -> None:
    files = {"docs/a/b.mdx": '<section id="one">\n\nOne\n\n</section>\n\nTwo\n', "docs/a/c.ts": "let x\n"}
    text = '<include>./b.mdx#one</include>\n\n<include lang="js">./c.ts</include>\n\n<include>./no.mdx</include>\n'
    shown, problems = translated("fumadocs", text, files)
    assert shown == "One\n```js\nlet x\n```"
    assert problems == ["the imported file ./no.mdx does not exist"]


@pytest.mark.parametrize("dialect", ["nextra", "fumadocs"])
def test_language_of_a_code_span_is_not_shown(dialect: str) -> None:
    assert translated(dialect, "Use `a = 1{:js}` and `{:js}`\n")[0] == "Use `a = 1` and ``"
    assert translated("starlight", "Use `a{:js}`\n")[0] == "Use `a{:js}`"


def test_components_of_mintlify_keep_their_facts() -> None:
    text = (
        '<GitHub.Repo repo="acme/x" />\n\n<Color.Item name="blue" value="#00f" />\n\n'
        '<Prompt description="Ask **it**">\nDo.\n</Prompt>\n'
    )
    shown, problems = translated("mintlify", text)
    assert "(<https://github.com/acme/x>)" in shown
    assert "`blue` · `#00f`" in shown
    assert "<summary>Ask" in shown
    assert problems == []


def test_hero_and_banner_of_starlight_are_text() -> None:
    front: dict[str, YamlValue] = {
        "banner": {"content": "New <b>version</b>"},
        "hero": {"title": "Stars", "tagline": "Shine", "actions": [{"text": "Start", "link": "/start/"}]},
    }
    shown, _ = translated("starlight", "Body\n", front=front)
    assert shown == "> [!NOTE]\n> New <b>version</b>\nShine\n- [Start](</start/>)\nBody"
