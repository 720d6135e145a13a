"""Pictures of comparisons: the frontend bundle draws them as SVG in V8, resvg makes PNG of that.

    pictures = ChartPictures(pool, fonts)
    svg = await pictures.svg(chart, PictureOptions(theme="light"))

Pictures are not cached here.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

import structlog

from kinfolk.api.registry import to_json
from kinfolk.config.catalog.brand import CORNER_FACTORS, Corners
from kinfolk.rendering.isolates.isolate import IsolateFailed
from kinfolk.rendering.isolates.isolate_pool import IsolatePool
from kinfolk.rendering.render_outcome import RenderedPicture, RenderError
from kinfolk.runtime.errors import SiteError, Unavailable
from kinfolk.statistics.comparisons.comparison_chart import ComparisonChart
from kinfolk.statistics.comparisons.picture_png import picture_png

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

PictureTheme = Literal["light", "dark", "auto"]
"""`auto` follows the reader's system. A PNG cannot: it is light."""
PictureSize = Literal["full", "sparkline", "card"]
"""`card` has the size of a share image. `sparkline` has the lines and the last value only."""
THEMES: tuple[PictureTheme, ...] = get_args(PictureTheme)
SIZES: tuple[PictureSize, ...] = get_args(PictureSize)


@dataclass(frozen=True)
class PictureOptions:
    """How a picture looks."""

    theme: PictureTheme = "auto"
    size: PictureSize = "full"


class ChartPictures:
    """Draws charts in a pool of isolates. `fonts` is the folder of the fonts for PNG in the frontend's build."""

    def __init__(self, pool: IsolatePool, fonts: Path, corners: Corners = "default") -> None:
        self._pool = pool
        self._fonts = fonts
        self._radius = 10 * CORNER_FACTORS[corners]

    async def svg(self, chart: ComparisonChart, options: PictureOptions) -> str:
        """An SVG document without scripts. Takes about 10 ms of CPU. Raises SiteError."""
        picture = {"chart": to_json(chart), "theme": options.theme, "size": options.size, "radius": self._radius}
        try:
            round = await self._pool.round(json.dumps({"picture": picture}))
        except IsolateFailed as failed:
            failure = _failure(chart, str(failed))
            raise (Unavailable("This image took too long to draw") if failed.too_slow else failure) from failed
        match round.outcome:
            case RenderedPicture(svg):
                return svg
            case RenderError(message, stack):
                raise _failure(chart, message, stack=stack)
            case _:
                raise _failure(chart, "the bundle gave no picture")

    async def png(self, chart: ComparisonChart, options: PictureOptions) -> bytes:
        """The same picture as PNG, drawn by a process of its own in about 0.3 s. Raises SiteError."""
        theme: PictureTheme = "dark" if options.theme == "dark" else "light"
        svg = await self.svg(chart, PictureOptions(theme, options.size))
        try:
            return await asyncio.to_thread(picture_png, svg, self._fonts)
        except TimeoutError as slow:
            raise Unavailable("This image took too long to draw") from slow
        except (ValueError, OSError) as failed:
            raise _failure(chart, str(failed)) from failed


def _failure(chart: ComparisonChart, reason: str, *, stack: str = "") -> SiteError:
    log.error("picture could not be drawn", query=chart.query, reason=reason, stack=stack)
    return SiteError("This picture could not be drawn")
