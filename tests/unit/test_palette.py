"""Colours: facts name them, and text in them can be read wherever it stands."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from kinfolk.catalog import Catalog
from kinfolk.errors import BadFact
from kinfolk.palette import (
    DARK_SURFACES,
    ENOUGH,
    LIGHT_SURFACES,
    WASH,
    Palette,
    contrast,
    load_palette,
    mixed,
    readable,
)
from kinfolk.settings import ROOT, Settings


@pytest.fixture(scope="module")
def palette(settings: Settings, catalog: Catalog) -> Palette:
    return load_palette(settings.data, catalog)


def test_every_library_has_two_colours(palette: Palette, catalog: Catalog) -> None:
    for library in catalog.libraries:
        assert len(set(palette.pair(library.color_from, library.color_to))) == 2


@pytest.mark.parametrize("instead", ["", 'red-500 = "red"', 'red-500 = "#FB2C36"'])
def test_a_wrong_or_missing_colour_is_named(tmp_path: Path, settings: Settings, catalog: Catalog, instead: str) -> None:
    data = shutil.copytree(settings.data, tmp_path / "data")
    facts = (data / "colors.toml").read_text()
    (data / "colors.toml").write_text(facts.replace('red-500 = "#fb2c36"', instead))
    with pytest.raises(BadFact) as wrong:
        load_palette(data, catalog)
    assert (wrong.value.file, wrong.value.key) == ("colors.toml", "colors.red-500")


@pytest.mark.parametrize(
    ("one", "other", "ratio"),
    [("#ffffff", "#000000", 21), ("#767676", "#ffffff", 4.54), ("#fb2c36", "#fb2c36", 1)],
)
def test_contrast_is_what_the_guidelines_say(one: str, other: str, ratio: float) -> None:
    assert contrast(one, other) == pytest.approx(ratio, abs=0.005)
    assert contrast(other, one) == contrast(one, other)


def test_text_in_any_colour_of_the_palette_can_be_read_on_every_surface(palette: Palette) -> None:
    for color in palette.colors.values():
        for surfaces, end in ((LIGHT_SURFACES, "#000000"), (DARK_SURFACES, "#ffffff")):
            text = readable(color, surfaces, towards=end)
            grounds = (*surfaces, mixed(color, surfaces[0], WASH))
            assert min(contrast(text, ground) for ground in grounds) >= ENOUGH, (color, end)


def test_a_colour_that_can_be_read_stays_as_it_is() -> None:
    assert readable("#16324f", LIGHT_SURFACES, towards="#000000") == "#16324f"


def test_the_surfaces_are_those_of_the_stylesheet() -> None:
    styles = (ROOT / "frontend/src/styles/tokens.css").read_text()
    pairs = dict(re.findall(r"--(surface|raised|overlay): light-dark\((#[0-9a-f]+, #[0-9a-f]+)\)", styles))
    light, dark = zip(*(pairs[name].split(", ") for name in ("surface", "raised", "overlay")), strict=True)
    assert set(LIGHT_SURFACES) | {"#ffffff", "#fff"} >= set(light)
    assert dark == DARK_SURFACES
