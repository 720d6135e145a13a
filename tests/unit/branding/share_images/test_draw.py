"""Tests of share images: content, colors, and titles that are hard to draw."""

from __future__ import annotations

import dataclasses
import io
import re
from itertools import combinations
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageFilter, ImageFont

from kinfolk.branding.palette import contrast
from kinfolk.branding.patterns import Pattern, library_pattern
from kinfolk.branding.share_images import ShareImage, draw, text_fitting
from kinfolk.branding.share_images.text_fitting import drawable_text
from kinfolk.config.catalog import Catalog

RINGS = Pattern("rings", 1)
CARD = ShareImage("TanStack Query", "Infinite Queries", "React · Guides", RINGS, "#fb2c36", "#fe9a00")
LIGHTEST = ("#7ccf00", "#f0b100")
TITLE_LINE = (76, 280, 1020, 370)
"""Where the title "Mmmm mmmm mmm" is."""


def opened(file: bytes) -> Image.Image:
    return Image.open(io.BytesIO(file)).convert("RGB")


def characters(text: str, size: int) -> float:
    """The width in a monospaced font."""
    return len(text) * size


def test_image_has_the_recommended_size_and_weight(fonts: Path) -> None:
    file = draw.draw_share_image(CARD, fonts)
    assert opened(file).size == (1200, 630)
    assert len(file) < 200_000


def test_image_has_the_colors_of_its_library(fonts: Path) -> None:
    picture = opened(draw.draw_share_image(CARD, fonts))
    assert picture.getpixel((0, 629)) == pytest.approx((0xFB, 0x2C, 0x36), abs=1)
    assert picture.getpixel((1199, 629)) == pytest.approx((0xFE, 0x9A, 0x00), abs=1)


def test_drawing_is_deterministic(fonts: Path) -> None:
    assert draw.draw_share_image(CARD, fonts) == draw.draw_share_image(dataclasses.replace(CARD), fonts)


def test_version_changes_with_each_field() -> None:
    texts = [field.name for field in dataclasses.fields(CARD) if field.name != "pattern"]
    others = [ShareImage(**{**vars(CARD), name: "#000000"}) for name in texts]
    others += [dataclasses.replace(CARD, pattern=pattern) for pattern in (Pattern("rings", 2), Pattern("grid", 1))]
    assert len({card.version for card in [CARD, *others]}) == 9
    assert re.fullmatch("[0-9a-f]{12}", CARD.version)


@pytest.mark.parametrize(
    "title",
    [
        "",
        " ",
        "x" * 100_000,
        "long words " * 5_000,
        "مرحبا بالعالم",
        "שלום עולם",
        "🎉🔥",
        "你好",
        "a\x00\x07\r\n\tb",
        "\u202eevil",
        "\ud800",
        "<script>alert(1)</script>",
        "Z̸̢̛͍a̵l̷g̴o̸" * 50,
        "-" * 500,
    ],
)
def test_any_title_can_be_drawn(fonts: Path, title: str) -> None:
    file = draw.draw_share_image(ShareImage(title, title, title, RINGS, "#fb2c36", "#fe9a00"), fonts)
    assert opened(file).size == (1200, 630)


@pytest.fixture(scope="module")
def faces(fonts: Path, catalog: Catalog) -> list[Image.Image]:
    """An image for each library, all in the colors on which white text has the least contrast."""
    return [
        opened(draw.draw_share_image(ShareImage("", "Mmmm mmmm mmm", "", library_pattern(library), *LIGHTEST), fonts))
        for library in catalog.libraries
    ]


@pytest.mark.no_cover
def test_images_of_two_libraries_differ_in_more_than_color(faces: list[Image.Image]) -> None:
    small = [image.resize((60, 32)) for image in faces]
    for one, other in combinations(small, 2):
        difference = ImageChops.difference(one, other).convert("L")
        assert max(difference.tobytes()) > 15


@pytest.mark.no_cover
def test_pattern_leaves_the_title_a_contrast_of_three_to_one(faces: list[Image.Image]) -> None:
    """What WCAG 2.2 requires of large text (1.4.3)."""
    for image in faces:
        line = image.crop(TITLE_LINE)
        letters = line.convert("L").point(lambda value: 255 if value > 190 else 0).filter(ImageFilter.MaxFilter(7))
        line.paste((0, 0, 0), (0, 0), letters)
        pixels = line.tobytes()
        colors = {pixels[at : at + 3].hex() for at in range(0, len(pixels), 3)}
        assert min(contrast("#ffffff", f"#{color}") for color in colors) >= 3


def test_undrawable_title_is_replaced_by_the_name(fonts: Path) -> None:
    named = dataclasses.replace(CARD, title=CARD.name)
    assert draw.draw_share_image(dataclasses.replace(CARD, title="🎉你好"), fonts) == draw.draw_share_image(
        named, fonts
    )


def test_drawable_characters_have_a_glyph_in_both_fonts(fonts: Path) -> None:
    candidates = [chr(code) for code in range(0x21, 0x2300) if drawable_text(chr(code))]
    assert len(candidates) > 700
    for font in fonts.glob("*.ttf"):
        face = ImageFont.truetype(font, 20)
        missing = bytes(face.getmask("\ue000"))
        assert not [letter for letter in candidates if bytes(face.getmask(letter)) == missing]


# Fitting


def test_largest_size_at_which_the_text_fits_is_used() -> None:
    steps = ((50, 1), (20, 2))
    assert text_fitting.fit_text("short", characters, width=300, steps=steps) == (50, ("short",))
    assert text_fitting.fit_text("rather longer words", characters, width=300, steps=steps) == (
        20,
        ("rather longer", "words"),
    )


def test_text_that_fits_no_size_ends_with_an_ellipsis() -> None:
    fitted = text_fitting.fit_text("one two three four", characters, width=80, steps=((20, 2),))
    assert fitted == (20, ("one", "two…"))


@pytest.mark.parametrize(
    ("word", "lines"),
    [
        ("getCoreRowModel", ("getCoreRow", "Model")),
        ("persist-query-client", ("persist-", "query-client")),
        ("abcdefghijklmnop", ("abcdefghijkl", "mnop")),
    ],
)
def test_long_name_is_broken_after_punctuation_or_before_capitals(word: str, lines: tuple[str, ...]) -> None:
    assert text_fitting.fit_text(word, characters, width=120, steps=((10, 3),)).lines == lines
