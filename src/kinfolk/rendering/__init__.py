"""Renders pages with React in V8 and caches them until their content changes.

`v8_renderer` runs the frontend bundle: it reports pending queries, Python runs them, until there is HTML. `isolates`
has one isolate with its limits, and a pool of them with a queue and replacement. `placeholders` inserts HTML that
Python already has, `stylesheets` the texts of stylesheets. `page_cache` decides what is cached, `page_key` under which
key; `rendered_page` is a page as bytes. Only `web` and `cli` may import this package.
"""

from kinfolk.rendering.content_security_policy import AllowedSources, build_policy
from kinfolk.rendering.isolates.isolate import Isolate, IsolateFailed
from kinfolk.rendering.isolates.isolate_pool import IsolatePool
from kinfolk.rendering.page_cache import PageCache, RenderStart
from kinfolk.rendering.page_key import page_key
from kinfolk.rendering.rendered_page import PageOptions, PageResponse, RenderedPage
from kinfolk.rendering.v8_renderer import (
    HtmlDocument,
    PageRedirect,
    PageRenderer,
    QueryFunction,
    RenderResult,
    V8Renderer,
    shortest,
)

__all__ = [
    "AllowedSources",
    "HtmlDocument",
    "Isolate",
    "IsolateFailed",
    "IsolatePool",
    "PageCache",
    "PageOptions",
    "PageRedirect",
    "PageRenderer",
    "PageResponse",
    "QueryFunction",
    "RenderResult",
    "RenderStart",
    "RenderedPage",
    "V8Renderer",
    "build_policy",
    "page_key",
    "shortest",
]
