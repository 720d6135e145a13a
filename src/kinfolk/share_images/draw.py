"""Draws a share image as PNG: a large white title on near-black, with the library's two colors."""

from __future__ import annotations

import io
from functools import cache, lru_cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from kinfolk.share_images.share_image import ShareImage
from kinfolk.share_images.text_fitting import drawable_text, fit_text

WIDTH, HEIGHT = 1200, 630
"""The size that social networks recommend for Open Graph images."""

_STRONG, _PLAIN = "Inter_800ExtraBold.ttf", "Inter_500Medium.ttf"
"""Fonts in the frontend's build."""

_INK = (10, 12, 18)
_WHITE = (255, 255, 255)
_PALE = (203, 210, 222)
_MARGIN = 80
_TEXT_WIDTH = WIDTH - 2 * _MARGIN
_STEPS = ((104, 1), (88, 2), (74, 3), (60, 3), (50, 4))
_LEADING = 1.14
_DOT_GAP = 30
_SMOOTH = 2
"""Scale at which shapes are drawn before they are scaled down: Pillow draws without antialiasing."""

Color = tuple[int, int, int]


def draw_share_image(share_image: ShareImage, fonts: Path) -> bytes:
    """The image as PNG, with fonts from `fonts`. Takes 60 ms of CPU, mostly compression, which releases the GIL."""
    image = _backdrop(share_image.color_from, share_image.color_to).copy()
    pen = ImageDraw.Draw(image)
    name = drawable_text(share_image.name)
    title = drawable_text(share_image.title) or name
    if title != name:
        _write_name(image, name, share_image, fonts)
    fitted = fit_text(
        title, lambda text, size: _font(fonts / _STRONG, size).getlength(text), width=_TEXT_WIDTH, steps=_STEPS
    )
    leading = round(fitted.size * _LEADING)
    top = (HEIGHT - leading * len(fitted.lines)) // 2 + 6
    for number, line in enumerate(fitted.lines):
        pen.text((_MARGIN - 4, top + number * leading), line, font=_font(fonts / _STRONG, fitted.size), fill=_WHITE)
    detail = fit_text(
        drawable_text(share_image.detail),
        lambda text, size: _font(fonts / _PLAIN, size).getlength(text),
        width=_TEXT_WIDTH,
        steps=((34, 1), (30, 1)),
    )
    pen.text((_MARGIN, HEIGHT - 78), detail.lines[0], font=_font(fonts / _PLAIN, detail.size), fill=_PALE, anchor="ls")
    written = io.BytesIO()
    image.save(written, "PNG", compress_level=7)
    return written.getvalue()


def _write_name(image: Image.Image, name: str, share_image: ShareImage, fonts: Path) -> None:
    """The library's name, its last word in the library's colors."""
    font = _font(fonts / _STRONG, 42)
    family, space, own = name.rpartition(" ")
    left = _MARGIN + round(font.getlength(family + space))
    ImageDraw.Draw(image).text((_MARGIN, 112), family, font=font, fill=_WHITE, anchor="ls")
    width = min(round(font.getlength(own)) + 4, WIDTH - left)
    if width > 0:
        shape = Image.new("L", (width, 64))
        ImageDraw.Draw(shape).text((0, 48), own, font=font, fill=255, anchor="ls")
        image.paste(
            _ramp((width, 64), _lighten(share_image.color_from), _lighten(share_image.color_to)), (left, 64), shape
        )


@lru_cache(maxsize=4)
def _backdrop(color_from: str, color_to: str) -> Image.Image:
    """The image without its texts, which is the same for all pages of a library."""
    start, end = _rgb(color_from), _rgb(color_to)
    image = Image.new("RGB", (WIDTH, HEIGHT), _INK)
    colors = _ramp((WIDTH, HEIGHT), end, start, turn=-28)
    image.paste(colors, (0, 0), _light())
    image.paste(colors.point(lambda value: min(255, value + 60)), (0, 0), _dots())
    image.paste(_ramp((WIDTH, 12), start, end), (0, HEIGHT - 12))
    return image


@cache
def _light() -> Image.Image:
    """Mask of the colored light: strong in the lower right corner, weak in the upper left."""
    light = Image.new("L", (WIDTH, HEIGHT))
    for x, y, size, strength in ((1130, 560, 1500, 205), (1060, -60, 900, 90), (-60, -40, 760, 60)):
        glow = Image.radial_gradient("L").resize((size, size), Image.Resampling.BICUBIC)
        # 180 = 255 / sqrt(2): larger values are in the corners of the square.
        glow = glow.point([round(strength * max(0.0, 1 - value / 180) ** 1.6) for value in range(256)])
        layer = Image.new("L", (WIDTH, HEIGHT))
        layer.paste(glow, (x - size // 2, y - size // 2))
        light = Image.composite(Image.new("L", light.size, 255), light, layer)
    return light


@cache
def _dots() -> Image.Image:
    """A grid of dots, larger towards the lower right."""
    grid = Image.new("L", (WIDTH * _SMOOTH, HEIGHT * _SMOOTH))
    pen = ImageDraw.Draw(grid)
    for column in range(_DOT_GAP // 2, WIDTH, _DOT_GAP):
        for row in range(_DOT_GAP // 2, HEIGHT - 12, _DOT_GAP):
            near = max(0.0, (column / WIDTH) * 1.25 + (row / HEIGHT) * 0.5 - 0.85)
            radius = min(4.6, near * 5.4) * _SMOOTH
            if radius > 0.4:  # noqa: PLR2004 smaller ones are invisible
                x, y = column * _SMOOTH, row * _SMOOTH
                pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=120)
    return grid.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)


def _ramp(size: tuple[int, int], left: Color, right: Color, *, turn: int = 0) -> Image.Image:
    """A gradient from left to right, rotated by `turn` degrees."""
    width, height = size
    ramp = Image.linear_gradient("L").rotate(90)
    if turn:
        side = width + height
        ramp = ramp.resize((side, side)).rotate(turn, Image.Resampling.BICUBIC)
        ramp = ramp.crop(((side - width) // 2, (side - height) // 2, (side + width) // 2, (side + height) // 2))
    ramp = ramp.resize(size)
    return Image.composite(Image.new("RGB", size, right), Image.new("RGB", size, left), ramp)


def _lighten(color: str) -> Color:
    """The color, lightened until it is legible on near-black."""
    red, green, blue = _rgb(color)
    share = max(0.0, min(0.6, (170 - (red * 0.3 + green * 0.6 + blue * 0.1)) / 220))
    return (_toward_white(red, share), _toward_white(green, share), _toward_white(blue, share))


def _toward_white(value: int, share: float) -> int:
    return round(value + (255 - value) * share)


def _rgb(color: str) -> Color:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


@lru_cache(maxsize=32)
def _font(file: Path, size: int) -> ImageFont.FreeTypeFont:
    # The basic layout gives the same result on every machine; the other one depends on a system library.
    return ImageFont.truetype(file, size, layout_engine=ImageFont.Layout.BASIC)
