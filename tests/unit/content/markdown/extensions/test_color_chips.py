"""Color chips: code spans that are exactly a color."""

from __future__ import annotations

import pytest

from kinfolk.content.markdown.links.link_resolver import UnchangedLinks
from kinfolk.content.markdown.render import render
from kinfolk.content.markdown.source.compose import compose

COLORS = (
    "#0969DA",
    "#ffffff",
    "#000000",
    "rgb(9, 105, 218)",
    "rgb(9,105,218)",
    "RGB(1, 2, 3)",
    "hsl(212, 92%, 45%)",
    "hsl(0,0%,0%)",
)
OTHERS = (
    "#FFF",
    "#0969DA80",
    "#0969DG",
    " #0969DA",
    "color: #0969DA",
    "#0969DA #0969DA",
    "0969DA",
    "rgb(9 105 218)",
    "rgb(9, 105, 218, 1)",
    "rgb(a, b, c)",
    "hsl(212, 92, 45)",
    "rgb(٠, 1, 2)",
    'rgb(1, 2, 3)"onload=',
    "#id",
    "rgb",
)


def html_of(code: str) -> str:
    return render(compose(f"`` {code} ``", str), resolve=UnchangedLinks()).html()


@pytest.mark.parametrize("color", COLORS)
def test_code_that_is_a_color_shows_it(color: str) -> None:
    assert html_of(color) == (
        f'<p><code>{color}<svg class="color-chip" viewBox="0 0 12 12" aria-hidden="true">'
        f'<rect width="12" height="12" fill="{color}"/></svg></code></p>\n'
    )


@pytest.mark.parametrize("code", OTHERS)
def test_other_code_has_no_chip(code: str) -> None:
    assert "<svg" not in html_of(code)


def test_color_in_prose_and_in_a_block_has_no_chip() -> None:
    text = "#0969DA\n\n```css\n#0969DA\n```\n\n    #0969DA\n"
    assert "<svg" not in render(compose(text, str), resolve=UnchangedLinks()).html()


def test_text_of_a_chip_is_the_color() -> None:
    page = render(compose("## `#0969DA`\n\nUse `#0969DA`.", str), resolve=UnchangedLinks())
    assert (page.headings[0].text, page.headings[0].id, page.description) == ("#0969DA", "0969da", "Use #0969DA.")
