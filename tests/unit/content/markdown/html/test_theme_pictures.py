"""Tests of pictures that are shown in one theme."""

from __future__ import annotations

import re

import pytest
from tests.suite.time_complexity import MAX_LINEAR_GROWTH, cpu_time_growth

from kinfolk.content.markdown.processes.jobs import InProcessJobs, MarkdownFile

DARK = "(prefers-color-scheme: dark)"
LIGHT = "(prefers-color-scheme: light)"


def body(text: str) -> str:
    return InProcessJobs().page(MarkdownFile("page.md", text, str)).html()


@pytest.mark.parametrize(
    ("src", "shown", "theme"),
    [
        ("a.svg#gh-light-mode-only", "a.svg", "light"),
        ("a.svg#gh-dark-mode-only", "a.svg", "dark"),
        ("https://x.example/a.png?b=c#gh-dark-mode-only", "https://x.example/a.png?b=c", "dark"),
        ("a.svg#only-light", "a.svg", "light"),
        ("a.svg#only-dark", "a.svg", "dark"),
        ("a.svg#gh-other-mode-only", "a.svg#gh-other-mode-only", None),
        ("a.svg#icon", "a.svg#icon", None),
        ("a.svg", "a.svg", None),
    ],
)
@pytest.mark.parametrize(
    "form", ["![x]({})", '<img src="{}" alt="x">', '<p align="center">\n<img alt="x" src="{}">\n</p>']
)
def test_picture_with_a_fragment_is_for_one_theme(form: str, src: str, shown: str, theme: str | None) -> None:
    html = body(form.format(src))
    assert f' src="{shown}"' in html
    assert re.findall(r'data-theme-only="(\w+)"', html) == ([theme] if theme else [])


def variants(html: str) -> dict[str, list[str]]:
    """The addresses of the picture of each theme, the first that a browser takes first."""
    found = re.findall(r'<picture data-theme-only="(\w+)">(.*?)</picture>', html, re.DOTALL)
    return {theme: re.findall(r'src(?:set)?="([^"]*)"', inside) for theme, inside in found}


@pytest.mark.parametrize(
    ("sources", "light", "dark"),
    [
        (f'<source media="{DARK}" srcset="d.svg">', ["a.svg"], ["d.svg", "a.svg"]),
        (f'<source media="{LIGHT}" srcset="l.svg">', ["l.svg", "a.svg"], ["a.svg"]),
        (
            f'<source srcset="d.svg 2x" media=\'{DARK}\'><source media="{LIGHT}" srcset="l.svg">',
            ["l.svg", "a.svg"],
            ["d.svg 2x", "a.svg"],
        ),
        (f'<SOURCE MEDIA="{DARK.upper()}" SRCSET="d.svg">', ["a.svg"], ["d.svg", "a.svg"]),
        (
            f'<source media="{DARK}" srcset="d.svg"><source srcset="w.webp">',
            ["w.webp", "a.svg"],
            ["d.svg", "w.webp", "a.svg"],
        ),
    ],
)
@pytest.mark.parametrize(
    "form", ["<picture>\n{}\n{}\n</picture>", "Text <picture>{} {}</picture> after", "<p>\n<picture>{}{}</picture></p>"]
)
def test_picture_with_a_source_for_a_scheme_is_one_for_each_theme(
    form: str, sources: str, light: list[str], dark: list[str]
) -> None:
    html = body(form.format(sources, '<img src="a.svg" alt="A">'))
    assert variants(html) == {"light": light, "dark": dark}
    assert "prefers-color-scheme" not in html


@pytest.mark.parametrize(
    ("media", "left"),
    [
        (f"{DARK} and (min-width: 600px)", "(min-width: 600px)"),
        (f"(min-width: 600px) and {DARK}", "(min-width: 600px)"),
        (f"screen and {DARK} and (min-width: 2em)", "screen and (min-width: 2em)"),
    ],
)
def test_other_conditions_of_a_source_stay(media: str, left: str) -> None:
    html = body(f'<picture>\n<source media="{media}" srcset="d.svg">\n<img src="a.svg">\n</picture>')
    assert re.findall('media="([^"]*)"', html) == [left]


@pytest.mark.parametrize(
    "picture",
    [
        '<source media="(min-width: 2em)" srcset="b.svg">',
        f'<source media="not {DARK}" srcset="b.svg">',
        f'<source media="{DARK}, print" srcset="b.svg">',
        f'<source media="{DARK} or {LIGHT}" srcset="b.svg">',
    ],
)
def test_other_pictures_stay_one(picture: str) -> None:
    html = body(f'<picture>\n{picture}\n<img src="a.svg">\n</picture>')
    assert html.count("<picture>") == 1
    assert 'srcset="b.svg"' in html


@pytest.mark.parametrize(
    "text",
    [
        f'<picture><source media="{DARK}" srcset=\'x" onerror=alert(1)\'><img src=x onerror=alert(1)></picture>',
        f'<picture><source media="{DARK}" srcset="javascript:x"><img src="javascript:x#gh-dark-mode-only"></picture>',
        f'<picture data-theme-only="x"><source media="{DARK}" srcset=a><script>alert(1)</script><img src=b>',
    ],
)
def test_picture_runs_no_code(text: str) -> None:
    html = body(text)
    assert "javascript" not in html
    assert "<script" not in html
    assert not re.search(r"<[^>]*\sonerror", re.sub('"[^"]*"', '""', html))


@pytest.mark.parametrize(
    "piece",
    [
        f'<picture><source media="{DARK}" srcset="a"><img src="b"></picture> ',
        f'<picture><source media="{DARK}"\n',
        "<picture>prefers-color-scheme ",
        '<source media="prefers-color-scheme" ',
        f"<div><picture media='{DARK}'\n",
    ],
)
def test_pictures_take_linear_time(piece: str) -> None:
    assert cpu_time_growth(lambda size: body("x " + piece * (size // len(piece))), 16_000) < MAX_LINEAR_GROWTH
