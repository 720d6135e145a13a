"""Exports the site's own pages as Markdown, for `.md` addresses and `llms.txt`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kinfolk.markdown.export import ExportedMarkdown
from kinfolk.prose_pages import ProsePage


def page_markdown(page: ProsePage, exported: ExportedMarkdown, origin: str) -> str:
    """The page. `origin` is the base of its links to this site."""
    body = exported.with_links(_SiteLinks(origin, page.address))
    updated = f"In effect since {page.updated}\n\n" if page.updated else ""
    return f"# {page.title}\n\n> {page.description}\n\n{updated}{body}\n"


def pages_markdown(pages: Iterable[ProsePage], origin: str) -> str:
    """The pages as a list of links to their Markdown."""
    return "\n".join(f"- [{page.title}]({origin}{page.address}.md): {page.description}" for page in pages)


@dataclass(frozen=True)
class _SiteLinks:
    """Makes links absolute, because a copied text has no base URL."""

    origin: str
    address: str

    def link(self, href: str) -> tuple[str, bool]:
        return self._absolute(href), False

    def image(self, src: str) -> str:
        return self._absolute(src)

    def _absolute(self, target: str) -> str:
        if target.startswith("#"):
            return f"{self.origin}{self.address}{target}"
        return f"{self.origin}{target}" if target.startswith("/") and not target.startswith("//") else target
