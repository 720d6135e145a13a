"""Constants and expressions in attributes, trees and titles of MDX: static values are shown, computed ones named."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import pytest
from tests.inputs.dialect_pages import dialect_file, dialect_page
from tests.suite.time_complexity import MAX_LINEAR_GROWTH, cpu_time_growth

from kinfolk.content.markdown.source.compose import compose
from kinfolk.runtime.budget import OverBudget

TREE = '<FileTree>\n<FileTree.Folder name={X}>\n%s\n<FileTree.File name="b.js" />\n</FileTree.Folder>\n</FileTree>\n'


def rendered(text: str) -> tuple[str, list[tuple[int, str]]]:
    page = dialect_page("nextra", text)
    return " ".join(page.html().split()), [(one.line, one.message) for one in page.problems]


def test_constants_are_names_of_a_file_tree() -> None:
    html, problems = rendered('export const X = "src"\n\n' + TREE % "")
    assert "<li>src/ <ul> <li>b.js</li>" in html
    assert problems == []


def test_elements_of_a_constant_are_shown_where_it_is_named() -> None:
    constant = 'export const X = "src"\nexport const two = (\n  <>\n    <FileTree.File name="a.js" />\n  </>\n)\n\n'
    html, problems = rendered(constant + TREE % "  {two}")
    assert "<li>src/ <ul> <li>a.js</li> <li>b.js</li>" in html
    assert problems == []


@pytest.mark.parametrize(
    ("child", "message"),
    [
        ("{names.map(n => (\n<FileTree.File name={n} />\n))}", "the expression {names.map(n => ( … ))} is not shown"),
        (
            "{names.map(n => {\n\n  return <FileTree.File name={n} />\n})}",
            "the expression {names.map(n => { return <FileTree.File name={n} /> })} is not shown",
        ),
        ("<FileTree.File name={n.x} />", "the attribute name of <FileTree.File> is computed, and not shown"),
    ],
)
def test_computed_children_of_a_file_tree_are_dropped_and_reported(child: str, message: str) -> None:
    html, problems = rendered('export const X = "src"\n\n' + TREE % child)
    assert "<li>src/ <ul> <li>b.js</li> </ul>" in html
    assert problems == [(5, message)]


def test_constant_is_the_title_of_a_page_and_of_components() -> None:
    uses = '# Version {X}\n\n<Callout title={X}>a</Callout>\n\n<Card title={X} href="/a" />\n'
    page = dialect_page("nextra", f'export const X = "1.2"\n\n{uses}')
    assert page.title == "Version 1.2"
    assert '<p class="callout-title">1.2</p>' in page.html()
    assert '<a href="/a">1.2</a>' in page.html()
    assert page.problems == ()


def test_elements_in_a_title_are_its_text() -> None:
    html, problems = rendered("<Callout title={<>Use <code>a[0]</code> &amp; *b*</>}>a</Callout>\n")
    assert '<p class="callout-title">Use <code>a[0]</code> &amp; *b*</p>' in html
    assert problems == []


@pytest.mark.parametrize("title", ["f()", "a.b", "<b>{x}</b>", "a ? 'x' : 'y'"])
def test_computed_title_is_dropped_and_reported(title: str) -> None:
    html, problems = rendered(f"<Card title={{{title}}}>\nInside\n</Card>\n")
    assert html == '<div class="md-card"> <p>Inside</p> </div>'
    assert problems == [(1, "the attribute title of <Card> is computed, and not shown")]


def test_expression_with_blank_lines_is_no_text() -> None:
    html, problems = rendered("A\n\n{list.map(one => {\n\n  const b = one\n\n  return <p>{b}</p>\n})}\n\nB\n")
    assert html == "<p>A</p> <p>B</p>"
    assert [line for line, _ in problems] == [3]


def test_constants_that_a_page_repeats_have_a_limit() -> None:
    text = "export const a = (<p>" + "x" * 100_000 + "</p>)\n\n" + "{a}\n\n" * 200
    with pytest.raises(OverBudget, match="constants of this page"):
        dialect_page("nextra", text)


@pytest.mark.parametrize(
    "text",
    [
        lambda length: "export const a = (<b>x</b>)\n\n" + "{a}\n" * (length // 4),
        lambda length: "{a\n\n" * (length // 4),
        lambda length: "<Card title={<b>} />\n" * (length // 21),
        lambda length: "<Card title={" + "<b>x</b>" * (length // 8) + "} />\n",
    ],
)
def test_expressions_take_linear_time(text: Callable[[int], str]) -> None:
    def translate(length: int) -> None:
        file = dialect_file("nextra", text(length))
        with suppress(OverBudget):
            compose(file.text, file.read_target, file.place)

    assert cpu_time_growth(translate, 4_000) < MAX_LINEAR_GROWTH
