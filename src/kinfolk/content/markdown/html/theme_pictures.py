"""Pictures for one theme: `![](a.svg#gh-dark-mode-only)`, and `<picture>` with sources for a color scheme.

The reader can choose another theme than the system's, which media queries do not see. So a `<picture>` with sources for
a scheme becomes two, of which the stylesheet shows one. Browsers do not load a lazy image that is not shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import escape
from typing import Literal

Theme = Literal["light", "dark"]

_MARKS: Mapping[str, Theme] = {
    "gh-light-mode-only": "light",
    "gh-dark-mode-only": "dark",
    # Of MkDocs Material.
    "only-light": "light",
    "only-dark": "dark",
}
"""Fragments of addresses of pictures -> the theme that shows them."""
THEMES: tuple[Theme, ...] = ("light", "dark")
THEME_ATTRIBUTE = "data-theme-only"

_DARK = re.compile(
    rf'<img [^<>]*{THEME_ATTRIBUTE}="dark"[^<>]*>'
    rf'|<picture {THEME_ATTRIBUTE}="dark">[^<]*(?:<(?!/?picture\b)[^<]*)*</picture>'
)
_PICTURE = re.compile(r"<(/?)picture\b[^<>]*>", re.IGNORECASE)
_SOURCE = re.compile(r"<source\b(?>\"[^\"]*\"|'[^']*'|[^<>\"'])*+>", re.IGNORECASE)
_IMAGE_ADDRESS = re.compile(r"""(<img\b[^<>]*?\ssrc\s*=\s*)("[^"]*"|'[^']*'|[^\s"'<>]+)""", re.IGNORECASE)
_MEDIA = re.compile(r"""\smedia\s*=\s*(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)
_NAMES_SCHEME = re.compile("prefers-color-scheme", re.IGNORECASE)
_SCHEME = re.compile(r"\(\s*prefers-color-scheme\s*:\s*(light|dark)\s*\)", re.IGNORECASE)
_LONGEST_QUERY = 300


def split_theme(src: str) -> tuple[str, Theme | None]:
    """`a.svg#gh-dark-mode-only` -> `a.svg`, `dark`."""
    address, _, fragment = src.rpartition("#")
    theme = _MARKS.get(fragment) if address else None
    return (address, theme) if theme else (src, None)


def by_theme(html: str) -> str:
    """The HTML, each `<picture>` with sources for a color scheme as one for each theme."""
    if not _NAMES_SCHEME.search(html):
        return html
    return "".join(_pieces(html))


def for_light_theme(html: str) -> str:
    """The HTML of a page without pictures for the dark theme, for readers that do not know the theme."""
    return _DARK.sub("", html) if THEME_ATTRIBUTE in html else html


def _pieces(html: str) -> Iterator[str]:
    done = start = 0
    is_open = False
    for tag in _PICTURE.finditer(html):
        if not tag[1]:
            start, is_open = tag.start(), True
        elif is_open:
            is_open = False
            yield html[done:start]
            yield _both(html[start : tag.end()])
            done = tag.end()
    yield html[done:]


def _both(picture: str) -> str:
    if not any(_theme(_media(source[0])) for source in _SOURCE.finditer(picture)):
        return picture
    without_marks = _IMAGE_ADDRESS.sub(_without_mark, picture)
    return "".join(_variant(without_marks, theme) for theme in THEMES)


def _variant(picture: str, theme: Theme) -> str:
    def source(found: re.Match[str]) -> str:
        its = _theme(_media(found[0]))
        if its is None:
            return found[0]
        return _MEDIA.sub(_without_scheme, found[0], count=1) if its == theme else ""

    opening, _, inside = picture.partition(">")
    return f'{opening} {THEME_ATTRIBUTE}="{theme}">{_SOURCE.sub(source, inside)}'


def _without_mark(image: re.Match[str]) -> str:
    quote = image[2][0] if image[2][0] in "\"'" else ""
    return f"{image[1]}{quote}{split_theme(image[2].strip(quote or None))[0]}{quote}"


def _media(source: str) -> str:
    found = _MEDIA.search(source)
    return (found[1] or found[2] or "") if found else ""


def _theme(media: str) -> str | None:
    """The scheme of a query that is true in one scheme only; None for others."""
    if len(media) > _LONGEST_QUERY:
        return None
    schemes = _SCHEME.findall(media)
    if len(schemes) != 1 or "," in media or not {"not", "or"}.isdisjoint(media.lower().split()):
        return None
    return str(schemes[0]).lower()


def _without_scheme(media: re.Match[str]) -> str:
    words: list[str] = []
    for word in _SCHEME.sub("", media[1] or media[2] or "").split():
        if word.lower() != "and" or (words and words[-1].lower() != "and"):
            words.append(word)
    if words and words[-1].lower() == "and":
        words.pop()
    left = escape(" ".join(words))
    return f' media="{left}"' if left else ""
