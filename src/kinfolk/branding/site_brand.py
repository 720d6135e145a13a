"""The whole look of a site, read once at the start."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from kinfolk.branding.brand_colors import BrandColors, resolve_colors
from kinfolk.branding.brand_css import brand_css, read_theme
from kinfolk.branding.brand_fonts import BrandFonts, font_files, load_fonts
from kinfolk.branding.brand_marks import BrandMarks, load_marks
from kinfolk.branding.palette import Palette
from kinfolk.config.catalog import Catalog
from kinfolk.runtime.errors import InvalidFile

STYLESHEET = "/_theme.css"
APP_ICONS = {
    "/favicon.ico": "image/x-icon",
    "/apple-touch-icon.png": "image/png",
    "/icon-192.png": "image/png",
    "/icon-512.png": "image/png",
    "/icon-maskable.png": "image/png",
}
"""Icons that clients request by their names, drawn from the favicon, and their types."""
LARGEST_INLINED = 4 << 10
"""Bytes of a stylesheet that is part of each page. A larger one is a file that pages load."""


@dataclass(frozen=True)
class SiteBrand:
    """`css` is the stylesheet of the site, which comes after those of the engine."""

    colors: BrandColors
    fonts: BrandFonts
    marks: BrandMarks
    css: str
    has_gradient: bool

    @property
    def is_inlined(self) -> bool:
        return len(self.css.encode()) <= LARGEST_INLINED

    @cached_property
    def css_address(self) -> str:
        return f"{STYLESHEET}?v={hashlib.sha256(self.css.encode()).hexdigest()[:12]}"

    @cached_property
    def favicon_path(self) -> str:
        return f"/favicon.{self.marks.favicon.ending}"

    @cached_property
    def files(self) -> Mapping[str, tuple[bytes, str]]:
        """Contents and types of the files below `/_brand/`, by address."""
        marks = [mark for mark in (self.marks.logo, self.marks.wordmark) if mark]
        pictures = {file.address: (file.content, file.media_type) for mark in marks for file in mark.files}
        fonts = {address: (content, "font/woff2") for address, content in font_files(self.fonts.files).items()}
        return pictures | fonts


def load_brand(site: Path, catalog: Catalog, palette: Palette) -> SiteBrand:
    """The look, with that of the engine in place of invalid parts: `brand_errors` returns what is wrong."""
    return _read(site, catalog, palette)[0]


def brand_errors(site: Path, catalog: Catalog, palette: Palette) -> list[InvalidFile]:
    return _read(site, catalog, palette)[1]


def _read(site: Path, catalog: Catalog, palette: Palette) -> tuple[SiteBrand, list[InvalidFile]]:
    brand = catalog.brand
    colors, color_faults = resolve_colors(brand, palette)
    fonts, font_faults = load_fonts(site, brand)
    marks, mark_faults = load_marks(site, brand, catalog.family, colors.light.accent)
    theme, theme_faults = read_theme(site)
    css = brand_css(brand, colors, fonts, marks) + theme
    look = SiteBrand(colors, fonts, marks, css, has_gradient=brand.gradient is not None)
    return look, [*color_faults, *font_faults, *mark_faults, *theme_faults]
