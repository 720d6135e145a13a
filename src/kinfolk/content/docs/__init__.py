"""The docs of all libraries, read from one snapshot.

`branch_docs` is one branch at one commit, `branch_reader` records each read of it. `snapshots` has all branches at one
time and the switch to the next, `pages` one page (file, links, HTML, Markdown, place in the menu), `menus` the
navigation, `file_layouts` which files are pages by dialect, `other_pages` the same page in another version or
framework, `machine_readable` llms.txt, the sitemap and feeds of changes.
"""

from kinfolk.content.docs.menus.menu_config import DocsConfig, DocsLink, DocsSection, FrameworkLinks, parse_config
from kinfolk.content.docs.pages.page_rendering import RenderedDoc
from kinfolk.content.docs.snapshots.content_reader import ContentReader
from kinfolk.content.docs.snapshots.docs_snapshot import DocsSnapshot

__all__ = [
    "ContentReader",
    "DocsConfig",
    "DocsLink",
    "DocsSection",
    "DocsSnapshot",
    "FrameworkLinks",
    "RenderedDoc",
    "parse_config",
]
