"""The comparison of pictures accepts another antialiasing and detects moved, missing and recolored parts."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw, ImageFont
from tests.pictures.comparison import Difference, compact, compare
from tests.pictures.pictures import PICTURES, TOLERANCE

SIZE = (375, 800)
TEXT = "The quick brown fox jumps over the lazy dog"
SCALE = 8
"""The page is drawn this many times as large and reduced, so that edges are antialiased and positions are not whole."""


def page(
    *, shift: float = 0, button: tuple[float, float] = (24, 600), color: str = "#0e7490", width: int = 120
) -> Image.Image:
    """A page of text, moved by a fraction of a pixel as another rasterizer does, with a button."""
    picture = Image.new("RGB", (SIZE[0] * SCALE, SIZE[1] * SCALE), "#fafaf9")
    draw = ImageDraw.Draw(picture)
    font = ImageFont.load_default(16 * SCALE)
    for line in range(20):
        draw.text(((24 + shift) * SCALE, (24 + 26 * line + shift) * SCALE), TEXT, "#1c1917", font)
    left, top = ((place + shift) * SCALE for place in button)
    draw.rounded_rectangle((left, top, left + width * SCALE, top + 40 * SCALE), 8 * SCALE, color)
    draw.text((left + 20 * SCALE, top + 10 * SCALE), "Read docs", "white", font)
    return picture.resize(SIZE, Image.Resampling.BOX)


@cache
def expected() -> Image.Image:
    return compact(page())


def difference(actual: Image.Image) -> Difference:
    return compare(expected(), actual)


@pytest.mark.parametrize("shift", [0, 0.25, 0.5, 0.75])
def test_other_antialiasing_is_accepted(shift: float) -> None:
    assert difference(page(shift=shift)).share <= TOLERANCE


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"button": (28, 600)}, id="moved by 4 px"),
        pytest.param({"button": (24, 604)}, id="moved down by 4 px"),
        pytest.param({"button": (-400, 600)}, id="missing"),
        pytest.param({"color": "#b91c1c"}, id="another color"),
        pytest.param({"color": "#0f766e"}, id="slightly another color"),
        pytest.param({"width": 132}, id="wider"),
    ],
)
def test_changed_button_is_detected(changed: dict[str, Any]) -> None:
    found = difference(page(**changed))
    assert found.share > 2 * TOLERANCE
    assert (220, 0, 60) in {color for _, color in found.picture.getcolors(1 << 20) or ()}


def test_picture_of_another_size_is_detected() -> None:
    assert difference(Image.new("RGB", (375, 801))).share == math.inf


def test_stored_pictures_belong_to_the_table_and_are_small() -> None:
    stored = list((Path(__file__).parent / "expected").glob("*.png"))
    assert {file.stem for file in stored} <= {picture.name for picture in PICTURES}
    assert sum(file.stat().st_size for file in stored) < 4 << 20


def test_names_of_pictures_are_unique() -> None:
    names = [picture.name for picture in PICTURES]
    assert len(set(names)) == len(names)
