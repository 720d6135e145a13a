"""A page of the docs as a complete Markdown document: its title and its text, with absolute links."""

from __future__ import annotations

from dataclasses import dataclass

from kinfolk.config.catalog import Catalog, Library
from kinfolk.content.docs.branch_docs import default_title
from kinfolk.content.docs.branch_reader import BranchReaders
from kinfolk.content.docs.pages.export_cache import ExportCache
from kinfolk.content.docs.pages.links import DocsLinkResolver, page_links
from kinfolk.content.docs.pages.location import DocsLocation
from kinfolk.content.markdown.export import index_note
from kinfolk.content.redirects import Redirects
from kinfolk.runtime.cache import CacheBudget


@dataclass(frozen=True)
class MarkdownExport:
    """`body` is the text without the title. `framework` is the one that the page's path names, if any.

    `index` is the address of the list of all pages of the version.
    """

    library: Library
    title: str
    description: str
    body: str
    framework: str | None
    index: str

    @property
    def text(self) -> str:
        """The whole document. The index is named first, because agents may read only the beginning of a page."""
        return f"# {self.title}\n\n{index_note(self.index)}\n\n{self.body}\n"


class MarkdownExports:
    """Exports pages for any snapshot and thread."""

    def __init__(self, catalog: Catalog, redirects: Redirects, caches: CacheBudget) -> None:
        self._catalog = catalog
        self._redirects = redirects
        self.cache = ExportCache(caches)

    def export(self, branches: BranchReaders, location: DocsLocation, *, origin: str) -> MarkdownExport:
        """The page. `origin` begins its links to this site. Raises NotFound for a missing page."""
        path, branch = location.required_file(), branches.branch(location.ref)
        cached = self.cache.get(branch, path, location.framework)
        links = page_links(self._catalog, self._redirects, branches, location, cached.ref_path)
        return MarkdownExport(
            library=location.library,
            title=cached.title or default_title(path),
            description=cached.description,
            body=cached.linked(_AbsoluteLinks(links, origin)),
            framework=location.framework,
            index=f"{origin}/{location.library.id}/{location.address.version}/llms.txt",
        )

    def summary(self, branches: BranchReaders, location: DocsLocation) -> tuple[str, str]:
        """The title and the description of a page. Raises NotFound for a missing page."""
        path = location.required_file()
        title, description = self.cache.summary(branches.branch(location.ref), path, location.framework)
        return title or default_title(path), description


@dataclass(frozen=True)
class _AbsoluteLinks:
    """The links of the page's HTML with the site's origin, because the text has no base URL."""

    links: DocsLinkResolver
    origin: str

    def link(self, href: str) -> tuple[str, bool]:
        target, broken = self.links.link(href)
        return self._absolute(target), broken

    def image(self, src: str) -> str:
        return self._absolute(self.links.image(src))

    def _absolute(self, target: str) -> str:
        return f"{self.origin}{target}" if target.startswith("/") and not target.startswith("//") else target
