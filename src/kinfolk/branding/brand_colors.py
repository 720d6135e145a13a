"""The colors of a brand in both themes, checked for the contrast of text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from kinfolk.branding.palette import (
    DARK_SURFACES,
    LIGHT_SURFACES,
    TEXT_CONTRAST,
    Palette,
    Surfaces,
    contrast,
    mix,
    readable,
)
from kinfolk.config.catalog.brand import Brand, ThemeColors
from kinfolk.config.site_folder import SITE_FILE
from kinfolk.runtime.errors import InvalidFile

EDGE_CONTRAST = 3.0
"""The contrast that WCAG 2.2 requires of the borders of controls (1.4.11)."""
LINE_SHARE = 0.12
"""Share of the text color in a line on a surface."""
GRADIENT = ("cyan-500", "violet-600")
"""Palette steps of the engine's gradient."""
STEPS = 50


@dataclass(frozen=True)
class Theme:
    """The colors of one theme by the names of their custom properties."""

    surface: str
    raised: str
    overlay: str
    ink: str
    muted: str
    line: str
    edge: str
    accent: str
    good: str
    warn: str
    bad: str

    @property
    def surfaces(self) -> tuple[str, str, str]:
        return (self.surface, self.raised, self.overlay)


# As in frontend/src/styles/tokens.css; a test compares them.
LIGHT = Theme(
    surface="#fdfcfa", raised="#f6f4ef", overlay="#ffffff", ink="#1f1c18", muted="#625c53", line="#e5e1d9",
    edge="#8c867c", accent="#0f56b3", good="#1a7037", warn="#855600", bad="#b3261e",
)  # fmt: skip
DARK = Theme(
    surface="#141311", raised="#1c1b18", overlay="#211f1c", ink="#edeae4", muted="#a9a298", line="#312e2a",
    edge="#766f66", accent="#8dbcfb", good="#56d375", warn="#e3b341", bad="#ff8a80",
)  # fmt: skip

CODE = {
    "keyword": ("#7527a3", "#d2a8ff"),
    "operator": ("#525b68", "#aeb8c6"),
    "string": ("#17612f", "#8fd694"),
    "number": ("#8f4300", "#ffb77a"),
    "comment": ("#596270", "#a2abb8"),
    "function": ("#0a4fa6", "#8cc2ff"),
    "type": ("#0a626c", "#6fd6de"),
    "parameter": ("#8a3810", "#ffc59e"),
    "property": ("#15557f", "#a5c8f0"),
    "tag": ("#9c1f4f", "#ff9ebb"),
    "attribute": ("#644d00", "#e0cd7a"),
    "regexp": ("#9c2026", "#ff9d94"),
    "heading": ("#0a4fa6", "#8cc2ff"),
    "inserted": ("#17612f", "#7ee29a"),
    "deleted": ("#9c2026", "#ff9d94"),
}
"""Colors of code in both themes, as in frontend/src/styles/markdown/code.css; a test compares them."""


@dataclass(frozen=True)
class BrandColors:
    """The colors of both themes, and the gradient of pages that belong to no library."""

    light: Theme
    dark: Theme
    gradient: tuple[str, str]

    @property
    def surfaces(self) -> Surfaces:
        """The surfaces on which colored text must be legible."""
        light = LIGHT_SURFACES if self.light.surfaces == LIGHT.surfaces else self.light.surfaces
        dark = DARK_SURFACES if self.dark.surfaces == DARK.surfaces else self.dark.surfaces
        return Surfaces(light, dark)


def code_colors(colors: BrandColors) -> Iterator[tuple[str, str]]:
    """The custom properties of code on surfaces that are not those of the engine, adjusted until they are legible."""
    if (colors.light.surfaces, colors.dark.surfaces) == (LIGHT.surfaces, DARK.surfaces):
        return
    yield "--code-bg", f"light-dark({colors.light.raised},{colors.dark.raised})"
    yield "--code-marked", f"light-dark({colors.light.line},{colors.dark.line})"
    for name, (light, dark) in CODE.items():
        adjusted = (
            readable(light, (colors.light.raised,), towards="#000000"),
            readable(dark, (colors.dark.raised,), towards="#ffffff"),
        )
        if adjusted != (light, dark):
            yield f"--code-{name}", f"light-dark({adjusted[0]},{adjusted[1]})"


def resolve_colors(brand: Brand, palette: Palette) -> tuple[BrandColors, list[InvalidFile]]:
    """The colors of a brand, and what is wrong: unknown palette steps, and text with too little contrast.

    The colors of the engine take the place of invalid ones.
    """
    faults: list[InvalidFile] = []

    def color(key: str, value: str) -> str:
        if value.startswith("#"):
            return value
        # The accent color is read for both themes, and reported once.
        if value not in palette.colors and all(fault.key != f"brand.{key}" for fault in faults):
            faults.append(InvalidFile(SITE_FILE, f"brand.{key}", f"there is no color {value} in colors.toml"))
        return palette.colors.get(value, "#000000")

    start, end = brand.gradient or GRADIENT
    colors = BrandColors(
        _theme(brand.light, LIGHT, brand.accent, color, key="light", towards="#000000"),
        _theme(brand.dark, DARK, brand.accent, color, key="dark", towards="#ffffff"),
        (color("gradient[0]", start), color("gradient[1]", end)),
    )
    if not faults:
        faults += [*_contrast_errors("light", colors.light, LIGHT), *_contrast_errors("dark", colors.dark, DARK)]
    if faults:
        return BrandColors(LIGHT, DARK, palette.pair(*GRADIENT)), faults
    return colors, faults


def _theme(
    own: ThemeColors, default: Theme, accent: str | None, color: Callable[[str, str], str], *, key: str, towards: str
) -> Theme:
    """The colors of a theme: those of the brand, else those of the engine, adjusted to the surfaces."""

    def pick(name: str, otherwise: str) -> str:
        value = getattr(own, name)
        return color(f"{key}.{name}", value) if value else otherwise

    surface = pick("surface", default.surface)
    if surface != default.surface and own.raised is None and own.overlay is None:
        raised, overlay = mix(default.ink, surface, 0.04), mix("#ffffff", surface, 0.6 if key == "light" else 0.06)
    else:
        raised, overlay = default.raised, default.overlay
    raised, overlay = pick("raised", raised), pick("overlay", overlay)
    surfaces = (surface, raised, overlay)
    ink = pick("ink", default.ink)
    follows = default.muted if surfaces == default.surfaces else readable(default.muted, surfaces, towards=towards)
    muted = pick("muted", follows)
    if surfaces == default.surfaces and ink == default.ink:
        line, edge = default.line, default.edge
        good, warn, bad = default.good, default.warn, default.bad
    else:
        line, edge = mix(ink, surface, LINE_SHARE), _edge(ink, surfaces)
        good, warn, bad = (
            readable(value, surfaces, towards=towards) for value in (default.good, default.warn, default.bad)
        )
    chosen = color("accent", accent) if accent else default.accent
    is_default = chosen == default.accent and surfaces == default.surfaces
    return Theme(
        *surfaces,
        ink=ink,
        muted=muted,
        line=pick("line", line),
        edge=edge,
        accent=chosen if is_default else readable(chosen, surfaces, towards=towards),
        good=good,
        warn=warn,
        bad=bad,
    )


def _edge(ink: str, surfaces: tuple[str, ...]) -> str:
    """The nearest mixture of surface and text that has the contrast of a border."""
    mixtures = (mix(ink, surfaces[0], step / STEPS) for step in range(1, STEPS + 1))
    return next((each for each in mixtures if all(contrast(each, one) >= EDGE_CONTRAST for one in surfaces)), ink)


def _contrast_errors(key: str, theme: Theme, default: Theme) -> Iterator[InvalidFile]:
    for name, surface in zip(("surface", "raised", "overlay"), theme.surfaces, strict=True):
        for text_name, text in (("ink", theme.ink), ("muted", theme.muted)):
            ratio = contrast(text, surface)
            changed = (text, surface) != (getattr(default, text_name), getattr(default, name))
            if changed and ratio < TEXT_CONTRAST:
                reason = f"has a contrast of {ratio:.1f}:1 with {text_name} ({text}), and needs {TEXT_CONTRAST}:1"
                yield InvalidFile(SITE_FILE, f"brand.{key}.{name}", reason)
