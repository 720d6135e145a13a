"""Which files of a docs folder are pages, their addresses, and what links between them mean, by dialect."""

from kinfolk.docs.layouts.page_layout import DocsFolder, PageFacts, PageLayout
from kinfolk.docs.layouts.table import open_layouts

__all__ = ["DocsFolder", "PageFacts", "PageLayout", "open_layouts"]
