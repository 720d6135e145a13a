"""Pages, rendered by the frontend's own code in V8 and kept as bytes until something they show has changed."""

from kinfolk.ssr.address import PAGES, page_key
from kinfolk.ssr.isolate import Isolate, RenderFailed
from kinfolk.ssr.page import Page, Reply
from kinfolk.ssr.pages import PageCache, Ticket
from kinfolk.ssr.policy import policy
from kinfolk.ssr.pool import IsolatePool
from kinfolk.ssr.renderer import Ask, Document, Moved, Rendered, Renderer, V8Renderer, shortest

__all__ = [
    "PAGES",
    "Ask",
    "Document",
    "Isolate",
    "IsolatePool",
    "Moved",
    "Page",
    "PageCache",
    "RenderFailed",
    "Rendered",
    "Renderer",
    "Reply",
    "Ticket",
    "V8Renderer",
    "page_key",
    "policy",
    "shortest",
]
