"""The docs of the whole family in one snapshot.

`BranchDocs`, rendered pages and exports outlive a snapshot where their dependencies have not changed, so a
new docs snapshot computes only changed values. Responses read one through a `ContentReader`.
"""

from __future__ import annotations

from collections.abc import Mapping

from kinfolk.config.catalog import Catalog
from kinfolk.config.docs_address import Ref
from kinfolk.content.code_checks.check_store import CheckStore
from kinfolk.content.docs.branch_docs import BranchDocs, open_branch
from kinfolk.content.docs.pages.difference_rendering import DifferenceRendering
from kinfolk.content.docs.pages.markdown_export import MarkdownExports
from kinfolk.content.docs.pages.navigation import Navigations
from kinfolk.content.docs.pages.page_rendering import RENDERED_LIMIT, PageRendering
from kinfolk.content.docs.snapshots.release_docs import ReleaseDocs
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
        releases: ReleaseDocs | None = None,
        code_checks: CheckStore | None = None,
        before: DocsSnapshot | None = None,
    ) -> None:
        """By default Markdown is rendered in the calling thread, without limits of time and memory, and there are no
        releases and no checks of code.
        """
        self.catalog = catalog
        self.redirects = redirects
        self.snapshot = snapshot
        self.highlighter = highlighter
        self.markdown = markdown or MarkdownRenderer()
        self.releases = releases
        self.code_checks = code_checks
        old = before.branches if before else {}
        self.branches: Mapping[Ref, BranchDocs] = {
            ref: old[ref] if ref in old and old[ref].tree is tree else open_branch(catalog, tree, self.markdown)
            for ref, tree in snapshot.trees.items()
        }
        self.navigations: Navigations = Navigations(catalog, redirects, before.navigations if before else None)
        budget = caches or CacheBudget(2 * RENDERED_LIMIT)
        self.exports: MarkdownExports = before.exports if before else MarkdownExports(catalog, redirects, budget)
        self.rendering: PageRendering = before.rendering if before else PageRendering(catalog, redirects, budget)
        self.differences: DifferenceRendering = (
            before.differences if before else DifferenceRendering(catalog, redirects, self.rendering, budget)
        )

    def with_snapshot(self, snapshot: Snapshot) -> DocsSnapshot:
        """The docs of a newer snapshot. It shares the caches of this one."""
        return DocsSnapshot(
            self.catalog,
            self.redirects,
            snapshot,
            highlighter=self.highlighter,
            markdown=self.markdown,
            releases=self.releases,
            code_checks=self.code_checks,
            before=self,
        )

    def find(self, ref: Ref) -> BranchDocs | None:
        """The docs of a branch, or of a release whose files are here. Raises Unavailable for a damaged mirror."""
        docs = self.branches.get(ref)
        return docs if docs is not None or self.releases is None else self.releases.find(ref)
