"""The docs of the whole family in one snapshot.

`BranchDocs`, rendered pages and exports outlive a snapshot where their dependencies have not changed, so a
new docs snapshot computes only changed values. Responses read one through a `ContentReader`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kinfolk.config.catalog import Catalog
from kinfolk.config.docs_address import Ref
from kinfolk.content.docs.branch_docs import BranchDocs
from kinfolk.content.docs.file_layouts import DocsFolder
from kinfolk.content.docs.pages.markdown_export import MarkdownExports
from kinfolk.content.docs.pages.navigation import Navigations
from kinfolk.content.docs.pages.page_rendering import RENDERED_LIMIT, PageRendering
from kinfolk.content.markdown.code.highlighting import CodeHighlighter
from kinfolk.content.markdown.processes.plain_text_fallback import MarkdownRenderer
from kinfolk.content.redirects import Redirects
from kinfolk.content.sources.snapshot import Snapshot
from kinfolk.runtime.cache import CacheBudget


class DocsSnapshot:
    """Immutable: a refresh makes a new one with `with_snapshot`."""

    def __init__(
        self,
        catalog: Catalog,
        redirects: Redirects,
        snapshot: Snapshot,
        *,
        highlighter: CodeHighlighter | None = None,
        markdown: MarkdownRenderer | None = None,
        caches: CacheBudget | None = None,
        before: DocsSnapshot | None = None,
    ) -> None:
        """By default Markdown is rendered in the calling thread, without limits of time and memory."""
        self.catalog = catalog
        self.redirects = redirects
        self.snapshot = snapshot
        self.highlighter = highlighter
        self.markdown = markdown or MarkdownRenderer()
        folders = {ref: tuple(_folders(catalog, ref)) for ref in snapshot.trees}
        old = before.branches if before else {}
        self.branches: Mapping[Ref, BranchDocs] = {
            ref: old[ref]
            if ref in old and old[ref].tree is tree
            else BranchDocs(tree, self.markdown, folders[ref], catalog.examples_rule(ref))
            for ref, tree in snapshot.trees.items()
        }
        self.navigations: Navigations = Navigations(catalog, redirects, before.navigations if before else None)
        budget = caches or CacheBudget(2 * RENDERED_LIMIT)
        self.exports: MarkdownExports = before.exports if before else MarkdownExports(catalog, redirects, budget)
        self.rendering: PageRendering = before.rendering if before else PageRendering(catalog, redirects, budget)

    def with_snapshot(self, snapshot: Snapshot) -> DocsSnapshot:
        """The docs of a newer snapshot. It shares the caches of this one."""
        return DocsSnapshot(
            self.catalog, self.redirects, snapshot, highlighter=self.highlighter, markdown=self.markdown, before=self
        )


def _folders(catalog: Catalog, ref: Ref) -> Iterator[DocsFolder]:
    """The docs folders of a branch."""
    for library, version in catalog.versions_on(ref):
        facts = library.docs_facts(version.name)
        menu = tuple((section.label, section.links) for section in facts.docs_menu)
        components = tuple((dict(catalog.components) | dict(library.components)).items())
        yield DocsFolder(facts.docs_root, facts.dialect, menu, library.docs_exclude, components)
