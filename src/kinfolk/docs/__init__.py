"""Docs of every library: navigation, pages and the links between them, read from one snapshot."""

from kinfolk.docs.config import DocsConfig, DocsLink, DocsSection, FrameworkLinks, parse_config
from kinfolk.docs.content_reader import ContentReader
from kinfolk.docs.page_rendering import RenderedDoc
from kinfolk.docs.release import DocsRelease

__all__ = [
    "ContentReader",
    "DocsConfig",
    "DocsLink",
    "DocsRelease",
    "DocsSection",
    "FrameworkLinks",
    "RenderedDoc",
    "parse_config",
]
