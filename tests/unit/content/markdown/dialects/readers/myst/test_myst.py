"""The dialect of MyST as HTML and as Markdown."""

from __future__ import annotations

import pytest
from tests.inputs.dialect_pages import dialect_page, exported_text
from tests.suite.time_complexity import MAX_LINEAR_GROWTH, cpu_time_growth

from kinfolk.content.markdown.dialects import PlacedFile
from kinfolk.content.markdown.dialects.readers.myst.page_labels import PageLabel, label_id, page_labels, page_tocs
from kinfolk.content.markdown.markdown_page import MarkdownPage
from kinfolk.content.markdown.processes.jobs import InProcessJobs, MarkdownFile
from kinfolk.runtime.errors import NotFound

FILES = {
    "docs/guide/code.py": "import a\n\n# start\ndef f():\n    return 1\n# end\n",
    "docs/guide/part.md": "Part {kbd}`Ctrl+K` and [a link](./other.md).\n",
    "docs/guide/part.rst": "Part\n====\n",
    "docs/guide/data.csv": "a,b\n1,2\n",
    "docs/conf.py": 'myst_substitutions = {"shared": "from *conf*"}\nimport os\nos.system("x")\n',
}
LABELS = (
    ("doc:guide/other", "/guide/other.md", "Other page"),
    ("far/label", "/far.md#far-label", "Far heading"),
    ("term-api", "/glossary.md#term-api", ""),
)


def page(text: str) -> MarkdownPage:
    def read(path: str) -> str:
        if path not in FILES:
            raise NotFound(path)
        return FILES[path]

    place = PlacedFile("myst", "docs/guide/page.md", labels=LABELS)
    return InProcessJobs().page(MarkdownFile("docs/guide/page.md", text, read, place))


def html(text: str) -> str:
    found = page(text)
    assert [one.message for one in found.problems] == []
    return " ".join(found.html().split()).replace('"', "'")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("```{note}\nA *b*.\n```\n", "data-callout='note'"),
        (":::{warning}\nA\n:::\n", "data-callout='warning'"),
        (":::{note} First words\nA\n:::\n", "<p>First words</p>"),
        (":::{admonition} My *title*\n:class: tip\nA\n:::\n", "My <em>title</em>"),
        (":::{admonition} T\n:class: dropdown\nA\n:::\n", "<summary>T</summary>"),
        ("::::{important}\n:::{tip}\nA\n:::\n::::\n", "data-callout='tip'"),
        (":::{versionadded} 1.2 Faster.\n:::\n", "Added in version 1.2"),
        (":::{dropdown} D\nA\n:::\n", "<summary>D</summary>"),
        ("::::{tab-set}\n:::{tab-item} One\nA\n:::\n:::{tab-item} Two\nB\n:::\n::::\n", "Two"),
        (
            "::::{grid} 2\n:::{grid-item-card} C\n:link: other\n:link-type: doc\nA\n+++\nF\n:::\n::::\n",
            "<div class='md-card'>",
        ),
        (":::{grid-item-card} C\n:link: far/label\n:link-type: ref\nA\n:::\n", "href='/far.md#far-label'"),
        ("```{rubric} Words\n```\n", "<strong>Words</strong>"),
        ("```{epigraph}\nA\n```\n", "<blockquote>"),
        ("```{button-ref} far/label\n:ref-type: ref\nGo\n```\n", "<a href='/far.md#far-label'>Go</a>"),
        ("```{button-link} https://example.com\n```\n", "href='https://example.com'"),
        ("```{image} a.png\n:alt: An *image*\n```\n", "alt='An *image*'"),
        ("```{figure} a.png\n:name: fig-a\n\nThe **caption**\n```\n", "The <strong>caption</strong>"),
        ("```{raw} html\n<b>x</b>\n```\n", "<b>x</b>"),
        ("- item\n\n  :::{note}\n  A\n  :::\n", "data-callout='note'"),
        (":::name\nA\n:::\n", "<p>A</p>"),
        ("---\na: b\n---\n% comment\nA\n", "<p>A</p>"),
        ('A\n\n+++ {"x": 1}\n\nB\n', "<p>A</p> <p>B</p>"),
        (":Key one: value\n", "<strong>Key one</strong>: value"),
        ("[span]{#own .x} and `code`{l=python}\n", "<a id='own'></a>"),
        ("{#block .x}\nA\n", "id='block'"),
    ],
)
def test_blocks_are_shown(text: str, expected: str) -> None:
    found = page(text).html().replace('"', "'")
    assert expected in " ".join(found.split())
    assert ":::" not in found
    assert "{" not in found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{ref}`far/label`", "<a href='/far.md#far-label'>Far heading</a>"),
        ("{ref}`text <far/label>`", "<a href='/far.md#far-label'>text</a>"),
        ("{doc}`other`", "<a href='/guide/other.md'>Other page</a>"),
        ("{doc}`/guide/other`", "<a href='/guide/other.md'>Other page</a>"),
        ("{term}`API`", "<a href='/glossary.md#term-api'>API</a>"),
        ("{sub}`2` {sup}`3`", "<sub>2</sub> <sup>3</sup>"),
        ("{kbd}`Ctrl+K`", "<kbd>Ctrl</kbd>+<kbd>K</kbd>"),
        ("{abbr}`LIFO (last-in)`", "<abbr title='last-in'>LIFO</abbr>"),
        ("{py:class}`~a.b.C`", "<code>C</code>"),
        ("{code}`x_y`", "<code>x_y</code>"),
        ("{guilabel}`Save`", "<strong>Save</strong>"),
        ("{octicon}`x;1em` word", "word"),
        ("{pep}`8`", "href='https://peps.python.org/pep-0008/'"),
        ("{math}`x^2`", "<msup><mi>x</mi><mn>2</mn></msup>"),
        ("[](#far/label)", "<a href='/far.md#far-label'>Far heading</a>"),
        ("[](other.md)", "<a href='/guide/other.md'>Other page</a>"),
        ("[](<project:other.md>)", "<a href='/guide/other.md'>Other page</a>"),
        ("<project:#far/label>", "<a href='/far.md#far-label'>Far heading</a>"),
        ("[x](far/label)", "<a href='/far.md#far-label'>x</a>"),
        ("[x][r]\n\n[r]: #far/label", "<a href='/far.md#far-label'>x</a>"),
        ("`{ref}` and `[](#far/label)`", "<code>[](#far/label)</code>"),
        ("[a](https://example.com)", "<a href='https://example.com' rel='noopener'>a</a>"),
    ],
)
def test_roles_and_links_are_shown(text: str, expected: str) -> None:
    assert expected in html(f"{text}\n")


def test_labels_of_the_page_are_anchors() -> None:
    found = page("(my/label)=\n## The *heading*\n\n[](#my/label) [](#the-heading) {ref}`my/label`\n")
    assert "my-label" in found.anchors
    assert [(one.href, one.broken) for one in found.links] == [
        ("#my-label", False),
        ("#the-heading", False),
        ("#my-label", False),
    ]
    assert found.html().count("The <em>heading</em></a>") == 3


def test_code_has_its_caption_and_marked_lines() -> None:
    text = "```{code-block} python\n:caption: The `file`\n:emphasize-lines: 2,3\n\na\nb\n```\n"
    assert exported_text("myst", text).strip() == '```python title="The file"\na\nb\n```'
    assert "```python\n" in exported_text("myst", "```{code-block} ipython3\na\n```\n")
    assert "```mermaid\ngraph" in exported_text("myst", "```{mermaid}\ngraph\n```\n")
    yaml_options = "```{code-block} python\n---\ncaption: C\nlineno-start: 1\n---\na\n```\n"
    assert exported_text("myst", yaml_options).startswith('```python title="C"\na\n')


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("", "import a\n\n# start\ndef f():\n    return 1\n# end"),
        (":lines: 1,4-5\n", "import a\ndef f():\n    return 1"),
        (":lines: 1\n", "import a"),
        (":start-after: start\n:end-before: end\n", "def f():\n    return 1"),
        (":start-at: start\n:end-at: def\n", "# start\ndef f():"),
    ],
)
def test_lines_of_files_are_included(options: str, expected: str) -> None:
    text = f"```{{literalinclude}} code.py\n:language: python\n{options}```\n"
    assert exported_text("myst", text, FILES).strip() == f"```python\n{expected}\n```"


def test_links_of_an_included_file_begin_at_it() -> None:
    files = {"README.md": "[a](docs/a.md) [b](other/b.md) [c](./c.md) [d](https://x.example/docs/a)\n"}
    text = "```{include} ../../README.md\n:relative-docs: docs/\n```\n"
    shown = exported_text("myst", text, files).strip()
    assert shown == "[a](<../a.md>) [b](<other/b.md>) [c](<../../c.md>) [d](https://x.example/docs/a)"


def test_included_markdown_is_read_as_such() -> None:
    found = html("```{include} part.md\n```\n")
    assert "<kbd>K</kbd>" in found
    assert "href='/guide/other.md'" in found


@pytest.mark.parametrize(
    "text",
    [
        "```{list-table} T\n:header-rows: 1\n\n* - a\n  - b\n* - 1\n  - 2\n```\n",
        "```{csv-table} T\n:header: a,b\n\n1,2\n```\n",
        "```{csv-table} T\n:file: data.csv\n:header-rows: 1\n```\n",
        "```{table} T\n| a | b |\n|---|---|\n| 1 | 2 |\n```\n",
    ],
)
def test_tables_are_shown(text: str) -> None:
    found = html(text)
    assert "<strong>T</strong>" in found
    assert "<th scope='col'>b</th>" in found
    assert "<td>2</td>" in found


def test_cells_with_code_are_code() -> None:
    found = html("```{list-table}\n\n* - a\n  - ~~~py\n    {x}|`y`\n    z\n    ~~~\n```\n")
    assert "<code>{x}|`y`<br>z</code>" in found


def test_glossary_has_an_anchor_for_each_term() -> None:
    for definition in ("  Words", ": Words"):
        found = page(f"```{{glossary}}\nMy term\n{definition}\n\nOther\n{definition}\n```\n")
        assert {"term-my-term", "term-other"} <= found.anchors
        assert found.html().count("<dd>") == 2


def test_substitutions_are_texts_of_the_page_and_of_the_configuration() -> None:
    block = "      ```{tip}\n      {{ key }}\n      ```\n"
    front = f'---\nmyst:\n  substitutions:\n    key: "a *b*"\n    block: |\n{block}---\n'
    found = html(f"{front}{{{{ key }}}} {{{{shared}}}}\n\n{{{{ block }}}}\n\n| a |\n|---|\n| {{{{ block }}}} |\n")
    assert "a <em>b</em> from <em>conf</em>" in found
    assert "data-callout='tip'" in found
    assert "<td>a <em>b</em></td>" in found


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "```{eval-rst}\n.. x::\n```",
            "the content of the directive eval-rst is generated by a plug-in, and not shown",
        ),
        ("```{autoclass} a.B\n```", "the content of the directive autoclass is generated by a plug-in, and not shown"),
        (
            "```{include} part.rst\n```",
            "docs/guide/part.rst is reStructuredText, which is not supported, and not shown",
        ),
        ("```{include} ../../../x\n```", "the included file ../../../x does not exist"),
        ("```{literalinclude} gone.py\n```", "the included file gone.py does not exist"),
        ("{ref}`gone`", "the label gone is unknown"),
        ("{{ gone }}", "the substitution {{ gone }} is not evaluated"),
        ("```{own-thing} x\nA\n```", "the directive own-thing is unknown; only its content is shown"),
        ("{own}`x`", "the role own is unknown; its text is shown as code"),
    ],
)
def test_what_is_not_shown_is_reported(text: str, message: str) -> None:
    found = page(f"# T\n\n{text}\n")
    assert [(one.line, one.message) for one in found.problems] == [(3, message)]


@pytest.mark.parametrize(
    "text",
    [
        "```{raw} html\n<script>alert(1)</script><img src=x onerror=alert(1)>\n```\n",
        ":::{card} <img src=x onerror=alert(1)>\n:link: javascript:alert(1)\nA\n:::\n",
        '{abbr}`a ("><script>alert(1)</script>)`\n',
        "{ref}`a <javascript:alert(1)>` [](javascript:alert(1)) [x](<javascript:alert(1)>)\n",
        '```{image} javascript:alert(1)\n:alt: "><script>\n:target: javascript:alert(1)\n```\n',
        "```{glossary}\n<img src=x onerror=alert(1)>\n  <script>x</script>\n```\n",
        "```{list-table}\n* - ~~~\n    <script>x</script>\n    ~~~\n```\n",
        '{#a"onclick="x}\n## A\n',
        "```{iframe} javascript:alert(1)\n```\n",
    ],
)
def test_scripts_do_not_run(text: str) -> None:
    found = page(text).html()
    assert "<script" not in found
    assert "onerror=" not in found.replace("&lt;img src=x onerror=", "")
    assert 'href="javascript' not in found
    assert 'src="javascript' not in found
    assert '"onclick=' not in found


def test_labels_have_the_title_of_what_follows() -> None:
    text = "(a)=\n(b/c)=\n\n# Head {code}`x`\n\n(d)=\n```{figure} x.png\n:name: fig one\n```\n[x]{#span}\n"
    assert page_labels(text) == (
        PageLabel("a", "Head x"),
        PageLabel("b/c", "Head x"),
        PageLabel("d", "x.png"),
        PageLabel("fig one", "x.png"),
        PageLabel("span", ""),
    )
    assert label_id("A/b_c d") == "a-b-c-d"


def test_tables_of_contents_are_read() -> None:
    text = (
        "```{toctree}\n:caption: Guide\n:maxdepth: 2\n:glob:\n\nintro\nMy title <deep/page.md>\nparts/*\n```\n"
        "````{toctree}\n---\ncaption: 'Two'\n---\nhttps://example.com\n````\n"
    )
    found = [(one.caption, one.has_patterns, [(e.target, e.label) for e in one.entries]) for one in page_tocs(text)]
    assert found == [
        ("Guide", True, [("intro", ""), ("deep/page.md", "My title"), ("parts/*", "")]),
        ("Two", False, [("https://example.com", "")]),
    ]


@pytest.mark.parametrize("part", ["(a)=\n", "{#a", "```{toctree}\n", ":name: a\n", "{toctree}\n", "`{a}`"])
def test_labels_are_read_in_linear_time(part: str) -> None:
    def read(length: int) -> None:
        text = part * (length // len(part))
        page_labels(text)
        page_tocs(text)

    assert cpu_time_growth(read, 8_000) < MAX_LINEAR_GROWTH


def test_footnotes_stay() -> None:
    assert 'href="#user-content-fn-1"' in dialect_page("myst", "A[^1]\n\n[^1]: B\n").html()
