"""The icons that devices request, drawn from the favicon of a site: sizes of PNG, and `favicon.ico`."""

from __future__ import annotations

import io
import struct
from functools import lru_cache
from pathlib import Path

import resvg_py
from PIL import Image

from kinfolk.branding.brand_marks import MarkFile

FONT = "Inter_800ExtraBold.ttf"
"""The font of the drawn letter, in the frontend's build."""
ICO_SIZE = 32
MASKABLE_SHARE = 64 / 84
"""Android may crop an icon to a circle of four fifths of its width: the mark stays inside."""
PADDED_SHARE = 0.8
"""Share of the mark on a background that is not its own."""

Rgb = tuple[int, int, int]


def app_icon(name: str, favicon: MarkFile, background: str, fonts: Path) -> bytes:
    """The file with this name. Takes up to 0.1 s of CPU."""
    mark = _draw(favicon, 512, fonts)
    match name:
        case "favicon.ico":
            return _ico(_png(_draw(favicon, ICO_SIZE, fonts)))
        case "apple-touch-icon.png":
            return _png(_on_tile(mark, 180, background))
        case "icon-maskable.png":
            return _png(_on_tile(mark, 512, background, share=MASKABLE_SHARE))
        case "icon-192.png":
            return _png(_draw(favicon, 192, fonts))
        case _:
            return _png(mark)


def mark_image(mark: MarkFile, height: int, fonts: Path) -> bytes:
    """A mark as PNG of a height, for share images."""
    return _png(_draw(mark, height, fonts))


def _draw(mark: MarkFile, height: int, fonts: Path) -> Image.Image:
    """The mark at a height, on transparency."""
    if mark.is_svg:
        return _rasterize(mark, height, fonts)
    picture = Image.open(io.BytesIO(mark.content)).convert("RGBA")
    width = max(1, round(height * picture.width / picture.height))
    return picture.resize((width, height), Image.Resampling.LANCZOS)


@lru_cache(maxsize=8)
def _rasterize(mark: MarkFile, height: int, fonts: Path) -> Image.Image:
    font = fonts / FONT
    width = max(1, round(height * mark.width / mark.height))
    png = resvg_py.svg_to_bytes(
        svg_string=mark.content.decode(),
        width=width,
        height=height,
        skip_system_fonts=True,
        font_files=[str(font)] if font.exists() else [],
        font_family="Inter",
        sans_serif_family="Inter",
    )
    return Image.open(io.BytesIO(png)).convert("RGBA")


def _on_tile(mark: Image.Image, side: int, background: str, *, share: float | None = None) -> Image.Image:
    """The mark on a square without transparency. The color of a mark that is a tile itself extends to the edges."""
    own = _tile_color(mark)
    shown = share or (1.0 if own else PADDED_SHARE)
    size = round(side * shown)
    fitted = mark.resize((size, size), Image.Resampling.LANCZOS)
    tile = Image.new("RGB", (side, side), own or _rgb(background))
    at = (side - size) // 2
    tile.paste(fitted, (at, at), fitted)
    return tile


def _tile_color(mark: Image.Image) -> Rgb | None:
    """The color in the middle of the upper edge; None where it is transparent."""
    red, green, blue, alpha = mark.convert("RGBA").getpixel((mark.width // 2, 3))  # type: ignore[misc]  # RGBA
    return (red, green, blue) if alpha == 255 else None  # noqa: PLR2004 opaque


def _rgb(color: str) -> Rgb:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def _png(image: Image.Image) -> bytes:
    written = io.BytesIO()
    image.save(written, "PNG", optimize=True)
    return written.getvalue()


def _ico(png: bytes) -> bytes:
    """A header and one PNG."""
    header = struct.pack("<HHH", 0, 1, 1)
    entry = struct.pack("<BBBBHHII", ICO_SIZE, ICO_SIZE, 0, 0, 1, 32, len(png), len(header) + 16)
    return header + entry + png
