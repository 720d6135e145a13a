"""Which files of a docs folder are pages, their addresses, and what links between them mean, by dialect."""

from kinfolk.content.docs.file_layouts.layout_table import open_layouts, unread_files
from kinfolk.content.docs.file_layouts.page_layout import (
    DocsFolder,
    PageFacts,
    PageLayout,
    inner_roots,
    page_facts,
    split_page,
)

__all__ = [
    "DocsFolder",
    "PageFacts",
    "PageLayout",
    "inner_roots",
    "open_layouts",
    "page_facts",
    "split_page",
    "unread_files",
]
