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
import numpy.typing as npt
from PIL import Image, ImageChops

SHAPE_THRESHOLD = 72
"""Of 255: text in black on white that is moved by half a pixel is below, and above at 56."""
FLAT_THRESHOLD = 20
"""Of 255: a palette of 256 colors changes channels of a surface by less."""
FLAT_RANGE = 12
"""The largest range of the 5 by 5 neighbors on a surface."""
COLORS = 256
AT_ONCE = 50_000
"""Pixels whose neighbors are in memory."""
Pixels = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class Difference:
    share: float
    picture: Image.Image


def compare(expected: Image.Image, actual: Image.Image) -> Difference:
    if expected.size != actual.size:
        return Difference(math.inf, actual)
    expected, actual = expected.convert("RGB"), actual.convert("RGB")
    changed = _above(_strongest_channel(ImageChops.difference(expected, actual)), FLAT_THRESHOLD)
    if changed.getbbox() is None:
        return Difference(0, actual)
    differs = Image.fromarray(_differing(np.asarray(expected), np.asarray(actual), np.asarray(changed) > 0))
    pale = Image.blend(actual.convert("L").convert("RGB"), Image.new("RGB", actual.size, "white"), 0.7)
    pale.paste((220, 0, 60), mask=differs)
    return Difference(differs.histogram()[255] / (actual.width * actual.height), pale)


def _differing(expected: Pixels, actual: Pixels, changed: npt.NDArray[np.bool_]) -> Pixels:
    """White where pixels differ. Only changed pixels can."""
    differs = np.zeros(changed.shape, np.uint8)
    rows, columns = np.nonzero(changed)
    for start in range(0, len(rows), AT_ONCE):
        at = rows[start : start + AT_ONCE], columns[start : start + AT_ONCE]
        before, after = _neighbors(expected, at), _neighbors(actual, at)
        # A new shape is outside of the neighbors of the old picture, a removed one outside of those of the new one.
        outside = np.maximum(_outside(after, before), _outside(before, after))
        flat = np.maximum(_range(before), _range(after)) <= FLAT_RANGE
        differs[at] = 255 * ((outside > SHAPE_THRESHOLD) | ((outside > FLAT_THRESHOLD) & flat))
    return differs


def compact(picture: Image.Image) -> Image.Image:
    """The picture with a palette, a third of the bytes as a PNG; itself if colors of small parts are lost."""
    reduced = picture.convert("RGB").quantize(COLORS, Image.Quantize.MEDIANCUT, kmeans=2, dither=Image.Dither.NONE)
    return reduced if compare(picture, reduced).share == 0 else picture


def _neighbors(picture: Pixels, at: tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]) -> npt.NDArray[np.int16]:
    """The 5 by 5 neighbors of pixels, by pixel and channel. Beyond an edge are those of the edge."""
    padded = np.pad(picture, [(2, 2), (2, 2), (0, 0)], mode="edge")
    return np.lib.stride_tricks.sliding_window_view(padded, (5, 5), axis=(0, 1))[at].astype(np.int16)


def _outside(pixels: npt.NDArray[np.int16], others: npt.NDArray[np.int16]) -> npt.NDArray[np.int16]:
    """How far the strongest channel of each pixel is above or below its 3 by 3 neighbors in the other picture."""
    values, near = pixels[..., 2, 2], others[..., 1:4, 1:4]
    found: npt.NDArray[np.int16] = np.maximum(values - near.max((2, 3)), near.min((2, 3)) - values).max(1)
    return found


def _range(pixels: npt.NDArray[np.int16]) -> npt.NDArray[np.int16]:
    """The range of the neighbors of each pixel, in the strongest channel."""
    found: npt.NDArray[np.int16] = (pixels.max((2, 3)) - pixels.min((2, 3))).max(1)
    return found


def _above(picture: Image.Image, threshold: int) -> Image.Image:
    return picture.point(lambda value: 255 if value > threshold else 0)


def _strongest_channel(picture: Image.Image) -> Image.Image:
    red, green, blue = picture.split()
    return ImageChops.lighter(ImageChops.lighter(red, green), blue)
