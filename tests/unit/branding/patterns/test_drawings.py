"""Patterns of libraries: each drawing, its SVG, and the rule for a library without one."""

from __future__ import annotations

import dataclasses
import gzip
from typing import get_args
from xml.etree import ElementTree as ET

import pytest

from kinfolk.branding.patterns import FAMILY_PATTERN, Pattern, Size, draw_pattern, library_pattern, pattern_svg
from kinfolk.config.catalog import Catalog, PatternName
from kinfolk.content.landing.library_face import PATTERN_SIZE

ALL = [*(Pattern(name, seed) for name in get_args(PatternName) for seed in (1, 2**32 - 1)), FAMILY_PATTERN]
SVG = "{http://www.w3.org/2000/svg}"
SHARE_IMAGE = Size(1200, 630)


@pytest.mark.parametrize("pattern", ALL, ids=lambda pattern: f"{pattern.name}-{pattern.seed}")
def test_pattern_is_a_small_picture_that_depends_on_name_and_seed_only(pattern: Pattern) -> None:
    svg = pattern_svg(draw_pattern(pattern, PATTERN_SIZE), PATTERN_SIZE)
    assert svg == pattern_svg(draw_pattern(dataclasses.replace(pattern), PATTERN_SIZE), PATTERN_SIZE)
    assert len(svg) < 5_000
    assert len(gzip.compress(svg.encode(), mtime=0)) < 1_000


@pytest.mark.parametrize("size", [PATTERN_SIZE, SHARE_IMAGE])
@pytest.mark.parametrize("pattern", ALL, ids=lambda pattern: f"{pattern.name}-{pattern.seed}")
def test_each_shape_of_a_pattern_is_in_the_picture(pattern: Pattern, size: Size) -> None:
    shapes = draw_pattern(pattern, size)
    assert len(shapes) > 5
    for shape in shapes:
        left, top, right, bottom = shape.box
        assert left <= size.width
        assert top <= size.height
        assert right >= 0
        assert bottom >= 0
    assert any(shape.tone == "strong" for shape in shapes)
    # The right half carries the drawing: text is on the left.
    assert max(shape.box[2] for shape in shapes) > size.width * 0.8


@pytest.mark.parametrize("pattern", ALL, ids=lambda pattern: f"{pattern.name}-{pattern.seed}")
def test_pattern_is_well_formed_and_black_for_use_as_a_mask(pattern: Pattern) -> None:
    root = ET.fromstring(pattern_svg(draw_pattern(pattern, PATTERN_SIZE), PATTERN_SIZE))  # noqa: S314 - our own text
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {"svg", "g", "path", "circle", "rect"}
    assert {element.get("stroke") for element in root.iter()} <= {None, "#000", "none"}


@pytest.mark.parametrize("name", get_args(PatternName))
def test_drawings_of_one_name_differ_by_their_seed(name: PatternName) -> None:
    assert len({pattern_svg(draw_pattern(Pattern(name, seed), SHARE_IMAGE), SHARE_IMAGE) for seed in (1, 2, 3, 4)}) > 1


def test_bundled_libraries_have_different_patterns(catalog: Catalog) -> None:
    assert len({library_pattern(library).name for library in catalog.libraries}) == len(catalog.libraries)


def test_library_without_a_pattern_gets_one_by_its_id(catalog: Catalog) -> None:
    library = dataclasses.replace(catalog.libraries[0], pattern=None)
    unnamed = [library_pattern(dataclasses.replace(library, id=f"library-{number}")) for number in range(60)]
    assert len({pattern.name for pattern in unnamed}) == len(get_args(PatternName))
    assert len({pattern.seed for pattern in unnamed}) == len(unnamed)
    assert unnamed[0] == library_pattern(dataclasses.replace(library, id="library-0"))
