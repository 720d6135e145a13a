"""The look of a site: marks, colors, fonts and corners. Each key is optional; the default is the look of the engine."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from kinfolk.config.data_files import TextLine, is_repo_path, matches, satisfies

Corners = Literal["square", "slight", "default", "round"]
CORNER_FACTORS: Mapping[Corners, float] = {"square": 0, "slight": 0.5, "default": 1, "round": 1.6}
"""What the radii of the engine are multiplied by."""

_COLOR = re.compile(r"#[0-9a-f]{6}|[a-z]+-(?:50|[1-9]00|950)", re.ASCII)
_PICTURE_ENDINGS = (".svg", ".png")

Color = Annotated[
    str, satisfies(lambda text: _COLOR.fullmatch(text) is not None, "color", "like `#14b8a6`, or a palette step")
]
PictureFile = Annotated[
    str,
    satisfies(
        lambda text: is_repo_path(text) and text.endswith(_PICTURE_ENDINGS),
        "picture",
        "an SVG or PNG file of the site folder, such as brand/logo.svg",
    ),
]
FontFile = Annotated[
    str,
    satisfies(
        lambda text: is_repo_path(text) and text.endswith(".woff2"),
        "font file",
        "a WOFF2 file of the site folder, such as brand/sans.woff2",
    ),
]
FontWeight = Annotated[str, matches("400 or 400 700", r"[1-9]\d{0,2}( [1-9]\d{0,2})?", "font weight")]

SYSTEM_FONT = "system"
SANS, MONO = "Inter", "Geist Mono"
"""The families that the engine ships."""


@dataclass(frozen=True)
class ThemeColors:
    """Colors of one theme. Text needs a contrast of 4.5:1 on each of the three surfaces."""

    surface: Color | None = None
    """Background of pages."""
    raised: Color | None = None
    """Background of code, cards and bars."""
    overlay: Color | None = None
    """Background of menus and dialogs."""
    ink: Color | None = None
    """Text."""
    muted: Color | None = None
    """Less important text."""
    line: Color | None = None
    """Lines between parts of a page."""


@dataclass(frozen=True)
class FontFace:
    """A font of the site, in a file that pages load."""

    family: TextLine
    """Name of the family, by which `sans` or `mono` selects it."""
    file: FontFile
    """File of the font."""
    weight: FontWeight = "400"
    """Weight, or the first and the last one of a variable font."""
    style: Literal["normal", "italic"] = "normal"
    """Style."""


@dataclass(frozen=True)
class Brand:
    """The look of the site."""

    favicon: PictureFile | None = None
    """Picture of tabs and home screens, square. `favicon.ico` and the icons of the web app manifest are made of it.
    Without it, the first letter of the family on the accent color."""
    logo: PictureFile | None = None
    """Mark beside the name of the family in the header, and on share images."""
    logo_dark: PictureFile | None = None
    """The mark in the dark theme, if it is another one."""
    wordmark: PictureFile | None = None
    """The name of the family as a drawing, which the header shows in place of the text."""
    wordmark_dark: PictureFile | None = None
    """The wordmark in the dark theme, if it is another one."""
    accent: Color | None = None
    """Color of links, buttons and focus. Its shade is adjusted in each theme until the contrast is 4.5:1."""
    gradient: tuple[Color, Color] | None = None
    """The two colors of the home page and of share images that belong to no library."""
    light: ThemeColors = ThemeColors()
    """Colors of the light theme."""
    dark: ThemeColors = ThemeColors()
    """Colors of the dark theme."""
    corners: Corners = "default"
    """How round corners are."""
    sans: TextLine = SANS
    """Font of text: `Inter`, `system`, or the family of a font in `fonts`."""
    mono: TextLine = MONO
    """Font of code: `Geist Mono`, `system`, or the family of a font in `fonts`."""
    fonts: tuple[FontFace, ...] = ()
    """Fonts of the site."""
