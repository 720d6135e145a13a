"""Fuzz tests of Markdown: any text becomes a safe page within its budget or is refused, and processes continue."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from tests.inputs.script_vectors import dangers

from kinfolk.content.markdown.processes.jobs import MarkdownFile
from kinfolk.content.markdown.processes.plain_text_fallback import MarkdownRenderer
from kinfolk.content.markdown.processes.process_pool import MarkdownProcessPool
from kinfolk.runtime.budget import BUDGETS, OverBudget
from kinfolk.runtime.errors import NotFound

pytestmark = pytest.mark.fuzz

CASES = hypothesis_settings(
    max_examples=int(os.environ.get("FUZZ_CASES", "200")),
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
LIMITS = BUDGETS["markdown"]

BRACKETS = [
    "[",
    "]",
    "![",
    "](",
    "](<",
    ")",
    "[a]: /b",
    "[a]",
    "[^1]",
    "[x](y.md)",
    "![x](y.png)",
    "<https://a.example>",
]
MARKS = [
    "*",
    "**",
    "_",
    "__",
    "~",
    "~~",
    "`",
    "``",
    "\\",
    "&",
    "&amp;",
    "&#x3C;",
    "&#106;",
    "|",
    "-",
    "=",
    "#",
    "## ",
    "> ",
]
FENCES = ["```ts title='a.ts'\n", "```\n", "~~~\n", "    ", "// [!code ++]\n", "\n```mermaid\n"]
LISTS = ["- ", "1. ", "* [ ] ", "\t", "  ", "| a | b |\n|---|--:|\n", "> [!NOTE] ", "> [!tip]- x\n> "]
DIRECTIVES = [
    "<!-- ::start:framework -->\n",
    "<!-- ::end:framework -->\n",
    '<!-- ::start:tabs variant="files" -->\n',
    "<!-- ::start:tabs variant='package-manager' mode=\"create\" -->\n",
    '<!-- ::start:tabs variant="bundler" -->\n',
    "<!-- ::end:tabs -->\n",
    "# React\n",
    "# Vue\n",
    "react: a b\n",
    "[//]: # 'A'\n",
]
HTML = [
    *("<!--", "-->", "<?", "<![CDATA[", "<!A", "<div>", "</div>", "<b", "<p align='", "<pre>", "<details>", "<table>"),
    *(
        "<script>",
        "</script>",
        "<style ",
        "<svg onload=alert(1)>",
        "<img src=x onerror=alert(1)>",
        "<a name=",
        "<a id='x'>",
    ),
    *(
        "<a href='javascript:alert(1)'>",
        "<source srcset='a 1x, b'>",
        "<iframe src='https://stackblitz.com/x'>",
        "</iframe>",
    ),
    *("<iframe src='https://evil.example'>", "{{ ", "}}", "'", '"', "<", ">", "slot", "place", "</p>"),
]
ADDRESSES = [
    "mailto:",
    "mailto:a@b.example",
    "http://",
    "https://a.example/",
    "www.",
    "www.a.b",
    "javascript:",
    "data:",
    "@",
    ":",
]
FRONT = [
    "---\n",
    "title: x\n",
    "ref: docs/a.md\n",
    "ref: docs/b.md\n",
    "replace: { a: b, '(a+)': '$1$&', b: \"$'\" }\n",
    "redirect_from: [x]\n",
    "articles:\n  - title: A\n    url: https://a.example\n",
    "a: &a [*a]\n",
    "? [[[[[[[[\n",
    "toc: false\n",
]
ODD = ["\x00", "\ufeff", "\u2028", "\u00a0", "\u200b", "\r\n", "\r", "\n", "\n\n", "\U0001f600", "\x1b", "é"]
PIECES = st.sampled_from([*BRACKETS, *MARKS, *FENCES, *LISTS, *DIRECTIVES, *HTML, *ADDRESSES, *FRONT, *ODD]) | st.text(
    max_size=5
)
REPEATED = st.tuples(PIECES, st.integers(1, 400)).map(lambda pair: pair[0] * pair[1])
TEXTS = st.lists(PIECES | REPEATED, max_size=25).map("".join)
FRONTED = st.tuples(st.lists(st.sampled_from(FRONT), max_size=4), TEXTS).map(
    lambda pair: f"---\n{''.join(pair[0])}---\n{pair[1]}"
)


@pytest.fixture(scope="module")
def pool() -> Iterator[MarkdownProcessPool]:
    pool = MarkdownProcessPool()
    yield pool
    pool.close()


def source(text: str, target: str) -> MarkdownFile:
    def read(path: str) -> str:
        if path == "docs/a.md":
            return target
        if path == "docs/b.md":
            return f"---\nref: docs/a.md\n---\n{text}"
        raise NotFound(path)

    return MarkdownFile("fuzz.md", text, read)


@CASES
@given(text=TEXTS | FRONTED, target=TEXTS | FRONTED)
def test_any_text_becomes_a_safe_page_of_limited_size_or_is_refused(
    pool: MarkdownProcessPool, text: str, target: str
) -> None:
    written = source(text, target)
    page = refusal = None
    try:
        page = pool.page(written, framework="react")
    except OverBudget as exceeded:
        refusal = exceeded
    except NotFound:
        return
    if page is None:  # refused by a limit, not by a bug or a crash of the process
        assert refusal is not None
        assert refusal.limit in ("items", "size", "time")
        assert "Error" not in refusal.message
        return
    assert dangers(page) == []
    assert len(page.chunks) == len(page.code_blocks) + 1
    assert sum(map(len, page.chunks)) <= LIMITS.answer_bytes
    assert max(len(page.headings), len(page.links), len(page.code_blocks)) <= LIMITS.input_items
    assert page.anchors >= {heading.id for heading in page.headings}


@CASES
@given(text=TEXTS | FRONTED, target=TEXTS)
def test_renderer_returns_a_result_for_any_text_whose_files_exist(
    pool: MarkdownProcessPool, text: str, target: str
) -> None:
    renderer = MarkdownRenderer(pool)
    written = source(text, target)
    try:
        page = renderer.page(written)
        exported = renderer.export(written)
        about = renderer.summary(written)
    except NotFound:
        return
    assert dangers(page) == []
    assert len(exported.parts) == len(exported.targets) + 1
    assert about.description == exported.description or page.limit is not None


def test_processes_survive_all_texts(pool: MarkdownProcessPool) -> None:
    assert pool.page(source("*x*", "")).html() == "<p><em>x</em></p>\n"
    assert 1 <= len(pool.pids) <= 2
