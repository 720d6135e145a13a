"""Server-side rendering: the frontend bundle renders pages in V8, which are cached until their content changes."""

from kinfolk.rendering.content_security_policy import AllowedSources, build_policy
from kinfolk.rendering.isolate import Isolate, IsolateFailed
from kinfolk.rendering.isolate_pool import IsolatePool
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
