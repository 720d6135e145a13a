"""PNG of pictures: size, fonts, errors."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

from kinfolk.statistics.comparisons.picture_png import picture_png


def svg(content: str) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="300" height="100">{content}</svg>'


def drawn(content: str, fonts: Path) -> Image.Image:
    return Image.open(io.BytesIO(picture_png(svg(content), fonts))).convert("RGBA")


def test_picture_has_the_size_of_its_svg(fonts: Path) -> None:
    assert drawn("", fonts).size == (300, 100)


@pytest.mark.parametrize("family", ["Inter, sans-serif", "system-ui, sans-serif"])
def test_text_is_drawn_in_every_family(fonts: Path, family: str) -> None:
    text = f'<text x="9" y="50" font-size="40" font-family="{family}">react é</text>'
    assert drawn(text, fonts).getbbox() is not None


def test_bold_text_is_wider(fonts: Path) -> None:
    widths = [
        drawn(f'<text y="50" font-size="40" font-family="Inter" font-weight="{weight}">react</text>', fonts).getbbox()
        for weight in (400, 700)
    ]
    plain, bold = [box[2] if box else 0 for box in widths]
    assert 0 < plain < bold


def test_drawing_is_deterministic(fonts: Path) -> None:
    picture = svg('<text y="50" font-family="Inter">react</text>')
    assert picture_png(picture, fonts) == picture_png(picture, fonts)


@pytest.mark.parametrize("broken", ["", "<svg", "not an svg", svg("<text>").replace("</svg>", "")])
def test_invalid_svg_is_an_error(fonts: Path, broken: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        picture_png(broken, fonts)
