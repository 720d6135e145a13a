"""Math: what is a formula, what it becomes, and formulas that are refused."""

from __future__ import annotations

import re
import time

import pytest
from tests.suite.time_complexity import MAX_LINEAR_GROWTH, cpu_time_growth

from kinfolk.content.markdown.export import export_markdown
from kinfolk.content.markdown.extensions.math import DEEPEST, LONGEST, outside_math, to_mathml
from kinfolk.content.markdown.links.link_resolver import UnchangedLinks
from kinfolk.content.markdown.markdown_page import MarkdownPage
from kinfolk.content.markdown.render import render
from kinfolk.content.markdown.source.compose import compose
from kinfolk.search.docs_index.page_sections import sections


def page(text: str) -> MarkdownPage:
    return render(compose(text, str), resolve=UnchangedLinks())


def sources(html: str) -> list[str]:
    return re.findall(r'<annotation encoding="application/x-tex">([^<]*)<', html)


@pytest.mark.parametrize(
    ("text", "source"),
    [
        (r"The mean is $\bar{x} = \frac{1}{n}\sum_i x_i$.", r"\bar{x} = \frac{1}{n}\sum_i x_i"),
        (r"$\sqrt{3x-1}+(1+x)^2$", r"\sqrt{3x-1}+(1+x)^2"),
        (r"$`\sqrt{3x-1}`$", r"\sqrt{3x-1}"),
        ("$`a_b * c_d`$", "a_b * c_d"),
        ("$a_1 * b_2 * c_3$", "a_1 * b_2 * c_3"),
        ("($x$)", "x"),
        ("$x$, $y$", "x"),
        ("**$x$**", "x"),
        ("the $n$-th", "n"),
        ("$a < b$", "a &lt; b"),
        ("$x$[^1]", "x"),
        ("# $x$", "x"),
        ("| $x$ |\n|---|", "x"),
        ("- $x$", "x"),
        ("text $$x^2$$ text", "x^2"),
        ("$$x^2$$", "x^2"),
        ("$$\nx^2\n$$", "x^2"),
        ("text\n$$\nx^2\n$$\ntext", "x^2"),
        ("- item\n\n  $$\n  x^2\n  $$", "x^2"),
        ("> $$\n> x^2\n> $$", "x^2"),
        ("```math\nx^2\n```", "x^2"),
        ("$$x\n+ y$$", "x\n+ y"),
        ("$$\nx\n= y\n- z\n$$", "x\n= y\n- z"),
    ],
)
def test_formula_becomes_mathml_with_its_source(text: str, source: str) -> None:
    result = page(f"---\ntitle: T\n---\n{text}")
    assert sources(result.html())[0] == source
    assert "$" not in re.sub("<annotation.*?</annotation>", "", result.html())
    assert result.problems == ()


@pytest.mark.parametrize(
    "text",
    [
        "It costs $5 and $6 to run.",
        "$5-$6",
        "US$5$ and a$b$",
        "$ x$ and $x $",
        "$HOME/bin and $PATH",
        "${HOME}/foo and ${HOME}/bar",
        "${a}/${b}",
        "$(a)/$(b)",
        r"\$x\$",
        "`$x$`",
        "``$x$``",
        "$.ajax/$.get",
        "$a/$b",
        "posts.$postId.$commentId.tsx",
        "$$",
        "$$ a",
        "$$\nx\n\ny\n$$",
        "$x$y",
        "one $ alone",
        "```\n$x$\n```",
        "    $x$",
        "[a](/$x/$y)",
        "$$\n$$",
    ],
)
def test_other_dollar_signs_are_text(text: str) -> None:
    assert "<math" not in page(text).html()


@pytest.mark.parametrize(
    ("tex", "reason"),
    [
        (r"\frac{", "Expected closing token"),
        (r"\nosuch x", 'Unknown command "\\nosuch"'),
        (r"\begin{nosuch}x\end{nosuch}", 'Unknown environment "nosuch"'),
        ("x^2^3", "Duplicate"),
        ("a & b", "table-like environment"),
        (r"\left( x", "Expected"),
        (r"\href{javascript:alert(1)}{x}", "Unknown command"),
        (r"\htmlmath{<img src=x onerror=alert(1)>}", "Unknown command"),
        (r"\includegraphics{x}", "Unknown command"),
        (r"\style{color:red}{x}", "Unknown command"),
        (r"\class{x}{y}", "Unknown command"),
        (r"\def\a{\a\a}\a", "defines a command"),
        (r"\newcommand{\a}{x}\a", "defines a command"),
        (r"\let\a\b", "defines a command"),
        ("{" * (DEEPEST + 1) + "x" + "}" * (DEEPEST + 1), "groups within groups"),
        (r"\left(" * (DEEPEST + 1), "groups within groups"),
        ("x" * (LONGEST + 1), "characters"),
    ],
)
def test_invalid_formula_is_shown_as_code_and_reported(tex: str, reason: str) -> None:
    result = page(f"---\ntitle: T\n---\n\n```math\n{tex}\n```\n")
    assert result.code_blocks[0].code == tex
    assert [problem.line for problem in result.problems] == [5]
    assert reason in result.problems[0].message


def test_invalid_formula_in_a_sentence_is_code_at_its_line() -> None:
    result = page("one\ntwo $\\frac{$ and $x$\n")
    assert "two <code>\\frac{</code> and <math>" in result.html()
    assert result.problems[0].line == 2


def test_only_a_long_formula_in_a_sentence_takes_the_focus() -> None:
    long = "+".join("abcdefghi")
    html = page(f"Of $a+b$ and ${long}$.\n\n$$\n{long}\n$$\n").html()
    assert html.count("<math>") == 1
    assert html.count('<math tabindex="0">') == 1
    assert html.count('tabindex="0" role="group" aria-label="Formula"><math display="block">') == 1


@pytest.mark.parametrize("text", ["<img src=x onerror=hit()>", '"onload=', "</annotation></semantics></math><script>"])
def test_source_is_escaped(text: str) -> None:
    html = to_mathml(rf"\text{{{text}}}", is_display=False)
    assert "<img" not in html
    assert "<script" not in html
    assert html.count("</math>") == 1


def test_styles_become_attributes_and_classes() -> None:
    html = to_mathml(r"\begin{aligned} a &= \color{red} b \end{aligned}", is_display=True)
    assert " style=" not in html
    assert 'mathcolor="#FF0000"' in html
    assert '<mtd class="to-right no-gap-after">' in html


@pytest.mark.parametrize(
    "tex",
    [
        r"\begin{split} a &= b \end{split}",
        r"\sum_{\substack{0<i \\ j<n}} x",
        r"\tag{1} x = y",
        r"\begin{cases} x & \text{if } y \\ z \end{cases}",
        r"\operatorname*{arg\,max}_x f",
        r"\widetilde{abc}",
        r"\begin{smallmatrix} a & b \end{smallmatrix}",
        r"\boxed{E}",
        r"\mathbb{R}",
        r"{n \choose k}",
    ],
)
def test_common_commands_are_known(tex: str) -> None:
    assert to_mathml(tex, is_display=True).startswith('<math display="block"><semantics><mrow>')


def test_search_and_description_have_the_source() -> None:
    result = page("The mean $\\bar{x}$ of it.\n\n$$\nx^2\n$$\n")
    assert sections(result)[0].content == r"The mean \bar{x} of it. x^2"
    assert result.description == r"The mean \bar{x} of it."


def test_heading_has_the_source_in_the_outline() -> None:
    assert page("---\ntitle: T\n---\n## The $O(n)$ case").headings[0].text == "The O(n) case"


def test_copy_has_formulas_as_written_and_their_brackets_are_no_links() -> None:
    class PrefixedLinks(UnchangedLinks):
        def link(self, href: str) -> tuple[str, bool]:
            return f"/moved/{href}", False

    text = "See [a](b.md) and $f[x](y)$.\n\n$$\nf[x](y)\n$$\n"
    assert export_markdown(compose(text, str)).with_links(PrefixedLinks()) == (
        "See [a](/moved/b.md) and $f[x](y)$.\n\n$$\nf[x](y)\n$$"
    )


def test_formulas_are_split_from_prose() -> None:
    assert outside_math("a $x$ b $5 and $$y$$") == ["a ", "$x$", " b $5 and ", "$$y$$", ""]


@pytest.mark.parametrize("opening", ["(", "[", r"\{", r"\langle ", r"\lfloor "])
def test_unbalanced_brackets_do_not_take_exponential_time(opening: str) -> None:
    """math-core 0.9.0 takes twice as long for each further bracket."""
    start = time.process_time()
    to_mathml(f"x{opening}" * 24, is_display=True)
    assert time.process_time() - start < 0.25


@pytest.mark.parametrize("part", ["$", "$a ", "$$a\n", "$`a ", "$`", "$a$", "$$", "$x ", "> $$\n", "\\$a$ "])
def test_dollar_signs_take_linear_time(part: str) -> None:
    assert cpu_time_growth(lambda size: page(part * size), 400) < MAX_LINEAR_GROWTH
