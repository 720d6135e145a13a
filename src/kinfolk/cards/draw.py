"""A card as PNG: the title large and white on near-black, in the light of the library's two colours."""

from __future__ import annotations

import io
from functools import cache, lru_cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from kinfolk.cards.card import Card
from kinfolk.cards.fit import drawable, fit

WIDTH, HEIGHT = 1200, 630
"""What every network that shows such pictures agrees on."""

_STRONG, _PLAIN = "Inter_800ExtraBold.ttf", "Inter_500Medium.ttf"
"""What the frontend's build puts into its folder of fonts."""

_INK = (10, 12, 18)
_WHITE = (255, 255, 255)
_PALE = (203, 210, 222)
_MARGIN = 80
_TEXT_WIDTH = WIDTH - 2 * _MARGIN
_STEPS = ((104, 1), (88, 2), (74, 3), (60, 3), (50, 4))
_LEADING = 1.14
_DOT_GAP = 30
_SMOOTH = 2
"""Shapes are drawn this much larger and scaled down: Pillow itself draws them with steps."""

Color = tuple[int, int, int]


def draw(card: Card, fonts: Path) -> bytes:
    """The picture, with the fonts of that folder. Some 60 ms of CPU, mostly compression; other threads run."""
    picture = _backdrop(card.color_from, card.color_to).copy()
    pen = ImageDraw.Draw(picture)
    name = drawable(card.name)
    title = drawable(card.title) or name
    if title != name:
        _write_name(picture, name, card, fonts)
    fitted = fit(
        title, lambda text, size: _font(fonts / _STRONG, size).getlength(text), width=_TEXT_WIDTH, steps=_STEPS
    )
    leading = round(fitted.size * _LEADING)
    top = (HEIGHT - leading * len(fitted.lines)) // 2 + 6
    for number, line in enumerate(fitted.lines):
        pen.text((_MARGIN - 4, top + number * leading), line, font=_font(fonts / _STRONG, fitted.size), fill=_WHITE)
    detail = fit(
        drawable(card.detail),
        lambda text, size: _font(fonts / _PLAIN, size).getlength(text),
        width=_TEXT_WIDTH,
        steps=((34, 1), (30, 1)),
    )
    pen.text((_MARGIN, HEIGHT - 78), detail.lines[0], font=_font(fonts / _PLAIN, detail.size), fill=_PALE, anchor="ls")
    written = io.BytesIO()
    picture.save(written, "PNG", compress_level=7)
    return written.getvalue()


def _write_name(picture: Image.Image, name: str, card: Card, fonts: Path) -> None:
    """The library's name, its last word in the library's colours."""
    font = _font(fonts / _STRONG, 42)
    family, space, own = name.rpartition(" ")
    left = _MARGIN + round(font.getlength(family + space))
    ImageDraw.Draw(picture).text((_MARGIN, 112), family, font=font, fill=_WHITE, anchor="ls")
    width = min(round(font.getlength(own)) + 4, WIDTH - left)
    if width > 0:
        shape = Image.new("L", (width, 64))
        ImageDraw.Draw(shape).text((0, 48), own, font=font, fill=255, anchor="ls")
        picture.paste(_ramp((width, 64), _lit(card.color_from), _lit(card.color_to)), (left, 64), shape)


@lru_cache(maxsize=4)
def _backdrop(color_from: str, color_to: str) -> Image.Image:
    """Everything but the words; the same for all pages of a library."""
    start, end = _rgb(color_from), _rgb(color_to)
    picture = Image.new("RGB", (WIDTH, HEIGHT), _INK)
    colors = _ramp((WIDTH, HEIGHT), end, start, turn=-28)
    picture.paste(colors, (0, 0), _light())
    picture.paste(colors.point(lambda value: min(255, value + 60)), (0, 0), _dots())
    picture.paste(_ramp((WIDTH, 12), start, end), (0, HEIGHT - 12))
    return picture


@cache
def _light() -> Image.Image:
    """Where the colours shine: from the lower right corner, a little from the upper left."""
    light = Image.new("L", (WIDTH, HEIGHT))
    for x, y, size, strength in ((1130, 560, 1500, 205), (1060, -60, 900, 90), (-60, -40, 760, 60)):
        glow = Image.radial_gradient("L").resize((size, size), Image.Resampling.BICUBIC)
        # 255 / sqrt(2): beyond it lie the corners of the square.
        glow = glow.point([round(strength * max(0.0, 1 - value / 180) ** 1.6) for value in range(256)])
        layer = Image.new("L", (WIDTH, HEIGHT))
        layer.paste(glow, (x - size // 2, y - size // 2))
        light = Image.composite(Image.new("L", light.size, 255), light, layer)
    return light


@cache
def _dots() -> Image.Image:
    """A grid of dots that grow towards the lower right."""
    grid = Image.new("L", (WIDTH * _SMOOTH, HEIGHT * _SMOOTH))
    pen = ImageDraw.Draw(grid)
    for column in range(_DOT_GAP // 2, WIDTH, _DOT_GAP):
        for row in range(_DOT_GAP // 2, HEIGHT - 12, _DOT_GAP):
            near = max(0.0, (column / WIDTH) * 1.25 + (row / HEIGHT) * 0.5 - 0.85)
            radius = min(4.6, near * 5.4) * _SMOOTH
            if radius > 0.4:  # noqa: PLR2004 smaller ones cannot be seen
                x, y = column * _SMOOTH, row * _SMOOTH
                pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=120)
    return grid.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)


def _ramp(size: tuple[int, int], left: Color, right: Color, *, turn: int = 0) -> Image.Image:
    """A gradient from left to right, turned by some degrees."""
    width, height = size
    ramp = Image.linear_gradient("L").rotate(90)
    if turn:
        side = width + height
        ramp = ramp.resize((side, side)).rotate(turn, Image.Resampling.BICUBIC)
        ramp = ramp.crop(((side - width) // 2, (side - height) // 2, (side + width) // 2, (side + height) // 2))
    ramp = ramp.resize(size)
    return Image.composite(Image.new("RGB", size, right), Image.new("RGB", size, left), ramp)


def _lit(color: str) -> Color:
    """The colour, made bright enough to be read on near-black."""
    red, green, blue = _rgb(color)
    share = max(0.0, min(0.6, (170 - (red * 0.3 + green * 0.6 + blue * 0.1)) / 220))
    return (_toward_white(red, share), _toward_white(green, share), _toward_white(blue, share))


def _toward_white(value: int, share: float) -> int:
    return round(value + (255 - value) * share)


def _rgb(color: str) -> Color:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


@lru_cache(maxsize=32)
def _font(file: Path, size: int) -> ImageFont.FreeTypeFont:
    # The basic layout is the same everywhere: the other one depends on a library of the system.
    return ImageFont.truetype(file, size, layout_engine=ImageFont.Layout.BASIC)
