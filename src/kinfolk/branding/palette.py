"""The palette of `colors.toml`, and the shades of its colors that are legible as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated

from kinfolk.config.catalog import Catalog, Hue
from kinfolk.config.data_files import STRICT_CONFIG, matches, read_data_file
from kinfolk.config.site_folder import DEFAULTS
from kinfolk.runtime.errors import InvalidFile, InvalidSite

FILE = "colors.toml"
UNKNOWN_HUE: Hue = "gray-500"
TEXT_CONTRAST = 4.5
"""The contrast that WCAG 2.2 requires of text (1.4.3)."""
LIGHT_SURFACES = ("#fdfcfa", "#f6f4ef")
"""Backgrounds of colored text in the light theme: `--surface` and `--raised` of frontend/src/styles/tokens.css."""
DARK_SURFACES = ("#141311", "#1c1b18", "#211f1c")
TINT = 0.12
"""Highest share of a color in a tinted background behind text of that color."""
STEPS = 50

Hex = Annotated[str, matches("#14b8a6", r"#[0-9a-f]{6}", "hex color")]
Rgb = tuple[float, float, float]


@dataclass(frozen=True)
class Surfaces:
    """The backgrounds of colored text in both themes."""

    light: tuple[str, ...] = LIGHT_SURFACES
    dark: tuple[str, ...] = DARK_SURFACES


ENGINE_SURFACES = Surfaces()
"""Those of a site that sets none."""


@dataclass(frozen=True)
class LibraryColors:
    """A library's colors: `start` and `end` are its gradient's, `light` and `dark` are for text on such a page."""

    start: str
    end: str
    light: str
    dark: str


@dataclass(frozen=True)
class Palette:
    """The palette: each step that another file names, as a color."""

    __pydantic_config__ = STRICT_CONFIG

    colors: Mapping[Hue, Hex]
    """Palette steps and their colors: `red-500 = "#fb2c36"`. Each step that another file names must be here."""

    def pair(self, color_from: str, color_to: str) -> tuple[str, str]:
        return self.colors[color_from], self.colors[color_to]

    def tones(
        self, color_from: Hue, color_to: Hue, light: Hue, dark: Hue, *, surfaces: Surfaces = ENGINE_SURFACES
    ) -> LibraryColors:
        """The two colors of a gradient, and the colors for text, adjusted until they are legible."""
        start, end = self.pair(color_from, color_to)
        return LibraryColors(
            start,
            end,
            readable(self.colors[light], surfaces.light, towards="#000000"),
            readable(self.colors[dark], surfaces.dark, towards="#ffffff"),
        )


def load_palette(site: Path, catalog: Catalog) -> Palette:
    """The colors of `colors.toml`. A color that it lacks is gray, and all have the defaults while it is invalid."""
    faults: list[InvalidFile] = []
    palette = read_data_file(site, FILE, Palette, faults) or read_data_file(DEFAULTS, FILE, Palette, faults)
    if palette is None:
        raise InvalidSite(faults)
    missing = dict.fromkeys(_used_hues(catalog), palette.colors[UNKNOWN_HUE])
    return Palette(missing | dict(palette.colors))


def palette_errors(site: Path, catalog: Catalog) -> list[InvalidFile]:
    """What is wrong with the file, and the colors that other files use and it lacks."""
    faults: list[InvalidFile] = []
    palette = read_data_file(site, FILE, Palette, faults)
    if palette is not None:
        unknown = dict.fromkeys(hue for hue in _used_hues(catalog) if hue not in palette.colors)
        faults += [InvalidFile(FILE, f"colors.{hue}", "is missing") for hue in unknown]
    return faults


def _used_hues(catalog: Catalog) -> Iterator[Hue]:
    for library in catalog.libraries:
        yield from (library.color_from, library.color_to, library.text_color, library.bg_style, library.text_style)
        yield from (library.card_styles.light, library.card_styles.dark)
    for framework in catalog.frameworks:
        yield framework.color


@lru_cache(maxsize=256)
def readable(color: str, surfaces: tuple[str, ...], *, towards: str) -> str:
    """The nearest shade of the color, towards black or white, that is legible on `surfaces` and on a tint of itself."""
    for step in range(STEPS + 1):
        candidate = mix(towards, color, step / STEPS)
        if all(contrast(candidate, ground) >= TEXT_CONTRAST for ground in (*surfaces, mix(color, surfaces[0], TINT))):
            return candidate
    return towards


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colors as WCAG 2.2 defines it: from 1 to 21."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def mix(color: str, into: str, share: float) -> str:
    """`share` of a color mixed into another one, like CSS `color-mix(in srgb, …)`."""
    parts = (round((a * share + b * (1 - share)) * 255) for a, b in zip(_rgb(color), _rgb(into), strict=True))
    return "#" + "".join(f"{part:02x}" for part in parts)


def _luminance(color: str) -> float:
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4  # noqa: PLR2004 as WCAG writes it
        for part in _rgb(color)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _rgb(color: str) -> Rgb:
    red, green, blue = (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue
