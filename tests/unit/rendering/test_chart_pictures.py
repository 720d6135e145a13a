"""Pictures of comparisons, drawn by the frontend bundle in V8."""

from __future__ import annotations

import dataclasses
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from lxml import etree
from PIL import Image
from tests.unit.rendering.fake_ssr_bundle import BUNDLE, MANIFEST

from kinfolk.rendering.chart_pictures import SIZES, THEMES, ChartPictures, PictureOptions, PictureSize, PictureTheme
from kinfolk.rendering.isolates.isolate_pool import IsolatePool
from kinfolk.runtime.errors import SiteError
from kinfolk.statistics.comparisons.comparison import Comparison, GroupPackage, PackageGroup
from kinfolk.statistics.comparisons.comparison_chart import (
    BinAxis,
    ChartSeries,
    ComparisonChart,
    Outage,
    ValueAxis,
    ValueKind,
)

pytestmark = pytest.mark.anyio

SVG = "{http://www.w3.org/2000/svg}"
PIXELS = {"full": (800, 400), "sparkline": (200, 40), "card": (1200, 630)}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def pictures(built: Path) -> Iterator[ChartPictures]:
    pool = IsolatePool(built / "ssr" / "ssr.js", "{}", size=1, timeout_s=20.0, patience_s=60.0)
    yield ChartPictures(pool, built / "fonts")
    pool.close()


def series(name: str, *values: float | None) -> ChartSeries:
    return ChartSeries(
        name=name,
        label=name,
        packages=(GroupPackage(name),),
        color="#1f77b4",
        dash="6 3",
        baseline=False,
        status="ready",
        message="",
        values=values,
        gaps=(1,),
        fixed=(),
        figures=None,
    )


def chart(*shown: ChartSeries, kind: ValueKind = "count", log: bool = False) -> ComparisonChart:
    count = max((len(one.values) for one in shown), default=0)
    return ComparisonChart(
        comparison=Comparison(tuple(PackageGroup(one.packages) for one in shown), scale="log" if log else "linear"),
        query="",
        title=" vs ".join(one.label for one in shown),
        axis=BinAxis("weekly", "2025-01-05", count, aligned=False, partial=(count - 1,)),
        value_axis=ValueAxis("Downloads per week", kind),
        series=shown,
        outages=(Outage("2025-01-14", "2025-01-15", "", "npm counted nothing."),),
        last_day="2025-02-01",
        as_of="2025-02-02T01:00:00",
        source="Counted by npm.",
        sample=False,
        summary="Two lines.",
        indexable=True,
    )


CHART = chart(series("react", 100, 200, 300, 400), series("vue", 50, None, 40, 30))


def texts(svg: str) -> list[str]:
    return ["".join(found.itertext()) for found in etree.fromstring(svg.encode()).iter(f"{SVG}text")]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("theme", THEMES)
async def test_picture_is_svg_of_its_size(pictures: ChartPictures, theme: PictureTheme, size: PictureSize) -> None:
    root = etree.fromstring((await pictures.svg(CHART, PictureOptions(theme, size))).encode())
    assert root.tag == f"{SVG}svg"
    assert (int(root.get("width", "")), int(root.get("height", ""))) == PIXELS[size]


async def test_picture_has_title_legend_axes_and_source(pictures: ChartPictures) -> None:
    found = texts(await pictures.svg(CHART, PictureOptions()))
    for text in ("react vs vue", "react", "vue", "0", "200", "Jan 12", "Counted by npm. As of Feb 2, 2025."):
        assert text in found
    assert "Downloads per week · Jan 5, 2025 to Feb 1, 2025" in found


async def test_sparkline_has_the_last_complete_value_only(pictures: ChartPictures) -> None:
    assert texts(await pictures.svg(CHART, PictureOptions(size="sparkline"))) == ["300"]


async def test_sample_data_is_marked(pictures: ChartPictures) -> None:
    sample = dataclasses.replace(CHART, sample=True)
    assert "Sample data" in texts(await pictures.svg(sample, PictureOptions()))
    assert "Sample data" not in texts(await pictures.svg(CHART, PictureOptions()))


async def test_only_the_automatic_theme_depends_on_the_reader(pictures: ChartPictures) -> None:
    found = {theme: await pictures.svg(CHART, PictureOptions(theme)) for theme in THEMES}
    assert [theme for theme in THEMES if "prefers-color-scheme" in found[theme]] == ["auto"]
    assert found["light"] != found["dark"]


async def test_hostile_text_stays_text(pictures: ChartPictures) -> None:
    name = "</text><script>alert(1)</script>\"'&\x00\x1b\ud800 ]]> é"
    svg = await pictures.svg(dataclasses.replace(chart(series(name, 1, 2)), summary=name), PictureOptions())
    root = etree.fromstring(svg.encode())
    assert not list(root.iter(f"{SVG}script"))
    assert any("</text><script>" in text for text in texts(svg))


@pytest.mark.parametrize("kind", get_args(ValueKind))
@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize(
    "values",
    [(), (None,), (0,), (7,), (None, None), (0, 0, 0), (1e308, -1e308), (1e-9, 5), (-50.0, None, 80.5), (3,) * 1200],
)
async def test_unusual_values_are_drawn_without_nan(
    pictures: ChartPictures, values: tuple[float | None, ...], kind: ValueKind, log: bool
) -> None:
    for size in SIZES:
        svg = await pictures.svg(chart(series("a", *values), kind=kind, log=log), PictureOptions(size=size))
        assert not re.search(r"NaN|Infinity|undefined", svg)


@pytest.mark.parametrize("size", SIZES)
async def test_png_has_the_size_of_the_picture(pictures: ChartPictures, size: PictureSize) -> None:
    png = await pictures.png(CHART, PictureOptions("dark", size))
    assert Image.open(io.BytesIO(png)).size == PIXELS[size]


async def test_png_shows_text_and_lines(pictures: ChartPictures) -> None:
    image = Image.open(io.BytesIO(await pictures.png(CHART, PictureOptions()))).convert("RGB")
    colors = {color for _, color in image.getcolors(1 << 20) or []}
    # The surface, the title and the line.
    assert {(0xFD, 0xFC, 0xFA), (0x1F, 0x1C, 0x18), (0x1F, 0x77, 0xB4)} <= colors


async def test_bundle_without_pictures_is_an_error_with_a_public_message(fonts: Path) -> None:
    pool = IsolatePool(BUNDLE, MANIFEST, size=1, timeout_s=20.0)
    try:
        with pytest.raises(SiteError, match="This picture could not be drawn"):
            await ChartPictures(pool, fonts).svg(CHART, PictureOptions())
    finally:
        pool.close()
