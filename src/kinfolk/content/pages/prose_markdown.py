"""Exports the site's own pages as Markdown, for `.md` addresses and `llms.txt`."""

from __future__ import annotations

from collections.abc import Iterable

from kinfolk.content.markdown.export import ExportedMarkdown, index_note
from kinfolk.content.markdown.links.link_resolver import AbsoluteLinks
from kinfolk.content.pages.prose_pages import ProsePage


def page_markdown(page: ProsePage, exported: ExportedMarkdown, origin: str) -> str:
    """The page. `origin` is the base of its links to this site."""
    body = exported.with_links(AbsoluteLinks(origin, page.address))
    updated = f"In effect since {page.updated}\n\n" if page.updated else ""
    heading = f"# {page.title}\n\n> {page.description}\n\n{index_note(f'{origin}/llms.txt')}"
    return f"{heading}\n\n{updated}{body}\n"


def pages_markdown(pages: Iterable[ProsePage], origin: str) -> str:
    """The pages as a list of links to their Markdown."""
    return "\n".join(f"- [{page.title}]({origin}{page.address}.md): {page.description}" for page in pages)
