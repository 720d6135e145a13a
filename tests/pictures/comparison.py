"""Compares two pictures of a page, so that another antialiasing passes and a moved button does not.

    difference = compare(expected, actual)
    difference.share     # 0.0004: pixels that differ, as a share of all
    difference.picture   # the actual picture in pale grey, with these pixels in red; itself if none differ

A pixel differs if a channel is outside of the range of its 3 by 3 neighbors in the other picture, in one of the
directions, by more than SHAPE_THRESHOLD; by more than FLAT_THRESHOLD where both pictures are of one color. Edges of
glyphs that are rasterized half a pixel apart stay within that range. A shape that moved by two pixels does not, nor
does a surface of another color.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageChops

SHAPE_THRESHOLD = 72
"""Of 255: text in black on white that is moved by half a pixel is below, and above at 56."""
FLAT_THRESHOLD = 20
"""Of 255: a palette of 256 colors changes channels of a surface by less."""
FLAT_RANGE = 12
"""The largest range of the 5 by 5 neighbors on a surface."""
COLORS = 256


@dataclass(frozen=True)
class Difference:
    share: float
    picture: Image.Image


def compare(expected: Image.Image, actual: Image.Image) -> Difference:
    if expected.size != actual.size:
        return Difference(math.inf, actual)
    expected, actual = expected.convert("RGB"), actual.convert("RGB")
    box = _above(_strongest_channel(ImageChops.difference(expected, actual)), FLAT_THRESHOLD).getbbox()
    if box is None:
        return Difference(0, actual)
    differs = Image.new("L", actual.size)
    # The filters see only the part that differs.
    left, top, right, bottom = box
    box = max(left - 3, 0), max(top - 3, 0), min(right + 3, actual.width), min(bottom + 3, actual.height)
    differs.paste(_differing(expected.crop(box), actual.crop(box)), box)
    pale = Image.blend(actual.convert("L").convert("RGB"), Image.new("RGB", actual.size, "white"), 0.7)
    pale.paste((220, 0, 60), mask=differs)
    return Difference(differs.histogram()[255] / (actual.width * actual.height), pale)


def _differing(expected: Image.Image, actual: Image.Image) -> Image.Image:
    """White where pixels differ."""
    # A new shape is outside of the neighbors of the old picture, a removed one outside of those of the new one.
    outside = ImageChops.lighter(_outside(actual, expected), _outside(expected, actual))
    strongest = _strongest_channel(outside)
    flat = ImageChops.multiply(_flat(expected), _flat(actual))
    return ImageChops.lighter(
        _above(strongest, SHAPE_THRESHOLD), ImageChops.multiply(_above(strongest, FLAT_THRESHOLD), flat)
    )


def compact(picture: Image.Image) -> Image.Image:
    """The picture with a palette, a third of the bytes as a PNG; itself if colors of small parts are lost."""
    reduced = picture.convert("RGB").quantize(COLORS, Image.Quantize.MEDIANCUT, kmeans=2, dither=Image.Dither.NONE)
    return reduced if compare(picture, reduced).share == 0 else picture


def _outside(picture: Image.Image, other: Image.Image) -> Image.Image:
    """How far each channel is above or below all neighbors of the other picture."""
    above = ImageChops.subtract(picture, _extreme(other, np.maximum, 1))
    below = ImageChops.subtract(_extreme(other, np.minimum, 1), picture)
    return ImageChops.lighter(above, below)


def _extreme(picture: Image.Image, choose: np.ufunc, distance: int) -> Image.Image:
    """The largest or smallest value of each channel within a distance.

    As MaxFilter and MinFilter of Pillow, which take ten times as long.
    """
    values = np.asarray(picture)
    for axis in (0, 1):
        values = np.moveaxis(values, axis, 0)
        padded = np.pad(values, [(distance, distance)] + [(0, 0)] * (values.ndim - 1), mode="edge")
        values = values.copy()
        for at in range(2 * distance + 1):
            choose(values, padded[at : at + len(values)], out=values)
        values = np.moveaxis(values, 0, axis)
    return Image.fromarray(np.ascontiguousarray(values))


def _flat(picture: Image.Image) -> Image.Image:
    """White where the picture is of one color."""
    extent = ImageChops.subtract(_extreme(picture, np.maximum, 2), _extreme(picture, np.minimum, 2))
    return ImageChops.invert(_above(_strongest_channel(extent), FLAT_RANGE))


def _above(picture: Image.Image, threshold: int) -> Image.Image:
    return picture.point(lambda value: 255 if value > threshold else 0)


def _strongest_channel(picture: Image.Image) -> Image.Image:
    red, green, blue = picture.split()
    return ImageChops.lighter(ImageChops.lighter(red, green), blue)
