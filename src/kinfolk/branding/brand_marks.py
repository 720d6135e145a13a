"""The marks of a brand: favicon, logo and wordmark, as files of the site or drawn from the name of the family."""

from __future__ import annotations

import hashlib
import struct
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from xml.etree import ElementTree as ET

from kinfolk.branding.palette import contrast
from kinfolk.branding.picture_files import read_picture
from kinfolk.config.catalog.brand import CORNER_FACTORS, Brand, Corners
from kinfolk.config.site_folder import SITE_FILE
from kinfolk.runtime.errors import InvalidFile

LARGEST_SVG = 16 << 10
LARGEST_PNG = 256 << 10
"""Bytes."""
_PNG = b"\x89PNG\r\n\x1a\n"
_INKS = ("#ffffff", "#171410")
_LETTER = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">'
    '<rect width="64" height="64" rx="{radius:g}" fill="{color}"/>'
    '<text x="32" y="32" dy=".36em" text-anchor="middle" font-family="Inter,Helvetica,Arial,sans-serif" '
    'font-weight="800" font-size="40" fill="{ink}">{letter}</text></svg>'
)


@dataclass(frozen=True)
class MarkFile:
    """An SVG or PNG picture. `width` and `height` are of its view box or its pixels."""

    content: bytes
    is_svg: bool
    width: float
    height: float

    @cached_property
    def version(self) -> str:
        """A digest that changes when, and only when, the picture does."""
        return hashlib.sha256(self.content).hexdigest()[:12]

    @property
    def ending(self) -> str:
        return "svg" if self.is_svg else "png"

    @property
    def media_type(self) -> str:
        return "image/svg+xml" if self.is_svg else "image/png"

    @property
    def address(self) -> str:
        return f"/_brand/{self.version}.{self.ending}"


@dataclass(frozen=True)
class Mark:
    """A picture of the header in both themes; `dark` is None if it is the same one."""

    light: MarkFile
    dark: MarkFile | None

    @property
    def files(self) -> tuple[MarkFile, ...]:
        return (self.light, self.dark) if self.dark else (self.light,)


@dataclass(frozen=True)
class BrandMarks:
    favicon: MarkFile
    logo: Mark | None
    wordmark: Mark | None


def load_marks(site: Path, brand: Brand, family: str, accent: str) -> tuple[BrandMarks, list[InvalidFile]]:
    """The pictures without invalid ones, and what is wrong with these."""
    faults: list[InvalidFile] = []

    def read(key: str, file: str | None) -> MarkFile | None:
        return _read(site, file, key, faults) if file else None

    def mark(key: str, light: str | None, dark: str | None) -> Mark | None:
        if light is None and dark is not None:
            faults.append(InvalidFile(SITE_FILE, f"brand.{key}", f"is missing, and there is a {key}_dark"))
        picture = read(key, light)
        return Mark(picture, read(f"{key}_dark", dark)) if picture else None

    favicon = read("favicon", brand.favicon)
    if favicon is not None and favicon.width != favicon.height:
        faults.append(InvalidFile(SITE_FILE, "brand.favicon", "should be square"))
    marks = BrandMarks(
        favicon=favicon or letter_mark(family, accent, brand.corners),
        logo=mark("logo", brand.logo, brand.logo_dark),
        wordmark=mark("wordmark", brand.wordmark, brand.wordmark_dark),
    )
    return marks, faults


def letter_mark(family: str, color: str, corners: Corners = "default") -> MarkFile:
    """The first letter of a name on a tile."""
    ink = max(_INKS, key=lambda candidate: contrast(candidate, color))
    return _svg_mark(
        _LETTER.format(color=color, ink=ink, letter=escape(family[:1].upper()), radius=15 * CORNER_FACTORS[corners])
    )


def _read(site: Path, file: str, key: str, faults: list[InvalidFile]) -> MarkFile | None:
    if file.endswith(".svg"):
        before = len(faults)
        text = read_picture(site, file, LARGEST_SVG, faults)
        if len(faults) > before:
            return None
        try:
            return _svg_mark(text)
        except ValueError:
            faults.append(InvalidFile(file, "", "should have a viewBox of four numbers"))
            return None
    try:
        content = (site / file).read_bytes()
    except OSError as error:
        faults.append(InvalidFile(SITE_FILE, f"brand.{key}", f"{file} cannot be read: {error.strerror}"))
        return None
    if not content.startswith(_PNG) or len(content) < 24:  # noqa: PLR2004 signature and the start of the first chunk
        faults.append(InvalidFile(file, "", "is no PNG picture"))
        return None
    if len(content) > LARGEST_PNG:
        faults.append(InvalidFile(file, "", f"has {len(content)} bytes, and should have no more than {LARGEST_PNG}"))
    width, height = struct.unpack(">II", content[16:24])
    return MarkFile(content, is_svg=False, width=width, height=height)


def _svg_mark(text: str) -> MarkFile:
    box = ET.fromstring(text).attrib["viewBox"]  # noqa: S314 a file of the operator, of limited size
    _, _, width, height = (float(part) for part in box.replace(",", " ").split())
    return MarkFile(text.encode(), is_svg=True, width=width, height=height)
