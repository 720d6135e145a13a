"""Translating a page takes linear time, whatever its text repeats."""

from __future__ import annotations

from contextlib import suppress

import pytest
from tests.inputs.dialect_pages import SYNTAXES, dialect_file
from tests.suite.time_complexity import MAX_LINEAR_GROWTH, cpu_time_growth

from kinfolk.content.docs.file_layouts.page_layout import page_facts
from kinfolk.content.docs.menus.mkdocs_nav import read_nav
from kinfolk.content.markdown.dialects.syntax import component_tags
from kinfolk.content.markdown.dialects.syntax.source_lines import SourceLine
from kinfolk.content.markdown.source.compose import compose
from kinfolk.runtime.budget import OverBudget

REPEATED = (
    "::: tip\n",
    ":::: tip\n::: x\n",
    "```a\n",
    "<script>\n",
    "<!-- ",
    '<A b="',
    "{{ ",
    "<<< a\n",
    "## {#",
    "`<A `",
    "- ::: tip\n",
    "<Badge>",
    ":a",
    "!!! note\n    ",
    '=== "a"\n',
    "/// tip\n",
    "{++",
    "{* a",
    "*[a]: b\n",
    "{/*",
    "<Tabs>\n",
    "import {\n",
    "{'",
    "{{} text ",
    "[a][b]",
    "<A b={`\n\n",
    '```a tab="b"\n```\n',
    "<Steps><Step>",
    "<Files><Folder name='a'>",
    '<A b={"\\"',
    "<A b={'\\'",
    "import {A",
    "import A from './a';",
)

REPEATED_IN_MDC = (
    "::a\n",
    '::a{b="',
    "::a\n---\n",
    "::a\n#b\n",
    ":a{b}",
    ":a[b",
    ":a{b='",
    "::card\n  :::card\n",
    "**a**{.b",
    "[a]{b ",
    "::\n",
    "```a\n",
    "{{ ",
    "## {#",
)


def translation_growth(dialect: str, part: str, size: int) -> float:
    def translate(length: int) -> None:
        file = dialect_file(dialect, part * (length // len(part)))
        with suppress(OverBudget):
            compose(file.text, file.read_target, file.place)

    return cpu_time_growth(translate, size)


@pytest.mark.parametrize(
    ("dialect", "part"),
    [
        *((dialect, part) for dialect in SYNTAXES if dialect != "nuxt-content" for part in REPEATED),
        *(("nuxt-content", part) for part in REPEATED_IN_MDC),
    ],
)
def test_translation_takes_linear_time(dialect: str, part: str) -> None:
    assert translation_growth(dialect, part, 4_000) < MAX_LINEAR_GROWTH


@pytest.mark.parametrize(
    ("dialect", "part"),
    [
        ("fumadocs", "<Badge>"),
        ("fumadocs", "<Badge>\n"),
        ("fumadocs", "{a}"),
        ("vitepress", "<Badge>"),
        ("vitepress", "{{ a }}"),
        ("mkdocs", "{{ a }}"),
        ("nuxt-content", "{{ a }}"),
        ("nuxt-content", " :a{b}"),
    ],
)
def test_line_numbers_of_many_parts_take_linear_time(dialect: str, part: str) -> None:
    assert translation_growth(dialect, part, 32_000) < MAX_LINEAR_GROWTH


@pytest.mark.parametrize(
    "part",
    [
        "{{#include a}}",
        "````admonish x\n",
        '<div class="note">\n',
        "\\\\(",
        "\\\\[ ",
        "{{ a ",
        "## a {#b .c ",
        '<Listing a="',
    ],
)
def test_chapters_of_mdbook_take_linear_time(part: str) -> None:
    assert translation_growth("mdbook", part, 8_000) < MAX_LINEAR_GROWTH


@pytest.mark.parametrize(
    "part",
    [
        ":::{note}\n",
        "```{tip}\n",
        "{ref}`a`",
        "{ref}`a <",
        "[](#",
        "[x]{#a",
        "{{ a ",
        "(a)=\n",
        "* - a\n",
        "% a\n",
        ":a: b\n",
    ],
)
def test_pages_of_myst_take_linear_time(part: str) -> None:
    assert translation_growth("myst", part, 8_000) < MAX_LINEAR_GROWTH


def test_long_tags_take_linear_time() -> None:
    assert translation_growth("starlight", f"<A b={{{'x ' * 2_500}\n", 60_000) < MAX_LINEAR_GROWTH


@pytest.mark.parametrize("part", ["```\n", "# <A>", "a\n=", "[a](", "---\n"])
def test_titles_are_found_in_linear_time(part: str) -> None:
    assert cpu_time_growth(lambda length: page_facts(part * (length // len(part))), 8_000) < MAX_LINEAR_GROWTH


@pytest.mark.parametrize("part", ["- a\n", "- [", "- {", "a: !x b\n"])
def test_menus_are_read_in_linear_time(part: str) -> None:
    assert cpu_time_growth(lambda length: read_nav("nav:\n" + part * (length // len(part))), 8_000) < MAX_LINEAR_GROWTH


def test_tags_without_an_end_take_linear_time(monkeypatch: pytest.MonkeyPatch) -> None:
    # What a tag may have at most is linear, too, but hides what grows with the page.
    for limit in ("LONGEST_TAG", "LARGEST_TAG"):
        monkeypatch.setattr(component_tags, limit, 16)

    def join(length: int) -> None:
        component_tags.joined_tags([SourceLine("<A b={`", number) for number in range(length)])

    assert cpu_time_growth(join, 8_000) < MAX_LINEAR_GROWTH
