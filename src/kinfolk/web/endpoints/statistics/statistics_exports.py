"""`/stats/npm.svg`, `.png`, `.csv`, `.json` and `.atom`: a comparison for READMEs, spreadsheets, programs and feeds.

They take the query of `/stats/npm`. Pictures also take `theme` and `size`.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import orjson
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from kinfolk.api.content import SiteContent
from kinfolk.api.registry import to_json
from kinfolk.rendering.chart_pictures import SIZES, THEMES, ChartPictures, PictureOptions
from kinfolk.rendering.content_security_policy import picture_policy
from kinfolk.runtime.atom import TYPE as ATOM
from kinfolk.runtime.budget import time_limit
from kinfolk.runtime.cache import DOCS, CachePriority, LRUCache
from kinfolk.runtime.errors import SiteError, Unavailable
from kinfolk.runtime.single_flight import SingleFlight
from kinfolk.site.site import Site
from kinfolk.statistics.comparisons.comparison_chart import ComparisonChart
from kinfolk.statistics.comparisons.comparison_feed import FeedAddresses, comparison_feed
from kinfolk.statistics.comparisons.comparison_table import comparison_csv
from kinfolk.web.compression import compress
from kinfolk.web.responses import INERT, NO_STORE, cache_headers, content_response, gzip_response, text_error

PATH = "/stats/npm"
FORMATS = ("svg", "png", "csv", "json", "atom")
CACHE_NAME = "statistics pictures"
CACHE_BYTES = 8 << 20
MAX_WAITING = 16
"""Pictures that wait to be drawn, one at a time. A picture takes up to 0.2 seconds of CPU."""
OPEN = {"access-control-allow-origin": "*", "cross-origin-resource-policy": "cross-origin"}
"""Other sites may read the figures and show the pictures."""

Answer = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True)
class _ExportedChart:
    """A chart, its JSON, the digest of that, and the cache tags of what it shows."""

    chart: ComparisonChart
    json: bytes
    tags: frozenset[str]

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.json).hexdigest()[:20]


class StatisticsExports:
    """Draws pictures once, and caches them in memory. `pictures` is None until the renderer has started."""

    def __init__(self, site: Site) -> None:
        self.pictures: ChartPictures | None = None
        self._site = site
        self._drawn: LRUCache[str, bytes] = site.caches.add(CACHE_NAME, CachePriority.PICTURES, LRUCache(CACHE_BYTES))
        self._flights: SingleFlight[str, bytes] = SingleFlight()
        self._slot = asyncio.Semaphore(1)
        self._waiting = 0

    def routes(self) -> list[Route]:
        answers = {"svg": self._svg, "png": self._png, "csv": self._csv, "json": self._json, "atom": self._atom}
        return [Route(f"{PATH}.{format}", _answer_errors(answers[format])) for format in FORMATS]

    @staticmethod
    def has(path: str) -> bool:
        """Whether a route of this class has the address."""
        stem, _, format = path.rpartition(".")
        return stem == PATH and format in FORMATS

    async def _chart(self, request: Request, *, feed: bool = False) -> _ExportedChart:
        content = SiteContent(self._site, self._site.content.publisher.docs)

        def build() -> _ExportedChart:
            chart = content.npm_feed_chart(request.url.query) if feed else content.npm_chart(request.url.query)
            return _ExportedChart(chart, orjson.dumps(to_json(chart)), content.recorder.cache_tags)

        async with time_limit("page"):
            return await asyncio.to_thread(build)

    async def _json(self, request: Request) -> Response:
        exported = await self._chart(request)
        return await self._text(request, exported, exported.json, "application/json; charset=utf-8")

    async def _csv(self, request: Request) -> Response:
        exported = await self._chart(request)
        text = await asyncio.to_thread(comparison_csv, exported.chart)
        return await self._text(request, exported, text.encode(), "text/csv; charset=utf-8")

    async def _atom(self, request: Request) -> Response:
        exported = await self._chart(request, feed=True)
        origin, query = self._site.settings.origin, exported.chart.query
        addresses = FeedAddresses(
            f"{origin}{PATH}.atom?{query}".rstrip("?"),
            f"{origin}{PATH}?{query}".rstrip("?"),
            self._site.catalog.product,
        )
        return await self._text(request, exported, comparison_feed(exported.chart, addresses), ATOM)

    async def _svg(self, request: Request) -> Response:
        exported, options = await self._chart(request), _options(request)
        svg = await self._picture(exported, options, "svg")
        response = await self._text(request, exported, svg, "image/svg+xml; charset=utf-8")
        # The picture has its colors for both themes in a style element.
        response.headers["content-security-policy"] = picture_policy(svg)
        return response

    async def _png(self, request: Request) -> Response:
        exported, options = await self._chart(request), _options(request)
        png = await self._picture(exported, options, "png")
        headers = {"content-type": "image/png", **cache_headers(DOCS, exported.tags), **OPEN, **INERT}
        return content_response(request, png, _digest(exported.digest, "png", str(options)), headers)

    async def _text(self, request: Request, exported: _ExportedChart, body: bytes, media_type: str) -> Response:
        text = await asyncio.to_thread(compress, [body])
        headers = {"content-type": media_type, **cache_headers(DOCS, exported.tags), **OPEN, **INERT}
        if exported.chart.sample or not exported.chart.indexable:
            headers["x-robots-tag"] = "noindex"
        return gzip_response(request, text, headers)

    # Pictures

    async def _picture(self, exported: _ExportedChart, options: PictureOptions, format: str) -> bytes:
        """Raises Unavailable when too many pictures wait."""
        key = _digest(exported.digest, format, str(options))
        picture = self._drawn.get(key)
        if picture is None:
            picture = await self._flights.do(key, lambda: self._draw(exported.chart, options, format))
            self._drawn.put(key, picture, weight=len(picture) + len(key))
        return picture

    async def _draw(self, chart: ComparisonChart, options: PictureOptions, format: str) -> bytes:
        if self.pictures is None:
            raise Unavailable("The site is starting. Try again in a few seconds.")
        if self._waiting >= MAX_WAITING:
            raise Unavailable("The site is too busy to draw this image. Try again in a moment.")
        self._waiting += 1
        try:
            async with self._slot:
                if format == "png":
                    return await self.pictures.png(chart, options)
                return (await self.pictures.svg(chart, options)).encode()
        finally:
            self._waiting -= 1


def _options(request: Request) -> PictureOptions:
    """What the query says about the picture. Unknown values fall back to their defaults."""
    theme, size = request.query_params.get("theme"), request.query_params.get("size")
    return PictureOptions(
        theme=next((known for known in THEMES if known == theme), "auto"),
        size=next((known for known in SIZES if known == size), "full"),
    )


def _digest(*parts: str) -> str:
    return hashlib.sha256(" ".join(parts).encode()).hexdigest()[:20]


def _answer_errors(answer: Answer) -> Answer:
    """The same, with the message of an error as plain text."""

    async def respond(request: Request) -> Response:
        try:
            return await answer(request)
        except SiteError as failure:
            return text_error(failure, NO_STORE)

    return respond
