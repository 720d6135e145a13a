"""Tests of the palette: valid colors, and contrast of colored text."""

from __future__ import annotations

import dataclasses
import re
import shutil
from pathlib import Path

import pytest

from kinfolk.branding.palette import (
    DARK_SURFACES,
    LIGHT_SURFACES,
    TEXT_CONTRAST,
    TINT,
    Palette,
    contrast,
    load_palette,
    mix,
    palette_errors,
    readable,
)
from kinfolk.config.catalog import Catalog
from kinfolk.config.settings import ROOT, Settings


@pytest.fixture(scope="module")
def palette(settings: Settings, catalog: Catalog) -> Palette:
    return load_palette(settings.site, catalog)


def test_every_library_has_two_colors(palette: Palette, catalog: Catalog) -> None:
    for library in catalog.libraries:
        assert len(set(palette.pair(library.color_from, library.color_to))) == 2


@pytest.mark.parametrize("instead", ['red-500 = "red"', 'red-500 = "#FB2C36"'])
def test_invalid_color_is_reported(tmp_path: Path, settings: Settings, catalog: Catalog, instead: str) -> None:
    data = shutil.copytree(settings.site, tmp_path / "data")
    (data / "colors.toml").write_text(f"[colors]\n{instead}\n")
    assert [(fault.file, fault.key) for fault in palette_errors(data, catalog)] == [("colors.toml", "colors.red-500")]
    assert load_palette(data, catalog).colors["red-500"] == "#fb2c36"


def test_color_without_a_palette_step_is_gray_and_reported(settings: Settings, catalog: Catalog) -> None:
    first = dataclasses.replace(catalog.libraries[0], color_from="red-550")
    other = dataclasses.replace(catalog, libraries=(first, *catalog.libraries[1:]))
    assert [fault.key for fault in palette_errors(settings.site, other)] == ["colors.red-550"]
    palette = load_palette(settings.site, other)
    assert palette.colors["red-550"] == palette.colors["gray-500"]


@pytest.mark.parametrize(
    ("one", "other", "ratio"),
    [("#ffffff", "#000000", 21), ("#767676", "#ffffff", 4.54), ("#fb2c36", "#fb2c36", 1)],
)
def test_contrast_follows_wcag(one: str, other: str, ratio: float) -> None:
    assert contrast(one, other) == pytest.approx(ratio, abs=0.005)
    assert contrast(other, one) == contrast(one, other)


def test_text_in_every_palette_color_is_legible_on_every_surface(palette: Palette) -> None:
    for color in palette.colors.values():
        for surfaces, end in ((LIGHT_SURFACES, "#000000"), (DARK_SURFACES, "#ffffff")):
            text = readable(color, surfaces, towards=end)
            grounds = (*surfaces, mix(color, surfaces[0], TINT))
            assert min(contrast(text, ground) for ground in grounds) >= TEXT_CONTRAST, (color, end)


def test_legible_color_stays_unchanged() -> None:
    assert readable("#16324f", LIGHT_SURFACES, towards="#000000") == "#16324f"


def test_surfaces_match_the_stylesheet() -> None:
    styles = (ROOT / "frontend/src/styles/tokens.css").read_text()
    pairs = dict(re.findall(r"--(surface|raised|overlay): light-dark\((#[0-9a-f]+, #[0-9a-f]+)\)", styles))
    light, dark = zip(*(pairs[name].split(", ") for name in ("surface", "raised", "overlay")), strict=True)
    assert set(LIGHT_SURFACES) | {"#ffffff", "#fff"} >= set(light)
    assert dark == DARK_SURFACES
