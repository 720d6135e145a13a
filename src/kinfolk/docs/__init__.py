"""Docs of every library: navigation, pages and the links between them, read from one snapshot."""

from kinfolk.docs.config import DocsConfig, DocsLink, DocsSection, FrameworkLinks, parse_config
from kinfolk.docs.library import DocPage, Docs

__all__ = [
    "DocPage",
    "Docs",
    "DocsConfig",
    "DocsLink",
    "DocsSection",
    "FrameworkLinks",
    "parse_config",
]
