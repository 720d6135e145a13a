"""Draws a pattern as a mask of an image."""

from __future__ import annotations

from PIL import Image, ImageDraw

from kinfolk.branding.patterns import Circle, Line, Pattern, Polyline, Rectangle, Shape, Size, draw_pattern, line_width
from kinfolk.branding.patterns.shapes import OPACITY

_SMOOTH = 2
"""Scale at which shapes are drawn before they are scaled down: Pillow draws without antialiasing."""

Point = tuple[float, float]


def pattern_mask(pattern: Pattern, size: Size) -> Image.Image:
    """The pattern in white on black."""
    large = Size(size.width * _SMOOTH, size.height * _SMOOTH)
    mask = Image.new("L", large)
    pen = _Pen(ImageDraw.Draw(mask), round(line_width(large)))
    # Faint shapes first: a pixel has the tone of the last shape.
    for shape in sorted(draw_pattern(pattern, large), key=lambda shape: OPACITY[shape.tone]):
        pen.draw(shape)
    return mask.resize(size, Image.Resampling.LANCZOS)


class _Pen:
    def __init__(self, canvas: ImageDraw.ImageDraw, width: int) -> None:
        self._canvas = canvas
        self._width = width

    def draw(self, shape: Shape) -> None:
        value = round(255 * OPACITY[shape.tone])
        width = self._width
        match shape:
            case Circle(filled=True):
                self._canvas.ellipse(shape.box, fill=value)
            case Circle():
                self._canvas.ellipse(_widened(shape.box, width / 2), outline=value, width=width)
            case Rectangle(filled=True):
                self._canvas.rounded_rectangle(shape.box, shape.radius, fill=value)
            case Rectangle():
                self._canvas.rounded_rectangle(_widened(shape.box, width / 2), shape.radius, outline=value, width=width)
            case Line(x1, y1, x2, y2):
                self._stroke(((x1, y1), (x2, y2)), value, width * 4 if shape.thick else width)
            case Polyline(points):
                self._stroke(points, value, width)

    def _stroke(self, points: tuple[Point, ...], value: int, width: int) -> None:
        self._canvas.line(points, fill=value, width=width, joint="curve")
        for x, y in (points[0], points[-1]):
            half = width / 2
            self._canvas.ellipse((x - half, y - half, x + half, y + half), fill=value)


def _widened(box: tuple[float, float, float, float], by: float) -> tuple[float, float, float, float]:
    left, top, right, bottom = box
    return left - by, top - by, right + by, bottom + by
