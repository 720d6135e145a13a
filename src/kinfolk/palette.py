"""The steps of the palette that facts name, as colours, and the shades of them that text can be read in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated

from kinfolk.catalog import Catalog, Hue
from kinfolk.errors import BadFact
from kinfolk.facts import STRICT, like, read_facts

FILE = "colors.toml"
FAMILY: tuple[Hue, Hue] = ("cyan-500", "violet-600")
"""The colours of what belongs to no library."""
ENOUGH = 4.5
"""The contrast that WCAG 2.2 asks of text (1.4.3)."""
LIGHT_SURFACES = ("#fdfcfa", "#f6f4ef")
"""What coloured text stands on in the light theme: `--surface` and `--raised` of frontend/src/styles/tokens.css."""
DARK_SURFACES = ("#141311", "#1c1b18", "#211f1c")
WASH = 0.12
"""How much of its own colour a tinted surface may have behind such text."""
STEPS = 50

Hex = Annotated[str, like("#14b8a6", r"#[0-9a-f]{6}")]
Rgb = tuple[float, float, float]


@dataclass(frozen=True)
class Tones:
    """A library's colours: `start` and `end` are its gradient's, `light` and `dark` are for text on such a page."""

    start: str
    end: str
    light: str
    dark: str


@dataclass(frozen=True)
class Palette:
    """What the steps of the palette are on a screen, by name: `red-500` -> `#fb2c36`."""

    __pydantic_config__ = STRICT

    colors: Mapping[Hue, Hex]

    def pair(self, color_from: str, color_to: str) -> tuple[str, str]:
        return self.colors[color_from], self.colors[color_to]

    def tones(self, color_from: Hue, color_to: Hue, light: Hue, dark: Hue) -> Tones:
        """The two colours of a gradient, and those for text moved until they can be read."""
        start, end = self.pair(color_from, color_to)
        return Tones(
            start,
            end,
            readable(self.colors[light], LIGHT_SURFACES, towards="#000000"),
            readable(self.colors[dark], DARK_SURFACES, towards="#ffffff"),
        )


def load_palette(data: Path, catalog: Catalog) -> Palette:
    """Read `data/colors.toml`. Raises BadFact when it is wrong or lacks a colour that a fact names."""
    faults: list[BadFact] = []
    palette = read_facts(data, FILE, Palette, faults)
    if palette is None:
        raise faults[0]
    for hue in _named(catalog):
        if hue not in palette.colors:
            raise BadFact(FILE, f"colors.{hue}", "is missing")
    return palette


def _named(catalog: Catalog) -> Iterator[Hue]:
    yield from FAMILY
    for library in catalog.libraries:
        yield from (library.color_from, library.color_to, library.text_color, library.bg_style, library.text_style)
        yield from (library.card_styles.light, library.card_styles.dark)
    for framework in catalog.frameworks:
        yield framework.color


@lru_cache(maxsize=256)
def readable(color: str, surfaces: tuple[str, ...], *, towards: str) -> str:
    """The colour, moved no further than it must be for text in it to be read on all of these, and on a wash of it."""
    for step in range(STEPS + 1):
        candidate = mixed(towards, color, step / STEPS)
        if all(contrast(candidate, ground) >= ENOUGH for ground in (*surfaces, mixed(color, surfaces[0], WASH))):
            return candidate
    return towards


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours as WCAG 2.2 defines it: from 1 to 21."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def mixed(color: str, into: str, share: float) -> str:
    """`share` of a colour in another one, as `color-mix(in srgb, …)` has it."""
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
