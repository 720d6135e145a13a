"""Docs of every library: navigation, pages and the links between them, read from one snapshot."""

from kinfolk.content.docs.menus.menu_config import DocsConfig, DocsLink, DocsSection, FrameworkLinks, parse_config
from kinfolk.content.docs.releases.content_reader import ContentReader
from kinfolk.content.docs.pages.page_rendering import RenderedDoc
from kinfolk.content.docs.releases.release import DocsRelease

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
