"""The fonts of a brand: their `@font-face` rules, and system fonts adjusted to their sizes until they have loaded."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from kinfolk.config.catalog.brand import MONO, SANS, SYSTEM_FONT, Brand, FontFace
from kinfolk.config.site_folder import SITE_FILE
from kinfolk.runtime.errors import InvalidFile

LARGEST_FONT = 1 << 20
"""Bytes."""
_WOFF2 = b"wOF2"
SAMPLE = "the quick brown fox jumps over a lazy dog, then reads the docs of every library in the family again"
_SIZE = 1000
_SYSTEM_SANS = "system-ui,sans-serif"
_SYSTEM_MONO = "ui-monospace,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace"


_FULL_NAMES = {"Menlo": "Menlo Regular"}
"""Where the full name of the regular face is not the name of the family."""
_REGULAR, _BOLD = 400, 700
"""The weights of faces. Browsers use the bold face for text of 600 and more, and synthesize no bold below that."""
_FALLBACK_FACES = ((_REGULAR, False), (_BOLD, False), (_REGULAR, True), (_BOLD, True))
"""The faces, and whether they are italic. Browsers synthesize a style that no face has."""


@dataclass(frozen=True)
class LocalFonts:
    """Fonts of equal widths that systems have.

    `slants` has the last word of the full names of italic faces by family. `widths` are those of the sample, as
    multiples of the font size: regular, bold, italic, bold italic.
    """

    slants: Mapping[str, str]
    widths: tuple[float, float, float, float]

    def names(self, *, bold: bool, italic: bool) -> list[str]:
        """The full names of a face, by which `local()` finds it. A name of a family finds the regular face only."""
        if not bold and not italic:
            return [_FULL_NAMES.get(family, family) for family in self.slants]
        weight = " Bold" if bold else ""
        return [f"{family}{weight}{f' {slant}' if italic else ''}" for family, slant in self.slants.items()]


LOCAL_SANS = (
    LocalFonts({"Roboto": "Italic"}, (42.98, 43.76, 41.81, 42.55)),
    LocalFonts({"Arial": "Italic", "Liberation Sans": "Italic"}, (43.13, 46.63, 43.13, 46.63)),
)
"""Of Android; of Windows, macOS and Linux. Browsers prefer the last row, and use `system-ui` if none is installed."""
LOCAL_MONO = (
    LocalFonts(
        {"Menlo": "Italic", "DejaVu Sans Mono": "Oblique", "Liberation Mono": "Italic"}, (59.6, 59.6, 59.6, 59.6)
    ),
    LocalFonts({"Consolas": "Italic"}, (54.43, 54.43, 54.43, 54.43)),
)
"""Of macOS and Linux; of Windows."""


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
        families = [f"'{brand.mono}'", f"'{brand.mono} Fallback'"] if brand.mono != SYSTEM_FONT else []
        properties.append(("--font-mono", ",".join([*families, _SYSTEM_MONO])))
    fonts = BrandFonts(
        files=tuple(used),
        faces="".join(_face_rule(font, is_text=font.face.family == brand.sans) for font in used),
        fallbacks="".join(
            fallback_rules(family, faces, local)
            for family, local in ((brand.sans, LOCAL_SANS), (brand.mono, LOCAL_MONO))
            if (faces := [font for font in used if font.face.family == family])
        ),
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


def fallback_rules(family: str, fonts: Sequence[BrandFont], local: Sequence[LocalFonts]) -> str:
    """System fonts at the sizes at which their lines are as long as those of the family, with its height of lines."""
    rules = []
    for index, (weight, italic) in enumerate(_FALLBACK_FACES):
        metrics = measure(_nearest(fonts, weight, italic=italic).content, weight)
        if metrics is None:
            return ""
        width, ascent, descent = metrics
        for each in local:
            scale = width / each.widths[index]
            names = ",".join(f"local({name})" for name in each.names(bold=weight == _BOLD, italic=italic))
            style = f"{'font-weight:700;' if weight == _BOLD else ''}{'font-style:italic;' if italic else ''}"
            rules.append(
                f"@font-face{{font-family:'{family} Fallback';src:{names};{style}line-gap-override:0%;"
                f"size-adjust:{scale:.1%};ascent-override:{ascent / scale:.0%};descent-override:{descent / scale:.0%}}}"
            )
    return "".join(rules)


def _nearest(fonts: Sequence[BrandFont], weight: int, *, italic: bool) -> BrandFont:
    """The font that browsers show: of the style, if there is one, with the nearest weight."""

    def distance(font: BrandFont) -> tuple[bool, int]:
        first, last = (int(each) for each in (font.face.weight.split() * 2)[:2])
        return (font.face.style == "italic") != italic, max(first - weight, weight - last, 0)

    return min(fonts, key=distance)


def measure(content: bytes, weight: int = 400) -> tuple[float, float, float] | None:
    """The width of the sample, the ascent and the descent, as multiples of the size. None for an unreadable font."""
    # Imported for sites with fonts of their own: Pillow takes 60 ms to load.
    import io

    from PIL import ImageFont

    try:
        font = ImageFont.truetype(io.BytesIO(content), _SIZE, layout_engine=ImageFont.Layout.BASIC)
        with contextlib.suppress(OSError):  # Not a variable font.
            axes = font.get_variation_axes()
            font.set_variation_by_axes([weight if axis["name"] == b"Weight" else axis["default"] or 0 for axis in axes])
        ascent, descent = font.getmetrics()
        return font.getlength(SAMPLE) / _SIZE, ascent / _SIZE, descent / _SIZE
    except OSError:
        return None


def font_files(fonts: Sequence[BrandFont]) -> dict[str, bytes]:
    """The contents by address."""
    return {font.address: font.content for font in fonts}
