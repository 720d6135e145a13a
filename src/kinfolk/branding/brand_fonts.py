"""The fonts of a brand: their `@font-face` rules, and system fonts adjusted to their sizes until they have loaded."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kinfolk.catalog.brand import MONO, SANS, SYSTEM_FONT, Brand, FontFace
from kinfolk.errors import InvalidFile
from kinfolk.site_folder import SITE_FILE

LARGEST_FONT = 1 << 20
"""Bytes."""
_WOFF2 = b"wOF2"
_SAMPLE = "the quick brown fox jumps over a lazy dog, then reads the docs of every library in the family again"
_ARIAL_WIDTH = 43.13
"""Width of the sample in Arial, as a multiple of the font size."""
_SIZE = 1000
_SYSTEM_SANS = "system-ui,sans-serif"
_SYSTEM_MONO = "ui-monospace,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace"


@dataclass(frozen=True)
class BrandFont:
    """A file that pages load, at an address with its digest."""

    face: FontFace
    content: bytes

    @property
    def address(self) -> str:
        return f"/_brand/{hashlib.sha256(self.content).hexdigest()[:12]}.woff2"


@dataclass(frozen=True)
class BrandFonts:
    """The fonts of a site. `faces` are the rules of its own fonts, and `preload` is the address of the one of text.

    `uses_engine` is whether a font of the engine is among them. `properties` are custom properties, and `fallbacks` are
    the rules of adjusted system fonts.
    """

    files: tuple[BrandFont, ...] = ()
    faces: str = ""
    fallbacks: str = ""
    preload: str | None = None
    uses_engine: bool = True
    properties: tuple[tuple[str, str], ...] = ()


def load_fonts(site: Path, brand: Brand) -> tuple[BrandFonts, list[InvalidFile]]:
    """The fonts, and what is wrong: a family without a file, a file that is no WOFF2 font.

    The fonts of the engine take the place of invalid ones.
    """
    faults: list[InvalidFile] = []
    files = tuple(_read(site, face, index, faults) for index, face in enumerate(brand.fonts))
    for key, name, shipped in (("sans", brand.sans, SANS), ("mono", brand.mono, MONO)):
        if name not in (SYSTEM_FONT, shipped, *(face.family for face in brand.fonts)):
            faults.append(InvalidFile(SITE_FILE, f"brand.{key}", f"should be {shipped}, system or a family of fonts"))
    if faults:
        return BrandFonts(), faults
    used = [font for font in files if font.face.family in (brand.sans, brand.mono)]
    text_font = next((font for font in used if font.face.family == brand.sans and font.face.style == "normal"), None)
    properties = []
    if brand.sans != SANS:
        families = [f"'{brand.sans}'", f"'{brand.sans} Fallback'"] if brand.sans != SYSTEM_FONT else []
        properties.append(("--font-sans", ",".join([*families, _SYSTEM_SANS])))
    if brand.mono != MONO:
        families = [f"'{brand.mono}'"] if brand.mono != SYSTEM_FONT else []
        properties.append(("--font-mono", ",".join([*families, _SYSTEM_MONO])))
    fonts = BrandFonts(
        files=tuple(used),
        faces="".join(_face_rule(font, is_text=font.face.family == brand.sans) for font in used),
        fallbacks=_fallback_rule(text_font) if text_font else "",
        preload=text_font.address if text_font else None,
        uses_engine=brand.sans == SANS or brand.mono == MONO,
        properties=tuple(properties),
    )
    return fonts, faults


def _read(site: Path, face: FontFace, index: int, faults: list[InvalidFile]) -> BrandFont:
    key = f"brand.fonts[{index}].file"
    if "'" in face.family or "\\" in face.family:
        faults.append(InvalidFile(SITE_FILE, f"brand.fonts[{index}].family", "should have no quotes"))
    try:
        content = (site / face.file).read_bytes()
    except OSError as error:
        faults.append(InvalidFile(SITE_FILE, key, f"{face.file} cannot be read: {error.strerror}"))
        return BrandFont(face, b"")
    if not content.startswith(_WOFF2):
        faults.append(InvalidFile(SITE_FILE, key, f"{face.file} is no WOFF2 font"))
    elif len(content) > LARGEST_FONT:
        faults.append(InvalidFile(SITE_FILE, key, f"{face.file} has more than {LARGEST_FONT} bytes"))
    return BrandFont(face, content)


def _face_rule(font: BrandFont, *, is_text: bool) -> str:
    """Text keeps the fallback where the font is late; code changes, because all of its characters are equally wide."""
    display = "optional" if is_text else "swap"
    style = "" if font.face.style == "normal" else f"font-style:{font.face.style};"
    return (
        f"@font-face{{font-family:'{font.face.family}';font-weight:{font.face.weight};{style}font-display:{display};"
        f"src:url({font.address}) format('woff2')}}"
    )


def _fallback_rule(font: BrandFont) -> str:
    """Arial at the size at which its lines are as long as those of the font, with the font's height of lines."""
    metrics = measure(font.content)
    if metrics is None:
        return ""
    width, ascent, descent = metrics
    scale = width / _ARIAL_WIDTH
    return (
        f"@font-face{{font-family:'{font.face.family} Fallback';src:local('Arial'),local('Liberation Sans');"
        f"size-adjust:{scale:.1%};ascent-override:{ascent / scale:.1%};descent-override:{descent / scale:.1%};"
        "line-gap-override:0%}"
    )


def measure(content: bytes) -> tuple[float, float, float] | None:
    """The width of the sample, the ascent and the descent, as multiples of the size. None for an unreadable font."""
    # Imported for sites with fonts of their own: Pillow takes 60 ms to load.
    import io

    from PIL import ImageFont

    try:
        font = ImageFont.truetype(io.BytesIO(content), _SIZE, layout_engine=ImageFont.Layout.BASIC)
        ascent, descent = font.getmetrics()
        return font.getlength(_SAMPLE) / _SIZE, ascent / _SIZE, descent / _SIZE
    except OSError:
        return None


def font_files(fonts: Sequence[BrandFont]) -> dict[str, bytes]:
    """The contents by address."""
    return {font.address: font.content for font in fonts}
