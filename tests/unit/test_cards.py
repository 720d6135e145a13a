"""Pictures for shared links: what they say, in which colours, and that nothing can break them."""

from __future__ import annotations

import dataclasses
import io
import re
from pathlib import Path

import pytest
from PIL import Image, ImageFont

from kinfolk.cards import Card, draw, fit
from kinfolk.cards.fit import drawable

CARD = Card("TanStack Query", "Infinite Queries", "React · Guides", "#fb2c36", "#fe9a00")


def opened(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png)).convert("RGB")


def characters(text: str, size: int) -> float:
    """As wide as a typewriter would set it."""
    return len(text) * size


def test_a_picture_has_the_size_and_weight_that_networks_want(fonts: Path) -> None:
    png = draw.draw(CARD, fonts)
    assert opened(png).size == (1200, 630)
    assert len(png) < 300_000


def test_a_picture_is_in_the_colours_of_its_library(fonts: Path) -> None:
    picture = opened(draw.draw(CARD, fonts))
    assert picture.getpixel((0, 629)) == (0xFB, 0x2C, 0x36)
    assert picture.getpixel((1199, 629)) == (0xFE, 0x9A, 0x00)


def test_the_same_card_gives_the_same_picture(fonts: Path) -> None:
    assert draw.draw(CARD, fonts) == draw.draw(dataclasses.replace(CARD), fonts)


def test_a_version_tells_pictures_apart() -> None:
    others = [dataclasses.replace(CARD, **{field.name: "#000000"}) for field in dataclasses.fields(CARD)]
    assert len({card.version for card in [CARD, *others]}) == 6
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
def test_no_title_can_break_a_picture(fonts: Path, title: str) -> None:
    png = draw.draw(Card(title, title, title, "#fb2c36", "#fe9a00"), fonts)
    assert opened(png).size == (1200, 630)


def test_a_title_that_cannot_be_drawn_gives_way_to_the_name(fonts: Path) -> None:
    named = dataclasses.replace(CARD, title=CARD.name)
    assert draw.draw(dataclasses.replace(CARD, title="🎉你好"), fonts) == draw.draw(named, fonts)


def test_what_counts_as_drawable_has_a_glyph_in_both_fonts(fonts: Path) -> None:
    candidates = [chr(code) for code in range(0x21, 0x2300) if drawable(chr(code))]
    assert len(candidates) > 700
    for font in fonts.glob("*.ttf"):
        face = ImageFont.truetype(font, 20)
        missing = bytes(face.getmask("\ue000"))
        assert not [letter for letter in candidates if bytes(face.getmask(letter)) == missing]


# Fitting


def test_the_largest_size_at_which_all_words_fit_is_taken() -> None:
    steps = ((50, 1), (20, 2))
    assert fit.fit("short", characters, width=300, steps=steps) == (50, ("short",))
    assert fit.fit("rather longer words", characters, width=300, steps=steps) == (20, ("rather longer", "words"))


def test_what_fits_no_size_ends_with_an_ellipsis() -> None:
    fitted = fit.fit("one two three four", characters, width=80, steps=((20, 2),))
    assert fitted == (20, ("one", "two…"))


@pytest.mark.parametrize(
    ("word", "lines"),
    [
        ("getCoreRowModel", ("getCoreRow", "Model")),
        ("persist-query-client", ("persist-", "query-client")),
        ("abcdefghijklmnop", ("abcdefghijkl", "mnop")),
    ],
)
def test_a_long_name_is_broken_at_its_joints_where_it_has_any(word: str, lines: tuple[str, ...]) -> None:
    assert fit.fit(word, characters, width=120, steps=((10, 3),)).lines == lines
