"""Pictures by which a page is recognized, as files: icons and patterns of libraries, patterns of posts."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from urllib.parse import quote

from kinfolk.branding.palette import Palette, contrast
from kinfolk.branding.patterns import Pattern, Size, draw_pattern, library_pattern, pattern_svg
from kinfolk.config.catalog import Catalog
from kinfolk.config.catalog.brand import CORNER_FACTORS
from kinfolk.content.landing.landing import Landing

PATTERN_SIZE = Size(720, 360)
"""Pages scale it."""
_ICON_INKS = ("#ffffff", "#171410")
"""Colors of the logo on the gradient: the one with more contrast is taken."""
_ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><linearGradient id="icon-colors" x2="1" y2="1">'
    '<stop stop-color="{start}"/><stop offset="1" stop-color="{end}"/></linearGradient>'
    '<rect width="32" height="32" rx="{radius:g}" fill="url(#icon-colors)"/>'
    '<mask id="icon-logo" style="mask-type:alpha"><svg x="4" y="4" width="24" height="24">{logo}</svg></mask>'
    '<rect width="32" height="32" fill="{ink}" mask="url(#icon-logo)"/></svg>'
)
"""A tile in the library's colors, legible on tabs of both themes. The logo is a mask: its own color does not matter."""


@dataclass(frozen=True)
class SvgFile:
    """A picture that is served at an address with its version."""

    svg: str

    @cached_property
    def version(self) -> str:
        """A digest that changes when, and only when, the picture does."""
        return hashlib.sha256(self.svg.encode()).hexdigest()[:12]


@dataclass(frozen=True)
class LibraryFace:
    """`mark` is the logo as an address of the scheme `data`: a page that shows one logo needs no sprite."""

    mark: str
    icon: SvgFile
    pattern: SvgFile


@dataclass(frozen=True)
class Faces:
    """The faces of all libraries by id."""

    libraries: Mapping[str, LibraryFace]


def draw_faces(catalog: Catalog, landings: Mapping[str, Landing], palette: Palette) -> Faces:
    radius = 7.5 * CORNER_FACTORS[catalog.brand.corners]
    return Faces(
        {
            library.id: LibraryFace(
                mark=_data_address(landings[library.id].logo),
                icon=SvgFile(
                    _icon(landings[library.id].logo, *palette.pair(library.color_from, library.color_to), radius)
                ),
                pattern=pattern_file(library_pattern(library)),
            )
            for library in catalog.libraries
        }
    )


@lru_cache(maxsize=512)
def pattern_file(pattern: Pattern) -> SvgFile:
    return SvgFile(pattern_svg(draw_pattern(pattern, PATTERN_SIZE), PATTERN_SIZE))


def _data_address(svg: str) -> str:
    # Escaped so that CSS needs no quotes around it, which HTML would escape again.
    return f"data:image/svg+xml,{quote(svg, safe='=:/,')}"


def _icon(logo: str, start: str, end: str, radius: float) -> str:
    ink = max(_ICON_INKS, key=lambda color: min(contrast(color, start), contrast(color, end)))
    return _ICON.format(start=start, end=end, ink=ink, radius=radius, logo=logo[logo.index("<svg") :])
