"""The stylesheet of a brand: custom properties that replace those of the engine, and the site's own `theme.css`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

from kinfolk.branding.brand_colors import DARK, LIGHT, BrandColors, code_colors
from kinfolk.branding.brand_fonts import BrandFonts
from kinfolk.branding.brand_marks import BrandMarks
from kinfolk.config.catalog.brand import CORNER_FACTORS, Brand, Corners
from kinfolk.runtime.errors import InvalidFile

THEME_FILE = "theme.css"
LARGEST_THEME = 64 << 10
"""Bytes of `theme.css`."""
_REFUSED = re.compile(r"</style|@import", re.IGNORECASE)
"""The end of the element that contains the text, and rules that would only count at its beginning."""
_RADII = {"xs": 0.25, "sm": 0.375, "md": 0.5, "lg": 0.75, "xl": 1.125, "full": 2}
"""In rem, as in frontend/src/styles/tokens.css."""
_MARKS = (
    ".site-mark{display:block;width:auto;height:1.75rem;max-width:11rem;object-fit:contain}"
    ".site-mark+.site-name{margin-inline-start:.5rem}"
)
_DARK_MARKS = (
    ".site-mark.on-dark,:root.dark .site-mark.on-light{display:none}:root.dark .site-mark.on-dark{display:block}"
    "@media(prefers-color-scheme:dark){:root:not([data-theme]) .site-mark.on-light{display:none}"
    ":root:not([data-theme]) .site-mark.on-dark{display:block}}"
)
"""The boot script sets `data-theme` and the class; without scripts, the system decides."""


def brand_css(brand: Brand, colors: BrandColors, fonts: BrandFonts, marks: BrandMarks) -> str:
    """The rules; empty for the look of the engine. They are in no layer, so they win over those of the engine."""
    declared = [*_color_properties(colors), *code_colors(colors), *fonts.properties, *_radii(brand.corners)]
    root = f":root{{{';'.join(f'{name}:{value}' for name, value in declared)}}}" if declared else ""
    shown = [mark for mark in (marks.logo, marks.wordmark) if mark]
    of_marks = (_MARKS if shown else "") + (_DARK_MARKS if any(mark.dark for mark in shown) else "")
    return fonts.fallbacks + root + of_marks


def read_theme(site: Path) -> tuple[str, list[InvalidFile]]:
    """The text of `theme.css`, empty without a valid one, and what is wrong with it."""
    faults: list[InvalidFile] = []
    file = site / THEME_FILE
    if not file.exists():
        return "", faults
    try:
        content = file.read_bytes()
        text = content.decode().strip()
    except (OSError, UnicodeDecodeError) as error:
        return "", [InvalidFile(THEME_FILE, "", f"cannot be read: {error}")]
    if len(content) > LARGEST_THEME:
        faults.append(InvalidFile(THEME_FILE, "", f"has {len(content)} bytes, and at most {LARGEST_THEME} are allowed"))
    if refused := _REFUSED.search(text):
        faults.append(InvalidFile(THEME_FILE, "", f"should not contain {refused[0]}"))
    return "" if faults else text, faults


def _color_properties(colors: BrandColors) -> Iterator[tuple[str, str]]:
    for field in fields(colors.light):
        pair = getattr(colors.light, field.name), getattr(colors.dark, field.name)
        if pair != (getattr(LIGHT, field.name), getattr(DARK, field.name)):
            yield f"--{field.name}", f"light-dark({pair[0]},{pair[1]})"


def _radii(corners: Corners) -> Iterator[tuple[str, str]]:
    if corners == "default":
        return
    for name, radius in _RADII.items():
        yield f"--radius-{name}", f"{radius * CORNER_FACTORS[corners]:.4g}rem"
